//! Checks an analysis by independent simple code: cell by cell, from the digits.

use std::collections::TryReserveError;

use super::analyse::{Analysis, Cell, Winner};
use super::board::Board;
use super::numbers::Numbers;

/// Why a proof is not accepted.
#[derive(Debug)]
pub(super) enum Refusal {
    /// There is no memory for the check.
    NoMemory,
    /// The analysis is wrong.
    Wrong(String),
}

impl From<String> for Refusal {
    fn from(what: String) -> Self {
        Self::Wrong(what)
    }
}

impl From<TryReserveError> for Refusal {
    fn from(_: TryReserveError) -> Self {
        Self::NoMemory
    }
}

/// What is wrong with the analysis of a board, if anything.
pub(super) fn verify(board: &Board, numbers: &Numbers, analysis: &Analysis) -> Result<(), Refusal> {
    let (rows, columns) = (board.rows(), board.columns());
    if numbers.len() != rows * columns {
        return Err(format!("{} numbers on a board of {rows} x {columns}", numbers.len()).into());
    }
    let plain = Plain { numbers, rows, columns };
    let room = plain.room()?;
    let open = (0..rows * columns).any(|cell| room[cell] && plain.is_border(cell));
    if open != analysis.is_open() {
        return Err("the room is open for only one of both".to_owned().into());
    }
    let cells = plain.cells(&room)?;
    if !open {
        plain.compare(board, analysis, &cells)?;
    }
    let winner = if open || plain.odd_hits(&cells) { Winner::Ali } else { Winner::Baba };
    if winner != analysis.winner() {
        return Err("the winners differ".to_owned().into());
    }
    Ok(())
}

/// The board as its numbers.
struct Plain<'n> {
    numbers: &'n Numbers,
    rows: usize,
    columns: usize,
}

impl Plain<'_> {
    fn is_border(&self, cell: usize) -> bool {
        let (row, column) = (cell / self.columns, cell % self.columns);
        row == 0 || row + 1 == self.rows || column == 0 || column + 1 == self.columns
    }

    fn near(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (column, columns, end) = (cell % self.columns, self.columns, self.rows * self.columns);
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < columns).then(|| cell + 1);
        let up = cell.checked_sub(columns);
        let down = Some(cell + columns).filter(|&down| down < end);
        [left, right, up, down].into_iter().flatten()
    }

    /// All cells connected with the seeds through passable ones.
    fn flood(
        &self,
        seeds: impl Iterator<Item = usize>,
        pass: impl Fn(usize) -> bool,
    ) -> Result<Vec<bool>, TryReserveError> {
        let mut reached = Vec::new();
        reached.try_reserve_exact(self.rows * self.columns)?;
        reached.resize(self.rows * self.columns, false);
        let mut stack = Vec::new();
        for seed in seeds {
            stack.try_reserve(1)?;
            stack.push(seed);
        }
        while let Some(cell) = stack.pop() {
            if !reached[cell] && pass(cell) {
                reached[cell] = true;
                stack.try_reserve(4)?;
                stack.extend(self.near(cell).filter(|&next| !reached[next]));
            }
        }
        Ok(reached)
    }

    /// The treasure's room.
    fn room(&self) -> Result<Vec<bool>, TryReserveError> {
        let treasure = (0..self.rows * self.columns).filter(|&cell| self.numbers.is_treasure(cell));
        self.flood(treasure, |cell| self.numbers.is_empty(cell))
    }

    /// What each cell is if the room is closed.
    fn cells(&self, room: &[bool]) -> Result<Vec<Cell>, TryReserveError> {
        let all = 0..self.rows * self.columns;
        let wall = |cell: usize| !room[cell] && self.near(cell).any(|next| room[next]);
        let border = all.clone().filter(|&cell| self.is_border(cell));
        let outside = self.flood(border, |cell| !room[cell] && !wall(cell))?;
        let kind = |cell: usize| match (room[cell], self.numbers.is_empty(cell)) {
            (true, _) if self.numbers.is_treasure(cell) => Cell::Treasure,
            (true, _) => Cell::Room,
            (false, true) => Cell::Empty,
            (false, false) if wall(cell) => {
                let hit = self.is_border(cell) || self.near(cell).any(|next| outside[next]);
                if hit { Cell::Wall } else { Cell::HiddenWall }
            }
            (false, false) if outside[cell] => Cell::Outside,
            (false, false) => Cell::Inside,
        };
        let mut cells = Vec::new();
        cells.try_reserve_exact(all.len())?;
        cells.extend(all.map(kind));
        Ok(cells)
    }

    fn compare(&self, board: &Board, analysis: &Analysis, cells: &[Cell]) -> Result<(), String> {
        for (index, &cell) in cells.iter().enumerate() {
            let (row, column) = (index / self.columns, index % self.columns);
            let found = analysis.cell(board, row, column);
            if found != cell {
                let (row, column) = (row + 1, column + 1);
                return Err(format!("row {row}, column {column} is {cell:?}, not {found:?}"));
            }
        }
        Ok(())
    }

    /// Whether the number of safe hits is odd.
    fn odd_hits(&self, cells: &[Cell]) -> bool {
        let hits = cells.iter().enumerate().filter(|&(cell, kind)| match kind {
            Cell::Outside => self.numbers.is_odd(cell),
            Cell::Wall => !self.numbers.is_odd(cell),
            _ => false,
        });
        hits.count() % 2 == 1
    }
}
