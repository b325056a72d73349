//! A board as two bits per cell: is there a stone, and is its number of hit points odd? Nothing
//! else decides the game. The bits lie packed, row behind row, without gaps.

/// One board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Board {
    rows: usize,
    columns: usize,
    stones: Vec<u8>,
    odd: Vec<u8>,
    treasure: usize,
    odd_sum: bool,
}

/// Zero bytes behind the last cell, so that 64 cells can be read from any cell on.
const MARGIN: usize = 16;

impl Board {
    /// Makes it an empty board of this size without cells, and keeps the memory.
    pub(super) fn clear(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
        self.stones.clear();
        self.odd.clear();
        self.odd_sum = false;
    }

    /// Appends whole bytes of both planes; false if there is no memory for them.
    pub(super) fn extend(&mut self, stones: &[u8], odd: &[u8]) -> bool {
        for (plane, bytes) in [(&mut self.stones, stones), (&mut self.odd, odd)] {
            if plane.try_reserve(bytes.len() + 1 + MARGIN).is_err() {
                return false;
            }
            plane.extend_from_slice(bytes);
        }
        true
    }

    /// Adds the last unfinished byte of both planes and the treasure, read as a stone of one hit
    /// point; `odd_sum` includes it.
    pub(super) fn finish(&mut self, last: [u8; 2], treasure: usize, odd_sum: bool) {
        for (plane, byte) in [&mut self.stones, &mut self.odd].into_iter().zip(last) {
            plane.push(byte);
            plane.resize(plane.len() + MARGIN, 0);
            plane[treasure / 8] &= !(1 << (treasure % 8));
        }
        self.treasure = treasure;
        self.odd_sum = !odd_sum;
    }

    /// Rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Row and column of the treasure, from 0.
    pub(crate) fn treasure(&self) -> (usize, usize) {
        (self.treasure / self.columns, self.treasure % self.columns)
    }

    /// Whether there is a stone.
    pub(crate) fn stone(&self, row: usize, column: usize) -> bool {
        self.stones(row, column) & 1 == 1
    }

    /// Whether all hit points together are odd.
    pub(super) fn odd_sum(&self) -> bool {
        self.odd_sum
    }

    /// The stones of 64 cells from this one on, across the ends of rows.
    pub(super) fn stones(&self, row: usize, column: usize) -> u64 {
        word(&self.stones, row * self.columns + column)
    }

    /// The stones with odd hit points of 64 cells from this one on.
    pub(super) fn odd(&self, row: usize, column: usize) -> u64 {
        word(&self.odd, row * self.columns + column)
    }
}

/// 64 bits from any bit on.
fn word(plane: &[u8], bit: usize) -> u64 {
    let bytes = plane[bit / 8..].first_chunk::<16>().expect("the margin is 16 bytes");
    (u128::from_le_bytes(*bytes) >> (bit % 8)) as u64
}
