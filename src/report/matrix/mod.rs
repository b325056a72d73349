//! What a person reads of submissions: a table of submissions and cases, what broke its promise,
//! how good the time limit is.

use std::fmt::Write as _;
use std::io::{self, Write};

use indicatif::ProgressBar;

use super::Reporter;
use super::console::Verbosity;
use super::text::{Look, count, duration, seconds, shell_path, shell_quoted, verdict};
pub use crate::model::RerunBy;
use crate::model::{CaseResult, Job, Plan, Report, Run};

mod broken;
mod ladder;
mod overflow;
mod quality;
mod table;

pub(super) use broken::caseless;
pub(super) use overflow::hint as overflow_hint;
pub(super) use quality::{noise, promises, short as short_time};
pub(super) use table::folded;

/// What the table needs to know.
#[derive(Debug, Clone)]
pub struct MatrixOptions {
    /// Characters and colours.
    pub look: Look,
    /// How much is printed.
    pub verbosity: Verbosity,
    /// Columns of the terminal; none for no end.
    pub width: Option<usize>,
    /// The command that repeats single runs.
    pub rerun: MatrixRerun,
    /// The reports that are being written, as they are named in the last line.
    pub reports: Vec<String>,
    /// Whether all cases were asked for.
    pub cases: Cases,
}

/// The command that repeats single runs.
#[derive(Debug, Clone)]
pub struct MatrixRerun {
    /// The command, quoted for a shell, without submission and case.
    pub command: String,
    /// How the submission is named.
    pub by: RerunBy,
}

impl MatrixRerun {
    /// The command that repeats this run alone.
    pub(super) fn line(&self, plan: &Plan, job: Job) -> String {
        let of = plan.submission(job);
        let case = shell_quoted(&globset::escape(short_name(plan, job)));
        let submission = match (self.by, &of.path) {
            (RerunBy::Path, Some(path)) => shell_path(path),
            (RerunBy::Path, None) => of.name.clone(),
            (RerunBy::Name, _) => {
                format!("--submission {}", shell_quoted(&globset::escape(&of.name)))
            }
        };
        format!("{} {submission} --case {case}", self.command)
    }
}

/// Whether a submission runs on after its first failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cases {
    /// It stops there.
    #[default]
    ToFirstFailure,
    /// It runs all cases.
    All,
}

/// Prints results of submissions for people. Takes cases in the plan's order.
pub struct Matrix<W> {
    out: W,
    options: MatrixOptions,
    bar: Option<ProgressBar>,
    run: Option<Run>,
    results: Vec<Option<CaseResult>>,
}

impl<W: Write> Matrix<W> {
    /// Prints on this writer; `bar` is hidden while it prints.
    pub fn new(out: W, options: MatrixOptions, bar: Option<ProgressBar>) -> Self {
        Self { out, options, bar, run: None, results: Vec::new() }
    }

    fn print(&mut self, text: &str) -> io::Result<()> {
        let out = &mut self.out;
        let mut write = || out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn shows(&self, verbosity: Verbosity) -> bool {
        self.options.verbosity >= verbosity
    }

    fn case_line(&self, plan: &Plan, result: &CaseResult) -> String {
        let job = plan.jobs[result.index];
        let look = self.options.look;
        let code = verdict(result.verdict, result.status);
        let submission = look.name(&plan.submission(job).name);
        let mut line = format!("{code}  {submission}  {}", look.name(short_name(plan, job)));
        if let Some(times) = result.times {
            let _ = write!(line, "   {}", duration(times.cpu));
            if self.shows(Verbosity::All) {
                line += &measured(result);
            }
        }
        if !result.message.is_empty() {
            let _ = write!(line, "   {}", look.name(&result.message));
        }
        line + "\n"
    }

    fn problem(&self, plan: &Plan, problem: usize, report: &Report) -> String {
        let view = View { plan, report, results: &self.results, options: &self.options, problem };
        let (look, mut text) = (self.options.look, String::new());
        if plan.problems.len() > 1 {
            text +=
                &self.run.as_ref().map_or_else(String::new, |run| head(run, plan, problem, look));
        }
        text += &table::table(&view);
        text += &ladder::lines(&view);
        text += &broken::lines(&view);
        text + &quality::lines(&view)
    }
}

/// The table of one problem without colours, folded where it is wider than `width`.
pub(super) fn plain_table(
    plan: &Plan,
    report: &Report,
    results: &[Option<CaseResult>],
    problem: usize,
    width: usize,
) -> String {
    let options = MatrixOptions {
        look: Look::default(),
        verbosity: Verbosity::Normal,
        width: Some(width),
        rerun: MatrixRerun { command: String::new(), by: RerunBy::Name },
        reports: Vec::new(),
        cases: Cases::ToFirstFailure,
    };
    let table = table::table(&View { plan, report, results, options: &options, problem });
    anstream::adapter::strip_str(&table).to_string()
}

/// One problem of a finished run.
struct View<'a> {
    plan: &'a Plan,
    report: &'a Report,
    results: &'a [Option<CaseResult>],
    options: &'a MatrixOptions,
    problem: usize,
}

impl<'a> View<'a> {
    /// The positions of the submissions of the problem.
    fn submissions(&self) -> impl Iterator<Item = usize> + use<'a> {
        let (plan, problem) = (self.plan, self.problem);
        let of = move |&position: &usize| plan.submissions[position].problem == problem;
        (0..plan.submissions.len()).filter(of)
    }

    /// The jobs of a submission with what is known of them.
    fn cells(&self, submission: usize) -> impl Iterator<Item = (Job, Option<&'a CaseResult>)> {
        let results = self.results;
        let jobs = self.plan.jobs.iter().filter(move |job| job.submission == submission);
        jobs.map(move |job| (*job, results.get(job.index).and_then(Option::as_ref)))
    }
}

