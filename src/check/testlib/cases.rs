//! Checkers of outputs in the form `Case 1: ...`, `Case 2: ...`.

use super::sequence::INTEGER;
use super::{extra, misfit, skip_mark};
use crate::check::CheckError;
use crate::check::compare::{Comparison, Fault, Found};
use crate::check::gap::{Free, TESTLIB};
use crate::check::number::{Integer, integer};
use crate::check::pairwise::{Ended, pass_gap, token};
use crate::check::rule::Rule;
use crate::check::source::{Source, Spot};
use crate::simd::Level;

/// Compares case by case.
pub(super) struct Cases(pub(super) Values);

/// What stands behind `Case k:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    /// One integer; the whole answer is read first, then the whole output.
    Single,
    /// Integers.
    Integers,
    /// Tokens.
    Words,
}

/// A token that can be held, or the start of one that is too long: such are never right.
type Token = Option<Vec<u8>>;

/// What an integer is read from. The reader of these integers takes a string of C: it sees nothing
/// behind a NUL, where all other readers of testlib refuse one.
fn up_to_nul(token: &[u8]) -> &[u8] {
    memchr::memchr(0, token).map_or(token, |end| &token[..end])
}

fn next(source: &mut Source) -> Result<Token, CheckError> {
    pass_gap::<Free>(&TESTLIB, source, false)?;
    let length = token(&TESTLIB, source)?.unwrap_or(source.rest().len());
    Ok((length > 0).then(|| source.rest()[..length].to_vec()))
}

/// One side, case by case.
struct Side {
    whose: Ended,
    number: u64,
    /// Whether the word `Case` of the next case has been read.
    read_case: bool,
}

impl Side {
    fn new(side: Ended) -> Self {
        Self { whose: side, number: 0, read_case: false }
    }

    /// Whether another case follows, as the checker sees it.
    fn follows(source: &mut Source) -> Result<bool, CheckError> {
        pass_gap::<Free>(&TESTLIB, source, false)?;
        Ok(!source.rest().is_empty())
    }

    /// Reads `Case k:`.
    fn head(&mut self, source: &mut Source) -> Result<Result<(), Fault>, CheckError> {
        self.number += 1;
        if !self.read_case
            && let Err(fault) = self.word(source, b"Case")?
        {
            return Ok(Err(fault));
        }
        self.read_case = false;
        self.word(source, format!("{}:", self.number).as_bytes())
    }

    fn word(&self, source: &mut Source, word: &[u8]) -> Result<Result<(), Fault>, CheckError> {
        let found = next(source)?;
        if found.as_deref() != Some(word) {
            let what = format!("`{}`", String::from_utf8_lossy(word));
            return Ok(Err(misfit(self.whose, &what)));
        }
        source.pass(word.len(), 0);
        Ok(Ok(()))
    }

    /// The next value of the case; none at its end. The value is not passed.
    fn value(
        &mut self,
        source: &mut Source,
        values: Values,
    ) -> Result<Result<Token, Fault>, CheckError> {
        let Some(token) = next(source)? else { return Ok(Ok(None)) };
        if token == b"Case" {
            source.pass(token.len(), 0);
            self.read_case = true;
            return Ok(Ok(None));
        }
        if values == Values::Integers && integer(up_to_nul(&token)) == Integer::Invalid {
            return Ok(Err(misfit(self.whose, INTEGER)));
        }
        Ok(Ok(Some(token)))
    }
}

impl Comparison for Cases {
    fn compare<'s>(
        &self,
        _level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        if self.0 == Values::Single {
            return singles(answer, output);
        }
        skip_mark(output)?;
        let (mut first, mut second) = (Side::new(Ended::Answer), Side::new(Ended::Output));
        while Side::follows(answer)? {
            if let Some(found) = self.case((&mut first, answer), (&mut second, output))? {
                return Ok(Some(found));
            }
        }
        let dirty = Side::follows(output)?;
        answer.fill()?;
        Ok(dirty.then(|| Found::here(answer, output, extra())))
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

impl Cases {
    fn case(
        &self,
        (first, answer): (&mut Side, &mut Source),
        (second, output): (&mut Side, &mut Source),
    ) -> Result<Option<Found>, CheckError> {
        if let Err(fault) = first.head(answer)? {
            return Ok(Some(Found::here(answer, output, fault)));
        }
        let mut wrong = match second.head(output)? {
            Ok(()) => None,
            Err(fault) => Some(Found::here(answer, output, fault)),
        };
        loop {
            let expected = match first.value(answer, self.0)? {
                Ok(value) => value,
                Err(fault) => return Ok(Some(Found::here(answer, output, fault))),
            };
            if wrong.is_none() {
                wrong = self.value(expected.as_deref(), answer, (second, output))?;
            }
            // The rest of the answer's case is read all the same: it may be no answer at all.
            match expected {
                Some(value) => answer.pass(value.len(), 0),
                None => return Ok(wrong),
            }
        }
    }

    /// Compares the next value of the output and passes it.
    fn value(
        &self,
        expected: Option<&[u8]>,
        answer: &Source,
        (second, output): (&mut Side, &mut Source),
    ) -> Result<Option<Found>, CheckError> {
        let got = match second.value(output, self.0)? {
            Ok(got) => got,
            Err(fault) => return Ok(Some(Found::here(answer, output, fault))),
        };
        let seen = |token| if self.0 == Values::Integers { up_to_nul(token) } else { token };
        if got.as_deref().map(seen) != expected.map(seen) {
            return Ok(Some(Found::here(answer, output, Fault::Value)));
        }
        output.pass(got.map_or(0, |got| got.len()), 0);
        Ok(None)
    }
}

/// One integer for each case.
fn singles(answer: &mut Source, output: &mut Source) -> Result<Option<Found>, CheckError> {
    if let Err(fault) = all_singles(Ended::Answer, answer)? {
        return Ok(Some(Found::here(answer, output, fault)));
    }
    skip_mark(output)?;
    if let Err(fault) = all_singles(Ended::Output, output)? {
        return Ok(Some(Found::here(answer, output, fault)));
    }
    answer.rewind()?;
    output.rewind()?;
    skip_mark(output)?;
    // Both sides are `Case k: N` all the way, so that tokens can be compared as such.
    loop {
        let (a, b) = (next(answer)?, next(output)?);
        match (&a, &b) {
            (None, None) => return Ok(None),
            _ if a != b => return Ok(Some(singles_differ(answer, output))),
            _ => {}
        }
        answer.pass(a.map_or(0, |token| token.len()), 0);
        output.pass(b.map_or(0, |token| token.len()), 0);
    }
}

fn singles_differ(answer: &mut Source, output: &mut Source) -> Found {
    let end = |source: &Source| Spot { ended: source.rest().is_empty(), ..source.spot() };
    let mut found = Found::here(answer, output, Fault::Value);
    found.place.answer = end(answer);
    found.place.output = end(output);
    if found.place.answer.ended || found.place.output.ended {
        found.fault = Fault::Presentation("another number of cases was expected".into());
    }
    found
}

fn all_singles(side: Ended, source: &mut Source) -> Result<Result<(), Fault>, CheckError> {
    let mut reader = Side::new(side);
    while Side::follows(source)? {
        if let Err(fault) = reader.head(source)? {
            return Ok(Err(fault));
        }
        match next(source)? {
            Some(token) if integer(&token) != Integer::Invalid => source.pass(token.len(), 0),
            _ => return Ok(Err(misfit(side, INTEGER))),
        }
    }
    Ok(Ok(()))
}
