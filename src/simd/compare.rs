//! How far two byte strings agree, and runs of blanks squeezed into one.

use super::Level;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

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

/// The most bytes squeezed at once: they and their copy stay in the nearest cache.
pub const CHUNK: usize = 4 << 10;

/// Bytes of one mask.
const WIDE: usize = 64;

/// Which blanks are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Squeeze {
    /// Every run of blanks becomes one space; none stays at the start.
    Runs,
    /// Blanks before a line feed are dropped.
    LineEnds,
}

/// A chunk of text without the blanks that do not matter, and the way back to the text.
pub struct Squeezed {
    bytes: [u8; CHUNK + WIDE],
    length: usize,
    raw: usize,
    keep: [u64; CHUNK / WIDE],
    feeds: [u64; CHUNK / WIDE],
}

impl Default for Squeezed {
    fn default() -> Self {
        let (bytes, masks) = ([0; CHUNK + WIDE], [0; CHUNK / WIDE]);
        Self { bytes, length: 0, raw: 0, keep: masks, feeds: masks }
    }
}

impl Squeezed {
    /// Squeezes the start of `raw`, at most [`CHUNK`] bytes. For [`Squeeze::LineEnds`], blanks at
    /// the end of the chunk are left out, as what follows decides on them.
    pub fn squeeze(&mut self, level: Level, squeeze: Squeeze, raw: &[u8]) {
        let mut raw = &raw[..raw.len().min(CHUNK)];
        if squeeze == Squeeze::LineEnds {
            let end = raw.iter().rposition(|&byte| byte == b'\n' || !is_blank(byte));
            raw = &raw[..end.map_or(0, |last| last + 1)];
        }
        self.raw = raw.len();
        let masks = raw.len().div_ceil(WIDE);
        let (keep, feeds) = (&mut self.keep[..masks], &mut self.feeds[..masks]);
        classify(level, raw, keep, feeds);
        match squeeze {
            Squeeze::Runs => keep_first_of_runs(keep),
            Squeeze::LineEnds => keep_within_lines(keep, feeds),
        }
        if let Some(last) = keep.last_mut() {
            *last &= !0 >> ((WIDE - raw.len() % WIDE) % WIDE);
        }
        self.length = match squeeze {
            Squeeze::Runs => pack::<true>(level, raw, keep, &mut self.bytes),
            Squeeze::LineEnds => pack::<false>(level, raw, keep, &mut self.bytes),
        };
    }

    /// What is left.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// How many bytes of the text make the first `length` bytes that are left, and how many line
    /// feeds are among them. For all of them, that is the whole text.
    #[must_use]
    pub fn origin(&self, length: usize) -> (usize, usize) {
        let (mut left, mut lines, mut at) = (length, 0, 0);
        let all = length == self.length;
        for (&keep, &feeds) in self.keep.iter().zip(&self.feeds) {
            if at >= self.raw {
                break;
            }
            let kept = keep.count_ones() as usize;
            if !all && kept >= left {
                let bits = bits_up_to(keep, left);
                let passed = 1_u64.checked_shl(bits as u32).unwrap_or(0).wrapping_sub(1);
                return (at + bits, lines + (feeds & passed).count_ones() as usize);
            }
            left -= kept;
            lines += feeds.count_ones() as usize;
            at += WIDE;
        }
        (self.raw, lines)
    }
}

/// What stands before a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// A blank, or nothing.
    Blank,
    /// A token, which the text may continue.
    Token,
}

/// How many tokens start in a text.
#[must_use]
pub fn token_starts(level: Level, behind: Behind, text: &[u8]) -> u64 {
    let mut blanks = [0; CHUNK / WIDE];
    let mut feeds = blanks;
    let mut behind_blank = u64::from(behind == Behind::Blank);
    let mut count = 0;
    for chunk in text.chunks(CHUNK) {
        classify(level, chunk, &mut blanks, &mut feeds);
        for (bytes, &blanks) in chunk.chunks(WIDE).zip(&blanks) {
            let exists = !0 >> (WIDE - bytes.len());
            count += u64::from((!blanks & (blanks << 1 | behind_blank) & exists).count_ones());
            behind_blank = blanks >> 63;
        }
    }
    count
}

/// How many of the lowest bits hold the first `count` set bits.
fn bits_up_to(mut mask: u64, count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    for _ in 1..count {
        mask &= mask - 1;
    }
    mask.trailing_zeros() as usize + 1
}

/// Turns masks of blanks into masks of what is kept: all else, and the first blank of each run.
fn keep_first_of_runs(masks: &mut [u64]) {
    let mut behind_blank = 1;
    for mask in masks {
        let blanks = *mask;
        *mask = !(blanks & (blanks << 1 | behind_blank));
        behind_blank = blanks >> 63;
    }
}

/// Turns masks of blanks into masks of what is kept: all but the blanks right before line feeds.
fn keep_within_lines(masks: &mut [u64], feeds: &[u64]) {
    let mut before_feed = 0;
    for (mask, &feeds) in masks.iter_mut().zip(feeds).rev() {
        let blanks = *mask & !feeds;
        let mut drop = blanks & (feeds >> 1 | before_feed << 63);
        loop {
            let longer = drop | blanks & drop >> 1;
            if longer == drop {
                break;
            }
            drop = longer;
        }
        *mask = !drop;
        before_feed = (drop | feeds) & 1;
    }
}

