//! The runner's look at a program that talks to another one: whether it works or waits, for what,
//! and which ends of its two pipes it still holds. Asked for by the judge while the run goes on.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::fs::{FileType, fstat};

use super::account::written;
use super::channel::{self, Kind};
use super::reap;
use super::sys;
use super::watch::queued;
use super::wire::{Reader, Writer};

/// What a program is doing, all of its tasks taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Waits {
    /// A task works, or wants to.
    #[default]
    Works,
    /// A task waits inside a read of its stdin, the others wait too.
    Reads,
    /// A task waits inside a write to its stdout, the others wait too.
    Writes,
    /// A task lets time pass, the others wait too.
    Sleeps,
    /// All wait, for what is not known.
    Else,
}

/// What one look has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Doing {
    pub(super) waits: Waits,
    /// Whether a task waits in a read of stdin, and one in a write to stdout, and none works.
    pub(super) stuck: [bool; 2],
    /// How often its tasks have given up the processor by themselves.
    pub(super) turns: u64,
    pub(super) tasks: u64,
    pub(super) cpu: Duration,
    /// How long it was ready and had no processor.
    pub(super) queued: Duration,
    /// Bytes that it has written to anything.
    pub(super) written: u64,
    /// Whether it still has its stdin and its stdout.
    pub(super) holds: [bool; 2],
}

impl Doing {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(self.waits as u64).number(self.turns).number(self.tasks);
        writer.duration(self.cpu).duration(self.queued).number(self.written);
        for flag in self.stuck.iter().chain(&self.holds) {
            writer.number(u64::from(*flag));
        }
        writer.bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader::new(bytes);
        let all = [Waits::Works, Waits::Reads, Waits::Writes, Waits::Sleeps, Waits::Else];
        Ok(Self {
            waits: all[reader.number()? as usize % all.len()],
            turns: reader.number()?,
            tasks: reader.number()?,
            cpu: reader.duration()?,
            queued: reader.duration()?,
            written: reader.number()?,
            stuck: [reader.number()? != 0, reader.number()? != 0],
            holds: [reader.number()? != 0, reader.number()? != 0],
        })
    }
}

/// The two pipes of a program, by the names that the system gives them, and its account.
#[derive(Debug, Default)]
pub(super) struct Ends {
    stdin: String,
    stdout: String,
    /// What the system counts of the first process: open, since it cannot be opened any more when
    /// the process has ended.
    account: OnceCell<File>,
}

impl Ends {
    /// The pipes that stdin and stdout are; none when stdout is no pipe.
    pub(super) fn of(stdin: impl AsFd, stdout: impl AsFd) -> Option<Self> {
        let name = |end: &dyn AsFd| {
            let stat = fstat(end.as_fd()).ok()?;
            let pipe = FileType::from_raw_mode(stat.st_mode) == FileType::Fifo;
            pipe.then(|| format!("pipe:[{}]", stat.st_ino))
        };
        Some(Self { stdin: name(&stdin)?, stdout: name(&stdout)?, account: OnceCell::new() })
    }

    /// Bytes that the program has written to anything so far, with what its collected children have,
    /// as far as the system tells: the account of a process that is just started, or has ended, is
    /// hidden.
    pub(super) fn written(&self, main: i32, processes: u32) -> u64 {
        let others = processes_of(main, processes).into_iter().filter(|&pid| pid != main);
        let accounts = others.filter_map(|pid| File::open(format!("/proc/{pid}/io")).ok());
        let others: u64 = accounts.map(|account| written(&account)).sum();
        if self.account.get().is_none()
            && let Ok(found) = File::open(format!("/proc/{main}/io"))
        {
            let _ = self.account.set(found);
        }
        others + self.account.get().map_or(0, written)
    }
}

/// Serves one question of the judge; whether the program is to be ended.
pub(super) fn serve(
    socket: &UnixStream,
    main: i32,
    processes: u32,
    ends: Option<&Ends>,
) -> io::Result<bool> {
    let Some(message) = channel::receive(socket)? else { return Ok(false) };
    if message.kind == Kind::Look
        && let Some(ends) = ends
    {
        channel::send(socket, Kind::Doing, &look(main, processes, ends).encode(), &[])?;
    }
    Ok(message.kind == Kind::End)
}

/// The processes of the program.
fn processes_of(main: i32, processes: u32) -> Vec<i32> {
    let mut pids = vec![main];
    if processes > 0 {
        pids.extend(reap::descendants().into_iter().map(|(pid, _)| pid).filter(|&p| p != main));
    }
    pids
}

