//! `jury run`: solve, compare and report a suite.

use std::path::Path;
use std::process;
use std::time::SystemTime;
use std::{env, fs, io};

use anyhow::Context as _;

use super::args::{Arguments, MissingChoice, RunOptions};
use super::compare::{self, Interleaved};
use super::config::{self, Config};
use super::error::{CommandError, print_fault, print_note, print_warning};
use super::history;
use super::machine::{calibrated, commit, machine};
use super::options::{Jobs, cores};
use super::run_reports::{self, Screen};
use super::suite::{self, LoadedSuite};
use super::{Exit, JudgeFailed, OnFindings};
use crate::check::{self, Checker};
use crate::execute::{BuiltIn, Executor};
use crate::grade::{Grading, Outcome, Rules, grade};
use crate::interrupt::{Interrupt, Signal};
use crate::judge::{Bless, Keep, Missing, Settings};
use crate::model::{Finding, FindingKind, Plan, Run, Severity};
use crate::report::{count, shell_quoted};
use crate::solvers::{self, Options, Proof};

/// Where outputs of failed cases are kept, below the working folder.
pub(super) const KEPT: &str = ".jury/last";

/// Pairing faults that are printed before the run; `jury list` prints all.
const MOST_FINDINGS: usize = 20;

/// Runs the command.
pub(super) fn run(options: &RunOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    let config = config::load(arguments)?;
    let checker = checker(options.compare.as_ref(), &config)?;
    let mut loaded = suite::load(&options.suite, &config, suite::Unsolved::Refused)?;
    let runs = options.runs.or(config.runs).unwrap_or(1);
    let problems = std::mem::take(&mut loaded.suite.problems);
    let plan = suite::select(problems, &options.suite, runs);
    if !options.suite.cases.is_empty() {
        suite::keep_findings_of(&plan, &mut loaded.suite.findings);
    }
    let history = history::earlier(options.history.history.as_deref())?;
    let run = Run { history, ..describe(options, &config, &loaded, &plan, &*checker) };
    let screen = Screen::new(options, &arguments.display, &loaded.layout);
    let interrupt = Interrupt::install(|signal| Exit::of_signal(signal).now())
        .context("cannot wait for signals")?;
    if plan.jobs.is_empty() {
        run_reports::write_empty(options, &screen, &run, &plan)?;
        return Err(suite::nothing(&loaded, &options.suite).into());
    }
    let config_path = config.path.as_deref();
    run_reports::refuse_read_files(screen.requests(), &plan, config_path, || {
        options.baseline.file.iter().chain(&options.history.history).cloned().collect()
    })?;
    let baseline = compare::baseline(options.baseline.file.as_deref(), Interleaved(false))?;
    let reporters = run_reports::open(options, &screen)?;
    if config.has_limits {
        print_note("[limits] in jury.toml hold for submissions; the built-in core runs without");
    }
    if config.check.program.program.is_some() {
        print_note("[check] in jury.toml holds for submissions; the built-in core is compared");
    }
    print_findings(&loaded.suite.findings);
    clear_kept();
    let stop = || interrupt.count() > 0;
    let grading = Grading {
        plan: &plan,
        run: &run,
        executors: &executors(&plan, options),
        settings: &settings(options, &config, &*checker, &stop),
        rules: Rules::default(),
        finished: Vec::new(),

        compiled: &[],
        noise: &|| None,
        base: None,
        baseline: baseline.as_ref(),
        selected: compare::selected(&options.suite.cases),
        max_fail: options.max_fail.or(config.max_fail).map(|most| most as usize),
        interrupt: &interrupt,
        give_up: &|| {},
        quit,
    };
    let outcome = grade(&grading, reporters)
        .map_err(|error| CommandError::usage(error.to_string()).exit(Exit::Failure))?;
    hide_kept();
    let people = run_reports::output(screen.requests()).out;
    compare::show(people, &outcome.report, arguments.display.look(), options.quiet)?;
    Ok(conclude(&outcome, &interrupt, &loaded.suite.findings, options))
}

/// The comparison that the command line or the configuration names.
pub(super) fn checker(
    name: Option<&String>,
    config: &Config,
) -> Result<Box<dyn Checker>, CommandError> {
    let name = name.or(config.compare.as_ref()).map_or(check::DEFAULT, String::as_str);
    check::parse(name).map_err(|error| unknown(&error))
}

/// The error of a comparison that does not exist, or that has no such flag.
pub(super) fn unknown(error: &check::ParseError) -> CommandError {
    CommandError::usage(error.to_string())
}

fn settings<'a>(
    options: &RunOptions,
    config: &Config,
    checker: &'a dyn Checker,
    stop: &'a (dyn Fn() -> bool + Sync),
) -> Settings<'a> {
    Settings {
        checker,
        runs: options.runs.or(config.runs).unwrap_or(1),
        missing: missing(options.missing, config),
        bless: match (options.bless, options.force) {
            (false, _) => Bless::No,
            (true, false) => Bless::Missing,
            (true, true) => Bless::Force,
        },
        stop,
        keep: Some(Keep::below(KEPT)),
    }
}

/// What a missing answer means, by the command line or the configuration.
pub(super) fn missing(choice: Option<MissingChoice>, config: &Config) -> Missing {
    match choice.or(config.missing).unwrap_or_default() {
        MissingChoice::Fail => Missing::Fail,
        MissingChoice::Warn => Missing::Warn,
        MissingChoice::Skip => Missing::Skip,
    }
}

