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

    /// The submission of a job.
    #[must_use]
    pub fn submission(&self, job: Job) -> &Submission {
        &self.submissions[job.submission]
    }
}
