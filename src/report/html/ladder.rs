//! The verdict of every submission under several time limits, from one run of each case.

use super::super::matrix::short_time;
use super::data::{Data, class};
use crate::model::Verdict;

/// A row for each submission, a column for each limit.
pub(super) struct Ladder {
    pub(super) limits: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// Submissions without a row.
    pub(super) left_out: usize,
}

/// The verdicts of one submission.
pub(super) struct Row {
    pub(super) problem: String,
    pub(super) submission: String,
    /// Class and verdict under each limit.
    pub(super) cells: Vec<(&'static str, &'static str)>,
}

/// Submissions that have a row.
const MOST: usize = 1000;

/// The verdicts under each limit; none where there is one limit only.
pub(super) fn ladder(data: &Data) -> Option<Ladder> {
    let limits = &data.plan.ladder.typed;
    if limits.is_empty() {
        return None;
    }
    let submissions = data.plan.submissions.len();
    Some(Ladder {
        limits: limits.iter().map(|&limit| short_time(limit)).collect(),
        rows: (0..submissions.min(MOST)).map(|submission| row(data, submission)).collect(),
        left_out: submissions.saturating_sub(MOST),
    })
}

fn row(data: &Data, submission: usize) -> Row {
    let summary = &data.report.submissions[submission];
    let open = summary.summary.done() < summary.summary.planned;
    let rungs = 0..data.plan.ladder.typed.len();
    let cell = |rung| match summary.verdict_under(rung) {
        Verdict::Accepted if open => (class(Verdict::Skipped), "?"),
        verdict => (class(verdict), verdict.code()),
    };
    Row {
        problem: data.problem_name(data.plan.submissions[submission].problem),
        submission: data.submission_name(submission),
        cells: rungs.map(cell).collect(),
    }
}
