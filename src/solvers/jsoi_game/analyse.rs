//! From a board to a maximum matching and the winning cells.

use super::super::SolveError;
use super::board::{Board, Colour, DIRECTION, PARENT, SEEN, SINGLE, WALL, WIN};
use super::greedy;
use super::kuhn::{Ended, Search};
use super::memory::{NoMemory, Queue};
use super::push_relabel::{self, Reached, Room};
use super::{reach, strips};

/// Searches come first where at least one cell in so many is a wall.
const WALL_SHARE: u64 = 8;
/// So many visits for each cell of the board may the first searches use.
const VISITS: u64 = 2;

/// Boards with a side up to this one take searches only: corridors so narrow let few paths pass.
const NARROW: u32 = 2;

/// How the matching is made maximum. Every strategy finds the same winning cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Chosen by the share of walls and by counted work.
    #[default]
    Adaptive,
    /// Searches from one single cell at a time.
    Search,
    /// Push and relabel first.
    PushRelabel,
    /// Searches that soon use up their budget, then push and relabel.
    Both,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 4] = [Self::Adaptive, Self::Search, Self::PushRelabel, Self::Both];
}

/// A solved board: a maximum matching of neighbouring free cells, and the cells that some maximum
/// matching misses, which are the starts that win for the placing player.
///
/// It carries its own proof: take the winning cells of one colour. All their neighbours are
/// matched with winning cells (so no alternating path from a single cell ends in another one);
/// these neighbours and the other cells of the colour cover every edge with one cell per pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    board: Board,
    free: u64,
    pairs: u64,
    winners: u64,
}

/// Solves a board.
///
/// # Errors
/// [`SolveError::Memory`].
pub fn analyse(board: Board) -> Result<Analysis, SolveError> {
    analyse_by(board, Strategy::Adaptive)
}

/// Solves a board by the given strategy.
///
/// # Errors
/// [`SolveError::Memory`].
pub fn analyse_by(mut board: Board, strategy: Strategy) -> Result<Analysis, SolveError> {
    let (free, largest) = count_free(&board);
    let budget = match strategy {
        Strategy::Search => u64::MAX,
        Strategy::PushRelabel => 0,
        Strategy::Both => free / 16 + 1,
        Strategy::Adaptive => first_budget(&board, free),
    };
    match mark_all(&mut board, largest, budget) {
        Ok(()) => Ok(Analysis::new(board, free)),
        Err(NoMemory) => Err(board.memory()),
    }
}

/// The free cells, and those of the colour that has more.
fn count_free(board: &Board) -> (u64, usize) {
    let count = |part: &[u8]| {
        let (pairs, rest) = part.as_chunks::<2>();
        let free = |cell: u8| u32::from(cell != WALL);
        let even = pairs.iter().map(|pair| free(pair[0])).sum::<u32>();
        let odd = pairs.iter().map(|pair| free(pair[1])).sum::<u32>();
        (even + rest.iter().map(|&cell| free(cell)).sum::<u32>(), odd)
    };
    let (mut even, mut odd) = (0_u64, 0_u64);
    for part in board.cells().chunks(1 << 12) {
        let (more_even, more_odd) = count(part);
        even += u64::from(more_even);
        odd += u64::from(more_odd);
    }
    (even + odd, even.max(odd) as usize)
}

/// Finds a maximum matching and marks the winning cells. `largest` counts the free cells of the
/// colour that has more.
fn mark_all(board: &mut Board, largest: usize, budget: u64) -> Result<(), NoMemory> {
    greedy::pair(board)?;
    let steps = board.steps();
    let mut queue = Queue::new(largest)?;
    let wide = board.allows_wide_labels();
    let cells = board.cells_mut();
    match_all(cells, steps, &mut queue, budget, wide)?;
    reach::flood(cells, steps, Colour::Odd, &mut queue);
    Ok(())
}

/// The visits that the searches may use before push and relabel takes over: none where walls are
/// few, for there single cells are far apart and compete.
fn first_budget(board: &Board, free: u64) -> u64 {
    if board.rows().min(board.columns()) <= NARROW {
        return u64::MAX;
    }
    let cells = u64::from(board.rows()) * u64::from(board.columns());
    if (cells - free) * WALL_SHARE < cells { 0 } else { VISITS * cells }
}

/// Makes the matching maximum and marks the winning cells of the even colour.
fn match_all(
    cells: &mut [u8],
    steps: [u32; 16],
    queue: &mut Queue,
    budget: u64,
    wide: bool,
) -> Result<(), NoMemory> {
    if budget > 0 && (Search { cells, steps, queue }).run(Colour::Even, budget) == Ended::Maximum {
        return Ok(());
    }
    if push_all(cells, steps, queue)? == Reached::Labels && wide {
        let mut room = Room::<u32>::new(cells.len())?;
        push_relabel::run(cells, steps, Colour::Even, push_relabel::ROUNDS, queue, &mut room)?;
    }
    Search { cells, steps, queue }.run(Colour::Even, u64::MAX);
    Ok(())
}

/// Push and relabel with labels of 16 bits.
fn push_all(cells: &mut [u8], steps: [u32; 16], queue: &mut Queue) -> Result<Reached, NoMemory> {
    let mut room = Room::<u16>::new(cells.len())?;
    strips::run_all(cells, steps, queue, &mut room)?;
    push_relabel::run(cells, steps, Colour::Even, push_relabel::ROUNDS, queue, &mut room)
}

impl Analysis {
    fn new(mut board: Board, free: u64) -> Self {
        let (mut mates, mut winners) = (0_u64, 0_u64);
        for part in board.cells_mut().chunks_mut(1 << 12) {
            let (mut part_mates, mut part_winners) = (0_u32, 0_u32);
            for cell in part {
                *cell &= !(SEEN | PARENT);
                part_mates += u32::from(*cell & (WALL | SINGLE) == 0);
                part_winners += u32::from(*cell >> 7);
            }
            mates += u64::from(part_mates);
            winners += u64::from(part_winners);
        }
        Self { board, free, pairs: mates / 2, winners }
    }

    #[cfg(test)]
    pub(super) fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    /// The board, whose cells know their mates now.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Free cells of the board.
    #[must_use]
    pub fn free(&self) -> u64 {
        self.free
    }

    /// Pairs of the maximum matching.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Cells from which the placing player wins.
    #[must_use]
    pub fn winners(&self) -> u64 {
        self.winners
    }

    /// The cell (both numbers from 0) with which this one is matched.
    #[must_use]
    pub fn mate(&self, row: u32, column: u32) -> Option<(u32, u32)> {
        let position = self.board.at(row, column);
        let cell = self.board.cells()[position];
        let step = self.board.steps()[(cell & DIRECTION) as usize];
        let mate = (position as u32).wrapping_add(step);
        (cell & (WALL | SINGLE) == 0).then(|| self.board.place(mate as usize))
    }

    /// Whether the placing player wins from this cell (both numbers from 0).
    #[must_use]
    pub fn wins(&self, row: u32, column: u32) -> bool {
        self.board.cells()[self.board.at(row, column)] & WIN != 0
    }
}
