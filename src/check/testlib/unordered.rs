//! `uncmp`: integers in any order.

use super::sequence::INTEGER;
use super::{misfit, skip_mark};
use crate::check::CheckError;
use crate::check::bag::{self, Bag};
use crate::check::compare::{Comparison, Fault, Found};
use crate::check::gap::TESTLIB;
use crate::check::number::{Integer, integer};
use crate::check::pairwise::Ended;
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::simd::Level;
use crate::simd::places::are_integers;

/// Integers of 64 bits in any order.
pub(super) struct Uncmp;

impl Comparison for Uncmp {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        skip_mark(output)?;
        let expected = match integers(Ended::Answer, level, answer)? {
            Ok(bag) => bag,
            Err(fault) => return Ok(Some(Found::here(answer, output, fault))),
        };
        let got = match integers(Ended::Output, level, output)? {
            Ok(bag) => bag,
            Err(fault) => return Ok(Some(Found::here(answer, output, fault))),
        };
        if expected == got {
            return Ok(None);
        }
        bag::differ(("integers", [expected.count, got.count]), level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

fn integers(
    side: Ended,
    level: Level,
    source: &mut Source,
) -> Result<Result<Bag, Fault>, CheckError> {
    let sound = |text: &[u8]| are_integers(level, text);
    bag::of_tokens(&TESTLIB, level, source, sound, |token| match integer(token) {
        Integer::Value(_) => Ok(()),
        Integer::Invalid => Err(misfit(side, INTEGER)),
    })
}
