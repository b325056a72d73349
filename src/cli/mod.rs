//! The command line: arguments in, exit code out. Opens files, installs signals, prints errors;
//! one file for each command.

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use error::print_error;
pub use exit::{Exit, JudgeFailed, OnFindings};

use crate::interrupt::Interrupt;

mod args;
mod ci;
mod compare;
mod completions;
mod config;
mod diff;
mod doctor;
mod error;
mod exit;
mod explain;
mod grade;
mod history;
mod init;
mod list;
mod machine;
mod options;
mod picture;
mod report;
mod run;
mod run_reports;
mod screen;
mod solve;
mod suite;

/// Runs the program on the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    // Where it is refused, such a write ends the process as it always did.
    let _ = Interrupt::survive_file_size_limit();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error).into(),
    };
    arguments.display.apply();
    let exit = match &arguments.command {
        Command::Run(options) => run::run(options, &arguments),
        Command::Grade(options) => grade::grade(options, &arguments),
        Command::Diff(options) => diff::diff(options, &arguments),
        Command::List(options) => list::list(options, &arguments),
        Command::Solve(options) => solve::solve(options),
        Command::Explain(options) => explain::explain(options),
        Command::Init(options) => init::init(options),
        Command::Doctor(options) => doctor::doctor(options, &arguments),
        Command::Report(options) => report::report(options, &arguments.display),
        Command::Compare(options) => compare::compare(options, &arguments),
        Command::History { command } => history::history(command, &arguments),
        Command::Completions(options) => completions::completions(options),
        Command::Man(options) => completions::man(options),
    };
    exit.unwrap_or_else(|error| print_error(&error)).into()
}

/// Help and version are what was asked for; anything else is a usage error.
fn usage(error: &clap::Error) -> Exit {
    // A reader that closed our output early has seen what it wanted.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Success }
}
