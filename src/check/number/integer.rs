//! Whole numbers as testlib reads them.

use crate::simd::decimals::whole;

/// What a token is as a whole number of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Integer {
    /// This one.
    Value(i64),
    /// None: the text is no number in its shortest form, or the number needs more than 64 bits.
    Invalid,
}

/// Reads digits without needless zeros, perhaps behind a minus; `-0` is refused.
#[inline]
pub(crate) fn integer(token: &[u8]) -> Integer {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        _ => (false, token),
    };
    let shortest = digits.first() != Some(&b'0') || digits.len() == 1 && !negative;
    if digits.is_empty() || digits.len() > 19 || !shortest {
        return Integer::Invalid;
    }
    let (front, back) = digits.split_at(digits.len().saturating_sub(16));
    let Some(mut value) = whole(back) else { return Integer::Invalid };
    if !front.is_empty() {
        let Some(front) = whole(front) else { return Integer::Invalid };
        value += front * 10_000_000_000_000_000;
    }
    let signed = if negative { 0_i64.checked_sub_unsigned(value) } else { value.try_into().ok() };
    signed.map_or(Integer::Invalid, Integer::Value)
}
