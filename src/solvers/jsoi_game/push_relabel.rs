//! Matching by push and relabel: it works on all single cells at once, so that long paths that
//! compete do not each search the board.
//!
//! One colour is active: its single cells look for a mate. A cell of the other colour has a label,
//! about the number of pairs on an alternating path from it to a single cell of its own colour
//! (the goal). An active cell takes its neighbour with the lowest label, whose former mate becomes
//! active in its place, and the label of the taken cell rises above the second lowest label around
//! ("double push"). An active cell whose neighbours are all out of reach gives up. From time to
//! time waves from all goals set the labels anew.
//!
//! Any labels lead to a valid matching, as labels only rise between two waves. That nothing was
//! missed is not decided here: the searches of [`super::kuhn`] come last. But when waves run out of
//! labels of 16 bits, the caller is told so, as 32 bits reach the end of any corridor.
//!
//! Both the push and the wave are branch-free steps, so that the processor overlaps the steps of
//! different cells. On large boards they work group by group, for the sake of the cache.
//!
//! Source: Kaya, Langguth, Manne, Uçar, "Push-relabel based algorithms for the maximum transversal
//! problem" (2013).

use std::ops::Range;

use super::board::{Colour, LOWER, SEEN, SINGLE, list_singles, opposite};
use super::memory::{NoMemory, Queue};

/// A distance to the next goal.
pub(super) trait Label: Copy + Into<u32> {
    /// Out of reach: no alternating path to a goal was found. Four times as much fits in 32 bits.
    const FAR: Self;

    /// A distance up to [`Self::FAR`].
    fn new(distance: u32) -> Self;
}

impl Label for u16 {
    const FAR: Self = Self::MAX;

    fn new(distance: u32) -> Self {
        distance as Self
    }
}

impl Label for u32 {
    const FAR: Self = Self::MAX >> 2;

    fn new(distance: u32) -> Self {
        distance
    }
}

/// How far the labels of a run led.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Each wave came to its end.
    All,
    /// The largest label was too small for a wave, and there are cells that still look for a mate.
    Labels,
}

/// The waves come after one double push for so many cells of the board.
const CELLS_PER_PUSH: usize = 8;
/// So many active cells are pushed together, so many times, before the next ones.
const GROUP: usize = 256;
const PASSES: usize = 16;
/// So many cells of the board have a wave of their own, which advances so many levels at a time.
const CELLS_PER_WAVE: usize = 1 << 16;
const LEVELS: u32 = 16;

/// After so many rounds in which no cell found a mate or gave up, labels are exact: only labels
/// that are never too high exclude that cells wander in circles.
const STALLED: u32 = 4;
/// The most rounds for a whole board; the searches do the rest.
pub(super) const ROUNDS: u32 = 1000;

/// The side of a tile.
const TILE: u32 = 256;

/// Room for the work, used again for each part of a board.
pub(super) struct Room<L> {
    /// For each cell of the colour that is not active.
    labels: Vec<L>,
    active: Vec<u32>,
    goals: Vec<u32>,
    /// Cells with their tiles, to sort them.
    keys: Vec<u64>,
}

impl<L: Label> Room<L> {
    /// Room for a board or part of so many cells.
    pub(super) fn new(cells: usize) -> Result<Self, NoMemory> {
        let mut labels = Vec::new();
        labels.try_reserve_exact(cells / 2 + 1)?;
        Ok(Self { labels, active: Vec::new(), goals: Vec::new(), keys: Vec::new() })
    }
}

/// Matches the single cells of `colour` as far as labels lead, or until the labels have been set
/// `rounds` times. `queue` has room for each cell of the other colour.
pub(super) fn run<L: Label>(
    cells: &mut [u8],
    steps: [u32; 16],
    colour: Colour,
    rounds: u32,
    queue: &mut Queue,
    room: &mut Room<L>,
) -> Result<Reached, NoMemory> {
    list_singles(cells, steps, colour, &mut room.active)?;
    by_tiles(&mut room.active, steps[3], &mut room.keys)?;
    room.labels.resize(cells.len() / 2 + 1, L::FAR);
    let mut stalled = 0;
    for _ in 0..rounds {
        let before = room.active.len();
        if before == 0 {
            break;
        }
        let waves = if stalled < STALLED { cells.len() / CELLS_PER_WAVE + 1 } else { 1 };
        if relabel(cells, steps, colour.other(), queue, room, waves)? == Reached::Labels {
            return Ok(Reached::Labels);
        }
        let mut work = 0;
        while work < cells.len() / CELLS_PER_PUSH && !room.active.is_empty() {
            work += sweep(cells, steps, room);
        }
        stalled = if room.active.len() < before { 0 } else { stalled + 1 };
    }
    Ok(Reached::All)
}

