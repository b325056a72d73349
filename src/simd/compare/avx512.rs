//! 64 bytes at a time.

use std::arch::x86_64::{
    __m512i, __mmask64, _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask, _mm512_loadu_si512,
    _mm512_mask_blend_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_set1_epi8,
    _mm512_storeu_si512, _mm512_sub_epi8,
};

use super::{CHUNK, Run, WIDE};

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
#[inline]
fn blanks(bytes: __m512i) -> __mmask64 {
    let control = _mm512_sub_epi8(bytes, _mm512_set1_epi8(9));
    _mm512_cmple_epu8_mask(control, _mm512_set1_epi8(4))
        | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(32))
}

/// The bytes from `at` on, zeros behind the end, and the mask of those that exist.
///
/// # Safety
/// `at` is at most the length of `bytes`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
#[inline]
unsafe fn load(bytes: &[u8], at: usize) -> (__m512i, __mmask64) {
    debug_assert!(at <= bytes.len());
    let left = bytes.len() - at;
    // SAFETY: `at` is within the slice.
    let from = unsafe { bytes.as_ptr().add(at) };
    if left >= WIDE {
        // SAFETY: 64 bytes are left.
        (unsafe { _mm512_loadu_si512(from.cast()) }, !0)
    } else {
        let mask = (1 << left) - 1;
        // SAFETY: the mask names only bytes of the slice; others are not touched.
        (unsafe { _mm512_maskz_loadu_epi8(mask, from.cast()) }, mask)
    }
}

/// # Safety
/// The machine has the instructions named here; both slices are of one length.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<const BLANKS: bool>(first: &[u8], second: &[u8]) -> Run {
    let feed = _mm512_set1_epi8(10);
    let mut run = Run::default();
    while run.bytes < first.len() {
        // SAFETY: both slices are of one length, and that is not reached.
        let ((a, exists), (b, _)) = unsafe { (load(first, run.bytes), load(second, run.bytes)) };
        let equal = _mm512_cmpeq_epi8_mask(a, b);
        let first_feeds = _mm512_cmpeq_epi8_mask(a, feed);
        if equal == !0 {
            let lines = first_feeds.count_ones() as usize;
            run.first_lines += lines;
            run.second_lines += lines;
            run.bytes += exists.count_ones() as usize;
            continue;
        }
        let second_feeds = _mm512_cmpeq_epi8_mask(b, feed);
        let agree = if BLANKS { equal | (blanks(a) & blanks(b)) } else { equal };
        let count = agree.trailing_ones();
        let passed = if count == 64 { exists } else { (1 << count) - 1 };
        run.first_lines += (first_feeds & passed).count_ones() as usize;
        run.second_lines += (second_feeds & passed).count_ones() as usize;
        run.bytes += passed.count_ones() as usize;
        if count < 64 {
            break;
        }
    }
    run
}

/// # Safety
/// The machine has the instructions named here.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
#[inline]
pub(super) unsafe fn classify(raw: &[u8]) -> (u64, u64) {
    // SAFETY: every slice has a place 0.
    let (bytes, _) = unsafe { load(raw, 0) };
    (blanks(bytes), _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(10)))
}

/// # Safety
/// The machine has the instructions named here; `raw` is no longer than `CHUNK`, and
/// `keep` holds one mask for each 64 bytes of it.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn pack<const SPACES: bool>(
    raw: &[u8],
    keep: &[u64],
    packed: &mut [u8; CHUNK + WIDE],
) -> usize {
    debug_assert!(raw.len() <= CHUNK);
    let space = _mm512_set1_epi8(32);
    let mut length = 0;
    for (index, &keep) in keep.iter().enumerate() {
        // SAFETY: the mask has at least one byte, so its place is below the length.
        let (mut bytes, _) = unsafe { load(raw, index * WIDE) };
        if SPACES {
            bytes = _mm512_mask_blend_epi8(blanks(bytes), bytes, space);
        }
        let kept = _mm512_maskz_compress_epi8(keep, bytes);
        // SAFETY: `length` is at most `index * 64`, which is at most `CHUNK - 64`.
        unsafe { _mm512_storeu_si512(packed.as_mut_ptr().add(length).cast(), kept) };
        length += keep.count_ones() as usize;
    }
    length
}
