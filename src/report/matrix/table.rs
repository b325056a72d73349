//! The table: one row for each submission, one letter for each case; folded to one cell for each
//! test group where the terminal is too narrow.

use std::fmt::Write as _;

use super::super::text::{columns, styled};
use super::{View, mebibytes, short_name};
use crate::model::{Bound, CaseResult, Job, Limits, Status, Verdict};

/// The least width of the first column.
const NAMES: usize = 13;

/// How the cases of a group are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One letter each.
    Letters,
    /// `18/20 W@7`.
    Folded,
}

/// One submission.
struct Row {
    name: String,
    promise: String,
    cells: Vec<String>,
    verdict: String,
    word: Option<bool>,
    time: String,
    at: String,
    memory: String,
}

/// The table of a problem.
pub(super) fn table(view: &View) -> String {
    let groups = groups(view);
    let letters = render(view, &groups, Form::Letters);
    let widest = letters.lines().map(|line| anstream::adapter::strip_str(line).to_string());
    let widest = widest.map(|line| line.chars().count()).max().unwrap_or_default();
    match view.options.width {
        Some(width) if widest > width => render(view, &groups, Form::Folded),
        _ => letters,
    }
}

/// The test groups in the order of their first case, with the number of their cases.
fn groups(view: &View) -> Vec<(String, usize)> {
    let mut groups: Vec<(String, usize)> = Vec::new();
    for case in &view.plan.problems[view.problem].cases {
        match groups.iter_mut().find(|(name, _)| *name == case.group) {
            Some((_, number)) => *number += 1,
            None => groups.push((case.group.clone(), 1)),
        }
    }
    groups
}

fn render(view: &View, groups: &[(String, usize)], form: Form) -> String {
    let rows: Vec<Row> =
        view.submissions().map(|submission| row(view, submission, groups, form)).collect();
    let look = view.options.look;
    let names = columns(rows.iter().map(|row| row.name.chars().count()).max()).max(NAMES);
    let promises = columns(rows.iter().map(|row| row.promise.len()).max()).max(7);
    let at = columns(rows.iter().map(|row| row.at.chars().count()).max()).max(7);
    let title = |(name, number): &(String, usize)| match form {
        Form::Letters => numbers(*number),
        Form::Folded => look.name(name),
    };
    let widths: Vec<usize> = groups
        .iter()
        .enumerate()
        .map(|(position, group)| {
            let cells = rows.iter().map(|row| row.cells[position].chars().count());
            let heading = look.name(&group.0).chars().count().max(title(group).chars().count());
            columns(cells.max().max(Some(heading)))
        })
        .collect();
    let joined = |cells: &mut dyn Iterator<Item = String>| {
        let padded = cells.zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ")
    };
    let mut text = String::new();
    if form == Form::Letters && groups.iter().any(|(name, _)| !name.is_empty()) {
        let line = joined(&mut groups.iter().map(|(name, _)| look.name(name)));
        let _ = writeln!(text, "{}", format!("{:names$}  {:promises$}  {line}", "", "").trim_end());
    }
    let heads = joined(&mut groups.iter().map(title));
    let _ = writeln!(
        text,
        "{:names$}  {:promises$}  {heads}   verdict      max CPU   {:at$}   memory",
        "submission", "promise", "at case"
    );
    for row in &rows {
        let cells = joined(&mut row.cells.iter().cloned());
        let word = word(row.word);
        let line = format!(
            "{:names$}  {:promises$}  {cells}   {:4}  {word}  {:>8}   {:at$}   {:>8}",
            row.name, row.promise, row.verdict, row.time, row.at, row.memory
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// `ok` or `FAIL`, four columns wide whatever its colour.
fn word(kept: Option<bool>) -> String {
    match kept {
        Some(true) => format!("{}  ", styled("ok", Status::Pass)),
        Some(false) => styled("FAIL", Status::Fail),
        None => " ".repeat(4),
    }
}

/// `1234567890123`.
fn numbers(cases: usize) -> String {
    (1..=cases).map(|number| char::from(b'0' + (number % 10) as u8)).collect()
}

fn row(view: &View, submission: usize, groups: &[(String, usize)], form: Form) -> Row {
    let (of, summary) = (&view.plan.submissions[submission], &view.report.submissions[submission]);
    let cells: Vec<(Job, Option<&CaseResult>)> = view.cells(submission).collect();
    let cell = |(name, _): &(String, usize)| {
        let in_group =
            cells.iter().filter(|(job, _)| view.plan.case(*job).group == *name).map(|cell| cell.1);
        match form {
            Form::Letters => in_group.map(letter).collect(),
            Form::Folded => folded(&in_group.map(letter).collect::<Vec<_>>()),
        }
    };
    let slowest =
        cells.iter().filter_map(|(job, result)| Some((*job, (*result)?, result.as_ref()?.times?)));
    let slowest = slowest.max_by_key(|(job, _, times)| (times.cpu, std::cmp::Reverse(job.index)));
    let memory = cells.iter().filter_map(|cell| Some(cell.1?.ran.as_ref()?.memory.as_ref()?.bytes));
    let open = summary.summary.done() < summary.summary.planned;
    let undecided = open && summary.first.is_none();
    Row {
        name: view.options.look.name(&of.name),
        promise: if of.promised.is_some() { of.promise() } else { "-".into() },
        cells: groups.iter().map(cell).collect(),
        verdict: if undecided { "?".into() } else { summary.verdict().code().into() },
        word: summary.kept(of),
        time: slowest
            .map_or_else(String::new, |(job, result, _)| time(view.plan.run_limits(&job), result)),
        at: slowest.map_or_else(String::new, |(job, ..)| {
            view.options.look.name(short_name(view.plan, job))
        }),
        memory: memory.max().map_or_else(String::new, mebibytes),
    }
}

fn letter(result: Option<&CaseResult>) -> char {
    result.map_or('-', |result| result.verdict.letter())
}

/// `18/20 W@7`: accepted cases, all cases, the first one that was not accepted.
pub(in crate::report) fn folded(letters: &[char]) -> String {
    let passed = letters.iter().filter(|&&letter| letter == '.').count();
    let mut text = format!("{passed}/{}", letters.len());
    if let Some(first) = letters.iter().position(|letter| !matches!(letter, '.' | '-')) {
        let _ = write!(text, " {}@{}", letters[first], first + 1);
    }
    text
}

/// CPU time, or the limit at which the program was stopped with `>` before it.
fn time(limits: Limits, result: &CaseResult) -> String {
    let killed = result.ran.as_ref().and_then(|ran| ran.killed);
    match (limits.time, result.times) {
        (Some(limit), _) if result.verdict == Verdict::TimeLimit && killed == Some(Bound::Time) => {
            format!(">{:.3} s", limit.as_secs_f64())
        }
        (_, Some(times)) => format!("{:.3} s", times.cpu.as_secs_f64()),
        _ => String::new(),
    }
}
