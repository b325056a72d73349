//! Says what kind of difference the first one is, and shows its surroundings. Looks only at a
//! window around it, and at the rests of both sides where they are small.

use std::ops::Range;

use super::CheckError;
use super::context::Context;
use super::difference::{self, Difference};
use super::rest::{self, Rest};
use super::rule::Rule;
use super::source::{Source, Spot};
use crate::model::{Line, Mismatch, MismatchKind, Totals, ViewRow};
use crate::simd::Level;

/// The remark on an output whose tokens are right.
const TOKENS_AGREE: &str = "all tokens agree";

/// Rows shown above and below the one with the difference.
const AROUND: usize = 2;

/// Describes the first difference.
pub(super) fn describe<'s>(
    rule: Rule,
    level: Level,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
    difference: &Difference,
) -> Result<Mismatch, CheckError> {
    let load = if rule == Rule::Exact { Context::load } else { Context::load_text };
    let contexts = (load(answer, difference.answer)?, load(output, difference.output)?);
    let ended = (has_ended(rule, difference.answer, &contexts.0), {
        has_ended(rule, difference.output, &contexts.1)
    });
    let mut sides = Sides { rule, level, answer, output, a: contexts.0, b: contexts.1 };
    match ended {
        (false, true) if sides.missing() => sides.one_sided(MismatchKind::MissingOutput),
        (true, false) if sides.extra() => sides.one_sided(MismatchKind::ExtraOutput),
        _ => sides.two_sided(),
    }
}

fn has_ended(rule: Rule, spot: Spot, context: &Context) -> bool {
    spot.ended || rule == Rule::Lines && context.only_blanks_follow()
}

struct Sides<'p, 's> {
    rule: Rule,
    level: Level,
    answer: &'p mut Source<'s>,
    output: &'p mut Source<'s>,
    a: Context,
    b: Context,
}

impl Sides<'_, '_> {
    /// The output has ended: whether that is the difference. Then both contexts stand there.
    fn missing(&mut self) -> bool {
        stand_at_end(self.rule, &mut self.a, &mut self.b)
    }

    /// The answer has ended: the same from the other side.
    fn extra(&mut self) -> bool {
        stand_at_end(self.rule, &mut self.b, &mut self.a)
    }

    /// One side has ended, the other one goes on.
    fn one_sided(mut self, kind: MismatchKind) -> Result<Mismatch, CheckError> {
        let missing = kind == MismatchKind::MissingOutput;
        let (longer, ended) = if missing { (&self.a, &self.b) } else { (&self.b, &self.a) };
        let blank_rest = longer.only_blanks_follow();
        let empty = ended.is_blank() && !(blank_rest && ended.lines_above() > 0);
        let kind = if missing && empty { MismatchKind::EmptyOutput } else { kind };
        let within_line = ended.row.is_some();
        let end = longer.text_end(longer.at);
        let line = match missing && !within_line {
            true if blank_rest => longer.lines_above().max(1),
            true if end > 0 => longer.number(end),
            _ => longer.number(longer.at),
        };
        let part = if within_line {
            longer.token()
        } else {
            longer.row.clone().unwrap_or(longer.at..longer.at)
        };
        let bytes = longer.part(part.start..part.start + rest::trimmed(&longer.bytes[part]).len());
        let token = if within_line { self.token_number(missing)? } else { None };
        let marks = (self.mark(&self.a), self.mark(&self.b));
        let totals = self.one_sided_totals(missing)?;
        let byte = self.b.offset(self.b.at);
        let (expected, got) = if missing { (Some(bytes), None) } else { (None, Some(bytes)) };
        let view = self.view(marks)?;
        let remark = String::new();
        Ok(Mismatch { kind, line, token, byte, expected, got, remark, view, totals })
    }

    fn token_number(&mut self, in_answer: bool) -> Result<Option<u64>, CheckError> {
        if in_answer {
            self.a.token_number(self.answer, self.a.token().start)
        } else {
            self.b.token_number(self.output, self.b.token().start)
        }
    }

    /// The counts, and whether the lines are the same in another order.
    fn totals(&mut self) -> Result<Option<(Totals, bool)>, CheckError> {
        let rest = Rest::load((self.answer, &self.a), (self.output, &self.b))?;
        let Some(compared) = rest.map(|rest| rest.compare(self.rule, self.level)) else {
            return Ok(None);
        };
        let same_breaks = self.same_breaks()?;
        let differing_lines = same_breaks.then_some(compared.differing);
        let whole = self.a.holds_row() && self.b.holds_row();
        let reordered = same_breaks && whole && compared.is_reordered();
        Ok(Some((Totals { differing_lines, ..compared.totals }, reordered)))
    }

