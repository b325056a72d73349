//! A mismatch as text: the headline and the rows around the difference. Pure: nothing here knows a
//! terminal or a file.

use std::fmt::Write as _;

use super::excerpt::escape;
pub use super::excerpt::{Charset, excerpt, quoted};
use crate::model::{Line, Mismatch, MismatchKind, Totals, ViewRow};

/// Columns of one excerpt in the table of both sides.
const CELL: usize = 40;

/// Columns of one excerpt on a line of its own.
const WIDE: usize = 100;

/// The first line of a failure block behind the case name, such as
/// `line 3, token 2: expected 4, got 5`.
#[must_use]
pub fn headline(mismatch: &Mismatch, charset: Charset) -> String {
    let text = Text { mismatch, charset };
    match mismatch.kind {
        MismatchKind::MissingOutput => text.missing(),
        MismatchKind::ExtraOutput => text.extra(),
        MismatchKind::EmptyOutput => text.empty(),
        MismatchKind::Order => text.order(),
        MismatchKind::Value | MismatchKind::Tolerance => text.value(),
        MismatchKind::Case => text.case(),
        MismatchKind::Whitespace => text.whitespace(),
        MismatchKind::LineEnding => text.line_ending(),
        MismatchKind::Encoding => text.encoding(),
        MismatchKind::Presentation => text.presentation(),
        MismatchKind::Checker => {
            format!("checker: {}", escape(mismatch.remark.as_bytes(), charset))
        }
    }
}

struct Text<'a> {
    mismatch: &'a Mismatch,
    charset: Charset,
}

impl Text<'_> {
    fn quoted(&self, part: Option<&Vec<u8>>) -> String {
        quoted(part.map_or(&[][..], Vec::as_slice), self.charset)
    }

    fn expected(&self) -> String {
        self.quoted(self.mismatch.expected.as_ref())
    }

    fn got(&self) -> String {
        self.quoted(self.mismatch.got.as_ref())
    }

    fn place(&self) -> String {
        let line = self.mismatch.line;
        match self.mismatch.token {
            None => format!("line {line}"),
            Some(token) => format!("line {line}, token {token}{}", self.output_line()),
        }
    }

    /// The line of the output, where it is another one than the answer's.
    fn output_line(&self) -> String {
        let row = self.mismatch.view.iter().find(|row| row.differs);
        match row.filter(|row| row.expected.is_some() && row.breaks_elsewhere()) {
            Some(row) if self.mismatch.kind != MismatchKind::ExtraOutput => {
                format!(" (line {} of the output)", row.got_number)
            }
            _ => String::new(),
        }
    }

    fn remark(&self) -> String {
        match self.mismatch.remark.as_str() {
            "" => String::new(),
            remark => format!("; {remark}"),
        }
    }

    fn value(&self) -> String {
        let sides = [self.mismatch.expected.as_deref(), self.mismatch.got.as_deref()];
        let numbers = sides.iter().flatten().all(|side| is_number(side));
        let [expected, got] = sides.map(|side| match side.unwrap_or_default() {
            number if numbers => excerpt(number, self.charset),
            text => quoted(text, self.charset),
        });
        format!("{}: expected {expected}, got {got}{}", self.place(), self.remark())
    }

    fn case(&self) -> String {
        let (place, expected, got) = (self.place(), self.expected(), self.got());
        let remark = self.remark();
        format!("{place}: differs only in case: expected {expected}, got {got}{remark}")
    }

    /// Lines that the answer has below the line of the difference.
    fn missing_lines(&self) -> Option<u64> {
        let totals = self.mismatch.totals?;
        Some(totals.expected_lines.saturating_sub(self.mismatch.line))
    }

    fn missing(&self) -> String {
        let place = self.place();
        if self.mismatch.token.is_some() {
            let more = more_lines(self.missing_lines());
            return format!("{place}: output ends here; expected {}{more}", self.expected());
        }
        match self.missing_lines() {
            None => format!("{place}: output ends here; expected more lines"),
            Some(count) => {
                format!("{place}: output ends here; expected {count} more {}", lines(count))
            }
        }
    }

    fn extra(&self) -> String {
        let (place, got, line) = (self.place(), self.got(), self.mismatch.line);
        let below = self.mismatch.totals.map(|totals| totals.got_lines.saturating_sub(line));
        if self.mismatch.token.is_some() {
            return format!("{place}: more than expected: {got}{}", more_lines(below));
        }
        match below {
            None => format!("{place}: more lines than expected, first {got}"),
            Some(0) => format!("{place}: 1 line more than expected, {got}"),
            Some(below) => format!("{place}: {} lines more than expected, first {got}", below + 1),
        }
    }

    fn empty(&self) -> String {
        match self.mismatch.totals {
            None => "no output at all".to_owned(),
            Some(Totals { expected_lines, .. }) => {
                format!("no output at all; expected {expected_lines} {}", lines(expected_lines))
            }
        }
    }

    fn order(&self) -> String {
        let (place, expected, got) = (self.mismatch.line, self.expected(), self.got());
        format!(
            "same lines in another order; first at line {place}: expected {expected}, got {got}"
        )
    }

    fn whitespace(&self) -> String {
        let (place, expected, got) = (self.place(), self.expected(), self.got());
        let mut text = format!("{place}: white space: expected {expected}, got {got}");
        if !self.mismatch.remark.is_empty() {
            let _ = write!(text, "; {} (--compare tokens accepts it)", self.mismatch.remark);
        }
        text
    }

    fn line_ending(&self) -> String {
        let name = |part: &Option<Vec<u8>>| match part.as_deref() {
            None | Some([]) => "nothing".to_owned(),
            Some(bytes) => escape(bytes, self.charset),
        };
        let (expected, got) = (name(&self.mismatch.expected), name(&self.mismatch.got));
        let (line, remark) = (self.mismatch.line, self.remark());
        format!("line {line} ends in {got}, expected {expected}{remark}")
    }

    fn presentation(&self) -> String {
        let (place, got) = (self.place(), self.got());
        format!("{place}: presentation error: {}: got {got}", self.mismatch.remark)
    }

    fn encoding(&self) -> String {
        format!("byte {} is not UTF-8: got {}", self.mismatch.byte, self.got())
    }
}

