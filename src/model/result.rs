use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{Mismatch, Status, Verdict};

/// The outcome of one case.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// The case's position in [`super::Plan::jobs`].
    pub index: usize,
    /// What is said of the output.
    pub verdict: Verdict,
    /// Whether that is as expected.
    pub status: Status,
    /// How long it took; none for a case that was not run.
    pub times: Option<Times>,
    /// Bytes of the input.
    pub input_bytes: u64,
    /// Bytes of the answer file, if there is one.
    pub expected_bytes: Option<u64>,
    /// Bytes of the output, if there is one.
    pub output_bytes: Option<u64>,
    /// The first difference, for a wrong answer.
    pub mismatch: Option<Box<Mismatch>>,
    /// Why there is no better verdict, in one line; often empty.
    pub message: String,
    /// What to do about it, in one line.
    pub hint: Option<String>,
    /// Where the output is kept, for a case that failed.
    pub kept: Option<Kept>,
    /// When it was started.
    pub started_at: SystemTime,
}

/// A copy of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// Whether only the first part of the output is in it.
    pub cut: bool,
}

/// Times of all runs of one case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// Runs that were made.
    pub runs: u32,
    /// Median CPU time of reading and solving.
    pub cpu: Duration,
    /// The least CPU time.
    pub cpu_min: Duration,
    /// The greatest CPU time.
    pub cpu_max: Duration,
    /// Median elapsed time of reading and solving.
    pub wall: Duration,
    /// CPU time of the comparison (last run).
    pub compare_cpu: Duration,
    /// Elapsed time of the comparison (last run).
    pub compare_wall: Duration,
}
