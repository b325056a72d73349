use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::promise::names;
use super::{
    CaseResult, Comparison, HistoryEntry, Plan, Promise, Sets, Status, Submission, Verdict,
};

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
    /// The checker program and its protocol; empty where outputs are compared.
    pub checker: String,
    /// The interactor and its protocol; empty where submissions talk to nobody.
    pub interactor: String,
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
    /// How submissions are kept apart from the machine; empty where none are run.
    pub sandbox: String,
    /// The version of the program that ran it.
    pub version: String,
    /// The operating system.
    pub os: String,
    /// The architecture of the processor.
    pub arch: String,
    /// The name of the machine; empty where it is not known.
    pub hostname: String,
    /// What else tells machines apart whose times differ.
    pub machine: Machine,
    /// The commit of the project that is tested; empty where it is not known.
    pub commit: String,
    /// Earlier runs, where a history was named.
    pub history: Arc<[HistoryEntry]>,
    /// The program that ran alternately with each submission; empty where there was none.
    pub interleaved: String,
    /// The folders of inputs and answers, as people named them; empty where there is no one folder.
    pub folders: (String, String),
    /// The command that repeats single cases, quoted for a shell, without submission and case.
    pub rerun: String,
    /// How that command names a submission.
    pub rerun_by: RerunBy,
}

impl Default for Run {
    /// This program on this machine, with nothing known of what is run.
    fn default() -> Self {
        Self {
            id: String::new(),
            started_at: SystemTime::UNIX_EPOCH,
            jobs: 1,
            compare: String::new(),
            checker: String::new(),
            interactor: String::new(),
            missing: String::new(),
            command: String::new(),
            cpu: None,
            cores: 1,
            answers: 0,
            sandbox: String::new(),
            version: env!("CARGO_PKG_VERSION").into(),
            os: std::env::consts::OS.into(),
            arch: std::env::consts::ARCH.into(),
            hostname: String::new(),
            machine: Machine::default(),
            commit: String::new(),
            interleaved: String::new(),
            history: Arc::default(),
            folders: (String::new(), String::new()),
            rerun: String::new(),
            rerun_by: RerunBy::default(),
        }
    }
}

/// A machine, as far as times hang on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machine {
    /// The release of the kernel; empty where it is not known.
    pub kernel: String,
    /// How the frequency of the processor is governed; empty where it is not known.
    pub governor: String,
    /// Whether the processor may exceed its usual frequency.
    pub turbo: Option<bool>,
    /// Its memory.
    pub memory_bytes: Option<u64>,
    /// CPU time of a fixed piece of work; none where it was not measured.
    pub calibration: Option<Duration>,
}

/// How a submission is named on the command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RerunBy {
    /// It lies in the problem's folder: `--submission NAME`.
    #[default]
    Name,
    /// By its path.
    Path,
}

/// What is known when all is done.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Counts over all problems.
    pub summary: Summary,
    /// Counts of each problem, in the plan's order.
    pub problems: Vec<ProblemSummary>,
    /// What came of each submission, in the plan's order.
    pub submissions: Vec<SubmissionSummary>,
    /// Elapsed time of the whole run.
    pub wall: Duration,
    /// What others took of the machine; none when it was not measured.
    pub noise: Option<Noise>,
    /// The run beside its baseline, where there is one.
    pub comparison: Option<Box<Comparison>>,
}

/// What others took of the machine during a run, as shares of the time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Noise {
    /// Taken by the host of a virtual machine.
    pub stolen: Option<f64>,
    /// In which some process had to wait for a processor.
    pub waited: Option<f64>,
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

/// Counts of one submission.
#[derive(Debug, Clone, Default)]
pub struct SubmissionSummary {
    /// Counts of its cases.
    pub summary: Summary,
    /// The first case in the plan that was not accepted, and its verdict.
    pub first: Option<(usize, Verdict)>,
    /// The greatest CPU time of a case.
    pub slowest: Option<Duration>,
    /// The same under each limit of the plan's ladder.
    pub first_under: Vec<Option<(usize, Verdict)>>,
    /// The first case in the plan whose verdict is not permitted, for a submission that promises
    /// sets of verdicts.
    pub forbidden: Option<(usize, Verdict)>,
    /// The verdicts of each test group, each once, for such a submission.
    pub seen: Vec<(String, Verdict)>,
}

