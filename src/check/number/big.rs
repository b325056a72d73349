//! Whole numbers of any size, as far as decimal texts need them to become binary ones with one
//! rounding.

#![expect(clippy::cast_possible_wrap, reason = "counts of digits are small")]

/// Digits that are looked at; what follows can only say that the value is a little greater.
const DIGITS: usize = 5000;

/// Values of more digits before the point, or of more zeros behind it, are beyond every type of
/// number here. Not more than that needs: the time for a value grows with its square.
const FAR: i64 = 5000;

/// Exponents are read up to this. No token that is held has as many digits to make up for it.
const GREATEST: i64 = 1 << 40;

/// The least normal extended double is 0.336e-4931.
const LEAST: i64 = -4932;

/// A binary value `mantissa * 2^exponent`, rounded to nearest, ties to even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounded {
    pub(super) mantissa: u64,
    pub(super) exponent: i64,
}

impl Rounded {
    pub(super) const ZERO: Self = Self { mantissa: 0, exponent: 0 };

    /// Rounds `value * 2^exponent`, a little more where `sticky`, to so many bits.
    pub(super) fn of(value: u128, exponent: i64, sticky: bool, bits: u32) -> Self {
        let length = 128 - value.leading_zeros();
        if length <= bits {
            // A value that is a little more has been given with more bits than are kept.
            return Self { mantissa: value as u64, exponent };
        }
        let cut = length - bits;
        let (kept, rest) = (value >> cut, value & ((1 << cut) - 1));
        let half = 1_u128 << (cut - 1);
        let up = rest > half || rest == half && (sticky || kept & 1 == 1);
        let kept = kept + u128::from(up);
        let exponent = exponent + i64::from(cut);
        if kept >> bits == 1 {
            return Self { mantissa: (kept >> 1) as u64, exponent: exponent + 1 };
        }
        Self { mantissa: kept as u64, exponent }
    }

    /// The value as a double; for at most 53 bits.
    pub(super) fn double(self) -> f64 {
        let mut value = self.mantissa as f64;
        let mut left = self.exponent.clamp(-3000, 3000);
        while left != 0 && value != 0.0 && value.is_finite() {
            let step = left.clamp(-1000, 1000);
            value *= f64::from(step as i32).exp2();
            left -= step;
        }
        value
    }
}

/// The value of digits, at most more than any exponent that matters.
pub(super) fn saturating(digits: &[u8]) -> i64 {
    let add = |value: i64, byte: &u8| (value * 10 + i64::from(byte - b'0')).min(GREATEST);
    digits.iter().fold(0, add)
}

/// The digits of a decimal text without its leading zeros, and the exponent of ten behind the last
/// one. The text has the form that [`super::literal`] has checked.
pub(super) fn parts(text: &[u8]) -> (Vec<u8>, i64) {
    let split = text.iter().position(|byte| byte.eq_ignore_ascii_case(&b'e'));
    let (mantissa, exponent) = text.split_at(split.unwrap_or(text.len()));
    let mut power = match exponent.get(1..) {
        Some([b'-', digits @ ..]) => -saturating(digits),
        Some([b'+', digits @ ..] | digits) => saturating(digits),
        None => 0,
    };
    let point = mantissa.iter().position(|&byte| byte == b'.');
    power -= point.map_or(0, |at| mantissa.len() - 1 - at) as i64;
    let mut digits: Vec<u8> = mantissa.iter().copied().filter(|&byte| byte != b'.').collect();
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    digits.drain(..zeros);
    if digits.len() > DIGITS {
        let more = digits[DIGITS..].iter().any(|&byte| byte != b'0');
        power += (digits.len() - DIGITS) as i64;
        digits.truncate(DIGITS);
        if more {
            digits.push(b'1');
            power -= 1;
        }
    }
    (digits, power)
}

/// Whether a decimal value is not zero, and below all powers of ten of an extended double.
pub(super) fn is_tiny(text: &[u8]) -> bool {
    let (digits, power) = parts(text);
    !digits.is_empty() && power + (digits.len() as i64) <= LEAST
}

/// A decimal value rounded to so many bits. None when it is beyond every type of number.
pub(super) fn round(digits: &[u8], power: i64, bits: u32) -> Option<Rounded> {
    let magnitude = power + digits.len() as i64;
    if digits.is_empty() || magnitude < -FAR {
        return Some(Rounded::ZERO);
    }
    if magnitude > FAR {
        return None;
    }
    let mut top = Big::of_digits(digits);
    let mut bottom = Big(vec![1]);
    let scaled = if power >= 0 { &mut top } else { &mut bottom };
    for _ in 0..power.unsigned_abs() / 9 {
        scaled.multiply_add(1_000_000_000, 0);
    }
    for _ in 0..power.unsigned_abs() % 9 {
        scaled.multiply_add(10, 0);
    }
    Some(divide(top, bottom, bits))
}

/// The quotient of two whole numbers, rounded.
fn divide(mut top: Big, mut bottom: Big, bits: u32) -> Rounded {
    let shift = top.bits() as i64 - bottom.bits() as i64;
    if shift > 0 {
        bottom.shift_up(shift.unsigned_abs() as usize);
    } else {
        top.shift_up(shift.unsigned_abs() as usize);
    }
    let steps = bits + 3;
    let mut quotient = 0_u128;
    for _ in 0..steps {
        quotient <<= 1;
        if !top.is_less(&bottom) {
            top.subtract(&bottom);
            quotient |= 1;
        }
        top.shift_up(1);
    }
    let sticky = top.0.iter().any(|&word| word != 0);
    Rounded::of(quotient, shift - i64::from(steps) + 1, sticky, bits)
}

/// Words of 32 bits, the lowest first; no zero at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Big(Vec<u32>);

impl Big {
    fn of_digits(digits: &[u8]) -> Self {
        let mut value = Self(Vec::new());
        for &digit in digits {
            value.multiply_add(10, u32::from(digit - b'0'));
        }
        value
    }

    fn multiply_add(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn bits(&self) -> usize {
        self.0.last().map_or(0, |top| self.0.len() * 32 - top.leading_zeros() as usize)
    }

    fn shift_up(&mut self, bits: usize) {
        let (words, bits) = (bits / 32, bits % 32);
        if bits > 0 {
            let mut carry = 0;
            for word in &mut self.0 {
                let wide = u64::from(*word) << bits | carry;
                *word = wide as u32;
                carry = wide >> 32;
            }
            if carry > 0 {
                self.0.push(carry as u32);
            }
        }
        if words > 0 && !self.0.is_empty() {
            self.0.splice(0..0, std::iter::repeat_n(0, words));
        }
    }

    fn is_less(&self, other: &Self) -> bool {
        let length = self.0.len().cmp(&other.0.len());
        length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())).is_lt()
    }

    /// Takes away a number that is not greater.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (at, word) in self.0.iter_mut().enumerate() {
            let (less, first) = word.overflowing_sub(other.0.get(at).copied().unwrap_or(0));
            let (less, second) = less.overflowing_sub(u32::from(borrow));
            (*word, borrow) = (less, first || second);
        }
        while self.0.pop_if(|word| *word == 0).is_some() {}
    }
}
