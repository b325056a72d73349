//! Plan and results from what files tell. The heads list what was planned; what only a result
//! names is added, so that files without such lists can be read, too.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::{Past, ReadError, Told, join};
use crate::model::{
    CaseResult, Compiled, Job, Ladder, Limits, Plan, Problem, Report, Submission, TestCase,
};
use crate::report::Timings;
use crate::report::head::{SubmissionHead, promise};
use crate::report::record::Record;

/// Submission and case, by their positions in the plan.
type Pair = (usize, usize);

/// What was planned, as far as it is known.
#[derive(Default)]
struct Outline {
    problems: Vec<Problem>,
    submissions: Vec<Submission>,
    problem_at: HashMap<String, usize>,
    case_at: HashMap<(usize, String), usize>,
    submission_at: HashMap<(usize, String), usize>,
}

/// Makes one run of all files.
pub(super) fn assemble(mut all: Vec<Told>) -> Result<Past, ReadError> {
    let run = join::run(&all)?;
    let timings = if all.iter().any(|told| told.run.id.is_none()) {
        Timings::None
    } else {
        Timings::Measured
    };
    let interrupted = |told: &Told| told.summary.as_ref().is_none_or(|summary| summary.interrupted);
    let interrupted = all.iter().any(interrupted);
    let mut outline = outline(&all);
    if all.len() > 1 || all.iter().any(|told| told.cases.is_empty()) {
        outline.sort();
    }
    let mut plan = plan(&outline, &all);
    let records = all.iter_mut().map(|told| (told.name.clone(), std::mem::take(&mut told.records)));
    let results = results(&outline, &mut plan, records.collect())?;
    let mut report = Report::new(&plan);
    for result in &results {
        report.add(&plan, result);
    }
    report.summary.interrupted = interrupted;
    report.noise = join::noise(&all);
    report.comparison = join::comparison(&mut all);
    report.wall = join::wall(&all, &run, &results);
    let torn = all.iter().filter(|told| told.torn).map(|told| told.name.clone()).collect();
    let compiled = compiled(&outline, all);
    Ok(Past { run, plan, results, compiled, report, timings, torn })
}

/// What came of building the submissions; what is told of others is passed over.
fn compiled(outline: &Outline, all: Vec<Told>) -> Vec<Compiled> {
    let heads = all.into_iter().flat_map(|told| told.compiled);
    let known = heads.filter_map(|head| {
        let problem = outline.problem_at.get(head.problem.as_ref())?;
        let submission = outline.submission_at.get(&(*problem, head.submission.to_string()))?;
        Some(head.compiled(*submission))
    });
    let mut compiled: Vec<Compiled> = known.collect();
    compiled.sort_by_key(|one| one.submission);
    compiled.dedup_by_key(|one| one.submission);
    compiled
}

fn outline(all: &[Told]) -> Outline {
    let mut outline = Outline::default();
    for told in all {
        for problem in &told.problems {
            let position = outline.problem(&problem.name);
            outline.problems[position].solver = problem.solver.to_string();
        }
        for case in &told.cases {
            let problem = outline.problem(&case.problem);
            outline.case(problem, case.name.to_string(), case.group.to_string());
        }
        for head in told.submissions.iter().filter(|head| !head.problem.is_empty()) {
            outline.submission(head);
        }
        let mut records: Vec<&Record> = told.records.iter().collect();
        records.sort_by_key(|record| record.index);
        for record in records {
            outline.record(record);
        }
    }
    outline
}

impl Outline {
    fn problem(&mut self, name: &str) -> usize {
        if let Some(&position) = self.problem_at.get(name) {
            return position;
        }
        let position = self.problems.len();
        self.problem_at.insert(name.to_owned(), position);
        let (name, solver) = (name.to_owned(), String::new());
        self.problems.push(Problem { name, solver, cases: Vec::new() });
        position
    }

    fn case(&mut self, problem: usize, name: String, group: String) -> usize {
        let cases = &mut self.problems[problem].cases;
        *self.case_at.entry((problem, name)).or_insert_with_key(|(_, name)| {
            let (name, input) = (name.clone(), PathBuf::new());
            cases.push(TestCase { name, group, input, answer: None, missing: None });
            cases.len() - 1
        })
    }

    fn submission(&mut self, head: &SubmissionHead) {
        let problem = self.problem(&head.problem);
        self.add_submission(head.submission(problem));
    }

    fn add_submission(&mut self, submission: Submission) {
        let key = (submission.problem, submission.name.clone());
        if !self.submission_at.contains_key(&key) {
            self.submission_at.insert(key, self.submissions.len());
            self.submissions.push(submission);
        }
    }

    /// The case as the record knows it, and the submission if nothing else names it.
    fn record(&mut self, record: &Record) {
        let problem = self.problem(&record.problem);
        let case = self.case(problem, record.case.to_string(), record.group.to_string());
        let known = &mut self.problems[problem].cases[case];
        if known.input.as_os_str().is_empty() {
            *known = record.test_case();
        }
        self.add_submission(Submission {
            name: record.submission.to_string(),
            problem,
            path: None,
            language: record.language.to_string(),
            promised: promise(&record.promised),
        });
    }

