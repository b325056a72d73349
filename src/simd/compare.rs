//! How far two byte strings agree, and runs of blanks squeezed into one.

use super::Level;

/// Whether a byte separates tokens: space, tab, line feed, vertical tab, form feed, carriage
/// return.
#[must_use]
#[inline]
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(9) < 5
}

/// How far two byte strings agree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Run {
    /// Bytes, in each of them.
    pub bytes: usize,
    /// Line feeds among those of the first one.
    pub first_lines: usize,
    /// Line feeds among those of the second one.
    pub second_lines: usize,
}

/// The longest common prefix.
#[must_use]
#[inline]
pub fn equal(level: Level, first: &[u8], second: &[u8]) -> Run {
    run::<false>(level, first, second)
}

/// The longest prefix in which bytes at the same place are equal, or both blank.
#[must_use]
#[inline]
pub fn equal_or_blank(level: Level, first: &[u8], second: &[u8]) -> Run {
    run::<true>(level, first, second)
}

/// Bytes that [`squeeze`] needs behind the longest possible result.
pub const SLACK: usize = 64;

/// Copies `raw` with every run of blanks made one space, and none at the start. Gives the length.
///
/// # Panics
/// When `squeezed` is not at least [`SLACK`] bytes longer than `raw`.
#[must_use]
#[inline]
pub fn squeeze(level: Level, raw: &[u8], squeezed: &mut [u8]) -> usize {
    assert!(squeezed.len() >= raw.len() + SLACK, "room for the longest result");
    match level {
        // SAFETY: a level is only used where the machine has its instructions; the room is checked.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::squeeze(raw, squeezed) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::squeeze(raw, squeezed) },
        _ => portable::squeeze(raw, squeezed),
    }
}

/// How many bytes of `raw` make the first `length` bytes that [`squeeze`] gives for it.
#[must_use]
#[inline]
pub fn unsqueeze(level: Level, raw: &[u8], length: usize) -> usize {
    match level {
        // SAFETY: a level is only used where the machine has its instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::unsqueeze(raw, length) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::unsqueeze(raw, length) },
        _ => portable::unsqueeze(raw, length, true),
    }
}

#[inline]
fn run<const BLANKS: bool>(level: Level, first: &[u8], second: &[u8]) -> Run {
    let length = first.len().min(second.len());
    let (first, second) = (&first[..length], &second[..length]);
    match level {
        // SAFETY: a level is only used where the machine has its instructions; equal lengths.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::run::<BLANKS>(first, second) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::run::<BLANKS>(first, second) },
        _ => portable::run::<BLANKS>(first, second),
    }
}

mod portable {
    use super::{Run, is_blank};

    /// Bytes compared by one call of the library's comparison.
    const PIECE: usize = 512;

    pub(super) fn run<const BLANKS: bool>(first: &[u8], second: &[u8]) -> Run {
        let mut bytes = 0;
        for (a, b) in first.chunks(PIECE).zip(second.chunks(PIECE)) {
            if a != b {
                let agree = |(&a, &b): (&u8, &u8)| a == b || BLANKS && is_blank(a) && is_blank(b);
                let count = a.iter().zip(b).take_while(|&pair| agree(pair)).count();
                bytes += count;
                if count < a.len() {
                    break;
                }
            } else {
                bytes += a.len();
            }
        }
        let lines = |side: &[u8]| memchr::memchr_iter(b'\n', &side[..bytes]).count();
        Run { bytes, first_lines: lines(first), second_lines: lines(second) }
    }

    pub(super) fn squeeze(raw: &[u8], squeezed: &mut [u8]) -> usize {
        let mut length = 0;
        let mut behind_blank = true;
        for &byte in raw {
            let blank = is_blank(byte);
            squeezed[length] = if blank { b' ' } else { byte };
            length += usize::from(!(blank && behind_blank));
            behind_blank = blank;
        }
        length
    }

