//! Numbers of few digits without an exponent, many at once.

use super::Level;

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Powers of ten that a double holds exactly.
const EXACT: [f64; 20] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19,
];

/// Digits that are read at once, the point among them.
const WIDE: usize = 16;

/// The value of digits with a point and a sign at most, when it is exact by one division. None for
/// all else, also for numbers that are only longer.
#[must_use]
#[inline]
pub fn exact(token: &[u8]) -> Option<f64> {
    portable::plain(token)?.exact()
}

/// The value of 1 to 16 digits.
#[must_use]
#[inline]
pub fn whole(digits: &[u8]) -> Option<u64> {
    portable::whole(digits)
}

/// The values of tokens, given by where they start and end in a text: of at most 19 digits, with a
/// sign before them and a point among them at most. They are exact, or, beyond 2^53 without the
/// point, off by two units of the last place. Not a number for all other tokens.
///
/// # Panics
/// If a token lies outside the text, is empty, or there are fewer values than tokens.
pub fn read(level: Level, text: &[u8], tokens: &[[u16; 2]], values: &mut [f64]) {
    let values = &mut values[..tokens.len()];
    match level.usable() {
        // SAFETY: the machine has the instructions, as the level is usable.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 | Level::Avx2 => unsafe { x86::read(text, tokens, values) },
        _ => {
            for (&token, value) in tokens.iter().zip(values) {
                *value = near(bytes(text, token));
            }
        }
    }
}

fn near(token: &[u8]) -> f64 {
    portable::plain(token).map_or(f64::NAN, |plain| plain.near())
}

fn bytes(text: &[u8], [start, end]: [u16; 2]) -> &[u8] {
    &text[usize::from(start)..usize::from(end)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::simd::places::{Places, Set};

    fn plain(token: &[u8]) -> Option<f64> {
        let digits = token.strip_prefix(b"-").or(token.strip_prefix(b"+")).unwrap_or(token);
        let known = digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
        let text = std::str::from_utf8(token).ok()?;
        let count = digits.iter().filter(|byte| byte.is_ascii_digit()).count();
        (known && count <= 19).then(|| text.parse().ok()).flatten()
    }

    fn text(random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..random.below(120) {
            let letters: &[u8] = if random.percent(80) { b"0123456789" } else { b"09.-+/:e\xb0\0" };
            text.extend(match random.below(8) {
                0 => b"-".to_vec(),
                1 => b"+".to_vec(),
                _ => Vec::new(),
            });
            let (length, point) = (random.between(1, 23), random.below(25));
            for at in 0..length {
                let letter = letters[random.below(letters.len() as u64) as usize];
                text.push(if at == point { b'.' } else { letter });
            }
            text.push(b' ');
        }
        text
    }

    #[test]
    fn every_level_reads_what_the_standard_library_reads() {
        const SEED: u64 = 3;
        let (mut random, mut places) = (Random::new(SEED), Places::default());
        let mut values = vec![0.0; 1024];
        for turn in 0..4000 {
            let text = text(&mut random);
            for level in Level::available() {
                places.find_tokens(level, &Set::new(b" "), &text);
                read(level, &text, places.tokens(), &mut values);
                for (&token, value) in places.tokens().iter().zip(&values) {
                    let token = bytes(&text, token);
                    let what = format!(
                        "{level:?}, seed {SEED}, turn {turn}: {value} {:?}",
                        token.escape_ascii()
                    );
                    let Some(expected) = plain(token) else {
                        assert!(value.is_nan(), "{what}");
                        continue;
                    };
                    let exact = token.iter().filter(|byte| byte.is_ascii_digit()).count() < 16;
                    let off = (expected - value).abs() / (expected.abs() * f64::EPSILON);
                    assert!(
                        expected.to_bits() == value.to_bits() || !exact && off <= 2.0,
                        "{what}"
                    );
                }
            }
        }
    }
}
