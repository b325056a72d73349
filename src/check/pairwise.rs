//! Tokens against tokens, each with what stands before it.
//!
//! While the bytes of both sides are equal they pass together; that is the whole work for most
//! outputs. Where they part, both sides go back to the end of the last token that they share, and
//! the next gap and token of each is looked at by the rule. Rules that refuse some tokens wherever
//! they stand look at each one.

use std::marker::PhantomData;

use super::CheckError;
use super::chunk::Chunks;
use super::compare::{Fault, Found};
use super::difference::Difference;
use super::gap::{Blanks, Free, Gap};
use super::source::{Source, Spot, count_lines};
use crate::simd::Level;
use crate::simd::compare;
use crate::simd::places::CHUNK;

/// The longest token that is looked at as one piece. Longer ones are compared byte by byte.
const LONGEST: usize = 4 << 20;

/// An equal run shorter than this is not worth another try soon.
const SHORT: usize = 96;

/// Bytes of each side whose tokens are compared one by one after a run that was not short.
const FEW: usize = 256;

/// What a rule says of two tokens.
pub(super) trait TokenRule: Send + Sync {
    /// Whether equal tokens are always right.
    const REFLEXIVE: bool;

    /// Compares two tokens that differ, or any two when the rule is not reflexive.
    ///
    /// # Errors
    /// What is wrong with the output's token, or with the answer's.
    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault>;

    /// The absolute and the relative tolerance within which two numbers are surely right, -1 where
    /// there is none.
    fn tolerance(&self) -> Option<(f64, f64)> {
        None
    }

    /// Whether all tokens that end in this text are right when they are equal.
    fn takes_all(&self, _level: Level, _text: &[u8]) -> bool {
        Self::REFLEXIVE
    }

    /// How tokens beyond all bounds are compared.
    fn long(&self) -> Long {
        Long::Bytes
    }

    /// What is wrong when only one side has ended.
    fn one_ended(&self, _ended: Ended) -> Fault {
        Fault::Value
    }

    /// How many tokens of the side that goes on alone are checked by [`TokenRule::alone`].
    fn checked(&self, _ended: Ended) -> u64 {
        0
    }

    /// Whether a token of the side that goes on alone may stand there at all.
    ///
    /// # Errors
    /// What is wrong with it.
    fn alone(&self, _token: &[u8], _ended: Ended) -> Result<(), Fault> {
        Ok(())
    }
}

/// The side that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The answer.
    Answer,
    /// The output.
    Output,
}

/// Tokens that are right when their bytes are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words;

impl TokenRule for Words {
    const REFLEXIVE: bool = true;

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        if answer == output { Ok(()) } else { Err(Fault::Value) }
    }
}

/// How tokens beyond all bounds are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Long {
    /// Their bytes.
    Bytes,
    /// Their bytes, whatever the case.
    Fold,
    /// Their bytes, also where shorter ones would be numbers.
    Numbers,
}

/// Finds the first difference.
pub(super) fn find<'s, G: Gap, T: TokenRule>(
    blanks: &Blanks,
    rule: &T,
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<Option<Found>, CheckError> {
    let chunks = Chunks::new(blanks, rule, level);
    let (start, span) = (true, CHUNK);
    let mut pairs = Pairs::<G, T> { chunks, answer, output, start, span, gap: PhantomData };
    loop {
        if T::REFLEXIVE
            && let Some(end) = pairs.pass_equal()?
        {
            return Ok(end.found());
        }
        if !pairs.pass_chunk()?
            && let Some(end) = pairs.pass_pair()?
        {
            return Ok(end.found());
        }
    }
}

/// How a comparison ends.
enum End {
    Same,
    Differ(Box<Found>),
}

impl End {
    fn found(self) -> Option<Found> {
        match self {
            Self::Same => None,
            Self::Differ(found) => Some(*found),
        }
    }
}

struct Pairs<'p, 's, G, T> {
    chunks: Chunks<'p, T>,
    answer: &'p mut Source<'s>,
    output: &'p mut Source<'s>,
    /// Whether no token has been passed.
    start: bool,
    /// How many bytes make a chunk.
    span: usize,
    gap: PhantomData<G>,
}

