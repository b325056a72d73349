//! Times: dots for each submission, times against sizes, the slowest runs.

use std::cmp::Reverse;
use std::time::Duration;

use super::super::text::duration;
use super::charts::{Axis, Dot, Plane, bar, scatter, strip, strip_axis};
use super::data::{Data, class, decimals, decisive, ms};
use super::growth::Growth;
use crate::model::{CaseResult, Job, Verdict};

/// Dots of all submissions of one problem on one axis.
pub(super) struct Strips {
    pub(super) problem: String,
    pub(super) rows: Vec<Strip>,
    pub(super) axis: String,
    pub(super) left_out: usize,
}

/// The dots of one submission.
pub(super) struct Strip {
    pub(super) name: String,
    pub(super) svg: String,
}

/// Submissions with dots, and with a chart of sizes, on the whole page.
const MOST_STRIPS: usize = 40;
const MOST_CHARTS: usize = 24;

/// The letter that is drawn instead of a dot.
fn letter(result: &CaseResult) -> Option<char> {
    (result.verdict != Verdict::Accepted).then(|| result.verdict.letter())
}

/// A run and its time in seconds.
type Timed<'a> = (Job, &'a CaseResult, f64);

/// Measured runs of a submission with their times in seconds.
fn runs<'a>(data: &Data<'a>, submission: usize) -> Vec<Timed<'a>> {
    let cells = data.cells(submission);
    let timed = cells.filter_map(|(job, result)| Some((job, result?, decisive(job, result?)?)));
    timed.map(|(job, result, time)| (job, result, time.as_secs_f64())).collect()
}

/// The dots of every problem.
pub(super) fn strips(data: &Data) -> Vec<Strips> {
    let mut left = MOST_STRIPS;
    let problems = 0..data.plan.problems.len();
    problems.filter_map(|problem| of_problem(data, problem, &mut left)).collect()
}

fn of_problem(data: &Data, problem: usize, left: &mut usize) -> Option<Strips> {
    let all: Vec<(usize, Vec<Timed>)> = data
        .submissions(problem)
        .map(|submission| (submission, runs(data, submission)))
        .filter(|(_, runs)| !runs.is_empty())
        .collect();
    let limit = |job: &Job| job.limits.time.map(|limit| limit.as_secs_f64());
    let limits: Vec<f64> =
        all.iter().flat_map(|(_, runs)| runs.iter().filter_map(|(job, ..)| limit(job))).collect();
    let times = all.iter().flat_map(|(_, runs)| runs.iter().map(|run| run.2));
    let axis = Axis::over(times.chain(limits.iter().copied()))?;
    let same = limits
        .first()
        .copied()
        .filter(|first| limits.iter().all(|limit| (limit - first).abs() < 1e-9));
    let shown = all.len().min(*left);
    *left -= shown;
    let rows: Vec<Strip> = all
        .iter()
        .take(shown)
        .map(|(submission, runs)| {
            let name = data.submission_name(*submission);
            let dots: Vec<Dot> = runs
                .iter()
                .map(|(_, result, time)| Dot { x: *time, y: 0.0, letter: letter(result) })
                .collect();
            let most = runs
                .iter()
                .filter_map(|(job, ..)| limit(job))
                .fold(None, |most: Option<f64>, limit| {
                    Some(most.map_or(limit, |most| most.max(limit)))
                });
            Strip { svg: strip(&axis, &dots, most, &label(&name, runs)), name }
        })
        .collect();
    let axis = strip_axis(&axis, same);
    Some(Strips { problem: data.problem_name(problem), left_out: all.len() - shown, rows, axis })
        .filter(|strips| !strips.rows.is_empty())
}

/// What a chart says to those who cannot see it.
fn label(name: &str, runs: &[Timed]) -> String {
    let least = runs.iter().map(|run| run.2).fold(f64::INFINITY, f64::min);
    let most = runs.iter().map(|run| run.2).fold(0.0, f64::max);
    let time = |seconds: f64| duration(Duration::from_secs_f64(seconds));
    format!("{name}: {} runs from {} to {}", runs.len(), time(least), time(most))
}

