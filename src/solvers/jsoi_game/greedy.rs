//! The first matching, row by row: cells of a run are paired side by side, and of a run of odd
//! length one cell takes its lower neighbour.
//!
//! Which one decides how much is left to do: of the cells at even places of the run, one is
//! chosen whose lower neighbour splits the run there into two parts of even length; then that
//! run has no odd cell to hand on. So surplus cells wander down until they meet their like of the
//! other colour, and only short runs above walls leave cells over.
//!
//! All runs of a row are treated at once as bits of words, the first cell lowest: an addition
//! carries from a cell to the end of its run.

use super::board::{Board, SINGLE, WALL};
use super::memory::{NoMemory, filled};

/// Cells of one word.
const WORD: usize = 64;
/// The even bits of a word.
const EVEN: u64 = 0x5555_5555_5555_5555;
/// Bytes of 0 and 1 for the bits of a byte.
const SPREAD: [u64; 256] = spread();

const fn spread() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Pairs cells of a board without any pairs.
pub(super) fn pair(board: &mut Board) -> Result<(), NoMemory> {
    let words = board.columns() as usize / WORD + 1;
    let stride = board.stride();
    let columns = board.columns() as usize;
    let mut rows = Rows::new(words)?;
    let first = board.at(0, 0);
    pack(&board.cells()[first..first + columns], &mut rows.lower_free);
    rows.lower.copy_from_slice(&rows.lower_free);
    for row in 0..board.rows() {
        let start = board.at(row, 0);
        let (upper, lower) = board.cells_mut()[start..start + 2 * stride].split_at_mut(stride);
        rows.step(&lower[..columns]);
        rows.write(&mut upper[..columns]);
    }
    Ok(())
}

/// A row, the one below it, and room for sets of cells of a row, one bit a cell.
struct Rows {
    /// The free cells of the upper row, and those that no cell above has taken.
    upper_free: Vec<u64>,
    upper: Vec<u64>,
    /// The same of the lower row.
    lower_free: Vec<u64>,
    lower: Vec<u64>,
    /// Cells that may hand on the odd cell of their run.
    odd: Vec<u64>,
    good: Vec<u64>,
    /// Cells that take their lower neighbour, and those that take their right one.
    down: Vec<u64>,
    right: Vec<u64>,
    room: Vec<u64>,
    more: Vec<u64>,
}

impl Rows {
    fn new(words: usize) -> Result<Self, NoMemory> {
        let row = || filled(0, words);
        Ok(Self {
            upper_free: row()?,
            upper: row()?,
            lower_free: row()?,
            lower: row()?,
            odd: row()?,
            good: row()?,
            down: row()?,
            right: row()?,
            room: row()?,
            more: row()?,
        })
    }

    /// Goes one row down and pairs the cells of the row that is the upper one now.
    fn step(&mut self, lower: &[u8]) {
        std::mem::swap(&mut self.upper_free, &mut self.lower_free);
        std::mem::swap(&mut self.upper, &mut self.lower);
        pack(lower, &mut self.lower_free);
        self.lower.copy_from_slice(&self.lower_free);
        odd_places(&self.upper, &mut self.odd, &mut self.room);
        odd_places(&self.lower, &mut self.good, &mut self.room);
        self.choose();
        for ((lower, upper), &down) in self.lower.iter_mut().zip(&mut self.upper).zip(&self.down) {
            *lower &= !down;
            *upper &= !down;
        }
        even_places(&self.upper, &mut self.right);
        for index in 0..self.right.len() {
            self.right[index] &= after(&self.upper, index);
        }
    }

