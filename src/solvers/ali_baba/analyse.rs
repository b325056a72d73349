//! The analysis: who wins, and the sets of cells that prove it.
//!
//! Only the surroundings of the treasure matter as long as its room is small, so the work is done
//! in a window around the treasure that grows when the room reaches its edge. Everything outside
//! the window is then connected with the outside of the board.

use std::collections::TryReserveError;

use super::board::Board;
use super::flood::flood;
use super::grid::Grid;

/// A rectangle of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) top: usize,
    pub(super) left: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// What a cell is to the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Cell {
    /// The treasure.
    Treasure,
    /// Empty, connected with the treasure.
    Room,
    /// A stone beside the room that can be hit: breaking it opens the room.
    Wall,
    /// A stone beside the room that cannot be hit from outside.
    HiddenWall,
    /// A stone that can be hit and broken without danger.
    Outside,
    /// A stone that nobody can reach before the room opens.
    Inside,
    /// Any other empty cell.
    Empty,
}

/// How much of the board the analysis looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As little as the answer needs.
    Answer,
    /// All of it: [`Analysis::cell`] knows the whole room even if it is open.
    Whole,
}

/// Who wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Winner {
    /// Who moves first.
    Ali,
    /// Who moves second.
    Baba,
}

/// A board's analysis: its sets are the proof of the winner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Analysis {
    window: Option<Window>,
    open: bool,
    odd_hits: bool,
    /// For an open room: the room as far as it was needed. For a closed one: cells outside.
    reached: Grid,
    /// For an open room: empty cells. For a closed one: cells that are neither room nor wall.
    pass: Grid,
    stack: Vec<usize>,
}

impl Analysis {
    /// Analyses a board, using the memory of an earlier analysis again; false if there is not
    /// enough memory.
    pub(crate) fn update(&mut self, board: &Board, extent: Extent) -> bool {
        let mut window = match extent {
            Extent::Answer => Window::around(board, 32, 64),
            Extent::Whole => Window::around(board, board.rows(), board.columns()),
        };
        loop {
            self.window = Some(window);
            if !self.load(board, window) {
                return false;
            }
            let Ok(edge) = self.flood_room(board, window, extent) else { return false };
            match edge {
                Edge::Board => {
                    self.open = true;
                    return true;
                }
                Edge::Window => window = Window::around(board, 4 * window.rows, 4 * window.columns),
                Edge::None => break,
            }
        }
        self.open = false;
        if self.flood_outside().is_err() {
            return false;
        }
        self.odd_hits = board.odd_sum() ^ self.odd_difference(board, window);
        true
    }

    /// Who wins.
    pub(crate) fn winner(&self) -> Winner {
        if self.open || self.odd_hits { Winner::Ali } else { Winner::Baba }
    }

    /// Whether the room reaches the outside already.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// What a cell is; for an open room no stone is told from another.
    pub(crate) fn cell(&self, board: &Board, row: usize, column: usize) -> Cell {
        if (row, column) == board.treasure() {
            return Cell::Treasure;
        }
        let stone = board.stone(row, column);
        let inside = self.window.filter(|window| window.contains(row, column));
        let Some(window) = inside else {
            return if stone { Cell::Outside } else { Cell::Empty };
        };
        let at = (row - window.top, column - window.left);
        let reached = self.reached.get(at.0, at.1);
        match (stone, self.open || self.pass.get(at.0, at.1)) {
            (false, true) if self.open && reached => Cell::Room,
            (false, true) => Cell::Empty,
            (true, true) if self.open || reached => Cell::Outside,
            (true, true) => Cell::Inside,
            (false, false) => Cell::Room,
            (true, false) if self.touched(at) => Cell::Wall,
            (true, false) => Cell::HiddenWall,
        }
    }

    /// Whether a cell of the window is beside an outer one.
    fn touched(&self, (row, column): (usize, usize)) -> bool {
        let near = self.near_outside(row + 1, column / 64);
        near >> (column % 64) & 1 == 1
    }

    /// The empty cells of the window, and nothing reached.
    fn load(&mut self, board: &Board, window: Window) -> bool {
        if !self.pass.reset(window.rows, window.columns)
            || !self.reached.reset(window.rows, window.columns)
        {
            return false;
        }
        let (width, last) = (self.pass.width(), self.pass.cells(self.pass.width() - 1));
        for row in 0..window.rows {
            let words = self.pass.row_mut(row + 1);
            for (index, word) in words.iter_mut().enumerate().take(window.columns.div_ceil(64)) {
                *word = !board.stones(window.top + row, window.left + 64 * index);
            }
            words[width - 1] &= last;
        }
        true
    }

