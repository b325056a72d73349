//! What a person reads: one line for each problem, a block for each failure, a summary.

use std::fmt::Write as _;
use std::io::{self, Write};

use indicatif::ProgressBar;

use super::Reporter;
use super::failure::{self, Rerun};
use super::text::{Look, columns, count, duration, seconds, styled, summary, verdict};
use crate::model::{CaseResult, Plan, ProblemSummary, Report, Run, Status, Summary};

/// How much is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Nothing but errors.
    ErrorsOnly,
    /// Only the summary.
    SummaryOnly,
    /// Problems, failures, summary.
    #[default]
    Normal,
    /// Each case with its times, too.
    Cases,
    /// Files and settings in use, too.
    All,
}

/// When failures are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Failures {
    /// Together, below the problems.
    #[default]
    AtTheEnd,
    /// As soon as all cases before are done.
    AtOnce,
}

/// Failures that are printed in full, the first ones of the plan.
pub const IN_FULL: usize = 20;

/// Further failures that are told in one line each.
const IN_SHORT: usize = 1000;

/// What the console needs to know.
#[derive(Debug, Clone)]
pub struct ConsoleOptions {
    /// Characters and colours.
    pub look: Look,
    /// How much is printed.
    pub verbosity: Verbosity,
    /// When failures are printed.
    pub failures: Failures,
    /// The command that repeats a case.
    pub rerun: Rerun,
    /// The folders of the suite, as they are named in the first line: inputs, answers.
    pub folders: (String, String),
    /// The reports that are being written, as they are named in the last line.
    pub reports: Vec<String>,
}

/// Prints results for people.
pub struct Console<W> {
    out: W,
    options: ConsoleOptions,
    bar: Option<ProgressBar>,
    failures: Vec<CaseResult>,
    failed: usize,
}

impl<W: Write> Console<W> {
    /// Prints on this writer; `bar` is hidden while it prints.
    pub fn new(out: W, options: ConsoleOptions, bar: Option<ProgressBar>) -> Self {
        Self { out, options, bar, failures: Vec::new(), failed: 0 }
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

    fn failure(&self, plan: &Plan, result: &CaseResult, nth: usize) -> String {
        let case = plan.case(plan.jobs[result.index]);
        let look = self.options.look;
        if nth < IN_FULL {
            failure::block(case, result, look, &self.options.rerun)
        } else {
            failure::headline(case, result, look)
        }
    }

    fn failures(&mut self, plan: &Plan) -> io::Result<()> {
        for (nth, result) in std::mem::take(&mut self.failures).iter().enumerate() {
            let text = self.failure(plan, result, nth);
            self.print(&text)?;
        }
        let more = self.failed.saturating_sub(IN_FULL + IN_SHORT);
        if more > 0 {
            let places = if self.options.reports.is_empty() { "" } else { ": see the report" };
            self.print(&format!("and {more} more{places}\n"))?;
        }
        Ok(())
    }

    fn blessed_line(&self, plan: &Plan, result: &CaseResult) -> String {
        let look = self.options.look;
        let name = look.name(&plan.case(plan.jobs[result.index]).name);
        format!("blessed {name}: {}\n", look.name(&result.message))
    }

    fn case_line(&self, plan: &Plan, result: &CaseResult) -> String {
        let case = plan.case(plan.jobs[result.index]);
        let time = result.times.map_or(String::new(), |times| duration(times.cpu));
        let name = self.options.look.name(&case.name);
        let mut line = format!("{}  {name}   {time}", verdict(result.verdict, result.status));
        if let (true, Some(times)) = (self.shows(Verbosity::All), result.times) {
            let _ = write!(
                line,
                " (wall {}, compare {}, {})",
                duration(times.wall),
                duration(times.compare_cpu),
                count(times.runs as usize, "run"),
            );
        }
        line + "\n"
    }
}

impl<W: Write> Reporter for Console<W> {
    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        if !self.shows(Verbosity::Normal) {
            return Ok(());
        }
        let (input, expected) = &self.options.folders;
        let look = self.options.look;
        let mut text = format!(
            "{} {}, {} {}, {}, {}\n",
            look.name(input),
            count(plan.jobs.len(), "case"),
            look.name(expected),
            count(run.answers, "answer"),
            count(plan.problems.len(), "problem"),
            count(run.jobs, "job"),
        );
        if self.shows(Verbosity::All) {
            let _ = writeln!(text, "compare {}, {}", run.compare, count(plan.runs as usize, "run"));
        }
        self.print(&text)
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        if self.shows(Verbosity::Cases) {
            let line = self.case_line(plan, result);
            self.print(&line)?;
        }
        if result.status == Status::Pass && !result.message.is_empty() {
            let line = self.blessed_line(plan, result);
            return if self.shows(Verbosity::SummaryOnly) { self.print(&line) } else { Ok(()) };
        }
        if !self.shows(Verbosity::Normal) {
            return Ok(());
        }
        if !failure::is_worth_a_block(result) {
            return Ok(());
        }
        self.failed += 1;
        if self.failed > IN_FULL + IN_SHORT {
            return Ok(());
        }
        match self.options.failures {
            Failures::AtOnce => {
                let text = self.failure(plan, result, self.failed - 1);
                self.print(&text)
            }
            Failures::AtTheEnd => {
                self.failures.push(result.clone());
                Ok(())
            }
        }
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        if self.shows(Verbosity::Normal) {
            let table = problem_table(plan, report, self.options.look);
            self.print(&table)?;
            self.failures(plan)?;
        }
        if self.shows(Verbosity::SummaryOnly) {
            let text = last_lines(report, &self.options.reports);
            self.print(&text)?;
        }
        Ok(())
    }
}

