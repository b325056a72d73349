//! One result as a flat record: the one place where a result, its case and its plan become the
//! fields of the machine-readable reports.

use std::time::{Duration, SystemTime};

use bstr::BStr;
use serde::Serialize;

use super::Timings;
use super::mismatch::{Charset, headline};
use crate::model::{Bound, CaseResult, Job, Limits, MismatchKind, Plan, Status, Totals, Verdict};

/// The name and version of the data model.
pub(super) const SCHEMA: &str = "jury-report/1";

/// A result with everything that reports say of it. Times are nanoseconds; absent fields do not
/// apply.
#[derive(Debug, Serialize)]
pub(super) struct Record<'a> {
    pub(super) index: usize,
    pub(super) problem: &'a str,
    pub(super) submission: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) language: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) group: &'a str,
    pub(super) case: &'a str,
    pub(super) status: Status,
    pub(super) verdict: Verdict,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) promised: String,
    #[serde(flatten)]
    pub(super) run: RecordRun,
    #[serde(flatten)]
    pub(super) times: Option<RecordTimes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_bytes: Option<u64>,
    #[serde(flatten)]
    pub(super) mismatch: Option<RecordMismatch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) team_message: Option<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) checker_files: &'a [String],
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'a str>,
    pub(super) input_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) got_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started_at: Option<String>,
}

/// What is known of the run of a program beside its times, and what it was allowed.
#[derive(Debug, Default, Serialize)]
pub(super) struct RecordRun {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time_limit_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wall_limit_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory_limit_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_limit_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) killed: Option<Bound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory_metric: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cpu_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) involuntary_switches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confirmed: Option<RecordConfirmed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) verdicts_under: Vec<RecordRung>,
}

/// The verdict under one of several limits.
#[derive(Debug, Serialize)]
pub(super) struct RecordRung {
    time_limit_ns: Option<u64>,
    verdict: Verdict,
}

fn rungs(rungs: &[Limits], result: &CaseResult) -> Vec<RecordRung> {
    let pairs = rungs.iter().zip(&result.at);
    let rung = |(limits, &verdict): (&Limits, &Verdict)| RecordRung {
        time_limit_ns: limits.time.map(nanoseconds),
        verdict,
    };
    pairs.map(rung).collect()
}

/// Runs that settled a doubt.
#[derive(Debug, Serialize)]
pub(super) struct RecordConfirmed {
    first: Verdict,
    runs: u32,
    agreed: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest_ns: Option<u64>,
}

impl RecordRun {
    fn new(plan: &Plan, job: &Job, result: &CaseResult, timings: Timings) -> Self {
        let limits = &job.limits;
        let allowed = Self {
            verdicts_under: rungs(plan.rungs(job), result),
            time_limit_ns: limits.time.map(nanoseconds),
            wall_limit_ns: limits.wall.map(nanoseconds),
            clock: limits.time.map(|_| limits.clock.word()),
            memory_limit_bytes: limits.memory,
            output_limit_bytes: limits.output,
            ..Self::default()
        };
        let Some(ran) = &result.ran else { return allowed };
        let ended =
            Self { exit_code: ran.exit_code, signal: ran.signal, killed: ran.killed, ..allowed };
        if timings == Timings::None {
            return ended;
        }
        Self {
            user_ns: ran.user.map(nanoseconds),
            memory_bytes: ran.memory.as_ref().map(|memory| memory.bytes),
            memory_metric: ran.memory.as_ref().map(|memory| memory.metric.to_string()),
            cpu_source: ran.cpu_source.clone(),
            involuntary_switches: ran.switches,
            confirmed: result.confirmed.map(|confirmed| RecordConfirmed {
                first: confirmed.first,
                runs: confirmed.runs,
                agreed: confirmed.agreed,
                least_ns: Some(nanoseconds(confirmed.least)),
                greatest_ns: Some(nanoseconds(confirmed.greatest)),
            }),
            ..ended
        }
    }
}

/// The times of a record.
#[derive(Debug, Serialize)]
pub(super) struct RecordTimes {
    pub(super) runs: u32,
    #[serde(flatten)]
    pub(super) measured: Option<Measured>,
}

/// What a clock has measured; all in nanoseconds.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    pub(super) cpu_ns: u64,
    pub(super) cpu_ns_min: u64,
    pub(super) cpu_ns_max: u64,
    pub(super) wall_ns: u64,
    pub(super) compare_cpu_ns: u64,
    pub(super) compare_wall_ns: u64,
}

