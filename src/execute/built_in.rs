//! The built-in core as an executor: one input file in, one answer out, on the calling thread.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use tempfile::SpooledTempFile;

use super::{Executor, Stopwatch};
use crate::model::{Execution, Limits, Output, Termination, TestCase, Usage};
use crate::solvers::{Options, SolveError, Solver};

/// Outputs up to this size stay in memory; larger ones go to a temporary file.
const IN_MEMORY: usize = 16 << 20;

/// Runs a solver on the calling thread.
pub struct BuiltIn {
    solver: &'static dyn Solver,
    options: Options,
}

impl BuiltIn {
    /// An executor for this solver.
    #[must_use]
    pub fn new(solver: &'static dyn Solver, options: Options) -> Self {
        Self { solver, options }
    }

    fn solve(&self, path: &Path, output: &mut SpooledTempFile) -> Result<u64, Termination> {
        let unreadable =
            |source| Termination::Failed(format!("cannot read {}: {source}", path.display()), None);
        let mut input = File::open(path).map_err(unreadable)?;
        self.solver
            .solve(&mut input, output, self.options)
            .map_err(|error| termination(path, error))?;
        input.stream_position().map_err(unreadable)
    }
}

impl Executor for BuiltIn {
    fn execute(&self, case: &TestCase, _limits: &Limits) -> Execution {
        let mut output = SpooledTempFile::new(IN_MEMORY);
        let stopwatch = Stopwatch::start();
        let solved = self.solve(&case.input, &mut output);
        let (cpu, wall) = stopwatch.read();
        let bytes = output.stream_position();
        let (termination, input_bytes) = match solved {
            Ok(input_bytes) => (Termination::Finished, input_bytes),
            Err(termination) => (termination, case.input.metadata().map_or(0, |data| data.len())),
        };
        match bytes.and_then(|bytes| output.seek(SeekFrom::Start(0)).map(|_| bytes)) {
            Ok(bytes) => Execution {
                termination,
                usage: Usage { cpu, wall, input_bytes, ..Usage::default() },
                output: Output { stream: Box::new(output), bytes },
                stderr: Vec::new(),
                talk: None,
            },
            Err(error) => lost_output(&error, Usage { cpu, wall, input_bytes, ..Usage::default() }),
        }
    }
}

fn lost_output(error: &std::io::Error, usage: Usage) -> Execution {
    let reason = format!("cannot read the output back: {error}");
    Execution {
        termination: Termination::Failed(reason, None),
        usage,
        output: Output::empty(),
        stderr: Vec::new(),
        talk: None,
    }
}

/// A solver that refuses its input has ended with an error of its own; every other error is ours.
fn termination(path: &Path, error: SolveError) -> Termination {
    match error {
        SolveError::Input(error) => {
            Termination::Refused(format!("{}: {error}", path.display()), error.hint)
        }
        error => Termination::Failed(format!("{}: {error}", path.display()), None),
    }
}