/// Times of one submission against the sizes of its inputs.
pub(super) struct Sizes {
    pub(super) name: String,
    pub(super) law: String,
    pub(super) svg: String,
}

/// A chart for each submission whose inputs differ in size.
pub(super) fn sizes(data: &Data) -> Vec<Sizes> {
    let several = data.plan.problems.len() > 1;
    let mut charts = Vec::new();
    for (submission, of) in data.plan.submissions.iter().enumerate() {
        if charts.len() == MOST_CHARTS {
            break;
        }
        let mut name = data.submission_name(submission);
        if several {
            name = format!("{}: {name}", data.problem_name(of.problem));
        }
        charts.extend(chart(data, submission, name));
    }
    charts
}

fn chart(data: &Data, submission: usize, name: String) -> Option<Sizes> {
    let runs = runs(data, submission);
    let size = |run: &Timed| run.1.input_bytes as f64;
    let sizes = runs.iter().map(size).filter(|&size| size >= 1.0);
    let least = sizes.clone().fold(f64::INFINITY, f64::min);
    let most = sizes.clone().fold(0.0, f64::max);
    if runs.len() < 4 || most < 4.0 * least {
        return None;
    }
    let plane =
        Plane { sizes: Axis::over(sizes)?, times: Axis::over(runs.iter().map(|run| run.2))? };
    let accepted: Vec<(f64, f64)> = runs
        .iter()
        .filter(|run| run.1.verdict == Verdict::Accepted)
        .map(|run| (size(run), run.2))
        .collect();
    let growth = Growth::of(&accepted);
    let law = growth.map_or_else(String::new, |growth| format!("{:.1}", growth.exponent));
    let line = growth.map(|growth| [growth.from, most].map(|size| (size, growth.at(size))));
    let dots: Vec<Dot> =
        runs.iter().map(|run| Dot { x: size(run), y: run.2, letter: letter(run.1) }).collect();
    let about = growth.map_or_else(String::new, |growth| {
        format!("; about n to the power of {:.1}, by {} runs", growth.exponent, growth.points)
    });
    let svg = scatter(&plane, &dots, line, &(label(&name, &runs) + &about));
    Some(Sizes { name, law, svg })
}

/// One of the slowest runs.
pub(super) struct Slow {
    pub(super) problem: String,
    pub(super) submission: String,
    pub(super) case: String,
    pub(super) verdict: &'static str,
    pub(super) class: &'static str,
    pub(super) time: String,
    pub(super) limit: String,
    pub(super) bar: String,
}

/// Runs that are listed.
const SLOWEST: usize = 20;

/// The slowest runs with bars: shares of the limit, or of the slowest time.
pub(super) fn slowest(data: &Data) -> Vec<Slow> {
    let mut runs: Vec<(Duration, Job, &CaseResult)> = data
        .done()
        .filter_map(|(job, result)| Some((decisive(job, result)?, job, result)))
        .collect();
    runs.sort_by_key(|(time, job, _)| (Reverse(*time), job.index));
    runs.truncate(SLOWEST);
    let most = runs.first().map_or(Duration::ZERO, |run| run.0);
    let share =
        |time: Duration| if most.is_zero() { 0.0 } else { time.as_secs_f64() / most.as_secs_f64() };
    runs.into_iter()
        .map(|(time, job, result)| Slow {
            problem: data.problem_name(job.problem),
            submission: data.submission_name(job.submission),
            case: data.case_name(job),
            verdict: result.verdict.code(),
            class: class(result.verdict),
            time: ms(time, decimals(most)),
            limit: data
                .share(job, result)
                .map_or_else(String::new, |share| format!("{:.0} %", share * 100.0)),
            bar: bar(data.share(job, result).unwrap_or_else(|| share(time))),
        })
        .collect()
}