fn last_lines(report: &Report, reports: &[String]) -> String {
    let counts = &report.summary;
    let partial = if counts.interrupted { " (partial)" } else { "" };
    let written = match reports {
        [] => String::new(),
        [one] => format!("   report: {one}{partial}"),
        several => format!("   reports: {}{partial}", several.join(" ")),
    };
    let total = if counts.interrupted {
        format!("stopped after {} of {} cases", counts.done(), counts.planned)
    } else {
        format!("total {}", seconds(report.wall))
    };
    format!("{}\n{total}{written}\n", summary(counts))
}

/// `ok    ali-baba    12/12   slowest 12-max-300x300    4.1 ms` for each problem, in columns.
fn problem_table(plan: &Plan, report: &Report, look: Look) -> String {
    let rows: Vec<Row> = plan
        .problems
        .iter()
        .zip(&report.problems)
        .map(|(problem, counts)| Row::new(plan, &problem.name, counts, look))
        .collect();
    let width =
        |of: fn(&Row) -> &str| columns(rows.iter().map(|row| of(row).chars().count()).max());
    let names = width(|row| &row.name);
    let counts = width(|row| &row.count);
    let slowest = width(|row| &row.slowest);
    let mut table = String::new();
    for row in &rows {
        let (word, gap) = match row.status {
            Status::Pass => ("ok", 4),
            Status::Skip => ("stop", 2),
            Status::Fail | Status::Error => ("FAIL", 2),
        };
        let mut line = format!(
            "{}{:gap$}{:names$}   {:counts$}",
            styled(word, row.status),
            "",
            row.name,
            row.count
        );
        if !row.time.is_empty() {
            let _ = write!(line, "   slowest {:slowest$}  {:>8}", row.slowest, row.time);
        }
        table += line.trim_end();
        table.push('\n');
    }
    table
}

struct Row {
    status: Status,
    name: String,
    count: String,
    slowest: String,
    time: String,
}

impl Row {
    fn new(plan: &Plan, problem: &str, counts: &ProblemSummary, look: Look) -> Self {
        let slowest = counts.slowest.map(|(index, time)| {
            let name = &plan.case(plan.jobs[index]).name;
            let stem = name.strip_prefix(problem).and_then(|rest| rest.strip_prefix('/'));
            (look.name(stem.unwrap_or(name)), duration(time))
        });
        let (slowest, time) = slowest.unwrap_or_default();
        let all = &counts.summary;
        Self {
            status: status(all),
            name: look.name(problem),
            count: format!("{}/{}", all.passed, all.planned),
            slowest,
            time,
        }
    }
}

/// The word for a problem: one that was not run to its end is neither right nor wrong.
fn status(summary: &Summary) -> Status {
    match summary {
        Summary { errors: 1.., .. } => Status::Error,
        Summary { failed: 1.., .. } => Status::Fail,
        _ if summary.done() < summary.planned => Status::Skip,
        _ => Status::Pass,
    }
}

#[cfg(test)]
mod tests;
