//! A grid of bits in rows of whole words, with an empty row above and below and at least one empty
//! bit at the end of each row, so that neighbours of cells are read without asking for borders.

/// The grid.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    rows: usize,
    columns: usize,
    /// Words of a row.
    width: usize,
    bits: Vec<u64>,
}

impl Grid {
    /// Makes it a grid of this size with every bit clear; false if there is no memory.
    pub(super) fn reset(&mut self, rows: usize, columns: usize) -> bool {
        (self.rows, self.columns, self.width) = (rows, columns, columns / 64 + 1);
        let words = (rows + 2) * self.width;
        self.bits.clear();
        if self.bits.capacity() < words {
            // Fresh zero pages cost nothing before they are used.
            self.bits = Vec::new();
            if Vec::<u64>::new().try_reserve_exact(words).is_err() {
                return false;
            }
            self.bits = vec![0; words];
        } else {
            self.bits.resize(words, 0);
        }
        true
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Words of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The words of a row; 0 is the empty one above, so that the first real one is 1.
    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.width..][..self.width]
    }

    /// The words of a row.
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.bits[row * self.width..][..self.width]
    }

    /// The words of a row, and those of the row before or behind it.
    pub(super) fn row_and(&mut self, row: usize, other: usize) -> (&mut [u64], &[u64]) {
        let (upper, lower) = self.bits.split_at_mut(row.max(other) * self.width);
        let upper = &mut upper[row.min(other) * self.width..][..self.width];
        let lower = &mut lower[..self.width];
        if row < other { (upper, lower) } else { (lower, upper) }
    }

    /// All words, rows one after another.
    pub(super) fn words(&self) -> &[u64] {
        &self.bits
    }

    /// All words.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.bits
    }

    /// The bits of a word that are cells.
    pub(super) fn cells(&self, word: usize) -> u64 {
        if word + 1 < self.width { u64::MAX } else { (1 << (self.columns % 64)) - 1 }
    }

    /// The neighbours of the set bits of a row, some of them outside the grid.
    pub(super) fn near(&self, row: usize, word: usize) -> u64 {
        let at = row * self.width + word;
        let own = self.bits[at];
        // The last bit of each row is empty: so is the one before its first.
        let left = self.bits[at - 1] >> 63;
        let right = self.bits[at + 1] << 63;
        let sides = own << 1 | left | own >> 1 | right;
        sides | self.bits[at - self.width] | self.bits[at + self.width]
    }

    /// Whether a bit is set; rows and columns from 0, the empty row not counted.
    pub(super) fn get(&self, row: usize, column: usize) -> bool {
        self.row(row + 1)[column / 64] >> (column % 64) & 1 == 1
    }
}