impl<G: Gap, T: TokenRule> Pairs<'_, '_, G, T> {
    /// Passes what is equal, up to the end of a token. Both sides stand at such an end, or at
    /// their starts, before and after it.
    fn pass_equal(&mut self) -> Result<Option<End>, CheckError> {
        loop {
            self.answer.fill()?;
            self.output.fill()?;
            let (first, second) = (self.answer.rest(), self.output.rest());
            let run = compare::equal(self.chunks.level, first, second);
            let (all, whole) = (run.bytes, run.bytes == first.len().min(second.len()));
            let text = last_token_end(self.chunks.blanks, &first[..all]);
            self.span = if all < SHORT { CHUNK } else { FEW };
            if text > 0 {
                let feeds = run.first_lines - count_lines(&first[text..all]);
                self.answer.pass(text, feeds);
                self.output.pass(text, feeds);
                self.start = false;
            }
            if !whole {
                return Ok(None);
            }
            let kept = all - text;
            if kept > LONGEST {
                return Ok(None);
            }
            // The side that has nothing behind the equal bytes.
            let first_done = self.answer.rest().len() == kept;
            let second_done = self.output.rest().len() == kept;
            let mut more = first_done && self.answer.more()?;
            more |= second_done && self.output.more()?;
            if !more {
                let ended = [&*self.answer, &*self.output].map(|side| side.rest().len() == kept);
                return Ok((ended == [true, true]).then_some(End::Same));
            }
        }
    }

    /// Passes pairs that are right, many in one go; says whether there was nothing else.
    fn pass_chunk(&mut self) -> Result<bool, CheckError> {
        self.answer.fill()?;
        self.output.fill()?;
        let (start, span) = (self.start, self.span);
        let before = self.answer.spot().offset;
        let right = self.chunks.pass::<G>(start, span, self.answer, self.output);
        self.start &= self.answer.spot().offset == before;
        Ok(right)
    }

    /// Passes the next gap and the next token of both sides.
    fn pass_pair(&mut self) -> Result<Option<End>, CheckError> {
        let before = (self.answer.spot(), self.output.spot());
        let first = pass_gap::<G>(self.chunks.blanks, self.answer, self.start)?;
        let second = pass_gap::<G>(self.chunks.blanks, self.output, self.start)?;
        let ended = (self.answer.rest().is_empty(), self.output.rest().is_empty());
        match ended {
            (true, true) if !G::END || first.same_end(&second) => return Ok(Some(End::Same)),
            (true, true) => return Ok(Some(Self::space(before))),
            (true, false) => return self.one_ended(Ended::Answer).map(Some),
            (false, true) => return self.one_ended(Ended::Output).map(Some),
            (false, false) => {}
        }
        if (G::START || !self.start) && first != second {
            return Ok(Some(Self::space(before)));
        }
        self.start = false;
        let (Some(first), Some(second)) =
            (token(self.chunks.blanks, self.answer)?, token(self.chunks.blanks, self.output)?)
        else {
            return self.pass_long();
        };
        let (a, b) = (&self.answer.rest()[..first], &self.output.rest()[..second]);
        if !(T::REFLEXIVE && a == b)
            && let Err(fault) = self.chunks.rule.same(a, b)
        {
            let shared = compare::equal(self.chunks.level, a, b).bytes;
            let within = shared.min(first).min(second);
            self.answer.pass(within, 0);
            self.output.pass(within, 0);
            return Ok(Some(self.differ(fault)));
        }
        self.answer.pass(first, 0);
        self.output.pass(second, 0);
        Ok(None)
    }

    fn differ(&self, fault: Fault) -> End {
        End::Differ(Box::new(Found::here(self.answer, self.output, fault)))
    }

    /// The gaps differ: the difference is where they start to.
    fn space(before: (Spot, Spot)) -> End {
        let place = Difference { answer: before.0, output: before.1 };
        End::Differ(Box::new(Found { place, fault: Fault::Space, score: None }))
    }

