//! Memory that is asked for before it is used, so that its lack is an error and no abort.

use std::collections::TryReserveError;

/// There is no memory for the work on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoMemory;

impl From<TryReserveError> for NoMemory {
    fn from(_: TryReserveError) -> Self {
        Self
    }
}

/// `count` times the same value.
pub(super) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, NoMemory> {
    let mut values = Vec::new();
    values.try_reserve_exact(count)?;
    values.resize(count, value);
    Ok(values)
}

/// Positions in the order in which they were found. Its whole room is there from the start, but
/// only what is used is touched.
pub(super) struct Queue(Vec<u32>);

impl Queue {
    /// More places than the positions, for [`Self::window`].
    const MORE: usize = 4;
    /// So many places at least are touched at a time.
    const PART: usize = 1 << 10;

    /// Room for `count` positions.
    pub(super) fn new(count: usize) -> Result<Self, NoMemory> {
        let mut places = Vec::new();
        places.try_reserve_exact(count + Self::MORE)?;
        Ok(Self(places))
    }

    /// The four places from `tail` on.
    pub(super) fn window(&mut self, tail: usize) -> &mut [u32] {
        let end = tail + Self::MORE;
        if end > self.0.len() {
            self.touch(end);
        }
        &mut self.0[tail..end]
    }

    /// All places up to `end` and four more, as far as there are so many.
    pub(super) fn places(&mut self, end: usize) -> &mut [u32] {
        let end = (end + Self::MORE).min(self.0.capacity());
        if end > self.0.len() {
            self.touch(end);
        }
        &mut self.0
    }

    /// Puts positions at the start.
    pub(super) fn load(&mut self, positions: &[u32]) {
        if positions.len() > self.0.len() {
            self.touch(positions.len());
        }
        self.0[..positions.len()].copy_from_slice(positions);
    }

    pub(super) fn get(&self, index: usize) -> u32 {
        self.0[index]
    }

    pub(super) fn slice(&self, range: std::ops::Range<usize>) -> &[u32] {
        &self.0[range]
    }

    /// Makes at least `end` places usable.
    #[cold]
    fn touch(&mut self, end: usize) {
        let more = (2 * self.0.len()).max(Self::PART).min(self.0.capacity());
        self.0.resize(more.max(end), 0);
    }
}