    /// Chooses one cell for each odd run of the upper row that can hand one on.
    fn choose(&mut self) {
        for index in 0..self.odd.len() {
            self.odd[index] &= self.lower[index];
            self.good[index] &= self.odd[index];
        }
        first_of_runs(&self.upper, &self.good, &mut self.down);
        // The runs that have one of the good cells: up from these, then back from the ends.
        fill_up(&self.upper, &self.down, &mut self.room);
        for index in 0..self.room.len() {
            self.more[index] = self.room[index] & !after(&self.upper, index);
        }
        fill_down(&self.upper, &self.more, &mut self.room);
        for (odd, served) in self.odd.iter_mut().zip(&self.room) {
            *odd &= !served;
        }
        first_of_runs(&self.upper, &self.odd, &mut self.room);
        for (down, more) in self.down.iter_mut().zip(&self.room) {
            *down |= more;
        }
    }

    /// Writes the pairs of the upper row.
    fn write(&self, cells: &mut [u8]) {
        for (index, cells) in cells.chunks_mut(WORD).enumerate() {
            let right = self.right[index];
            let before = if index == 0 { 0 } else { self.right[index - 1] >> (WORD - 1) };
            let left = right << 1 | before;
            let (down, walls) = (self.down[index], !self.upper_free[index]);
            let single = self.upper[index] & !(right | left);
            let planes = [down | left, down | right, single, walls];
            for (index, cells) in cells.chunks_mut(8).enumerate() {
                let [a, b, c, d] =
                    planes.map(|plane| SPREAD[(plane >> (8 * index) & 0xff) as usize]);
                let bytes = (a | b << 1 | c << 2 | d << 3).to_le_bytes();
                match <&mut [u8; 8]>::try_from(&mut *cells) {
                    Ok(cells) => *cells = bytes,
                    Err(_) => cells.copy_from_slice(&bytes[..cells.len()]),
                }
            }
        }
    }
}

/// The free cells of a row.
fn pack(cells: &[u8], words: &mut [u64]) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    words.fill(0);
    for (word, cells) in words.iter_mut().zip(cells.chunks(WORD)) {
        let (groups, rest) = cells.as_chunks::<8>();
        let mut shift = 0;
        for group in groups {
            let free = u64::from_le_bytes(*group) >> SINGLE.trailing_zeros() & EACH;
            *word |= (free.wrapping_mul(0x0102_0408_1020_4080) >> 56) << shift;
            shift += 8;
        }
        for cell in rest {
            *word |= u64::from(cell & WALL == 0) << shift;
            shift += 1;
        }
    }
}

/// The set moved by one: whether the next cell belongs to it.
fn after(cells: &[u64], index: usize) -> u64 {
    let next = cells.get(index + 1).map_or(0, |word| word << (WORD - 1));
    cells[index] >> 1 | next
}

/// The part of each run from its lowest seed to its end.
fn fill_up(cells: &[u64], seeds: &[u64], filled: &mut [u64]) {
    let mut carry = false;
    for ((&cells, &seeds), filled) in cells.iter().zip(seeds).zip(filled) {
        let sum;
        (sum, carry) = add(cells, seeds, carry);
        *filled = cells & !sum;
    }
}

/// The part of each run from its start to its highest seed.
fn fill_down(cells: &[u64], seeds: &[u64], filled: &mut [u64]) {
    let mut carry = false;
    for ((&cells, &seeds), filled) in cells.iter().zip(seeds).zip(filled).rev() {
        let sum;
        (sum, carry) = add(cells.reverse_bits(), seeds.reverse_bits(), carry);
        *filled = cells & !sum.reverse_bits();
    }
}

/// Sum and carry.
fn add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, over) = a.overflowing_add(b);
    let (sum, more) = sum.overflowing_add(u64::from(carry));
    (sum, over | more)
}

/// The cells at even places of their runs, the first cell being at place 0.
fn even_places(cells: &[u64], places: &mut [u64]) {
    let (mut carry, mut before) = (false, 0);
    for (&cells, places) in cells.iter().zip(places) {
        let starts = cells & !(cells << 1 | before);
        before = cells >> (WORD - 1);
        let sum;
        (sum, carry) = add(cells, starts & EVEN, carry);
        let from_even = cells & !sum;
        *places = (from_even & EVEN) | (cells & !from_even & !EVEN);
    }
}

