//! Submissions against cases: a letter for each run, darker the nearer it came to its limit.

use super::super::matrix::mebibytes;
use super::blocks::Blocks;
use super::data::{Data, class, decimals, decisive, groups, ms, shade, shown};
use super::is_unexpected;
use crate::model::{CaseResult, Job, Verdict};

/// The table of one problem.
pub(super) struct Matrix {
    pub(super) problem: String,
    pub(super) summary: String,
    pub(super) groups: Vec<Group>,
    pub(super) rows: Vec<Row>,
    /// One letter a case, or one cell a test group.
    pub(super) form: Form,
    /// What the shades are a share of.
    pub(super) shades: &'static str,
    pub(super) has_memory: bool,
    pub(super) has_times: bool,
    /// Whether a submission promises anything.
    pub(super) has_promises: bool,
}

/// How the cases are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A column for each case.
    Letters,
    /// A line of letters that may wrap, for a single submission.
    Wrapped,
    /// A cell such as `18/20 W@7` for each test group.
    Folded,
}

/// A test group: its name and the names of its cases.
pub(super) struct Group {
    pub(super) name: String,
    pub(super) cases: Vec<String>,
}

/// One submission.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) promise: String,
    pub(super) groups: Vec<Vec<Cell>>,
    pub(super) folded: Vec<String>,
    pub(super) verdict: &'static str,
    pub(super) class: &'static str,
    pub(super) passed: usize,
    pub(super) cases: usize,
    pub(super) word: &'static str,
    pub(super) time: String,
    pub(super) memory: String,
}

/// One run.
pub(super) struct Cell {
    pub(super) letter: char,
    pub(super) class: String,
    /// The block that tells more.
    pub(super) link: Option<usize>,
    pub(super) title: String,
}

/// Cells of all tables; more are folded.
const MOST_CELLS: usize = 20_000;

/// Cells of all tables that tell case and time under the pointer.
const MOST_TITLES: usize = 4_000;

impl Matrix {
    /// The table of a problem.
    pub(super) fn new(data: &Data, problem: usize, blocks: &Blocks) -> Self {
        let submissions: Vec<usize> = data.submissions(problem).collect();
        let form = match submissions.len() {
            _ if data.plan.jobs.len() > MOST_CELLS => Form::Folded,
            1 => Form::Wrapped,
            _ => Form::Letters,
        };
        let cases = &data.plan.problems[problem].cases;
        let groups = groups(data.plan, problem);
        let limited =
            data.plan.jobs.iter().any(|job| job.problem == problem && job.limits.time.is_some());
        let slowest = data
            .done()
            .filter(|(job, _)| job.problem == problem)
            .filter_map(|(job, result)| decisive(job, result))
            .max();
        let shares = Shares {
            data,
            decimals: decimals(slowest.unwrap_or_default()),
            slowest: slowest
                .filter(|_| !limited && data.is_measured())
                .map(|time| time.as_secs_f64()),
        };
        let rows: Vec<Row> =
            submissions.iter().map(|&one| row(&shares, one, &groups, form, blocks)).collect();
        Self {
            problem: data.problem_name(problem),
            summary: format!(
                "{}, {}",
                super::super::text::count(cases.len(), "case"),
                super::super::text::count(submissions.len(), "submission")
            ),
            groups: groups
                .iter()
                .map(|(name, places)| Group {
                    name: shown(name),
                    cases: places.iter().map(|&place| shown(&cases[place].name)).collect(),
                })
                .collect(),
            form,
            shades: match (data.is_measured(), limited) {
                (false, _) => "",
                (true, true) => "the time limit",
                (true, false) => "the slowest time",
            },
            has_memory: rows.iter().any(|row| !row.memory.is_empty()),
            has_times: rows.iter().any(|row| !row.time.is_empty()),
            has_promises: submissions
                .iter()
                .any(|&one| data.plan.submissions[one].promised.is_some()),
            rows,
        }
    }

    /// Columns between the promise and the first case.
    pub(super) fn columns(&self) -> usize {
        2 + usize::from(self.has_times) + usize::from(self.has_memory)
    }

    /// Whether the groups have names.
    pub(super) fn has_groups(&self) -> bool {
        self.groups.iter().any(|group| !group.name.is_empty())
    }
}

