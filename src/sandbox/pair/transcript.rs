//! What two programs said to each other, with the time of each piece.

use std::time::Duration;

/// A transcript, bounded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The pieces, in the order in which they came.
    pub entries: Vec<Entry>,
    /// Bytes that came when there was no more room.
    pub dropped: u64,
    room: u64,
}

/// A piece that one program has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Elapsed time since the start of both.
    pub at: Duration,
    /// Who has written it.
    pub from: Speaker,
    /// What.
    pub bytes: Vec<u8>,
}

/// A program of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The solution.
    Solution,
    /// The interactor.
    Interactor,
}

/// What an entry costs beside its bytes.
const ENTRY: u64 = 16;

impl Transcript {
    pub(super) fn new(room: u64) -> Self {
        Self { room, ..Self::default() }
    }

    pub(super) fn add(&mut self, at: Duration, from: Speaker, bytes: &[u8]) {
        let fits = self.room.saturating_sub(ENTRY).min(bytes.len() as u64);
        self.dropped += bytes.len() as u64 - fits;
        if fits == 0 {
            self.room = 0;
            return;
        }
        self.room -= fits + ENTRY;
        self.entries.push(Entry { at, from, bytes: bytes[..fits as usize].to_vec() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_bounded_and_counts_what_it_drops() {
        let mut transcript = Transcript::new(100);
        for _ in 0..50 {
            transcript.add(Duration::ZERO, Speaker::Solution, b"0123456789");
        }
        let kept: usize = transcript.entries.iter().map(|entry| entry.bytes.len()).sum();
        assert!(kept <= 100, "{kept}");
        assert_eq!(kept as u64 + transcript.dropped, 500);
    }
}
