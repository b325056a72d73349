//! The comparison for step summaries and comments: what has changed, the rest counted.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Lines, lines, rule, summary, title};
use crate::model::Comparison;
use crate::report::Look;
use crate::report::excerpt::Charset;
use crate::report::fault::name;
use crate::report::markdown::escaped;

/// Rows of the table that are shown.
const ROWS: usize = 200;

pub(super) fn write(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    out.write_all(section(comparison, "#").as_bytes())
}

/// The whole text under a heading of this level.
pub(in crate::report) fn section(comparison: &Comparison, level: &str) -> String {
    let look = Look { charset: Charset::Unicode };
    let Lines { rows, others } = lines(comparison, look);
    let mut text = format!("{level} Baseline: {}\n\n", summary(comparison));
    let _ = writeln!(text, "{}", escaped(&title(comparison, look)));
    for reason in &comparison.not_comparable {
        let _ = writeln!(text, "\n**not comparable**: {}", escaped(&name(reason)));
    }
    table(&mut text, &rows);
    for line in others.into_iter().chain([rule()]) {
        let _ = writeln!(text, "\n{}", escaped(&line));
    }
    text
}

fn table(text: &mut String, rows: &[[String; 6]]) {
    if rows.is_empty() {
        return;
    }
    *text += "\n|  | case | base | head | ratio | 95 % range |\n|---|---|---:|---:|---:|---|\n";
    for [word, case, base, head, ratio, range] in rows.iter().take(ROWS) {
        let case = escaped(&name(case));
        let _ = writeln!(text, "| {word} | {case} | {base} | {head} | {ratio} | {range} |");
    }
    if rows.len() > ROWS {
        let _ = writeln!(text, "\n{} rows more", rows.len() - ROWS);
    }
}
