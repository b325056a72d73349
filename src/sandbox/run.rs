//! One run: start, watch, end, clean, answer.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::ptr;
use std::time::{Duration, Instant};

use libc::c_char;
use rustix::pipe::{PipeFlags, pipe_with};

use super::account::Account;
use super::cgroup::Meter;
use super::look::Ends;
use super::protocol::{Answer, Request};
use super::ran::{CpuSource, Ended, Limit, MemoryMetric, Refusal, Stderr};
use super::reap::{self, Used};
use super::spec::{AddressSpace, Collect, CollectAll, RunLimits};
use super::sys::{self, Child, Identity, Instruction, Launch, NoChild, Step, Wait};
use super::watch::Watch;
use super::work::Work;

/// Threads of a run that has threads only, where the system counts them.
const THREADS: u64 = 1024;

/// How many processes and threads a run may have.
pub(super) fn tasks(limits: &RunLimits) -> u64 {
    if limits.processes == 0 { THREADS } else { u64::from(limits.processes) + 1 }
}

/// What a runner has for all its runs.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) work: Work,
    /// What its runs have written, where the system counts it.
    pub(super) account: Option<Account>,
    /// The user that a run changes to at its start.
    pub(super) identity: Option<Identity>,
    /// Whether a signal to everybody reaches only runs.
    pub(super) sure_kill: bool,
    /// Whether the system counts processes of this runner's runs alone.
    pub(super) own_count: bool,
    /// How many threads of a run can burn at once.
    pub(super) cores: u32,
    /// The last filters, for runs with processes and for runs of threads only.
    pub(super) filters: [(Vec<Instruction>, Vec<usize>); 2],
}

/// Runs one program. The files are those collected, in the order of their names in the answer.
pub(super) fn run(
    cell: &Cell,
    request: &Request,
    descriptors: Vec<OwnedFd>,
    socket: &UnixStream,
) -> io::Result<(Answer, Vec<OwnedFd>)> {
    let mut descriptors = descriptors.into_iter();
    let mut next = || descriptors.next().ok_or_else(|| io::Error::other("a file is missing"));
    let (stdin, stdout) = (next()?, next()?);
    let parts = request.group.iter().map(|&part| Ok((part, next()?)));
    let parts = parts.collect::<io::Result<Vec<_>>>()?;
    for folder in &request.folders {
        cell.work.make_folder(folder)?;
    }
    for (name, executable) in &request.copy_in {
        cell.work.copy_in(next()?, name, *executable)?;
    }
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    let group = (!parts.is_empty()).then(|| Meter::begin(parts, &cell.work));
    let group = group.as_ref();
    let ends = Ends::of(&stdin, &stdout);
    let account = cell.account.as_ref().filter(|_| ends.is_some());
    let before = account.map_or(0, Account::written);
    let start = Instant::now();
    let child = match launch(cell, request, [&stdin, &stdout, &writer], group) {
        Ok(child) => child,
        Err(error) => return Ok((not_started(&error), Vec::new())),
    };
    drop((stdin, writer));
    // A pipe to another program is not counted, and not held open longer than the program does.
    let stdout = ends.is_none().then(|| File::from(stdout));
    let stderr = File::from(reader);
    let mut watch = Watch::new(&child, &request.limits, start, stdout, stderr, cell.cores, group);
    watch.ends = ends;
    let seen = watch.until_the_end(socket)?;
    let mut answer = finish(cell, request, &child, &seen, group)?;
    answer.stderr = seen.stderr.finish();
    let written = account.map_or(0, |account| account.written().saturating_sub(before));
    answer.written = answer.written.max(written);
    let mut files = Vec::new();
    let mut collect = |wanted: &Collect| match cell.work.collect(wanted) {
        Ok(Some(file)) => {
            answer.collected.push(wanted.name.clone());
            files.push(file);
        }
        Ok(None) => {}
        Err(refusal) => answer.refused.push((wanted.name.clone(), refusal)),
    };
    request.collect.iter().for_each(&mut collect);
    if let Some(all) = &request.collect_all {
        let (others, more) = others(cell, request, all);
        others.iter().for_each(&mut collect);
        answer.refused.extend(more.then(|| (all.folder.clone(), Refusal::TooMany)));
    }
    Ok((answer, files))
}

/// The files of a folder that are not wanted by their names, and whether there are more of them than
/// wanted.
fn others(cell: &Cell, request: &Request, all: &CollectAll) -> (Vec<Collect>, bool) {
    let known = &request.collect;
    let (found, more) = cell.work.names(&all.folder, all.most_files + known.len());
    let others = found.iter().filter(|name| known.iter().all(|known| known.name != **name));
    let mut others: Vec<Collect> = others.map(|name| Collect::new(name, all.most_bytes)).collect();
    let more = more || others.len() > all.most_files;
    others.truncate(all.most_files);
    (others, more)
}

/// Collects the first process and everything that it has left behind.
fn finish(
    cell: &Cell,
    request: &Request,
    child: &Child,
    seen: &super::watch::Seen,
    group: Option<&Meter<'_>>,
) -> io::Result<Answer> {
    let main = sys::wait(Some(child.pid), Wait::Block)?.ok_or_else(|| io::Error::other("lost"))?;
    let mut used = Used::default();
    used.add(&main);
    used.merge(&seen.collected);
    used.merge(&reap::everything(cell.sure_kill, group)?);
    let polled = request.limits.processes > 0;
    let missed = seen.cpu.saturating_sub(used.cpu());
    let ended = if libc::WIFEXITED(main.status) {
        Ended::Exited(libc::WEXITSTATUS(main.status))
    } else {
        Ended::Signaled(libc::WTERMSIG(main.status))
    };
    let mut answer = Answer {
        ended: seen.over.map_or(ended, Ended::Over),
        cpu_user: used.user + missed,
        cpu_system: used.system,
        cpu_source: if polled { CpuSource::Polled } else { CpuSource::Rusage },
        wall: seen.wall,
        queued: seen.queued,
        memory_peak: used.resident.max(seen.memory),
        memory_metric: if polled { MemoryMetric::PolledSum } else { MemoryMetric::MaxRss },
        involuntary: used.involuntary,
        stderr: Stderr::default(),
        written: seen.written,
        collected: Vec::new(),
        refused: Vec::new(),
        spent: false,
    };
    if let Some(group) = group {
        group.correct(&mut answer, request.limits.memory);
    }
    Ok(answer)
}

