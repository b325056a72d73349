//! Alternating reachability: which cells can be left over by a maximum matching.

use super::board::{LOWER, SEEN, SINGLE, WIN};

/// Marks `roots`, single cells of one colour, and every cell to which an alternating path leads
/// from them, as winning. The matching is maximum.
pub(super) fn flood(cells: &mut [u8], steps: [u32; 16], roots: &[u32], queue: &mut [u32]) {
    queue[..roots.len()].copy_from_slice(roots);
    let (mut head, mut tail) = (0, roots.len());
    while head < tail {
        let position = queue[head];
        head += 1;
        cells[position as usize] |= WIN;
        let window = &mut queue[tail..tail + 4];
        let mut count = 0;
        for step in &steps[..4] {
            let next = position.wrapping_add(*step);
            let cell = cells[next as usize];
            let fresh = cell < SINGLE;
            cells[next as usize] = cell | u8::from(fresh) << SEEN.trailing_zeros();
            window[count & 3] = next.wrapping_add(steps[(cell & LOWER) as usize]);
            count += usize::from(fresh);
        }
        tail += count;
    }
}
