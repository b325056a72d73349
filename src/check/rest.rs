//! What both sides hold from the row of the first difference on: how many lines, how many of them
//! differ, and whether they are the same ones in another order. Bounded: rests of more than
//! [`WHOLE`] bytes are not looked at, apart from counting the lines of a side that goes on alone.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::CheckError;
use super::context::Context;
use super::rule::Rule;
use super::source::{Source, count_lines};
use crate::model::Totals;
use crate::simd::Level;
use crate::simd::compare::{self, is_blank};

/// The largest rest of a side that is read whole.
const WHOLE: usize = 2 << 20;

/// The most differing lines that are looked at to recognise another order.
const HASHED_LINES: u64 = 1 << 14;

/// The longest of them.
const HASHED_BYTES: usize = 1 << 10;

/// The largest rest whose lines are counted when the other side has ended.
const COUNTED: u64 = 64 << 20;

/// Both rests, from the rows of the difference on.
pub(super) struct Rest {
    answer: Vec<u8>,
    output: Vec<u8>,
    lines_above: [u64; 2],
}

impl Rest {
    /// Reads both rests; none when one of them is large.
    pub(super) fn load(
        answer: (&mut Source, &Context),
        output: (&mut Source, &Context),
    ) -> Result<Option<Self>, CheckError> {
        let lines_above = [answer.1.lines_above(), output.1.lines_above()];
        let Some(answer) = load(answer)? else { return Ok(None) };
        let Some(output) = load(output)? else { return Ok(None) };
        Ok(Some(Self { answer, output, lines_above }))
    }

    /// Counts the lines of both sides and those that differ by the rule.
    pub(super) fn compare(&self, rule: Rule, level: Level) -> Compared {
        let text = |rest| if rule == Rule::Exact { rest } else { text(rest) };
        let (mut answer, mut output) = (text(&self.answer[..]), text(&self.output[..]));
        let mut compared = Compared::new(self.lines_above);
        while !(answer.is_empty() && output.is_empty()) {
            let same = compare::equal(level, answer, output);
            let whole = memchr::memrchr(b'\n', &answer[..same.bytes]).map_or(0, |feed| feed + 1);
            (answer, output) = (&answer[whole..], &output[whole..]);
            compared.totals.expected_lines += same.first_lines as u64;
            compared.totals.got_lines += same.first_lines as u64;
            compared.add(rule, take_line(&mut answer), take_line(&mut output));
        }
        compared
    }
}

/// What a comparison of both rests, line by line, has found.
pub(super) struct Compared {
    /// The counts of lines; not of those that differ.
    pub(super) totals: Totals,
    /// Lines that differ.
    pub(super) differing: u64,
    /// Sums of hashes of the lines that differ, which do not depend on their order; none when
    /// there are too many of them, or too long ones.
    sums: Option<[u64; 2]>,
}

impl Compared {
    fn new([expected_lines, got_lines]: [u64; 2]) -> Self {
        let totals = Totals { expected_lines, got_lines, differing_lines: None };
        Self { totals, differing: 0, sums: Some([0; 2]) }
    }

    fn add(&mut self, rule: Rule, answer: Option<&[u8]>, output: Option<&[u8]>) {
        self.totals.expected_lines += u64::from(answer.is_some());
        self.totals.got_lines += u64::from(output.is_some());
        if answer == output {
            return;
        }
        let same = answer.zip(output).is_some_and(|(a, b)| same_line(rule, a, b));
        self.differing += u64::from(!same);
        if self.differing > HASHED_LINES {
            self.sums = None;
        }
        for (side, line) in [answer, output].into_iter().enumerate() {
            match (&mut self.sums, line.map(trimmed)) {
                (Some(sums), Some(line)) if line.len() <= HASHED_BYTES => {
                    let mut hasher = DefaultHasher::new();
                    line.hash(&mut hasher);
                    sums[side] = sums[side].wrapping_add(hasher.finish());
                }
                (_, None) => {}
                _ => self.sums = None,
            }
        }
    }

    /// Whether both sides hold the same lines in another order, apart from blanks at their ends.
    pub(super) fn is_reordered(&self) -> bool {
        let lines = self.totals.expected_lines == self.totals.got_lines;
        lines && self.differing > 1 && self.sums.is_some_and(|[a, b]| a == b)
    }
}

/// The next line with its line feed.
fn take_line<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
    let (line, behind) = rest.split_at(end);
    *rest = behind;
    (!line.is_empty()).then_some(line)
}

fn load((source, context): (&mut Source, &Context)) -> Result<Option<Vec<u8>>, CheckError> {
    let rest = source.read_at(context.offset(context.above), WHOLE + 1)?;
    Ok((rest.len() <= WHOLE).then_some(rest))
}

/// Everything but the line feed at the end.
fn text_or_feeds(rest: &[u8]) -> &[u8] {
    rest.strip_suffix(b"\n").unwrap_or(rest)
}

/// Everything up to the last token.
fn text(rest: &[u8]) -> &[u8] {
    let end = rest.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &rest[..end]
}

/// A line without the blanks at its end.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    text(line)
}

/// Whether two texts have the same tokens.
pub(super) fn same_tokens(first: &[u8], second: &[u8]) -> bool {
    fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        text.split(|&byte| is_blank(byte)).filter(|token| !token.is_empty())
    }
    tokens(first).eq(tokens(second))
}

fn same_line(rule: Rule, first: &[u8], second: &[u8]) -> bool {
    match rule {
        Rule::Tokens => first == second || same_tokens(first, second),
        Rule::Lines => trimmed(first) == trimmed(second),
        Rule::Exact => first == second,
    }
}

/// Lines from the row on of a side that goes on alone, without blank ones at the end where they do
/// not count; none when there are more than are worth counting.
pub(super) fn count_text_lines(
    rule: Rule,
    source: &mut Source,
    context: &Context,
) -> Result<Option<u64>, CheckError> {
    let (mut feeds, mut lines) = (0, 0);
    let seen = source.each_block(context.offset(context.above), COUNTED, |block| {
        let text = if rule == Rule::Exact { text_or_feeds(block) } else { text(block) };
        if !text.is_empty() || rule == Rule::Exact && !block.is_empty() {
            lines = feeds + count_lines(text) as u64 + 1;
        }
        feeds += count_lines(block) as u64;
    })?;
    Ok((seen < COUNTED).then_some(lines))
}
