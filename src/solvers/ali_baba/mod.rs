//! Placeholder.

use std::io::{Read, Write};

use super::{Options, SolveError, Solved, Solver};

/// The solver.
#[derive(Debug, Clone, Copy)]
pub struct AliBaba;

impl Solver for AliBaba {
    fn name(&self) -> &'static str {
        "ali-baba"
    }

    fn summary(&self) -> &'static str {
        "Ali and Baba (2011 Alibaba-Cup Campus Contest): who hits the treasure"
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
