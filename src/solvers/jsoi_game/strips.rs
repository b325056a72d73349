//! Large boards strip by strip: most single cells find each other within a strip that fits in the
//! cache, and only the rest needs the whole board.

use super::board::{Colour, DOWN, UP, WALL};
use super::memory::{NoMemory, Queue, filled};
use super::push_relabel::{Room, run};

/// Cells of the first strips.
const FIRST: usize = 1 << 18;
/// How much larger the next ones are.
const FACTOR: usize = 8;
/// Boards up to this many cells are not cut.
const WHOLE: usize = 1 << 21;
/// How often labels are set in a strip; what is left then waits for larger strips.
const ROUNDS: u32 = 6;

/// Lower strips are not worth a pass: most single cells would wait for the whole board.
const LOWEST: usize = 16;

/// Matches single cells within strips, then within larger ones.
pub(super) fn run_all(
    cells: &mut [u8],
    steps: [u32; 16],
    queue: &mut Queue,
    room: &mut Room<u16>,
) -> Result<(), NoMemory> {
    let stride = steps[usize::from(DOWN)] as usize;
    let mut size = FIRST;
    while cells.len() > WHOLE && size < cells.len() / 2 {
        // An even number of rows, so that colours are the same in each strip.
        let height = size / stride / 2 * 2;
        if height >= LOWEST {
            run_each(cells, steps, height, queue, room)?;
        }
        size *= FACTOR;
    }
    Ok(())
}

/// Works on strips of `height` rows one by one, each as if walls were around it.
fn run_each(
    cells: &mut [u8],
    steps: [u32; 16],
    height: usize,
    queue: &mut Queue,
    room: &mut Room<u16>,
) -> Result<(), NoMemory> {
    let stride = steps[usize::from(DOWN)] as usize;
    let rows = cells.len() / stride - 2;
    let mut saved = filled(WALL, 4 * stride)?;
    for start in (0..rows).step_by(height) {
        let end = (start + height).min(rows);
        let strip = &mut cells[start * stride..(end + 2) * stride];
        wall_in(strip, stride, &mut saved);
        run(strip, steps, Colour::Even, ROUNDS, queue, room)?;
        open(strip, stride, &saved);
    }
    Ok(())
}

/// Where the outer and the inner rows of a strip begin: above, then below.
fn edges(strip: &[u8], stride: usize) -> [(usize, usize, u8); 2] {
    let last = strip.len() - stride;
    [(0, stride, UP), (last, last - stride, DOWN)]
}

/// Turns the first and last row, and the cells whose mates stand there, into walls. Saves these
/// rows and their neighbours.
fn wall_in(strip: &mut [u8], stride: usize, saved: &mut [u8]) {
    let edges = edges(strip, stride);
    for ((outer, inner, _), saved) in edges.into_iter().zip(saved.chunks_mut(2 * stride)) {
        saved[..stride].copy_from_slice(&strip[outer..outer + stride]);
        saved[stride..].copy_from_slice(&strip[inner..inner + stride]);
    }
    for (outer, inner, outwards) in edges {
        strip[outer..outer + stride].fill(WALL);
        for cell in &mut strip[inner..inner + stride] {
            *cell = if *cell == outwards { WALL } else { *cell };
        }
    }
}

/// Takes back the walls of [`wall_in`].
fn open(strip: &mut [u8], stride: usize, saved: &[u8]) {
    for ((outer, inner, _), saved) in edges(strip, stride).into_iter().zip(saved.chunks(2 * stride))
    {
        strip[outer..outer + stride].copy_from_slice(&saved[..stride]);
        for (cell, &before) in strip[inner..inner + stride].iter_mut().zip(&saved[stride..]) {
            *cell = if *cell == WALL { before } else { *cell };
        }
    }
}
