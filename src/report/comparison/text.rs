//! The table for terminals.

use std::io::{self, Write};

use super::{LISTED, Names, ns, range, rule, small, summary, title, unchanged};
use crate::model::{CaseChange, Change, Comparison, Weighed};
use crate::report::Look;

/// The width of the first column.
const WORD: usize = 12;

/// The least width of the times.
const TIME: usize = 8;

pub(super) fn write(out: &mut impl Write, comparison: &Comparison, look: Look) -> io::Result<()> {
    let names = Names::of(comparison, look);
    writeln!(out, "{}", title(comparison, look))?;
    for reason in &comparison.not_comparable {
        writeln!(out, "note: not comparable: {}", look.name(reason))?;
    }
    writeln!(out, "{}", rule())?;
    rows(out, comparison, &names)?;
    if let Some(unchanged) = unchanged(comparison) {
        writeln!(out, "{:WORD$}{unchanged}", "unchanged")?;
    }
    if let Some(sum) = comparison.small.as_ref().filter(|sum| sum.change == Change::Same) {
        writeln!(out, "{:WORD$}{}, ratio {:.2}", "too small", small(sum), sum.weighed.ratio)?;
    }
    let ended = comparison.count(Change::Ended);
    if ended > 0 {
        writeln!(out, "{:WORD$}{}", "ended", super::ended(ended))?;
    }
    for (change, word) in LISTS {
        list(out, comparison, &names, change, word)?;
    }
    writeln!(out, "{}", summary(comparison))
}

/// What is listed by name only.
pub(super) const LISTS: [(Change, &str); 4] = [
    (Change::Verdict, "verdict"),
    (Change::Input, "other input"),
    (Change::New, "new"),
    (Change::Removed, "removed"),
];

/// The cases with times.
fn rows(out: &mut impl Write, comparison: &Comparison, names: &Names) -> io::Result<()> {
    let rows = timed(comparison, names);
    if rows.is_empty() {
        return Ok(());
    }
    let most = |width: fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or_default();
    let name = most(|row| row.name.chars().count()).max(4);
    let time = most(|row| 1 + ns(row.weighed.base_cpu_ns).len()).max(TIME);
    let before = time - 1;
    let header = format!("{:name$}{:>before$}{:>10}{:>8}", "case", "base", "head", "ratio");
    writeln!(out, "{:WORD$}{header}   95 % range", "")?;
    for Row { word, name: text, weighed } in rows {
        let (base, head) = (ns(weighed.base_cpu_ns), ns(weighed.head_cpu_ns));
        let (ratio, range) = (weighed.ratio, range(&weighed));
        writeln!(out, "{word:WORD$}{text:name$}{base:>time$}{head:>10}{ratio:>7.2}   {range}")?;
    }
    Ok(())
}

pub(super) struct Row {
    pub(super) word: &'static str,
    pub(super) name: String,
    pub(super) weighed: Weighed,
}

/// Slower ones first, then faster ones, then those that are unclear.
pub(super) fn timed(comparison: &Comparison, names: &Names) -> Vec<Row> {
    let words =
        [(Change::Slower, "SLOWER"), (Change::Faster, "faster"), (Change::Unclear, "unclear")];
    let mut rows = Vec::new();
    for (change, word) in words {
        let cases = comparison.cases.iter().filter(|case| case.change == change);
        let row =
            |case: &CaseChange| Some(Row { word, name: names.name(case), weighed: case.weighed? });
        rows.extend(cases.filter_map(row));
        let sum = comparison.small.as_ref().filter(|sum| sum.change == change);
        rows.extend(sum.map(|sum| Row { word, name: small(sum), weighed: sum.weighed }));
    }
    rows
}

fn list(
    out: &mut impl Write,
    comparison: &Comparison,
    names: &Names,
    change: Change,
    word: &str,
) -> io::Result<()> {
    let all: Vec<&CaseChange> =
        comparison.cases.iter().filter(|case| case.change == change).collect();
    for case in all.iter().take(LISTED) {
        let remark = match case.remark.as_str() {
            "" => String::new(),
            remark => format!(": {}", names.look.name(remark)),
        };
        writeln!(out, "{word:WORD$}{}{remark}", names.name(case))?;
    }
    match all.len().checked_sub(LISTED) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(out, "{word:WORD$}{more} more"),
    }
}
