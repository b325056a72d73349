//! The arguments as they are typed.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

use super::options::{
    Jobs, ReportRequest, flag, parse_cgroup, parse_jobs, parse_report, parse_runs,
};
use super::screen::{Display, ProgressChoice};
use super::suite::{NameGlob, parse_glob};
use crate::report::Timings;
use crate::sandbox::CgroupChoice;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "jury",
    version,
    about = "Validates contest test suites: solves every input, compares, reports",
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 all as expected, 1 findings, 2 usage, 3 the judge failed,\n\
                  4 nothing selected, 129/130/143 stopped by a signal."
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) display: Display,
    /// Read this configuration instead of the nearest jury.toml
    #[arg(long, global = true, value_name = "FILE", env = "JURY_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Read no configuration
    #[arg(long, global = true, env = "JURY_NO_CONFIG",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) no_config: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Solve, compare and report a suite
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<RunOptions>),
    /// Run submissions on every case
    #[command(after_help = super::grade::EXAMPLES)]
    Grade(Box<super::grade::GradeOptions>),
    /// Compare an output with an answer
    #[command(after_help = super::diff::EXAMPLES)]
    Diff(super::diff::DiffOptions),
    /// Solve one input on stdout
    #[command(after_help = SOLVE_EXAMPLES)]
    Solve(SolveOptions),
    /// Draw a solved grid
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainOptions),
    /// Show cases and pairing faults
    #[command(after_help = LIST_EXAMPLES)]
    List(ListOptions),
    /// Make a new suite folder
    #[command(after_help = INIT_EXAMPLES)]
    Init(InitOptions),
    /// Show languages, sandbox and machine
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(DoctorOptions),
    /// Render reports of past runs again
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportOptions),
    /// Compare times with a baseline
    #[command(after_help = super::compare::EXAMPLES)]
    Compare(super::compare::CompareOptions),
    /// Keep and show times of runs
    #[command(after_help = super::history::EXAMPLES)]
    History {
        #[command(subcommand)]
        command: super::history::HistoryCommand,
    },
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsOptions),
    /// Write manual pages
    #[command(after_help = MAN_EXAMPLES)]
    Man(ManOptions),
}

const RUN_EXAMPLES: &str = "Examples:
  jury run
  jury run --case 'jsoi-game/*' --jobs 1 --no-report
  jury run --input input --expected expected --report json=report.json";

const SOLVE_EXAMPLES: &str = "Examples:
  jury solve jsoi-game input/jsoi-game/01-sample.in
  jury solve ali-baba --verify input/ali-baba/01-sample.in
  jury solve jsoi-game --strict-limits --strict-format input/jsoi-game/01-sample.in";

const EXPLAIN_EXAMPLES: &str = "Examples:
  jury explain input/jsoi-game/01-sample.in
  jury explain --solver ali-baba input/ali-baba/01-sample.in
  jury explain input/jsoi-game/01-sample.in --svg board.svg";

const LIST_EXAMPLES: &str = "Examples:
  jury list
  jury list --case '*sample*'
  jury list --format json";

const INIT_EXAMPLES: &str = "Examples:
  jury init
  jury init my-suite
  jury run my-suite";

const DOCTOR_EXAMPLES: &str = "Examples:
  jury doctor
  jury doctor --format json
  jury doctor --no-config";

const REPORT_EXAMPLES: &str = "Examples:
  jury report report.json
  jury report report.jsonl --report junit=junit.xml --report md=summary.md
  jury report first.json second.json --report csv=all.csv";

const COMPLETIONS_EXAMPLES: &str = "Examples:
  jury completions bash > ~/.local/share/bash-completion/completions/jury
  jury completions zsh > ~/.zfunc/_jury
  jury completions fish > ~/.config/fish/completions/jury.fish";

const MAN_EXAMPLES: &str = "Examples:
  jury man man1
  jury man ~/.local/share/man/man1
  jury man /usr/local/share/man/man1";

