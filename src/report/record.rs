//! One result as a flat record: the one place where a result, its case and its plan become the
//! fields of the machine-readable reports, and where those become a result again.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::Timings;
use super::mismatch::{Charset, headline};
use super::text::{MESSAGE, cut};
use crate::model::{CaseResult, Kept, MissingAnswer, Plan, Status, TestCase, Verdict};

mod difference;
mod literal;
mod ran;
mod remarks;
mod times;

pub(super) use difference::RecordMismatch;
pub(super) use literal::literal;
pub(super) use ran::RecordRun;
use remarks::RecordRemarks;
use times::{Measured, RecordTimes};

/// The name and version of the data model.
pub(super) const SCHEMA: &str = "jury-report/1";

/// A result with everything that reports say of it. Times are nanoseconds; absent fields do not
/// apply.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record<'a> {
    pub(super) index: usize,
    pub(super) problem: Cow<'a, str>,
    pub(super) submission: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) language: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) group: Cow<'a, str>,
    pub(super) case: Cow<'a, str>,
    pub(super) status: Status,
    pub(super) verdict: Verdict,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    settled: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) promised: String,
    #[serde(flatten)]
    pub(super) run: RecordRun,
    #[serde(flatten, deserialize_with = "times::read")]
    pub(super) times: Option<RecordTimes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_bytes: Option<u64>,
    #[serde(flatten, deserialize_with = "difference::read")]
    pub(super) mismatch: Option<RecordMismatch<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team_message: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    checker_files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<RecordRemarks>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_unmeasured: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) input_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<RecordMissing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) got_path: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) got_is_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started_at: Option<String>,
}

/// The search for an answer file that was not found.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordMissing {
    home: String,
    looked_for: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    close: Option<String>,
}

impl<'a> Record<'a> {
    /// The record of a result; `timings` decides whether clocks fill anything.
    pub(super) fn new(plan: &'a Plan, result: &'a CaseResult, timings: Timings) -> Self {
        let job = plan.jobs[result.index];
        let (case, submission) = (plan.case(job), plan.submission(job));
        let ran = result.times.is_some();
        Self {
            index: result.index,
            problem: (&plan.problem(job).name).into(),
            submission: (&submission.name).into(),
            language: (&submission.language).into(),
            group: (&case.group).into(),
            case: (&case.name).into(),
            status: result.status,
            verdict: result.verdict,
            settled: result.settled,
            promised: submission.permitted_in(&case.group),
            run: RecordRun::new(plan, &job, result, timings),
            times: RecordTimes::new(result, timings),
            input_bytes: ran.then_some(result.input_bytes),
            expected_bytes: result.expected_bytes,
            output_bytes: result.output_bytes,
            mismatch: RecordMismatch::of(result),
            score: result.score,
            team_message: team_message(result),
            checker_files: result.remarks.as_ref().map_or(Vec::new(), |one| one.files.clone()),
            remarks: result.remarks.as_deref().map(RecordRemarks::new),
            message: message(result),
            message_unmeasured: result.unmeasured.as_deref().map(|text| cut(text, MESSAGE)),
            hint: result.hint.as_deref().map(Cow::Borrowed),
            input_path: case.input.display().to_string(),
            expected_path: case.answer.as_ref().map(|path| path.display().to_string()),
            missing: case.missing.as_deref().map(RecordMissing::new),
            got_path: result.kept.as_ref().map(|kept| kept.path.display().to_string()),
            got_is_cut: result.kept.as_ref().is_some_and(|kept| kept.cut),
            feedback_path: result.feedback.as_ref().map(|path| path.display().to_string()),
            started_at: (timings == Timings::Measured).then(|| time_stamp(result.started_at)),
        }
    }

    /// What clocks have measured, if the report is to say it.
    pub(super) fn measured(&self) -> Option<&Measured> {
        self.times.as_ref().and_then(|times| times.measured.as_ref())
    }

    /// The case that it is about.
    pub(super) fn test_case(&self) -> TestCase {
        TestCase {
            name: self.case.to_string(),
            group: self.group.to_string(),
            input: PathBuf::from(&self.input_path),
            answer: self.expected_path.as_ref().map(PathBuf::from),
            missing: self.missing.as_ref().map(|missing| Box::new(missing.search())),
        }
    }

    /// The result that it tells of, for the job with this index. What the record leaves out is
    /// empty or zero.
    ///
    /// # Errors
    /// The name of a member whose value is none that a report has.
    pub(super) fn result(self, index: usize) -> Result<CaseResult, &'static str> {
        let ran = self.run.ran()?;
        let mismatch = self.mismatch.map(RecordMismatch::difference).transpose()?.flatten();
        let files = self.checker_files;
        let remarks = self.remarks.map(|remarks| remarks.remarks(files)).transpose()?;
        let message = if mismatch.is_some() { String::new() } else { self.message.into_owned() };
        let started_at = self.started_at.as_deref().map(time_of).transpose()?;
        let samples = self.times.as_ref().and_then(RecordTimes::samples);
        let change = self.times.as_ref().and_then(|times| times.since);
        Ok(CaseResult {
            index,
            verdict: self.verdict,
            status: self.status,
            at: self.run.verdicts(),
            settled: self.settled,
            times: self.times.map(RecordTimes::times),
            ran,
            confirmed: self.run.confirmed(),
            samples: samples.map(Box::new),
            change,
            input_bytes: self.input_bytes.unwrap_or_default(),
            expected_bytes: self.expected_bytes,
            output_bytes: self.output_bytes,
            mismatch: mismatch.map(Box::new),
            score: self.score,
            remarks: remarks.map(Box::new),
            message,
            unmeasured: self.message_unmeasured.map(Cow::into_owned),
            hint: self.hint.map(Cow::into_owned),
            kept: self.got_path.map(|path| Kept { path: path.into(), cut: self.got_is_cut }),
            feedback: self.feedback_path.map(PathBuf::from),
            started_at: started_at.unwrap_or(SystemTime::UNIX_EPOCH),
        })
    }
}

impl RecordMissing {
    fn new(missing: &MissingAnswer) -> Self {
        Self {
            home: missing.home.display().to_string(),
            looked_for: missing.looked_for.clone(),
            close: missing.close.as_ref().map(|path| path.display().to_string()),
        }
    }

    fn search(&self) -> MissingAnswer {
        MissingAnswer {
            home: PathBuf::from(&self.home),
            looked_for: self.looked_for.clone(),
            close: self.close.as_ref().map(PathBuf::from),
        }
    }
}

/// The words of a checker program for the contestant.
fn team_message(result: &CaseResult) -> Option<String> {
    let team = result.remarks.as_ref().map(|remarks| &remarks.team)?;
    (!team.is_empty()).then(|| String::from_utf8_lossy(team).into_owned())
}

fn message(result: &CaseResult) -> Cow<'_, str> {
    match &result.mismatch {
        Some(mismatch) => headline(mismatch, Charset::Unicode).into(),
        None => cut(&result.message, MESSAGE),
    }
}

/// Whole nanoseconds; five centuries at most.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// RFC 3339 in UTC with milliseconds.
pub(super) fn time_stamp(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}

/// The time of a time stamp.
pub(super) fn time_of(stamp: &str) -> Result<SystemTime, &'static str> {
    humantime::parse_rfc3339(stamp).map_err(|_| "started_at")
}
