//! 32 bytes at a time.

use std::arch::x86_64::{
    __m256i, _mm_loadl_epi64, _mm_shuffle_epi8, _mm_storel_epi64, _mm256_blendv_epi8,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set1_epi8, _mm256_storeu_si256, _mm256_sub_epi8,
};

use super::{CHUNK, Run, portable};

const WIDE: usize = 32;

/// For each mask of eight bytes, the places of its set bits, packed to the front.
const PACK: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

/// # Safety
/// `bytes` holds 32 bytes from `at` on.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
unsafe fn load(bytes: &[u8], at: usize) -> __m256i {
    debug_assert!(at + WIDE <= bytes.len());
    // SAFETY: the caller leaves 32 bytes from `at` on.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().add(at).cast()) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn mask(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes).cast_unsigned()
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn blanks(bytes: __m256i) -> __m256i {
    let control = _mm256_sub_epi8(bytes, _mm256_set1_epi8(9));
    let control = _mm256_cmpeq_epi8(_mm256_min_epu8(control, _mm256_set1_epi8(4)), control);
    _mm256_or_si256(control, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(32)))
}

/// # Safety
/// The machine has the instructions named here; both slices are of one length.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<const BLANKS: bool>(first: &[u8], second: &[u8]) -> Run {
    let feed = _mm256_set1_epi8(10);
    let mut run = Run::default();
    while run.bytes + WIDE <= first.len() {
        // SAFETY: both slices are of one length and hold 32 bytes more.
        let (a, b) = unsafe { (load(first, run.bytes), load(second, run.bytes)) };
        let equal = mask(_mm256_cmpeq_epi8(a, b));
        let first_feeds = mask(_mm256_cmpeq_epi8(a, feed));
        if equal == !0 {
            let lines = first_feeds.count_ones() as usize;
            run.first_lines += lines;
            run.second_lines += lines;
            run.bytes += WIDE;
            continue;
        }
        let second_feeds = mask(_mm256_cmpeq_epi8(b, feed));
        let agree = if BLANKS { equal | (mask(blanks(a)) & mask(blanks(b))) } else { equal };
        let count = agree.trailing_ones();
        let passed = ((1_u64 << count) - 1) as u32;
        run.first_lines += (first_feeds & passed).count_ones() as usize;
        run.second_lines += (second_feeds & passed).count_ones() as usize;
        run.bytes += count as usize;
        if count < 32 {
            return run;
        }
    }
    let tail = portable::run::<BLANKS>(&first[run.bytes..], &second[run.bytes..]);
    Run {
        bytes: run.bytes + tail.bytes,
        first_lines: run.first_lines + tail.first_lines,
        second_lines: run.second_lines + tail.second_lines,
    }
}

/// # Safety
/// The machine has the instructions named here.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
pub(super) unsafe fn classify(raw: &[u8]) -> (u64, u64) {
    if raw.len() < super::WIDE {
        return portable::classify(raw);
    }
    // SAFETY: there are twice 32 bytes.
    let (low, high) = unsafe { (load(raw, 0), load(raw, WIDE)) };
    let feed = _mm256_set1_epi8(10);
    let join = |low: __m256i, high: __m256i| u64::from(mask(high)) << 32 | u64::from(mask(low));
    let feeds = join(_mm256_cmpeq_epi8(low, feed), _mm256_cmpeq_epi8(high, feed));
    (join(blanks(low), blanks(high)), feeds)
}

/// # Safety
/// The machine has the instructions named here; `raw` is no longer than `CHUNK`.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn pack<const SPACES: bool>(
    raw: &[u8],
    keep: &[u64],
    packed: &mut [u8; CHUNK + super::WIDE],
) -> usize {
    debug_assert!(raw.len() <= CHUNK);
    let mut length = 0;
    for (bytes, &keep) in raw.chunks(super::WIDE).zip(keep) {
        let mut copy = [0; super::WIDE];
        if bytes.len() == super::WIDE {
            copy.copy_from_slice(bytes);
        } else {
            copy[..bytes.len()].copy_from_slice(bytes);
        }
        for half in copy.chunks_exact_mut(WIDE).filter(|_| SPACES) {
            // SAFETY: the half holds 32 bytes.
            let bytes = unsafe { load(half, 0) };
            let spaced = _mm256_blendv_epi8(bytes, _mm256_set1_epi8(32), blanks(bytes));
            // SAFETY: the half holds 32 bytes.
            unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), spaced) };
        }
        for (eight, keep) in copy.chunks_exact(8).zip(keep.to_le_bytes()) {
            // SAFETY: both sources hold eight bytes; `length` is at most
            // eight for each eight bytes before these, that is at most `CHUNK - 8`.
            unsafe {
                let order = _mm_loadl_epi64(PACK[usize::from(keep)].as_ptr().cast());
                let kept = _mm_shuffle_epi8(_mm_loadl_epi64(eight.as_ptr().cast()), order);
                _mm_storel_epi64(packed.as_mut_ptr().add(length).cast(), kept);
            }
            length += keep.count_ones() as usize;
        }
    }
    length
}
