//! `jury solve`: the answer to one input on standard output.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use super::Exit;
use super::args::SolveOptions;
use super::error::{CommandError, print_note};
use super::suite::unknown_solver;
use crate::solvers::{self, Bounds, Format, Options, Proof, SolveError};

/// Runs the command.
pub(super) fn solve(options: &SolveOptions) -> anyhow::Result<Exit> {
    let solver = solvers::find(&options.solver)
        .ok_or_else(|| CommandError::usage(unknown_solver(&options.solver)))?;
    let mut input = open_input(&options.file)?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = solver.solve(&mut *input, &mut out, solver_options(options));
    let flushed = out.flush();
    let name = input_name(&options.file);
    let summary = result.map_err(|error| solve_error(&name, error))?;
    flushed?;
    for note in &summary.notes {
        print_note(&format!("{name}: {}: {}", note.place, note.text));
    }
    Ok(Exit::Success)
}

fn solver_options(options: &SolveOptions) -> Options {
    Options {
        proof: if options.verify { Proof::Verify } else { Proof::Trust },
        bounds: if options.strict_limits { Bounds::Contest } else { Bounds::Any },
        format: if options.strict_format { Format::Strict } else { Format::Lenient },
    }
}

/// Opens a file, or standard input for `-`.
pub(super) fn open_input(path: &Path) -> Result<Box<dyn Read>, CommandError> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(stdin()));
    }
    let unreadable =
        |error: io::Error| CommandError::usage(format!("cannot read {}: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(CommandError::usage(format!("{} is a folder", path.display()))
            .hint("name one input file; `jury run` takes folders"));
    }
    Ok(Box::new(file))
}

/// Standard input without a buffer of its own: the solvers bring theirs.
#[cfg(unix)]
fn stdin() -> impl Read {
    use std::os::fd::AsFd as _;
    io::stdin().as_fd().try_clone_to_owned().map_or_else(
        |_| Box::new(io::stdin()) as Box<dyn Read>,
        |descriptor| Box::new(File::from(descriptor)),
    )
}

/// How an input is called in messages.
pub(super) fn input_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

/// A solver's error as a command's: faults of the input are findings, all else is ours.
pub(super) fn solve_error(name: &str, error: SolveError) -> anyhow::Error {
    match error {
        SolveError::Input(fault) => {
            let message = format!("{name}: {fault}");
            CommandError::usage(message).exit(Exit::Findings).maybe_hint(fault.hint).into()
        }
        SolveError::Write(error) => error.into(),
        error => CommandError::usage(format!("{name}: {error}")).exit(Exit::Failure).into(),
    }
}
