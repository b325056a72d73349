//! The verdict of every submission under several time limits, from one run of each case.

use std::fmt::Write as _;

use super::super::text::columns;
use super::View;
use super::quality::short;

/// A row for each submission, a column for each limit; nothing where there is one limit only.
pub(super) fn lines(view: &View) -> String {
    let limits = &view.plan.ladder.typed;
    if limits.is_empty() {
        return String::new();
    }
    let look = view.options.look;
    let heads: Vec<String> = limits.iter().map(|&limit| short(limit)).collect();
    let widths: Vec<usize> = heads.iter().map(|head| head.len().max(4)).collect();
    let names: Vec<String> =
        view.submissions().map(|at| look.name(&view.plan.submissions[at].name)).collect();
    let most = columns(names.iter().map(|name| name.chars().count()).max()).max(13);
    let line = |name: &str, cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:width$}"));
        let line = format!("{name:most$}{}", cells.collect::<String>());
        line.trim_end().to_owned() + "\n"
    };
    let mut text = String::from("\n");
    let _ = write!(text, "{}", line("verdict under", &heads));
    for (submission, name) in view.submissions().zip(&names) {
        let summary = &view.report.submissions[submission];
        let open = summary.summary.done() < summary.summary.planned;
        let cells: Vec<String> = (0..limits.len())
            .map(|rung| match summary.verdict_under(rung) {
                crate::model::Verdict::Accepted if open => "?".to_owned(),
                verdict => verdict.code().to_owned(),
            })
            .collect();
        text += &line(name, &cells);
    }
    text
}
