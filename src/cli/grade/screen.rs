//! What is shown of a run of submissions, and the reports that are written.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use walkdir::WalkDir;

use super::args::{CONFIRM, GradeOptions, SandboxChoice, TimingChoice};
use super::jury::configured;
use super::resume::companions;
use super::target::problem_folder;
use crate::cli::args::Arguments;
use crate::cli::ci;
use crate::cli::compare;
use crate::cli::config::Config;
use crate::cli::error::CommandError;
use crate::cli::options::ReportRequest;
use crate::cli::run_reports::{
    NoReport, People, names, open_reports, output, progress, refuse_read_files, requests, verbosity,
};
use crate::grade::{Named, WhenLeft};
use crate::model::{Plan, Report};
use crate::report::{
    Cases, Matrix, MatrixOptions, MatrixRerun as Rerun, Repeat, RerunBy, shell_quoted,
};
use crate::sandbox::CgroupChoice;

/// Opens every report and sets up the terminal.
pub(super) fn open<'a>(
    options: &GradeOptions,
    arguments: &Arguments,
    plan: &Plan,
    config: &Config,
) -> Result<Vec<Named<'a>>, CommandError> {
    let requests = requests(&options.reports, NoReport(options.no_report));
    refuse_read_files(&requests, plan, config.path.as_deref(), || {
        read_files(options, config, plan)
    })?;
    let matrix = matrix(options, arguments, &requests);
    let repeat = Repeat::Submission(matrix.rerun.clone());
    let mut reporters = open_reports(&requests, options.timings, &repeat)?;
    let (progress, bar) = progress(options.progress.resolved(), matrix.verbosity, matrix.look);
    let People { out, name, when_left } = output(&requests);
    let matrix = Box::new(Matrix::new(out, matrix, bar));
    let when = WhenLeft::GoOn;
    reporters.push(Named { name: "progress".into(), when_left: when, reporter: progress });
    reporters.push(Named { name: name.into(), when_left, reporter: matrix });
    ci::add(&mut reporters, &requests, options.timings.into());
    Ok(reporters)
}

/// Shows the run beside its baseline, if it has one.
pub(super) fn show_baseline(
    options: &GradeOptions,
    arguments: &Arguments,
    report: &Report,
) -> anyhow::Result<()> {
    let people = output(&requests(&options.reports, NoReport(options.no_report)));
    compare::show(people.out, report, arguments.display.look(), options.quiet)
}

fn matrix(
    options: &GradeOptions,
    arguments: &Arguments,
    requests: &[ReportRequest],
) -> MatrixOptions {
    MatrixOptions {
        look: arguments.display.look(),
        verbosity: verbosity(options.quiet, options.verbose),
        width: width(),
        rerun: Rerun { command: rerun(options, arguments), by: rerun_by(options) },
        reports: names(requests, arguments.display.look()),
        cases: if options.all_cases { Cases::All } else { Cases::ToFirstFailure },
    }
}

/// What a run reads beside inputs and answers: every file of the submissions, those that are not
/// chosen included, of the cases, and of the programs of the jury.
fn read_files(options: &GradeOptions, config: &Config, plan: &Plan) -> Vec<PathBuf> {
    let folder = problem_folder(options);
    let folders = folder.map(|folder| [folder.join("submissions"), folder.join("source")]);
    let paths = plan.submissions.iter().filter_map(|submission| submission.path.clone());
    let checker = options.checker.as_ref().map(|checker| checker.path.clone());
    let programs = config.jury_programs();
    let programs = programs.filter_map(|table| configured(&table.program, config)).chain(checker);
    let cases = plan.problems.iter().flat_map(|problem| &problem.cases).flat_map(companions);
    let baseline = options.baseline.file.clone();
    let tops = paths
        .chain(baseline)
        .chain(options.interleave.clone())
        .chain(options.history.history.clone())
        .chain(folders.into_iter().flatten())
        .chain(programs)
        .chain(cases);
    let walk = |top| WalkDir::new(top).into_iter().flatten().map(walkdir::DirEntry::into_path);
    tops.flat_map(walk).collect()
}

/// How a submission is named in the command that repeats its runs.
pub(super) fn rerun_by(options: &GradeOptions) -> RerunBy {
    if is_named(options) { RerunBy::Path } else { RerunBy::Name }
}

/// Whether the submissions stand on the command line.
fn is_named(options: &GradeOptions) -> bool {
    options.targets.len() > usize::from(options.input.is_none())
}

/// The width of the terminal: `COLUMNS`, or what the terminal says; none when there is none.
pub(in crate::cli) fn width() -> Option<usize> {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    told.or_else(|| {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
    })
}

/// The command that runs the same problem in the same way, without submission and case.
pub(super) fn rerun(options: &GradeOptions, arguments: &Arguments) -> String {
    let mut words = vec!["jury grade".to_owned()];
    let path = |path: &Path| shell_quoted(&path.display().to_string());
    if let (Some(input), Some(expected)) = (&options.input, &options.expected) {
        words.push(format!("--input {} --expected {}", path(input), path(expected)));
    }
    words.extend(problem_folder(options).map(path));
    words.extend(verdict_options(options));
    match (&arguments.config, arguments.no_config) {
        (_, true) => words.push("--no-config".to_owned()),
        (Some(file), false) => words.push(format!("--config {}", path(file))),
        (None, false) => {}
    }
    words.join(" ")
}

/// Every option that a verdict hangs on.
fn verdict_options(options: &GradeOptions) -> Vec<String> {
    let limits = &options.limits;
    let seconds = |time: Duration| time.as_secs_f64().to_string();
    let times =
        |times: &[Duration]| times.iter().map(|&time| seconds(time)).collect::<Vec<_>>().join(",");
    let texts = [
        ("compare", options.compare.as_ref().map(|compare| shell_quoted(compare))),
        ("checker", options.checker.as_ref().map(|checker| shell_quoted(&checker.text))),
        ("passes", options.passes.map(|number| number.to_string())),
        ("missing", options.missing.map(word)),
        ("time", (!limits.time.is_empty()).then(|| times(&limits.time))),
        ("wall", limits.wall.map(seconds)),
        ("memory", limits.memory.map(size)),
        ("stack", limits.stack.map(size)),
        ("output", limits.output.map(size)),
        ("processes", limits.processes.map(|number| number.to_string())),
        ("clock", options.clock.map(word)),
        ("timing", Some(options.timing).filter(|how| *how != TimingChoice::Confirm).map(word)),
        ("confirm", Some(options.confirm).filter(|&n| n != CONFIRM).map(|n| n.to_string())),
        ("cgroup", options.cgroup.as_ref().map(group)),
        ("sandbox", Some(options.sandbox).filter(|how| *how != SandboxChoice::Auto).map(word)),
    ];
    let flags = [(options.transcript, "--transcript"), (options.keep_feedback, "--keep-feedback")];
    let flags = flags.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag.to_owned());
    let given = texts.into_iter().filter_map(|(name, text)| Some((name, text?)));
    given.map(|(name, text)| format!("--{name} {text}")).chain(flags).collect()
}

/// Control groups as they are typed.
fn group(choice: &CgroupChoice) -> String {
    match choice {
        CgroupChoice::Auto => "auto".to_owned(),
        CgroupChoice::Off => "none".to_owned(),
        CgroupChoice::In(path) => shell_quoted(&path.display().to_string()),
    }
}

/// A choice as it is typed.
fn word(choice: impl ValueEnum + Copy) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Mebibytes where they are whole, else bytes.
fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes.is_multiple_of(MIB) { (bytes / MIB).to_string() } else { format!("{bytes}B") }
}
