//! What stands above and below the results: headline, warnings, configuration.

use super::super::matrix::{mebibytes, noise, promises, short_time};
use super::super::record::time_stamp;
use super::super::text::{count, seconds, summary};
use super::data::{Data, clean, shown};
use crate::model::{Job, Verdict};

/// The upper end of the page.
pub(super) struct Head {
    pub(super) title: String,
    pub(super) headline: String,
    /// `good` or `bad`: whether all is as expected.
    pub(super) class: &'static str,
    pub(super) facts: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Head {
    pub(super) fn new(data: &Data) -> Self {
        let counts = &data.report.summary;
        let by_promise = data.has_programs();
        let broken = if by_promise { data.report.broken(data.plan) } else { counts.failed };
        let headline = if by_promise { promises(data.plan, data.report) } else { summary(counts) };
        let bad = broken > 0 || counts.errors > 0 || counts.interrupted;
        Self {
            title: title(data),
            headline,
            class: if bad { "bad" } else { "good" },
            facts: facts(data),
            warnings: warnings(data),
        }
    }
}

/// Problems that are named in the title.
const NAMED: usize = 4;

fn title(data: &Data) -> String {
    let problems = &data.plan.problems;
    let names: Vec<String> =
        (0..problems.len().min(NAMED)).map(|problem| data.problem_name(problem)).collect();
    let more = problems.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &more
}

fn facts(data: &Data) -> Vec<String> {
    let cases: usize = data.plan.problems.iter().map(|problem| problem.cases.len()).sum();
    let mut facts = Vec::new();
    if data.plan.problems.len() > 1 {
        facts.push(count(data.plan.problems.len(), "problem"));
    }
    facts.push(count(cases, "case"));
    if data.has_programs() {
        facts.push(count(data.plan.submissions.len(), "submission"));
    }
    facts.push(count(data.report.summary.done(), "result"));
    if data.is_measured() {
        facts.push(seconds(data.report.wall));
        facts.push(
            time_stamp(data.run.started_at)
                .replace('T', " ")
                .split('.')
                .next()
                .unwrap_or_default()
                .to_owned()
                + " UTC",
        );
    }
    facts
}

/// Submissions that were not run and are named.
const ABSENT: usize = 20;

fn warnings(data: &Data) -> Vec<String> {
    let counts = &data.report.summary;
    let mut warnings = Vec::new();
    if counts.interrupted {
        warnings.push(format!(
            "Interrupted: {} of {} runs are done; the rest is missing on this page.",
            counts.done(),
            counts.planned
        ));
    }
    if counts.errors > 0 {
        warnings.push(format!(
            "The judge itself failed on {}; they say nothing of the submissions.",
            count(counts.errors, "run")
        ));
    }
    let results: Vec<_> = data.results.iter().flatten().collect();
    warnings.extend(
        noise(&results, data.report.noise.unwrap_or_default())
            .filter(|_| data.is_measured())
            .map(|noise| capital(&noise) + "."),
    );
    if let Some((_, missing)) = data.run.sandbox.split_once("missing: ") {
        warnings.push(format!(
            "Sandbox without some of its layers: {}.",
            shown(missing.trim_end_matches(')'))
        ));
    } else if data.run.sandbox.starts_with("none") {
        warnings.push("Submissions ran without a sandbox.".to_owned());
    }
    let skipped = data.report.submissions.iter().enumerate().filter(|(_, summary)| {
        summary.summary.planned > 0 && summary.verdict() == Verdict::Skipped
    });
    for (submission, _) in skipped.take(ABSENT) {
        let reason = data
            .cells(submission)
            .find_map(|(_, result)| result)
            .map_or_else(String::new, |result| shown(&result.message));
        warnings.push(format!("{} was not run: {reason}", data.submission_name(submission)));
    }
    warnings
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Names and values of what the run was made with.
pub(super) fn configuration(data: &Data) -> Vec<(&'static str, String)> {
    let run = data.run;
    let mut rows =
        vec![("tool", format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))];
    if data.is_measured() {
        rows.push(("command", clean(&run.command)));
        rows.push(("run", run.id.clone()));
        rows.push(("started", time_stamp(run.started_at)));
        rows.push(("jobs", run.jobs.to_string()));
        let cpu = run.cpu.as_deref().map_or_else(|| "unknown processor".to_owned(), shown);
        rows.push((
            "machine",
            format!(
                "{cpu}, {} usable, {} {}",
                count(run.cores, "core"),
                std::env::consts::OS,
                std::env::consts::ARCH
            ),
        ));
    }
    rows.push(("comparison", run.compare.clone()));
    for (name, program) in [("checker", &run.checker), ("interactor", &run.interactor)] {
        if !program.is_empty() {
            rows.push((name, clean(program)));
        }
    }
    rows.push(("missing answers", run.missing.clone()));
    rows.push(("runs of each case", data.plan.runs.to_string()));
    if !run.sandbox.is_empty() {
        rows.push(("sandbox", shown(&run.sandbox)));
    }
    rows
}

/// The limits of one submission.
pub(super) struct Allowed {
    pub(super) problem: String,
    pub(super) submission: String,
    pub(super) limits: Vec<String>,
}

/// Submissions whose limits are listed.
const MOST_ALLOWED: usize = 100;

/// The limits of each submission that has any: one value, or the least and the greatest.
pub(super) fn limits(data: &Data) -> Vec<Allowed> {
    let limited = |submission: usize| {
        data.cells(submission)
            .any(|(job, _)| job.limits.time.is_some() || job.limits.memory.is_some())
    };
    let submissions = (0..data.plan.submissions.len()).filter(|&one| limited(one));
    submissions
        .take(MOST_ALLOWED)
        .map(|submission| {
            let jobs: Vec<Job> = data.cells(submission).map(|(job, _)| job).collect();
            let clock = jobs.first().map_or("", |job| job.limits.clock.word());
            let columns = [
                range(jobs.iter().map(|job| job.limits.time), |time| {
                    format!("{} {clock}", short_time(time))
                }),
                range(jobs.iter().map(|job| job.limits.wall), short_time),
                range(jobs.iter().map(|job| job.limits.memory), mebibytes),
                range(jobs.iter().map(|job| job.limits.output), mebibytes),
            ];
            let problem = data.plan.submissions[submission].problem;
            Allowed {
                problem: data.problem_name(problem),
                submission: data.submission_name(submission),
                limits: columns.into(),
            }
        })
        .collect()
}

/// One value, or the least and the greatest; `–` where there is none.
fn range<T: Ord + Copy>(
    values: impl Iterator<Item = Option<T>> + Clone,
    show: impl Fn(T) -> String,
) -> String {
    super::super::matrix::range(values.flatten(), show).unwrap_or_else(|| "–".to_owned())
}
