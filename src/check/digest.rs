//! Digests of texts that come in pieces. The key is drawn once for each process, so that no output
//! can be made to collide; two different texts have the same digest with a chance of 1 to 2^56 for
//! texts of some 32 bytes, and of 1 to 2^31 for texts of a gigabyte, in each of two digests.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// The modulus: a prime of Mersenne's form, for quick remainders.
const PRIME: u64 = (1 << 61) - 1;

/// Bytes of a text that make one coefficient: fewer bits than the modulus has.
const STEP: usize = 7;

struct Key {
    /// Below 2^60, so that products stay small.
    bases: [u64; 2],
    /// The same for lists of words.
    list: [u64; 2],
    mixers: [u64; 6],
}

#[inline]
fn key() -> &'static Key {
    static KEY: OnceLock<Key> = OnceLock::new();
    KEY.get_or_init(|| {
        let state = RandomState::new();
        let word = |number: u64| state.hash_one(number);
        let base = |number: u64| word(number) >> 5 | 1 << 40;
        let (bases, list) = ([0, 1].map(base), [2, 3].map(base));
        Key { bases, list, mixers: [4, 5, 6, 7, 8, 9].map(word) }
    })
}

/// A polynomial whose coefficients are the pieces of a text of seven bytes each and its length, at
/// two secret places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Digest {
    values: [u64; 2],
    /// The last bytes, seven at most, none only of no text; the first one lowest.
    held: u64,
    count: u64,
}

impl Digest {
    /// Of a part of a text.
    #[inline]
    pub(super) fn of(text: &[u8], start: usize, end: usize) -> Self {
        let length = end - start;
        if (1..=STEP).contains(&length)
            && let Some(eight) = text.get(start..).and_then(<[u8]>::first_chunk)
        {
            let held = u64::from_le_bytes(*eight) & u64::MAX >> (64 - 8 * length);
            return Self { values: [0; 2], held, count: length as u64 };
        }
        let mut digest = Self::default();
        digest.extend(&text[start..end]);
        digest
    }

    /// More of the text.
    #[inline]
    pub(super) fn extend(&mut self, mut bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let bases = key().bases;
        let held = if self.count == 0 { 0 } else { (self.count - 1) % STEP as u64 + 1 } as usize;
        self.count += bytes.len() as u64;
        let taken = bytes.len().min(STEP - held);
        self.held |= word(&bytes[..taken]) << (8 * held);
        bytes = &bytes[taken..];
        while !bytes.is_empty() {
            self.push(bases, self.held);
            // Eight bytes are read for seven, as long as there are so many.
            self.held = match bytes.first_chunk() {
                Some(eight) => u64::from_le_bytes(*eight) & u64::MAX >> 8,
                None => word(bytes),
            };
            bytes = &bytes[bytes.len().min(STEP)..];
        }
    }

    /// Another number below 2^60.
    #[inline]
    fn push(&mut self, bases: [u64; 2], number: u64) {
        for (value, base) in self.values.iter_mut().zip(bases) {
            *value = multiply(*value, base) + number + 1;
        }
    }

    /// The digest: two numbers below 2^61.
    #[inline]
    pub(super) fn value(&self) -> (u64, u64) {
        if self.count <= STEP as u64 {
            // So short a text stands for itself.
            let itself = self.held | self.count << (8 * STEP);
            return (itself, itself);
        }
        let (mut all, bases) = (*self, key().bases);
        all.push(bases, self.held);
        all.push(bases, self.count);
        let [first, second] = all.values.map(reduced);
        (first, second)
    }

    /// The digest mixed, so that sums of digests say something of a bag of texts.
    #[inline]
    pub(super) fn mixed(&self) -> [u64; 2] {
        mixed(self.value())
    }
}

/// A polynomial whose coefficients are the digests of words and their number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ListDigest {
    values: [u64; 2],
    count: u64,
}

impl ListDigest {
    /// Another word.
    #[inline]
    pub(super) fn add(&mut self, word: &Digest) {
        let (first, second) = word.value();
        let bases = key().list;
        self.values[0] = multiply(self.values[0], bases[0]) + first + 1;
        self.values[1] = multiply(self.values[1], bases[1]) + second + 1;
        self.count += 1;
    }

    /// The digest mixed, so that sums of digests say something of a bag of lists.
    #[inline]
    pub(super) fn mixed(&self) -> [u64; 2] {
        let bases = key().list;
        let value = |at: usize| reduced(multiply(self.values[at], bases[at]) + self.count);
        mixed((value(0), value(1)))
    }
}

#[inline]
fn mixed((first, second): (u64, u64)) -> [u64; 2] {
    let mixers = key().mixers;
    let wide = u128::from(first ^ mixers[0]) * u128::from(second ^ mixers[1]);
    let (low, high) = (wide as u64, (wide >> 64) as u64);
    [fold(low ^ mixers[2], high ^ mixers[3]), fold(low ^ mixers[4], high ^ mixers[5])]
}

/// At most seven bytes, the first one lowest.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << (8 * (bytes.len() - 4));
    }
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// A product, reduced to little more than the modulus.
#[inline]
fn multiply(value: u64, base: u64) -> u64 {
    let wide = u128::from(value) * u128::from(base);
    (wide as u64 & PRIME) + (wide >> 61) as u64
}

/// The remainder by the modulus.
#[inline]
fn reduced(value: u64) -> u64 {
    let value = (value & PRIME) + (value >> 61);
    if value >= PRIME { value - PRIME } else { value }
}

/// The halves of a product.
#[inline]
fn fold(first: u64, second: u64) -> u64 {
    let wide = u128::from(first) * u128::from(second);
    wide as u64 ^ (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_digest_does_not_depend_on_the_pieces_in_which_a_text_comes() {
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let length = random.below(60) as usize;
            let text: Vec<u8> =
                (0..length + 9).map(|_| b"a0\0\xff"[random.below(4) as usize]).collect();
            let (mut pieces, mut at) = (Digest::default(), 0);
            while at < length {
                let piece = (random.between(1, 12) as usize).min(length - at);
                pieces.extend(&text[at..at + piece]);
                at += piece;
            }
            assert_eq!(pieces, Digest::of(&text, 0, length), "seed {seed}");
            assert_eq!(pieces, Digest::of(&text[..length], 0, length), "seed {seed}");
        }
    }

    #[test]
    fn texts_that_differ_a_little_have_other_digests() {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for length in 1..40 {
            texts.push(vec![0; length]);
            for at in 0..length {
                let mut text = vec![0; length];
                text[at] = 1;
                texts.push(text);
            }
        }
        let mut values: Vec<_> =
            texts.iter().map(|text| Digest::of(text, 0, text.len()).value()).collect();
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), texts.len());
    }
}
