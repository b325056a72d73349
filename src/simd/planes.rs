//! Decimal numbers to bits: for each number of a text, is it zero and is it odd? That is all some
//! solvers need of it, and it can be read off 64 bytes at a time without making a single integer.
//!
//! Per block of 64 bytes there is one mask of digits `D`, one of nonzero digits `Z`, one of odd
//! bytes. A number ends where a digit is followed by something else: `E = (D << 1) & !D`. Adding
//! `D + Z` lets a carry run from each nonzero digit through the rest of its run of digits into the
//! place behind it, so the sum holds "not zero" at every bit of `E`, for numbers of any length. The
//! last digit's lowest bit, moved up by one, is "odd" at the same bits. Gathering both by `E`
//! (`pext`) gives up to 32 numbers at once.

use super::Level;

/// Bytes of one block; the text must be readable this far behind the scanned range.
pub const BLOCK: usize = 64;

/// Where [`scan`] appends its bits: one bit for each number, lowest bit first.
#[derive(Debug)]
pub struct Bits<'a> {
    /// Whether each number is not zero.
    pub nonzero: &'a mut [u8],
    /// Whether each number is odd.
    pub odd: &'a mut [u8],
    /// Bits that the first byte of both holds already.
    pub start: usize,
}

/// What one call of [`scan`] has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scan {
    /// Where it stopped: the end of the range, or the byte behind the last wanted number.
    pub end: usize,
    /// Numbers read.
    pub numbers: usize,
    /// Whether an odd count of them is odd.
    pub odd_sum: bool,
    /// Numbers above 99.
    pub large: usize,
    /// The index of the first `-1`, whose bits are those of `1`.
    pub minus_one: Option<usize>,
    /// Whether something is there that is neither blank, nor a number, nor the only `-1`. Nothing
    /// else of this result can be trusted then.
    pub suspect: bool,
}

/// Bytes that each slice of [`Bits`] needs for a range of `length` bytes.
#[must_use]
pub fn bytes_needed(length: usize) -> usize {
    length / 16 + 24
}

/// Whether this byte separates numbers.
#[must_use]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// Reads at most `wanted` (at least one) numbers of `text[range]`, which ends behind a blank.
///
/// # Panics
/// If `text` is not readable for [`BLOCK`] bytes behind the range, or `bits` are too short.
#[must_use]
pub fn scan(
    level: Level,
    text: &[u8],
    range: std::ops::Range<usize>,
    wanted: usize,
    bits: &mut Bits<'_>,
) -> Scan {
    assert!(range.end + BLOCK <= text.len() && range.start <= range.end);
    #[cfg(target_arch = "x86_64")]
    {
        if level == Level::Avx512 && Level::detect() >= Level::Avx512 {
            // SAFETY: the machine has the instructions: just asked.
            return unsafe { x86::scan_avx512(text, range, wanted, bits) };
        }
        if level >= Level::Avx2 && Level::detect() >= Level::Avx2 {
            // SAFETY: the machine has the instructions: just asked.
            return unsafe { x86::scan_avx2(text, range, wanted, bits) };
        }
    }
    let _ = level;
    Scanner::run::<Portable>(text, range, wanted, bits)
}

/// One bit for each of 64 bytes.
#[derive(Debug, Clone, Copy)]
struct Masks {
    digit: u64,
    /// Digits except `0`.
    nonzero: u64,
    /// Digits with the lowest bit set.
    odd: u64,
    minus: u64,
    /// Neither digit, nor blank, nor minus.
    bad: u64,
}

