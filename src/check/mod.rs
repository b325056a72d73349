//! Checkers: is this output right? One file per checker; they read the answer file and the output
//! as streams and never hold either as a whole.
//!
//! ```text
//! Checker::check -> rule::judge -> difference::find (all bytes, fast) -> Accepted
//!                                       | first difference
//!                                       v
//!                               describe (a window around it) -> Mismatch
//! ```
//!
//! A new checker is one file and one line in [`ALL`].

use std::io;
use std::path::PathBuf;

use crate::model::{Judgement, Output, TestCase};
use crate::sandbox::SandboxError;

mod context;
mod describe;
mod difference;
mod exact;
mod lines;
mod rest;
mod rule;
mod source;
mod tokens;

pub use exact::Exact;
pub use lines::Lines;
pub use tokens::Tokens;

pub mod program;

/// Every checker, in the order of the help text; the first one is the default.
pub const ALL: &[&dyn Checker] = &[&Tokens, &Lines, &Exact];

/// The checker with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Checker> {
    ALL.iter().copied().find(|checker| checker.name() == name)
}

/// Compares an output with the answer file of its case.
pub trait Checker: Sync {
    /// The name by which `--compare` refers to it.
    fn name(&self) -> &'static str;

    /// One line for the help text.
    fn summary(&self) -> &'static str;

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

#[cfg(test)]
mod tests;
