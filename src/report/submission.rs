//! What the JSON reports say of whole submissions: how they were built, what came of them.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Timings;
use super::record::nanoseconds;
use crate::model::{Compiled, Plan, SubmissionSummary, Verdict};

/// A submission that was built, or could not be.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CompiledHead<'a> {
    pub(super) problem: Cow<'a, str>,
    pub(super) submission: Cow<'a, str>,
    #[serde(default)]
    language: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    version: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    command: Cow<'a, [String]>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cached: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    log: Cow<'a, str>,
    #[serde(default)]
    log_bytes: u64,
}

impl<'a> CompiledHead<'a> {
    /// Times and what hangs on earlier runs are left out without timings.
    pub(super) fn new(plan: &'a Plan, compiled: &'a Compiled, timings: Timings) -> Self {
        let submission = &plan.submissions[compiled.submission];
        let measured = timings == Timings::Measured;
        Self {
            problem: (&plan.problems[submission.problem].name).into(),
            submission: (&submission.name).into(),
            language: (&compiled.language).into(),
            version: (&compiled.version).into(),
            command: (&compiled.command).into(),
            ok: compiled.outcome.is_ok(),
            message: compiled.outcome.as_ref().err().map(Cow::from),
            cached: measured.then_some(compiled.cached),
            wall_ns: measured.then(|| nanoseconds(compiled.wall)),
            log: (&compiled.log).into(),
            log_bytes: compiled.log_bytes,
        }
    }

    /// What it tells of the submission at this position of the plan.
    pub(super) fn compiled(self, submission: usize) -> Compiled {
        Compiled {
            submission,
            language: self.language.into_owned(),
            version: self.version.into_owned(),
            command: self.command.into_owned(),
            outcome: if self.ok { Ok(()) } else { Err(self.message.unwrap_or_default().into()) },
            cached: self.cached.unwrap_or_default(),
            wall: Duration::from_nanos(self.wall_ns.unwrap_or_default()),
            log: self.log.into_owned(),
            log_bytes: self.log_bytes,
        }
    }
}

/// What came of a submission.
#[derive(Debug, Serialize)]
pub(super) struct SubmissionTail<'a> {
    problem: &'a str,
    submission: &'a str,
    verdict: Verdict,
    #[serde(skip_serializing_if = "String::is_empty")]
    promised: String,
    /// Absent when it could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_case: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_cpu_ns: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    verdicts_under: Vec<Verdict>,
}

impl<'a> SubmissionTail<'a> {
    /// The greatest time is left out without timings.
    pub(super) fn new(
        plan: &'a Plan,
        position: usize,
        summary: &SubmissionSummary,
        timings: Timings,
    ) -> Self {
        let submission = &plan.submissions[position];
        let first = summary.first.map(|(index, _)| plan.case(plan.jobs[index]).name.as_str());
        let measured = timings == Timings::Measured;
        let rungs = 0..plan.ladder.typed.len();
        Self {
            problem: &plan.problems[submission.problem].name,
            submission: &submission.name,
            verdict: summary.verdict(),
            promised: submission.promise(),
            kept: summary.kept(submission),
            first_case: first,
            max_cpu_ns: summary.slowest.filter(|_| measured).map(nanoseconds),
            verdicts_under: rungs.map(|rung| summary.verdict_under(rung)).collect(),
        }
    }
}
