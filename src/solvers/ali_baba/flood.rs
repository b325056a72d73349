//! Floods 64 cells at a time: a stack of words that hold new cells. A word spreads its cells along
//! the row inside itself and hands new ones to the four words around it; only a word that got at
//! least one new cell is pushed, so the work is bounded by the cells of the flooded region whatever
//! its shape is, and the open parts of a board cost one step for 64 cells.

use super::grid::Grid;

/// Spreads `reached` through `pass`, starting from the words on the stack, until nothing changes or
/// `stop` says so of a word (its place and its cells); true if stopped.
pub(super) fn flood(
    pass: &Grid,
    reached: &mut Grid,
    stack: &mut Vec<usize>,
    mut stop: impl FnMut(usize, u64) -> bool,
) -> bool {
    let width = pass.width();
    let pass = pass.words();
    let reached = reached.words_mut();
    while let Some(mut at) = stack.pop() {
        loop {
            let cells = spread(reached[at], pass[at]);
            reached[at] = cells;
            if stop(at, cells) {
                return true;
            }
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
    false
}

/// Spreads cells along the runs of one word.
fn spread(cells: u64, pass: u64) -> u64 {
    // Upwards: a carry runs from each cell to the end of its run and changes all it passes.
    let sum = pass.wrapping_add(cells);
    let mut cells = ((pass ^ sum) | cells) & pass;
    if cells >> 1 & pass & !cells == 0 {
        return cells;
    }
    // Downwards: steps of 1, 2, 4, .. cells through runs at least that long.
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
