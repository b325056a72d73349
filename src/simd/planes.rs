//! Decimal numbers to bits: for each number of a text, is it zero and is it odd? That is all some
//! solvers need of it, and it can be read off 64 bytes at a time without making a single integer.
//!
//! Per block of 64 bytes there is one mask of digits `D`, one of nonzero digits `Z`, one of odd
//! bytes. A number ends where a digit is followed by something else: `E = (D << 1) & !D`. Adding
//! `D + Z` lets a carry run from each nonzero digit through the rest of its run of digits into the
//! place behind it, so the sum holds "not zero" at every bit of `E`, for numbers of any length. The
//! last digit's lowest bit, moved up by one, is "odd" at the same bits. Gathering both by `E`
//! (`pext`) gives up to 32 numbers at once.

#![expect(
    clippy::inline_always,
    reason = "each level is one function: only in one piece do its parts get its instructions"
)]

use super::Level;
use portable::Portable;

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Bytes of one block; the text must be readable this far behind the scanned range.
pub(crate) const BLOCK: usize = 64;

/// Where [`scan`] appends its bits: one bit for each number, lowest bit first.
#[derive(Debug)]
pub(crate) struct Bits<'a> {
    /// Whether each number is not zero.
    pub(crate) nonzero: &'a mut [u8],
    /// Whether each number is odd.
    pub(crate) odd: &'a mut [u8],
    /// Bits that the first byte of both holds already.
    pub(crate) start: usize,
}

/// What one call of [`scan`] has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Where it stopped: the end of the range, or the byte behind the last wanted number.
    pub(crate) end: usize,
    /// Numbers read.
    pub(crate) numbers: usize,
    /// Whether an odd count of them is odd.
    pub(crate) odd_sum: bool,
    /// Numbers above 99.
    pub(crate) large: usize,
    /// Line feeds before [`Scan::end`].
    pub(crate) lines: usize,
    /// The index of the first `-1`, whose bits are those of `1`.
    pub(crate) minus_one: Option<usize>,
    /// Whether something is there that is neither blank, nor a number, nor the only `-1`. Nothing
    /// else of this result can be trusted then.
    pub(crate) suspect: bool,
}

/// Bytes that each slice of [`Bits`] needs for a range of `length` bytes.
pub(crate) fn bytes_needed(length: usize) -> usize {
    length / 16 + 24
}

/// Whether this byte separates numbers.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// Reads at most `wanted` (at least one) numbers of `text[range]`, which ends behind a blank.
///
/// # Panics
/// If `text` is not readable for [`BLOCK`] bytes behind the range, or `bits` are too short.
pub(crate) fn scan(
    level: Level,
    text: &[u8],
    range: std::ops::Range<usize>,
    wanted: usize,
    bits: &mut Bits<'_>,
) -> Scan {
    let text = Text {
        bytes: &text[range.start..range.end + BLOCK],
        length: range.end - range.start,
        wanted,
    };
    let mut scan = run_at(level, text, bits);
    scan.end += range.start;
    scan
}

fn run_at(level: Level, text: Text<'_>, bits: &mut Bits<'_>) -> Scan {
    #[cfg(target_arch = "x86_64")]
    match level.usable() {
        // SAFETY: the machine has the instructions, as the level is usable.
        Level::Avx512 => return unsafe { x86::run_avx512(text, bits) },
        // SAFETY: the machine has the instructions, as the level is usable.
        Level::Avx2 => return unsafe { x86::run_avx2(text, bits) },
        Level::Portable => {}
    }
    let _ = level;
    run::<Portable>(text, bits)
}

/// One bit for each of 64 bytes.
#[derive(Debug, Clone, Copy)]
struct Masks {
    digit: u64,
    /// Bytes above `0`.
    above: u64,
    /// Bytes with the lowest bit set.
    odd: u64,
    space: u64,
    line_feed: u64,
}

