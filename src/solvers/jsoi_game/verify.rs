//! A second look at an analysis by simple code that shares nothing with its making but the cells.

use super::analyse::Analysis;
use super::memory::{NoMemory, filled};

/// Why an analysis is not confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// There is no memory for the check.
    Memory,
    /// Which part of the proof fails, and where (row and column from 1).
    Wrong(String),
}

impl From<String> for Refused {
    fn from(what: String) -> Self {
        Self::Wrong(what)
    }
}

impl From<NoMemory> for Refused {
    fn from(_: NoMemory) -> Self {
        Self::Memory
    }
}

/// Checks that the pairs are a matching, that it is maximum, and that the winning cells are those
/// which alternating paths reach from single cells.
///
/// # Errors
/// Which part fails, or that there is no memory to tell.
pub fn verify(analysis: &Analysis) -> Result<(), Refused> {
    let board = analysis.board();
    let (rows, columns) = (board.rows(), board.columns());
    let bytes = (u64::from(rows) * u64::from(columns)).div_ceil(8) as usize;
    let mut check = Check { analysis, reached: filled(0, bytes)? };
    let cells = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let (mut free, mut pairs) = (0, 0);
    for cell in cells() {
        free += u64::from(board.is_free(cell.0, cell.1));
        pairs += check.pair(cell)?;
    }
    if free != analysis.free() {
        return Err(Refused::Wrong(format!("{} cells were free, {free} are", analysis.free())));
    }
    let mut todo = Vec::new();
    for cell in cells() {
        check.cover(cell)?;
        if board.is_free(cell.0, cell.1) && analysis.mate(cell.0, cell.1).is_none() {
            check.reach(cell, &mut todo)?;
        }
    }
    if pairs != 2 * analysis.pairs() {
        return Err(Refused::Wrong(format!(
            "{} pairs are told, {} half pairs found",
            analysis.pairs(),
            pairs
        )));
    }
    check.flood(&mut todo)?;
    check.compare()?;
    Ok(())
}

type Cell = (u32, u32);

struct Check<'a> {
    analysis: &'a Analysis,
    /// One bit a cell.
    reached: Vec<u8>,
}

impl Check<'_> {
    fn index(&self, cell: Cell) -> (usize, u8) {
        let index =
            u64::from(cell.0) * u64::from(self.analysis.board().columns()) + u64::from(cell.1);
        ((index / 8) as usize, 1 << (index % 8))
    }

    fn neighbours(&self, (row, column): Cell) -> impl Iterator<Item = Cell> + use<> {
        let board = self.analysis.board();
        let near = [
            (row.wrapping_sub(1), column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
            (row + 1, column),
        ];
        let free = near.map(|(r, c)| board.is_free(r, c));
        near.into_iter().zip(free).filter_map(|(cell, free)| free.then_some(cell))
    }

    /// Counts 1 for a matched cell, whose mate must be a free neighbour that knows it.
    fn pair(&self, cell: Cell) -> Result<u64, String> {
        let Some(mate) = self.analysis.mate(cell.0, cell.1) else { return Ok(0) };
        let free = self.analysis.board().is_free(cell.0, cell.1);
        if free
            && self.neighbours(cell).any(|near| near == mate)
            && self.analysis.mate(mate.0, mate.1) == Some(cell)
        {
            return Ok(1);
        }
        Err(format!("the pair of {} is none", name(cell)))
    }

    /// Each neighbour of a winning cell is the mate of a winning cell of the same colour. So the
    /// mates of the winning even cells and the other even cells cover all edges, one a pair.
    fn cover(&self, cell: Cell) -> Result<(), String> {
        let (row, column) = cell;
        if !self.analysis.wins(row, column) {
            let single = self.analysis.mate(row, column).is_none();
            return if single && self.analysis.board().is_free(row, column) {
                Err(format!("the single cell {} does not win", name(cell)))
            } else {
                Ok(())
            };
        }
        for near in self.neighbours(cell) {
            let mate = self.analysis.mate(near.0, near.1);
            if !mate.is_some_and(|mate| self.analysis.wins(mate.0, mate.1)) {
                return Err(format!("the edge {} - {} is not covered", name(cell), name(near)));
            }
        }
        Ok(())
    }

    fn reach(&mut self, cell: Cell, todo: &mut Vec<Cell>) -> Result<(), NoMemory> {
        let (byte, bit) = self.index(cell);
        if self.reached[byte] & bit == 0 {
            self.reached[byte] |= bit;
            todo.try_reserve(1)?;
            todo.push(cell);
        }
        Ok(())
    }

    fn flood(&mut self, todo: &mut Vec<Cell>) -> Result<(), NoMemory> {
        while let Some(cell) = todo.pop() {
            for near in self.neighbours(cell) {
                if let Some(mate) = self.analysis.mate(near.0, near.1) {
                    self.reach(mate, todo)?;
                }
            }
        }
        Ok(())
    }

    fn compare(&self) -> Result<(), String> {
        let board = self.analysis.board();
        let mut winners = 0;
        for row in 0..board.rows() {
            for column in 0..board.columns() {
                let (byte, bit) = self.index((row, column));
                let wins = self.analysis.wins(row, column);
                winners += u64::from(wins);
                if wins != (self.reached[byte] & bit != 0) {
                    return Err(format!("{} is reached or wins, not both", name((row, column))));
                }
            }
        }
        if winners == self.analysis.winners() {
            return Ok(());
        }
        Err(format!("{} winning cells are told, {winners} found", self.analysis.winners()))
    }
}

fn name((row, column): Cell) -> String {
    format!("({},{})", u64::from(row) + 1, u64::from(column) + 1)
}

#[cfg(test)]
mod tests {
    use super::super::board::{SINGLE, WIN};
    use super::super::{analyse, parse};
    use super::*;

    fn solved(input: &str) -> Analysis {
        analyse(parse(&mut input.as_bytes(), crate::solvers::Options::default()).unwrap()).unwrap()
    }

    #[test]
    fn no_cell_can_be_changed_unseen() {
        for input in
            ["4 5\n..#..\n.....\n#.#.#\n.....\n", "2 3\n...\n...\n", "3 3\n...\n...\n...\n"]
        {
            let right = solved(input);
            assert_eq!(verify(&right), Ok(()));
            for position in 0..right.board().cells().len() {
                let (row, column) = right.board().place(position.max(right.board().stride()));
                if !right.board().is_free(row, column) {
                    continue;
                }
                let position = right.board().at(row, column);
                let cell = right.board().cells()[position];
                for changed in (0..=SINGLE).flat_map(|mate| [mate, mate | WIN]) {
                    let mut wrong = right.clone();
                    wrong.board_mut().cells_mut()[position] = changed;
                    let place = format!("{input}{position}: {cell} -> {changed}");
                    assert_eq!(verify(&wrong).is_err(), cell != changed, "{place}");
                }
            }
        }
    }

    #[test]
    fn a_matching_that_is_not_maximum_is_refused() {
        let mut analysis = solved("1 4\n....\n");
        let start = analysis.board().at(0, 0);
        let cells = analysis.board_mut().cells_mut();
        // Only the middle pair, and every cell that alternating paths reach wins.
        cells[start..start + 4].copy_from_slice(&[SINGLE | WIN, 2 | WIN, 1 | WIN, SINGLE | WIN]);
        let what = "the edge (1,2) - (1,1) is not covered".to_owned();
        assert_eq!(verify(&analysis), Err(Refused::Wrong(what)));
    }
}
