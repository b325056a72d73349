//! The same cells read once more, slowly: one number after another, with all their digits. Used
//! to name a fault, to check a proof and to draw a picture; never to answer.

use std::collections::TryReserveError;

use super::source::token;
use crate::simd::planes::is_blank;

/// One cell as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number<'t> {
    /// The digits without leading zeros; none for zero.
    Natural(&'t [u8]),
    /// The treasure.
    MinusOne,
    /// Another number with a minus sign.
    Negative,
    /// Anything else.
    Garbage,
}

/// Reads one token.
pub(super) fn number(token: &[u8]) -> Number<'_> {
    let (minus, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Number::Garbage;
    }
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    match (minus, &digits[zeros..]) {
        (false, digits) => Number::Natural(digits),
        (true, b"1") => Number::MinusOne,
        (true, _) => Number::Negative,
    }
}

/// The tokens of a text with their places.
pub(super) fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().take_while(|&&byte| is_blank(byte)).count();
        let token = token(&text[at..]);
        let place = at;
        at += token.len();
        (!token.is_empty()).then_some((place, token))
    })
}

/// Hit points of any size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HitPoints {
    /// Decimal digits, the lowest first, without leading zeros.
    digits: Vec<u8>,
}

impl HitPoints {
    /// The sum of two.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let digits: Vec<u8> = other.digits.iter().rev().map(|digit| digit + b'0').collect();
        let mut sum = self.clone();
        sum.add(&digits);
        sum
    }

    /// Whether they are odd.
    pub(crate) fn is_odd(&self) -> bool {
        self.digits.first().is_some_and(|digit| digit % 2 == 1)
    }

    /// Adds a number, given by its decimal digits.
    fn add(&mut self, digits: &[u8]) {
        let mut carry = 0;
        let mut lowest_first = digits.iter().rev();
        for place in 0.. {
            let digit = lowest_first.next().map(|byte| byte - b'0');
            if digit.is_none() && carry == 0 {
                return;
            }
            if place == self.digits.len() {
                self.digits.push(0);
            }
            let sum = self.digits[place] + digit.unwrap_or(0) + carry;
            (self.digits[place], carry) = (sum % 10, sum / 10);
        }
    }
}

impl std::fmt::Display for HitPoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        self.digits.iter().rev().try_for_each(|digit| write!(f, "{digit}"))
    }
}

/// All numbers of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Numbers {
    /// Hit points; [`TREASURE`] and [`LONG`] are not meant literally.
    cells: Vec<u32>,
    /// The digits of numbers too long for `cells`, by cell.
    long: Vec<(usize, Box<[u8]>)>,
}

const TREASURE: u32 = u32::MAX;
const LONG: u32 = u32::MAX - 1;

impl Numbers {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.long.clear();
    }

    /// Appends the numbers of a text that is known to be sound; false if there is no memory for
    /// them.
    pub(super) fn extend(&mut self, text: &[u8]) -> bool {
        self.try_extend(text).is_ok()
    }

    fn try_extend(&mut self, text: &[u8]) -> Result<(), TryReserveError> {
        self.cells.try_reserve(text.len() / 2 + 1)?;
        for (_, token) in tokens(text) {
            let cell = match number(token) {
                Number::Natural(digits) if digits.len() <= 9 => {
                    digits.iter().fold(0, |value, byte| 10 * value + u32::from(byte - b'0'))
                }
                Number::Natural(digits) => {
                    let mut long = Vec::new();
                    long.try_reserve_exact(digits.len())?;
                    long.extend_from_slice(digits);
                    self.long.try_reserve(1)?;
                    self.long.push((self.cells.len(), long.into()));
                    LONG
                }
                _ => TREASURE,
            };
            self.cells.push(cell);
        }
        Ok(())
    }

    /// Cells read so far.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether a cell is the treasure.
    pub(super) fn is_treasure(&self, cell: usize) -> bool {
        self.cells[cell] == TREASURE
    }

    /// Whether a cell is empty, the treasure's included.
    pub(super) fn is_empty(&self, cell: usize) -> bool {
        matches!(self.cells[cell], 0 | TREASURE)
    }

    /// Whether a cell's hit points are odd.
    pub(super) fn is_odd(&self, cell: usize) -> bool {
        match self.cells[cell] {
            TREASURE => false,
            LONG => self.long_digits(cell).last().is_some_and(|digit| digit % 2 == 1),
            value => value % 2 == 1,
        }
    }

    /// The digits of a cell's number without leading zeros; none for an empty cell.
    pub(crate) fn digits(&self, cell: usize) -> String {
        match self.cells[cell] {
            0 => String::new(),
            TREASURE => "-1".to_owned(),
            LONG => String::from_utf8_lossy(self.long_digits(cell)).into_owned(),
            value => value.to_string(),
        }
    }

    /// The sum of the hit points of some cells, each less `spared` (0 or 1).
    pub(crate) fn sum(&self, cells: impl Iterator<Item = usize>, spared: u32) -> HitPoints {
        let mut small = 0_u128;
        let mut sum = HitPoints::default();
        for cell in cells {
            match self.cells[cell] {
                0 | TREASURE => {}
                LONG => {
                    sum.add(&less(self.long_digits(cell), spared));
                }
                value => small += u128::from(value - spared),
            }
        }
        sum.add(small.to_string().as_bytes());
        let used = sum.digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        sum.digits.truncate(used);
        sum
    }

    fn long_digits(&self, cell: usize) -> &[u8] {
        let index = self.long.binary_search_by_key(&cell, |long| long.0);
        &self.long[index.expect("a long number has its digits")].1
    }
}

/// A positive number less 0 or 1.
fn less(digits: &[u8], spared: u32) -> Vec<u8> {
    let mut digits = digits.to_vec();
    if spared == 1 {
        let last = digits.iter().rposition(|&digit| digit != b'0').expect("a positive number");
        digits[last] -= 1;
        digits[last + 1..].fill(b'9');
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Numbers {
        let mut numbers = Numbers::default();
        assert!(numbers.extend(text.as_bytes()));
        numbers
    }

    #[test]
    fn sums_are_exact_for_numbers_of_any_length() {
        let numbers = numbers("999999999999999999999999999999 1 0 -1 1000000000000000000000 007");
        assert_eq!(numbers.sum(0..6, 0).to_string(), "1000000001000000000000000000007");
        assert_eq!(numbers.sum([4].into_iter(), 1).to_string(), "999999999999999999999");
        assert_eq!(numbers.sum([1, 2].into_iter(), 1).to_string(), "0");
        assert_eq!(numbers.sum([].into_iter(), 0).to_string(), "0");
    }

    #[test]
    fn numbers_know_zero_odd_and_the_treasure() {
        let numbers = numbers("000 -01 10000000000000000000000000001 4 00000000000000000002");
        let row =
            |f: fn(&Numbers, usize) -> bool| (0..5).map(|c| f(&numbers, c)).collect::<Vec<_>>();
        assert_eq!(row(Numbers::is_empty), [true, true, false, false, false]);
        assert_eq!(row(Numbers::is_treasure), [false, true, false, false, false]);
        assert_eq!(row(Numbers::is_odd), [false, false, true, false, false]);
    }
}
