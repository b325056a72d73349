//! The comparison for step summaries and comments: what has changed, the rest counted.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::text::{LISTS, timed};
use super::{LISTED, Names, ns, range, rule, small, summary, title, unchanged};
use crate::model::{CaseChange, Change, Comparison};
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
    let names = Names::of(comparison, look);
    let mut text = format!("{level} Baseline: {}\n\n", summary(comparison));
    let _ = writeln!(text, "{}", escaped(&title(comparison, look)));
    for reason in &comparison.not_comparable {
        let _ = writeln!(text, "\n**not comparable**: {}", escaped(&name(reason)));
    }
    table(&mut text, comparison, &names);
    if let Some(unchanged) = unchanged(comparison) {
        let _ = writeln!(text, "\nunchanged: {}", escaped(&unchanged));
    }
    if let Some(sum) = comparison.small.as_ref().filter(|sum| sum.change == Change::Same) {
        let line = format!("too small: {}, ratio {:.2}", small(sum), sum.weighed.ratio);
        let _ = writeln!(text, "\n{}", escaped(&line));
    }
    let ended = comparison.count(Change::Ended);
    if ended > 0 {
        let _ = writeln!(text, "\n{}", escaped(&super::ended(ended)));
    }
    for (change, word) in LISTS {
        list(&mut text, comparison, &names, change, word);
    }
    let _ = writeln!(text, "\n{}", escaped(&rule()));
    text
}

fn table(text: &mut String, comparison: &Comparison, names: &Names) {
    let rows = timed(comparison, names);
    if rows.is_empty() {
        return;
    }
    *text += "\n|  | case | base | head | ratio | 95 % range |\n|---|---|---:|---:|---:|---|\n";
    for row in rows.iter().take(ROWS) {
        let (weighed, case) = (&row.weighed, escaped(&name(&row.name)));
        let _ = writeln!(
            text,
            "| {} | {case} | {} | {} | {:.2} | {} |",
            row.word,
            ns(weighed.base_cpu_ns),
            ns(weighed.head_cpu_ns),
            weighed.ratio,
            range(weighed),
        );
    }
    if rows.len() > ROWS {
        let _ = writeln!(text, "\n{} rows more", rows.len() - ROWS);
    }
}

fn list(text: &mut String, comparison: &Comparison, names: &Names, change: Change, word: &str) {
    let all: Vec<&CaseChange> =
        comparison.cases.iter().filter(|case| case.change == change).collect();
    if all.is_empty() {
        return;
    }
    let one = |case: &&CaseChange| match case.remark.as_str() {
        "" => names.name(case),
        remark => format!("{} ({remark})", names.name(case)),
    };
    let shown: Vec<String> =
        all.iter().take(LISTED).map(|case| escaped(&name(&one(case)))).collect();
    let more = match all.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let _ = writeln!(text, "\n{word}: {}{more}", shown.join(", "));
}