/// The instructions that differ from level to level.
trait Backend {
    fn masks(block: &[u8; BLOCK]) -> Masks;
    /// The bits of `value` at the places of `mask`, moved together.
    fn gather(value: u64, mask: u64) -> u64;
}

/// The lowest `count` bits; `count` is at most 64.
fn below(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// What the next block must know of the blocks before.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    numbers: usize,
    digit: u64,
    nonzero: u64,
    odd: u64,
    /// The number that reaches into the block has a nonzero digit.
    carry: bool,
    /// The number that reaches into the block is above 99.
    carry_large: bool,
    /// All odd bits so far, added without carry.
    odd_sum: u64,
    lines: usize,
    large: usize,
    rare: Rare,
}

/// What is rare: minus signs, blanks other than space and line feed, garbage.
#[derive(Debug, Clone, Copy, Default)]
struct Rare {
    minus_one: Option<usize>,
    suspect: bool,
}

/// What is scanned.
#[derive(Debug, Clone, Copy)]
struct Text<'t> {
    /// From the start of the range to its end, and a block more.
    bytes: &'t [u8],
    length: usize,
    wanted: usize,
}

#[inline(always)]
fn run<B: Backend>(text: Text<'_>, bits: &mut Bits<'_>) -> Scan {
    let mut state = State::default();
    let mut writer = Writer::new(bits);
    let whole = text.length / BLOCK * BLOCK;
    for (index, block) in text.bytes[..whole].as_chunks::<BLOCK>().0.iter().enumerate() {
        if let Some(stop) = state.block::<B>(text, index * BLOCK, block, u64::MAX, &mut writer) {
            return state.finish(index * BLOCK + stop, &mut writer);
        }
    }
    let mut end = text.length;
    if let Some(block) = text.bytes[whole..].first_chunk::<BLOCK>() {
        let valid = below(text.length - whole);
        if let Some(stop) = state.block::<B>(text, whole, block, valid, &mut writer) {
            end = whole + stop;
        }
    }
    state.finish(end, &mut writer)
}

impl State {
    /// Takes one block; where it stops if the last wanted number ends in it.
    #[inline(always)]
    fn block<B: Backend>(
        &mut self,
        text: Text<'_>,
        at: usize,
        block: &[u8; BLOCK],
        mut valid: u64,
        writer: &mut Writer<'_>,
    ) -> Option<usize> {
        let masks = B::masks(block);
        let mut digit = masks.digit & valid;
        let mut ends = (digit << 1 | self.digit >> 63) & !digit;
        let mut count = ends.count_ones() as usize;
        let mut stop = None;
        if self.numbers + count >= text.wanted {
            count = text.wanted - self.numbers;
            let last = nth(ends, count - 1);
            valid = below(last);
            digit &= valid;
            ends &= valid << 1 | 1;
            self.rare.suspect |= !is_blank(block[last]);
            stop = Some(last);
        }
        let rare = valid & !(digit | masks.space | masks.line_feed);
        if rare != 0 {
            self.rare = self.rare.look(text, at, rare, self.numbers, ends);
        }
        self.lines += (masks.line_feed & valid).count_ones() as usize;
        let nonzero = masks.above & digit;
        let (sum, over) = digit.carrying_add(nonzero, self.carry);
        self.carry = over;
        let odd = B::gather(masks.odd << 1 | self.odd, ends);
        self.odd_sum ^= odd;
        writer.push(B::gather(sum, ends), odd, count);
        self.large(digit, nonzero, ends);
        self.digit = digit;
        self.nonzero = nonzero;
        self.odd = masks.odd >> 63;
        self.numbers += count;
        stop
    }

    /// Counts numbers above 99: those with a nonzero digit two places before another digit.
    #[inline(always)]
    fn large(&mut self, digit: u64, nonzero: u64, ends: u64) {
        let third = digit & (digit << 1 | self.digit >> 63) & (digit << 2 | self.digit >> 62);
        if third != 0 || self.carry_large {
            let hundreds = (nonzero << 2 | self.nonzero >> 62) & third;
            let (sum, over) = digit.carrying_add(hundreds, self.carry_large);
            self.carry_large = over;
            self.large += (sum & ends).count_ones() as usize;
        }
    }