impl Masks {
    fn keep(&mut self, mask: u64) {
        self.digit &= mask;
        self.nonzero &= mask;
        self.odd &= mask;
        self.minus &= mask;
        self.bad &= mask;
    }
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

/// Digits at the end of the block before, as needed by the next one.
#[derive(Default)]
struct Scanner {
    scan: Scan,
    digit: u64,
    nonzero: u64,
    odd: u64,
    /// The number that reaches into the block has a nonzero digit.
    carry: bool,
    /// The number that reaches into the block is above 99.
    carry_large: bool,
    /// All odd bits so far, added without carry.
    odd_sum: u64,
    bad: u64,
}

impl Scanner {
    #[inline(always)]
    fn run<B: Backend>(
        text: &[u8],
        range: std::ops::Range<usize>,
        wanted: usize,
        bits: &mut Bits<'_>,
    ) -> Scan {
        let mut this = Self::default();
        let mut writer = Writer::new(bits);
        let mut at = range.start;
        while at < range.end {
            let Some(block) = text[at..].first_chunk::<BLOCK>() else { break };
            let mut masks = B::masks(block);
            if range.end - at < BLOCK {
                masks.keep(below(range.end - at));
            }
            let mut ends = (masks.digit << 1 | this.digit >> 63) & !masks.digit;
            let mut count = ends.count_ones() as usize;
            let last = this.scan.numbers + count >= wanted;
            if last {
                count = wanted - this.scan.numbers;
                let stop = nth(ends, count - 1);
                masks.keep(below(stop));
                ends &= below(stop + 1);
                this.scan.end = at + stop;
            }
            if masks.minus != 0 {
                this.minus(text, range.clone(), at, masks.minus, ends);
            }
            this.block::<B>(masks, ends, count, &mut writer);
            if last {
                return this.finish(&mut writer);
            }
            at += BLOCK;
        }
        this.scan.end = range.end;
        this.finish(&mut writer)
    }

    #[inline(always)]
    fn block<B: Backend>(
        &mut self,
        masks: Masks,
        ends: u64,
        count: usize,
        writer: &mut Writer<'_, '_>,
    ) {
        self.bad |= masks.bad;
        let (sum, over) = masks.digit.carrying_add(masks.nonzero, self.carry);
        self.carry = over;
        let nonzero = B::gather(sum, ends);
        let odd = B::gather(masks.odd << 1 | self.odd >> 63, ends);
        self.odd_sum ^= odd;
        writer.push(nonzero, odd, count);
        // Three digits in a row, the last of them in this block.
        let third = masks.digit
            & (masks.digit << 1 | self.digit >> 63)
            & (masks.digit << 2 | self.digit >> 62);
        if third != 0 || self.carry_large {
            let hundreds = (masks.nonzero << 2 | self.nonzero >> 62) & third;
            let (sum, over) = masks.digit.carrying_add(hundreds, self.carry_large);
            self.carry_large = over;
            self.scan.large += (sum & ends).count_ones() as usize;
        }
        self.digit = masks.digit;
        self.nonzero = masks.nonzero;
        self.odd = masks.odd;
        self.scan.numbers += count;
    }

    /// Looks at each minus sign of a block; rare on large boards.
    #[inline(never)]
    fn minus(
        &mut self,
        text: &[u8],
        range: std::ops::Range<usize>,
        at: usize,
        mut minus: u64,
        ends: u64,
    ) {
        while minus != 0 {
            let place = minus.trailing_zeros() as usize;
            minus &= minus - 1;
            let index = self.scan.numbers + (ends & below(place)).count_ones() as usize;
            let free = at + place == range.start || is_blank(text[at + place - 1]);
            let known = self.scan.minus_one.replace(index).is_some();
            if known || !free || !is_one(&text[at + place + 1..range.end]) {
                self.scan.suspect = true;
            }
        }
    }

