//! What the JSON reports say before and after the results: tool, run, host, configuration,
//! problems, summary.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Timings;
use super::record::{nanoseconds, time_stamp};
use crate::model::{Plan, Promise, Report, Run, Sets, Verdict};

/// The program that writes the report.
#[derive(Debug, Serialize)]
pub(super) struct Tool {
    name: &'static str,
    version: &'static str,
}

/// This program.
pub(super) const TOOL: Tool =
    Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };

/// Which run it was; empty without timings.
#[derive(Debug, Default, Serialize)]
pub(super) struct RunHead<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jobs: Option<usize>,
}

impl<'a> RunHead<'a> {
    pub(super) fn new(run: &'a Run, timings: Timings) -> Self {
        if timings == Timings::None {
            return Self::default();
        }
        Self {
            id: Some(&run.id),
            started_at: Some(time_stamp(run.started_at)),
            command: Some(&run.command),
            jobs: Some(run.jobs),
        }
    }
}

/// The machine; empty without timings, since it explains nothing else.
#[derive(Debug, Default, Serialize)]
pub(super) struct Host<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    os: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arch: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<usize>,
}

impl<'a> Host<'a> {
    pub(super) fn new(run: &'a Run, timings: Timings) -> Self {
        if timings == Timings::None {
            return Self::default();
        }
        Self {
            os: Some(std::env::consts::OS),
            arch: Some(std::env::consts::ARCH),
            cpu: run.cpu.as_deref(),
            cores: Some(run.cores),
        }
    }
}

/// The settings that decide verdicts.
#[derive(Debug, Serialize)]
pub(super) struct Config<'a> {
    compare: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    checker: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    interactor: &'a str,
    runs: u32,
    missing: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    sandbox: &'a str,
}

impl<'a> Config<'a> {
    pub(super) fn new(run: &'a Run, plan: &Plan) -> Self {
        Self {
            compare: &run.compare,
            checker: &run.checker,
            interactor: &run.interactor,
            runs: plan.runs,
            missing: &run.missing,
            sandbox: &run.sandbox,
        }
    }
}

/// A problem of the run.
#[derive(Debug, Serialize)]
pub(super) struct ProblemHead<'a> {
    name: &'a str,
    solver: &'a str,
    cases: usize,
}

/// The problems of a plan.
pub(super) fn problems(plan: &Plan) -> Vec<ProblemHead<'_>> {
    plan.problems
        .iter()
        .map(|problem| ProblemHead {
            name: &problem.name,
            solver: &problem.solver,
            cases: problem.cases.len(),
        })
        .collect()
}

/// A submission of the run.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct SubmissionHead<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    language: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    promised: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    promised_sets: Option<SetsHead<'a>>,
}

/// Sets of verdicts that a submission promises.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct SetsHead<'a> {
    permitted: &'a [Verdict],
    required: &'a [Verdict],
    groups: BTreeMap<&'a str, &'a [Verdict]>,
}

impl<'a> SetsHead<'a> {
    fn new(promise: &'a Promise) -> Option<Self> {
        let Promise::Sets(Sets { permitted, required, groups }) = promise else { return None };
        let groups = groups.iter().map(|(name, verdicts)| (&**name, &**verdicts)).collect();
        Some(Self { permitted, required, groups })
    }
}

/// The submissions of a plan, each name once.
pub(super) fn submissions(plan: &Plan) -> Vec<SubmissionHead<'_>> {
    let mut heads: Vec<SubmissionHead> = Vec::new();
    for submission in &plan.submissions {
        let (name, language) = (&submission.name, &submission.language);
        let promised_sets = submission.promised.as_ref().and_then(SetsHead::new);
        let promised = submission.permitted_in("");
        let head = SubmissionHead { name, language, promised, promised_sets };
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    heads
}

/// A case of the plan.
#[derive(Debug, Serialize)]
pub(super) struct CaseHead<'a> {
    problem: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: &'a str,
}

/// The cases of a plan, in its order, each once.
pub(super) fn cases(plan: &Plan) -> impl Iterator<Item = CaseHead<'_>> {
    plan.problems.iter().flat_map(|problem| {
        problem.cases.iter().map(|case| CaseHead {
            problem: &problem.name,
            name: &case.name,
            group: &case.group,
        })
    })
}

/// Counts at the end.
#[derive(Debug, Serialize)]
pub(super) struct SummaryTail {
    cases: usize,
    passed: usize,
    failed: usize,
    errors: usize,
    skipped: usize,
    interrupted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stolen_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waited_percent: Option<f64>,
}

impl SummaryTail {
    pub(super) fn new(report: &Report, timings: Timings) -> Self {
        let summary = &report.summary;
        let noise = report.noise.filter(|_| timings == Timings::Measured).unwrap_or_default();
        let percent = |share: f64| (1000.0 * share).round() / 10.0;
        Self {
            stolen_percent: noise.stolen.map(percent),
            waited_percent: noise.waited.map(percent),
            cases: summary.planned,
            passed: summary.passed,
            failed: summary.failed,
            errors: summary.errors,
            skipped: summary.skipped,
            interrupted: summary.interrupted,
            wall_ns: (timings == Timings::Measured).then(|| nanoseconds(report.wall)),
        }
    }
}