/// Which files belong to the suite.
#[derive(Debug, Args)]
pub(super) struct SuiteOptions {
    /// The folder that holds input/ and expected/
    #[arg(default_value = ".")]
    pub(super) suite: PathBuf,
    /// The folder of the inputs (with --expected, instead of a suite)
    #[arg(long, value_name = "DIR", requires = "expected", conflicts_with = "suite")]
    pub(super) input: Option<PathBuf>,
    /// The folder of the expected outputs; may be the same one
    #[arg(long, value_name = "DIR", requires = "input", conflicts_with = "suite")]
    pub(super) expected: Option<PathBuf>,
    /// Answer all problems with this solver
    #[arg(long, value_name = "NAME", env = "JURY_SOLVER")]
    pub(super) solver: Option<String>,
    /// Only cases whose name (or its last part) matches; repeatable
    #[arg(long = "case", value_name = "GLOB", value_parser = parse_glob, env = "JURY_CASE",
          allow_hyphen_values = true)]
    pub(super) cases: Vec<NameGlob>,
}

/// Options of `jury run`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct RunOptions {
    #[command(flatten)]
    pub(super) suite: SuiteOptions,
    /// Cases at a time: a number, minus cores to leave free, or auto
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, env = "JURY_JOBS",
          allow_negative_numbers = true)]
    pub(super) jobs: Option<Jobs>,
    /// How outputs are compared: tokens, lines, exact, icpc, ... with flags; docs/compare.md has all
    #[arg(long, value_name = "NAME", env = "JURY_COMPARE")]
    pub(super) compare: Option<String>,
    /// Write a report: csv, json, jsonl, html, html-contest, junit, md, github, gitlab,
    /// gitlab-metrics or tap, to a file or - for stdout; repeatable
    #[arg(long = "report", value_name = "FORMAT[=PATH]", value_parser = parse_report,
          env = "JURY_REPORT")]
    pub(super) reports: Vec<ReportRequest>,
    /// Write no report
    #[arg(long, conflicts_with = "reports", env = "JURY_NO_REPORT",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) no_report: bool,
    /// What a missing expected file means
    #[arg(long, value_name = "HOW", env = "JURY_MISSING")]
    pub(super) missing: Option<MissingChoice>,
    /// Write missing expected files from the solver's proved answers
    #[arg(long)]
    pub(super) bless: bool,
    /// With --bless: overwrite those that differ, too
    #[arg(long, requires = "bless")]
    pub(super) force: bool,
    /// Run each case N times; report median, minimum and maximum
    #[arg(long, value_name = "N", value_parser = parse_runs, env = "JURY_RUNS")]
    pub(super) runs: Option<u32>,
    #[command(flatten)]
    pub(super) baseline: BaselineOptions,
    #[command(flatten)]
    pub(super) history: HistoryOptions,
    /// Leave out all that a clock measures: two reports are then equal
    #[arg(long, value_name = "WHICH", default_value = "measured", env = "JURY_TIMINGS")]
    pub(super) timings: TimingsChoice,
    /// Check each solver's proof by independent code
    #[arg(long, env = "JURY_VERIFY",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) verify: bool,
    /// How progress is shown
    #[arg(long, value_name = "HOW", default_value = "auto", env = "JURY_PROGRESS")]
    pub(super) progress: ProgressChoice,
    /// Start no more cases after N failures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          env = "JURY_MAX_FAIL")]
    pub(super) max_fail: Option<u32>,
    /// Exit with 0 even when cases fail
    #[arg(long, env = "JURY_EXIT_ZERO",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) exit_zero: bool,
    /// Print the summary only; twice: errors only
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "verbose")]
    pub(super) quiet: u8,
    /// Print every case with its time; twice: settings, too
    #[arg(short, long, action = ArgAction::Count)]
    pub(super) verbose: u8,
}

/// Earlier runs.
#[derive(Debug, Args)]
pub(super) struct HistoryOptions {
    /// Draw the trend of the runs in this file of jury history into the HTML report
    #[arg(long, value_name = "FILE", env = "JURY_HISTORY")]
    pub(super) history: Option<PathBuf>,
}

