//! What both sides hold from the row of the first difference on: how many lines, how many of them
//! differ, and whether they are the same ones in another order. Bounded: rests of more than
//! [`WHOLE`] bytes are not looked at, apart from counting the lines of a side that goes on alone.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::CheckError;
use super::context::Context;
use super::rule::Rule;
use super::source::{Source, count_lines};
use crate::model::Totals;
use crate::simd::compare::is_blank;

/// The largest rest of a side that is read whole.
const WHOLE: usize = 4 << 20;

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

    /// Lines of both sides, and how many of them differ by the rule.
    pub(super) fn totals(&self, rule: Rule) -> Totals {
        let (mut answer, mut output) = (lines(rule, &self.answer), lines(rule, &self.output));
        let [mut expected_lines, mut got_lines] = self.lines_above;
        let mut differing_lines = 0;
        loop {
            let (first, second) = (answer.next(), output.next());
            if first.is_none() && second.is_none() {
                return Totals { expected_lines, got_lines, differing_lines };
            }
            expected_lines += u64::from(first.is_some());
            got_lines += u64::from(second.is_some());
            let same = first.zip(second).is_some_and(|(a, b)| same_line(rule, a, b));
            differing_lines += u64::from(!same);
        }
    }

    /// Whether both hold the same lines in another order, apart from blanks at their ends.
    pub(super) fn is_reordered(&self) -> bool {
        let (answer, output) = (fingerprint(&self.answer), fingerprint(&self.output));
        answer == output && answer.0 > 1
    }
}

fn load((source, context): (&mut Source, &Context)) -> Result<Option<Vec<u8>>, CheckError> {
    let rest = source.read_at(context.offset(context.above), WHOLE + 1)?;
    Ok((rest.len() <= WHOLE).then_some(rest))
}

/// The lines that count by a rule, with their line feeds.
fn lines(rule: Rule, rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = if rule == Rule::Exact { rest } else { text(rest) };
    text.split_inclusive(|&byte| byte == b'\n')
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

/// How many lines, and a sum of hashes that does not depend on their order.
fn fingerprint(rest: &[u8]) -> (u64, u64) {
    lines(Rule::Lines, rest).fold((0, 0), |(count, sum), line| {
        let mut hasher = DefaultHasher::new();
        trimmed(line).hash(&mut hasher);
        (count + 1, hasher.finish().wrapping_add(sum))
    })
}

/// Lines from the row on of a side that goes on alone, without blank ones at the end; none when
/// there are more than are worth counting.
pub(super) fn count_text_lines(
    source: &mut Source,
    context: &Context,
) -> Result<Option<u64>, CheckError> {
    let (mut feeds, mut lines) = (0, 0);
    let seen = source.each_block(context.offset(context.above), COUNTED, |block| {
        let text = text(block);
        if !text.is_empty() {
            lines = feeds + count_lines(text) as u64 + 1;
        }
        feeds += count_lines(block) as u64;
    })?;
    Ok((seen < COUNTED).then_some(lines))
}