/// Some passes over all active cells, group by group. Gives the number of double pushes.
fn sweep<L: Label>(cells: &mut [u8], steps: [u32; 16], room: &mut Room<L>) -> usize {
    let Room { labels, active, .. } = room;
    let (mut next, mut kept, mut start, mut work) = ([0; GROUP], 0, 0, 0);
    while start < active.len() {
        let end = (start + GROUP).min(active.len());
        let mut count = end - start;
        for _ in 0..PASSES {
            work += count;
            count = pass(cells, steps, labels, &active[start..start + count], &mut next);
            active[start..start + count].copy_from_slice(&next[..count]);
        }
        active.copy_within(start..start + count, kept);
        kept += count;
        start = end;
    }
    active.truncate(kept);
    work
}

/// One double push for each active cell. Puts the cells that are active then into `next` and
/// gives their number.
fn pass<L: Label>(
    cells: &mut [u8],
    steps: [u32; 16],
    labels: &mut [L],
    active: &[u32],
    next: &mut [u32; GROUP],
) -> usize {
    let mut count = 0;
    for &position in active {
        // Label and direction in one number, so that the minimum knows its direction.
        let key = |direction: u32| {
            let neighbour = position.wrapping_add(steps[direction as usize]);
            labels[(neighbour >> 1) as usize].into() << 2 | direction
        };
        let (up, left, right, down) = (key(0), key(1), key(2), key(3));
        let (low, high) = (up.min(left), right.min(down));
        let first = low.min(high);
        let second = low.max(high).min(up.max(left)).min(right.max(down));
        if first >> 2 >= L::FAR.into() {
            continue;
        }
        let direction = (first & 3) as u8;
        let taken = position.wrapping_add(steps[direction as usize]);
        let cell = cells[taken as usize];
        // A goal has no mate: the step is zero, and its own write follows.
        let loser = taken.wrapping_add(steps[(cell & LOWER) as usize]);
        cells[loser as usize] = SINGLE;
        cells[taken as usize] = opposite(direction);
        cells[position as usize] = direction;
        labels[(taken >> 1) as usize] = L::new(((second >> 2) + 1).min(L::FAR.into()));
        next[count % GROUP] = loser;
        count += usize::from(cell < SINGLE);
    }
    count
}

/// Sets the labels to the distances from the single cells of the colour `goals`. About `waves`
/// waves from different parts of a large board advance in turn; where they meet, a label may be
/// too high by the levels of one turn. With one wave labels are exact.
fn relabel<L: Label>(
    cells: &mut [u8],
    steps: [u32; 16],
    goals: Colour,
    queue: &mut Queue,
    room: &mut Room<L>,
    waves: usize,
) -> Result<Reached, NoMemory> {
    room.labels.fill(L::FAR);
    list_singles(cells, steps, goals, &mut room.goals)?;
    by_tiles(&mut room.goals, steps[3], &mut room.keys)?;
    let size = room.goals.len().div_ceil(waves).max(1);
    let mut waves = Vec::new();
    for part in room.goals.chunks(size) {
        let mut wave = Vec::new();
        wave.try_reserve(part.len())?;
        wave.extend_from_slice(part);
        waves.try_reserve(1)?;
        waves.push(wave);
    }
    let mut start = 0;
    while !waves.is_empty() && start < L::FAR.into() {
        let end = (start + LEVELS).min(L::FAR.into());
        for wave in &mut waves {
            advance(cells, steps, queue, &mut room.labels, wave, start..end)?;
        }
        waves.retain(|wave| !wave.is_empty());
        start = end;
    }
    for cell in cells.iter_mut() {
        *cell &= !SEEN;
    }
    Ok(if waves.is_empty() { Reached::All } else { Reached::Labels })
}

/// Advances one wave over a range of distances. A cell that owns a mate is marked as seen; the
/// mate joins the wave.
fn advance<L: Label>(
    cells: &mut [u8],
    steps: [u32; 16],
    queue: &mut Queue,
    labels: &mut [L],
    wave: &mut Vec<u32>,
    distances: Range<u32>,
) -> Result<(), NoMemory> {
    queue.load(wave);
    let (mut head, mut tail) = (0, wave.len());
    for distance in distances {
        let level = tail;
        if head == level {
            break;
        }
        let places = queue.places(level + 4 * (level - head));
        while head < level {
            let position = places[head];
            head += 1;
            labels[(position >> 1) as usize] = L::new(distance);
            let window = &mut places[tail..tail + 4];
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
    }
    wave.clear();
    wave.try_reserve(tail - head)?;
    wave.extend_from_slice(queue.slice(head..tail));
    Ok(())
}

/// Sorts cells so that those of one tile of the board stand together.
fn by_tiles(positions: &mut [u32], stride: u32, keys: &mut Vec<u64>) -> Result<(), NoMemory> {
    if stride <= TILE {
        return Ok(());
    }
    keys.clear();
    keys.try_reserve(positions.len())?;
    let tiles = stride.div_ceil(TILE);
    keys.extend(positions.iter().map(|&position| {
        let tile = position / stride / TILE * tiles + position % stride / TILE;
        u64::from(tile) << 32 | u64::from(position)
    }));
    keys.sort_unstable();
    for (position, &key) in positions.iter_mut().zip(&*keys) {
        *position = key as u32;
    }
    Ok(())
}
