//! Alternating reachability: which cells can be left over by a maximum matching.

use super::board::{LOWER, SINGLE, WALL, WIN};

/// Marks `roots`, single cells of one colour, and every cell to which an alternating path leads
/// from them, as winning. Gives a single cell of the other colour next to such a cell, if there
/// is one: then the matching is not maximum.
#[inline(never)]
pub(super) fn flood(
    cells: &mut [u8],
    steps: [u32; 16],
    roots: &[u32],
    queue: &mut [u32],
) -> Option<u32> {
    queue[..roots.len()].copy_from_slice(roots);
    for &root in roots {
        cells[root as usize] |= WIN;
    }
    let (mut head, mut tail, mut fault) = (0, roots.len(), None);
    while head < tail {
        let position = queue[head];
        head += 1;
        for step in &steps[..4] {
            let next = position.wrapping_add(*step);
            let cell = cells[next as usize];
            if cell & SINGLE != 0 {
                fault = Some(next);
            }
            let mate = next.wrapping_add(steps[(cell & LOWER) as usize]);
            let known = cells[mate as usize];
            let fresh = cell & (WALL | SINGLE) == 0 && known & WIN == 0;
            cells[mate as usize] = if fresh { known | WIN } else { known };
            queue[tail] = mate;
            tail += usize::from(fresh);
        }
    }
    fault
}
