//! Ali and Baba: who hits the treasure?
//!
//! The game: a board of cells, each empty (0), a stone with some hit points (its number), or the
//! one treasure (-1). Ali and Baba move in turn, Ali first. A move hits one stone that can be
//! touched from outside the board through empty cells (up, down, left, right); the stone loses one
//! hit point and is gone at 0. Whoever hits the treasure, touched in the same way, wins.
//!
//! ```text
//!  . # . # .     T treasure, o empty cells connected with it: the room
//!  # o # o #     # stones beside the room: the wall
//!  # o i o #     i a stone that nobody can touch before the room opens
//!  # T o o #
//!  . # # # .     . outside
//! ```
//!
//! The idea. If the room reaches the border, Ali hits the treasure at once. Otherwise nobody wants
//! to break the first stone of the wall: the other player walks in. So both make safe hits as long
//! as there are any: all hits on stones outside, and all but the last on each stone of the wall
//! that can be touched. Their number is fixed. No safe hit is ever lost: walk from outside towards
//! any stone outside that still stands; the first stone on this way can be touched, and hitting it
//! is safe. And none is ever won, as a stone that is reached only through the wall or the room
//! (inside the room, in a sealed pocket, a wall stone between two rooms) stays out of reach while
//! the wall stands. Who has to move when the safe hits are used up loses: **Ali wins exactly if
//! their number is odd**.
//!
//! "Outside" is everything connected with the border through cells that are neither room nor wall;
//! stones count as passable, as they will be gone. The sum counts only by its parity, so a board is
//! two bits a cell: is there a stone, and is its number odd.
//!
//! Three steps. `cases` parses: it reads chunks that fit in the cache and takes both bits of many
//! numbers at once (`simd::planes`), for numbers of any length. `analyse` finds room,
//! wall and outside by floods over 64 cells at a time. The answer is a parity.
//!
//! Shapes: `n` rows of `m` columns, row-major, the first row first. Time `O(input + n m)`, in
//! practice the time of reading the input once; memory `n m / 4` bytes for the two bits and as much
//! again for the floods of rooms that fill the board (more if `m` is much below 64: rows of the
//! floods are whole words).
//!
//! Accepted: any blanks between numbers, leading zeros, numbers of any length. Refused: `+5`, `-0`
//! and anything below -1.
//!
//! Source: 2011 Alibaba-Cup Campus Contest, "Ali and Baba".
//!
//! ```
//! use jury::solvers::{Options, Solver as _, ali_baba::AliBaba};
//! let board = "\
//! 5 5
//! 0 1  0 1 0
//! 1 0  1 0 1
//! 1 0  2 0 1
//! 1 -1 0 0 1
//! 0 1  1 1 0
//! ";
//! let mut answer = Vec::new();
//! AliBaba.solve(&mut board.as_bytes(), &mut answer, Options::default())?;
//! // No safe hit: Ali has to open the room, Baba walks in.
//! assert_eq!(answer, b"Baba Win\n");
//! # Ok::<(), jury::solvers::SolveError>(())
//! ```

use std::io::{Read, Write};

use super::{Options, Proof, SolveError, Solved, Solver};
use crate::simd::Level;

mod analyse;
mod board;
mod cases;
mod faults;
mod flood;
mod grid;
mod layout;
mod numbers;
mod source;
mod verify;

pub(crate) use analyse::Cell;
use analyse::{Analysis, Extent, Winner};
use board::Board;
use cases::{Cases, Keep};
pub(crate) use numbers::HitPoints;
use numbers::Numbers;
use verify::Refusal;

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
        input: &mut dyn Read,
        answer: &mut dyn Write,
        options: Options,
    ) -> Result<Solved, SolveError> {
        solve_at(Level::detect(), input, answer, options)
    }
}

impl Winner {
    /// The line of the answer.
    pub(crate) fn line(self) -> &'static str {
        match self {
            Self::Ali => "Ali Win",
            Self::Baba => "Baba Win",
        }
    }
}

/// Answers are handed on in parts of about this size.
const ANSWER_PART: usize = 8 << 10;

/// [`AliBaba`] with the vector instructions of one level.
///
/// # Errors
/// As [`Solver::solve`].
pub fn solve_at(
    level: Level,
    input: &mut dyn Read,
    answer: &mut dyn Write,
    options: Options,
) -> Result<Solved, SolveError> {
    let mut lines = Vec::with_capacity(ANSWER_PART + 16);
    let solved = answer_all(level, input, answer, &mut lines, options);
    answer.write_all(&lines).map_err(SolveError::Write)?;
    solved
}

/// Answers all boards; the last answers stay in `lines`.
fn answer_all(
    level: Level,
    input: &mut dyn Read,
    answer: &mut dyn Write,
    lines: &mut Vec<u8>,
    options: Options,
) -> Result<Solved, SolveError> {
    let keep = match options.proof {
        Proof::Trust => Keep::Bits,
        Proof::Verify => Keep::Cut,
    };
    let mut cases = Cases::new(level, input, options, keep)?;
    let mut analysis = Analysis::default();
    let mut solved = Solved::default();
    while cases.next()? {
        if !analysis.update(cases.board(), Extent::Answer) {
            return Err(cases.no_memory());
        }
        if options.proof == Proof::Verify {
            verify::verify(cases.board(), cases.numbers(), &analysis).map_err(|refusal| {
                match refusal {
                    Refusal::NoMemory => cases.no_memory(),
                    Refusal::Wrong(what) => SolveError::Proof { case: cases.case(), what },
                }
            })?;
        }
        solved.cases += 1;
        solved.cells += (cases.board().rows() * cases.board().columns()) as u64;
        lines.extend_from_slice(analysis.winner().line().as_bytes());
        lines.push(b'\n');
        if lines.len() >= ANSWER_PART {
            answer.write_all(lines).map_err(SolveError::Write)?;
            lines.clear();
        }
    }
    solved.notes = cases.notes();
    Ok(solved)
}

/// A board with its numbers and its analysis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'c> {
    /// Its number in the input, from 1.
    pub(crate) number: u64,
    /// The board.
    pub(crate) board: &'c Board,
    /// Its numbers.
    pub(crate) numbers: &'c Numbers,
    /// Its analysis, of [`Extent::Whole`].
    pub(crate) analysis: &'c Analysis,
}

/// Shows each board of an input with its numbers and its analysis; fails as [`Solver::solve`] or
/// as `visit`.
pub(crate) fn visit(
    input: &mut dyn Read,
    mut visit: impl FnMut(Case<'_>) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let mut cases = Cases::new(Level::detect(), input, Options::default(), Keep::Whole)?;
    let mut analysis = Analysis::default();
    while cases.next()? {
        if !analysis.update(cases.board(), Extent::Whole) {
            return Err(cases.no_memory());
        }
        let (board, numbers) = (cases.board(), cases.numbers());
        visit(Case { number: cases.case(), board, numbers, analysis: &analysis })?;
    }
    Ok(())
}
