//! AVX2 and AVX-512, each inside one function that has its instructions.
//!
//! A byte is in the set when the bit of its high half is among those that its low half allows. Both
//! come from tables of 16 bytes, which one instruction looks up; it gives nothing beyond ASCII.

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_loadu_si512, _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16,
    _mm512_test_epi8_mask,
};

use super::{Backend, Places, Set, WIDE, find, integers};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
pub(super) fn find_avx512<const EDGES: bool>(places: &mut Places, set: &Set, text: &[u8]) {
    find::<Avx512, EDGES>(places, set, text);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn find_avx2<const EDGES: bool>(places: &mut Places, set: &Set, text: &[u8]) {
    find::<Avx2, EDGES>(places, set, text);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
pub(super) fn integers_avx512(text: &[u8]) -> bool {
    integers::all::<Avx512>(text)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn integers_avx2(text: &[u8]) -> bool {
    integers::all::<Avx2>(text)
}

/// Used only inside the functions above that have its instructions.
struct Avx512;

impl Backend for Avx512 {
    #[inline(always)]
    fn mask(set: &Set, block: &[u8; WIDE]) -> u64 {
        // SAFETY: only functions with the instructions use this backend; a block has 64 bytes, a table 16.
        unsafe {
            let bytes = _mm512_loadu_si512(block.as_ptr().cast());
            let low = _mm512_broadcast_i32x4(_mm_loadu_si128(set.low.as_ptr().cast()));
            let high = _mm512_broadcast_i32x4(_mm_loadu_si128(set.high.as_ptr().cast()));
            let half = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
            let low = _mm512_shuffle_epi8(low, bytes);
            _mm512_test_epi8_mask(low, _mm512_shuffle_epi8(high, half))
        }
    }
}

/// Used only inside the functions above that have its instructions.
struct Avx2;

impl Backend for Avx2 {
    #[inline(always)]
    fn mask(set: &Set, block: &[u8; WIDE]) -> u64 {
        // SAFETY: only functions with the instructions use this backend; a block has twice 32 bytes.
        unsafe {
            let low = half(set, _mm256_loadu_si256(block.as_ptr().cast()));
            let high = half(set, _mm256_loadu_si256(block.as_ptr().add(WIDE / 2).cast()));
            u64::from(low) | u64::from(high) << 32
        }
    }
}

/// The mask of 32 bytes.
#[target_feature(enable = "avx2")]
fn half(set: &Set, bytes: __m256i) -> u32 {
    // SAFETY: a table has 16 bytes.
    let (low, high) = unsafe {
        (_mm_loadu_si128(set.low.as_ptr().cast()), _mm_loadu_si128(set.high.as_ptr().cast()))
    };
    let low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(low), bytes);
    let half = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
    let high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(high), half);
    let none = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
    !_mm256_movemask_epi8(none).cast_unsigned()
}