/// The name of a case without its problem.
pub(super) fn short_name(plan: &Plan, job: Job) -> &str {
    let name = &plan.case(job).name;
    let stem = name.strip_prefix(plan.problem(job).name.as_str());
    stem.and_then(|rest| rest.strip_prefix('/')).unwrap_or(name)
}

/// All that was measured: ` (wall 13.0 ms, user 8.1 ms, 3.4 MiB max_rss, 2 switches)`.
fn measured(result: &CaseResult) -> String {
    let mut parts = Vec::new();
    if let Some(times) = result.times {
        parts.push(format!("wall {}", duration(times.wall)));
    }
    if let Some(ran) = &result.ran {
        parts.extend(ran.user.map(|user| format!("user {}", duration(user))));
        let memory = ran.memory.as_ref();
        parts.extend(memory.map(|memory| format!("{} {}", mebibytes(memory.bytes), memory.metric)));
        parts.extend(ran.switches.map(|switches| format!("{switches} switches")));
        parts.extend(ran.cpu_source.as_ref().map(|source| format!("clock {source}")));
    }
    format!(" ({})", parts.join(", "))
}

/// `3.4 MiB`, or `640 KiB`.
#[must_use]
pub fn mebibytes(bytes: u64) -> String {
    if bytes < 1 << 20 {
        return format!("{} KiB", bytes.div_ceil(1 << 10));
    }
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// `sum: 12 cases (3 sample, 9 secret), 1.0 s, 256 MiB, 5 submissions, 2 jobs, sandbox: strict`.
fn head(run: &Run, plan: &Plan, problem: usize, look: Look) -> String {
    let of = &plan.problems[problem];
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for case in &of.cases {
        match groups.iter_mut().find(|(name, _)| *name == case.group) {
            Some((_, number)) => *number += 1,
            None => groups.push((&case.group, 1)),
        }
    }
    let shown: Vec<String> =
        groups.iter().map(|(name, number)| format!("{number} {name}")).collect();
    let cases = count(of.cases.len(), "case");
    let cases = match groups.as_slice() {
        [("", _)] => cases,
        _ => format!("{cases} ({})", shown.join(", ").trim_end()),
    };
    let submissions = plan.submissions.iter().filter(|one| one.problem == problem).count();
    let mut parts = vec![look.name(&format!("{}: {cases}", of.name))];
    let jobs: Vec<&Job> = plan.jobs.iter().filter(|job| job.problem == problem).collect();
    parts.extend(range(jobs.iter().filter_map(|job| job.limits.time), quality::short));
    if let [_, also @ ..] = plan.ladder.typed.as_slice() {
        let also: Vec<String> = also.iter().map(|&time| quality::short(time)).collect();
        if let Some(first) = parts.last_mut() {
            let _ = write!(first, " (also {})", also.join(", "));
        }
    }
    parts.extend(range(jobs.iter().filter_map(|job| job.limits.memory), whole_mebibytes));
    parts.push(count(submissions, "submission"));
    parts.push(count(run.jobs, "job"));
    if !run.interactor.is_empty() {
        parts.push(format!("interactor: {}", run.interactor));
    }
    if !run.checker.is_empty() {
        parts.push(format!("checker: {}", run.checker));
    }
    if !run.sandbox.is_empty() {
        parts.push(format!("sandbox: {}", run.sandbox));
    }
    parts.join(", ") + "\n"
}

fn whole_mebibytes(bytes: u64) -> String {
    if bytes < 1 << 20 {
        return mebibytes(bytes);
    }
    format!("{} MiB", bytes >> 20)
}

/// One value, or the least and the greatest.
pub(super) fn range<T: Ord + Copy>(
    values: impl Iterator<Item = T> + Clone,
    show: impl Fn(T) -> String,
) -> Option<String> {
    let (least, most) = (values.clone().min()?, values.max()?);
    let same = least == most;
    Some(if same { show(least) } else { format!("{} to {}", show(least), show(most)) })
}

impl<W: Write> Reporter for Matrix<W> {
    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.results = vec![None; plan.jobs.len()];
        self.run = Some(run.clone());
        if plan.problems.len() == 1 && self.shows(Verbosity::Normal) {
            let text = head(run, plan, 0, Look::default());
            self.print(&text)?;
        }
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.results[result.index] = Some(result.clone());
        if self.shows(Verbosity::Cases) && result.times.is_some() {
            let line = self.case_line(plan, result);
            self.print(&line)?;
        }
        Ok(())
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        if self.shows(Verbosity::Normal) {
            for problem in 0..plan.problems.len() {
                let text = self.problem(plan, problem, report);
                self.print(&text)?;
            }
        }
        if self.shows(Verbosity::SummaryOnly) {
            let text = last_lines(plan, report, &self.options.reports);
            self.print(&text)?;
        }
        Ok(())
    }
}

fn last_lines(plan: &Plan, report: &Report, reports: &[String]) -> String {
    let counts = &report.summary;
    let partial = if counts.interrupted { " (partial)" } else { "" };
    let written = match reports {
        [] => String::new(),
        [one] => format!("   report: {one}{partial}"),
        several => format!("   reports: {}{partial}", several.join(" ")),
    };
    let total = if counts.interrupted {
        format!("stopped after {} of {} runs", counts.done(), counts.planned)
    } else {
        format!("total {}", seconds(report.wall))
    };
    format!("{}\n{total}{written}\n", quality::promises(plan, report))
}

#[cfg(test)]
mod tests;
