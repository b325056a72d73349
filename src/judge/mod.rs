//! One test case, start to end: run it, time it, compare what it wrote, keep what is wrong. Knows
//! neither the plan nor other cases.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::check::{CheckError, Checker};
use crate::execute::{Executor, Stopwatch};
use crate::model::{
    CaseResult, Execution, Judgement, Limits, Output, Ran, Status, Teller, Termination, TestCase,
    Verdict,
};

mod bless;
mod caught;
mod keep;
mod label;
mod reason;
mod repeat;
mod talk;
mod words;

pub use keep::{FeedbackOf, Keep};

/// How cases are judged; the same for all cases of a run.
pub struct Settings<'a> {
    /// Decides whether an output is right.
    pub checker: &'a dyn Checker,
    /// How often each case is run.
    pub runs: u32,
    /// What a missing answer file means.
    pub missing: Missing,
    /// Whether answer files are written from the outputs.
    pub bless: Bless,
    /// Whether a stop was asked for: no further run of a case is started then.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// The folder for outputs of failed cases; none keeps nothing.
    pub keep: Option<Keep>,
}

/// What a missing answer file means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// The case fails.
    #[default]
    Fail,
    /// The case is run and reported, but does not fail.
    Warn,
    /// The case is not run.
    Skip,
}

/// Whether answer files are written from the outputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Bless {
    /// Never.
    #[default]
    No,
    /// Where there is none.
    Missing,
    /// Where there is none, and over one that differs.
    Force,
}

/// One case for one submission.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Its position in the plan.
    pub index: usize,
    /// The case.
    pub case: &'a TestCase,
    /// What the run may use.
    pub limits: &'a Limits,
    /// The limits of time, none of them higher, under which the run is judged as well; the first
    /// one decides. None means those of the run.
    pub rungs: &'a [Limits],
    /// The base program, which runs before each run of the case; its times are all that counts.
    pub base: Option<&'a dyn Executor>,
    /// Whose outputs these are: the folder below [`Settings::keep`]; empty for the built-in core.
    pub owner: &'a str,
}

/// Runs one case and judges its output; none when the run was given up because the judge was told
/// to stop. A panic on the way becomes a judge error.
pub fn judge(task: &Task, executor: &dyn Executor, settings: &Settings) -> Option<CaseResult> {
    let mut result = blank(task.index);
    let unanswered = task.case.answer.is_none();
    if unanswered && settings.missing == Missing::Skip && settings.bless == Bless::No {
        result.message = "no expected file".into();
        return Some(result);
    }
    match caught::catch(|| attempt(task, executor, settings, &mut result)) {
        Ok(Ok(Course::Whole)) => {}
        Ok(Ok(Course::Stopped) | Err(Failure::Check(CheckError::Stopped))) => return None,
        Ok(Err(failure)) => judge_error(&mut result, failure.to_string(), None),
        Err(panic) => {
            let hint = "this is a fault of jury, not of the test data; please report it";
            judge_error(&mut result, format!("internal error: {panic}"), Some(hint.into()));
        }
    }
    label::label(&mut result, task.rungs);
    Some(result)
}

/// A result without a run: a case that is left out on purpose, and why.
#[must_use]
pub fn skipped(index: usize, message: String) -> CaseResult {
    CaseResult { message, ..blank(index) }
}

/// Whether a case was judged to its end.
enum Course {
    Whole,
    Stopped,
}

/// Why a case could not be judged.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error("cannot write {}: {source}", path.display())]
    Bless { path: PathBuf, source: std::io::Error },
}

fn blank(index: usize) -> CaseResult {
    CaseResult {
        index,
        verdict: Verdict::Skipped,
        status: Status::Skip,
        at: Vec::new(),
        times: None,
        ran: None,
        confirmed: None,
        samples: None,
        change: None,
        input_bytes: 0,
        expected_bytes: None,
        output_bytes: None,
        mismatch: None,
        score: None,
        remarks: None,
        settled: false,
        message: String::new(),
        unmeasured: None,
        hint: None,
        kept: None,
        feedback: None,
        started_at: SystemTime::now(),
    }
}

fn judge_error(result: &mut CaseResult, message: String, hint: Option<String>) {
    result.verdict = Verdict::JudgeError;
    result.status = Status::Error;
    result.message = message;
    result.hint = hint;
}

fn attempt(
    task: &Task,
    executor: &dyn Executor,
    settings: &Settings,
    result: &mut CaseResult,
) -> Result<Course, Failure> {
    let (mut execution, times, cpu) = repeat::execute(task, executor, settings);
    if execution.termination == Termination::Stopped {
        return Ok(Course::Stopped);
    }
    result.input_bytes = execution.usage.input_bytes;
    let never_ran = matches!(
        execution.termination,
        Termination::Uncompiled(_) | Termination::Unstartable(_) | Termination::Absent(_)
    );
    result.times = (!never_ran).then_some(times);
    if settings.runs > 1 && !never_ran {
        result.samples = Some(Box::new(repeat::samples(task, &cpu)));
    }
    result.ran = ran(&execution).map(Box::new);
    let folder = settings.keep.as_ref().map(|keep| keep.folder().join(task.owner));
    let lost = talk::keep_transcript(task.case, &mut execution, folder.as_deref(), result);
    let pass = execution.talk.as_ref().and_then(|talk| talk.pass);
    let feedback = execution.talk.as_mut().and_then(|talk| talk.feedback.take());
    let course = decide(task, execution, settings, result);
    keep::feedback(task, feedback, settings.keep.as_ref(), result);
    if let Some(pass) = pass {
        result.message = words::in_pass(pass, result);
    }
    if let Some(lost) = lost {
        result.hint.get_or_insert(lost);
    }
    course
}

