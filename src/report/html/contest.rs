//! The page on people and points: a ranking, and what each one got on each problem.
//!
//! A problem is worth 100 points, shared equally by its cases; an accepted case gives its share, one
//! with a score its part of it.
//! Equal totals share a rank, and the ranks behind them stay free.

use std::collections::HashMap;

use askama::Template;

use super::super::matrix::mebibytes;
use super::super::text::count;
use super::compilation::{Build, builds};
use super::data::{Data, class, decimals, decisive, groups, ms, said, shade, shown};
use super::head::{Head, configuration};
use super::page::{SCRIPT, STYLE};
use crate::model::{CaseResult, Job, Verdict};

/// The points of a whole problem.
const FULL: f64 = 100.0;

/// All that the page shows.
#[derive(Template)]
#[template(path = "contest.html")]
pub(super) struct Contest {
    head: Head,
    style: &'static str,
    script: &'static str,
    problems: Vec<Problem>,
    people: Vec<Person>,
    best: String,
    mean: String,
    /// Whether every run is listed.
    detailed: bool,
    builds: Vec<Build>,
    configuration: Vec<(&'static str, String)>,
}

/// A problem and how it went.
struct Problem {
    name: String,
    cases: usize,
    answered: usize,
    full: usize,
    mean: String,
}

/// One person.
struct Person {
    name: String,
    rank: usize,
    total: f64,
    tasks: Vec<Option<Task>>,
}

/// What a person got on a problem.
struct Task {
    problem: String,
    language: String,
    points: f64,
    accepted: usize,
    cases: usize,
    verdict: &'static str,
    class: &'static str,
    time: String,
    memory: String,
    groups: Vec<Group>,
}

/// What a person got on a test group.
struct Group {
    name: String,
    points: String,
    most: String,
    cases: Vec<Case>,
}

/// What a person got on a case.
struct Case {
    name: String,
    letter: char,
    verdict: &'static str,
    class: &'static str,
    /// The class of the cell, as dark as the run was long.
    cell: String,
    time: String,
    memory: String,
    points: String,
    message: String,
}

/// Runs up to which every one is listed.
const MOST_RUNS: usize = 10_000;

impl Contest {
    /// The page of a finished run.
    pub(super) fn new(data: &Data) -> Self {
        let people = people(data);
        let all = people.len().max(1) as f64;
        let mean = people.iter().map(|person| person.total).sum::<f64>() / all;
        let mut head = Head::new(data);
        let problems = count(data.plan.problems.len(), "problem");
        head.headline = match people.len() {
            1 => format!("1 person, {problems}"),
            number => format!("{number} people, {problems}"),
        };
        head.class = "";
        head.warnings.extend(cut_short(data));
        Self {
            head,
            style: STYLE,
            script: SCRIPT,
            problems: (0..data.plan.problems.len())
                .map(|problem| statistics(data, problem, &people))
                .collect(),
            best: points(FULL * data.plan.problems.len() as f64),
            mean: points(mean),
            detailed: data.plan.jobs.len() <= MOST_RUNS,
            builds: builds(data),
            configuration: configuration(data),
            people,
        }
    }
}

/// A warning where cases were not run because of an earlier failure.
fn cut_short(data: &Data) -> Option<String> {
    let cut = data
        .report
        .submissions
        .iter()
        .filter(|summary| summary.first.is_some() && summary.summary.skipped > 0)
        .count();
    (cut > 0).then(|| {
        format!("{} stopped at the first case that was not accepted: the cases behind it were not run and give no points. --all-cases runs them.", count(cut, "submission"))
    })
}

fn statistics(data: &Data, problem: usize, people: &[Person]) -> Problem {
    let tasks = || people.iter().filter_map(|person| person.tasks[problem].as_ref());
    let sum: f64 = tasks().map(|task| task.points).sum();
    Problem {
        name: data.problem_name(problem),
        cases: data.plan.problems[problem].cases.len(),
        answered: tasks().count(),
        full: tasks().filter(|task| task.accepted == task.cases).count(),
        mean: points(sum / people.len().max(1) as f64),
    }
}

/// Everybody with a submission, best first; equal ones in the plan's order.
fn people(data: &Data) -> Vec<Person> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut people: Vec<Person> = Vec::new();
    let detailed = data.plan.jobs.len() <= MOST_RUNS;
    for (submission, of) in data.plan.submissions.iter().enumerate() {
        let place = *places.entry(of.name.as_str()).or_insert_with(|| {
            let tasks = data.plan.problems.iter().map(|_| None).collect();
            people.push(Person { name: shown(&of.name), rank: 0, total: 0.0, tasks });
            people.len() - 1
        });
        let task = task(data, submission, detailed);
        people[place].total += task.points;
        people[place].tasks[of.problem] = Some(task);
    }
    people.sort_by(|a, b| b.total.total_cmp(&a.total));
    let ranks = ranks(&people.iter().map(|person| person.total).collect::<Vec<_>>());
    for (person, rank) in people.iter_mut().zip(ranks) {
        person.rank = rank;
    }
    people
}