/// The cells at even places of runs of odd length.
fn odd_places(cells: &[u64], places: &mut [u64], room: &mut [u64]) {
    even_places(cells, places);
    for index in 0..room.len() {
        room[index] = places[index] & !after(cells, index);
    }
    let mut carry = false;
    for ((&cells, &mut seeds), places) in cells.iter().zip(room).zip(places).rev() {
        let sum;
        (sum, carry) = add(cells.reverse_bits(), seeds.reverse_bits(), carry);
        *places &= cells & !sum.reverse_bits();
    }
}

/// The first cell of each run that is one of `chosen`.
fn first_of_runs(cells: &[u64], chosen: &[u64], first: &mut [u64]) {
    let (mut carry, mut before) = (false, 0);
    for ((&cells, &chosen), first) in cells.iter().zip(chosen).zip(first) {
        let starts = cells & !(cells << 1 | before);
        before = cells >> (WORD - 1);
        // From the start a carry runs through the other cells and stops at the first chosen one.
        let others = cells & !chosen;
        let sum;
        (sum, carry) = add(others, starts & others, carry);
        *first = chosen & (starts | (sum & !others));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The runs of a set of cells, as ranges.
    fn runs(cells: &[u64]) -> Vec<std::ops::Range<usize>> {
        let mut found: Vec<std::ops::Range<usize>> = Vec::new();
        for place in (0..cells.len() * WORD).filter(|&place| has(cells, place)) {
            match found.last_mut() {
                Some(run) if run.end == place => run.end += 1,
                _ => found.push(place..place + 1),
            }
        }
        found
    }

    fn has(cells: &[u64], place: usize) -> bool {
        cells[place / WORD] >> (place % WORD) & 1 == 1
    }

    /// The last word ends with a wall, as rows do.
    fn draw(random: &mut Random, words: usize) -> Vec<u64> {
        let sparse = random.percent(50);
        let mut cells: Vec<u64> = (0..words)
            .map(|_| {
                random.next_u64() | if sparse { random.next_u64() | random.next_u64() } else { 0 }
            })
            .collect();
        cells[words - 1] &= u64::MAX >> 1;
        cells
    }

    #[test]
    fn sets_of_a_row_are_those_of_a_loop_over_its_runs() {
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let words = random.between(1, 4) as usize;
            let (cells, chosen) = (draw(&mut random, words), draw(&mut random, words));
            let chosen: Vec<u64> = cells.iter().zip(&chosen).map(|(a, b)| a & b).collect();
            let room = || vec![0; words];
            let (mut odd, mut even, mut first, mut up, mut down) =
                (room(), room(), room(), room(), room());
            odd_places(&cells, &mut odd, &mut room());
            even_places(&cells, &mut even);
            first_of_runs(&cells, &chosen, &mut first);
            fill_up(&cells, &first, &mut up);
            fill_down(&cells, &first, &mut down);
            for run in runs(&cells) {
                let wanted = run.clone().find(|&place| has(&chosen, place));
                for place in run.clone() {
                    let at_even = (place - run.start) % 2 == 0;
                    assert_eq!(has(&even, place), at_even, "seed {seed}, even {place}");
                    assert_eq!(
                        has(&odd, place),
                        at_even && run.len() % 2 == 1,
                        "seed {seed}, odd {place}"
                    );
                    assert_eq!(
                        has(&first, place),
                        wanted == Some(place),
                        "seed {seed}, first {place}"
                    );
                    let above = wanted.is_some_and(|wanted| place >= wanted);
                    assert_eq!(has(&up, place), above, "seed {seed}, up {place}");
                    let below = wanted.is_some_and(|wanted| place <= wanted);
                    assert_eq!(has(&down, place), below, "seed {seed}, down {place}");
                }
            }
        }
    }
}