    pub(super) fn unsqueeze(raw: &[u8], length: usize, mut behind_blank: bool) -> usize {
        let mut left = length;
        for (index, &byte) in raw.iter().enumerate() {
            if left == 0 {
                return index;
            }
            let blank = is_blank(byte);
            left -= usize::from(!(blank && behind_blank));
            behind_blank = blank;
        }
        raw.len()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, __mmask64, _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask, _mm512_loadu_si512,
        _mm512_mask_blend_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8,
        _mm512_set1_epi8, _mm512_storeu_si512, _mm512_sub_epi8,
    };

    use super::Run;

    const WIDE: usize = 64;

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
    #[inline]
    fn blanks(bytes: __m512i) -> __mmask64 {
        let control = _mm512_sub_epi8(bytes, _mm512_set1_epi8(9));
        _mm512_cmple_epu8_mask(control, _mm512_set1_epi8(4))
            | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(32))
    }

    /// The bytes from `at` on, zeros behind the end, and the mask of those that exist.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
    #[inline]
    fn load(bytes: &[u8], at: usize) -> (__m512i, __mmask64) {
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
            let (a, exists) = load(first, run.bytes);
            let (b, _) = load(second, run.bytes);
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
    /// The machine has the instructions named here; `squeezed` is 64 bytes longer than `raw`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
    pub(super) unsafe fn squeeze(raw: &[u8], squeezed: &mut [u8]) -> usize {
        let space = _mm512_set1_epi8(32);
        let mut length = 0;
        let mut behind_blank = 1;
        let mut at = 0;
        while at < raw.len() {
            let (bytes, exists) = load(raw, at);
            let blank = blanks(bytes);
            let keep = !(blank & (blank << 1 | behind_blank)) & exists;
            behind_blank = blank >> 63;
            let spaced = _mm512_mask_blend_epi8(blank, bytes, space);
            let packed = _mm512_maskz_compress_epi8(keep, spaced);
            // SAFETY: `length` is at most `at`, which leaves 64 bytes behind it.
            unsafe { _mm512_storeu_si512(squeezed.as_mut_ptr().add(length).cast(), packed) };
            length += keep.count_ones() as usize;
            at += WIDE;
        }
        length
    }

    /// # Safety
    /// The machine has the instructions named here.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
    pub(super) unsafe fn unsqueeze(raw: &[u8], length: usize) -> usize {
        let mut left = length;
        let mut behind_blank = 1;
        let mut at = 0;
        while at < raw.len() {
            let (bytes, exists) = load(raw, at);
            let blank = blanks(bytes);
            let keep = !(blank & (blank << 1 | behind_blank)) & exists;
            let kept = keep.count_ones() as usize;
            if kept >= left {
                return at + super::portable::unsqueeze(&raw[at..], left, behind_blank == 1);
            }
            left -= kept;
            behind_blank = blank >> 63;
            at += WIDE;
        }
        raw.len()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_loadl_epi64, _mm_shuffle_epi8, _mm_storel_epi64, _mm256_blendv_epi8,
        _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8, _mm256_storeu_si256, _mm256_sub_epi8,
    };

    use super::{Run, portable};

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

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    #[inline]
    fn load(bytes: &[u8], at: usize) -> __m256i {
        debug_assert!(at + WIDE <= bytes.len());
        // SAFETY: every caller leaves 32 bytes from `at` on.
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
            let (a, b) = (load(first, run.bytes), load(second, run.bytes));
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
    /// The machine has the instructions named here; `squeezed` is 64 bytes longer than `raw`.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) unsafe fn squeeze(raw: &[u8], squeezed: &mut [u8]) -> usize {
        let mut length = 0;
        let mut behind_blank = 1;
        let mut at = 0;
        while at < raw.len() {
            let exists = (raw.len() - at).min(WIDE);
            let mut copy = [0; WIDE];
            let bytes = if exists == WIDE {
                load(raw, at)
            } else {
                copy[..exists].copy_from_slice(&raw[at..]);
                load(&copy, 0)
            };
            let blank = blanks(bytes);
            let spaced = _mm256_blendv_epi8(bytes, _mm256_set1_epi8(32), blank);
            let blank = mask(blank);
            let exists = ((1_u64 << exists) - 1) as u32;
            let keep = !(blank & (blank << 1 | behind_blank)) & exists;
            behind_blank = blank >> 31;
            // SAFETY: the array holds 32 bytes.
            unsafe { _mm256_storeu_si256(copy.as_mut_ptr().cast(), spaced) };
            for (eight, keep) in copy.chunks_exact(8).zip(keep.to_le_bytes()) {
                // SAFETY: both sources hold eight bytes; `length` is at most `at + 24`, and
                // `squeezed` reaches to `at + 64` at least.
                unsafe {
                    let order = _mm_loadl_epi64(PACK[usize::from(keep)].as_ptr().cast());
                    let packed = _mm_shuffle_epi8(_mm_loadl_epi64(eight.as_ptr().cast()), order);
                    _mm_storel_epi64(squeezed.as_mut_ptr().add(length).cast(), packed);
                }
                length += keep.count_ones() as usize;
            }
            at += WIDE;
        }
        length
    }

    /// # Safety
    /// The machine has the instructions named here.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) unsafe fn unsqueeze(raw: &[u8], length: usize) -> usize {
        let mut left = length;
        let mut behind_blank = 1;
        let mut at = 0;
        while at + WIDE <= raw.len() {
            let blank = mask(blanks(load(raw, at)));
            let keep = !(blank & (blank << 1 | behind_blank));
            let kept = keep.count_ones() as usize;
            if kept >= left {
                break;
            }
            left -= kept;
            behind_blank = blank >> 31;
            at += WIDE;
        }
        at + portable::unsqueeze(&raw[at..], left, behind_blank == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Mostly equal strings of few letters and all kinds of blanks.
    fn pair(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
        let letters = b"ab01 \t\n\r\x0b\x0c\x08\x0e\xff\x80\xa0\x00";
        let length = random.below(300);
        let first: Vec<u8> =
            (0..length).map(|_| letters[random.below(letters.len() as u64) as usize]).collect();
        let mut second = first.clone();
        for _ in 0..random.below(4) {
            if !second.is_empty() {
                let at = random.below(second.len() as u64) as usize;
                second[at] = letters[random.below(letters.len() as u64) as usize];
            }
        }
        second.truncate(random.below(400) as usize);
        (first, second)
    }

    fn plain_run(first: &[u8], second: &[u8], agree: impl Fn(u8, u8) -> bool) -> Run {
        let bytes = first.iter().zip(second).take_while(|&(&a, &b)| agree(a, b)).count();
        let lines = |side: &[u8]| side[..bytes].iter().filter(|&&byte| byte == b'\n').count();
        Run { bytes, first_lines: lines(first), second_lines: lines(second) }
    }

    #[test]
    fn every_level_finds_the_plain_run() {
        for seed in 0..4000 {
            let (first, second) = pair(&mut Random::new(seed));
            for level in Level::available() {
                let expected = plain_run(&first, &second, |a, b| a == b);
                assert_eq!(equal(level, &first, &second), expected, "{level:?}, seed {seed}");
                let expected =
                    plain_run(&first, &second, |a, b| a == b || is_blank(a) && is_blank(b));
                let found = equal_or_blank(level, &first, &second);
                assert_eq!(found, expected, "{level:?}, seed {seed}");
            }
        }
    }

    #[test]
    fn every_level_squeezes_like_a_split() {
        for seed in 0..4000 {
            let (raw, _) = pair(&mut Random::new(seed));
            let words: Vec<&[u8]> =
                raw.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).collect();
            let mut expected = words.join(&b' ');
            if raw.last().is_some_and(|&byte| is_blank(byte)) && !words.is_empty() {
                expected.push(b' ');
            }
            for level in Level::available() {
                let mut squeezed = vec![0; raw.len() + SLACK];
                let length = squeeze(level, &raw, &mut squeezed);
                assert_eq!(squeezed[..length], expected, "{level:?}, seed {seed}");
                for part in 0..=length {
                    let back = unsqueeze(level, &raw, part);
                    let mut again = vec![0; raw.len() + SLACK];
                    assert_eq!(
                        squeeze(level, &raw[..back], &mut again),
                        part,
                        "{level:?}, seed {seed}"
                    );
                }
            }
        }
    }
}
