use std::time::{Duration, SystemTime};

use super::{CaseResult, Plan, Status, Verdict};

/// What is known before the first case runs.
#[derive(Debug, Clone)]
pub struct Run {
    /// Identifies the run in every report.
    pub id: String,
    /// When it was started.
    pub started_at: SystemTime,
    /// Workers.
    pub jobs: usize,
    /// The name of the comparison.
    pub compare: String,
    /// What a missing answer means: `fail`, `warn` or `skip`.
    pub missing: String,
    /// The command line, quoted for a shell.
    pub command: String,
    /// The processor's name, where the system tells it.
    pub cpu: Option<String>,
    /// Processors this process may use.
    pub cores: usize,
    /// Answer files found.
    pub answers: usize,
}

/// What is known when all is done.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Counts over all problems.
    pub summary: Summary,
    /// Counts of each problem, in the plan's order.
    pub problems: Vec<ProblemSummary>,
    /// Elapsed time of the whole run.
    pub wall: Duration,
}

/// Counts of results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases in the plan.
    pub planned: usize,
    /// As expected.
    pub passed: usize,
    /// Not as expected.
    pub failed: usize,
    /// Judge errors.
    pub errors: usize,
    /// Not run or not compared, as allowed.
    pub skipped: usize,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

impl Summary {
    /// Adds one result.
    pub fn add(&mut self, result: &CaseResult) {
        match result.status {
            Status::Pass => self.passed += 1,
            Status::Fail => self.failed += 1,
            Status::Error => self.errors += 1,
            Status::Skip => self.skipped += 1,
        }
    }

    /// Cases with a result.
    #[must_use]
    pub fn done(&self) -> usize {
        self.passed + self.failed + self.errors + self.skipped
    }
}

/// Counts of one problem.
#[derive(Debug, Clone, Default)]
pub struct ProblemSummary {
    /// Counts of its cases.
    pub summary: Summary,
    /// The position in the plan of the case that took the most CPU time, and that time.
    pub slowest: Option<(usize, Duration)>,
}

impl Report {
    /// A report without results for a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut report = Self {
            problems: vec![ProblemSummary::default(); plan.problems.len()],
            ..Self::default()
        };
        report.summary.planned = plan.jobs.len();
        for job in &plan.jobs {
            report.problems[job.problem].summary.planned += 1;
        }
        report
    }

    /// Adds one result.
    pub fn add(&mut self, plan: &Plan, result: &CaseResult) {
        self.summary.add(result);
        let problem = &mut self.problems[plan.jobs[result.index].problem];
        problem.summary.add(result);
        let Some(times) = result.times else { return };
        let slower = problem.slowest.is_none_or(|(index, cpu)| {
            times.cpu > cpu || (times.cpu == cpu && result.index < index)
        });
        if slower && result.verdict != Verdict::JudgeError {
            problem.slowest = Some((result.index, times.cpu));
        }
    }
}
