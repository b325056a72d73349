//! The arguments of `jury grade` as they are typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};

use super::checker::{CheckerRequest, parse_checker};
use super::limits::{parse_size, parse_time};
use crate::cli::args::{BaselineOptions, HistoryOptions, MissingChoice, TimingsChoice};
use crate::cli::config::parse_passes;
use crate::cli::options::{
    Jobs, ReportRequest, flag, parse_cgroup, parse_jobs, parse_report, parse_runs,
};
use crate::cli::screen::ProgressChoice;
use crate::cli::suite::{NameGlob, parse_glob};
use crate::sandbox::CgroupChoice;

pub(in crate::cli) const EXAMPLES: &str = "Examples:
  jury grade problems/sum
  jury grade problems/sum my.cpp --time 1.5s --memory 256MiB
  jury grade --input tests --expected tests my.py other.py --all-cases";

/// Options of `jury grade`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(in crate::cli) struct GradeOptions {
    /// A folder with input/ and expected/, then submissions: source files, folders, programs, or
    /// core; none means those in its submissions/ (or source/NAME/TASK.*)
    #[arg(value_name = "PROBLEM [SUBMISSION]...")]
    pub(super) targets: Vec<PathBuf>,
    /// The folder of the inputs (with --expected, instead of PROBLEM)
    #[arg(long, value_name = "DIR", requires = "expected")]
    pub(super) input: Option<PathBuf>,
    /// The folder of the expected outputs; may be the same one
    #[arg(long, value_name = "DIR", requires = "input")]
    pub(super) expected: Option<PathBuf>,
    /// Only cases whose name (or its last part) matches; repeatable
    #[arg(long = "case", value_name = "GLOB", value_parser = parse_glob, env = "JURY_CASE",
          allow_hyphen_values = true)]
    pub(super) cases: Vec<NameGlob>,
    /// Only submissions whose name matches; repeatable
    #[arg(long = "submission", value_name = "GLOB", value_parser = parse_glob,
          allow_hyphen_values = true)]
    pub(super) submissions: Vec<NameGlob>,
    /// Runs at a time: a number, minus cores to leave free, or auto
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, env = "JURY_JOBS",
          allow_negative_numbers = true)]
    pub(super) jobs: Option<Jobs>,
    /// How outputs are compared: tokens, lines, exact, icpc, ... with flags; docs/compare.md has all
    #[arg(long, value_name = "NAME", env = "JURY_COMPARE")]
    pub(super) compare: Option<String>,
    /// Judge outputs by this program; it replaces `program` of `[check]` in jury.toml
    #[arg(long, value_name = "FILE[,protocol=NAME]", value_parser = parse_checker,
          env = "JURY_CHECKER", conflicts_with = "compare")]
    pub(super) checker: Option<CheckerRequest>,
    /// Keep what submissions and interactor say to each other, with times, in .jury/last/; the
    /// times of the runs are changed by it
    #[arg(long)]
    pub(super) transcript: bool,
    /// How often a submission is run on a case, at most, when the checker or interactor of protocol
    /// kattis asks for another pass [default: `passes` in jury.toml, or 1]
    #[arg(long, value_name = "N", value_parser = parse_passes, env = "JURY_PASSES")]
    pub(super) passes: Option<u32>,
    /// Keep what checkers and interactors leave in their feedback folders in .jury/last/ for all
    /// cases, not only for those that fail
    #[arg(long)]
    pub(super) keep_feedback: bool,
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    /// The clock that decides about the time limit
    #[arg(long, value_name = "CLOCK", env = "JURY_CLOCK")]
    pub(super) clock: Option<ClockChoice>,
    /// Whether runs go on side by side, with doubts settled alone, or all alone
    #[arg(long, value_name = "HOW", default_value = "confirm", env = "JURY_TIMING")]
    pub(super) timing: TimingChoice,
    /// The most runs alone that settle a doubt about the time limit; 0 trusts the first run
    #[arg(long, value_name = "N", default_value_t = CONFIRM, env = "JURY_CONFIRM")]
    pub(super) confirm: u32,
    /// How submissions are kept apart from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto", env = "JURY_SANDBOX")]
    pub(super) sandbox: SandboxChoice,
    /// Control groups for the runs: auto, none, or the folder of a group of version 2
    #[arg(long, value_name = "GROUP", value_parser = parse_cgroup, env = "JURY_CGROUP")]
    pub(super) cgroup: Option<CgroupChoice>,
    /// Run all cases, also after a submission's first failure
    #[arg(long)]
    pub(super) all_cases: bool,
    /// Go on with the run that was stopped last
    #[arg(long)]
    pub(super) resume: bool,
    /// Print the commands and limits; run nothing
    #[arg(long)]
    pub(super) dry_run: bool,
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
    /// Run each case N times; report median, minimum and maximum
    #[arg(long, value_name = "N", value_parser = parse_runs, env = "JURY_RUNS")]
    pub(super) runs: Option<u32>,
    #[command(flatten)]
    pub(super) baseline: BaselineOptions,
    #[command(flatten)]
    pub(super) history: HistoryOptions,
    /// Run this program and each submission alternately, and compare their times; --runs is then 10
    /// if nothing else is said
    #[arg(long, value_name = "PROGRAM", conflicts_with = "file")]
    pub(super) interleave: Option<PathBuf>,
    /// Leave out all that a clock measures: two reports are then equal
    #[arg(long, value_name = "WHICH", default_value = "measured", env = "JURY_TIMINGS")]
    pub(super) timings: TimingsChoice,
    /// How progress is shown
    #[arg(long, value_name = "HOW", default_value = "auto", env = "JURY_PROGRESS")]
    pub(super) progress: ProgressChoice,
    /// Exit with 0 even when a promise is broken
    #[arg(long, env = "JURY_EXIT_ZERO", value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) exit_zero: bool,
    /// Print the summary only; twice: errors only
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "verbose")]
    pub(super) quiet: u8,
    /// Print every run with its time; twice: all measurements, commands and limits, too
    #[arg(short, long, action = ArgAction::Count)]
    pub(super) verbose: u8,
}