/// The answer about a run that has taken its runner along when memory ran out. The runner may have
/// killed the group before, and nobody knows.
pub(super) fn out_of_memory() -> Answer {
    Answer { spent: true, ..nothing(Ended::Over(Limit::Memory)) }
}

fn not_started(no_child: &NoChild) -> Answer {
    let number = no_child.error.raw_os_error().unwrap_or(0);
    nothing(match no_child.step {
        Step::Program => Ended::NotStarted(number),
        Step::SetUp => Ended::NotSetUp(number),
    })
}

fn nothing(ended: Ended) -> Answer {
    Answer {
        ended,
        cpu_user: Duration::ZERO,
        cpu_system: Duration::ZERO,
        cpu_source: CpuSource::Rusage,
        wall: Duration::ZERO,
        queued: Duration::ZERO,
        memory_peak: 0,
        memory_metric: MemoryMetric::MaxRss,
        involuntary: 0,
        stderr: Stderr::default(),
        written: 0,
        collected: Vec::new(),
        refused: Vec::new(),
        spent: false,
    }
}

/// Starts the program with everything it needs.
fn launch(
    cell: &Cell,
    request: &Request,
    files: [&OwnedFd; 3],
    group: Option<&Meter<'_>>,
) -> Result<Child, NoChild> {
    let arguments = request.program.iter().map(|argument| text(argument));
    let arguments = arguments.collect::<io::Result<Vec<_>>>()?;
    let program = arguments.first().ok_or(io::Error::from(io::ErrorKind::InvalidInput))?;
    let environment = environment(cell, request)?;
    let counted = group.is_some_and(Meter::limits_tasks);
    let limits = limits(cell, &request.limits, counted);
    let (filter, own_pid) = &cell.filters[usize::from(request.limits.processes == 0)];
    let mut filter = filter.clone();
    let [stdin, stdout, stderr] = files.map(AsRawFd::as_raw_fd);
    sys::spawn(&mut Launch {
        program,
        arguments: &pointers(&arguments),
        environment: &pointers(&environment),
        stdin,
        stdout,
        stderr,
        directory: cell.work.folder(),
        limits: &limits,
        identity: cell.identity,
        group: group.and_then(Meter::place),
        core: request.core,
        filter: &mut filter,
        own_pid,
    })
}

fn text(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// The environment asked for, with the folders of the run where they are not given.
fn environment(cell: &Cell, request: &Request) -> io::Result<Vec<CString>> {
    let pair = |name: &OsStr, value: &OsStr| {
        let mut both = OsString::from(name);
        both.push("=");
        both.push(value);
        text(&both)
    };
    let given = &request.environment;
    let mut all: Vec<CString> =
        given.iter().map(|(name, value)| pair(name, value)).collect::<io::Result<_>>()?;
    for (name, folder) in [("HOME", "box"), ("TMPDIR", "tmp")] {
        if !given.iter().any(|(given, _)| given == name) {
            all.push(pair(name.as_ref(), cell.work.path.join(folder).as_ref())?);
        }
    }
    Ok(all)
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// The limits that the system itself keeps: a second net under the watch, and bounds for what it
/// does not look at. With `counted` the control group limits the number of processes.
fn limits(cell: &Cell, limits: &RunLimits, counted: bool) -> Vec<(i32, u64, u64)> {
    let seconds = limits.cpu.as_secs() + 2;
    let file = limits.file_size.max(limits.output.saturating_add(1));
    let stack = match (limits.stack, limits.address_space) {
        (Some(stack), _) => stack,
        (None, AddressSpace::Free) => limits.memory,
        // Each thread reserves as much as the stack limit says, which counts as data.
        (None, AddressSpace::Data) => u64::MAX,
    };
    let mut all = vec![
        (libc::RLIMIT_CPU as i32, seconds, seconds + 1),
        (libc::RLIMIT_FSIZE as i32, file, file),
        (libc::RLIMIT_STACK as i32, stack, stack),
        (libc::RLIMIT_NOFILE as i32, limits.open_files, limits.open_files),
        (libc::RLIMIT_CORE as i32, 0, 0),
        (libc::RLIMIT_MSGQUEUE as i32, 0, 0),
    ];
    if limits.address_space == AddressSpace::Data {
        all.push((libc::RLIMIT_DATA as i32, limits.memory, limits.memory));
    }
    let processes = match (limits.processes, cell.own_count) {
        _ if counted => None,
        (0, true) => Some(THREADS),
        // Threads only, and the system counts everything of the user: nothing can be counted.
        (0, false) => None,
        (processes, true) => Some(u64::from(processes) + 2),
        (processes, false) => Some(u64::from(processes) + 2 + reap::tasks_of_user()),
    };
    all.extend(processes.map(|most| (libc::RLIMIT_NPROC as i32, most, most)));
    for (resource, soft, hard) in &mut all {
        let most = sys::hard_limit(*resource);
        *soft = most.min(*soft);
        *hard = most.min(*hard);
    }
    all
}