    /// Floods the treasure's room and says which edge it reaches.
    fn flood_room(
        &mut self,
        board: &Board,
        window: Window,
        extent: Extent,
    ) -> Result<Edge, TryReserveError> {
        let (row, column) = board.treasure();
        let (row, column) = (row - window.top, column - window.left);
        let width = self.pass.width();
        let start = (row + 1) * width + column / 64;
        self.reached.words_mut()[start] = 1 << (column % 64);
        let mut edge = Edge::None;
        let seeds = row + 1..=row + 1;
        flood(&self.pass, &mut self.reached, seeds, &mut self.stack, |at, cells| {
            match window.edge(board, width, at, cells) {
                Edge::None => return false,
                Edge::Window => edge = Edge::Window,
                Edge::Board => edge = Edge::Board,
            }
            extent == Extent::Answer
        })?;
        Ok(edge)
    }

    /// From the closed room in `reached` to the outer cells in `reached`.
    fn flood_outside(&mut self) -> Result<(), TryReserveError> {
        let (rows, columns, width) = (self.pass.rows(), self.pass.columns(), self.pass.width());
        for row in 1..=rows {
            for word in 0..width {
                let room = self.reached.row(row)[word] | self.reached.near(row, word);
                self.pass.row_mut(row)[word] = self.pass.cells(word) & !room;
            }
        }
        self.reached.reset(rows, columns);
        for row in 1..=rows {
            for word in 0..width {
                let seeds = self.pass.row(row)[word] & self.edge_cells(row, word);
                self.reached.row_mut(row)[word] = seeds;
            }
        }
        flood(&self.pass, &mut self.reached, 1..=rows, &mut self.stack, |_, _| false)?;
        Ok(())
    }

    /// The cells of a word at the edge of the window.
    fn edge_cells(&self, row: usize, word: usize) -> u64 {
        if row == 1 || row == self.pass.rows() {
            return self.pass.cells(word);
        }
        let last = self.pass.columns() - 1;
        u64::from(word == 0) | u64::from(word == last / 64) << (last % 64)
    }

    /// The cells of a word that are beside outer cells or the outside of the window.
    fn near_outside(&self, row: usize, word: usize) -> u64 {
        self.reached.near(row, word) | self.edge_cells(row, word)
    }

    /// Whether the safe hits differ in parity from all hit points: stones that nobody reaches do
    /// not count, and each wall that can be hit counts for one hit less.
    fn odd_difference(&self, board: &Board, window: Window) -> bool {
        // Only the parity of its bits counts, so sums are taken without carry.
        let mut difference = 0;
        for row in 1..=window.rows {
            for word in 0..window.columns.div_ceil(64) {
                let cells = self.pass.cells(word);
                let (row_of, column_of) = (window.top + row - 1, window.left + 64 * word);
                let stones = board.stones(row_of, column_of);
                let free = self.pass.row(row)[word];
                let walls = stones & cells & !free;
                let touched = walls & self.near_outside(row, word);
                let unreached = free & !self.reached.row(row)[word] | walls & !touched;
                difference ^= board.odd(row_of, column_of) & unreached ^ touched;
            }
        }
        difference.count_ones() % 2 == 1
    }
}

/// Which edge a flood has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    None,
    /// The window's, inside the board.
    Window,
    Board,
}

impl Window {
    /// A window of about this size with the treasure in its middle, cut to the board.
    fn around(board: &Board, rows: usize, columns: usize) -> Self {
        let (row, column) = board.treasure();
        let (top, rows) = span(row, rows, board.rows());
        let (left, columns) = span(column, columns, board.columns());
        Self { top, left, rows, columns }
    }

    fn contains(self, row: usize, column: usize) -> bool {
        (self.top..self.top + self.rows).contains(&row)
            && (self.left..self.left + self.columns).contains(&column)
    }

    /// Which edge these cells of a word touch.
    fn edge(self, board: &Board, width: usize, at: usize, cells: u64) -> Edge {
        let last = self.columns - 1;
        let (first_bit, last_bit) = (1, 1 << (last % 64));
        let first_row = at < 2 * width;
        let last_row = at >= self.rows * width;
        if !first_row && !last_row && cells & (first_bit | last_bit) == 0 {
            return Edge::None;
        }
        let word = at % width;
        let first_column = word == 0 && cells & first_bit != 0;
        let last_column = word == last / 64 && cells & last_bit != 0;
        let board_edge = first_row && self.top == 0
            || last_row && self.top + self.rows == board.rows()
            || first_column && self.left == 0
            || last_column && self.left + self.columns == board.columns();
        match (board_edge, first_row || last_row || first_column || last_column) {
            (true, _) => Edge::Board,
            (false, true) => Edge::Window,
            (false, false) => Edge::None,
        }
    }
}

/// `length` places around the middle, cut to `0..end`; start and length.
fn span(middle: usize, length: usize, end: usize) -> (usize, usize) {
    let start = middle.saturating_sub(length);
    let stop = middle.saturating_add(length).saturating_add(1).min(end);
    (start, stop - start)
}
