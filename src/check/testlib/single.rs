//! Checkers of one value.

use super::sequence::{DOUBLE, Doubles, YES_NO, double, yes};
use super::{extra, misfit, skip_mark};
use crate::check::CheckError;
use crate::check::compare::{Comparison, Fault, Found};
use crate::check::gap::{Free, TESTLIB};
use crate::check::number::{Integer, integer};
use crate::check::pairwise::{Ended, pass_gap, token};
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::simd::Level;

/// Compares one value.
pub(super) struct Single(pub(super) Value);

/// What the value is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// An integer of 32 bits.
    Int,
    /// An integer of any size.
    Huge,
    /// A number with an absolute error.
    Absolute(f64),
    /// A number with an absolute or relative error.
    Either(f64),
    /// YES or NO.
    YesNo,
}

const INT: &str = "an integer of 32 bits";
const HUGE: &str = "an integer";

impl Comparison for Single {
    fn compare<'s>(
        &self,
        _level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        skip_mark(output)?;
        let first = held(answer)?;
        if first == 0 {
            return Ok(Some(Found::here(answer, output, misfit(Ended::Answer, self.0.name()))));
        }
        let second = held(output)?;
        // The answer is looked at before the output, but for checkers that read both as words.
        let words = matches!(self.0, Value::Huge | Value::YesNo);
        let unread = words && second == 0;
        if !unread && let Err(fault) = self.answer(answer, first)? {
            return Ok(Some(Found::here(answer, output, fault)));
        }
        if second == 0 {
            let fault = Fault::Presentation("unexpected end of the output".into());
            return Ok(Some(Found::here(answer, output, fault)));
        }
        let (a, b) = (&answer.rest()[..first], &output.rest()[..second]);
        if let Err(fault) = self.0.same(a, b) {
            return Ok(Some(Found::here(answer, output, fault)));
        }
        output.pass(second, 0);
        pass_gap::<Free>(&TESTLIB, output, false)?;
        let dirty = !output.rest().is_empty();
        Ok(dirty.then(|| Found::here(answer, output, extra())))
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

/// The length of the next token, as far as it can be held; zero at the end.
fn held(source: &mut Source) -> Result<usize, CheckError> {
    pass_gap::<Free>(&TESTLIB, source, false)?;
    Ok(token(&TESTLIB, source)?.unwrap_or(source.rest().len()))
}

impl Single {
    /// Whether the answer is what the checker takes.
    fn answer(&self, answer: &mut Source, length: usize) -> Result<Result<(), Fault>, CheckError> {
        let fits = self.0.fits(&answer.rest()[..length]);
        if !fits {
            return Ok(Err(misfit(Ended::Answer, self.0.name())));
        }
        if self.0 != Value::Huge {
            return Ok(Ok(()));
        }
        // The token stays where it is: what follows is looked at behind it.
        let place = answer.spot();
        answer.pass(length, 0);
        pass_gap::<Free>(&TESTLIB, answer, false)?;
        let more = !answer.rest().is_empty();
        answer.jump(place)?;
        held(answer)?;
        Ok(if more { Err(Fault::Answer("exactly one token was expected".into())) } else { Ok(()) })
    }
}

impl Value {
    fn name(self) -> &'static str {
        match self {
            Self::Int => INT,
            Self::Huge => HUGE,
            Self::Absolute(_) | Self::Either(_) => DOUBLE,
            Self::YesNo => YES_NO,
        }
    }

    fn fits(self, token: &[u8]) -> bool {
        match self {
            Self::Int => match integer(token) {
                Integer::Value(value) => i32::try_from(value).is_ok(),
                Integer::Invalid => false,
            },
            Self::Huge => is_huge(token),
            Self::Absolute(_) | Self::Either(_) => double(token).is_some(),
            Self::YesNo => yes(token).is_some(),
        }
    }

    fn same(self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        if !self.fits(output) {
            return Err(misfit(Ended::Output, self.name()));
        }
        let numbers = double(answer).zip(double(output));
        match (self, numbers) {
            (Self::Absolute(most), Some((a, b))) => Doubles::absolute(most).values(a, b),
            (Self::Either(most), Some((a, b))) => Doubles::either(most).values(a, b),
            (Self::YesNo, _) if yes(answer) == yes(output) => Ok(()),
            _ if answer == output => Ok(()),
            _ => Err(Fault::Value),
        }
    }
}

fn is_huge(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let shortest = token == b"0" || digits.first().is_some_and(|&first| first != b'0');
    shortest && digits.iter().all(u8::is_ascii_digit)
}