/// What the times of a run are compared with.
#[derive(Debug, Args)]
pub(super) struct BaselineOptions {
    /// Compare the times with this report (json or jsonl); what is slower fails the run
    #[arg(long = "baseline", value_name = "FILE", env = "JURY_BASELINE")]
    pub(super) file: Option<PathBuf>,
}

/// What a missing expected file means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum MissingChoice {
    /// The case fails
    #[default]
    Fail,
    /// The case is run, but does not fail
    Warn,
    /// The case is not run
    Skip,
}

/// Which columns a report fills.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum TimingsChoice {
    /// All of them
    #[default]
    Measured,
    /// None that a clock fills
    None,
}

impl From<TimingsChoice> for Timings {
    fn from(choice: TimingsChoice) -> Self {
        match choice {
            TimingsChoice::Measured => Self::Measured,
            TimingsChoice::None => Self::None,
        }
    }
}

/// Options of `jury report`.
#[derive(Debug, Args)]
pub(super) struct ReportOptions {
    /// Reports in json or jsonl, also of a run that was killed; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Write a report, as in jury run; repeatable [default: print the summary]
    #[arg(long = "report", value_name = "FORMAT[=PATH]", value_parser = parse_report)]
    pub(super) reports: Vec<ReportRequest>,
    #[command(flatten)]
    pub(super) history: HistoryOptions,
    /// Leave out all that a clock measures
    #[arg(long, value_name = "WHICH", default_value = "measured", env = "JURY_TIMINGS")]
    pub(super) timings: TimingsChoice,
    /// Exit with 0 even when cases failed
    #[arg(long, env = "JURY_EXIT_ZERO",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) exit_zero: bool,
    /// Print the summary only; twice: errors only
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "verbose")]
    pub(super) quiet: u8,
    /// Print every case with its time; twice: settings, too
    #[arg(short, long, action = ArgAction::Count)]
    pub(super) verbose: u8,
}

/// Options of `jury completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsOptions {
    /// The shell
    pub(super) shell: Shell,
}

/// A shell that can complete words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

/// Options of `jury man`.
#[derive(Debug, Args)]
pub(super) struct ManOptions {
    /// The folder for the pages, one for each command
    pub(super) folder: PathBuf,
}

/// Options of `jury solve`.
#[derive(Debug, Args)]
pub(super) struct SolveOptions {
    /// The solver: ali-baba or jsoi-game
    pub(super) solver: String,
    /// The input; - is standard input
    #[arg(default_value = "-")]
    pub(super) file: PathBuf,
    /// Check the proof by independent code
    #[arg(long)]
    pub(super) verify: bool,
    /// Refuse boards beyond the limits of the contest
    #[arg(long)]
    pub(super) strict_limits: bool,
    /// Refuse harmless deviations from the format
    #[arg(long)]
    pub(super) strict_format: bool,
}

/// Options of `jury explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainOptions {
    /// The input; - is standard input
    pub(super) file: PathBuf,
    /// The solver, when neither folder, name nor content tell it
    #[arg(long, value_name = "NAME")]
    pub(super) solver: Option<String>,
    /// Draw the picture into this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
}

/// Options of `jury list`.
#[derive(Debug, Args)]
pub(super) struct ListOptions {
    #[command(flatten)]
    pub(super) suite: SuiteOptions,
    /// How the list is printed
    #[arg(long, value_name = "HOW", default_value = "text")]
    pub(super) format: ListFormat,
}

/// Options of `jury doctor`.
#[derive(Debug, Args)]
pub(super) struct DoctorOptions {
    /// Control groups to try: auto, none, or the folder of a group of version 2
    #[arg(long, value_name = "GROUP", value_parser = parse_cgroup, env = "JURY_CGROUP")]
    pub(super) cgroup: Option<CgroupChoice>,
    /// How it is printed
    #[arg(long, value_name = "HOW", default_value = "text")]
    pub(super) format: ListFormat,
}

/// How a list is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Options of `jury init`.
#[derive(Debug, Args)]
pub(super) struct InitOptions {
    /// The folder to make the suite in
    #[arg(default_value = ".")]
    pub(super) folder: PathBuf,
}