    fn finish(self, end: usize, writer: &mut Writer<'_>) -> Scan {
        writer.finish();
        Scan {
            end,
            numbers: self.numbers,
            odd_sum: self.odd_sum.count_ones() % 2 == 1,
            large: self.large,
            lines: self.lines,
            minus_one: self.rare.minus_one,
            suspect: self.rare.suspect,
        }
    }
}

impl Rare {
    /// Looks at the rare bytes of a block at `at`.
    #[cold]
    #[inline(never)]
    fn look(mut self, text: Text<'_>, at: usize, mut rare: u64, numbers: usize, ends: u64) -> Self {
        while rare != 0 {
            let place = rare.trailing_zeros() as usize;
            rare &= rare - 1;
            match text.bytes[at + place] {
                b'-' => {
                    let index = numbers + (ends & below(place)).count_ones() as usize;
                    let known = self.minus_one.replace(index).is_some();
                    self.suspect |= known || !text.is_minus_one(at + place);
                }
                byte => self.suspect |= !is_blank(byte),
            }
        }
        self
    }
}

impl Text<'_> {
    /// Whether the minus sign at `at` belongs to the number -1.
    fn is_minus_one(self, at: usize) -> bool {
        let free = at == 0 || is_blank(self.bytes[at - 1]);
        let digits = &self.bytes[at + 1..self.length];
        let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
        free && matches!(digits[zeros..], [b'1', blank, ..] if is_blank(blank))
    }
}

/// The place of the `n`-th bit (from 0) that is set.
fn nth(mut mask: u64, n: usize) -> usize {
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask.trailing_zeros() as usize
}

/// Appends bits to both planes; the bits of an unfinished byte wait in `nonzero_tail`, `odd_tail`.
struct Writer<'a> {
    nonzero: &'a mut [u8],
    odd: &'a mut [u8],
    at: usize,
    nonzero_tail: u64,
    odd_tail: u64,
}

impl<'a> Writer<'a> {
    fn new(bits: &'a mut Bits<'_>) -> Self {
        let known = below(bits.start);
        let length = bits.nonzero.len().min(bits.odd.len());
        Self {
            at: bits.start,
            nonzero_tail: u64::from(bits.nonzero[0]) & known,
            odd_tail: u64::from(bits.odd[0]) & known,
            nonzero: &mut bits.nonzero[..length],
            odd: &mut bits.odd[..length],
        }
    }

    /// At most 32 bits.
    #[inline(always)]
    fn push(&mut self, nonzero: u64, odd: u64, count: usize) {
        let (byte, shift) = (self.at / 8, self.at % 8);
        let nonzero = self.nonzero_tail | nonzero << shift;
        let odd = self.odd_tail | odd << shift;
        self.nonzero[byte..byte + 8].copy_from_slice(&nonzero.to_le_bytes());
        self.odd[byte..byte + 8].copy_from_slice(&odd.to_le_bytes());
        let whole = (shift + count) / 8 * 8;
        self.nonzero_tail = nonzero >> whole;
        self.odd_tail = odd >> whole;
        self.at += count;
    }

