//! The first matching: each free cell in reading order takes its right neighbour, else the lower
//! one.

use super::board::{Board, SINGLE};

const RIGHT: u8 = 2;
const LEFT: u8 = 1;
const DOWN: u8 = 3;
const UP: u8 = 0;

/// Pairs cells of a board without any pairs; no two single neighbours are left.
pub(super) fn pair(board: &mut Board) {
    let stride = board.stride();
    let columns = board.columns() as usize;
    for row in 0..board.rows() {
        let start = board.at(row, 0);
        let (upper, lower) = board.cells_mut()[start..start + 2 * stride].split_at_mut(stride);
        let mut column = 0;
        while column < columns {
            if upper[column] == SINGLE {
                if upper[column + 1] == SINGLE {
                    upper[column] = RIGHT;
                    upper[column + 1] = LEFT;
                    column += 1;
                } else if lower[column] == SINGLE {
                    upper[column] = DOWN;
                    lower[column] = UP;
                }
            }
            column += 1;
        }
    }
}
