//! Numbers in tokens: which texts are numbers for which judge, and their values as that judge has
//! them, as a double or as an extended double of 64 bits.
//!
//! Nothing here rounds twice: texts of few digits are exact by one operation, all others go through
//! the parser of the standard library or through whole numbers of any size.

mod big;
mod extended;
mod integer;
mod literal;

pub(super) use extended::Extended;
pub(super) use integer::{Integer, integer};
pub(super) use literal::{Literal, Syntax, scan};

/// Powers of ten that a double holds exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The value of digits with a point and a sign at most, when it is exact by one division: a number
/// in every syntax. None for all else, also for numbers that are only longer.
#[inline]
pub(super) fn quick(token: &[u8]) -> Option<f64> {
    let (&first, behind) = token.split_first()?;
    let negative = first == b'-';
    let digits = if negative || first == b'+' { behind } else { token };
    if digits.is_empty() || digits.len() > 17 {
        return None;
    }
    let (mut mantissa, mut point) = (0_u64, None);
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() && digits.len() > 1 {
            point = Some(at);
        } else {
            return None;
        }
    }
    if mantissa >= 1 << 53 {
        return None;
    }
    let places = point.map_or(0, |at| digits.len() - 1 - at);
    let value = mantissa as f64 / EXACT[places];
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests;
