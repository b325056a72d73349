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

use super::board::{Colour, LOWER, SEEN, SINGLE, WALL, opposite, singles};

/// Out of reach: no alternating path to a goal was found.
const FAR: u16 = u16::MAX;

/// Room for the work, used again for each part of a board.
#[derive(Default)]
pub(super) struct Room {
    /// For each cell of the colour that is not active.
    labels: Vec<u16>,
    active: Vec<u32>,
    next: Vec<u32>,
}

/// Matches the single cells of `colour` as far as labels of 16 bits lead, or until the labels have
/// been set `rounds` times. `queue` has room for each cell of one colour and four more.
pub(super) fn run(
    cells: &mut [u8],
    steps: [u32; 16],
    colour: Colour,
    rounds: u32,
    queue: &mut [u32],
    room: &mut Room,
) {
    let every = (cells.len() as f64 * std::env::var("EVERY").map_or(0.125,|v|v.parse::<f64>().unwrap())) as usize;
    room.active = singles(cells, colour);
    room.labels.resize(cells.len() / 2 + 1, FAR);
    room.next.resize(room.active.len() + 1, 0);
    for _ in 0..rounds {
        if room.active.is_empty() {
            return;
        }
        let a0 = room.active.len(); let t0=std::time::Instant::now();
        let v = relabel(cells, steps, colour, queue, &mut room.labels);
        let t1=std::time::Instant::now();
        let mut work = 0;
        while work < every && !room.active.is_empty() {
            work += sweep(cells, steps, room);
        }
        if std::env::var_os("STATS").is_some() { eprintln!("cells {} relabel {} us, visits {} maxd {} ; active {}->{} pushes {} us {}", cells.len(), (t1-t0).as_micros(), v.0, v.1, a0, room.active.len(), work, t1.elapsed().as_micros()); }
    }
}

/// Some passes over all active cells, group by group. Gives the number of double pushes.
fn sweep(cells: &mut [u8], steps: [u32; 16], room: &mut Room) -> usize {
    let Room { labels, active, next } = room;
    let (mut kept, mut start, mut work) = (0, 0, 0);
    let g = std::env::var("GROUP").map_or(256, |v| v.parse::<usize>().unwrap());
    let pp = std::env::var("PASSES").map_or(16, |v| v.parse::<usize>().unwrap());
    while start < active.len() {
        let end = (start + g).min(active.len());
        let mut count = end - start;
        for _ in 0..pp {
            work += count;
            count = pass(cells, steps, labels, &active[start..start + count], next);
            active[start..start + count].copy_from_slice(&next[..count]);
        }
        active.copy_within(start..start + count, kept);
        kept += count;
        start = end;
    }
    active.truncate(kept);
    work
}

/// One double push for each active cell. Gives the number of cells that are active now.
fn pass(
    cells: &mut [u8],
    steps: [u32; 16],
    labels: &mut [u16],
    active: &[u32],
    next: &mut [u32],
) -> usize {
    let mut count = 0;
    for &position in active {
        let key = |direction: u32| {
            let neighbour = position.wrapping_add(steps[direction as usize]);
            u32::from(labels[(neighbour >> 1) as usize]) << 2 | direction
        };
        let (a, b, c, d) = (key(0), key(1), key(2), key(3));
        let (low, high) = (a.min(b), c.min(d));
        let first = low.min(high);
        let second = low.max(high).min(a.max(b)).min(c.max(d));
        if first >> 2 >= u32::from(FAR) {
            continue;
        }
        let direction = (first & 3) as u8;
        let taken = position.wrapping_add(steps[direction as usize]);
        let cell = cells[taken as usize];
        let loser = taken.wrapping_add(steps[(cell & LOWER) as usize]);
        cells[loser as usize] = SINGLE;
        cells[taken as usize] = opposite(direction);
        cells[position as usize] = direction;
        labels[(taken >> 1) as usize] = ((second >> 2) as u16).saturating_add(1);
        next[count] = loser;
        count += usize::from(cell < SINGLE);
    }
    count
}

/// Sets the labels to the distances from the single cells of the colour that is not active.
fn relabel(
    cells: &mut [u8],
    steps: [u32; 16],
    active: Colour,
    queue: &mut [u32],
    labels: &mut [u16],
) -> (usize, u16) {
    let goals = singles(cells, active.other());
    labels.fill(FAR);
    queue[..goals.len()].copy_from_slice(&goals);
    let (mut head, mut tail, mut distance) = (0, goals.len(), 0_u16);
    while head < tail && distance < FAR {
        let level = tail;
        while head < level {
            let position = queue[head];
            head += 1;
            labels[(position >> 1) as usize] = distance;
            let window = &mut queue[tail..tail + 4];
            let mut count = 0;
            for step in &steps[..4] {
                let owner = position.wrapping_add(*step);
                let cell = cells[owner as usize];
                let fresh = cell < SINGLE;
                cells[owner as usize] = cell | u8::from(fresh) << SEEN.trailing_zeros();
                window[count & 3] = owner.wrapping_add(steps[(cell & LOWER) as usize]);
                count += usize::from(fresh);
            }
            tail += count;
        }
        distance += 1;
    }
    for cell in cells.iter_mut() {
        *cell &= !SEEN;
    }
    (tail, distance)
}

/// Runs on strips of `height` rows (an even number) one by one, each as if walls were around it.
pub(super) fn run_strips(
    cells: &mut [u8],
    steps: [u32; 16],
    height: usize,
    rounds: u32,
    queue: &mut [u32],
    room: &mut Room,
) {
    let stride = steps[3] as usize;
    let rows = cells.len() / stride - 2;
    let mut border = vec![WALL; 2 * stride];
    let mut crossing = Vec::new();
    for start in (0..rows).step_by(height) {
        let end = (start + height).min(rows);
        let strip = &mut cells[start * stride..(end + 2) * stride];
        let last = strip.len() - stride;
        border[..stride].copy_from_slice(&strip[..stride]);
        border[stride..].copy_from_slice(&strip[last..]);
        strip[..stride].fill(WALL);
        strip[last..].fill(WALL);
        crossing.clear();
        for (from, direction) in [(stride, 0_u8), (last - stride, 3)] {
            for position in from..from + stride {
                if strip[position] == direction {
                    crossing.push((position, direction));
                    strip[position] = WALL;
                }
            }
        }
        run(strip, steps, Colour::Even, rounds, queue, room);
        for &(position, direction) in &crossing {
            strip[position] = direction;
        }
        strip[..stride].copy_from_slice(&border[..stride]);
        strip[last..].copy_from_slice(&border[stride..]);
    }
}
