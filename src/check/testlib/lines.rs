//! `fcmp`: equal lines.

use super::{extra, skip_mark};
use crate::check::CheckError;
use crate::check::bag;
use crate::check::by_line::{Ends, Lines, Reader, Readers, part};
use crate::check::compare::{Comparison, Fault, Found};
use crate::check::difference::Difference;
use crate::check::gap::{Free, TESTLIB};
use crate::check::pairwise::pass_gap;
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::simd::Level;

/// Equal lines; the last one of the answer is not looked at when it is empty, and blanks may follow
/// in the output.
pub(super) struct Fcmp;

impl Comparison for Fcmp {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        if bag::equal(level, answer, output)? {
            output.fill()?;
            if !output.rest().starts_with(super::MARK) {
                return Ok(None);
            }
        }
        skip_mark(output)?;
        let lines = Lines::new(Ends::Testlib);
        let mut readers = Readers::new(lines, lines, level);
        let nothing = Reader::nothing();
        loop {
            readers.pass_equal(answer, output)?;
            let Some(line) = readers.answer.next(answer)? else { break };
            answer.fill()?;
            if line.digest == nothing && answer.rest().is_empty() {
                break;
            }
            let got = readers.output.next(output)?;
            if got.map_or(nothing, |got| got.digest) == line.digest {
                continue;
            }
            if let Some(got) = got {
                return part(level, (answer, line.start), (output, got.start)).map(Some);
            }
            let mut place = Difference { answer: line.start, output: output.spot() };
            place.output.ended = true;
            return Ok(Some(Found { place, fault: Fault::Value, score: None }));
        }
        pass_gap::<Free>(&TESTLIB, output, false)?;
        answer.fill()?;
        let dirty = !output.rest().is_empty();
        Ok(dirty.then(|| Found::here(answer, output, extra())))
    }

    fn view(&self) -> Rule {
        Rule::Lines
    }
}
