//! The reporters of a run: reports are opened before the first case, so that a path that cannot
//! be written costs nothing.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::Exit;
use super::args::{RunOptions, TimingsChoice};
use super::ci;
use super::error::CommandError;
use super::options::{ReportFormat, ReportRequest};
use super::picture::picture;
use super::screen::{Display, ProgressChoice, in_ci};
use crate::atomic::AtomicFile;
use crate::grade::{Named, WhenLeft};
use crate::model::{Plan, Report, Run};
use crate::package::Layout;
use crate::report::{
    Bar, Console, ConsoleOptions, CsvReporter, Failures, GithubReporter, GitlabReporter,
    HtmlOptions, HtmlReporter, HtmlStyle, JsonLinesReporter, JsonReporter, JunitReporter, Lines,
    Look, MARKDOWN_BYTES, MarkdownReporter, MetricsReporter, Place, Repeat, Reporter, Rerun,
    Silent, TapReporter, Timings, Verbosity, shell_path, shell_quoted, unmeasured,
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
            folders: folders(layout),
            reports: names(&requests, look),
        };
        Self { console, progress, requests }
    }

    /// The reports that are asked for.
    pub(super) fn requests(&self) -> &[ReportRequest] {
        &self.requests
    }

    fn repeat(&self) -> Repeat {
        Repeat::Case(self.console.rerun.clone())
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

/// The folders of a suite as people read them: inputs, answers.
pub(super) fn folders(layout: &Layout) -> (String, String) {
    (folder_name(&layout.input), folder_name(&layout.expected))
}

fn folder_name(folder: &Path) -> String {
    let name = folder.display().to_string();
    if name.ends_with('/') { name } else { name + "/" }
}

/// The command that runs the same suite in the same way, without a case.
pub(super) fn rerun(options: &RunOptions) -> String {
    let mut words = vec!["jury run".to_owned()];
    let suite = &options.suite;
    let path = |path: &Path| shell_path(path);
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
    let mut reporters = open_reports(&screen.requests, options.timings, &screen.repeat())?;
    let (progress, bar) = progress(screen.progress, screen.console.verbosity, screen.look());
    let people = output(&screen.requests);
    let console = Box::new(Console::new(people.out, screen.console.clone(), bar));
    let when = WhenLeft::GoOn;
    reporters.push(Named { name: "progress".into(), when_left: when, reporter: progress });
    reporters.push(Named {
        name: people.name.into(),
        when_left: people.when_left,
        reporter: console,
    });
    ci::add(&mut reporters, &screen.requests, options.timings.into());
    Ok(reporters)
}

/// The places of reports as they are named in the last line.
pub(super) fn names(requests: &[ReportRequest], look: Look) -> Vec<String> {
    requests.iter().map(|report| look.name(&report.path.display().to_string())).collect()
}

/// Where people read: standard output, unless a report goes there.
pub(super) struct People {
    pub(super) out: Box<dyn Write>,
    pub(super) name: &'static str,
    pub(super) when_left: WhenLeft,
}

/// The place for people, beside these reports.
pub(super) fn output(requests: &[ReportRequest]) -> People {
    if requests.iter().any(ReportRequest::is_stdout) {
        let out = Box::new(anstream::stderr());
        People { out, name: "standard error", when_left: WhenLeft::GoOn }
    } else {
        People { out: Box::new(anstream::stdout()), name: STDOUT, when_left: WhenLeft::EndTheRun }
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

/// How standard output is called in messages.
pub(super) const STDOUT: &str = "standard output";

/// Reports that were asked for by name have their header even when there is no case.
pub(super) fn write_empty(
    options: &RunOptions,
    screen: &Screen,
    run: &Run,
    plan: &Plan,
) -> Result<(), CommandError> {
    if options.reports.is_empty() {
        return Ok(());
    }
    let reporters = open_reports(&screen.requests, options.timings, &screen.repeat())?;
    for Named { name, mut reporter, .. } in reporters {
        let written =
            reporter.begin(run, plan).and_then(|()| reporter.end(plan, &Report::default()));
        written.map_err(|error| {
            CommandError::usage(format!("cannot write {name}: {error}")).exit(Exit::Failure)
        })?;
    }
    Ok(())
}

/// A report never takes the place of a file that is read: the inputs and answers of the plan, the
/// configuration, and `more`, which is asked for only when a report's file is there already.
pub(super) fn refuse_read_files(
    requests: &[ReportRequest],
    plan: &Plan,
    configuration: Option<&Path>,
    more: impl Fn() -> Vec<PathBuf>,
) -> Result<(), CommandError> {
    let files = requests.iter().filter(|request| !request.is_stdout());
    let there: Vec<(&ReportRequest, FileId)> =
        files.filter_map(|request| Some((request, file_id(&request.path)?))).collect();
    if there.is_empty() {
        return Ok(());
    }
    let cases = plan.jobs.iter().map(|&job| plan.case(job));
    let cases = cases.flat_map(|case| [Some(case.input.as_path()), case.answer.as_deref()]);
    let more = more();
    let read = cases.flatten().chain(configuration).chain(more.iter().map(PathBuf::as_path));
    let read: HashSet<FileId> = read.filter_map(file_id).collect();
    match there.iter().find(|(_, id)| read.contains(id)) {
        None => Ok(()),
        Some((request, _)) => {
            let path = request.path.display();
            let message = format!("{path} is a file that this run reads");
            Err(CommandError::usage(message).hint("name another file for the report"))
        }
    }
}

/// Device and inode: equal for all names of one file.
pub(super) type FileId = (u64, u64);

/// Of a regular file that is there; links are followed.
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((data.dev(), data.ino()))
}

/// Opens all reports, or none: one that exists is not touched before all of them are open.
pub(super) fn open_reports<'a>(
    requests: &[ReportRequest],
    timings: TimingsChoice,
    repeat: &Repeat,
) -> Result<Vec<Named<'a>>, CommandError> {
    let timings = timings.into();
    refuse_twins(requests)?;
    for request in requests.iter().filter(|request| !request.is_stdout()) {
        AtomicFile::clear_beside(&request.path);
    }
    requests.iter().map(|request| report(request, timings, repeat)).collect()
}

