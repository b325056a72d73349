//! Watches one running program: its clocks, its memory, its output, its stderr, and the judge.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::cgroup::Meter;
use super::look::{self, Ends};
use super::ran::{Limit, Stderr};
use super::reap::{self, Used};
use super::runner::GONE;
use super::spec::RunLimits;
use super::sys::{self, Child, Wait};

/// The time between two looks; less when a limit is near.
const TICK: Duration = Duration::from_millis(10);
/// The time after which ended orphans are collected at the latest: until then they count against
/// the limit of processes.
const COLLECT: Duration = Duration::from_millis(2);
const SHORTEST: Duration = Duration::from_millis(1);

/// A run that takes no longer is not asked whether it had a processor.
const SHORT: Duration = Duration::from_millis(200);

/// A program that is running.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    child: &'a Child,
    limits: &'a RunLimits,
    start: Instant,
    /// Where stdout goes; none for a pipe to another program.
    stdout: Option<File>,
    pipe: Option<File>,
    /// The pipes to another program.
    pub(super) ends: Option<Ends>,
    seen: Seen,
    cores: u32,
    tree: Vec<Member>,
    group: Option<&'a Meter<'a>>,
}

/// A process of the tree that was alive at the last look, or is not collected yet.
#[derive(Debug)]
struct Member {
    pid: i32,
    parent: i32,
    /// Its own CPU time, without that of its children.
    cpu: Duration,
}

