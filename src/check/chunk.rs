//! Many pairs of tokens in one go, as long as they are right.
//!
//! Nothing is decided here against an output: what is not surely right stays where it is, for the
//! engine to look at piece by piece.

#![expect(clippy::inline_always, reason = "a call for each token costs as much as its comparison")]

use super::gap::{Blanks, Gap};
use super::pairwise::{TokenRule, last_token_end};
use super::source::{Source, count_lines};
use super::tolerance::surely_within;
use crate::simd::Level;
use crate::simd::compare;
use crate::simd::decimals;
use crate::simd::places::{CHUNK, Places};

/// How tokens are compared, and room for the places of those at hand.
pub(super) struct Chunks<'p, T> {
    pub(super) blanks: &'p Blanks,
    pub(super) rule: &'p T,
    pub(super) level: Level,
    places: Box<[Places; 2]>,
    /// The values of tokens that are plain numbers, for rules with a tolerance.
    values: [Vec<f64>; 2],
}

impl<'p, T: TokenRule> Chunks<'p, T> {
    pub(super) fn new(blanks: &'p Blanks, rule: &'p T, level: Level) -> Self {
        let room = if rule.tolerance().is_some() { CHUNK / 2 } else { 0 };
        let values = [vec![0.0; room], vec![0.0; room]];
        Self { blanks, rule, level, places: Box::default(), values }
    }

    /// Passes pairs that are right in the next `most` bytes. Both sides stand at the end of a token,
    /// or, if `start` says so, at their starts, before and after it. Says whether there were such
    /// pairs and no other ones.
    pub(super) fn pass<G: Gap>(
        &mut self,
        start: bool,
        most: usize,
        answer: &mut Source,
        output: &mut Source,
    ) -> bool {
        let (first, second) = (answer.rest(), output.rest());
        let (first_chunk, second_chunk) =
            (&first[..first.len().min(most)], &second[..second.len().min(most)]);
        let equal_is_right = self.rule.takes_all(self.level, first_chunk);
        if !T::REFLEXIVE && equal_is_right {
            let run = compare::equal(self.level, first_chunk, second_chunk).bytes;
            let end = last_token_end(self.blanks, &first[..run]);
            if end > most / 2 {
                let lines = count_lines(&first[..end]);
                answer.pass(end, lines);
                output.pass(end, lines);
                return true;
            }
        }
        let [first_places, second_places] = &mut *self.places;
        first_places.find_tokens(self.level, self.blanks, first_chunk);
        second_places.find_tokens(self.level, self.blanks, second_chunk);
        let tolerance = self.rule.tolerance();
        if tolerance.is_some() {
            let sides = [(first, &*first_places), (second, &*second_places)];
            for ((text, places), values) in sides.into_iter().zip(&mut self.values) {
                decimals::read(self.level, text, places.tokens(), values);
            }
        }
        let (mut ends, mut start, mut right) = ([0, 0], start, true);
        let tokens = first_places.tokens().iter().zip(second_places.tokens());
        for (index, (&a, &b)) in tokens.enumerate() {
            let (a, b) = (a.map(usize::from), b.map(usize::from));
            let near = || {
                tolerance.is_some_and(|tolerance| {
                    surely_within(tolerance, self.values[0][index], self.values[1][index])
                })
            };
            right = same_gap::<G>(start, &first[ends[0]..a[0]], &second[ends[1]..b[0]])
                && (near()
                    || equal_is_right && same_bytes((first, a), (second, b))
                    || self.rule.same(&first[a[0]..a[1]], &second[b[0]..b[1]]).is_ok());
            if !right {
                break;
            }
            (ends, start) = ([a[1], b[1]], false);
        }
        let lines = [count_lines(&first[..ends[0]]), count_lines(&second[..ends[1]])];
        answer.pass(ends[0], lines[0]);
        output.pass(ends[1], lines[1]);
        right && ends[0] > 0
    }
}

/// Whether two gaps are the same for the judge.
#[inline]
fn same_gap<G: Gap>(start: bool, first: &[u8], second: &[u8]) -> bool {
    match (first, second) {
        _ if start && !G::START => true,
        ([a], [b]) if a == b => true,
        _ => G::of(first, start) == G::of(second, start),
    }
}

/// Whether two tokens, given by the texts and their places, are equal.
#[inline(always)]
fn same_bytes((first, a): (&[u8], [usize; 2]), (second, b): (&[u8], [usize; 2])) -> bool {
    let length = a[1] - a[0];
    if length != b[1] - b[0] {
        return false;
    }
    let word = |text: &[u8], at: usize| {
        text.get(at..).and_then(<[u8]>::first_chunk).copied().map(u64::from_le_bytes)
    };
    if length <= 16
        && let (Some(low_a), Some(low_b)) = (word(first, a[0]), word(second, b[0]))
    {
        if length <= 8 {
            return (low_a ^ low_b) << (64 - 8 * length) == 0;
        }
        return low_a == low_b && word(first, a[1] - 8) == word(second, b[1] - 8);
    }
    first[a[0]..a[1]] == second[b[0]..b[1]]
}