/// One executor for each problem. What is blessed is proved first.
fn executors(plan: &Plan, options: &RunOptions) -> Vec<Box<dyn Executor>> {
    let verify = options.verify || options.bless;
    let proof = if verify { Proof::Verify } else { Proof::Trust };
    plan.problems
        .iter()
        .filter_map(|problem| solvers::find(&problem.solver))
        .map(|solver| {
            let options = Options { proof, ..Options::default() };
            Box::new(BuiltIn::new(solver, options)) as Box<dyn Executor>
        })
        .collect()
}

fn describe(
    options: &RunOptions,
    config: &Config,
    loaded: &LoadedSuite,
    plan: &Plan,
    checker: &dyn Checker,
) -> Run {
    let jobs = options.jobs.or(config.jobs).unwrap_or(Jobs::Auto).number();
    Run {
        compare: checker.name().to_owned(),
        missing: missing_word(missing(options.missing, config)),
        answers: loaded.suite.answers,
        folders: run_reports::folders(&loaded.layout),
        rerun: run_reports::rerun(options),
        ..this_run(jobs.min(plan.jobs.len()).max(1), plan.runs)
    }
}

/// What a missing answer means, as reports say it.
pub(super) fn missing_word(missing: Missing) -> String {
    format!("{missing:?}").to_lowercase()
}

/// What is known of every run on this machine. One whose cases are run several times is made to be
/// compared with others, so it tells how fast the machine is.
pub(super) fn this_run(jobs: usize, runs: u32) -> Run {
    let machine = if runs > 1 { calibrated(machine()) } else { machine() };
    let now = SystemTime::now();
    let seconds = humantime::format_rfc3339_seconds(now).to_string().replace(['-', ':'], "");
    Run {
        id: format!("{seconds}-{:x}", process::id()),
        started_at: now,
        jobs,
        command: command_line(),
        cpu: cpu_name(),
        cores: cores(),
        machine,
        commit: commit(),
        hostname: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        ..Run::default()
    }
}

fn command_line() -> String {
    let quoted = |argument: std::ffi::OsString| shell_quoted(&argument.to_string_lossy());
    let arguments = env::args_os().skip(1).map(quoted);
    std::iter::once("jury".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The processor's name, where the system tells it.
fn cpu_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

/// Faults of the pairing, but for missing answers: those are results.
pub(super) fn worth_telling(finding: &Finding) -> bool {
    let result = matches!(finding.kind, FindingKind::MissingAnswer | FindingKind::CaseOnly);
    !result || finding.severity == Severity::Warning
}

pub(super) fn print_findings(findings: &[Finding]) {
    let told: Vec<&Finding> = findings.iter().filter(|finding| worth_telling(finding)).collect();
    for finding in told.iter().take(MOST_FINDINGS) {
        let message = format!("{}: {}", finding.path.display(), finding.message);
        let hint = finding.hint.as_deref();
        match finding.severity {
            Severity::Error => print_fault(&message, hint),
            Severity::Warning => print_warning(&message, hint),
        }
    }
    if let Some(more) = told.len().checked_sub(MOST_FINDINGS).filter(|&more| more > 0) {
        print_warning(&format!("{more} more; `jury list` shows all"), None);
    }
}

/// Outputs of the last run are of no use beside those of this one.
pub(super) fn clear_kept() {
    match fs::remove_dir_all(KEPT) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            print_warning(&format!("cannot clear {KEPT}: {error}"), None);
        }
        _ => {}
    }
}

/// Keeps the folder of outputs out of version control.
pub(super) fn hide_kept() {
    let folder = Path::new(KEPT).parent().unwrap_or(Path::new("."));
    let ignore = folder.join(".gitignore");
    if folder.is_dir() && !ignore.exists() {
        let _ = fs::write(ignore, "*\n");
    }
}

fn conclude(
    outcome: &Outcome,
    interrupt: &Interrupt,
    findings: &[Finding],
    options: &RunOptions,
) -> Exit {
    print_lost(outcome);
    let unreadable = findings.iter().any(|finding| finding.kind == FindingKind::Unreadable);
    let failed =
        if unreadable || !outcome.lost.is_empty() { JudgeFailed::Yes } else { JudgeFailed::No };
    let on_findings = if options.exit_zero { OnFindings::Zero } else { OnFindings::Tell };
    let summary = &outcome.report.with_regressions(outcome.report.summary);
    let exit = Exit::of_run(summary, interrupt.signal(), failed, on_findings);
    let faults = findings.iter().filter(|finding| worth_telling(finding));
    let faults = faults.filter(|finding| finding.severity == Severity::Error).count();
    if faults > 0 {
        let faults = count(faults, "error");
        print_fault(&format!("{faults} in the suite's files; `jury list` shows all"), None);
    }
    if exit == Exit::Success && faults > 0 { Exit::findings(on_findings) } else { exit }
}

pub(super) fn print_lost(outcome: &Outcome) {
    for (name, error) in &outcome.lost {
        let error = anyhow::Error::msg(format!("cannot write {name}: {error}"));
        super::print_error(&error);
    }
}

/// A second signal: the reports are written, the cases under way are given up.
fn quit(outcome: &Outcome, signal: Option<Signal>) -> ! {
    print_lost(outcome);
    hide_kept();
    Exit::of_run(&outcome.report.summary, signal, JudgeFailed::No, OnFindings::Tell).now()
}