/// The first difference of a record.
#[derive(Debug, Serialize)]
pub(super) struct RecordMismatch {
    pub(super) mismatch: MismatchKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected_excerpt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) got_excerpt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) totals: Option<Totals>,
}

impl<'a> Record<'a> {
    /// The record of a result; `timings` decides whether clocks fill anything.
    pub(super) fn new(plan: &'a Plan, result: &'a CaseResult, timings: Timings) -> Self {
        let job = plan.jobs[result.index];
        let case = plan.case(job);
        let ran = result.times.is_some();
        Self {
            index: result.index,
            problem: &plan.problem(job).name,
            submission: &plan.submission(job).name,
            language: &plan.submission(job).language,
            group: &case.group,
            case: &case.name,
            status: result.status,
            verdict: result.verdict,
            promised: plan.submission(job).permitted_in(&case.group),
            run: RecordRun::new(plan, &job, result, timings),
            times: times(result, timings),
            input_bytes: ran.then_some(result.input_bytes),
            expected_bytes: result.expected_bytes,
            output_bytes: result.output_bytes,
            mismatch: mismatch(result).or_else(|| refused(result)),
            score: result.score,
            team_message: team_message(result),
            checker_files: result.remarks.as_ref().map_or(&[][..], |remarks| &remarks.files),
            message: message(result),
            hint: result.hint.as_deref(),
            input_path: case.input.display().to_string(),
            expected_path: case.answer.as_ref().map(|path| path.display().to_string()),
            got_path: result.kept.as_ref().map(|kept| kept.path.display().to_string()),
            started_at: (timings == Timings::Measured).then(|| time_stamp(result.started_at)),
        }
    }

    /// What clocks have measured, if the report is to say it.
    pub(super) fn measured(&self) -> Option<&Measured> {
        self.times.as_ref().and_then(|times| times.measured.as_ref())
    }
}

fn times(result: &CaseResult, timings: Timings) -> Option<RecordTimes> {
    let ns = nanoseconds;
    result.times.map(|times| RecordTimes {
        runs: times.runs,
        measured: (timings == Timings::Measured).then(|| Measured {
            cpu_ns: ns(times.cpu),
            cpu_ns_min: ns(times.cpu_min),
            cpu_ns_max: ns(times.cpu_max),
            wall_ns: ns(times.wall),
            compare_cpu_ns: ns(times.compare_cpu),
            compare_wall_ns: ns(times.compare_wall),
        }),
    })
}

fn mismatch(result: &CaseResult) -> Option<RecordMismatch> {
    result.mismatch.as_ref().map(|mismatch| RecordMismatch {
        mismatch: mismatch.kind,
        line: Some(mismatch.line),
        token: mismatch.token,
        byte: Some(mismatch.byte),
        expected_excerpt: mismatch.expected.as_deref().map(literal),
        got_excerpt: mismatch.got.as_deref().map(literal),
        totals: mismatch.totals,
    })
}

/// What a checker program refused, as far as it tells the place.
fn refused(result: &CaseResult) -> Option<RecordMismatch> {
    let remarks = result.remarks.as_ref().filter(|_| result.verdict != Verdict::Accepted)?;
    Some(RecordMismatch {
        mismatch: MismatchKind::Checker,
        line: None,
        token: None,
        byte: remarks.position.map(|(_, output)| output),
        expected_excerpt: None,
        got_excerpt: None,
        totals: None,
    })
}

/// The words of a checker program for the contestant.
fn team_message(result: &CaseResult) -> Option<String> {
    let team = result.remarks.as_ref().map(|remarks| &remarks.team)?;
    (!team.is_empty()).then(|| String::from_utf8_lossy(team).into_owned())
}

fn message(result: &CaseResult) -> String {
    match &result.mismatch {
        Some(mismatch) => headline(mismatch, Charset::Unicode),
        None => result.message.clone(),
    }
}

/// Bytes of a program as an escaped literal with its quotes, such as `"1 2\n"`.
pub(super) fn literal(bytes: &[u8]) -> String {
    format!("{:?}", BStr::new(bytes))
}

/// Whole nanoseconds; five centuries at most.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// RFC 3339 in UTC with milliseconds.
pub(super) fn time_stamp(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}