/// The verdict on what was run: the word of an interactor, a limit, or the output.
fn decide(
    task: &Task,
    mut execution: Execution,
    settings: &Settings,
    result: &mut CaseResult,
) -> Result<Course, Failure> {
    let case = task.case;
    let teller = execution.talk.as_ref().map(|talk| talk.teller);
    if let Some(mut said) = talk::take(&mut execution, result) {
        let feedback = said.feedback.take();
        conclude(case, said, settings, result);
        keep::feedback(task, feedback, settings.keep.as_ref(), result);
        if let Some((remarks, teller)) = result.remarks.as_ref().zip(teller) {
            result.message = words::message(teller.word(), remarks, result.verdict);
        }
        if teller == Some(Teller::Checker) {
            result.output_bytes = Some(execution.output.bytes);
            if result.verdict != Verdict::Accepted {
                keep::output(task, &mut execution.output, settings.keep.as_ref(), result);
            }
        }
        return Ok(Course::Whole);
    }
    if let Some(verdict) = execution.limit_verdict(task.limits) {
        stopped(result, verdict, &execution, task.limits);
        if (verdict, teller) == (Verdict::JudgeError, Some(Teller::Checker)) {
            keep::output(task, &mut execution.output, settings.keep.as_ref(), result);
        }
        return Ok(Course::Whole);
    }
    let mut output = execution.output;
    result.output_bytes = Some(output.bytes);
    let mut judgement = match check(case, &mut output, settings.checker, result) {
        Ok(judgement) => judgement,
        Err(mut error) => {
            keep::output(task, &mut output, settings.keep.as_ref(), result);
            keep::feedback(task, error.take_feedback(), settings.keep.as_ref(), result);
            return Err(error.into());
        }
    };
    let feedback = judgement.feedback.take();
    if bless::wanted(settings.bless, judgement.verdict) {
        let path = bless::write(case, &mut output)?;
        let change = if case.answer.is_some() { "overwritten" } else { "written" };
        result.verdict = Verdict::Accepted;
        result.status = Status::Pass;
        result.expected_bytes = Some(output.bytes);
        result.message = format!("{change}: {}", path.display());
        return Ok(Course::Whole);
    }
    conclude(case, judgement, settings, result);
    keep::feedback(task, feedback, settings.keep.as_ref(), result);
    if result.verdict != Verdict::Accepted && result.verdict != Verdict::NoAnswer {
        keep::output(task, &mut output, settings.keep.as_ref(), result);
    }
    Ok(Course::Whole)
}

/// What is to be remembered of the run of a program.
fn ran(execution: &Execution) -> Option<Ran> {
    let (usage, stderr) = (&execution.usage, execution.stderr.clone());
    let ran = Ran {
        user: usage.user,
        queued: (!usage.queued.is_zero()).then_some(usage.queued),
        memory: usage.memory.clone(),
        switches: usage.switches,
        cpu_source: usage.cpu_source.as_ref().map(ToString::to_string),
        stderr,
        ..Ran::default()
    };
    match execution.termination {
        Termination::Finished if usage.cpu_source.is_none() => None,
        Termination::Finished | Termination::Silent(_) => Some(Ran { exit_code: Some(0), ..ran }),
        Termination::Exited(code) => Some(Ran { exit_code: Some(code), ..ran }),
        Termination::Signaled(signal) => Some(Ran { signal: Some(signal), ..ran }),
        Termination::Killed(bound) => Some(Ran { killed: Some(bound), ..ran }),
        Termination::Settled => Some(ran),
        _ => None,
    }
}

fn stopped(result: &mut CaseResult, verdict: Verdict, execution: &Execution, limits: &Limits) {
    result.verdict = verdict;
    result.status = match verdict {
        Verdict::JudgeError => Status::Error,
        Verdict::Skipped => Status::Skip,
        _ => Status::Fail,
    };
    let reason = reason::of(verdict, execution, limits);
    (result.message, result.unmeasured) = (reason.message, reason.unmeasured);
    result.hint = reason.hint;
}

fn check(
    case: &TestCase,
    output: &mut Output,
    checker: &dyn Checker,
    result: &mut CaseResult,
) -> Result<Judgement, CheckError> {
    let stopwatch = Stopwatch::start();
    let judgement = checker.check(case, output);
    if let Some(times) = &mut result.times {
        (times.compare_cpu, times.compare_wall) = stopwatch.read();
    }
    judgement
}

fn conclude(case: &TestCase, judgement: Judgement, settings: &Settings, result: &mut CaseResult) {
    result.verdict = judgement.verdict;
    result.expected_bytes = case.answer.is_some().then_some(judgement.expected_bytes);
    result.mismatch = judgement.mismatch;
    result.score = judgement.score;
    result.message = judgement.message;
    result.hint = judgement.hint;
    if let Some(remarks) = judgement.remarks {
        result.message = words::message("checker", &remarks, judgement.verdict);
        result.hint.clone_from(&remarks.warning);
        result.remarks = Some(remarks);
    }
    result.status = match judgement.verdict {
        Verdict::Accepted => Status::Pass,
        Verdict::JudgeError => Status::Error,
        Verdict::NoAnswer if settings.missing != Missing::Fail => Status::Skip,
        _ => Status::Fail,
    };
    if judgement.verdict == Verdict::NoAnswer {
        result.message = "no expected file".into();
    } else if settings.bless == Bless::Missing && judgement.verdict == Verdict::WrongAnswer {
        result.hint = Some("--bless never overwrites; --bless --force does".into());
    }
}

#[cfg(test)]
mod tests;
