//! What has no order: sums of digests say whether both sides hold the same tokens or lines.

use super::CheckError;
use super::by_line;
use super::compare::{Comparison as _, Fault, Found};
use super::digest::Digest;
use super::gap::{Blanks, Free};
use super::pairwise::{pass_gap, token};
use super::rule::Rule;
use super::source::{Source, count_lines};
use crate::simd::Level;
use crate::simd::places::{CHUNK, Places};

/// A number of texts, in no order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bag {
    /// How many there are.
    pub(super) count: u64,
    sums: [u64; 2],
}

impl Bag {
    /// Another text, by its digest.
    #[inline]
    pub(super) fn add(&mut self, mixed: [u64; 2]) {
        self.count += 1;
        for (sum, value) in self.sums.iter_mut().zip(mixed) {
            *sum = sum.wrapping_add(value);
        }
    }
}

/// All tokens of a side, each checked by `check`, unless `sound` says of a chunk that all of its
/// tokens pass.
pub(super) fn of_tokens(
    blanks: &Blanks,
    level: Level,
    source: &mut Source,
    sound: impl Fn(&[u8]) -> bool,
    check: impl Fn(&[u8]) -> Result<(), Fault>,
) -> Result<Result<Bag, Fault>, CheckError> {
    let (mut bag, mut places) = (Bag::default(), Box::<Places>::default());
    loop {
        source.fill()?;
        places.find_tokens(level, blanks, source.rest());
        let chunk = &source.rest()[..source.rest().len().min(CHUNK)];
        let added = if sound(chunk) {
            add_chunk(&mut bag, &places, source, |_| Ok(()))
        } else {
            add_chunk(&mut bag, &places, source, &check)
        };
        if let Err(fault) = added {
            return Ok(Err(fault));
        }
        if !places.tokens().is_empty() {
            continue;
        }
        pass_gap::<Free>(blanks, source, false)?;
        if source.rest().is_empty() {
            return Ok(Ok(bag));
        }
        let length = token(blanks, source)?;
        let held = length.unwrap_or(source.rest().len());
        if let Err(fault) = check(&source.rest()[..held]) {
            return Ok(Err(fault));
        }
        let mut digest = Digest::default();
        digest.extend(&source.rest()[..held]);
        source.pass(held, 0);
        if length.is_none() {
            extend_long(blanks, source, &mut digest)?;
        }
        bag.add(digest.mixed());
    }
}

/// Adds the tokens of a chunk, many in one go, up to the first one that is refused.
fn add_chunk(
    bag: &mut Bag,
    places: &Places,
    source: &mut Source,
    check: impl Fn(&[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (rest, mut passed, mut fault) = (source.rest(), 0, Ok(()));
    for token in places.tokens() {
        let [start, end] = token.map(usize::from);
        fault = check(&rest[start..end]);
        if fault.is_err() {
            passed = start;
            break;
        }
        bag.add(Digest::of(rest, start, end).mixed());
        passed = end;
    }
    let lines = count_lines(&rest[..passed]);
    source.pass(passed, lines);
    fault
}

/// The rest of a token that is too long to be held.
fn extend_long(
    blanks: &Blanks,
    source: &mut Source,
    digest: &mut Digest,
) -> Result<(), CheckError> {
    loop {
        source.fill()?;
        let rest = source.rest();
        let end = rest.iter().position(|&byte| blanks.holds(byte));
        let length = end.unwrap_or(rest.len());
        digest.extend(&rest[..length]);
        source.pass(length, 0);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

/// The difference of two bags: shown at the first place where the texts differ in their order.
pub(super) fn differ<'s>(
    (what, [expected, got]): (&str, [u64; 2]),
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<Option<Found>, CheckError> {
    let remark = if expected == got {
        format!("not the same {what} in any order, the first ones in order are shown")
    } else {
        format!("{expected} {what} expected in any order, {got} got")
    };
    let fault = Fault::Remark(remark);
    for rule in [Rule::Tokens, Rule::Exact] {
        answer.rewind()?;
        output.rewind()?;
        if let Some(found) = rule.compare(level, answer, output)? {
            return Ok(Some(Found { fault, ..found }));
        }
    }
    Ok(None)
}

/// Whether equal bytes settle it; else both sides stand at their starts.
pub(super) fn equal<'s>(
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<bool, CheckError> {
    let equal = by_line::equal(level, answer, output)?;
    answer.rewind()?;
    output.rewind()?;
    Ok(equal)
}
