//! Which texts are numbers, for which judge.

use std::borrow::Cow;

use super::big::{self, Rounded};
use super::extended::Extended;

/// Which texts are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// A sign, digits with at most one point, an exponent; as the ICPC package format has it.
    Spec,
    /// What `scanf` of glibc takes whole: also `0x1p3`, `inf`, `nan`, and `1e`, which is 1.
    Scanf,
    /// What Python's `float` takes: also `inf`, `nan`, `1_000`.
    Python,
    /// What testlib's `readDouble` takes: the texts of `scanf` without letters but `e`.
    Testlib,
}

/// A text that is a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Literal<'a> {
    pub(super) negative: bool,
    pub(super) body: Body<'a>,
}

/// What stands behind the sign.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body<'a> {
    /// Decimal digits, at most one point, perhaps an exponent with digits.
    Decimal(Cow<'a, str>),
    /// Hexadecimal digits, at most one point; and the exponent of two.
    Hex(&'a [u8], i64),
    /// Infinity.
    Infinite,
    /// Not a number.
    Nan,
}

/// Reads a whole token as a number.
pub(crate) fn scan(token: &[u8], syntax: Syntax) -> Option<Literal<'_>> {
    match syntax {
        Syntax::Spec => decimal(token, Exponent::Whole),
        Syntax::Scanf => scanf(token),
        Syntax::Testlib => {
            let allowed = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
            token.iter().all(allowed).then(|| decimal(token, Exponent::Any)).flatten()
        }
        Syntax::Python => python(token),
    }
}

/// What may stand behind the letter of an exponent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exponent {
    /// Digits, perhaps behind a sign.
    Whole,
    /// Or nothing, or a sign alone: then the exponent is zero.
    Any,
}

fn sign(token: &[u8]) -> (bool, &[u8]) {
    match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, token),
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn decimal(token: &[u8], exponent: Exponent) -> Option<Literal<'_>> {
    let (negative, body) = sign(token);
    let whole = digits(body);
    let mut end = whole;
    let mut count = whole;
    if body.get(end) == Some(&b'.') {
        let fraction = digits(&body[end + 1..]);
        count += fraction;
        end += 1 + fraction;
    }
    if count == 0 {
        return None;
    }
    if end < body.len() {
        end = exponent_end(body, end, exponent)?;
    }
    let text = std::str::from_utf8(&body[..end]).ok()?;
    Some(Literal { negative, body: Body::Decimal(Cow::Borrowed(text)) })
}

/// Where the number ends when all that is left is an exponent.
fn exponent_end(body: &[u8], at: usize, exponent: Exponent) -> Option<usize> {
    if !body[at].eq_ignore_ascii_case(&b'e') {
        return None;
    }
    let (_, behind) = sign(&body[at + 1..]);
    match behind.is_empty() {
        true if exponent == Exponent::Any => Some(at),
        false if digits(behind) == behind.len() => Some(body.len()),
        _ => None,
    }
}

fn scanf(token: &[u8]) -> Option<Literal<'_>> {
    let token = token.split(|&byte| byte == 0).next().unwrap_or_default();
    let (negative, body) = sign(token);
    match body {
        [b'0', b'x' | b'X', hex @ ..] => Some(Literal { negative, body: hexadecimal(hex)? }),
        [b'i' | b'I' | b'n' | b'N', ..] => word(negative, body),
        _ => decimal(token, Exponent::Any),
    }
}

fn word(negative: bool, body: &[u8]) -> Option<Literal<'static>> {
    let is = |word: &str| body.eq_ignore_ascii_case(word.as_bytes());
    if is("inf") || is("infinity") {
        return Some(Literal { negative, body: Body::Infinite });
    }
    is("nan").then_some(Literal { negative, body: Body::Nan })
}

fn hexadecimal(text: &[u8]) -> Option<Body<'_>> {
    let digit = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'.';
    let end = text.iter().take_while(|byte| digit(byte)).count();
    let (mantissa, rest) = text.split_at(end);
    let points = memchr::memchr_iter(b'.', mantissa).count();
    if mantissa.is_empty() || points > 1 {
        return None;
    }
    let Some((letter, power)) = rest.split_first() else { return Some(Body::Hex(mantissa, 0)) };
    if !letter.eq_ignore_ascii_case(&b'p') || mantissa == b"." {
        return None;
    }
    let (negative, power) = sign(power);
    if digits(power) != power.len() {
        return None;
    }
    let value = big::saturating(power);
    Some(Body::Hex(mantissa, if negative { -value } else { value }))
}

fn python(token: &[u8]) -> Option<Literal<'_>> {
    let (negative, body) = sign(token);
    if matches!(body.first(), Some(b'i' | b'I' | b'n' | b'N')) {
        return word(negative, body);
    }
    if !token.contains(&b'_') {
        return decimal(token, Exponent::Whole);
    }
    let between = |at: usize| {
        let digit =
            |at: Option<usize>| at.and_then(|at| body.get(at)).is_some_and(u8::is_ascii_digit);
        digit(at.checked_sub(1)) && digit(Some(at + 1))
    };
    let misplaced = body.iter().enumerate().any(|(at, &byte)| byte == b'_' && !between(at));
    let plain: Vec<u8> = body.iter().copied().filter(|&byte| byte != b'_').collect();
    let literal = decimal(&plain, Exponent::Whole).filter(|_| !misplaced)?;
    // The sign is gone: a second one would have been refused as the text of a number.
    let (false, Body::Decimal(text)) =
        (plain.starts_with(b"+") || plain.starts_with(b"-"), literal.body)
    else {
        return None;
    };
    Some(Literal { negative, body: Body::Decimal(Cow::Owned(text.into_owned())) })
}

impl Literal<'_> {
    /// The value as a double.
    pub(crate) fn double(&self) -> f64 {
        let value = match &self.body {
            Body::Decimal(text) => text.parse().unwrap_or(f64::NAN),
            Body::Hex(digits, power) => hex(digits, *power, 53).double(),
            Body::Infinite => f64::INFINITY,
            Body::Nan => f64::NAN,
        };
        if self.negative { -value } else { value }
    }

    /// Whether the value is not zero, but nearer to it than every extended double of full precision.
    pub(crate) fn vanishes(&self) -> bool {
        let Body::Decimal(text) = &self.body else { return false };
        // A double that is not zero settles it for nearly all.
        self.double() == 0.0 && big::is_tiny(text.as_bytes())
    }

    /// The value as an extended double.
    pub(crate) fn extended(&self) -> Extended {
        match &self.body {
            Body::Decimal(text) => Extended::of_decimal(self.negative, text.as_bytes()),
            Body::Hex(digits, power) => Extended::rounded(self.negative, hex(digits, *power, 64)),
            Body::Infinite => Extended::Infinite { negative: self.negative },
            Body::Nan => Extended::Nan,
        }
    }
}

fn hex(digits: &[u8], power: i64, bits: u32) -> Rounded {
    let (mut mantissa, mut exponent, mut sticky, mut behind) = (0_u128, power, false, false);
    for &byte in digits {
        let Some(digit) = char::from(byte).to_digit(16) else {
            behind = true;
            continue;
        };
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | u128::from(digit);
            exponent -= if behind { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if behind { 0 } else { 4 };
        }
    }
    Rounded::of(mantissa, exponent, sticky, bits)
}