fn refuse_twins(requests: &[ReportRequest]) -> Result<(), CommandError> {
    let mut seen = HashSet::new();
    for request in requests {
        if !seen.insert(place_of(&request.path)) {
            let path = request.path.display();
            return Err(CommandError::usage(format!("two reports go to {path}")));
        }
    }
    Ok(())
}

/// A path that is equal for equal places, whether the file exists or not.
pub(super) fn place_of(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (path.canonicalize(), folder.canonicalize(), path.file_name()) {
        (Ok(whole), ..) => whole,
        (Err(_), Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn report<'a>(
    request: &ReportRequest,
    timings: Timings,
    repeat: &Repeat,
) -> Result<Named<'a>, CommandError> {
    let place = open_place(request).map_err(|error| {
        CommandError::usage(format!("cannot write {}: {error}", request.path.display()))
            .hint("--report FORMAT=PATH writes elsewhere, --no-report writes none")
    })?;
    let (name, when_left) = if request.is_stdout() {
        (STDOUT.to_owned(), WhenLeft::EndTheRun)
    } else {
        (request.path.display().to_string(), WhenLeft::Lost)
    };
    let reporter = unmeasured(reporter(request, place, timings, repeat), timings);
    Ok(Named { name, when_left, reporter })
}

/// One line for each format.
fn reporter<'a>(
    request: &ReportRequest,
    place: Box<dyn Place>,
    timings: Timings,
    repeat: &Repeat,
) -> Box<dyn Reporter + 'a> {
    match request.format {
        ReportFormat::Csv => Box::new(CsvReporter::new(place, timings)),
        ReportFormat::Json => Box::new(JsonReporter::new(place, timings)),
        ReportFormat::JsonLines => Box::new(JsonLinesReporter::new(place, timings)),
        ReportFormat::Html => html(place, HtmlStyle::Report, timings, repeat),
        ReportFormat::HtmlContest => html(place, HtmlStyle::Contest, timings, repeat),
        ReportFormat::Junit => {
            Box::new(JunitReporter::new(place, ci::more_files(request), ci::root(), timings))
        }
        ReportFormat::Markdown => Box::new(MarkdownReporter::new(place, timings, MARKDOWN_BYTES)),
        ReportFormat::Github => Box::new(GithubReporter::new(place, ci::root())),
        ReportFormat::Gitlab => Box::new(GitlabReporter::new(place, ci::root())),
        ReportFormat::GitlabMetrics => Box::new(MetricsReporter::new(place, timings)),
        ReportFormat::Tap => Box::new(TapReporter::new(place)),
    }
}

fn html<'a>(
    place: Box<dyn Place>,
    style: HtmlStyle,
    timings: Timings,
    repeat: &Repeat,
) -> Box<dyn Reporter + 'a> {
    let options = HtmlOptions { style, timings, repeat: repeat.clone(), picture };
    Box::new(HtmlReporter::new(place, options))
}

/// Events must be readable while the run goes on; the other reports appear when they are whole.
fn open_place(request: &ReportRequest) -> io::Result<Box<dyn Place>> {
    if request.is_stdout() {
        return Ok(Box::new(io::stdout()));
    }
    Ok(match request.format {
        ReportFormat::JsonLines => {
            let options = File::options().write(true).create(true).truncate(false).to_owned();
            Box::new(options.open(&request.path)?)
        }
        ReportFormat::Junit => Box::new(ci::Part::create(&request.path, 1)?),
        _ => Box::new(AtomicFile::create(&request.path)?),
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