/// Looks at every task of the program.
fn look(main: i32, processes: u32, ends: &Ends) -> Doing {
    let pids = processes_of(main, processes);
    let written = ends.written(main, processes);
    let mut doing = Doing { holds: [false; 2], written, ..Doing::default() };
    let mut seen = Vec::new();
    for pid in pids {
        doing.cpu += sys::cpu_clock(pid).unwrap_or_default();
        doing.queued = doing.queued.max(queued(pid));
        let holds = holds(pid, ends);
        doing.holds = [doing.holds[0] | holds[0], doing.holds[1] | holds[1]];
        for task in tasks(pid) {
            let (waits, turns) = of_task(&task, pid, ends);
            doing.turns += turns;
            doing.tasks += 1;
            seen.push(waits);
        }
    }
    doing.waits = together(&seen);
    if doing.waits != Waits::Works {
        doing.stuck = [Waits::Reads, Waits::Writes].map(|waits| seen.contains(&waits));
    }
    doing
}

/// What tasks do together: one that works counts most, then what is known best.
fn together(tasks: &[Waits]) -> Waits {
    let order = [Waits::Works, Waits::Sleeps, Waits::Reads, Waits::Writes];
    order.into_iter().find(|waits| tasks.contains(waits)).unwrap_or(Waits::Else)
}

fn tasks(pid: i32) -> Vec<String> {
    let folder = format!("/proc/{pid}/task");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let name = |entry: fs::DirEntry| entry.file_name().to_str().map(|id| format!("{folder}/{id}"));
    entries.filter_map(name).collect()
}

/// What one task does, and how often it has given up the processor.
fn of_task(task: &str, pid: i32, ends: &Ends) -> (Waits, u64) {
    let status = fs::read_to_string(format!("{task}/status")).unwrap_or_default();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let turns = field("voluntary_ctxt_switches:").and_then(|n| n.parse().ok()).unwrap_or(0);
    let asleep = field("State:").is_some_and(|state| !state.starts_with(['R', 'D']));
    let waits = if asleep { for_what(task, pid, ends) } else { Waits::Works };
    (waits, turns)
}

/// What a sleeping task waits for, from the system call that it is in.
fn for_what(task: &str, pid: i32, ends: &Ends) -> Waits {
    let Ok(call) = fs::read_to_string(format!("{task}/syscall")) else { return Waits::Else };
    let mut words = call.split_ascii_whitespace();
    let Some(first) = words.next() else { return Waits::Else };
    if first == "running" {
        return Waits::Works;
    }
    let Ok(number) = first.parse::<i64>() else { return Waits::Else };
    let argument = words.next().and_then(|word| u64::from_str_radix(&word[2..], 16).ok());
    let file = argument.and_then(|fd| fs::read_link(format!("/proc/{pid}/fd/{fd}")).ok());
    let is = |end: &str| file.as_deref().is_some_and(|file| file.as_os_str() == end);
    match number {
        libc::SYS_read | libc::SYS_readv if is(&ends.stdin) => Waits::Reads,
        libc::SYS_write | libc::SYS_writev if is(&ends.stdout) => Waits::Writes,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => Waits::Sleeps,
        _ => Waits::Else,
    }
}

/// Which of its pipes a process has. What cannot be seen is taken as held.
fn holds(pid: i32, ends: &Ends) -> [bool; 2] {
    let folder = format!("/proc/{pid}/fd");
    let Ok(entries) = fs::read_dir(&folder) else { return [true; 2] };
    let mut held = [false; 2];
    for entry in entries.flatten() {
        let file = match fs::read_link(entry.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => return [true; 2],
            Ok(file) => file,
        };
        held[0] |= file.as_os_str() == ends.stdin.as_str();
        held[1] |= file.as_os_str() == ends.stdout.as_str();
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_read_back_as_they_were_written() {
        let doing = Doing {
            waits: Waits::Writes,
            turns: 7,
            tasks: 2,
            cpu: Duration::from_millis(3),
            queued: Duration::from_millis(5),
            written: 9,
            stuck: [false, true],
            holds: [true, false],
        };
        assert_eq!(Doing::decode(&doing.encode()).unwrap(), doing);
    }

    #[test]
    fn one_task_that_works_or_sleeps_decides_for_all() {
        use Waits as W;
        assert_eq!(together(&[W::Reads, W::Works]), W::Works);
        assert_eq!(together(&[W::Reads, W::Else]), W::Reads);
        assert_eq!(together(&[W::Reads, W::Sleeps]), W::Sleeps);
        assert_eq!(together(&[W::Else]), W::Else);
        assert_eq!(together(&[]), W::Else);
    }

    #[test]
    fn only_pipes_have_ends_to_look_at() {
        let null = fs::File::open("/dev/null").unwrap();
        assert!(Ends::of(&null, &null).is_none());
    }
}