/// Masks of blanks (line feeds too) and of line feeds.
fn classify(level: Level, raw: &[u8], blanks: &mut [u64], feeds: &mut [u64]) {
    let level = level.usable();
    let masks = blanks.iter_mut().zip(feeds);
    for ((blanks, feeds), bytes) in masks.zip(raw.chunks(WIDE)) {
        (*blanks, *feeds) = match level {
            // SAFETY: the machine has the instructions, as the level is usable.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::classify(bytes) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::classify(bytes) },
            _ => portable::classify(bytes),
        };
    }
}

/// Copies what is kept, perhaps with all blanks as spaces. Gives the length.
///
/// # Panics
/// If `raw` is longer than [`CHUNK`], or `keep` is not one mask for each [`WIDE`] bytes of it.
fn pack<const SPACES: bool>(
    level: Level,
    raw: &[u8],
    keep: &[u64],
    packed: &mut [u8; CHUNK + WIDE],
) -> usize {
    assert!(raw.len() <= CHUNK && keep.len() == raw.len().div_ceil(WIDE), "one mask per block");
    match level.usable() {
        // SAFETY: the machine has the instructions, as the level is usable; the lengths were just
        // checked.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::pack::<SPACES>(raw, keep, packed) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::pack::<SPACES>(raw, keep, packed) },
        _ => portable::pack::<SPACES>(raw, keep, packed),
    }
}

#[inline]
fn run<const BLANKS: bool>(level: Level, first: &[u8], second: &[u8]) -> Run {
    let length = first.len().min(second.len());
    let (first, second) = (&first[..length], &second[..length]);
    match level.usable() {
        // SAFETY: the machine has the instructions, as the level is usable; equal lengths.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::run::<BLANKS>(first, second) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::run::<BLANKS>(first, second) },
        _ => portable::run::<BLANKS>(first, second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every level, those beyond the machine included.
    const LEVELS: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

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
        let lines = |side: &[u8]| side[..bytes].split(|&byte| byte == b'\n').count() - 1;
        Run { bytes, first_lines: lines(first), second_lines: lines(second) }
    }

    #[test]
    fn every_level_finds_the_plain_run() {
        for seed in 0..4000 {
            let (first, second) = pair(&mut Random::new(seed));
            for level in LEVELS {
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
    fn every_level_counts_the_starts_of_tokens() {
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let text: Vec<u8> = (0..random.below(60)).flat_map(|_| pair(&mut random).0).collect();
            let tokens = text.split(|&byte| is_blank(byte)).filter(|token| !token.is_empty());
            let count = tokens.count() as u64;
            let starts_inside = text.first().is_some_and(|&byte| !is_blank(byte));
            for level in LEVELS {
                assert_eq!(token_starts(level, Behind::Blank, &text), count, "seed {seed}");
                let behind = token_starts(level, Behind::Token, &text);
                assert_eq!(behind, count - u64::from(starts_inside), "seed {seed}");
            }
        }
    }

    /// The same, byte by byte.
    fn plain_squeeze(squeeze: Squeeze, raw: &[u8]) -> Vec<u8> {
        let inner = |&byte: &u8| byte != b'\n' && is_blank(byte);
        let mut kept = Vec::new();
        for (index, &byte) in raw.iter().enumerate() {
            match squeeze {
                Squeeze::Runs if !is_blank(byte) => kept.push(byte),
                Squeeze::Runs if index > 0 && !is_blank(raw[index - 1]) => kept.push(b' '),
                Squeeze::Runs => {}
                Squeeze::LineEnds => {
                    let next = raw[index..].iter().find(|byte| !inner(byte));
                    if !inner(&byte) || next.is_some_and(|&byte| byte != b'\n') {
                        kept.push(byte);
                    }
                }
            }
        }
        kept
    }

    #[test]
    fn every_level_squeezes_like_the_plain_code_and_finds_the_way_back() {
        let mut squeezed = Squeezed::default();
        for seed in 0..4000 {
            let (raw, _) = pair(&mut Random::new(seed));
            for level in LEVELS {
                for squeeze in [Squeeze::Runs, Squeeze::LineEnds] {
                    let place = format!("{level:?}, {squeeze:?}, seed {seed}");
                    squeezed.squeeze(level, squeeze, &raw);
                    let expected = plain_squeeze(squeeze, &raw);
                    assert_eq!(squeezed.bytes(), expected, "{place}");
                    for length in 0..=expected.len() {
                        let (bytes, lines) = squeezed.origin(length);
                        let start = &raw[..bytes];
                        let feeds = start.split(|&byte| byte == b'\n').count() - 1;
                        assert_eq!(lines, feeds, "{place}");
                        if length < expected.len() && squeeze == Squeeze::Runs {
                            assert_eq!(
                                plain_squeeze(squeeze, start),
                                expected[..length],
                                "{place}"
                            );
                        }
                        if length > 0 && length < expected.len() {
                            let last = if squeeze == Squeeze::Runs && is_blank(start[bytes - 1]) {
                                b' '
                            } else {
                                start[bytes - 1]
                            };
                            assert_eq!(last, expected[length - 1], "{place}");
                        }
                    }
                }
            }
        }
    }
}
