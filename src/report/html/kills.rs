//! Which cases stop which wrong submissions: the worth of test data. Pure.

use std::collections::HashMap;

use super::data::{Data, shown};
use crate::model::{CaseResult, Job, Verdict};

/// The cases of a problem against its wrong submissions.
pub(super) struct Kills {
    pub(super) problem: String,
    /// The wrong submissions: the columns.
    pub(super) wrong: Vec<String>,
    /// Wrong submissions without a column.
    pub(super) wrong_left_out: usize,
    /// Cases that stop one at least.
    pub(super) rows: Vec<Row>,
    /// Such cases that are left out.
    pub(super) left_out: usize,
    /// Cases that no wrong submission fails.
    pub(super) idle: Vec<String>,
    /// Groups of cases that stop the same submissions.
    pub(super) twins: Vec<Vec<String>>,
    /// Whether some wrong submissions were not run on all cases.
    pub(super) partial: bool,
}

/// A case that stops something.
pub(super) struct Row {
    pub(super) case: String,
    pub(super) cells: Vec<(&'static str, char)>,
    pub(super) stops: usize,
    /// The submissions that only this case stops.
    pub(super) alone: Vec<String>,
}

/// Rows and columns that are shown.
const MOST_ROWS: usize = 200;
const MOST_COLUMNS: usize = 40;

/// Cases of one list that are named.
const MOST_NAMES: usize = 100;

/// Whether a case stops a submission; none where it was not run.
type Stops = Option<bool>;

impl Kills {
    /// The table of a problem, if it has a wrong submission.
    pub(super) fn new(data: &Data, problem: usize) -> Option<Self> {
        let wrong: Vec<usize> =
            data.submissions(problem).filter(|&one| is_wrong(data, one)).collect();
        let first = *wrong.first()?;
        let cells: Vec<Vec<(Job, Option<&CaseResult>)>> =
            wrong.iter().map(|&one| data.cells(one).collect()).collect();
        let columns: Vec<Vec<Stops>> =
            cells.iter().map(|cells| cells.iter().map(|cell| stops(cell.1)).collect()).collect();
        let names: Vec<String> = data.cells(first).map(|(job, _)| data.case_name(job)).collect();
        let of_case = |case: usize| columns.iter().map(move |column| column[case]);
        let submissions: Vec<String> = wrong.iter().map(|&one| data.submission_name(one)).collect();
        let alone = alone(&columns);
        let mut rows: Vec<Row> = (0..names.len())
            .filter(|&case| of_case(case).any(|stops| stops == Some(true)))
            .map(|case| Row {
                case: names[case].clone(),
                cells: cells.iter().take(MOST_COLUMNS).map(|column| cell(column[case].1)).collect(),
                stops: of_case(case).filter(|stops| *stops == Some(true)).count(),
                alone: listed(only(&alone, case).map(|one| submissions[one].clone()).collect()),
            })
            .collect();
        let left_out = rows.len().saturating_sub(MOST_ROWS);
        rows.truncate(MOST_ROWS);
        let idle = (0..names.len()).filter(|&case| of_case(case).all(|stops| stops == Some(false)));
        Some(Self {
            problem: shown(&data.plan.problems[problem].name),
            partial: columns.iter().flatten().any(Option::is_none),
            idle: listed(idle.map(|case| names[case].clone()).collect()),
            twins: twins(&columns, &names),
            wrong_left_out: submissions.len().saturating_sub(MOST_COLUMNS),
            wrong: submissions.into_iter().take(MOST_COLUMNS).collect(),
            rows,
            left_out,
        })
    }
}

/// Whether a program ran and is not accepted as a whole.
fn is_wrong(data: &Data, submission: usize) -> bool {
    let summary = data.report.submissions.get(submission);
    let says_nothing = [
        Verdict::Accepted,
        Verdict::Skipped,
        Verdict::JudgeError,
        Verdict::CompileError,
        Verdict::NoAnswer,
    ];
    data.plan.submissions[submission].path.is_some()
        && summary.is_some_and(|summary| !says_nothing.contains(&summary.verdict()))
}

fn stops(result: Option<&CaseResult>) -> Stops {
    match result?.verdict {
        Verdict::Skipped | Verdict::JudgeError | Verdict::NoAnswer => None,
        verdict => Some(verdict != Verdict::Accepted),
    }
}

fn cell(result: Option<&CaseResult>) -> (&'static str, char) {
    result
        .map_or(("sk", '-'), |result| (super::data::class(result.verdict), result.verdict.letter()))
}

/// For each submission the only case that stops it, where all its cases were run.
fn alone(columns: &[Vec<Stops>]) -> Vec<Option<usize>> {
    let only = |column: &Vec<Stops>| {
        let mut stopping = column.iter().enumerate().filter(|(_, stops)| **stops == Some(true));
        let first = stopping.next()?.0;
        let known = column.iter().all(Option::is_some);
        (known && stopping.next().is_none()).then_some(first)
    };
    columns.iter().map(only).collect()
}

/// The submissions that only this case stops.
fn only(alone: &[Option<usize>], case: usize) -> impl Iterator<Item = usize> {
    alone.iter().enumerate().filter(move |(_, one)| **one == Some(case)).map(|(place, _)| place)
}

/// Cases that stop the same submissions, where all of them ran.
fn twins(columns: &[Vec<Stops>], names: &[String]) -> Vec<Vec<String>> {
    let mut places: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut groups: Vec<Vec<String>> = Vec::new();
    for (case, name) in names.iter().enumerate() {
        let known: Option<Vec<bool>> = columns.iter().map(|column| column[case]).collect();
        let Some(key) = known.filter(|stops| stops.contains(&true)) else { continue };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(name.clone());
    }
    groups.into_iter().filter(|group| group.len() > 1).take(MOST_NAMES).map(listed).collect()
}

/// At most so many names, and how many more there are.
fn listed(mut names: Vec<String>) -> Vec<String> {
    if names.len() > MOST_NAMES {
        let more = names.len() - MOST_NAMES;
        names.truncate(MOST_NAMES);
        names.push(format!("{more} more"));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const Y: Stops = Some(true);
    const N: Stops = Some(false);

    #[test]
    fn a_case_is_alone_only_where_all_others_were_run() {
        assert_eq!(alone(&[vec![N, Y, N], vec![Y, Y, N], vec![N, Y, None]]), [Some(1), None, None]);
    }

    #[test]
    fn cases_with_equal_columns_are_twins() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).into();
        let columns = [vec![Y, N, Y, N, Y], vec![N, N, N, N, None]];
        assert_eq!(twins(&columns, &names), [["a", "c"]]);
    }
}
