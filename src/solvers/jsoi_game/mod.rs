//! "Game" (JSOI 2009): from which cells does the placing player win?
//!
//! The game:
//! 1. The board has free cells `.` and walls `#`.
//! 2. The first player places a piece on a free cell.
//! 3. Then the players move it in turn, the second player first, to a neighbour by an edge.
//! 4. A cell that the piece has visited, the start included, may not be entered again.
//! 5. Who cannot move loses.
//!
//! The idea: match neighbouring free cells into as many pairs as possible. Placed on a cell that
//! such a maximum matching leaves over, the piece can only be moved to matched cells, and the
//! placing player answers each move along its pair. (A move to another cell that was left over
//! would end an augmenting path, so the matching would not be maximum.) If however every maximum
//! matching covers the cell, the mover answers along the pairs in the same way: a path that ended
//! well for the placing player would turn into a maximum matching that misses the start. So the
//! winning starts are the cells that some maximum matching misses: those to which a path of
//! alternating edges, first outside and then inside the matching, leads from a cell left over.
//!
//! Shapes: `n` rows of `m` columns, one byte a cell with a border of walls; positions are `u32`,
//! colours as on a chess board are their lowest bit.
//!
//! Steps: [`fn@parse`] streams the input into a [`Board`]; [`fn@analyse`] pairs cells row by row with
//! bits, makes the matching maximum and marks the winning cells; [`fn@answer`] lists them. Where
//! walls are many, searches with dead trees make it maximum; where they are few, or when the
//! searches use up their budget of visits, push and relabel comes first, on large boards strip by
//! strip. The searches always come last and are the certificate: [`fn@verify`] checks an [`Analysis`]
//! again. All decisions are made by counted work, so equal inputs take equal ways.
//!
//! Time: 3 to 60 ns a cell on the boards of the bench; no bound below that of the searches,
//! `O(n m)` for each single cell, is promised. Memory: at most 6 bytes a cell, and up to 16 more
//! for each single cell that push and relabel has to match. With its border the board takes one byte a cell (three
//! on one row or column), the queue two; labels for push and relabel one, two where corridors are
//! longer than 16 bits count. Untouched parts cost nothing. The check of the proof takes a bit and
//! up to 16 bytes a cell. Memory that cannot be had is an error. No recursion.
//!
//! Source: JSOI 2009 "Game" (BZOJ 1443, Luogu P4055); C. Berge, "Two theorems in graph theory"
//! (1957); the game on a graph is "undirected vertex geography".
//!
//! ```
//! use jury::solvers::jsoi_game::{analyse, answer, parse};
//!
//! let input = "3 3\n\
//!              .##\n\
//!              ...\n\
//!              #.#\n";
//! let board = parse(&mut input.as_bytes(), Default::default())?;
//! let mut output = Vec::new();
//! answer(&analyse(board)?, &mut output)?;
//! assert_eq!(output, b"WIN\n2 3\n3 2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{Read, Write};

use super::{Options, Proof, SolveError, Solved, Solver};

mod analyse;
mod answer;
mod board;
mod greedy;
mod kuhn;
mod memory;
mod parse;
mod push_relabel;
mod reach;
mod source;
mod strips;
mod verify;

pub use analyse::{Analysis, Strategy, analyse, analyse_by};
pub use answer::answer;
pub use board::Board;
pub use parse::parse;
pub use verify::{Refused, verify};

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
        input: &mut dyn Read,
        output: &mut dyn Write,
        options: Options,
    ) -> Result<Solved, SolveError> {
        let board = parse(input, options)?;
        let cells = u64::from(board.rows()) * u64::from(board.columns());
        let analysis = analyse(board)?;
        if options.proof == Proof::Verify {
            verify(&analysis).map_err(|refused| match refused {
                Refused::Memory => analysis.board().memory(),
                Refused::Wrong(what) => SolveError::Proof { case: 1, what },
            })?;
        }
        answer(&analysis, output).map_err(SolveError::Write)?;
        Ok(Solved { cases: 1, cells, notes: Vec::new() })
    }
}
