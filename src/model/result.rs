use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::{
    Bound, Clock, Late, Limits, Memory, Mismatch, PATIENCE, Remarks, Samples, SinceBase, Status,
    TestCase, Verdict,
};

/// The outcome of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case's position in [`super::Plan::jobs`].
    pub index: usize,
    /// What is said of the output.
    pub verdict: Verdict,
    /// Whether that is as expected.
    pub status: Status,
    /// The verdict under each limit of [`super::Ladder`]; empty when there is one limit only.
    #[serde(default)]
    pub at: Vec<Verdict>,
    /// How long it took; none for a case that was not run.
    pub times: Option<Times>,
    /// What else is known of the run of a program; none for the built-in core.
    pub ran: Option<Box<Ran>>,
    /// How the verdict was confirmed, where the first run left a doubt.
    pub confirmed: Option<Confirmed>,
    /// The times of the single runs; none where one number tells all.
    #[serde(default)]
    pub samples: Option<Box<Samples>>,
    /// What became of it since the baseline, where there is one.
    #[serde(default)]
    pub change: Option<SinceBase>,
    /// Bytes of the input.
    pub input_bytes: u64,
    /// Bytes of the answer file, if there is one.
    pub expected_bytes: Option<u64>,
    /// Bytes of the output, if there is one.
    pub output_bytes: Option<u64>,
    /// The first difference, for a wrong answer.
    pub mismatch: Option<Box<Mismatch>>,
    /// The part of the case's points, from 0 to 1, where the checker tells it.
    #[serde(default)]
    pub score: Option<f64>,
    /// The words of a checker program.
    #[serde(default)]
    pub remarks: Option<Box<Remarks>>,
    /// Whether it stands whatever time the run has used: the word of an interactor that came first.
    #[serde(default)]
    pub settled: bool,
    /// Why there is no better verdict, in one line; often empty.
    pub message: String,
    /// The message without what was measured; none where it is the same.
    #[serde(default)]
    pub unmeasured: Option<String>,
    /// What to do about it, in one line.
    pub hint: Option<String>,
    /// Where the output is kept, for a case that failed.
    pub kept: Option<Kept>,
    /// The folder where the files are kept that a program of the jury has left.
    #[serde(default)]
    pub feedback: Option<PathBuf>,
    /// When it was started.
    pub started_at: SystemTime,
}

impl CaseResult {
    /// Whether it says nothing of the submission: the case has no answer, and may have none.
    #[must_use]
    pub fn is_silent(&self, case: &TestCase) -> bool {
        case.answer.is_none() && self.status == Status::Skip
    }

    /// The same without measured numbers in its words, so that equal runs say the same.
    #[must_use]
    pub fn without_measures(&self) -> Self {
        let mut result = self.clone();
        if let Some(message) = result.unmeasured.take() {
            result.message = message;
        }
        result
    }

    /// Which clock a late run has used up, of these limits.
    #[must_use]
    pub fn late(&self, limits: &Limits) -> Late {
        let stopped = self.ran.as_ref().is_some_and(|ran| ran.killed == Some(Bound::Time));
        let busy = stopped || self.used(limits.clock) > limits.time;
        if busy { Late::Busy } else { Late::Idle }
    }

    /// The verdicts under all limits.
    #[must_use]
    pub fn verdicts(&self) -> &[Verdict] {
        if self.at.is_empty() { std::slice::from_ref(&self.verdict) } else { &self.at }
    }

    /// Time by this clock; none for a case that was not run.
    #[must_use]
    pub fn used(&self, clock: Clock) -> Option<Duration> {
        let times = self.times?;
        Some(match clock {
            Clock::Cpu => times.cpu,
            Clock::Wall => times.wall,
            Clock::User => self.ran.as_ref().and_then(|ran| ran.user).unwrap_or(times.cpu),
        })
    }

    /// The verdict of this run had it been made under lower limits of time.
    #[must_use]
    pub fn verdict_under(&self, limits: &Limits) -> Verdict {
        let past = |used: Option<Duration>, most: Option<Duration>| {
            used.zip(most).is_some_and(|(used, most)| used > most)
        };
        let queued = self.ran.as_ref().and_then(|ran| ran.queued).unwrap_or_default();
        let most = limits.wall.map_or(Duration::MAX, |wall| wall.saturating_mul(PATIENCE));
        let queued = queued.min(most);
        let wall = self.times.map(|times| times.wall.saturating_sub(queued));
        let late = past(self.used(limits.clock), limits.time) || past(wall, limits.wall);
        let never_ran =
            matches!(self.verdict, Verdict::JudgeError | Verdict::Skipped | Verdict::CompileError);
        if late && !never_ran && !self.settled { Verdict::TimeLimit } else { self.verdict }
    }
}

/// A copy of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// Whether only the first part of the output is in it.
    pub cut: bool,
}

/// Times of all runs of one case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// How the run of a program ended and what it used beside time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The exit code, if it ended by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if the judge did not send it.
    pub signal: Option<i32>,
    /// The bound past which it was killed.
    pub killed: Option<Bound>,
    /// CPU time in user mode.
    pub user: Option<Duration>,
    /// Elapsed time that does not count against a limit, because no processor was free.
    #[serde(default)]
    pub queued: Option<Duration>,
    /// Peak memory.
    pub memory: Option<Memory>,
    /// How often the system took the processor away.
    pub switches: Option<u64>,
    /// Where the CPU time comes from.
    pub cpu_source: Option<String>,
    /// The end of what it wrote for people.
    pub stderr: Vec<u8>,
}

/// Runs on a quiet machine that settled a doubt. The fastest one decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The verdict of the first run, made beside others.
    pub first: Verdict,
    /// Runs made for this, one at a time with nothing else running.
    pub runs: u32,
    /// How many of them had the verdict that stands.
    pub agreed: u32,
    /// The least time by the deciding clock, the first run included.
    pub least: Duration,
    /// The greatest such time.
    pub greatest: Duration,
}
