//! Reads what the JSON and JSON Lines reporters wrote, so that every other report can be made from
//! it again: of a run that was finished, stopped or killed, and of several runs as one.
//!
//! Members and events that are not known are passed over, and so is a torn last line.

use std::io;

use crate::model::{CaseResult, Comparison, Compiled, Plan, Report, Run};

use super::head::{
    CaseHead, Config, Host, ProblemHead, RunHead, SubmissionHead, SummaryTail, Tool,
};
use super::record::Record;
use super::submission::CompiledHead;
use super::{Order, Reporter, Timings};

mod assemble;
mod document;
mod events;
mod join;

/// A report to be read.
#[derive(Debug)]
pub struct Source {
    /// How messages name it.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A run as its reports tell it.
#[derive(Debug)]
pub struct Past {
    /// What was known before it.
    pub run: Run,
    /// What was to be run.
    pub plan: Plan,
    /// What came of it, in the order of the files.
    pub results: Vec<CaseResult>,
    /// What came of building the submissions, in the plan's order, as far as it is told.
    pub compiled: Vec<Compiled>,
    /// The counts.
    pub report: Report,
    /// Whether clocks filled anything.
    pub timings: Timings,
    /// The names of the files whose last line was torn.
    pub torn: Vec<String>,
}

impl Past {
    /// Tells a reporter of the run, as if it went on now.
    ///
    /// # Errors
    /// When the report cannot be written.
    pub fn tell(&self, reporter: &mut dyn Reporter) -> io::Result<()> {
        reporter.begin(&self.run, &self.plan)?;
        for compiled in &self.compiled {
            reporter.compiled(&self.plan, compiled)?;
        }
        let mut results: Vec<&CaseResult> = self.results.iter().collect();
        if reporter.order() == Order::Plan {
            results.sort_by_key(|result| result.index);
        }
        let mut open: Vec<usize> =
            self.report.submissions.iter().map(|one| one.summary.planned).collect();
        for result in results {
            reporter.case(&self.plan, result)?;
            let submission = self.plan.jobs[result.index].submission;
            open[submission] -= 1;
            if open[submission] == 0 {
                let summary = &self.report.submissions[submission];
                reporter.submission(&self.plan, submission, summary)?;
            }
        }
        reporter.end(&self.plan, &self.report)
    }
}

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no report at all, or a broken one.
    #[error("{name}:{line}:{column}: {what}")]
    Broken {
        /// The file.
        name: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// It has another schema.
    #[error("{name}: schema `{found}`, expected `{}`", super::record::SCHEMA)]
    Schema {
        /// The file.
        name: String,
        /// What it says.
        found: String,
    },
    /// A result that says something no report says.
    #[error("{name}: result of {case}: `{member}` is not as a report writes it")]
    Result {
        /// The file.
        name: String,
        /// The case.
        case: String,
        /// The member.
        member: &'static str,
    },
    /// The summary counts other results than there are.
    #[error("{name}: the summary counts {told} results, and there are {found}")]
    Counts {
        /// The file.
        name: String,
        /// What the summary says.
        told: usize,
        /// Results in the file.
        found: usize,
    },
    /// Two results for one run.
    #[error("{case} of submission {submission} is in {first} and again in {second}")]
    Twice {
        /// The case.
        case: String,
        /// The submission.
        submission: String,
        /// The file that was read first.
        first: String,
        /// The other one, or the same.
        second: String,
    },
}

impl ReadError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Broken { .. } | Self::Result { .. } => {
                "expected a file of `--report json` or `--report jsonl`"
            }
            Self::Counts { .. } => "results were taken out or added after the run",
            Self::Schema { .. } => "another version of jury wrote it, or it is no report of a run",
            Self::Twice { .. } => {
                "several files are joined when each has other problems, submissions or cases"
            }
        }
    }
}

/// What one file tells.
#[derive(Debug)]
struct Told {
    name: String,
    tool: Tool<'static>,
    run: RunHead<'static>,
    host: Host<'static>,
    config: Config<'static>,
    problems: Vec<ProblemHead<'static>>,
    submissions: Vec<SubmissionHead<'static>>,
    cases: Vec<CaseHead<'static>>,
    records: Vec<Record<'static>>,
    compiled: Vec<CompiledHead<'static>>,
    comparison: Option<Box<Comparison>>,
    /// None for a run that was killed.
    summary: Option<SummaryTail>,
    torn: bool,
}

/// Reads reports; several are joined to one.
///
/// # Errors
/// When one of them is broken, or when two have the same result.
pub fn read(sources: &[Source]) -> Result<Past, ReadError> {
    let told: Result<Vec<Told>, _> = sources.iter().map(one).collect();
    assemble::assemble(told?)
}

/// Reads one file; a mark of the byte order in front is passed over.
fn one(source: &Source) -> Result<Told, ReadError> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let bytes = source.bytes.strip_prefix(MARK).unwrap_or(&source.bytes);
    let told = if events::is_first_line(bytes) {
        events::read(&source.name, bytes)?
    } else {
        document::read(&source.name, bytes)?
    };
    let found = told.records.len();
    match told.summary.as_ref().map(SummaryTail::results) {
        Some(counted) if counted != found => {
            Err(ReadError::Counts { name: source.name.clone(), told: counted, found })
        }
        _ => Ok(told),
    }
}

/// A fault of a file at the place that the JSON parser names, `above` lines below its own.
fn broken(name: &str, error: &serde_json::Error, above: usize) -> ReadError {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    ReadError::Broken {
        name: name.to_owned(),
        line: above + error.line().max(1),
        column: error.column().max(1),
        what: what.to_owned(),
    }
}

fn check_schema(name: &str, found: &str) -> Result<(), ReadError> {
    if found == super::record::SCHEMA {
        Ok(())
    } else {
        Err(ReadError::Schema { name: name.to_owned(), found: super::text::first_line(found, 100) })
    }
}

#[cfg(test)]
mod tests;
