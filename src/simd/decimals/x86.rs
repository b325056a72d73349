//! All digits of a number at once: pairs of them become numbers below 100, pairs of those numbers
//! below 10,000, and so on.

use std::arch::x86_64::{
    _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_madd_epi16,
    _mm_maddubs_epi16, _mm_min_epu8, _mm_movemask_epi8, _mm_packus_epi32, _mm_set1_epi8,
    _mm_set1_epi16, _mm_set1_epi32, _mm_shuffle_epi8, _mm_sub_epi8,
};

use super::{EXACT, WIDE, bytes, near};

/// From place `16 - n` on, zeros for the bytes before the last `n` ones.
const LAST: [u8; 2 * WIDE] = {
    let mut bytes = [0; 2 * WIDE];
    let mut at = WIDE;
    while at < 2 * WIDE {
        bytes[at] = 0xff;
        at += 1;
    }
    bytes
};

/// For each place of the point, the order of bytes that takes it out; the last one is for none.
const WITHOUT_POINT: [[u8; WIDE]; WIDE + 1] = {
    let mut orders = [[0x80; WIDE]; WIDE + 1];
    let mut point = 0;
    while point <= WIDE {
        let mut at = 0;
        while at < WIDE {
            if point == WIDE || at > point {
                orders[point][at] = at as u8;
            } else if at > 0 {
                orders[point][at] = at as u8 - 1;
            }
            at += 1;
        }
        point += 1;
    }
    orders
};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn read(text: &[u8], tokens: &[[u16; 2]], values: &mut [f64]) {
    for (&token, value) in tokens.iter().zip(values) {
        let [start, end] = token.map(usize::from);
        let first = text[start];
        let signed = first == b'-' || first == b'+';
        let length = end - start - usize::from(signed);
        let block = text[..end].last_chunk();
        *value = match block {
            Some(block) if (1..=WIDE).contains(&length) => {
                let size = digits(block, length);
                if first == b'-' { -size } else { size }
            }
            _ => near(bytes(text, token)),
        };
    }
}

/// The value of the last `length` bytes.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline]
fn digits(block: &[u8; WIDE], length: usize) -> f64 {
    debug_assert!(length <= WIDE);
    // SAFETY: the block has 16 bytes, and so has the table from each place up to 16 on.
    let (block, last) = unsafe {
        (
            _mm_loadu_si128(block.as_ptr().cast()),
            _mm_loadu_si128(LAST.as_ptr().add(length.min(WIDE)).cast()),
        )
    };
    let points = _mm_and_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8(b'.'.cast_signed())), last);
    let points = _mm_movemask_epi8(points).cast_unsigned();
    let values = _mm_sub_epi8(block, _mm_set1_epi8(b'0'.cast_signed()));
    let values = _mm_and_si128(values, last);
    let digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    let digits = _mm_movemask_epi8(digits).cast_unsigned();
    let point = points & points.wrapping_neg();
    let at = (points | 1 << WIDE).trailing_zeros() as usize;
    // SAFETY: each order has 16 bytes.
    let order = unsafe { _mm_loadu_si128(WITHOUT_POINT[at].as_ptr().cast()) };
    let values = _mm_shuffle_epi8(values, order);
    let twos = _mm_maddubs_epi16(values, _mm_set1_epi16((1 << 8) + 10));
    let fours = _mm_madd_epi16(twos, _mm_set1_epi32((1 << 16) + 100));
    let fours = _mm_packus_epi32(fours, fours);
    let eights = _mm_madd_epi16(fours, _mm_set1_epi32((1 << 16) + 10_000));
    let eights = _mm_cvtsi128_si64(eights).cast_unsigned();
    let mantissa = (eights & 0xffff_ffff) * 100_000_000 + (eights >> 32);
    let places = if point == 0 { 0 } else { WIDE - 1 - at };
    let value = mantissa.cast_signed() as f64 / EXACT[places];
    let sound = digits | point == 0xffff && length > point.count_ones() as usize;
    if sound { value } else { f64::NAN }
}