/// The default of `--confirm`.
pub(super) const CONFIRM: u32 = 3;

/// What a run may use.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct LimitOptions {
    /// Time limit: seconds, or 1.5s, 250ms [default: 2 s]; of several, 1,2,5, the first decides and
    /// a table tells the verdicts under each
    #[arg(long, value_name = "TIME[,TIME]...", value_parser = parse_time, env = "JURY_TIME",
          value_delimiter = ',')]
    pub(super) time: Vec<Duration>,
    /// Elapsed time after which a run is stopped [default: 2 x time + 1 s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, env = "JURY_WALL")]
    pub(super) wall: Option<Duration>,
    /// Memory limit: MiB, or 64KiB, 1GiB [default: 256 MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, env = "JURY_MEMORY")]
    pub(super) memory: Option<u64>,
    /// Stack of the main thread [default: as much as memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, env = "JURY_STACK")]
    pub(super) stack: Option<u64>,
    /// The most output [default: 64 MiB, or twice the answer if that is more]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, env = "JURY_OUTPUT")]
    pub(super) output: Option<u64>,
    /// Processes beside the first [default: what the language needs]
    #[arg(long, value_name = "N", env = "JURY_PROCESSES")]
    pub(super) processes: Option<u32>,
}

/// The clock that decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ClockChoice {
    /// User and system time
    Cpu,
    /// User time
    User,
    /// Elapsed time
    Wall,
}

/// Whether runs disturb each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TimingChoice {
    /// Side by side; what is near the limit is run again alone
    Confirm,
    /// One at a time
    Strict,
}

/// How submissions are kept apart from the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SandboxChoice {
    /// The strongest that this machine gives
    Auto,
    /// Limits only, for trusted programs
    None,
    /// And forbidden system calls
    Basic,
    /// And nothing outside visible; refused where that cannot be had
    Strict,
}
