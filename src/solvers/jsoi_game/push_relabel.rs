//! Matching by push and relabel: it works on all single cells at once, so that long paths that
//! compete do not each search the board.
//!
//! One colour is active: its single cells look for a mate. A cell of the other colour has a label,
//! a lower bound of the number of pairs on an alternating path from it to a single cell of its own
//! colour (the goal). An active cell takes its neighbour with the lowest label, whose former mate
//! becomes active in its place, and the label of the taken cell rises above the second lowest
//! label around ("double push"). An active cell whose neighbours are all out of reach gives up.
//! From time to time a search from all goals sets the labels to the true distances.
//!
//! The work is one branch-free step, and the order is first in, first out, so that the processor
//! overlaps the steps of different active cells.
//!
//! Source: Kaya, Langguth, Manne, Uçar, "Push-relabel based algorithms for the maximum transversal
//! problem" (2013).

use super::board::{Colour, LOWER, SINGLE, WALL, opposite, singles};

/// Out of reach: no alternating path to a goal was found.
const FAR: u16 = u16::MAX;

/// One board at work.
pub(super) struct PushRelabel<'a> {
    pub(super) cells: &'a mut [u8],
    pub(super) steps: [u32; 16],
    /// Room for each cell of one colour and four more.
    pub(super) queue: &'a mut [u32],
    labels: Vec<u16>,
    work: u64,
}

impl<'a> PushRelabel<'a> {
    pub(super) fn new(cells: &'a mut [u8], steps: [u32; 16], queue: &'a mut [u32]) -> Self {
        let labels = vec![FAR; cells.len() / 2 + 1];
        Self { cells, steps, queue, labels, work: 0 }
    }

    /// Matches `active`, the single cells of `colour`, as far as labels of 16 bits lead.
    pub(super) fn run(&mut self, mut active: Vec<u32>, colour: Colour) -> u64 {
        let every = (self.cells.len() as f64
            * std::env::var("EVERY").map_or(0.125, |v| v.parse::<f64>().unwrap()))
            as u64;
        let mut next = vec![0; active.len() + 1];
        while !active.is_empty() {
            let t0 = std::time::Instant::now();
            let v = self.relabel(colour);
            let t1 = std::time::Instant::now();
            let a0 = active.len();
            let mut passes = 0;
            let mut since = 0;
            while since < every && !active.is_empty() {
                since += active.len() as u64;
                passes += 1;
                let count = self.pass(&active, &mut next);
                active.clear();
                active.extend_from_slice(&next[..count]);
            }
            self.work += since;
            if std::env::var_os("STATS").is_some() {
                eprintln!(
                    "relabel {} us, visits {} maxd {} ; active {}->{} pushes {} passes {} us {}",
                    (t1 - t0).as_micros(),
                    v.0,
                    v.1,
                    a0,
                    active.len(),
                    since,
                    passes,
                    t1.elapsed().as_micros()
                );
            }
        }
        self.work
    }

    /// One double push for each active cell. Gives the number of cells that are active now.
    fn pass(&mut self, active: &[u32], next: &mut [u32]) -> usize {
        let mut count = 0;
        for &position in active {
            let key = |direction: u32| {
                let neighbour = position.wrapping_add(self.steps[direction as usize]);
                u32::from(self.labels[(neighbour >> 1) as usize]) << 2 | direction
            };
            let (a, b, c, d) = (key(0), key(1), key(2), key(3));
            let (low, high) = (a.min(b), c.min(d));
            let first = low.min(high);
            let second = low.max(high).min(a.max(b)).min(c.max(d));
            if first >> 2 >= u32::from(FAR) {
                continue;
            }
            let direction = (first & 3) as u8;
            let taken = position.wrapping_add(self.steps[direction as usize]);
            let cell = self.cells[taken as usize];
            let loser = taken.wrapping_add(self.steps[(cell & LOWER) as usize]);
            self.cells[loser as usize] = SINGLE;
            self.cells[taken as usize] = opposite(direction);
            self.cells[position as usize] = direction;
            self.labels[(taken >> 1) as usize] = ((second >> 2) as u16).saturating_add(1);
            next[count] = loser;
            count += usize::from(cell < SINGLE);
        }
        count
    }

    /// Sets the labels to the distances from the single cells of the colour that is not active.
    fn relabel(&mut self, active: Colour) -> (usize, u16) {
        let goals = singles(self.cells, active.other());
        self.labels.fill(FAR);
        self.queue[..goals.len()].copy_from_slice(&goals);
        for &goal in &goals {
            self.labels[(goal >> 1) as usize] = 0;
        }
        let (mut head, mut tail, mut distance) = (0, goals.len(), 0_u16);
        while head < tail && distance < FAR - 1 {
            distance += 1;
            let level = tail;
            while head < level {
                let position = self.queue[head];
                head += 1;
                for step in &self.steps[..4] {
                    let owner = position.wrapping_add(*step);
                    let cell = self.cells[owner as usize];
                    let held = owner.wrapping_add(self.steps[(cell & LOWER) as usize]);
                    let slot = &mut self.labels[(held >> 1) as usize];
                    let fresh = cell & (WALL | SINGLE) == 0 && *slot == FAR;
                    *slot = if fresh { distance } else { *slot };
                    self.queue[tail] = held;
                    tail += usize::from(fresh);
                }
            }
        }
        (tail, distance)
    }
}
