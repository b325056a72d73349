//! The built-in core: the two grid games, each solved in three pure steps (parse, analyse,
//! answer). Knows bytes in and bytes out; no paths, no clock, no threads.
//!
//! A new solver is one file (or folder) and one line in [`ALL`].

use std::fmt;
use std::io::{self, Read, Write};

pub mod ali_baba;
pub mod jsoi_game;

/// Every solver, in the order of the help text.
pub const ALL: &[&dyn Solver] = &[&ali_baba::AliBaba, &jsoi_game::JsoiGame];

/// The solver with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Solver> {
    ALL.iter().copied().find(|solver| solver.name() == name)
}

/// `1 stone`, `2 stones`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Solves all cases of one input.
pub trait Solver: Sync {
    /// The name by which problems and options refer to it, such as `ali-baba`.
    fn name(&self) -> &'static str;

    /// One line for the help text.
    fn summary(&self) -> &'static str;

    /// Reads one whole input and writes the answer, every line of it ended by a newline.
    ///
    /// # Errors
    /// [`SolveError`] when the input breaks the format, cannot be read, or the answer cannot be
    /// written. What was written before the error stays written.
    fn solve(
        &self,
        input: &mut dyn Read,
        answer: &mut dyn Write,
        options: Options,
    ) -> Result<Solved, SolveError>;
}

/// How a solver treats its input and its own result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether each proof is checked again by independent simple code.
    pub proof: Proof,
    /// Whether the size limits of the contest are enforced.
    pub bounds: Bounds,
    /// Whether harmless deviations of the format are refused.
    pub format: Format,
}

/// Whether proofs are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Proof {
    /// The analysis is trusted.
    #[default]
    Trust,
    /// The analysis is checked again by independent simple code.
    Verify,
}

/// Which sizes and values are accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Any board that fits in memory.
    #[default]
    Any,
    /// Only boards within the limits of the original contest.
    Contest,
}

/// Which deviations from the format are accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// CRLF, blank lines, a byte order mark, wide blanks, a missing final newline are accepted.
    #[default]
    Lenient,
    /// These deviations are errors.
    Strict,
}

/// What a solver says about an input that it has solved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solved {
    /// Boards in the input.
    pub cases: u64,
    /// Cells of all boards.
    pub cells: u64,
    /// Remarks about accepted oddities, at most [`MAX_NOTES`].
    pub notes: Vec<Note>,
}

/// The most notes that one input gives; a flood of them helps nobody.
pub const MAX_NOTES: usize = 8;

/// A remark about an oddity that does not stop the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Where it was seen.
    pub place: Place,
    /// What was seen.
    pub text: String,
}

/// A place in an input; everything counts from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The board within the input.
    pub case: u64,
    /// The line of the file.
    pub line: u64,
    /// The byte within the line.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {}, line {}, column {}", self.case, self.line, self.column)
    }
}

/// Why an input was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The input breaks the format.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The input cannot be read.
    #[error("cannot read the input: {0}")]
    Read(#[source] io::Error),
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Write(#[source] io::Error),
    /// The board does not fit in memory.
    #[error("case {case}: no memory for a board of {rows} x {columns}")]
    Memory {
        /// The board within the input, from 1.
        case: u64,
        /// Rows of the board.
        rows: u64,
        /// Columns of the board.
        columns: u64,
    },
    /// The independent check refuses the analysis: a fault of the solver, not of the input.
    #[error("case {case}: the proof does not hold: {what}")]
    Proof {
        /// The board within the input, from 1.
        case: u64,
        /// Which part of the proof fails, and where.
        what: String,
    },
}

/// A fault of the input, with its place, what was found and what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {} (case {}): {message}", place.line, place.column, place.case)]
pub struct InputError {
    /// Where the fault is.
    pub place: Place,
    /// What was expected and what was found, such as `expected 4 numbers, found 3`.
    pub message: String,
    /// What the user may want to do about it.
    pub hint: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_has_its_own_name_and_a_help_line() {
        for (index, solver) in ALL.iter().enumerate() {
            assert!(!solver.summary().is_empty());
            assert!(ALL[index + 1..].iter().all(|other| other.name() != solver.name()));
            assert_eq!(find(solver.name()).map(Solver::name), Some(solver.name()));
        }
        assert!(find("chess").is_none());
    }
}
