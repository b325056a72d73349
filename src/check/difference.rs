//! Finds the first difference that a rule does not forgive, at the speed of reading.
//!
//! Both sides are passed together while their bytes are equal (or both blank, for tokens). Real
//! outputs are nearly always equal or differ soon, so this is the whole work. Only where the sides
//! part does the rule look closer: it passes harmless blanks, or it has found a difference. Where
//! they part again and again, as CRLF against LF on every line does, tokens are compared with
//! every run of blanks squeezed into one.

use super::CheckError;
use super::rule::Rule;
use super::source::{Source, Spot};
use crate::simd::Level;
use crate::simd::compare::{self, Squeeze, Squeezed, is_blank};

/// Where the two sides part for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Difference {
    /// The place in the answer.
    pub(super) answer: Spot,
    /// The place in the output.
    pub(super) output: Spot,
}

/// The first difference from where both sources stand; none when they agree to their ends.
pub(super) fn find<'s>(
    rule: Rule,
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<Option<Difference>, CheckError> {
    match rule {
        Rule::Tokens => Pair::new(level, answer, output).tokens(),
        Rule::Lines => Pair::new(level, answer, output).lines(),
        Rule::Exact => Pair::new(level, answer, output).exact(),
    }
}

/// A run of agreement shorter than this makes squeezing worth its start.
const SHORT: u64 = 256;

struct Pair<'p, 's> {
    level: Level,
    answer: &'p mut Source<'s>,
    output: &'p mut Source<'s>,
    squeezed: Option<Box<[Squeezed; 2]>>,
}

/// Whether both windows hold bytes.
#[derive(PartialEq, Eq)]
enum Windows {
    Both,
    OneEnded,
}

impl<'p, 's> Pair<'p, 's> {
    fn new(level: Level, answer: &'p mut Source<'s>, output: &'p mut Source<'s>) -> Self {
        Self { level, answer, output, squeezed: None }
    }

    fn fill(&mut self) -> Result<Windows, CheckError> {
        self.answer.fill()?;
        self.output.fill()?;
        let ended = self.answer.rest().is_empty() || self.output.rest().is_empty();
        Ok(if ended { Windows::OneEnded } else { Windows::Both })
    }

    fn difference(&self) -> Difference {
        Difference { answer: self.answer.spot(), output: self.output.spot() }
    }

    /// Equal bytes.
    fn exact(mut self) -> Result<Option<Difference>, CheckError> {
        while self.fill()? == Windows::Both {
            if self.pass_equal() {
                return Ok(Some(self.difference()));
            }
        }
        let same = self.answer.rest().is_empty() && self.output.rest().is_empty();
        Ok((!same).then(|| self.difference()))
    }

    /// Passes equal bytes; says whether a differing byte follows in both windows.
    fn pass_equal(&mut self) -> bool {
        let run = compare::equal(self.level, self.answer.rest(), self.output.rest());
        self.answer.pass(run.bytes, run.first_lines);
        self.output.pass(run.bytes, run.second_lines);
        !self.answer.rest().is_empty() && !self.output.rest().is_empty()
    }

    /// Equal lines, apart from blanks at their ends and blank lines at the end.
    fn lines(mut self) -> Result<Option<Difference>, CheckError> {
        let mut squeeze = true;
        while self.fill()? == Windows::Both {
            let start = self.answer.spot().offset;
            if !self.pass_equal() {
                continue;
            }
            let difference = self.difference();
            if !(at_line_end(self.answer)? && at_line_end(self.output)?) {
                return Ok(Some(difference));
            }
            if squeeze && difference.answer.offset - start < SHORT {
                squeeze = self.squeeze(Squeeze::LineEnds).is_some();
            }
        }
        self.rest_is_blank()
    }

    /// At the end of one side: the other one may have nothing but blanks left.
    fn rest_is_blank(mut self) -> Result<Option<Difference>, CheckError> {
        let difference = self.difference();
        let ended = self.answer.skip(is_blank)? && self.output.skip(is_blank)?;
        self.fill()?;
        Ok((!ended).then_some(difference))
    }

    /// Equal tokens.
    fn tokens(mut self) -> Result<Option<Difference>, CheckError> {
        let mut inside = false;
        let mut squeeze = true;
        while self.fill()? == Windows::Both {
            let run = compare::equal_or_blank(self.level, self.answer.rest(), self.output.rest());
            if run.bytes > 0 {
                inside = !is_blank(self.answer.rest()[run.bytes - 1]);
            }
            self.answer.pass(run.bytes, run.first_lines);
            self.output.pass(run.bytes, run.second_lines);
            let (Some(&first), Some(&second)) =
                (self.answer.rest().first(), self.output.rest().first())
            else {
                continue;
            };
            if inside || !(is_blank(first) || is_blank(second)) {
                return Ok(Some(self.difference()));
            }
            // Between tokens, and one side has more blanks.
            if squeeze && (run.bytes as u64) < SHORT {
                // Both stand behind a blank, or at the start: as the squeezed chunks do.
                match self.squeeze(Squeeze::Runs) {
                    Some(last) => inside = last != b' ',
                    None => squeeze = false,
                }
            } else {
                self.answer.skip(is_blank)?;
                self.output.skip(is_blank)?;
            }
        }
        self.last_tokens()
    }

    /// At the end of one side: the other one may have no token left, nor the rest of one.
    fn last_tokens(mut self) -> Result<Option<Difference>, CheckError> {
        let ended = self.answer.skip(is_blank)? && self.output.skip(is_blank)?;
        self.fill()?;
        Ok((!ended).then(|| self.difference()))
    }

    /// Passes what agrees of the next chunks when they are squeezed. Gives the last byte of that,
    /// a space when it is empty; none when the squeezed chunks differ, then nothing is passed.
    fn squeeze(&mut self, squeeze: Squeeze) -> Option<u8> {
        let [first, second] = &mut **self.squeezed.get_or_insert_default();
        first.squeeze(self.level, squeeze, self.answer.rest());
        second.squeeze(self.level, squeeze, self.output.rest());
        let common = first.bytes().len().min(second.bytes().len());
        if first.bytes()[..common] != second.bytes()[..common] {
            return None;
        }
        let last = first.bytes()[..common].last().copied().unwrap_or(b' ');
        let (from_answer, from_output) = (first.origin(common), second.origin(common));
        self.answer.pass(from_answer.0, from_answer.1);
        self.output.pass(from_output.0, from_output.1);
        Some(last)
    }
}

/// Passes blanks within the line; says whether the line ends there.
fn at_line_end(source: &mut Source) -> Result<bool, CheckError> {
    let ended = source.skip(|byte| byte != b'\n' && is_blank(byte))?;
    Ok(ended || source.rest().first() == Some(&b'\n'))
}
