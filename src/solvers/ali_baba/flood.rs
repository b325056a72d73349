//! Floods 64 cells at a time, in two stages.
//!
//! First one sweep of the rows downwards and one upwards: it fills open regions in the order in
//! which they lie in memory. What is left, the winding parts, is done by a stack of words that hold
//! new cells: a word spreads its cells along the row inside itself and hands new ones to the four
//! words around it. Only a word that got at least one new cell is worked on, so the work is bounded
//! by the cells of the flooded region whatever its shape is.

use std::collections::TryReserveError;
use std::ops::RangeInclusive;

use super::grid::Grid;

/// Spreads `reached`, seeded in the rows of `seeds`, through `pass` until nothing changes or `stop`
/// says so of a word (its place and its cells); true if stopped. Fails if there is no memory for
/// the stack.
pub(super) fn flood(
    pass: &Grid,
    reached: &mut Grid,
    seeds: RangeInclusive<usize>,
    stack: &mut Vec<usize>,
    mut stop: impl FnMut(usize, u64) -> bool,
) -> Result<bool, TryReserveError> {
    let (mut first, mut last) = seeds.into_inner();
    for row in first..=pass.rows() {
        let fill = if row <= last { Fill::Always } else { Fill::IfNew };
        let new = fill_row(pass, reached, row, row - 1, fill);
        if !new && row > last {
            break;
        }
        last = last.max(row);
        if stops(reached, row, &mut stop) {
            return Ok(true);
        }
    }
    for row in (1..=last).rev() {
        let new = fill_row(pass, reached, row, row + 1, Fill::IfNew);
        if !new && row < first {
            break;
        }
        first = first.min(row);
        if new && stops(reached, row, &mut stop) {
            return Ok(true);
        }
    }
    pending(pass, reached, first..=last, stack)?;
    wind(pass, reached, stack, stop)
}

/// Whether a row is filled even if the other row gives it nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fill {
    Always,
    IfNew,
}

/// Takes the neighbours of one row's cells into another row and spreads them along it; whether
/// that row has got cells from there.
fn fill_row(pass: &Grid, reached: &mut Grid, row: usize, from: usize, fill: Fill) -> bool {
    let pass = pass.row(row);
    let (cells, from) = reached.row_and(row, from);
    let both = cells.iter().zip(from).zip(pass);
    let new = both.fold(0, |new, ((cells, from), pass)| new | from & pass & !cells) != 0;
    if !new && fill == Fill::IfNew {
        return false;
    }
    let mut carry = false;
    let mut missing = 0;
    for ((cells, &from), &pass) in cells.iter_mut().zip(from).zip(pass) {
        let seeds = *cells | from & pass;
        let (sum, over) = pass.carrying_add(seeds, carry);
        carry = over;
        *cells = ((pass ^ sum) | seeds) & pass;
        missing |= pass ^ *cells;
    }
    if missing != 0 {
        let mut right = 0;
        for (cells, &pass) in cells.iter_mut().zip(pass).rev() {
            *cells = spread_down(*cells | right << 63 & pass, pass);
            right = *cells & 1;
        }
    }
    new
}

fn stops(reached: &Grid, row: usize, stop: &mut impl FnMut(usize, u64) -> bool) -> bool {
    let start = row * reached.width();
    reached
        .row(row)
        .iter()
        .enumerate()
        .any(|(word, &cells)| cells != 0 && stop(start + word, cells))
}

/// Pushes the words with cells that have unreached neighbours above or below.
fn pending(
    pass: &Grid,
    reached: &Grid,
    rows: RangeInclusive<usize>,
    stack: &mut Vec<usize>,
) -> Result<(), TryReserveError> {
    stack.clear();
    let width = pass.width();
    for row in rows {
        let cells = reached.row(row).iter();
        let above = pass.row(row - 1).iter().zip(reached.row(row - 1));
        let below = pass.row(row + 1).iter().zip(reached.row(row + 1));
        for (word, ((cells, above), below)) in cells.zip(above).zip(below).enumerate() {
            if cells & (above.0 & !above.1 | below.0 & !below.1) != 0 {
                stack.try_reserve(1)?;
                stack.push(row * width + word);
            }
        }
    }
    Ok(())
}

/// The second stage: follows the words on the stack.
fn wind(
    pass: &Grid,
    reached: &mut Grid,
    stack: &mut Vec<usize>,
    mut stop: impl FnMut(usize, u64) -> bool,
) -> Result<bool, TryReserveError> {
    let width = pass.width();
    let pass = pass.words();
    let reached = reached.words_mut();
    while let Some(mut at) = stack.pop() {
        loop {
            let cells = spread(reached[at], pass[at]);
            reached[at] = cells;
            if stop(at, cells) {
                return Ok(true);
            }
            stack.try_reserve(3)?;
            // The new cells of a neighbour.
            let mut hand = |to: usize, from: u64| {
                let known = reached[to];
                let new = from & pass[to] & !known;
                reached[to] = known | new;
                new != 0
            };
            if cells & (1 | 1 << 63) != 0 {
                if hand(at - 1, cells << 63) {
                    stack.push(at - 1);
                }
                if hand(at + 1, cells >> 63) {
                    stack.push(at + 1);
                }
            }
            // Along a column the way goes on without the stack.
            at = match (hand(at - width, cells), hand(at + width, cells)) {
                (false, false) => break,
                (true, false) => at - width,
                (false, true) => at + width,
                (true, true) => {
                    stack.push(at - width);
                    at + width
                }
            };
        }
    }
    Ok(false)
}

/// Spreads cells along the runs of one word.
fn spread(cells: u64, pass: u64) -> u64 {
    // Upwards: a carry runs from each cell to the end of its run and changes all it passes.
    let sum = pass.wrapping_add(cells);
    spread_down(((pass ^ sum) | cells) & pass, pass)
}
/// Spreads cells along the runs of one word towards the lower bits, by steps of 1, 2, 4, .. through
/// runs at least that long.
fn spread_down(mut cells: u64, pass: u64) -> u64 {
    if cells >> 1 & pass & !cells == 0 {
        return cells;
    }
    let mut run = pass;
    for step in [1, 2, 4, 8, 16, 32] {
        cells |= run & cells >> step;
        run &= run >> step;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn spreading_fills_exactly_the_touched_runs() {
        let mut random = Random::new(3);
        for turn in 0..20_000 {
            let pass = random.next_u64() | random.next_u64() & random.next_u64();
            let cells = pass & random.next_u64() & random.next_u64() & random.next_u64();
            let mut slow = cells;
            for _ in 0..64 {
                slow |= pass & (slow << 1 | slow >> 1);
            }
            assert_eq!(spread(cells, pass), slow, "seed 3, turn {turn}: {cells:x} in {pass:x}");
        }
    }
}