/// How dark a cell is.
struct Shares<'a> {
    data: &'a Data<'a>,
    /// The greatest time in seconds, where there is no limit.
    slowest: Option<f64>,
    /// Decimals of the milliseconds.
    decimals: usize,
}

impl Shares<'_> {
    fn of(&self, job: Job, result: &CaseResult) -> Option<f64> {
        let used =
            || Some(decisive(job, result)?.as_secs_f64() / self.slowest.filter(|&s| s > 0.0)?);
        self.data.share(job, result).or_else(used)
    }
}

fn row(
    shares: &Shares,
    submission: usize,
    groups: &[(&str, Vec<usize>)],
    form: Form,
    blocks: &Blocks,
) -> Row {
    let data = shares.data;
    let of = &data.plan.submissions[submission];
    let cells: Vec<(Job, Option<&CaseResult>)> = data.cells(submission).collect();
    let summary = data.report.submissions.get(submission).cloned().unwrap_or_default();
    let results = || cells.iter().filter_map(|(job, result)| Some((*job, (*result)?)));
    let slowest = results()
        .filter_map(|(job, result)| decisive(job, result))
        .max()
        .filter(|_| data.is_measured());
    let memory = results()
        .filter_map(|(_, result)| Some(result.ran.as_ref()?.memory.as_ref()?.bytes))
        .max()
        .filter(|_| data.is_measured());
    let open = summary.summary.done() < summary.summary.planned && summary.first.is_none();
    let of_group = |places: &Vec<usize>| {
        places.iter().filter_map(|&place| cells.get(place)).copied().collect::<Vec<_>>()
    };
    let letters = |places: &Vec<usize>| {
        of_group(places)
            .into_iter()
            .map(|(job, result)| cell(shares, job, result, blocks))
            .collect()
    };
    let folded = form == Form::Folded;
    Row {
        name: data.submission_name(submission),
        language: shown(&of.language),
        promise: of.promise().replace('|', " or "),
        groups: if folded {
            Vec::new()
        } else {
            groups.iter().map(|(_, places)| letters(places)).collect()
        },
        folded: if folded {
            groups.iter().map(|(_, places)| fold(&of_group(places))).collect()
        } else {
            Vec::new()
        },
        verdict: if open { "?" } else { summary.verdict().code() },
        class: if open { "sk" } else { class(summary.verdict()) },
        passed: results().filter(|(_, result)| result.verdict == Verdict::Accepted).count(),
        cases: cells.len(),
        word: match summary.kept(of) {
            Some(true) => "ok",
            Some(false) => "FAIL",
            None => "",
        },
        time: slowest.map_or_else(String::new, |time| ms(time, shares.decimals)),
        memory: memory.map_or_else(String::new, mebibytes),
    }
}

fn cell(shares: &Shares, job: Job, result: Option<&CaseResult>, blocks: &Blocks) -> Cell {
    let case = shares.data.case_name(job);
    let Some(result) = result else {
        return Cell {
            letter: '-',
            class: "sk".into(),
            link: None,
            title: format!("{case}: not run"),
        };
    };
    let mut style = class(result.verdict).to_owned();
    if result.verdict == Verdict::Accepted {
        style = format!("s{}", shade(shares.of(job, result)));
    }
    if is_unexpected(result) {
        style += " x";
    }
    let time = decisive(job, result).filter(|_| shares.data.is_measured());
    let time = time.map_or_else(String::new, |time| format!(", {} ms", ms(time, shares.decimals)));
    let titled = shares.data.plan.jobs.len() <= MOST_TITLES;
    let title =
        if titled { format!("{case}: {}{time}", result.verdict.code()) } else { String::new() };
    Cell {
        letter: result.verdict.letter(),
        class: style,
        link: blocks.has(job.index).then_some(job.index),
        title,
    }
}

/// `18/20 W@7`: accepted cases, all cases, the first one that was not accepted.
fn fold(cells: &[(Job, Option<&CaseResult>)]) -> String {
    let letters: Vec<char> =
        cells.iter().map(|(_, result)| result.map_or('-', |one| one.verdict.letter())).collect();
    super::super::matrix::folded(&letters)
}
