//! One byte after the other.

use super::{Backend, Set, WIDE};

/// The backend of every machine.
pub(super) struct Portable;

impl Backend for Portable {
    #[inline(always)]
    fn mask(set: &Set, block: &[u8; WIDE]) -> u64 {
        let eights = block.as_chunks::<8>().0.iter().rev();
        eights.fold(0, |mask, eight| {
            let bit = |(at, &byte): (usize, &u8)| u64::from(set.holds(byte)) << at;
            mask << 8 | eight.iter().enumerate().map(bit).sum::<u64>()
        })
    }
}
