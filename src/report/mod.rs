//! Reports: one file per output. Each is a [`Reporter`] over a writer; none opens a file, knows a
//! clock or decides a verdict.

use std::io::{self, Write};

use crate::atomic::AtomicFile;
use crate::model::{CaseResult, Compiled, Plan, Report, Run, SubmissionSummary};

mod comparison;
mod console;
mod csv;
mod excerpt;
mod failure;
mod fault;
#[cfg(test)]
mod fixture;
mod github;
mod gitlab;
mod head;
mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod matrix;
mod metrics;
pub mod mismatch;
mod narrow;
mod progress;
mod read;
mod record;
mod submission;
mod tap;
#[cfg(test)]
mod tests;
mod text;
mod unmeasured;

pub use comparison::{ComparisonFormat, comparison};
pub use console::{Console, ConsoleOptions, Failures, IN_FULL, Verbosity};
pub use csv::{COLUMNS, CsvReporter};
pub use excerpt::Charset;
pub use failure::Rerun;
pub use fault::Root;
pub use github::{Commands, GithubReporter};
pub use gitlab::GitlabReporter;
pub use html::{HtmlOptions, HtmlReporter, HtmlStyle, Picture, Repeat};
pub use json::JsonReporter;
pub use jsonl::JsonLinesReporter;
pub use junit::{JunitReporter, MoreFiles};
pub use markdown::{MARKDOWN_BYTES, MarkdownReporter};
pub use matrix::{Cases, Matrix, MatrixOptions, MatrixRerun, RerunBy, mebibytes};
pub use metrics::MetricsReporter;
pub use progress::{Bar, Lines, Silent};
pub use read::{Past, ReadError, Source, read};
pub use tap::TapReporter;
pub use text::{Look, count, duration, shell_path, shell_quoted};
pub use unmeasured::unmeasured;

/// Mismatches of a run, the first ones of the plan, that keep every row of their view until they
/// are reported; others keep the row that differs.
pub const VIEWS: usize = 1000;

/// The order in which a reporter wants its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As they are done.
    Completion,
    /// As they stand in the plan.
    Plan,
}

/// Is told of a run as it goes on.
pub trait Reporter {
    /// The order in which it wants its cases.
    fn order(&self) -> Order {
        Order::Plan
    }

    /// The run starts.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn begin(&mut self, _run: &Run, _plan: &Plan) -> io::Result<()> {
        Ok(())
    }

    /// A case is done.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()>;

    /// A submission has been built, or could not be.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn compiled(&mut self, _plan: &Plan, _compiled: &Compiled) -> io::Result<()> {
        Ok(())
    }

    /// All cases of a submission, by its position in the plan, have their results.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn submission(
        &mut self,
        _plan: &Plan,
        _submission: usize,
        _summary: &SubmissionSummary,
    ) -> io::Result<()> {
        Ok(())
    }

    /// Nothing has happened for a while.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn tick(&mut self, _plan: &Plan) -> io::Result<()> {
        Ok(())
    }

    /// A signal has asked for a stop; `running` cases are under way.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn stopping(&mut self, _running: usize) -> io::Result<()> {
        Ok(())
    }

    /// The run is over; the report is to be completed and put in its place.
    ///
    /// # Errors
    /// When the report cannot be written.
    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()>;
}

/// Which columns a report fills.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Timings {
    /// All of them.
    #[default]
    Measured,
    /// None that a clock fills, so that two runs give the same bytes.
    None,
}

impl Timings {
    /// Whether clocks fill anything.
    fn measured(self) -> bool {
        self == Self::Measured
    }
}

/// Where a report goes; it may stay invisible until it is complete.
pub trait Place: Write {
    /// Removes what an earlier run has left in the place.
    ///
    /// # Errors
    /// When the place cannot be emptied.
    fn start(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Makes the complete report visible.
    ///
    /// # Errors
    /// When the last bytes cannot be written, or the file cannot be put in its place.
    fn complete(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Place for AtomicFile {
    fn complete(&mut self) -> io::Result<()> {
        self.commit()
    }
}

impl Place for io::Stdout {}

impl Place for io::Stderr {}

impl Place for std::fs::File {
    fn start(&mut self) -> io::Result<()> {
        if self.metadata()?.is_file() { self.set_len(0) } else { Ok(()) }
    }
}

impl Place for Vec<u8> {}

impl<P: Place + ?Sized> Place for &mut P {
    fn start(&mut self) -> io::Result<()> {
        (**self).start()
    }

    fn complete(&mut self) -> io::Result<()> {
        (**self).complete()
    }
}

impl<P: Place + ?Sized> Place for Box<P> {
    fn start(&mut self) -> io::Result<()> {
        (**self).start()
    }

    fn complete(&mut self) -> io::Result<()> {
        (**self).complete()
    }
}