    fn one_ended(&mut self, side: Ended) -> Result<End, CheckError> {
        for side in [&mut *self.answer, &mut *self.output] {
            side.fill()?;
        }
        let ended = Found::here(self.answer, self.output, self.chunks.rule.one_ended(side));
        if let Some(fault) = self.rest_fault(side)? {
            return Ok(self.differ(fault));
        }
        Ok(End::Differ(Box::new(ended)))
    }

    /// The first token of the longer side that may not stand there.
    fn rest_fault(&mut self, ended: Ended) -> Result<Option<Fault>, CheckError> {
        let side = if ended == Ended::Answer { &mut *self.output } else { &mut *self.answer };
        for _ in 0..self.chunks.rule.checked(ended) {
            pass_gap::<Free>(self.chunks.blanks, side, false)?;
            if side.rest().is_empty() {
                break;
            }
            let length = token(self.chunks.blanks, side)?.unwrap_or(side.rest().len());
            if let Err(fault) = self.chunks.rule.alone(&side.rest()[..length], ended) {
                return Ok(Some(fault));
            }
            side.pass(length, 0);
        }
        Ok(None)
    }

    /// Passes a token that is too long to be held, byte by byte.
    fn pass_long(&mut self) -> Result<Option<End>, CheckError> {
        let long = self.chunks.rule.long();
        loop {
            self.answer.fill()?;
            self.output.fill()?;
            let (a, b) = (self.answer.rest(), self.output.rest());
            let ends = [a, b].map(|rest| self.piece(rest));
            if ends == [0, 0] {
                return Ok(None);
            }
            let most = ends[0].min(ends[1]);
            let (a, b) = (&a[..most], &b[..most]);
            let same = match long {
                Long::Fold => {
                    a.iter().zip(b).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
                }
                _ => compare::equal(self.chunks.level, a, b).bytes,
            };
            self.answer.pass(same, 0);
            self.output.pass(same, 0);
            if same < most || most == 0 {
                return Ok(Some(self.differ(match long {
                    Long::Numbers => Fault::Remark("compared byte by byte: beyond 4 MiB".into()),
                    _ => Fault::Value,
                })));
            }
        }
    }

    /// How far a token goes on.
    fn piece(&self, rest: &[u8]) -> usize {
        let end = rest.iter().position(|&byte| self.chunks.blanks.holds(byte));
        end.unwrap_or(rest.len())
    }
}

/// Where the last token ends that is followed by a blank; zero when there is none.
pub(super) fn last_token_end(blanks: &Blanks, bytes: &[u8]) -> usize {
    let blank = |&byte: &u8| blanks.holds(byte);
    let Some(last) = bytes.iter().rposition(blank) else { return 0 };
    bytes[..last].iter().rposition(|byte| !blank(byte)).map_or(0, |at| at + 1)
}

/// Passes blanks up to the next token or the end.
#[inline]
pub(super) fn pass_gap<G: Gap>(
    blanks: &Blanks,
    side: &mut Source,
    start: bool,
) -> Result<G, CheckError> {
    let mut gap = G::begin(start);
    loop {
        side.fill()?;
        let rest = side.rest();
        let (mut count, mut feeds) = (0, 0);
        while let Some(&byte) = rest.get(count)
            && blanks.holds(byte)
        {
            gap.add(byte);
            feeds += usize::from(byte == b'\n');
            count += 1;
        }
        let done = count < rest.len() || rest.is_empty();
        side.pass(count, feeds);
        if done {
            return Ok(gap);
        }
    }
}

/// The length of the token at which a side stands; none when it is too long to be held.
#[inline]
pub(super) fn token(blanks: &Blanks, side: &mut Source) -> Result<Option<usize>, CheckError> {
    let mut seen = 0;
    loop {
        let rest = side.rest();
        let end = rest[seen..].iter().position(|&byte| blanks.holds(byte));
        if let Some(end) = end {
            return Ok(Some(seen + end));
        }
        seen = rest.len();
        if seen > LONGEST {
            return Ok(None);
        }
        if !side.more()? {
            return Ok(Some(seen));
        }
    }
}