    /// Whether both sides have the difference at the same line, and at the same token of it.
    fn same_breaks(&mut self) -> Result<bool, CheckError> {
        if self.rule != Rule::Tokens {
            return Ok(true);
        }
        let rows = self.a.row.is_some() && self.b.row.is_some();
        let same_line = self.a.row_number() == self.b.row_number();
        Ok(same_line && (!rows || self.token_number(true)? == self.token_number(false)?))
    }

    fn one_sided_totals(&mut self, missing: bool) -> Result<Option<Totals>, CheckError> {
        if let Some((totals, _)) = self.totals()? {
            return Ok(Some(totals));
        }
        let lines = if missing {
            rest::count_text_lines(self.rule, self.answer, &self.a)?
        } else {
            rest::count_text_lines(self.rule, self.output, &self.b)?
        };
        let rows = [&self.a, &self.b].map(|side| (side.lines_above(), side.row.is_some()));
        let same_breaks = self.same_breaks()?;
        Ok(lines.map(|lines| {
            let ended = |(above, row): (u64, bool)| above + u64::from(row);
            let (expected_lines, got_lines) = if missing {
                (rows[0].0 + lines, ended(rows[1]))
            } else {
                (ended(rows[0]), rows[1].0 + lines)
            };
            let differing_lines = same_breaks.then_some(lines);
            Totals { expected_lines, got_lines, differing_lines }
        }))
    }

    /// Both sides have something else at the same place.
    fn two_sided(mut self) -> Result<Mismatch, CheckError> {
        let (totals, reordered) = self.totals()?.unzip();
        let parts = (self.compared(&self.a), self.compared(&self.b));
        let mut mismatch = Mismatch {
            kind: MismatchKind::Value,
            line: self.a.number(self.a.at),
            token: None,
            byte: self.b.offset(self.b.at),
            expected: Some(self.a.part(parts.0.clone())),
            got: Some(self.b.part(parts.1.clone())),
            remark: String::new(),
            view: Vec::new(),
            totals,
        };
        if self.rule == Rule::Tokens {
            mismatch.token = self.a.token_number(self.answer, parts.0.start)?;
        }
        if Context::is_cut(&parts.0) || Context::is_cut(&parts.1) {
            "both cut around the difference".clone_into(&mut mismatch.remark);
        }
        self.classify(&parts, reordered == Some(true), &mut mismatch)?;
        let marks = (self.mark(&self.a), self.mark(&self.b));
        mismatch.view = self.view(marks)?;
        Ok(mismatch)
    }

    /// What the rule compares as one piece: the token or the line.
    fn compared(&self, side: &Context) -> Range<usize> {
        match self.rule {
            Rule::Tokens => side.token(),
            Rule::Lines | Rule::Exact => side.row.clone().unwrap_or(side.at..side.at),
        }
    }

    fn classify(
        &mut self,
        parts: &(Range<usize>, Range<usize>),
        reordered: bool,
        mismatch: &mut Mismatch,
    ) -> Result<(), CheckError> {
        let (a, b) = (&self.a.bytes[parts.0.clone()], &self.b.bytes[parts.1.clone()]);
        let whole = self.a.holds_end(&parts.0) && self.b.holds_end(&parts.1);
        let blanks_only = self.rule != Rule::Tokens
            && whole
            && rest::same_tokens(self.a.whole_row(), self.b.whole_row());
        let invalid = invalid_byte(a, b);
        if blanks_only {
            self.classify_blanks(mismatch)?;
        } else if let Some(invalid) = invalid {
            let start = parts.1.start + invalid.start;
            mismatch.kind = MismatchKind::Encoding;
            mismatch.byte = self.b.offset(start);
            mismatch.got = Some(b[invalid].to_vec());
        } else if whole && a.eq_ignore_ascii_case(b) {
            mismatch.kind = MismatchKind::Case;
        } else if reordered {
            mismatch.kind = MismatchKind::Order;
            let row = |side: &Context| side.row.clone().unwrap_or(side.at..side.at);
            mismatch.expected = Some(self.a.part(row(&self.a)));
            mismatch.got = Some(self.b.part(row(&self.b)));
        }
        Ok(())
    }

