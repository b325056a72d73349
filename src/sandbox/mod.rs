//! Runs one untrusted process under limits, at the level of protection that the machine gives.
//!
//! The judge may be big and have many threads, so it never forks. [`Sandbox::open`] starts one
//! small runner process for each worker, which is this program again with one hidden argument;
//! [`Sandbox::run`] sends it one [`Spec`] and gets one [`Ran`]. The runner has one thread, starts
//! the program, looks at its clocks, ends it past a limit, kills what it leaves behind and cleans
//! its working folder. Verdicts are decided elsewhere from what a [`Ran`] says.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

pub use cgroup::CgroupChoice;
pub use error::SandboxError;
pub use input::Input;
pub use level::{CgroupKind, Layer, Layers, Level, LevelReport, Missing};
pub use pair::{Entry, Pair, Party, Speaker, Stopped, Talk, Transcript, Waiting, core};
pub use ran::{CpuSource, Ended, Limit, MemoryMetric, Ran, Refusal, Stderr};
pub use runner::runner_main;
pub use spec::{AddressSpace, Collect, CollectAll, CopyFrom, CopyIn, RunLimits, Spec, WorkDir};

use cgroup::Groups;
use handle::Handle;
use open::Opening;
use protocol::Ready;
use scratch::Scratch;

mod account;
mod calls;
mod cgroup;
mod channel;
mod error;
#[expect(clippy::cast_sign_loss, reason = "bits and system numbers")]
mod filter;
mod handle;
mod inner;
mod input;
mod level;
mod look;
mod namespaces;
mod open;
mod pair;
#[expect(clippy::cast_sign_loss, clippy::cast_possible_wrap, reason = "bits and system numbers")]
mod protocol;
mod ran;
#[expect(clippy::cast_possible_wrap, reason = "process numbers are small")]
mod reap;
mod rules;
#[expect(clippy::cast_possible_wrap, reason = "numbers of resources are small")]
mod run;
mod runner;
mod scratch;
mod spec;
#[expect(unsafe_code, reason = "system calls; every block states its condition")]
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "numbers of the system have the types that C gives them"
)]
mod sys;
#[expect(clippy::cast_possible_wrap, reason = "durations are short")]
mod watch;
mod wire;
#[expect(clippy::cast_sign_loss, reason = "the size of a file")]
mod work;

/// Choices that hold for all runs of a sandbox.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program that has [`runner_main`] in it.
    pub runner: PathBuf,
    /// Where working folders on disk are made.
    pub scratch: PathBuf,
    /// As root: runs go under users from this number on, one for each worker; each judge takes
    /// 64 of the 4096 that follow, by its process number.
    pub first_user: u32,
    /// Bytes of a working folder that is kept in memory.
    pub box_bytes: u64,
    /// Which control groups to use.
    pub cgroup: CgroupChoice,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            runner: PathBuf::from("/proc/self/exe"),
            scratch: std::env::temp_dir(),
            first_user: 61_000,
            box_bytes: 256 << 20,
            cgroup: CgroupChoice::Auto,
        }
    }
}

/// Runner processes, one for each worker, and what they can do.
///
/// Dropping it ends the runners and removes every folder.
#[derive(Debug)]
pub struct Sandbox {
    runners: Vec<Mutex<Handle>>,
    stops: Vec<handle::Stop>,
    stopped: AtomicBool,
    report: LevelReport,
    // After the runners, so that they are removed after them.
    _groups: Option<Groups>,
    // After the runners, so that it is dropped after they have ended.
    _scratch: Scratch,
}

