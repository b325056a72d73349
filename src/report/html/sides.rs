//! Both sides around a difference, line by line, with the differing part apart.

use super::super::excerpt::{Charset, escape, excerpt};
use crate::model::{Line, Mismatch, ViewRow};

/// One line of both sides.
pub(super) struct Row {
    pub(super) number: String,
    pub(super) differs: bool,
    pub(super) expected: Part,
    pub(super) got: Part,
}

/// A line in three parts; the middle one differs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) before: String,
    pub(super) marked: Option<String>,
    pub(super) after: String,
}

/// The rows of a mismatch.
pub(super) fn rows(mismatch: &Mismatch) -> Vec<Row> {
    mismatch.view.iter().map(row).collect()
}

fn row(row: &ViewRow) -> Row {
    let part = |line: &Option<Line>| line.as_ref().map_or_else(Part::default, part);
    let mut got = part(&row.got);
    let elsewhere = row.breaks_elsewhere();
    if elsewhere {
        got.before.insert_str(0, &format!("{}: ", row.got_number));
    }
    let number =
        if row.expected.is_none() && elsewhere { String::new() } else { row.number.to_string() };
    Row { number, differs: row.differs, expected: part(&row.expected), got }
}

fn part(line: &Line) -> Part {
    const SET: Charset = Charset::Unicode;
    let bytes = &line.bytes;
    let cut = |bytes: u64| if bytes > 0 { "…" } else { "" };
    let tail = line
        .token_of
        .map_or_else(String::new, |(number, count)| format!(" (token {number} of {count})"));
    let behind = cut(line.cut_after).to_owned() + &tail;
    let Some((start, end)) = line.mark else {
        let text = excerpt(bytes, SET);
        return Part {
            before: cut(line.cut_before).to_owned() + &text,
            marked: None,
            after: behind,
        };
    };
    let start = start.min(bytes.len());
    let end = end.clamp(start, bytes.len());
    let last = end == bytes.len();
    let marked = &bytes[start..end];
    Part {
        before: cut(line.cut_before).to_owned() + &escape(&bytes[..start], SET),
        marked: Some(if last { excerpt(marked, SET) } else { escape(marked, SET) }),
        after: excerpt(&bytes[end..], SET) + &behind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_at_its_mark_and_blanks_at_its_end_show() {
        let line = Line {
            bytes: b"1 2 \x1b".to_vec(),
            mark: Some((2, 3)),
            cut_after: 4,
            ..Line::default()
        };
        let expected =
            Part { before: "1 ".into(), marked: Some("2".into()), after: " \\x1b…".into() };
        assert_eq!(part(&line), expected);
        let line = Line { bytes: b"1  ".to_vec(), mark: Some((1, 3)), ..Line::default() };
        let expected =
            Part { before: "1".into(), marked: Some("··".into()), after: String::new() };
        assert_eq!(part(&line), expected);
        let line = Line { bytes: b"1".to_vec(), mark: Some((7, 9)), ..Line::default() };
        assert_eq!(part(&line).marked, Some(String::new()));
    }
}
