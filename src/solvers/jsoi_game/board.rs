//! The board and everything that is known about its cells: one byte per cell, with a wall around.
//!
//! Rows stand one after another, `stride` bytes apart. The stride is odd and larger than the row,
//! so (1) every row ends with at least one wall, which is also the left border of the next row,
//! and (2) the lowest bit of a position is the colour of its cell as on a chess board: all four
//! neighbours have the other colour, and `position / 2` counts the cells of one colour.

use super::super::SolveError;
use super::memory::NoMemory;

/// The lower bits of a cell: the direction of its mate (0..=3).
pub(super) const DIRECTION: u8 = 0b0000_0011;
/// The directions of vertical mates.
pub(super) const UP: u8 = 0;
pub(super) const DOWN: u8 = 3;
/// A free cell without a mate.
pub(super) const SINGLE: u8 = 0b0000_0100;
/// A wall; no other bit is set then.
pub(super) const WALL: u8 = 0b0000_1000;
/// What tells the step to the mate in [`Board::steps`]: nowhere for walls and single cells.
pub(super) const LOWER: u8 = 0b0000_1111;
/// Where [`PARENT`] begins.
pub(super) const PARENT_SHIFT: u32 = 4;
/// The direction by which a search came to a cell.
pub(super) const PARENT: u8 = 0b0011_0000;
/// A search has been here.
pub(super) const SEEN: u8 = 0b0100_0000;
/// Some maximum matching misses this cell: the placing player wins here.
pub(super) const WIN: u8 = 0b1000_0000;

/// The colour of a cell: the lowest bit of its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Even,
    Odd,
}

impl Colour {
    pub(super) fn bit(self) -> u32 {
        self as u32
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::Even => Self::Odd,
            Self::Odd => Self::Even,
        }
    }
}

/// A board of free cells and walls; before the analysis every free cell is single.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    rows: u32,
    columns: u32,
    stride: u32,
    cells: Vec<u8>,
}

/// The distance of rows in memory: odd, and room for one wall at the end of each row.
pub(super) fn stride(columns: u32) -> u32 {
    (columns + 1) | 1
}

impl Board {
    /// A board from its bordered cells, `(rows + 2) * stride(columns)` of them.
    pub(super) fn new(rows: u32, columns: u32, cells: Vec<u8>) -> Self {
        let stride = stride(columns);
        debug_assert_eq!(cells.len(), (rows as usize + 2) * stride as usize);
        Self { rows, columns, stride, cells }
    }

    /// Rows of the board.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Columns of the board.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Whether the cell (both numbers from 0) may be entered; cells outside may not.
    #[must_use]
    pub fn is_free(&self, row: u32, column: u32) -> bool {
        row < self.rows && column < self.columns && self.cells[self.at(row, column)] & WALL == 0
    }

    /// The position of a cell, both numbers from 0.
    pub(super) fn at(&self, row: u32, column: u32) -> usize {
        (row as usize + 1) * self.stride as usize + column as usize
    }

    /// The row and column of a position, both from 0; a place outside the board for its border.
    pub(super) fn place(&self, position: usize) -> (u32, u32) {
        let stride = self.stride as usize;
        (((position / stride) as u32).wrapping_sub(1), (position % stride) as u32)
    }

    /// What to add (wrapping) to a position to go up, left, right, down; zeros follow, for
    /// the cells whose lower bits are no direction.
    pub(super) fn steps(&self) -> [u32; 16] {
        let stride = self.stride;
        [stride.wrapping_neg(), 1_u32.wrapping_neg(), 1, stride, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// The cells of one row, without its border.
    pub(super) fn row(&self, row: u32) -> &[u8] {
        let start = self.at(row, 0);
        &self.cells[start..start + self.columns as usize]
    }

    /// The error that there is no memory for this board.
    pub(super) fn memory(&self) -> SolveError {
        SolveError::Memory { case: 1, rows: u64::from(self.rows), columns: u64::from(self.columns) }
    }

    /// Whether labels of 32 bits keep the memory below 6 bytes a cell: the border is no large part
    /// of the board. In a corridor with larger borders few paths compete.
    pub(super) fn allows_wide_labels(&self) -> bool {
        let inner = u64::from(self.rows) * u64::from(self.columns);
        3 * self.cells.len() as u64 <= 4 * inner
    }

    pub(super) fn cells(&self) -> &[u8] {
        &self.cells
    }

    pub(super) fn cells_mut(&mut self) -> &mut [u8] {
        &mut self.cells
    }

    pub(super) fn stride(&self) -> usize {
        self.stride as usize
    }
}

/// The step in the other direction: up and down, left and right are complements.
pub(super) fn opposite(direction: u8) -> u8 {
    direction ^ DIRECTION
}

/// The cells that are looked through at a time: an even number.
pub(super) const PART: usize = 1 << 12;

/// Tells the positions of one colour that have no mate, in ascending order.
pub(super) fn each_single(cells: &[u8], colour: Colour, mut tell: impl FnMut(u32)) {
    const EACH: u64 = u64::from_le_bytes([SINGLE; 8]);
    let wanted = match colour {
        Colour::Even => EACH & 0x00ff_00ff_00ff_00ff,
        Colour::Odd => EACH & 0xff00_ff00_ff00_ff00,
    };
    let (words, rest) = cells.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let mut bits = u64::from_le_bytes(*word) & wanted;
        while bits != 0 {
            tell((index * 8) as u32 + bits.trailing_zeros() / 8);
            bits &= bits - 1;
        }
    }
    let start = words.len() * 8;
    let tail = rest.iter().enumerate().filter(|&(_, &cell)| cell & SINGLE != 0);
    tail.map(|(i, _)| (start + i) as u32).filter(|p| p & 1 == colour.bit()).for_each(tell);
}

/// Lists the single cells of one colour that have a free neighbour, in ascending order.
pub(super) fn list_singles(
    cells: &[u8],
    steps: [u32; 16],
    colour: Colour,
    list: &mut Vec<u32>,
) -> Result<(), NoMemory> {
    list.clear();
    for (index, part) in cells.chunks(PART).enumerate() {
        list.try_reserve(PART / 2)?;
        each_single(part, colour, |place| {
            let position = (index * PART) as u32 + place;
            let free = |step: &u32| cells[position.wrapping_add(*step) as usize] & WALL == 0;
            if steps[..4].iter().any(free) {
                list.push(position);
            }
        });
    }
    Ok(())
}
