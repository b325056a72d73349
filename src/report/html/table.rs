//! All results, one a row: what the filters of the page act on.

use std::time::Duration;

use super::blocks::Blocks;
use super::data::{Data, class, decimals, decisive, ms, said, shown};
use super::is_unexpected;
use crate::model::{CaseResult, Job};

/// The table of all results.
#[expect(clippy::struct_excessive_bools, reason = "each is a column that may be left out")]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    /// Results without a row.
    pub(super) left_out: usize,
    /// Whether there are several problems, submissions, groups: else their column is left out.
    pub(super) problems: bool,
    pub(super) submissions: bool,
    pub(super) groups: bool,
    pub(super) times: bool,
    pub(super) limits: bool,
    pub(super) memory: bool,
}

/// One result.
pub(super) struct Row {
    pub(super) problem: String,
    pub(super) submission: String,
    pub(super) group: String,
    pub(super) case: String,
    pub(super) verdict: &'static str,
    pub(super) class: &'static str,
    pub(super) link: Option<usize>,
    pub(super) status: &'static str,
    pub(super) time: String,
    pub(super) share: String,
    pub(super) wall: String,
    pub(super) memory: String,
    pub(super) message: String,
}

/// Rows of the table: results that are not as expected come first when some are left out.
const MOST_ROWS: usize = 10_000;

/// Characters of a message in a row.
const MOST_MESSAGE: usize = 120;

impl Table {
    pub(super) fn new(data: &Data, blocks: &Blocks) -> Self {
        let mut chosen: Vec<(Job, &CaseResult)> = data.done().collect();
        let all = chosen.len();
        if all > MOST_ROWS {
            chosen.sort_by_key(|(job, result)| (!is_unexpected(result), job.index));
            chosen.truncate(MOST_ROWS);
            chosen.sort_by_key(|(job, _)| job.index);
        }
        let most = chosen.iter().filter_map(|(job, result)| decisive(*job, result)).max();
        let decimals = decimals(most.unwrap_or(Duration::ZERO));
        let measured = data.is_measured() && most.is_some();
        let rows: Vec<Row> =
            chosen.iter().map(|(job, result)| row(data, *job, result, blocks, decimals)).collect();
        let mut names: Vec<&str> =
            data.plan.submissions.iter().map(|one| one.name.as_str()).collect();
        names.dedup();
        Self {
            left_out: all - rows.len(),
            problems: data.plan.problems.len() > 1,
            submissions: names.len() > 1,
            groups: rows.iter().any(|row| !row.group.is_empty()),
            times: measured,
            limits: rows.iter().any(|row| !row.share.is_empty()),
            memory: rows.iter().any(|row| !row.memory.is_empty()),
            rows,
        }
    }

    /// The columns of numbers, from 1.
    pub(super) fn numbers(&self) -> Vec<usize> {
        let columns = [
            (self.problems, false),
            (self.submissions, false),
            (self.groups, false),
            (true, false),
            (true, false),
            (true, false),
            (self.times, true),
            (self.limits, true),
            (self.times, true),
            (self.memory, true),
        ];
        let shown = columns.into_iter().filter(|(shown, _)| *shown).enumerate();
        shown.filter(|(_, (_, number))| *number).map(|(place, _)| place + 1).collect()
    }
}

fn row(data: &Data, job: Job, result: &CaseResult, blocks: &Blocks, decimals: usize) -> Row {
    let measured = data.is_measured();
    let time = |time: Option<Duration>| {
        time.filter(|_| measured).map_or_else(String::new, |time| ms(time, decimals))
    };
    let memory = result.ran.as_ref().and_then(|ran| ran.memory.as_ref()).filter(|_| measured);
    Row {
        problem: data.problem_name(job.problem),
        submission: data.submission_name(job.submission),
        group: shown(&data.plan.case(job).group),
        case: data.stem(job),
        verdict: result.verdict.code(),
        class: class(result.verdict),
        link: blocks.has(job.index).then_some(job.index),
        status: result.status.word(),
        time: time(decisive(job, result)),
        share: data
            .share(job, result)
            .map_or_else(String::new, |share| format!("{:.0}", share * 100.0)),
        wall: time(result.times.map(|times| times.wall)),
        memory: memory.map_or_else(String::new, |memory| {
            format!("{:.1}", memory.bytes as f64 / f64::from(1 << 20))
        }),
        message: message(result),
    }
}

fn message(result: &CaseResult) -> String {
    let text = said(result);
    match text.char_indices().nth(MOST_MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
