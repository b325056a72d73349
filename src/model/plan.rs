use std::time::Duration;

use super::{Limits, Problem, Submission, TestCase};

/// What is to be run, in the order of the report.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Only problems with at least one selected case.
    pub problems: Vec<Problem>,
    /// The programs that answer them, in the order of their problems.
    pub submissions: Vec<Submission>,
    /// One entry for each submission and selected case; its position is its index in every later
    /// step. The cases of one submission stand together.
    pub jobs: Vec<Job>,
    /// How often each case is run; the report keeps median, minimum and maximum.
    pub runs: u32,
    /// Further time limits under which each run is judged.
    pub ladder: Ladder,
}

/// Several time limits at once: each case is run once, under the highest. Empty when there is one
/// limit only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ladder {
    /// The limits as they were asked for; the first one decides the verdict.
    pub typed: Vec<Duration>,
    /// For each job its limits under each of them, in the same order.
    pub rungs: Vec<Vec<Limits>>,
}

/// One selected case for one submission: where it stands in [`Plan::problems`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Its position in [`Plan::jobs`].
    pub index: usize,
    /// The position of its problem.
    pub problem: usize,
    /// The position of its case within the problem.
    pub case: usize,
    /// The position of its submission.
    pub submission: usize,
    /// What the run may use.
    pub limits: Limits,
}

impl Plan {
    /// The problem of a job.
    #[must_use]
    pub fn problem(&self, job: Job) -> &Problem {
        &self.problems[job.problem]
    }

    /// The case of a job.
    #[must_use]
    pub fn case(&self, job: Job) -> &TestCase {
        &self.problems[job.problem].cases[job.case]
    }

    /// The limits under which a job is judged: those of the ladder, or its only ones.
    #[must_use]
    pub fn rungs<'a>(&'a self, job: &'a Job) -> &'a [Limits] {
        match self.ladder.rungs.get(job.index) {
            Some(rungs) => rungs,
            None => std::slice::from_ref(&job.limits),
        }
    }

    /// The limits under which a job is run: the highest ones.
    #[must_use]
    pub fn run_limits(&self, job: &Job) -> Limits {
        let highest = self.rungs(job).iter().max_by_key(|limits| limits.time);
        highest.copied().unwrap_or(job.limits)
    }

    /// The submission of a job.
    #[must_use]
    pub fn submission(&self, job: Job) -> &Submission {
        &self.submissions[job.submission]
    }
}
