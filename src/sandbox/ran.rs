//! What a run was: how it ended, what it used, what it wrote. Facts only.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// One run that took place.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// CPU time in user mode, of the whole tree.
    pub cpu_user: Duration,
    /// CPU time in the kernel, of the whole tree.
    pub cpu_system: Duration,
    /// Where the CPU time comes from.
    pub cpu_source: CpuSource,
    /// Elapsed time from the start of the program to the end of its first process.
    pub wall: Duration,
    /// The part of `wall` in which it was ready and had no processor; known of runs of 0.2 s and more.
    pub queued: Duration,
    /// Peak memory in bytes.
    pub memory_peak: u64,
    /// What the peak measures.
    pub memory_metric: MemoryMetric,
    /// How often the system took the core away from the run.
    pub involuntary_switches: u64,
    /// When it started.
    pub started: SystemTime,
    /// What it wrote on stdout, readable from the start; never more than the output limit.
    pub stdout: File,
    /// Bytes in `stdout`.
    pub stdout_bytes: u64,
    /// Whether there was more on stdout than the limit.
    pub stdout_cut: bool,
    /// What it wrote on stderr, bounded.
    pub stderr: Stderr,
    /// Bytes that it has written to anything, for a run with pipes where the system counts them.
    pub written: u64,
    /// The files wanted back, with their names in the working folder, in the order asked for.
    pub collected: Vec<(PathBuf, File)>,
    /// What has the name of a file wanted back and cannot be handed back.
    pub refused: Vec<(PathBuf, Refusal)>,
}

/// Why something in the working folder is not handed back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A link, a folder, a device, a pipe, or a file with several names.
    NotPlain,
    /// A file of more bytes than wanted.
    TooBig(u64),
    /// A folder with more files than wanted.
    TooMany,
}

impl Ran {
    /// User and system time together.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.cpu_user + self.cpu_system
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal, which the sandbox did not send.
    Signaled(i32),
    /// Past a limit: killed for it, or found past it when it had ended by itself between two looks.
    Over(Limit),
    /// Never started: the system refused to start the program, with this error number.
    NotStarted(i32),
    /// Never started: the judge's own part of the start failed, with this error number.
    NotSetUp(i32),
}

/// A limit that a run can go past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// User and system time.
    Cpu,
    /// Elapsed time.
    Wall,
    /// Bytes on stdout.
    Output,
    /// Peak memory.
    Memory,
}

/// Where the CPU time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuSource {
    /// Reported by the system for every process that was waited for: complete for a run of
    /// threads only.
    Rusage,
    /// The same, and looks at the living processes in between: may miss time of short-lived
    /// children that nobody waited for.
    Polled,
    /// A control group of version 2: complete.
    Cgroup2,
    /// A control group of version 1: complete.
    Cgroup1,
}

impl CpuSource {
    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rusage => "rusage",
            Self::Polled => "rusage+polled",
            Self::Cgroup2 => "cg2",
            Self::Cgroup1 => "cg1",
        }
    }
}

/// What the peak of memory measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryMetric {
    /// The biggest resident set of one process, files it maps included.
    MaxRss,
    /// The greatest sum over the tree seen by looking at it, or the biggest resident set.
    PolledSum,
    /// The peak of the control group (version 2), the output in memory taken off.
    Cgroup2,
    /// The peak of the control group (version 1), the output in memory taken off.
    Cgroup1,
}

impl MemoryMetric {
    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxRss => "max_rss",
            Self::PolledSum => "polled_sum",
            Self::Cgroup2 => "cgroup2_peak",
            Self::Cgroup1 => "cgroup1_peak",
        }
    }
}

/// What came on stderr: its beginning, its end, and how much there was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stderr {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, of those that are not in `head`.
    pub tail: Vec<u8>,
    /// How many bytes there were in all.
    pub total: u64,
}

impl Stderr {
    /// How many bytes between head and tail were dropped.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.total - self.head.len() as u64 - self.tail.len() as u64
    }
}
