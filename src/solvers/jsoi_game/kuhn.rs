//! Augmenting paths by breadth-first search from one single cell at a time.
//!
//! A search that fails leaves its marks: nothing that it reached can lie on an augmenting path of
//! a later search ("dead tree"), because every way out of the tree leads into the tree. So all
//! failing searches together visit each cell once, and when the last search has failed, the marks
//! are the cells that alternating paths reach from single cells: the certificate that the
//! matching is maximum, and the winning cells of this colour.

use super::board::{
    Colour, DIRECTION, LOWER, PARENT, PARENT_SHIFT, PART, SEEN, SINGLE, WALL, WIN, each_single,
    opposite,
};
use super::memory::Queue;

/// How a run of searches ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// No single cell of the colour starts an augmenting path; all reached cells are marked.
    Maximum,
    /// The searches visited more cells than allowed; the matching is valid, all marks are gone.
    OverBudget,
}

/// One board under search.
pub(super) struct Search<'a> {
    pub(super) cells: &'a mut [u8],
    pub(super) steps: [u32; 16],
    /// Room for each cell of the colour.
    pub(super) queue: &'a mut Queue,
}

impl Search<'_> {
    /// Augments from each single cell of `colour`, until none is left that can be matched or
    /// `budget` visits are used up.
    pub(super) fn run(&mut self, colour: Colour, budget: u64) -> Ended {
        let mut used = 0;
        let mut roots = Vec::new();
        for start in (0..self.cells.len()).step_by(PART) {
            let end = (start + PART).min(self.cells.len());
            roots.clear();
            each_single(&self.cells[start..end], colour, |place| roots.push(start as u32 + place));
            for &root in &roots {
                used += self.augment_from(root);
                if used > budget {
                    self.clear();
                    return Ended::OverBudget;
                }
            }
        }
        Ended::Maximum
    }

    /// One search. Gives the number of its visits.
    fn augment_from(&mut self, root: u32) -> u64 {
        let (visited, end) = self.grow(root);
        match end {
            Some(end) => {
                self.forget(visited);
                self.augment(end);
            }
            None => self.bury(visited),
        }
        visited as u64
    }

    /// Grows the tree of `root`. Gives the number of cells of its colour in the queue, and the
    /// single cell of the other colour that was reached.
    fn grow(&mut self, root: u32) -> (usize, Option<u32>) {
        self.queue.load(&[root]);
        let (mut head, mut tail) = (0, 1);
        while head < tail {
            let position = self.queue.get(head);
            head += 1;
            let mut end = 0;
            let window = self.queue.window(tail);
            let mut count = 0;
            for direction in 0..4_u8 {
                let next = position.wrapping_add(self.steps[direction as usize]);
                let cell = self.cells[next as usize];
                let fresh = cell & (WALL | SEEN) == 0;
                let marked = (cell & !PARENT) | SEEN | (direction << PARENT_SHIFT);
                self.cells[next as usize] = if fresh { marked } else { cell };
                window[count & 3] = next.wrapping_add(self.steps[(cell & LOWER) as usize]);
                count += usize::from(fresh);
                end = if fresh && cell & SINGLE != 0 { next } else { end };
            }
            tail += count;
            if end != 0 {
                return (tail, Some(end));
            }
        }
        (tail, None)
    }

    /// Swaps the pairs along the path that ends in the single cell `end`.
    fn augment(&mut self, mut end: u32) {
        loop {
            let cell = self.cells[end as usize];
            let came = (cell & PARENT) >> PARENT_SHIFT;
            let back = opposite(came);
            let from = end.wrapping_add(self.steps[back as usize]);
            let before = self.cells[from as usize];
            self.cells[end as usize] = (cell & !(DIRECTION | SINGLE)) | back;
            self.cells[from as usize] = (before & !(DIRECTION | SINGLE)) | came;
            if before & SINGLE != 0 {
                return;
            }
            end = from.wrapping_add(self.steps[(before & DIRECTION) as usize]);
        }
    }

    /// Takes back the marks of a tree: the queue holds the mates of the marked cells, and marked
    /// single cells themselves. The directions stay for [`Self::augment`].
    fn forget(&mut self, visited: usize) {
        for &position in self.queue.slice(0..visited) {
            let to_mate = self.steps[(self.cells[position as usize] & LOWER) as usize];
            self.cells[position.wrapping_add(to_mate) as usize] &= !SEEN;
        }
    }

    /// Marks the roots and mates of a dead tree as winning cells.
    fn bury(&mut self, visited: usize) {
        for &position in self.queue.slice(0..visited) {
            self.cells[position as usize] |= WIN;
        }
    }

    /// Takes back all marks.
    fn clear(&mut self) {
        for cell in self.cells.iter_mut() {
            *cell &= !(SEEN | PARENT | WIN);
        }
    }
}
