//! AVX2 and AVX-512, each inside one function that has its instructions.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_slli_epi16, _mm512_add_epi8,
    _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epi8_mask, _mm512_cmplt_epu8_mask, _mm512_loadu_si512,
    _mm512_set1_epi8, _mm512_test_epi8_mask, _pext_u64,
};

use super::{BLOCK, Backend, Bits, Masks, Scan, Text, run};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
pub(super) fn run_avx512(text: Text<'_>, bits: &mut Bits<'_>) -> Scan {
    run::<Avx512>(text, bits)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run_avx2(text: Text<'_>, bits: &mut Bits<'_>) -> Scan {
    run::<Avx2>(text, bits)
}

const ZERO: i8 = b'0'.cast_signed();
const SPACE: i8 = b' '.cast_signed();
const LINE_FEED: i8 = b'\n'.cast_signed();

/// Used only inside [`run_avx512`].
struct Avx512;

impl Backend for Avx512 {
    #[inline(always)]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        // SAFETY: only `run_avx512` uses this backend, and a block has 64 bytes.
        unsafe {
            let bytes = _mm512_loadu_si512(block.as_ptr().cast());
            let value = _mm512_add_epi8(bytes, _mm512_set1_epi8(-ZERO));
            Masks {
                digit: _mm512_cmplt_epu8_mask(value, _mm512_set1_epi8(10)),
                above: _mm512_cmpgt_epi8_mask(bytes, _mm512_set1_epi8(ZERO)),
                odd: _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(1)),
                space: _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(SPACE)),
                line_feed: _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(LINE_FEED)),
            }
        }
    }

    #[inline(always)]
    fn gather(value: u64, mask: u64) -> u64 {
        // SAFETY: only `run_avx512` uses this backend.
        unsafe { _pext_u64(value, mask) }
    }
}

/// Used only inside [`run_avx2`].
struct Avx2;

impl Backend for Avx2 {
    #[inline(always)]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        // SAFETY: only `run_avx2` uses this backend, and a block has twice 32 bytes.
        unsafe {
            let low = half(_mm256_loadu_si256(block.as_ptr().cast()));
            let high = half(_mm256_loadu_si256(block.as_ptr().add(32).cast()));
            Masks {
                digit: join(low[0], high[0]),
                above: join(low[1], high[1]),
                odd: join(low[2], high[2]),
                space: join(low[3], high[3]),
                line_feed: join(low[4], high[4]),
            }
        }
    }

    #[inline(always)]
    fn gather(value: u64, mask: u64) -> u64 {
        // SAFETY: only `run_avx2` uses this backend.
        unsafe { _pext_u64(value, mask) }
    }
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The masks of 32 bytes, in the order of [`Masks`].
#[target_feature(enable = "avx2")]
fn half(bytes: __m256i) -> [u32; 5] {
    let value = _mm256_add_epi8(bytes, _mm256_set1_epi8(-ZERO));
    let digit = _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value);
    let above = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(ZERO));
    let odd = _mm256_slli_epi16::<7>(bytes);
    let space = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(SPACE));
    let line_feed = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(LINE_FEED));
    [mask_of(digit), mask_of(above), mask_of(odd), mask_of(space), mask_of(line_feed)]
}

#[target_feature(enable = "avx2")]
fn mask_of(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes).cast_unsigned()
}
