//! A finished run as all parts of the page look at it.

use std::ops::Range;
use std::time::Duration;

use super::super::Timings;
use super::super::excerpt::Charset;
use super::super::matrix::short_name;
use super::super::mismatch::headline;
use super::super::text::Look;
use super::HtmlOptions;
use crate::model::{CaseResult, Compiled, Job, Plan, Report, Run, Verdict};

/// A finished run.
pub(super) struct Data<'a> {
    pub(super) run: &'a Run,
    pub(super) plan: &'a Plan,
    pub(super) report: &'a Report,
    pub(super) results: &'a [Option<CaseResult>],
    pub(super) compiled: &'a [Compiled],
    pub(super) options: &'a HtmlOptions,
    /// Where the jobs of each submission stand in the plan.
    ranges: Vec<Range<usize>>,
}

impl<'a> Data<'a> {
    pub(super) fn new(
        run: &'a Run,
        plan: &'a Plan,
        report: &'a Report,
        (results, compiled): (&'a [Option<CaseResult>], &'a [Compiled]),
        options: &'a HtmlOptions,
    ) -> Self {
        let mut ranges = vec![0..0; plan.submissions.len()];
        for jobs in plan.jobs.chunk_by(|a, b| a.submission == b.submission) {
            ranges[jobs[0].submission] = jobs[0].index..jobs[0].index + jobs.len();
        }
        Self { run, plan, report, results, compiled, options, ranges }
    }

    /// Whether the page shows what clocks measured.
    pub(super) fn is_measured(&self) -> bool {
        self.options.timings == Timings::Measured
    }

    /// Whether programs were run, and not the built-in solvers alone.
    pub(super) fn has_programs(&self) -> bool {
        self.plan.submissions.iter().any(|submission| submission.path.is_some())
    }

    /// The positions of the submissions of a problem.
    pub(super) fn submissions(&self, problem: usize) -> impl Iterator<Item = usize> + use<'a> {
        let plan = self.plan;
        (0..plan.submissions.len()).filter(move |&one| plan.submissions[one].problem == problem)
    }

    /// The jobs of a submission with what is known of them.
    pub(super) fn cells(
        &self,
        submission: usize,
    ) -> impl Iterator<Item = (Job, Option<&'a CaseResult>)> + use<'a> {
        let results = self.results;
        let jobs = self.plan.jobs[self.ranges[submission].clone()].iter();
        jobs.map(move |job| (*job, results.get(job.index).and_then(Option::as_ref)))
    }

    /// All jobs that have a result.
    pub(super) fn done(&self) -> impl Iterator<Item = (Job, &'a CaseResult)> + use<'a> {
        let plan = self.plan;
        self.results.iter().flatten().map(move |result| (plan.jobs[result.index], result))
    }

    /// What a submission is called on the page.
    pub(super) fn submission_name(&self, submission: usize) -> String {
        shown(&self.plan.submissions[submission].name)
    }

    /// What a problem is called on the page.
    pub(super) fn problem_name(&self, problem: usize) -> String {
        shown(&self.plan.problems[problem].name)
    }

    /// The name of a case without its problem.
    pub(super) fn case_name(&self, job: Job) -> String {
        shown(short_name(self.plan, job))
    }

    /// The name of a case without its problem and its group.
    pub(super) fn stem(&self, job: Job) -> String {
        let name = short_name(self.plan, job);
        let stem = name.strip_prefix(self.plan.case(job).group.as_str());
        shown(stem.and_then(|rest| rest.strip_prefix('/')).unwrap_or(name))
    }

    /// The share of the time limit that a run took.
    pub(super) fn share(&self, job: Job, result: &CaseResult) -> Option<f64> {
        let limit = job.limits.time?.as_secs_f64();
        let used = decisive(job, result).filter(|_| self.is_measured())?.as_secs_f64();
        (limit > 0.0).then_some(used / limit)
    }
}

/// The time of a run by the clock that decides.
pub(super) fn decisive(job: Job, result: &CaseResult) -> Option<Duration> {
    result.used(job.limits.clock)
}

/// A text of one line as the page may show it, whole.
pub(super) fn clean(text: &str) -> String {
    Look::default().name(text)
}

/// What is wrong with a result, in one line.
pub(super) fn said(result: &CaseResult) -> String {
    match &result.mismatch {
        Some(mismatch) => clean(&headline(mismatch, Charset::Unicode)),
        None => clean(result.message.lines().next().unwrap_or_default()),
    }
}

/// Characters of a name that are shown.
const MOST_NAME: usize = 200;

/// A name or one line of a message as the page may show it: nothing in it hides or turns text.
pub(super) fn shown(name: &str) -> String {
    let text = clean(name);
    match text.char_indices().nth(MOST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The class of a verdict in the style sheet.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "ac",
        Verdict::Skipped => "sk",
        Verdict::JudgeError | Verdict::NoAnswer => "je",
        _ => "wa",
    }
}

/// How dark a cell is by the share of its limit: 0 to 4.
pub(super) fn shade(share: Option<f64>) -> usize {
    const STEPS: [f64; 4] = [0.1, 0.25, 0.5, 0.8];
    share.map_or(0, |share| STEPS.iter().filter(|&&step| share >= step).count())
}

/// Test groups in the order of their first case, with their cases' positions in the problem.
pub(super) fn groups(plan: &Plan, problem: usize) -> Vec<(&str, Vec<usize>)> {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for (position, case) in plan.problems[problem].cases.iter().enumerate() {
        let place = *places.entry(case.group.as_str()).or_insert_with(|| {
            groups.push((&case.group, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(position);
    }
    groups
}

/// Milliseconds with so many decimals.
pub(super) fn ms(time: Duration, decimals: usize) -> String {
    format!("{:.decimals$}", time.as_secs_f64() * 1e3)
}

/// Decimals of milliseconds that fit the greatest time.
pub(super) fn decimals(most: Duration) -> usize {
    match most.as_millis() {
        0..100 => 3,
        100..1000 => 2,
        _ => 1,
    }
}
