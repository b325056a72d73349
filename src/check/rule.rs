//! The three built-in rules share everything but the question "is this difference harmless?".

use std::fs::File;

use super::source::{Side, Source};
use super::{CheckError, describe, difference};
use crate::model::{Judgement, Output, TestCase, Verdict};
use crate::simd::Level;

/// Which differences are harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Number and kind of blanks between tokens.
    Tokens,
    /// Blanks at the ends of lines and blank lines at the end.
    Lines,
    /// None.
    Exact,
}

/// Judges one output by a rule.
pub(super) fn judge(
    rule: Rule,
    case: &TestCase,
    output: &mut Output,
) -> Result<Judgement, CheckError> {
    let Some(path) = &case.answer else {
        return Ok(Judgement {
            verdict: Verdict::NoAnswer,
            mismatch: None,
            expected_bytes: 0,
            score: None,
            remarks: None,
        });
    };
    let side = Side::Answer(path);
    let mut file = File::open(path).map_err(|error| side.error(error))?;
    let expected_bytes = file.metadata().map_err(|error| side.error(error))?.len();
    let mut answer = Source::new(side, &mut file, expected_bytes);
    let mut output = Source::new(Side::Output, &mut *output.stream, output.bytes);
    output.rewind()?;
    let level = Level::detect();
    let Some(difference) = difference::find(rule, level, &mut answer, &mut output)? else {
        return Ok(Judgement {
            verdict: Verdict::Accepted,
            mismatch: None,
            expected_bytes,
            score: None,
            remarks: None,
        });
    };
    let mismatch = describe::describe(rule, level, &mut answer, &mut output, &difference)?;
    let mismatch = Some(Box::new(mismatch));
    Ok(Judgement {
        verdict: Verdict::WrongAnswer,
        mismatch,
        expected_bytes,
        score: None,
        remarks: None,
    })
}
