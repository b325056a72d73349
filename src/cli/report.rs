//! `jury report`: reports of past runs, made again from what the JSON reports tell.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::args::{ReportOptions, TimingsChoice};
use super::error::{CommandError, print_note};
use super::grade::width;
use super::history;
use super::run_reports::{open_reports, refuse_read_files, verbosity};
use super::screen::Display;
use super::{Exit, JudgeFailed, OnFindings};
use crate::grade::{Named, WhenLeft};
use crate::model::Summary;
use crate::report::{
    self, Cases, Console, ConsoleOptions, Failures, Matrix, MatrixOptions, MatrixRerun, Past,
    Repeat, Reporter, Rerun, Source, Timings,
};

/// Runs the command.
pub(super) fn report(options: &ReportOptions, display: &Display) -> anyhow::Result<Exit> {
    let sources: Result<Vec<Source>, CommandError> =
        options.files.iter().map(|path| source(path)).collect();
    let mut past = report::read(&sources?)
        .map_err(|error| CommandError::usage(error.to_string()).hint(error.hint()))?;
    past.run.history = history::earlier(options.history.history.as_deref())?;
    for name in &past.torn {
        print_note(&format!("{name}: the last line is torn; it is left out"));
    }
    let read = || options.files.iter().chain(&options.history.history).cloned().collect();
    refuse_read_files(&options.reports, &past.plan, None, read)?;
    let mut failed = JudgeFailed::No;
    for named in reporters(options, display, &past)? {
        if !tell(&past, named)? {
            failed = JudgeFailed::Yes;
        }
    }
    Ok(exit(&past, failed, options))
}

/// A report that is named on the command line.
pub(super) fn source(path: &Path) -> Result<Source, CommandError> {
    let name =
        if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
    let bytes = if path.as_os_str() == "-" { bounded(io::stdin().lock()) } else { read_file(path) };
    let bytes =
        bytes.map_err(|error| CommandError::usage(format!("cannot read {name}: {error}")))?;
    Ok(Source { name, bytes })
}

/// Bytes of a report that is read: a million results have less.
const MOST: u64 = 4 << 30;

/// All that is there; a file without an end is none.
fn bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it has more than 4 GiB"));
    }
    Ok(bytes)
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    bounded(file)
}

/// The reports that are asked for, or the text that the run has printed.
fn reporters<'a>(
    options: &ReportOptions,
    display: &Display,
    past: &Past,
) -> Result<Vec<Named<'a>>, CommandError> {
    if options.reports.is_empty() {
        let reporter = summary(options, display, past);
        let name = super::run_reports::STDOUT.into();
        return Ok(vec![Named { name, when_left: WhenLeft::EndTheRun, reporter }]);
    }
    let timings = match past.timings {
        Timings::Measured => options.timings,
        Timings::None => TimingsChoice::None,
    };
    open_reports(&options.reports, timings, &repeat(past))
}

/// The command that repeats a run, as the page names it.
fn repeat(past: &Past) -> Repeat {
    let command = past.run.rerun.clone();
    if has_programs(past) {
        Repeat::Submission(MatrixRerun { command, by: past.run.rerun_by })
    } else {
        Repeat::Case(Rerun { command })
    }
}

fn has_programs(past: &Past) -> bool {
    past.plan.submissions.iter().any(|submission| submission.path.is_some())
}

fn summary<'a>(options: &ReportOptions, display: &Display, past: &Past) -> Box<dyn Reporter + 'a> {
    let run = &past.run;
    let (look, verbosity) = (display.look(), verbosity(options.quiet, options.verbose));
    if has_programs(past) {
        let options = MatrixOptions {
            look,
            verbosity,
            width: width(),
            rerun: MatrixRerun { command: run.rerun.clone(), by: run.rerun_by },
            reports: Vec::new(),
            cases: Cases::ToFirstFailure,
        };
        return Box::new(Matrix::new(anstream::stdout(), options, None));
    }
    let options = ConsoleOptions {
        look,
        verbosity,
        failures: Failures::AtTheEnd,
        rerun: Rerun { command: run.rerun.clone() },
        folders: run.folders.clone(),
        reports: Vec::new(),
    };
    Box::new(Console::new(anstream::stdout(), options, None))
}

/// Whether the report is written; a reader that has seen enough is no fault.
fn tell(past: &Past, mut named: Named) -> Result<bool, io::Error> {
    match past.tell(named.reporter.as_mut()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => match named.when_left {
            WhenLeft::EndTheRun => Err(error),
            WhenLeft::GoOn | WhenLeft::Lost => Ok(true),
        },
        Err(error) => {
            let error = anyhow::Error::msg(format!("cannot write {}: {error}", named.name));
            super::print_error(&error);
            Ok(false)
        }
    }
}

/// The code that the run has earned; one that was not finished has not shown that all is well.
fn exit(past: &Past, failed: JudgeFailed, options: &ReportOptions) -> Exit {
    let counts = past.report.summary;
    let failures = if has_programs(past) { past.report.broken(&past.plan) } else { counts.failed };
    let counts = past.report.with_regressions(Summary { failed: failures, ..counts });
    let unfinished = counts.interrupted || counts.done() < counts.planned;
    let failures = counts.failed + usize::from(unfinished);
    let on_findings = if options.exit_zero { OnFindings::Zero } else { OnFindings::Tell };
    Exit::of_run(&Summary { failed: failures, ..counts }, None, failed, on_findings)
}