impl SubmissionSummary {
    /// The verdict on the whole submission: that of its first case that was not accepted.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let nothing_said = self.summary.skipped > 0 && self.summary.skipped == self.summary.done();
        let otherwise = if nothing_said { Verdict::Skipped } else { Verdict::Accepted };
        self.first.map_or(otherwise, |(_, verdict)| verdict)
    }

    /// The verdict on the whole submission under a limit of the plan's ladder.
    #[must_use]
    pub fn verdict_under(&self, rung: usize) -> Verdict {
        match self.first_under.get(rung) {
            Some(&first) => Self { first, ..self.clone() }.verdict(),
            None => self.verdict(),
        }
    }

    /// Whether it got what it promised; none while that is open, or when it could not be run.
    #[must_use]
    pub fn kept(&self, submission: &Submission) -> Option<bool> {
        let open = self.summary.done() < self.summary.planned;
        let verdict = self.verdict();
        match (verdict, &submission.promised) {
            (Verdict::Skipped | Verdict::JudgeError, _) => None,
            (_, Some(Promise::Sets(sets))) => self.kept_sets(sets, open),
            (Verdict::Accepted, _) if open => None,
            (_, Some(Promise::First(verdicts))) => Some(names(verdicts, verdict)),
            (_, None) => Some(verdict == Verdict::Accepted),
        }
    }

    fn kept_sets(&self, sets: &Sets, open: bool) -> Option<bool> {
        if self.forbidden.is_some() {
            return Some(false);
        }
        let undecided = open || self.summary.errors > 0;
        (!undecided).then(|| sets.unmet(&self.seen).is_none())
    }

    /// Notes the verdicts under each of several limits.
    fn climb(&mut self, rungs: usize, result: &CaseResult) {
        self.first_under.resize(rungs, None);
        for (rung, first) in self.first_under.iter_mut().enumerate() {
            let verdict = result.at.get(rung).copied().unwrap_or(result.verdict);
            let earlier = first.is_none_or(|(first, _)| result.index < first);
            if earlier && verdict != Verdict::Accepted {
                *first = Some((result.index, verdict));
            }
        }
    }

    /// Notes a verdict for a submission that promises sets.
    fn see(&mut self, submission: &Submission, group: &str, result: &CaseResult) {
        let said = !matches!(result.verdict, Verdict::Skipped | Verdict::JudgeError);
        if !said || !matches!(submission.promised, Some(Promise::Sets(_))) {
            return;
        }
        let (index, verdict) = (result.index, result.verdict);
        let earlier = self.forbidden.is_none_or(|(first, _)| index < first);
        if earlier && !submission.permits(group, verdict) {
            self.forbidden = Some((index, verdict));
        }
        if !self.seen.iter().any(|(name, known)| name == group && *known == verdict) {
            self.seen.push((group.to_owned(), verdict));
        }
    }
}

impl Report {
    /// A report without results for a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut report = Self {
            problems: vec![ProblemSummary::default(); plan.problems.len()],
            submissions: vec![SubmissionSummary::default(); plan.submissions.len()],
            ..Self::default()
        };
        report.summary.planned = plan.jobs.len();
        for job in &plan.jobs {
            report.problems[job.problem].summary.planned += 1;
            report.submissions[job.submission].summary.planned += 1;
        }
        report
    }

    /// Adds one result.
    pub fn add(&mut self, plan: &Plan, result: &CaseResult) {
        self.summary.add(result);
        let submission = &mut self.submissions[plan.jobs[result.index].submission];
        submission.summary.add(result);
        if let Some(times) = result.times.filter(|_| result.verdict != Verdict::JudgeError) {
            submission.slowest = submission.slowest.max(Some(times.cpu));
        }
        let earlier = submission.first.is_none_or(|(first, _)| result.index < first);
        let job = plan.jobs[result.index];
        let silent = result.is_silent(plan.case(job));
        if !silent {
            submission.see(plan.submission(job), &plan.case(job).group, result);
        }
        if earlier && !silent && result.verdict != Verdict::Accepted {
            submission.first = Some((result.index, result.verdict));
        }
        if !silent && !plan.ladder.typed.is_empty() {
            submission.climb(plan.ladder.typed.len(), result);
        }
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

    /// Counts in which real regressions are failures.
    #[must_use]
    pub fn with_regressions(&self, summary: Summary) -> Summary {
        let regressions = self.comparison.as_ref().map_or(0, |comparison| comparison.regressions());
        Summary { failed: summary.failed + regressions, ..summary }
    }

    /// Submissions that did not get what they promised.
    #[must_use]
    pub fn broken(&self, plan: &Plan) -> usize {
        let pairs = self.submissions.iter().zip(&plan.submissions);
        pairs.filter(|(summary, submission)| summary.kept(submission) == Some(false)).count()
    }
}