impl Sandbox {
    /// Starts the runners and finds the level by trying.
    ///
    /// # Errors
    /// When the level wanted cannot be had, when a runner does not start, or when there is no
    /// place for working folders.
    pub fn open(wanted: Level, workers: usize, options: &Options) -> Result<Self, SandboxError> {
        let scratch = Scratch::make(&options.scratch).map_err(SandboxError::Scratch)?;
        let (groups, reason) = Groups::open(&options.cgroup);
        let mut opening = Opening { wanted, options, scratch, groups, reason, report: None };
        let runners = (0..workers.max(1)).map(|worker| opening.runner(worker));
        let runners = runners.collect::<Result<Vec<_>, _>>()?;
        let stops = runners.iter().map(Handle::stop_handle).collect::<io::Result<_>>();
        Ok(Self {
            stops: stops.map_err(SandboxError::Start)?,
            runners: runners.into_iter().map(Mutex::new).collect(),
            stopped: AtomicBool::new(false),
            report: opening.report.ok_or(SandboxError::Stopped)?,
            _groups: opening.groups,
            _scratch: opening.scratch,
        })
    }

    /// What was wanted and what there is.
    #[must_use]
    pub fn report(&self) -> &LevelReport {
        &self.report
    }

    /// How many runs can go on at once.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.runners.len()
    }

    /// Runs one program on the worker's runner and waits for its end. Several threads may call it
    /// at once with different workers; calls with the same worker wait for each other.
    ///
    /// # Errors
    /// When the judge's own part fails: the sandbox was stopped, a file to copy in cannot be
    /// read, the runner fails twice. A program that fails is no error.
    pub fn run(&self, worker: usize, spec: &Spec) -> Result<Ran, SandboxError> {
        let runner = &self.runners[worker % self.runners.len()];
        let mut runner = runner.lock().unwrap_or_else(PoisonError::into_inner);
        for last in [false, true] {
            if self.stopped.load(Ordering::SeqCst) {
                return Err(SandboxError::Stopped);
            }
            match runner.run(spec) {
                Err(SandboxError::Crashed(_)) if self.stopped.load(Ordering::SeqCst) => {
                    return Err(SandboxError::Stopped);
                }
                Err(SandboxError::Crashed(_)) if !last => {
                    let stop = runner.restart()?;
                    self.stops[worker % self.stops.len()].replace(stop);
                }
                other => return other,
            }
        }
        Err(SandboxError::Stopped)
    }

    /// Kills every run that is going on; they and all later ones end with
    /// [`SandboxError::Stopped`]. Callable from any thread, at any time.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        for stop in &self.stops {
            stop.stop();
        }
    }
}

/// The user of a worker's runs. Judges that run at the same time should not share one, since the
/// system counts processes by user. None in a container that has no such user: its root is an
/// ordinary user outside.
fn user_of(first: u32, worker: usize) -> Option<u32> {
    let user = first + std::process::id() % 64 * 64 + worker as u32 % 64;
    let covers = |line: &str| {
        let mut numbers = line.split_ascii_whitespace().map(str::parse::<u32>);
        let (Some(Ok(start)), _, Some(Ok(count))) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return false;
        };
        user >= start && user - start < count
    };
    let mapped = |path| fs::read_to_string(path).is_ok_and(|map: String| map.lines().any(covers));
    (mapped("/proc/self/uid_map") && mapped("/proc/self/gid_map")).then_some(user)
}

/// The error when the level wanted is not there, or when one runner has less than the first.
fn refusal(wanted: Level, report: &LevelReport, ready: &Ready) -> Option<SandboxError> {
    let enough = match wanted {
        Level::Auto | Level::None => true,
        Level::Basic => report.got != Level::None,
        Level::Strict => report.got == Level::Strict,
    };
    let same = ready.layers == report.layers;
    (!enough || !same).then(|| {
        let missing = if enough { &ready.missing } else { &report.missing };
        SandboxError::Unavailable { wanted, missing: missing.clone() }
    })
}

/// Removes a folder of this process's own making, whatever a run has left in it.
fn remove_quietly(folder: &std::path::Path) {
    if fs::remove_dir_all(folder).is_err() {
        let _ = scratch::empty(folder);
        let _ = fs::remove_dir(folder);
    }
}
