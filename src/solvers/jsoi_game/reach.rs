//! Alternating reachability: which cells can be left over by a maximum matching.

use super::board::{Colour, LOWER, SEEN, SINGLE, WIN, each_single};
use super::memory::Queue;

/// Marks the single cells of one colour and every cell to which an alternating path leads from
/// them as winning. The matching is maximum.
pub(super) fn flood(cells: &mut [u8], steps: [u32; 16], colour: Colour, queue: &mut Queue) {
    let (mut head, mut tail) = (0, 0);
    each_single(cells, colour, |root| {
        queue.window(tail)[0] = root;
        tail += 1;
    });
    while head < tail {
        let position = queue.get(head);
        head += 1;
        cells[position as usize] |= WIN;
        let window = queue.window(tail);
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
