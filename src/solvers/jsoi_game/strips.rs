//! Large boards strip by strip: most single cells find each other within a strip that fits in the
//! cache, and only the rest needs the whole board.

use super::board::{Colour, DOWN, UP, WALL};
use super::push_relabel::{Room, run};

/// Cells of the first strips.
const FIRST: usize = 1 << 18;
/// How much larger the next ones are.
const FACTOR: usize = 8;
/// Boards up to this many cells are not cut.
const WHOLE: usize = 1 << 21;
/// How often labels are set in a strip; what is left then waits for larger strips.
const ROUNDS: u32 = 6;

/// Matches single cells within strips, then within larger ones.
pub(super) fn run_all(cells: &mut [u8], steps: [u32; 16], queue: &mut [u32], room: &mut Room) {
    let stride = steps[usize::from(DOWN)] as usize;
    let mut size = FIRST;
    while cells.len() > WHOLE && size < cells.len() / 2 {
        // An even number of rows, so that colours are the same in each strip.
        let height = (size / stride / 2 * 2).max(2);
        run_each(cells, steps, height, queue, room);
        size *= FACTOR;
    }
}

/// Works on strips of `height` rows one by one, each as if walls were around it.
fn run_each(cells: &mut [u8], steps: [u32; 16], height: usize, queue: &mut [u32], room: &mut Room) {
    let stride = steps[usize::from(DOWN)] as usize;
    let rows = cells.len() / stride - 2;
    let mut saved = Vec::new();
    for start in (0..rows).step_by(height) {
        let end = (start + height).min(rows);
        let strip = &mut cells[start * stride..(end + 2) * stride];
        wall_in(strip, stride, &mut saved);
        run(strip, steps, Colour::Even, ROUNDS, queue, room);
        for &(position, cell) in saved.iter().rev() {
            strip[position] = cell;
        }
    }
}

/// Turns the first and last row, and the cells whose mates stand there, into walls. Saves what
/// they were.
fn wall_in(strip: &mut [u8], stride: usize, saved: &mut Vec<(usize, u8)>) {
    saved.clear();
    let last = strip.len() - stride;
    for column in 0..stride {
        for (border, inner, outwards) in
            [(column, column + stride, UP), (column + last, column + last - stride, DOWN)]
        {
            saved.push((border, strip[border]));
            strip[border] = WALL;
            if strip[inner] == outwards {
                saved.push((inner, outwards));
                strip[inner] = WALL;
            }
        }
    }
}
