//! The first matching, row by row: cells of a run are paired side by side, and of a run of odd
//! length one cell takes its lower neighbour.
//!
//! Which one decides how much is left to do: of the cells at even places of the run, one is
//! chosen whose lower neighbour splits the run there into two parts of even length; then that
//! run has no odd cell to hand on. So surplus cells wander down until they meet their like of the
//! other colour, and only short runs above walls leave cells over.

use super::board::{Board, SINGLE};

const UP: u8 = 0;
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const DOWN: u8 = 3;

/// Pairs cells of a board without any pairs.
pub(super) fn pair(board: &mut Board) {
    let stride = board.stride();
    let columns = board.columns() as usize;
    let mut after = vec![1; columns + 1];
    for row in 0..board.rows() {
        let start = board.at(row, 0);
        let (upper, lower) = board.cells_mut()[start..start + 2 * stride].split_at_mut(stride);
        pair_row(&mut upper[..=columns], &mut lower[..=columns], &mut after);
    }
}

/// Pairs the cells of the row `upper`, which ends with a wall, with each other and with cells of
/// the row `lower`; `after` has room for both.
fn pair_row(upper: &mut [u8], lower: &mut [u8], after: &mut [u8]) {
    // Parity of the number of free cells that follow in the same run.
    let mut parity = 1;
    for (slot, &cell) in after.iter_mut().zip(lower.iter()).rev() {
        parity = (parity ^ 1) | u8::from(cell != SINGLE);
        *slot = parity;
    }
    let (mut run, mut lower_run, mut best, mut score) = (0, 0, 0, 0);
    for column in 0..upper.len() {
        let below = lower[column] == SINGLE;
        if upper[column] == SINGLE {
            let before = (column - lower_run) as u8 & 1;
            let found = if below { 2 - (before | after[column]) } else { 0 };
            let better = found > score && (column - run) & 1 == 0;
            best = if better { column } else { best };
            score = if better { found } else { score };
        } else {
            if run < column {
                let odd = (column - run) & 1 == 1;
                let turn = if odd && score > 0 { best } else { column };
                if turn < column {
                    upper[turn] = DOWN;
                    lower[turn] = UP;
                    lower_run = lower_run.max(turn + 1);
                }
                pair_run(&mut upper[run..turn]);
                if turn < column {
                    pair_run(&mut upper[turn + 1..column]);
                }
            }
            run = column + 1;
            score = 0;
        }
        lower_run = if lower[column] == SINGLE { lower_run } else { column + 1 };
    }
}

/// Pairs the cells of a run from its left end; the last one of an odd run stays single.
fn pair_run(run: &mut [u8]) {
    for pair in run.as_chunks_mut::<2>().0 {
        *pair = [RIGHT, LEFT];
    }
}
