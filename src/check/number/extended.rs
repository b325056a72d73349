//! Extended doubles: 64 bits of mantissa, as `long double` is on the machines that judges run on.
//! Every operation rounds once, to nearest, ties to even. There are no subnormal numbers: below the
//! least normal one everything keeps its 64 bits, and what is beneath all of them is zero.

use std::cmp::Ordering;

use super::big::{self, Rounded};

/// The greatest exponent of the highest bit.
const TOP: i64 = 16_383;

/// The least exponent of the highest bit.
const BOTTOM: i64 = -16_445;

/// An extended double.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extended {
    /// `mantissa * 2^exponent`; the highest bit of the mantissa is set, unless it is zero.
    Finite {
        /// Whether it is below zero.
        negative: bool,
        /// The digits.
        mantissa: u64,
        /// The exponent of the lowest digit.
        exponent: i64,
    },
    /// Infinity.
    Infinite {
        /// Whether it is below zero.
        negative: bool,
    },
    /// Not a number.
    Nan,
}

impl Extended {
    /// The value of a decimal text.
    pub(super) fn of_decimal(negative: bool, text: &[u8]) -> Self {
        let (digits, power) = big::parts(text);
        match big::round(&digits, power, 64) {
            Some(rounded) => Self::rounded(negative, rounded),
            None => Self::Infinite { negative },
        }
    }

    /// The value of a double.
    pub(crate) fn of_double(value: f64) -> Self {
        if value.is_nan() {
            return Self::Nan;
        }
        let negative = value.is_sign_negative();
        if value.is_infinite() {
            return Self::Infinite { negative };
        }
        let bits = value.to_bits();
        let (power, digits) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let mantissa = if power == 0 { digits } else { digits | 1 << 52 };
        let exponent = power.max(1).cast_signed() - 1075;
        Self::rounded(negative, Rounded { mantissa, exponent })
    }

    /// The value of at most 64 digits.
    pub(super) fn rounded(negative: bool, rounded: Rounded) -> Self {
        let Rounded { mantissa, exponent } = rounded;
        if mantissa == 0 {
            return Self::Finite { negative, mantissa, exponent: 0 };
        }
        let shift = mantissa.leading_zeros();
        let exponent = exponent - i64::from(shift);
        match exponent + 63 {
            high if high > TOP => Self::Infinite { negative },
            high if high < BOTTOM => Self::Finite { negative, mantissa: 0, exponent: 0 },
            _ => Self::Finite { negative, mantissa: mantissa << shift, exponent },
        }
    }

    /// Whether it is neither infinite nor no number.
    pub(crate) fn is_finite(self) -> bool {
        matches!(self, Self::Finite { .. })
    }

    /// Whether it is zero.
    pub(crate) fn is_zero(self) -> bool {
        matches!(self, Self::Finite { mantissa: 0, .. })
    }

    /// The finite value without its sign; zero for all others.
    fn magnitude(self) -> (u64, i64) {
        match self {
            Self::Finite { mantissa, exponent, .. } => (mantissa, exponent),
            _ => (0, 0),
        }
    }

    fn is_negative(self) -> bool {
        matches!(self, Self::Finite { negative: true, .. } | Self::Infinite { negative: true })
    }

    /// The distance of two finite values.
    pub(crate) fn distance(self, other: Self) -> Self {
        let (mut great, mut small) = (self.magnitude(), other.magnitude());
        if compare(great, small).is_lt() {
            (great, small) = (small, great);
        }
        if small.0 == 0 {
            return Self::rounded(false, Rounded { mantissa: great.0, exponent: great.1 });
        }
        let gap = (great.1 - small.1).unsigned_abs().min(127);
        let high = u128::from(great.0) << 62;
        let wide = u128::from(small.0) << 62;
        let low = wide >> gap;
        let sticky = low << gap != wide;
        let (value, sticky_up) = if self.is_negative() == other.is_negative() {
            // What is cut off makes the difference smaller: one unit less, and a little more.
            (high - low - u128::from(sticky), sticky)
        } else {
            (high + low, sticky)
        };
        Self::rounded(false, Rounded::of(value, great.1 - 62, sticky_up, 64))
    }

    /// The product of two finite values, without the sign.
    pub(crate) fn product(self, other: Self) -> Self {
        let ((a, first), (b, second)) = (self.magnitude(), other.magnitude());
        let wide = u128::from(a) * u128::from(b);
        Self::rounded(false, Rounded::of(wide, first + second, false, 64))
    }

    /// The quotient of two finite values, without the sign; the divisor is not zero.
    pub(crate) fn quotient(self, other: Self) -> Self {
        let ((a, first), (b, second)) = (self.magnitude(), other.magnitude());
        let (a, b) = (u128::from(a), u128::from(b.max(1)));
        let (high, rest) = ((a << 64) / b, (a << 64) % b);
        // Two more digits, so that the last one is not decided by the rest alone.
        let value = (high << 2) | ((rest << 2) / b);
        let sticky = !(rest << 2).is_multiple_of(b);
        Self::rounded(false, Rounded::of(value, first - second - 66, sticky, 64))
    }

    /// Whether this finite value is at most another one, both without their signs.
    pub(crate) fn at_most(self, other: Self) -> bool {
        compare(self.magnitude(), other.magnitude()).is_le()
    }
}

/// Compares magnitudes whose highest bit is set, unless they are zero.
fn compare(first: (u64, i64), second: (u64, i64)) -> Ordering {
    match (first.0, second.0) {
        (0, 0) => Ordering::Equal,
        (0, _) => Ordering::Less,
        (_, 0) => Ordering::Greater,
        _ => first.1.cmp(&second.1).then(first.0.cmp(&second.0)),
    }
}
