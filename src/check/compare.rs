//! What all comparisons share: they pass both sides until they find a difference, and the
//! difference becomes a judgement.

use std::fs::File;

use super::difference::Difference;
use super::rule::Rule;
use super::source::{Side, Source};
use super::{CheckError, describe, hint};
use crate::model::{Judgement, Mismatch, MismatchKind, Output, TestCase, Verdict};
use crate::simd::Level;

/// The rule of one judge.
pub(super) trait Comparison: Send + Sync {
    /// The first difference that counts; none when the output is right.
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError>;

    /// The plain rule by which a difference is shown.
    fn view(&self) -> Rule;
}

/// A difference that counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// Where both sides part.
    pub(super) place: Difference,
    /// What is wrong there.
    pub(super) fault: Fault,
    /// The share of the points that the output gets all the same.
    pub(super) score: Option<f64>,
}

/// What is wrong at a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// Another token or line, or none: what stands there says what it is.
    Value,
    /// The same, with more words.
    Remark(String),
    /// A number outside the tolerance.
    Tolerance(String),
    /// Only blanks and line ends are wrong.
    Space,
    /// The output has not the form that is asked for.
    Presentation(String),
    /// The answer file has not that form: nothing can be said of the output.
    Answer(String),
}

impl Found {
    /// A difference where both sources stand.
    pub(super) fn here(answer: &Source, output: &Source, fault: Fault) -> Self {
        Self {
            place: Difference { answer: answer.spot(), output: output.spot() },
            fault,
            score: None,
        }
    }
}

/// Judges one output by the rule of a judge.
pub(super) fn judge(
    comparison: &dyn Comparison,
    case: &TestCase,
    output: &mut Output,
) -> Result<Judgement, CheckError> {
    let Some(path) = &case.answer else {
        return Ok(Judgement::of(Verdict::NoAnswer, 0));
    };
    let side = Side::Answer(path);
    let mut file = File::open(path).map_err(|error| side.error(error))?;
    let bytes = file.metadata().map_err(|error| side.error(error))?.len();
    let mut answer = Source::new(side, &mut file, bytes);
    let mut output = Source::new(Side::Output, &mut *output.stream, output.bytes);
    output.rewind()?;
    let level = Level::detect();
    let Some(found) = comparison.compare(level, &mut answer, &mut output)? else {
        return Ok(Judgement::of(Verdict::Accepted, bytes));
    };
    if let Fault::Answer(what) = &found.fault {
        let message = format!(
            "{}: line {}: {what}; this comparison does not take such an answer file",
            path.display(),
            found.place.answer.lines + 1,
        );
        return Ok(Judgement { message, ..Judgement::of(Verdict::JudgeError, bytes) });
    }
    let mismatch = explain(comparison.view(), level, (&mut answer, &mut output), &found)?;
    let hint = hint::of(&mismatch, &mut answer, &mut output)?;
    let partly = found.score.is_some_and(|score| score > 0.0);
    let verdict = if partly { Verdict::PartlyCorrect } else { Verdict::WrongAnswer };
    Ok(Judgement {
        feedback: None,
        mismatch: Some(Box::new(mismatch)),
        score: found.score,
        hint,
        ..Judgement::of(verdict, bytes)
    })
}

/// The difference with its surroundings.
fn explain<'s>(
    view: Rule,
    level: Level,
    (answer, output): (&mut Source<'s>, &mut Source<'s>),
    found: &Found,
) -> Result<Mismatch, CheckError> {
    let view = if found.fault == Fault::Space { Rule::Lines } else { view };
    let mut mismatch = describe::describe(view, level, answer, output, &found.place)?;
    let (kind, remark) = match &found.fault {
        Fault::Value => return Ok(mismatch),
        Fault::Remark(remark) => (mismatch.kind, remark.as_str()),
        Fault::Tolerance(remark) => (MismatchKind::Tolerance, remark.as_str()),
        Fault::Presentation(remark) => (MismatchKind::Presentation, remark.as_str()),
        _ => (MismatchKind::Whitespace, ""),
    };
    mismatch.kind = kind;
    if !remark.is_empty() {
        remark.clone_into(&mut mismatch.remark);
    }
    Ok(mismatch)
}