/// The ranks of totals in falling order; those that are shown as equal share a rank.
fn ranks(totals: &[f64]) -> Vec<usize> {
    let mut ranks: Vec<usize> = Vec::new();
    for (place, total) in totals.iter().enumerate() {
        let tied = place > 0 && points(totals[place - 1]) == points(*total);
        ranks.push(if tied { ranks[place - 1] } else { place + 1 });
    }
    ranks
}

/// What a case gives of its share: what the checker says, else all or nothing.
fn credit(result: Option<&CaseResult>) -> f64 {
    let Some(result) = result else { return 0.0 };
    let accepted = f64::from(u8::from(result.verdict == Verdict::Accepted));
    result.score.filter(|score| score.is_finite()).unwrap_or(accepted)
}

fn task(data: &Data, submission: usize, detailed: bool) -> Task {
    let of = &data.plan.submissions[submission];
    let cells: Vec<(Job, Option<&CaseResult>)> = data.cells(submission).collect();
    let share = FULL / cells.len().max(1) as f64;
    let results = || cells.iter().filter_map(|(job, result)| Some((*job, (*result)?)));
    let accepted = results().filter(|(_, result)| result.verdict == Verdict::Accepted).count();
    let measured = data.is_measured();
    let slowest =
        results().filter_map(|(job, result)| decisive(job, result)).max().filter(|_| measured);
    let memory =
        results().filter_map(|(_, result)| Some(result.ran.as_ref()?.memory.as_ref()?.bytes)).max();
    let verdict = data
        .report
        .submissions
        .get(submission)
        .map_or(Verdict::Skipped, crate::model::SubmissionSummary::verdict);
    let group = |(name, places): &(&str, Vec<usize>)| {
        let cells: Vec<_> = places.iter().filter_map(|&place| cells.get(place)).copied().collect();
        group(data, name, &cells, share, detailed)
    };
    Task {
        problem: data.problem_name(of.problem),
        language: shown(&of.language),
        points: cells.iter().map(|(_, result)| credit(*result)).sum::<f64>() * share,
        accepted,
        cases: cells.len(),
        verdict: verdict.code(),
        class: class(verdict),
        time: slowest.map_or_else(String::new, |time| format!("{} ms", ms(time, decimals(time)))),
        memory: memory.filter(|_| measured).map_or_else(String::new, mebibytes),
        groups: groups(data.plan, of.problem).iter().map(group).collect(),
    }
}

fn group(
    data: &Data,
    name: &str,
    cells: &[(Job, Option<&CaseResult>)],
    share: f64,
    detailed: bool,
) -> Group {
    Group {
        name: shown(name),
        points: points(cells.iter().map(|(_, result)| credit(*result)).sum::<f64>() * share),
        most: points(cells.len() as f64 * share),
        cases: cells
            .iter()
            .map(|(job, result)| case(data, *job, *result, share, detailed))
            .collect(),
    }
}

fn case(data: &Data, job: Job, result: Option<&CaseResult>, share: f64, detailed: bool) -> Case {
    let verdict = result.map_or(Verdict::Skipped, |result| result.verdict);
    let blank = Case {
        name: String::new(),
        letter: verdict.letter(),
        verdict: verdict.code(),
        class: class(verdict),
        cell: match result {
            Some(result) if verdict == Verdict::Accepted => {
                format!("s{}", shade(data.share(job, result)))
            }
            _ => class(verdict).to_owned(),
        },
        time: String::new(),
        memory: String::new(),
        points: String::new(),
        message: String::new(),
    };
    let Some(result) = result.filter(|_| detailed) else { return blank };
    let measured = data.is_measured();
    let time = decisive(job, result).filter(|_| measured);
    let memory = result.ran.as_ref().and_then(|ran| ran.memory.as_ref()).filter(|_| measured);
    Case {
        name: data.case_name(job),
        time: time.map_or_else(String::new, |time| ms(time, 1)),
        memory: memory.map_or_else(String::new, |memory| mebibytes(memory.bytes)),
        points: points(credit(Some(result)) * share),
        message: said(result),
        ..blank
    }
}

/// Points with at most two decimals.
fn points(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_totals_share_a_rank_and_the_next_one_stays_free() {
        assert_eq!(ranks(&[300.0, 200.0, 200.0, 199.99, 0.0, 0.0]), [1, 2, 2, 4, 5, 5]);
        assert_eq!(ranks(&[100.0 / 3.0 * 3.0, 100.0]), [1, 1]);
        assert_eq!(ranks(&[]), [] as [usize; 0]);
    }

    #[test]
    fn points_have_the_decimals_that_they_need() {
        let shown: Vec<String> = [100.0, 0.0, 33.333, 12.5, 10.0].map(points).into();
        assert_eq!(shown, ["100", "0", "33.33", "12.5", "10"]);
    }
}
