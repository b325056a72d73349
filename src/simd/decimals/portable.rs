//! Eight bytes at a time in an ordinary register.

use super::{EXACT, WIDE};

const ZEROS: u128 = 0x3030_3030_3030_3030_3030_3030_3030_3030;

/// The most digits that a word holds whatever they are.
const MOST: usize = 19;

/// `mantissa / 10^places`.
pub(super) struct Plain {
    negative: bool,
    mantissa: u64,
    places: usize,
}

/// The value of 1 to 16 digits.
#[inline]
pub(super) fn whole(digits: &[u8]) -> Option<u64> {
    let length = digits.len();
    if length == 0 || length > 16 { None } else { value(load(digits), length) }
}

impl Plain {
    /// The value, off by a few units of the last place at most.
    #[inline]
    pub(super) fn near(&self) -> f64 {
        let value = self.mantissa as f64 / EXACT[self.places];
        if self.negative { -value } else { value }
    }

    /// The value, where one division makes it exact.
    #[inline]
    pub(super) fn exact(&self) -> Option<f64> {
        (self.mantissa < 1 << 53).then(|| self.near())
    }
}

#[inline]
pub(super) fn plain(token: &[u8]) -> Option<Plain> {
    let (&first, behind) = token.split_first()?;
    let negative = first == b'-';
    let digits = if negative || first == b'+' { behind } else { token };
    let (mantissa, places) = match digits.len() {
        0 => return None,
        1..=WIDE => short(digits)?,
        17..=20 => long(digits)?,
        _ => return None,
    };
    Some(Plain { negative, mantissa, places })
}

/// Digits and a point at most, 16 bytes in all.
#[inline]
fn short(digits: &[u8]) -> Option<(u64, usize)> {
    let (text, length) = (load(digits), digits.len());
    let [front, back] = [text as u64, (text >> 64) as u64].map(|word| u128::from(points(word)));
    let points = front | back << 64;
    if points == 0 {
        return Some((value(text, length)?, 0));
    }
    if length == 1 {
        return None;
    }
    // What stands before the point moves up to what stands behind it.
    let at = points.trailing_zeros() & !7;
    let before = (text & ((1 << at) - 1)) << 8;
    let behind = text >> at >> 8 << 8 << at;
    Some((value(before | behind, length - 1)?, 15 - at as usize / 8))
}

/// A few bytes more.
fn long(digits: &[u8]) -> Option<(u64, usize)> {
    let (front, back) = digits.split_at(digits.len() - 16);
    let (mut mantissa, mut point) = (0, None);
    for (at, &byte) in front.iter().enumerate() {
        match byte.wrapping_sub(b'0') {
            digit if digit < 10 => mantissa = mantissa * 10 + u64::from(digit),
            _ if byte == b'.' && point.is_none() => point = Some(at),
            _ => return None,
        }
    }
    let (low, places) = short(back)?;
    let back_point = back.contains(&b'.');
    if point.is_some() && back_point || point.is_none() && !back_point && digits.len() > MOST {
        return None;
    }
    let places = point.map_or(places, |at| digits.len() - 1 - at);
    let scale = if back_point { 1_000_000_000_000_000 } else { 10_000_000_000_000_000 };
    Some((mantissa * scale + low, places))
}

/// 1 to 16 bytes, the last one highest, zeros before the first one.
#[inline]
fn load(text: &[u8]) -> u128 {
    let length = text.len();
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let first = u128::from(first) << 64 >> (8 * (length - 8));
        return u128::from(last) << 64 | first & u128::from(u64::MAX);
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        let first = u64::from(first) << (8 * (8 - length));
        return u128::from(u64::from(last) << 32 | first) << 64;
    }
    text.iter().fold(0, |word, &byte| word >> 8 | u128::from(byte) << 120)
}

/// The high bit of each byte that is a point.
#[inline]
fn points(word: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let other = word ^ 0x2e2e_2e2e_2e2e_2e2e;
    !(((other & !HIGH) + !HIGH) | other) & HIGH
}

/// The value of so many bytes, the last one highest, if all are digits.
#[inline]
fn value(text: u128, length: usize) -> Option<u64> {
    let text = text | ZEROS >> 8 >> (8 * (length - 1));
    let (front, back) = (text as u64, (text >> 64) as u64);
    let digits = is_digits(front) & is_digits(back);
    digits.then(|| eight(front) * 100_000_000 + eight(back))
}

#[inline]
fn is_digits(word: u64) -> bool {
    const HALVES: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    let above = word.wrapping_add(0x0606_0606_0606_0606);
    (word & HALVES) | (above & HALVES) >> 4 == 0x3333_3333_3333_3333
}

/// The value of eight digits.
#[inline]
fn eight(word: u64) -> u64 {
    let pairs = (word & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(10 << 8 | 1) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(100 << 16 | 1) >> 16;
    (fours & 0x0000_ffff_0000_ffff).wrapping_mul(10_000 << 32 | 1) >> 32
}