    /// Only blanks of the row differ.
    fn classify_blanks(&mut self, mismatch: &mut Mismatch) -> Result<(), CheckError> {
        let (first, second) = (line_ending(self.a.whole_row()), line_ending(self.b.whole_row()));
        let same_text =
            self.a.whole_row().strip_suffix(first) == self.b.whole_row().strip_suffix(second);
        mismatch.kind = MismatchKind::Whitespace;
        if same_text && self.rule == Rule::Exact && first != second {
            mismatch.kind = MismatchKind::LineEnding;
            mismatch.expected = Some(first.to_vec());
            mismatch.got = Some(second.to_vec());
        }
        let start = |side: &Context| Spot {
            offset: side.offset(side.token().start),
            lines: 0,
            ended: false,
        };
        self.answer.jump(start(&self.a))?;
        self.output.jump(start(&self.b))?;
        if difference::find(Rule::Tokens, self.level, self.answer, self.output)?.is_none() {
            TOKENS_AGREE.clone_into(&mut mismatch.remark);
        }
        Ok(())
    }

    /// The part of the row to be marked.
    fn mark(&self, side: &Context) -> Range<usize> {
        let row_end = side.row.as_ref().map_or(side.at, |row| row.end);
        match self.rule {
            Rule::Tokens => side.token(),
            Rule::Lines | Rule::Exact => side.at..(side.at + 1).min(row_end).max(side.at),
        }
    }

    fn view(&mut self, marks: (Range<usize>, Range<usize>)) -> Result<Vec<ViewRow>, CheckError> {
        let (number, got_number) = (self.a.row_number(), self.b.row_number());
        let above = rows(self.a.lines_up(), self.b.lines_up(), |step| {
            [number, got_number].map(|number| number.saturating_sub(step))
        });
        let below = rows(self.a.lines_down(), self.b.lines_down(), |step| {
            [number, got_number].map(|number| number + step)
        });
        let mut view: Vec<ViewRow> = above.collect();
        view.reverse();
        let expected = with_tokens(self.rule, self.answer, &self.a, marks.0)?;
        let got = with_tokens(self.rule, self.output, &self.b, marks.1)?;
        view.push(ViewRow { number, got_number, differs: true, expected, got });
        view.extend(below);
        Ok(view)
    }
}

fn rows(
    mut expected: impl Iterator<Item = Line>,
    mut got: impl Iterator<Item = Line>,
    numbers: impl Fn(u64) -> [u64; 2],
) -> impl Iterator<Item = ViewRow> {
    (1..=AROUND as u64).map_while(move |step| {
        let [number, got_number] = numbers(step);
        let (expected, got) = (expected.next(), got.next());
        let some = expected.is_some() || got.is_some();
        some.then_some(ViewRow { number, got_number, differs: false, expected, got })
    })
}

/// The row of one side; for a cut line of tokens also which token is marked.
fn with_tokens(
    rule: Rule,
    source: &mut Source,
    side: &Context,
    mark: Range<usize>,
) -> Result<Option<Line>, CheckError> {
    let Some(mut line) = side.line(mark.clone()) else { return Ok(None) };
    if rule == Rule::Tokens && line.cut_before + line.cut_after > 0 && !mark.is_empty() {
        let number = side.token_number(source, mark.start)?;
        let behind = side.tokens_behind(source, mark.end)?;
        line.token_of = number.zip(behind).map(|(number, behind)| (number, number + behind));
    }
    Ok(Some(line))
}

/// Puts both contexts where one side has ended: the longer one at its next token, the ended one
/// at the end of its last line or below it. False when the sides part within a line, so that their
/// rows are to be compared as such.
fn stand_at_end(rule: Rule, longer: &mut Context, ended: &mut Context) -> bool {
    if rule == Rule::Exact && ended.at_line_start() && longer.only_blanks_follow() {
        ended.stand_behind();
        return true;
    }
    if rule == Rule::Tokens && longer.inside_token() || longer.only_blanks_follow() {
        return false;
    }
    let next = longer.next_text();
    let text_end = longer.text_end(next);
    let within_line = text_end > 0 && !longer.bytes[text_end..next].contains(&b'\n');
    if within_line && rule != Rule::Tokens {
        return false;
    }
    longer.stand_at(next);
    let end = ended.text_end(ended.bytes.len());
    if within_line {
        ended.stand_at(end);
    } else {
        ended.stand_below(end);
    }
    true
}

/// The line feed of a line, with a carriage return before it.
fn line_ending(line: &[u8]) -> &[u8] {
    let length = if line.ends_with(b"\r\n") { 2 } else { usize::from(line.ends_with(b"\n")) };
    &line[line.len() - length..]
}

/// The first bytes of `got` that are not UTF-8, if all of `expected` is.
fn invalid_byte(expected: &[u8], got: &[u8]) -> Option<Range<usize>> {
    let error = std::str::from_utf8(got).err()?;
    std::str::from_utf8(expected).ok()?;
    let start = error.valid_up_to();
    // A text cut at the window's end may end within a letter: that is no fault.
    Some(start..start + error.error_len()?)
}