    /// Problems and cases in natural order, submissions in the order of their problems.
    fn sort(&mut self) {
        let name = |submission: &Submission| self.problems[submission.problem].name.clone();
        let homes: Vec<String> = self.submissions.iter().map(name).collect();
        let compare = |a: &str, b: &str| alphanumeric_sort::compare_str(a, b);
        self.problems.sort_by(|a, b| compare(&a.name, &b.name));
        for problem in &mut self.problems {
            problem.cases.sort_by(|a, b| compare(&a.name, &b.name));
        }
        let names = self.problems.iter().enumerate();
        self.problem_at = names.map(|(position, one)| (one.name.clone(), position)).collect();
        for (submission, home) in self.submissions.iter_mut().zip(&homes) {
            submission.problem = self.problem_at[home];
        }
        self.submissions.sort_by_key(|submission| submission.problem);
        self.find_again();
    }

    /// The positions after a change of the order.
    fn find_again(&mut self) {
        let submissions = self.submissions.iter().enumerate();
        self.submission_at =
            submissions.map(|(at, one)| ((one.problem, one.name.clone()), at)).collect();
        let problems = self.problems.iter().enumerate();
        let cases = problems.flat_map(|(problem, one)| {
            let names = one.cases.iter().enumerate();
            names.map(move |(at, case)| ((problem, case.name.clone()), at))
        });
        self.case_at = cases.collect();
    }

    fn pair(&self, problem: &str, submission: &str, case: &str) -> Option<Pair> {
        let problem = *self.problem_at.get(problem)?;
        let submission = self.submission_at.get(&(problem, submission.to_owned()))?;
        let case = self.case_at.get(&(problem, case.to_owned()))?;
        Some((*submission, *case))
    }
}

/// Each submission of a file with each case of that file, and every pair that has a result.
fn pairs(outline: &Outline, all: &[Told]) -> HashSet<Pair> {
    let mut pairs = HashSet::new();
    for told in all {
        let heads = told.submissions.iter().filter(|head| !head.problem.is_empty());
        for head in heads {
            let cases = told.cases.iter().filter(|case| case.problem == head.problem);
            pairs.extend(
                cases.filter_map(|case| outline.pair(&head.problem, &head.name, &case.name)),
            );
        }
        pairs.extend(
            told.records.iter().filter_map(|record| {
                outline.pair(&record.problem, &record.submission, &record.case)
            }),
        );
    }
    pairs
}

fn plan(outline: &Outline, all: &[Told]) -> Plan {
    let pairs = pairs(outline, all);
    let mut jobs = Vec::with_capacity(pairs.len());
    for (position, submission) in outline.submissions.iter().enumerate() {
        let cases = 0..outline.problems[submission.problem].cases.len();
        for case in cases.filter(|&case| pairs.contains(&(position, case))) {
            jobs.push(Job {
                index: jobs.len(),
                problem: submission.problem,
                case,
                submission: position,
                limits: Limits::NONE,
            });
        }
    }
    Plan {
        problems: outline.problems.clone(),
        submissions: outline.submissions.clone(),
        jobs,
        runs: all.iter().map(|told| told.config.runs).max().unwrap_or(1),
        ladder: ladder(all, pairs.len()),
    }
}

/// The time limits that all files have; none where they differ.
fn ladder(all: &[Told], jobs: usize) -> Ladder {
    let mut ladders = all.iter().map(|told| told.config.ladder());
    let first = ladders.next().unwrap_or_default();
    if first.typed.is_empty() || ladders.any(|ladder| ladder != first) {
        return Ladder::default();
    }
    Ladder { rungs: vec![Vec::new(); jobs], ..first }
}

/// The results, each for its job, which gets the limits that the result tells.
fn results(
    outline: &Outline,
    plan: &mut Plan,
    all: Vec<(String, Vec<Record<'static>>)>,
) -> Result<Vec<CaseResult>, ReadError> {
    let index: HashMap<Pair, usize> =
        plan.jobs.iter().map(|job| ((job.submission, job.case), job.index)).collect();
    let mut from: Vec<Option<usize>> = vec![None; plan.jobs.len()];
    let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
    let mut results = Vec::new();
    for (file, (name, records)) in all.into_iter().enumerate() {
        for record in records {
            let pair = outline.pair(&record.problem, &record.submission, &record.case);
            let Some(&index) = pair.and_then(|pair| index.get(&pair)) else { continue };
            if let Some(first) = from[index].replace(file) {
                return Err(twice(&record, &names[first], &name));
            }
            plan.jobs[index].limits = record.run.limits();
            if let Some(rungs) = plan.ladder.rungs.get_mut(index) {
                *rungs = record.run.rungs();
            }
            let case = record.case.to_string();
            let result = record.result(index);
            results.push(result.map_err(|member| ReadError::Result {
                name: name.clone(),
                case,
                member,
            })?);
        }
    }
    Ok(results)
}

fn twice(record: &Record, first: &str, second: &str) -> ReadError {
    let look = super::super::text::Look::default();
    ReadError::Twice {
        case: look.name(&record.case),
        submission: look.name(&record.submission),
        first: first.to_owned(),
        second: second.to_owned(),
    }
}
