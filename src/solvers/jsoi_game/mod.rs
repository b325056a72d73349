//! Placeholder.

use std::io::{Read, Write};

use super::{Options, SolveError, Solved, Solver};

/// The solver.
#[derive(Debug, Clone, Copy)]
pub struct JsoiGame;

impl Solver for JsoiGame {
    fn name(&self) -> &'static str {
        "jsoi-game"
    }

    fn summary(&self) -> &'static str {
        "Game (JSOI 2009): starting cells from which the placing player wins"
    }

    fn solve(
        &self,
        _input: &mut dyn Read,
        _answer: &mut dyn Write,
        _options: Options,
    ) -> Result<Solved, SolveError> {
        Ok(Solved::default())
    }
}
