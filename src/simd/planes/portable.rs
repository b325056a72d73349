//! Eight bytes at a time in an ordinary register.

use super::{BLOCK, Backend, Masks};

/// The backend of every machine.
pub(super) struct Portable;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

impl Backend for Portable {
    #[inline(always)]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks { digit: 0, above: 0, odd: 0, space: 0, line_feed: 0 };
        for (index, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*bytes);
            let at_least = |byte: u8| (word & !HIGH) + ONES * u64::from(128 - byte);
            let digit = at_least(b'0') & !at_least(b'9' + 1) & !word & HIGH;
            let shift = 8 * index;
            masks.digit |= high_bits(digit) << shift;
            masks.above |= high_bits(at_least(b'1')) << shift;
            masks.odd |= high_bits(word << 7) << shift;
            masks.space |= high_bits(equal(word, b' ')) << shift;
            masks.line_feed |= high_bits(equal(word, b'\n')) << shift;
        }
        masks
    }

    #[inline(always)]
    fn gather(value: u64, mut mask: u64) -> u64 {
        let mut gathered = 0;
        let mut place = 0;
        while mask != 0 {
            gathered |= (value >> mask.trailing_zeros() & 1) << place;
            mask &= mask - 1;
            place += 1;
        }
        gathered
    }
}

/// The high bit of each byte that is `byte`.
#[inline(always)]
fn equal(word: u64, byte: u8) -> u64 {
    let different = word ^ (ONES * u64::from(byte));
    !(((different & !HIGH) + !HIGH) | different) & HIGH
}

/// The high bits of eight bytes, moved together.
#[inline(always)]
fn high_bits(word: u64) -> u64 {
    (word >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