    fn finish(mut self, writer: &mut Writer<'_, '_>) -> Scan {
        writer.finish();
        self.scan.odd_sum = self.odd_sum.count_ones() % 2 == 1;
        self.scan.suspect |= self.bad != 0;
        self.scan
    }
}

/// The place of the `n`-th bit (from 0) that is set.
fn nth(mut mask: u64, n: usize) -> usize {
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask.trailing_zeros() as usize
}

/// Whether the text starts with the number 1 and a blank.
fn is_one(text: &[u8]) -> bool {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    matches!(text[zeros..], [b'1', blank, ..] if is_blank(blank))
}

/// Appends bits to both planes; the bits of an unfinished byte wait in `nonzero_tail`, `odd_tail`.
struct Writer<'a, 'b> {
    bits: &'b mut Bits<'a>,
    at: usize,
    nonzero_tail: u64,
    odd_tail: u64,
}

impl<'a, 'b> Writer<'a, 'b> {
    fn new(bits: &'b mut Bits<'a>) -> Self {
        let known = below(bits.start);
        let (nonzero_tail, odd_tail) =
            (u64::from(bits.nonzero[0]) & known, u64::from(bits.odd[0]) & known);
        Self { at: bits.start, bits, nonzero_tail, odd_tail }
    }

    /// At most 32 bits.
    #[inline(always)]
    fn push(&mut self, nonzero: u64, odd: u64, count: usize) {
        let (byte, shift) = (self.at / 8, self.at % 8);
        let nonzero = self.nonzero_tail | nonzero << shift;
        let odd = self.odd_tail | odd << shift;
        self.bits.nonzero[byte..byte + 8].copy_from_slice(&nonzero.to_le_bytes());
        self.bits.odd[byte..byte + 8].copy_from_slice(&odd.to_le_bytes());
        let whole = (shift + count) / 8 * 8;
        self.nonzero_tail = nonzero >> whole;
        self.odd_tail = odd >> whole;
        self.at += count;
    }

    fn finish(&mut self) {
        let byte = self.at / 8;
        self.bits.nonzero[byte] = self.nonzero_tail as u8;
        self.bits.odd[byte] = self.odd_tail as u8;
    }
}

/// Eight bytes at a time in an ordinary register.
struct Portable;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

impl Backend for Portable {
    #[inline(always)]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks { digit: 0, nonzero: 0, odd: 0, minus: 0, bad: 0 };
        for (index, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*bytes);
            let digit = between(word, b'0', b'9');
            let nonzero = between(word, b'1', b'9');
            let blank = between(word, b'\t', b'\r') | between(word, b' ', b' ');
            let minus = between(word, b'-', b'-');
            let shift = 8 * index;
            masks.digit |= high_bits(digit) << shift;
            masks.nonzero |= high_bits(nonzero) << shift;
            masks.odd |= high_bits(digit & word << 7) << shift;
            if digit | blank != HIGH {
                masks.minus |= high_bits(minus) << shift;
                masks.bad |= high_bits(!(digit | blank | minus) & HIGH) << shift;
            }
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

/// The high bit of each byte that lies in `low..=high`; both are below 128.
#[inline(always)]
fn between(word: u64, low: u8, high: u8) -> u64 {
    let seven = word & !HIGH;
    let at_least = seven + ONES * u64::from(128 - low);
    let above = seven + ONES * u64::from(127 - high);
    at_least & !above & !word & HIGH
}

/// The high bits of eight bytes, moved together.
#[inline(always)]
fn high_bits(word: u64) -> u64 {
    (word >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
        _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
        _mm256_slli_epi16, _mm512_add_epi8, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epu8_mask,
        _mm512_loadu_si512, _mm512_mask_test_epi8_mask, _mm512_set1_epi8, _pext_u64,
    };
    use std::ops::Range;

    use super::{BLOCK, Backend, Bits, Masks, Scan, Scanner};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
    pub(super) fn scan_avx512(
        text: &[u8],
        range: Range<usize>,
        wanted: usize,
        bits: &mut Bits<'_>,
    ) -> Scan {
        Scanner::run::<Avx512>(text, range, wanted, bits)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn scan_avx2(
        text: &[u8],
        range: Range<usize>,
        wanted: usize,
        bits: &mut Bits<'_>,
    ) -> Scan {
        Scanner::run::<Avx2>(text, range, wanted, bits)
    }

    /// Used only inside [`scan_avx512`].
    struct Avx512;

    impl Backend for Avx512 {
        #[inline(always)]
        fn masks(block: &[u8; BLOCK]) -> Masks {
            // SAFETY: only `scan_avx512` uses this backend, and a block has 64 bytes.
            unsafe {
                let bytes = _mm512_loadu_si512(block.as_ptr().cast());
                let value = _mm512_add_epi8(bytes, _mm512_set1_epi8(-(b'0' as i8)));
                let digit = _mm512_cmplt_epu8_mask(value, _mm512_set1_epi8(10));
                let nonzero = _mm512_mask_test_epi8_mask(digit, value, value);
                let odd = _mm512_mask_test_epi8_mask(digit, value, _mm512_set1_epi8(1));
                let minus = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'-' as i8));
                let space = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b' ' as i8));
                let control = _mm512_add_epi8(bytes, _mm512_set1_epi8(-9));
                let control = _mm512_cmplt_epu8_mask(control, _mm512_set1_epi8(5));
                Masks { digit, nonzero, odd, minus, bad: !(digit | minus | space | control) }
            }
        }