    fn finish(&mut self) {
        let byte = self.at / 8;
        self.nonzero[byte] = self.nonzero_tail as u8;
        self.odd[byte] = self.odd_tail as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every level, those beyond the machine included.
    const LEVELS: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

    /// What a scan must find, number by number.
    fn simple(text: &[u8], wanted: usize) -> (Vec<(bool, bool)>, Scan) {
        let mut numbers = Vec::new();
        let mut scan = Scan { end: text.len(), ..Scan::default() };
        let mut at = 0;
        while at < text.len() && numbers.len() < wanted {
            let token = text[at..].split(|&byte| is_blank(byte)).next().unwrap_or(&[]);
            if token.is_empty() {
                at += 1;
                continue;
            }
            let digits = token.strip_prefix(b"-").unwrap_or(token);
            if digits.len() < token.len() {
                scan.minus_one = Some(numbers.len());
            }
            let nonzero = digits.iter().any(|&byte| byte != b'0');
            let odd = digits.last().unwrap() % 2 == 1;
            let hundreds = &digits[..digits.len().saturating_sub(2)];
            scan.large += usize::from(hundreds.iter().any(|&byte| byte != b'0'));
            scan.odd_sum ^= odd;
            numbers.push((nonzero, odd));
            at += token.len();
            if numbers.len() == wanted {
                scan.end = at;
            }
        }
        scan.numbers = numbers.len();
        scan.lines = text[..scan.end].split(|&byte| byte == b'\n').count() - 1;
        (numbers, scan)
    }

    fn random_text(random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        let longest = [1, 2, 3, 5, 90][random.below(5) as usize];
        let count = random.between(1, 300);
        let minus = random.below(2 * count);
        for index in 0..count {
            if index == minus {
                text.extend_from_slice([&b"-1"[..], b"-001"][random.below(2) as usize]);
            } else {
                for _ in 0..random.between(1, longest) {
                    text.push(b"0123456789000"[random.below(13) as usize]);
                }
            }
            for _ in 0..if random.percent(5) { random.between(1, 80) } else { 1 } {
                text.push(b"      \n\n\t\r\x0b\x0c"[random.below(12) as usize]);
            }
        }
        text
    }

    #[test]
    fn every_level_reads_what_a_simple_reader_reads() {
        const SEED: u64 = 31;
        let mut random = Random::new(SEED);
        for turn in 0..4_000 {
            let text = random_text(&mut random);
            let wanted = random.between(1, 350) as usize;
            let (numbers, expected) = simple(&text, wanted);
            let before = random.below(70) as usize;
            let mut padded = vec![b'7'; before];
            padded.extend_from_slice(&text);
            padded.resize(padded.len() + BLOCK, b'8');
            for level in LEVELS {
                let what = format!("seed {SEED}, turn {turn}, {level:?}");
                let start = random.below(8) as usize;
                let mut planes =
                    [vec![0xff; bytes_needed(text.len())], vec![0xff; bytes_needed(text.len())]];
                let [nonzero, odd] = &mut planes;
                let mut bits = Bits { nonzero, odd, start };
                let range = before..before + text.len();
                let mut scan = scan(level, &padded, range, wanted, &mut bits);
                scan.end -= before;
                assert_eq!(scan, expected, "{what}");
                let bit = |plane: usize, at: usize| planes[plane][at / 8] >> (at % 8) & 1 == 1;
                for (at, &number) in numbers.iter().enumerate() {
                    assert_eq!((bit(0, start + at), bit(1, start + at)), number, "{what}");
                }
                assert!((0..start).all(|at| bit(0, at) && bit(1, at)), "{what}: earlier bits stay");
            }
        }
    }

    #[test]
    fn every_byte_that_is_no_number_is_suspect_at_every_place() {
        for level in LEVELS {
            for byte in 0..=255_u8 {
                for place in [0, 1, 5, 31, 32, 62, 63, 64, 65, 130] {
                    let mut text = b"12 345 6 ".repeat(20);
                    let length = text.len();
                    text.resize(length + BLOCK, b'x');
                    text[place] = byte;
                    let needed = bytes_needed(length);
                    let (mut nonzero, mut odd) = (vec![0; needed], vec![0; needed]);
                    let mut bits = Bits { nonzero: &mut nonzero, odd: &mut odd, start: 0 };
                    let found = scan(level, &text, 0..length, 1000, &mut bits).suspect;
                    let sound = byte.is_ascii_digit() || is_blank(byte);
                    assert_eq!(found, !sound, "{level:?}, byte {byte} at {place}");
                }
            }
        }
    }
}