/// What was seen while it ran.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The limit that it was killed for.
    pub(super) over: Option<Limit>,
    pub(super) wall: Duration,
    /// Elapsed time that does not count, because no processor was free; looked at behind the limit.
    pub(super) queued: Duration,
    pub(super) stderr: Kept,
    /// Bytes that it has written to anything, for a run with pipes.
    pub(super) written: u64,
    /// The greatest CPU time of the tree.
    pub(super) cpu: Duration,
    /// What the orphans have used that ended before the first process.
    pub(super) collected: Used,
    /// The greatest sum of resident memory of the tree, in bytes.
    pub(super) memory: u64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        child: &'a Child,
        limits: &'a RunLimits,
        start: Instant,
        stdout: Option<File>,
        pipe: File,
        cores: u32,
        group: Option<&'a Meter<'a>>,
    ) -> Self {
        let most = limits.stderr_kept as usize;
        let seen = Seen { stderr: Kept { most, ..Kept::default() }, ..Seen::default() };
        let (pipe, tree) = (Some(pipe), Vec::new());
        Self { child, limits, start, stdout, pipe, ends: None, seen, cores, tree, group }
    }

    /// Looks until the first process has ended, killing it when it is over a limit. The process
    /// is left to be collected.
    pub(super) fn until_the_end(mut self, socket: &UnixStream) -> io::Result<Seen> {
        let mut look = self.start + TICK.min(self.limits.wall);
        let mut killed = false;
        loop {
            let (ended, judge_gone) = self.wait(socket, look)?;
            if judge_gone {
                sys::kill(self.child.pid);
                sys::exit(GONE);
            }
            if ended {
                self.seen.wall = self.start.elapsed();
                self.is_past(self.seen.wall);
                self.read_stderr()?;
                if let Some(ends) = &self.ends {
                    self.seen.written = ends.written(self.child.pid, self.limits.processes);
                }
                return Ok(self.seen);
            }
            self.collect()?;
            if killed || Instant::now() < look {
                continue;
            }
            self.seen.over = self.over();
            if self.seen.over.is_some() {
                killed = true;
                sys::kill(self.child.pid);
            }
            look = Instant::now() + self.next_look();
        }
    }

    /// Waits for something to happen until the time given; whether the program has ended, and
    /// whether the judge is gone.
    fn wait(&mut self, socket: &UnixStream, until: Instant) -> io::Result<(bool, bool)> {
        let mut left = until.saturating_duration_since(Instant::now());
        if self.limits.processes > 0 {
            left = left.min(COLLECT);
        }
        let timeout =
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut polled = vec![
            PollFd::new(&self.child.handle, PollFlags::IN),
            PollFd::new(socket, PollFlags::IN | PollFlags::RDHUP),
        ];
        if let Some(pipe) = &self.pipe {
            polled.push(PollFd::new(pipe, PollFlags::IN));
        }
        match poll(&mut polled, Some(&timeout)) {
            Err(Errno::INTR) => return Ok((false, false)),
            other => other?,
        };
        let ended = !polled[0].revents().is_empty();
        let gone = polled[1].revents().intersects(PollFlags::RDHUP | PollFlags::HUP);
        let asked = polled[1].revents().contains(PollFlags::IN) && !gone && !ended;
        if polled.get(2).is_some_and(|pipe| !pipe.revents().is_empty()) && !ended {
            self.read_stderr()?;
        }
        let (pid, processes) = (self.child.pid, self.limits.processes);
        if asked && look::serve(socket, pid, processes, self.ends.as_ref())? {
            sys::kill(pid);
        }
        Ok((ended, gone))
    }

    /// Reads what is in the pipe, a bounded amount at a time, without waiting for more.
    fn read_stderr(&mut self) -> io::Result<()> {
        let mut block = [0; 16 << 10];
        for _ in 0..64 {
            let Some(pipe) = &mut self.pipe else { return Ok(()) };
            match pipe.read(&mut block) {
                Ok(0) => self.pipe = None,
                Ok(read) => self.seen.stderr.push(&block[..read]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The limit that the program is over.
    fn over(&mut self) -> Option<Limit> {
        let time = self.group.and_then(Meter::time);
        let memory = self.group.and_then(|group| group.memory(self.limits.memory));
        if time.is_none() || memory.is_none() {
            self.look_at_processes();
        }
        if let Some(time) = time {
            self.seen.cpu = time.all;
        }
        if let Some(memory) = memory {
            self.seen.memory = self.seen.memory.max(memory);
        }
        if self.group.is_some_and(Meter::ran_out) {
            self.seen.memory = self.seen.memory.max(self.limits.memory.saturating_add(1));
        }
        if self.seen.cpu > self.limits.cpu || self.is_past_user_time() {
            Some(Limit::Cpu)
        } else if self.start.elapsed() > self.limits.wall && self.is_past(self.start.elapsed()) {
            Some(Limit::Wall)
        } else if self.written() > self.limits.output {
            Some(Limit::Output)
        } else {
            (self.seen.memory > self.limits.memory).then_some(Limit::Memory)
        }
    }

    /// Looks at the first process alone where there can be no other, else at the tree.
    fn look_at_processes(&mut self) {
        if self.limits.processes == 0 {
            let own = sys::cpu_clock(self.child.pid);
            self.seen.cpu = own.map_or(self.seen.cpu, |own| own + self.seen.collected.cpu());
            self.seen.memory = self.seen.memory.max(resident(self.child.pid));
        } else {
            self.look_at_tree();
        }
    }

    /// Whether this is more than the limit of elapsed time. A program that is ready and has no
    /// processor, since the machine has too much to do, is not blamed for that.
    fn is_past(&mut self, elapsed: Duration) -> bool {
        if elapsed <= self.limits.wall.min(SHORT) {
            return false;
        }
        if self.limits.patience > 0 {
            let only = self.limits.processes == 0;
            let pids = if only { vec![(self.child.pid, 0)] } else { reap::descendants() };
            let queued = pids.into_iter().map(|(pid, _)| queued(pid)).max().unwrap_or_default();
            let most = self.limits.wall.saturating_mul(self.limits.patience);
            self.seen.queued = self.seen.queued.max(queued).min(most);
        }
        elapsed > self.limits.wall.saturating_add(self.seen.queued)
    }

    fn written(&self) -> u64 {
        let data = self.stdout.as_ref().and_then(|stdout| stdout.metadata().ok());
        data.map_or(0, |data| data.len())
    }

    /// Whether the tree is past a limit of user time alone, which no clock of the system tells while
    /// it runs.
    fn is_past_user_time(&self) -> bool {
        let Some(most) = self.limits.user else { return false };
        // User time is a part of CPU time.
        if self.seen.cpu <= most {
            return false;
        }
        let told = self
            .group
            .and_then(Meter::time)
            .and_then(|time| Some(time.all.saturating_sub(time.system?)));
        if let Some(user) = told {
            return user > most;
        }
        let tree: Duration = if self.limits.processes == 0 {
            user_time(self.child.pid)
        } else {
            reap::descendants().into_iter().map(|(pid, _)| user_time(pid)).sum()
        };
        tree + self.seen.collected.user > most
    }

    /// Adds up the tree. What a process had used when it was last seen alive is not forgotten.
    fn look_at_tree(&mut self) {
        let mut memory = 0;
        for (pid, parent) in reap::descendants() {
            memory += resident(pid);
            let Some(cpu) = sys::cpu_clock(pid) else { continue };
            match self.tree.iter_mut().find(|known| known.pid == pid) {
                Some(known) => *known = Member { pid, parent, cpu: known.cpu.max(cpu) },
                None => self.tree.push(Member { pid, parent, cpu }),
            }
        }
        self.seen.memory = self.seen.memory.max(memory);
        let tree: Duration = self.tree.iter().map(|member| member.cpu).sum();
        self.seen.cpu = tree + self.seen.collected.cpu();
    }

    /// Collects the orphans that have ended. The first process is left.
    fn collect(&mut self) -> io::Result<()> {
        while let Some(pid) = sys::ended_child().filter(|&pid| pid != self.child.pid) {
            if let Some(waited) = sys::wait(Some(pid), Wait::Poll)? {
                self.seen.collected.add(&waited);
            }
            self.forget(pid);
        }
        Ok(())
    }

    /// Forgets a process that was collected and those below it: what it was charged with contains
    /// those that it has collected itself, and the next look finds those that still live.
    fn forget(&mut self, pid: i32) {
        let mut gone = vec![pid];
        while let Some(pid) = gone.pop() {
            gone.extend(self.tree.iter().filter(|member| member.parent == pid).map(|m| m.pid));
            self.tree.retain(|member| member.pid != pid);
        }
    }

    /// How long nothing can go over a clock.
    fn next_look(&self) -> Duration {
        let cpu = (self.limits.cpu.saturating_sub(self.seen.cpu)) / self.cores;
        let wall = self.limits.wall.saturating_add(self.seen.queued);
        let wall = wall.saturating_sub(self.start.elapsed());
        TICK.min(cpu).min(wall).max(SHORTEST)
    }
}

/// The user time of a process, in the steps of the system's clock.
fn user_time(pid: i32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = rest.split_ascii_whitespace().nth(11).and_then(|ticks| ticks.parse().ok());
    let ticks: u32 = ticks.unwrap_or(0);
    Duration::from_secs(1) * ticks / sys::ticks_per_second()
}

/// How long the thread of a process that waited most was ready and had no processor.
pub(super) fn queued(pid: i32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let waited = threads.filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_ascii_whitespace().nth(1)?.parse().ok()
    });
    waited.max().map_or(Duration::ZERO, Duration::from_nanos)
}

/// The resident memory of a process in bytes.
fn resident(pid: i32) -> u64 {
    let Ok(text) = fs::read_to_string(format!("/proc/{pid}/statm")) else { return 0 };
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * sys::page_size()
}

/// The beginning and the end of a stream.
#[derive(Debug, Default)]
pub(super) struct Kept {
    most: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Kept {
    fn push(&mut self, mut bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (self.most - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        bytes = &bytes[room..];
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 4 * self.most.max(16 << 10) {
            self.tail.drain(..self.tail.len() - self.most);
        }
    }

    /// The two ends and the length of the whole.
    pub(super) fn finish(&self) -> Stderr {
        let tail = &self.tail[self.tail.len().saturating_sub(self.most)..];
        Stderr { head: self.head.clone(), tail: tail.to_vec(), total: self.total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_stream_are_kept_and_the_middle_is_counted() {
        let whole: Vec<u8> = (0..1_000_000_u32).map(|index| (index % 251) as u8).collect();
        for (most, block) in [(0, 7), (10, 3), (1000, 65_536), (32 << 10, 999), (2_000_000, 50_000)]
        {
            let mut kept = Kept { most, ..Kept::default() };
            whole.chunks(block).for_each(|chunk| kept.push(chunk));
            let stderr = kept.finish();
            let head = most.min(whole.len());
            let tail = most.min(whole.len() - head);
            assert_eq!(stderr.head, whole[..head], "most {most}");
            assert_eq!(stderr.tail, whole[whole.len() - tail..], "most {most}");
            assert_eq!(stderr.total, 1_000_000);
            assert_eq!(stderr.dropped(), (whole.len() - head - tail) as u64);
        }
    }
}
