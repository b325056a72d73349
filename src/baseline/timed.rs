//! What a comparison needs of a run and of its results.

use std::time::SystemTime;

use crate::model::{CaseResult, Plan, Run, Verdict};

/// Where times come from.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file, or the program.
    pub name: String,
    /// When the run was started, RFC 3339; empty where it is not known.
    pub started_at: String,
    /// What is known of it.
    pub run: Run,
    /// Whether cases that are missing say nothing, since not all were to be run, or could be.
    pub partial: bool,
}

impl Source {
    /// A run that is known by this name.
    #[must_use]
    pub fn new(name: impl Into<String>, run: &Run) -> Self {
        let known = run.started_at != SystemTime::UNIX_EPOCH;
        let stamp = humantime::format_rfc3339_seconds(run.started_at);
        let started_at = if known { stamp.to_string() } else { String::new() };
        Self { name: name.into(), started_at, run: run.clone(), partial: false }
    }

    /// The submissions of a run in which a base program ran alternately with them.
    #[must_use]
    pub fn beside_base(run: &Run, plan: &Plan) -> Self {
        let name = match plan.submissions.as_slice() {
            [only] => only.name.clone(),
            several => format!("{} submissions", several.len()),
        };
        Self::new(name, run)
    }

    /// Whether both are parts of one run, whose programs ran alternately.
    pub(super) fn ran_with(&self, other: &Self) -> bool {
        !self.run.interleaved.is_empty() && self.run.id == other.run.id
    }
}

/// One case and the CPU times of its runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timed {
    /// The problem.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// The case.
    pub case: String,
    /// What was said of it.
    pub verdict: Verdict,
    /// Nanoseconds of each run, in their order.
    pub cpu_ns: Vec<u64>,
    /// The hash of the input, where it is known.
    pub input: Option<String>,
}

impl Timed {
    /// Of a result. A case that was not run has no times.
    #[must_use]
    pub fn of(plan: &Plan, result: &CaseResult) -> Self {
        let samples = result.samples.as_deref();
        let samples = samples.map(|samples| &samples.cpu_ns).filter(|cpu_ns| !cpu_ns.is_empty());
        let only = || result.times.map(|times| times.cpu.as_nanos() as u64);
        let cpu_ns = samples.cloned().unwrap_or_else(|| only().into_iter().collect());
        Self { cpu_ns, ..Self::without_times(plan, result) }
    }

    /// Of the base program that ran beside it. It has no times where it did not come to its end.
    #[must_use]
    pub fn of_base(plan: &Plan, result: &CaseResult) -> Self {
        let samples = result.samples.as_deref();
        let cpu_ns = samples.map(|samples| samples.base_cpu_ns.clone()).unwrap_or_default();
        Self { cpu_ns, ..Self::without_times(plan, result) }
    }

    fn without_times(plan: &Plan, result: &CaseResult) -> Self {
        let job = plan.jobs[result.index];
        let samples = result.samples.as_deref();
        Self {
            problem: plan.problem(job).name.clone(),
            submission: plan.submission(job).name.clone(),
            case: plan.case(job).name.clone(),
            verdict: result.verdict,
            cpu_ns: Vec::new(),
            input: samples.and_then(|samples| samples.input.clone()),
        }
    }
}
