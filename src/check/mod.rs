//! Checkers: is this output right? They read the answer file and the output as streams and never
//! hold either as a whole.
//!
//! ```text
//! parse("icpc,float_tolerance=1e-6") -> Checker
//!
//! Checker::check -> compare::judge -> Comparison (all bytes, fast) -> Accepted
//!                                          | first difference
//!                                          v
//!                                  describe (a window around it) -> Mismatch
//! ```
//!
//! Comparisons come from few engines: `difference` for the plain rules, `pairwise` for tokens
//! and what stands between them, `by_line` for lines, `bag` for what has no order. A new
//! comparison is a constant in the file of its judge and one line in [`ALL`].

use std::io;
use std::path::PathBuf;

use crate::model::{Feedback, Judgement, Output, TestCase};
use crate::sandbox::SandboxError;

mod bag;
mod by_line;
mod chunk;
mod compare;
mod context;
mod describe;
mod difference;
mod digest;
mod dmoj;
mod gap;
mod hint;
mod icpc;
mod layout;
mod lemon;
mod line_chunk;
mod number;
mod pairwise;
mod preset;
mod rest;
mod rule;
mod source;
mod testlib;
mod text;
mod tolerance;

pub use preset::{ALL, Flag, FlagError, FlagValue, ParseError, Preset, parse};

pub mod program;

/// The name of the comparison that is used when none is asked for.
pub const DEFAULT: &str = "tokens";

/// Compares an output with the answer file of its case.
pub trait Checker: Send + Sync {
    /// The text by which `--compare` refers to it.
    fn name(&self) -> &str;

    /// Judges one output. A case without an answer file gets [`crate::model::Verdict::NoAnswer`].
    ///
    /// # Errors
    /// [`CheckError`] when a file cannot be read; a wrong output is a verdict, not an error.
    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError>;
}

/// Why a checker could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The answer file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Answer {
        /// The answer file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The output cannot be read back.
    #[error("cannot read the output: {0}")]
    Output(#[source] io::Error),
    /// A checker program has not done its work: it is to blame, not the submission.
    #[error("checker {name}: {reason}")]
    Program {
        /// What people call the program.
        name: String,
        /// Why, in one line; the end of what it wrote on standard error behind it.
        reason: String,
        /// The files that it has left.
        feedback: Option<Box<Feedback>>,
    },
    /// The sandbox of the checker program failed.
    #[error("checker {name}: sandbox: {source}")]
    Sandbox {
        /// What people call the program.
        name: String,
        /// Why.
        source: SandboxError,
    },
    /// The judge was told to stop while the checker ran.
    #[error("stopped")]
    Stopped,
}

impl CheckError {
    /// Takes the files that a checker program has left.
    pub fn take_feedback(&mut self) -> Option<Box<Feedback>> {
        match self {
            Self::Program { feedback, .. } => feedback.take(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
