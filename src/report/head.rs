//! What the JSON reports say before and after the results: tool, run, host, configuration,
//! problems, submissions, cases, summary. Each member is written and read by the same struct.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Timings;
use super::record::{nanoseconds, time_stamp};
use crate::model::{
    Ladder, Machine, Plan, Promise, Report, RerunBy, Run, Sets, Submission, Verdict,
};

/// The program that made the run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tool<'a> {
    name: Cow<'a, str>,
    pub(super) version: Cow<'a, str>,
}

impl<'a> Tool<'a> {
    pub(super) fn new(run: &'a Run) -> Self {
        Self { name: env!("CARGO_PKG_NAME").into(), version: (&run.version).into() }
    }
}

/// Which run it was; empty without timings.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct RunHead<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) jobs: Option<usize>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) commit: Cow<'a, str>,
}

impl<'a> RunHead<'a> {
    pub(super) fn new(run: &'a Run, timings: Timings) -> Self {
        if timings == Timings::None {
            return Self::default();
        }
        Self {
            id: Some((&run.id).into()),
            started_at: Some(time_stamp(run.started_at)),
            command: Some((&run.command).into()),
            jobs: Some(run.jobs),
            commit: (&run.commit).into(),
        }
    }
}

/// The machine; empty without timings, since it explains nothing else.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Host<'a> {
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) os: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) arch: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cpu: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cores: Option<usize>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    kernel: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    governor: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turbo: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration_ns: Option<u64>,
}

impl<'a> Host<'a> {
    pub(super) fn new(run: &'a Run, timings: Timings) -> Self {
        if timings == Timings::None {
            return Self::default();
        }
        Self {
            name: (&run.hostname).into(),
            os: Some((&run.os).into()),
            arch: Some((&run.arch).into()),
            cpu: run.cpu.as_deref().map(Cow::Borrowed),
            cores: Some(run.cores),
            kernel: (&run.machine.kernel).into(),
            governor: (&run.machine.governor).into(),
            turbo: run.machine.turbo,
            memory_bytes: run.machine.memory_bytes,
            calibration_ns: run.machine.calibration.map(nanoseconds),
        }
    }

    /// What tells machines apart whose times differ.
    pub(super) fn machine(&self) -> Machine {
        Machine {
            kernel: self.kernel.to_string(),
            governor: self.governor.to_string(),
            turbo: self.turbo,
            memory_bytes: self.memory_bytes,
            calibration: self.calibration_ns.map(Duration::from_nanos),
        }
    }
}

/// The settings that decide verdicts, and how to come back to single cases.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Config<'a> {
    pub(super) compare: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) checker: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) interactor: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    time_limits_ns: Vec<u64>,
    pub(super) runs: u32,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) interleaved: Cow<'a, str>,
    pub(super) missing: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) sandbox: Cow<'a, str>,
    #[serde(default)]
    pub(super) answers: usize,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) input_folder: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) expected_folder: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) rerun: Cow<'a, str>,
    #[serde(default)]
    pub(super) rerun_by: RerunBy,
}

impl<'a> Config<'a> {
    pub(super) fn new(run: &'a Run, plan: &Plan) -> Self {
        Self {
            compare: (&run.compare).into(),
            checker: (&run.checker).into(),
            interactor: (&run.interactor).into(),
            time_limits_ns: plan.ladder.typed.iter().copied().map(nanoseconds).collect(),
            runs: plan.runs,
            interleaved: (&run.interleaved).into(),
            missing: (&run.missing).into(),
            sandbox: (&run.sandbox).into(),
            answers: run.answers,
            input_folder: (&run.folders.0).into(),
            expected_folder: (&run.folders.1).into(),
            rerun: (&run.rerun).into(),
            rerun_by: run.rerun_by,
        }
    }
}

impl Config<'_> {
    /// The time limits under which each run was judged, without those of single jobs.
    pub(super) fn ladder(&self) -> Ladder {
        let typed = self.time_limits_ns.iter().copied().map(Duration::from_nanos).collect();
        Ladder { typed, rungs: Vec::new() }
    }
}

/// A problem of the run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProblemHead<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) solver: Cow<'a, str>,
    cases: usize,
}

/// The problems of a plan.
pub(super) fn problems(plan: &Plan) -> Vec<ProblemHead<'_>> {
    plan.problems
        .iter()
        .map(|problem| ProblemHead {
            name: (&problem.name).into(),
            solver: (&problem.solver).into(),
            cases: problem.cases.len(),
        })
        .collect()
}

/// A submission to one problem.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SubmissionHead<'a> {
    #[serde(default)]
    pub(super) problem: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) language: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    promised: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    promised_sets: Option<SetsHead>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

/// Sets of verdicts that a submission promises.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SetsHead {
    permitted: Vec<Verdict>,
    required: Vec<Verdict>,
    groups: BTreeMap<String, Vec<Verdict>>,
}

impl SetsHead {
    fn new(promise: &Promise) -> Option<Self> {
        let Promise::Sets(sets) = promise else { return None };
        let Sets { permitted, required, groups } = sets.clone();
        Some(Self { permitted, required, groups: groups.into_iter().collect() })
    }

    fn sets(&self) -> Sets {
        Sets {
            permitted: self.permitted.clone(),
            required: self.required.clone(),
            groups: self.groups.clone().into_iter().collect(),
        }
    }
}

impl SubmissionHead<'_> {
    /// The submission that it tells of, to the problem at this position.
    pub(super) fn submission(&self, problem: usize) -> Submission {
        let sets = self.promised_sets.as_ref().map(|sets| Promise::Sets(sets.sets()));
        Submission {
            name: self.name.to_string(),
            problem,
            path: self.path.as_ref().map(Into::into),
            language: self.language.to_string(),
            promised: sets.or_else(|| promise(&self.promised)),
        }
    }
}

/// The promise that verdicts with `|` between them make.
pub(super) fn promise(text: &str) -> Option<Promise> {
    let verdict = |code: &str| Verdict::ALL.into_iter().find(|verdict| verdict.code() == code);
    (!text.is_empty()).then(|| Promise::First(text.split('|').filter_map(verdict).collect()))
}

/// The submissions of a plan, in its order.
pub(super) fn submissions(plan: &Plan) -> Vec<SubmissionHead<'_>> {
    plan.submissions
        .iter()
        .map(|submission| SubmissionHead {
            problem: (&plan.problems[submission.problem].name).into(),
            name: (&submission.name).into(),
            language: (&submission.language).into(),
            promised: submission.permitted_in(""),
            promised_sets: submission.promised.as_ref().and_then(SetsHead::new),
            path: submission.path.as_ref().map(|path| path.display().to_string()),
        })
        .collect()
}

/// A case of the plan.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CaseHead<'a> {
    pub(super) problem: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) group: Cow<'a, str>,
}

/// The cases of a plan, in its order, each once.
pub(super) fn cases(plan: &Plan) -> impl Iterator<Item = CaseHead<'_>> {
    plan.problems.iter().flat_map(|problem| {
        problem.cases.iter().map(|case| CaseHead {
            problem: (&problem.name).into(),
            name: (&case.name).into(),
            group: (&case.group).into(),
        })
    })
}

/// Counts at the end.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SummaryTail {
    cases: usize,
    passed: usize,
    failed: usize,
    errors: usize,
    skipped: usize,
    pub(super) interrupted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wall_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stolen_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waited_percent: Option<f64>,
}

impl SummaryTail {
    /// Results that it counts.
    pub(super) fn results(&self) -> usize {
        self.passed + self.failed + self.errors + self.skipped
    }

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
