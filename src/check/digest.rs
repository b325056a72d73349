//! Digests of texts that come in pieces. The key is drawn once for each process, so that no output
//! can be made to collide; two different texts have the same digest with a chance of 1 to 2^56 for
//! texts of some 32 bytes, and of 1 to 2^31 for texts of a gigabyte, in each of two digests.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// The modulus: a prime of Mersenne's form, for quick remainders.
const PRIME: u64 = (1 << 61) - 1;

struct Key {
    bases: [u64; 2],
    mixers: [RandomState; 2],
}

fn key() -> &'static Key {
    static KEY: OnceLock<Key> = OnceLock::new();
    KEY.get_or_init(|| {
        let mixers = [RandomState::new(), RandomState::new()];
        let base = |mixer: &RandomState| mixer.hash_one(0_u64) >> 5 | 1 << 40;
        // Below 2^60, so that products stay small.
        Key { bases: [base(&mixers[0]), base(&mixers[1])], mixers }
    })
}

/// A polynomial over the bytes of a text, at two secret places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Digest {
    values: [u64; 2],
    count: u64,
}

impl Digest {
    /// More of the text.
    #[inline]
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        let bases = key().bases;
        let [mut first, mut second] = self.values;
        for &byte in bytes {
            first = multiply(first, bases[0]) + u64::from(byte) + 1;
            second = multiply(second, bases[1]) + u64::from(byte) + 1;
        }
        self.values = [first, second];
        self.count += bytes.len() as u64;
    }

    /// The digest.
    pub(super) fn value(&self) -> (u64, u64) {
        let reduced = self.values.map(|value| value % PRIME);
        (reduced[0] ^ self.count.rotate_left(40), reduced[1])
    }

    /// The digest mixed, so that sums of digests say something of a bag of texts.
    pub(super) fn mixed(&self) -> [u64; 2] {
        let mixers = &key().mixers;
        [mixers[0].hash_one(self.value()), mixers[1].hash_one(self.value())]
    }
}

/// A product, reduced to little more than the modulus.
#[inline]
fn multiply(value: u64, base: u64) -> u64 {
    let wide = u128::from(value) * u128::from(base);
    (wide as u64 & PRIME) + (wide >> 61) as u64
}