fn lines(count: u64) -> &'static str {
    if count == 1 { "line" } else { "lines" }
}

fn more_lines(count: Option<u64>) -> String {
    match count {
        None => " and more".to_owned(),
        Some(0) => String::new(),
        Some(count) => format!(" and {count} more {}", lines(count)),
    }
}

fn is_number(bytes: &[u8]) -> bool {
    let plain = bytes.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    plain && std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// The rows of a failure block below its headline: both sides around the difference, and how many
/// lines there are. No row is wider than 100 columns, apart from the words around a long line.
#[must_use]
pub fn block(mismatch: &Mismatch, charset: Charset) -> Vec<String> {
    let wide = mismatch.view.iter().any(|row| row.differs && is_wide(row, charset));
    let mut rows = if wide {
        mismatch.view.iter().filter(|row| row.differs).flat_map(|row| long(row, charset)).collect()
    } else {
        table(&mismatch.view, charset)
    };
    rows.extend(mismatch.totals.map(totals));
    rows
}

/// `7 lines expected, 7 lines got, 1 line differs`, indented.
pub(super) fn totals(totals: Totals) -> String {
    let Totals { expected_lines, got_lines, differing_lines } = totals;
    let (expected_word, got_word) = (lines(expected_lines), lines(got_lines));
    let mut text =
        format!("    {expected_lines} {expected_word} expected, {got_lines} {got_word} got");
    if let Some(differing) = differing_lines {
        let differ = if differing == 1 { "differs" } else { "differ" };
        let _ = write!(text, ", {differing} {} {differ}", lines(differing));
    }
    text
}

fn is_wide(row: &ViewRow, charset: Charset) -> bool {
    let wide = |line: &Option<Line>| {
        line.as_ref().is_some_and(|line| {
            line.cut_before + line.cut_after > 0 || width(&excerpt(&line.bytes, charset)) > CELL
        })
    };
    wide(&row.expected) || wide(&row.got)
}

/// Both sides of a row with a long line, one below the other.
fn long(row: &ViewRow, charset: Charset) -> Vec<String> {
    let side = |number: u64, name: &str, line: &Option<Line>| {
        let text = line.as_ref().map_or_else(String::new, |line| around(line, charset));
        let text = format!("    line {number}, {name:<9} {text}");
        text.trim_end().to_owned()
    };
    vec![side(row.number, "expected:", &row.expected), side(row.got_number, "got:", &row.got)]
}

/// The part of a long line around the marked part, which stands in brackets.
fn around(line: &Line, charset: Charset) -> String {
    let (start, end) = line.mark.unwrap_or((0, 0));
    let (start, end) = (start.min(line.bytes.len()), end.min(line.bytes.len()).max(start));
    let marked = clip(escape(&line.bytes[start..end], charset), WIDE / 2, charset);
    let columns = (WIDE - width(&marked) - 2 * width(ellipsis(charset)) - 4) / 2;
    let before = before_mark(line, start, columns, charset);
    let after = after_mark(line, end, columns, charset);
    let token = line
        .token_of
        .map_or_else(String::new, |(number, count)| format!(" (token {number} of {count})"));
    format!("{before}[{marked}]{after}{token}")
}

fn before_mark(line: &Line, start: usize, columns: usize, charset: Charset) -> String {
    let before = escape(&line.bytes[..start], charset);
    let shown = last(&before, columns);
    if line.cut_before == 0 && shown.len() == before.len() {
        return before;
    }
    let whole = shown.split_once(' ').map_or(shown, |(_, whole)| whole);
    format!("{} {whole}", ellipsis(charset))
}

fn after_mark(line: &Line, end: usize, columns: usize, charset: Charset) -> String {
    let after = excerpt(&line.bytes[end..], charset);
    if line.cut_after == 0 && width(&after) <= columns {
        return after;
    }
    let after = escape(&line.bytes[end..], charset);
    let shown = first(&after, columns);
    let whole = shown.rsplit_once(' ').map_or(shown, |(whole, _)| whole);
    format!("{whole} {}", ellipsis(charset))
}

fn table(view: &[ViewRow], charset: Charset) -> Vec<String> {
    let cell =
        |line: &Option<Line>| line.as_ref().map_or_else(String::new, |line| cell(line, charset));
    let cells: Vec<[String; 2]> = view
        .iter()
        .map(|row| [cell(&row.expected), output_number(row) + &cell(&row.got)])
        .collect();
    let carets = |line: &Option<Line>| carets(line.as_ref(), charset);
    let marks: Vec<[String; 2]> = view
        .iter()
        .map(|row| {
            let indent = " ".repeat(width(&output_number(row)));
            [carets(&row.expected), indent + &carets(&row.got)]
        })
        .collect();
    // A caret may stand behind the end of the longest line.
    let texts = cells.iter().chain(&marks);
    let left = texts.map(|[left, _]| width(left)).fold("expected".len(), usize::max);
    let row = |sign: char, number: &str, cells: &[String; 2]| {
        let [expected, got] = cells;
        let pad = " ".repeat(left - width(expected));
        format!("    {sign}{number:>6} | {expected}{pad} | {got}").trim_end().to_owned()
    };
    let mut rows = vec![row(' ', "line", &["expected", "got"].map(str::to_owned))];
    for ((line, cells), marks) in view.iter().zip(&cells).zip(&marks) {
        let sign = if line.differs { '>' } else { ' ' };
        rows.push(row(sign, &column_number(line), cells));
        if line.differs {
            rows.push(row(' ', "", marks));
        }
    }
    rows
}

/// The number of the row, unless only the output has it, with another number of its own.
fn column_number(row: &ViewRow) -> String {
    if row.expected.is_none() && row.breaks_elsewhere() {
        String::new()
    } else {
        row.number.to_string()
    }
}

/// The number of the output's line before its text, where it is not the answer's.
fn output_number(row: &ViewRow) -> String {
    if row.breaks_elsewhere() { format!("{}: ", row.got_number) } else { String::new() }
}

fn cell(line: &Line, charset: Charset) -> String {
    let text = excerpt(&line.bytes, charset);
    if line.cut_before == 0 && line.cut_after == 0 {
        return clip(text, CELL, charset);
    }
    let before = if line.cut_before > 0 { ellipsis(charset) } else { "" };
    let room = CELL - 2 * width(ellipsis(charset));
    format!("{before}{}{}", first(&text, room), ellipsis(charset))
}

/// Carets under the marked part.
fn carets(line: Option<&Line>, charset: Charset) -> String {
    let Some(Line { bytes, mark: Some((start, end)), .. }) = line else { return String::new() };
    let columns = |part: &[u8]| width(&escape(part, charset));
    let before = columns(&bytes[..*start]);
    let count = match excerpt(&bytes[*start..], charset) {
        text if *end == bytes.len() => width(&text),
        _ => columns(&bytes[*start..*end]),
    };
    " ".repeat(before) + &"^".repeat(count.max(1))
}

fn ellipsis(charset: Charset) -> &'static str {
    match charset {
        Charset::Unicode => "…",
        Charset::Ascii => "...",
    }
}

/// Columns of an escaped text: one for each character.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn first(text: &str, columns: usize) -> &str {
    text.char_indices().nth(columns).map_or(text, |(end, _)| &text[..end])
}

fn last(text: &str, columns: usize) -> &str {
    let skip = width(text).saturating_sub(columns);
    text.char_indices().nth(skip).map_or("", |(start, _)| &text[start..])
}

fn clip(text: String, columns: usize, charset: Charset) -> String {
    if width(&text) <= columns {
        return text;
    }
    let ellipsis = ellipsis(charset);
    format!("{}{ellipsis}", first(&text, columns - width(ellipsis)))
}
