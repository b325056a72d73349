//! What the JSON Lines report says of whole submissions: how they were built, what came of them.

use serde::Serialize;

use super::Timings;
use super::record::nanoseconds;
use crate::model::{Compiled, Plan, SubmissionSummary, Verdict};

/// A submission that was built, or could not be.
#[derive(Debug, Serialize)]
pub(super) struct CompiledHead<'a> {
    problem: &'a str,
    submission: &'a str,
    language: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    version: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    command: &'a [String],
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cached: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_ns: Option<u64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    log: &'a str,
    log_bytes: u64,
}

impl<'a> CompiledHead<'a> {
    /// Times and what hangs on earlier runs are left out without timings.
    pub(super) fn new(plan: &'a Plan, compiled: &'a Compiled, timings: Timings) -> Self {
        let submission = &plan.submissions[compiled.submission];
        let measured = timings == Timings::Measured;
        Self {
            problem: &plan.problems[submission.problem].name,
            submission: &submission.name,
            language: &compiled.language,
            version: &compiled.version,
            command: &compiled.command,
            ok: compiled.outcome.is_ok(),
            message: compiled.outcome.as_ref().err().map(String::as_str),
            cached: measured.then_some(compiled.cached),
            wall_ns: measured.then(|| nanoseconds(compiled.wall)),
            log: &compiled.log,
            log_bytes: compiled.log_bytes,
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
