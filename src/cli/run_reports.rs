//! The reporters of a run: reports are opened before the first case, so that a path that cannot
//! be written costs nothing.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::args::{RunOptions, TimingsChoice};
use super::error::CommandError;
use super::options::{ReportFormat, ReportRequest};
use super::screen::{Display, ProgressChoice, in_ci};
use crate::atomic::AtomicFile;
use crate::grade::Named;
use crate::package::Layout;
use crate::report::{
    Bar, Console, ConsoleOptions, CsvReporter, Failures, InOrder, JsonLinesReporter, JsonReporter,
    Lines, Look, Place, Reporter, Rerun, Silent, Timings, Verbosity, shell_quoted,
};

/// What is shown to people.
pub(super) struct Screen {
    console: ConsoleOptions,
    progress: ProgressChoice,
    requests: Vec<ReportRequest>,
}

impl Screen {
    /// As the options say.
    pub(super) fn new(options: &RunOptions, display: &Display, layout: &Layout) -> Self {
        let look = display.look();
        let progress = options.progress.resolved();
        let at_once = progress == ProgressChoice::Lines && in_ci();
        let requests = requests(&options.reports, NoReport(options.no_report));
        let console = ConsoleOptions {
            look,
            verbosity: verbosity(options.quiet, options.verbose),
            failures: if at_once { Failures::AtOnce } else { Failures::AtTheEnd },
            rerun: Rerun { command: rerun(options) },
            folders: (folder_name(&layout.input), folder_name(&layout.expected)),
            reports: requests.iter().map(|report| report.path.display().to_string()).collect(),
        };
        Self { console, progress, requests }
    }

    fn look(&self) -> Look {
        self.console.look
    }
}

/// How much is printed, from the numbers of `-q` and `-v`.
pub(super) fn verbosity(quiet: u8, verbose: u8) -> Verbosity {
    match (quiet, verbose) {
        (0, 0) => Verbosity::Normal,
        (0, 1) => Verbosity::Cases,
        (0, _) => Verbosity::All,
        (1, _) => Verbosity::SummaryOnly,
        _ => Verbosity::ErrorsOnly,
    }
}

fn folder_name(folder: &Path) -> String {
    let name = folder.display().to_string();
    if name.ends_with('/') { name } else { name + "/" }
}

/// The command that runs the same suite in the same way, without a case.
fn rerun(options: &RunOptions) -> String {
    let mut words = vec!["jury run".to_owned()];
    let suite = &options.suite;
    let path = |path: &Path| shell_quoted(&path.display().to_string());
    if let (Some(input), Some(expected)) = (&suite.input, &suite.expected) {
        words.push(format!("--input {} --expected {}", path(input), path(expected)));
    } else if suite.suite != Path::new(".") {
        words.push(path(&suite.suite));
    }
    if let Some(solver) = &suite.solver {
        words.push(format!("--solver {}", shell_quoted(solver)));
    }
    if let Some(compare) = &options.compare {
        words.push(format!("--compare {}", shell_quoted(compare)));
    }
    words.join(" ")
}

/// Opens every report and sets up the terminal.
pub(super) fn open<'a>(
    options: &RunOptions,
    screen: &Screen,
) -> Result<Vec<Named<'a>>, CommandError> {
    let mut reporters = files(&screen.requests, options.timings)?;
    let out = output(&screen.requests);
    let (progress, bar) = progress(screen.progress, screen.console.verbosity, screen.look());
    let console = InOrder::new(Console::new(out, screen.console.clone(), bar));
    reporters.push(Named { name: "progress".into(), reporter: progress });
    reporters.push(Named { name: "standard output".into(), reporter: Box::new(console) });
    Ok(reporters)
}

/// Opens the reports that programs read.
pub(super) fn files<'a>(
    requests: &[ReportRequest],
    timings: TimingsChoice,
) -> Result<Vec<Named<'a>>, CommandError> {
    refuse_twins(requests)?;
    let timings = match timings {
        TimingsChoice::Measured => Timings::Measured,
        TimingsChoice::None => Timings::None,
    };
    requests.iter().map(|request| report(request, timings)).collect()
}

/// Where people read: standard output, unless a report goes there.
pub(super) fn output(requests: &[ReportRequest]) -> Box<dyn Write> {
    if requests.iter().any(ReportRequest::is_stdout) {
        Box::new(anstream::stderr())
    } else {
        Box::new(anstream::stdout())
    }
}

/// The reports that are asked for; one by default.
pub(super) fn requests(reports: &[ReportRequest], no_report: NoReport) -> Vec<ReportRequest> {
    match (reports, no_report) {
        ([], NoReport(true)) => Vec::new(),
        ([], NoReport(false)) => vec![ReportRequest::by_default()],
        _ => reports.to_vec(),
    }
}

/// Whether no report is to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoReport(pub(super) bool);

fn refuse_twins(requests: &[ReportRequest]) -> Result<(), CommandError> {
    let mut seen = HashSet::new();
    for request in requests {
        if !seen.insert(&request.path) {
            let path = request.path.display();
            return Err(CommandError::usage(format!("two reports go to {path}")));
        }
    }
    Ok(())
}

fn report<'a>(request: &ReportRequest, timings: Timings) -> Result<Named<'a>, CommandError> {
    let place = open_place(request).map_err(|error| {
        CommandError::usage(format!("cannot write {}: {error}", request.path.display()))
    })?;
    let reporter: Box<dyn Reporter> = match request.format {
        ReportFormat::Csv => Box::new(InOrder::new(CsvReporter::new(place, timings))),
        ReportFormat::Json => Box::new(InOrder::new(JsonReporter::new(place, timings))),
        ReportFormat::JsonLines => Box::new(JsonLinesReporter::new(place, timings)),
    };
    let name = if request.is_stdout() {
        "standard output".to_owned()
    } else {
        request.path.display().to_string()
    };
    Ok(Named { name, reporter })
}

/// Events must be readable while the run goes on; the other reports appear when they are whole.
fn open_place(request: &ReportRequest) -> io::Result<Box<dyn Place>> {
    if request.is_stdout() {
        return Ok(Box::new(io::stdout()));
    }
    Ok(match request.format {
        ReportFormat::JsonLines => Box::new(File::create(&request.path)?),
        ReportFormat::Csv | ReportFormat::Json => Box::new(AtomicFile::create(&request.path)?),
    })
}

/// The reporter of the progress, and its bar if it has one.
pub(super) fn progress<'a>(
    choice: ProgressChoice,
    verbosity: Verbosity,
    look: Look,
) -> (Box<dyn Reporter + 'a>, Option<indicatif::ProgressBar>) {
    let quiet = verbosity < Verbosity::Normal;
    match choice {
        ProgressChoice::Bar if !quiet => {
            let bar = Bar::new(look);
            let handle = bar.handle();
            (Box::new(bar), Some(handle))
        }
        ProgressChoice::Lines if !quiet => (Box::new(Lines::new(io::stderr())), None),
        _ => (Box::new(Silent::new(io::stderr())), None),
    }
}