        #[inline(always)]
        fn gather(value: u64, mask: u64) -> u64 {
            // SAFETY: only `scan_avx512` uses this backend.
            unsafe { _pext_u64(value, mask) }
        }
    }

    /// Used only inside [`scan_avx2`].
    struct Avx2;

    impl Backend for Avx2 {
        #[inline(always)]
        fn masks(block: &[u8; BLOCK]) -> Masks {
            // SAFETY: only `scan_avx2` uses this backend, and a block has twice 32 bytes.
            unsafe {
                let low = _mm256_loadu_si256(block.as_ptr().cast());
                let high = _mm256_loadu_si256(block.as_ptr().add(32).cast());
                let (low, high) = (half(low), half(high));
                Masks {
                    digit: join(low[0], high[0]),
                    nonzero: join(low[1], high[1]),
                    odd: join(low[2], high[2]),
                    minus: join(low[3], high[3]),
                    bad: !join(low[4], high[4]),
                }
            }
        }

        #[inline(always)]
        fn gather(value: u64, mask: u64) -> u64 {
            // SAFETY: only `scan_avx2` uses this backend.
            unsafe { _pext_u64(value, mask) }
        }
    }

    fn join(low: u32, high: u32) -> u64 {
        u64::from(low) | u64::from(high) << 32
    }

    /// Masks of 32 bytes: digit, nonzero, odd, minus, any allowed byte.
    #[target_feature(enable = "avx2")]
    fn half(bytes: __m256i) -> [u32; 5] {
        let value = _mm256_add_epi8(bytes, _mm256_set1_epi8(-(b'0' as i8)));
        let digit = at_most(value, 9);
        let below = _mm256_add_epi8(bytes, _mm256_set1_epi8(-(b'1' as i8)));
        let nonzero = at_most(below, 8);
        let odd = _mm256_and_si256(digit, _mm256_slli_epi16::<7>(bytes));
        let minus = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'-' as i8));
        let space = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b' ' as i8));
        let control = at_most(_mm256_add_epi8(bytes, _mm256_set1_epi8(-9)), 4);
        let allowed =
            _mm256_or_si256(_mm256_or_si256(digit, minus), _mm256_or_si256(space, control));
        [mask_of(digit), mask_of(nonzero), mask_of(odd), mask_of(minus), mask_of(allowed)]
    }

    #[target_feature(enable = "avx2")]
    fn mask_of(bytes: __m256i) -> u32 {
        _mm256_movemask_epi8(bytes).cast_unsigned()
    }

    #[target_feature(enable = "avx2")]
    fn at_most(bytes: __m256i, limit: i8) -> __m256i {
        _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(limit)), bytes)
    }
}
