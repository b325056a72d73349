//! Vector code for bytes. Every routine has a portable twin and takes the [`Level`] it may use, so
//! that tests can run each level this machine has on the same inputs and compare the answers. A
//! level that the machine does not have is taken down to the strongest one that it has.

use std::sync::OnceLock;

pub mod compare;
pub mod decimals;
pub mod places;
pub(crate) mod planes;

/// An instruction set that a routine may use, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// No vector instructions beyond what the compiler emits by itself.
    Portable,
    /// AVX2, BMI1, BMI2 and POPCNT.
    Avx2,
    /// AVX-512 F, BW, VL, DQ, VBMI2 and VPOPCNTDQ on top of [`Level::Avx2`].
    Avx512,
}

impl Level {
    /// The strongest level of this machine.
    #[must_use]
    pub fn detect() -> Self {
        static DETECTED: OnceLock<Level> = OnceLock::new();
        *DETECTED.get_or_init(Self::ask)
    }

    /// This level, or the strongest one of the machine if that is weaker.
    pub(crate) fn usable(self) -> Self {
        self.min(Self::detect())
    }

    fn ask() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if avx512 {
                return Self::Avx512;
            }
            if avx2 {
                return Self::Avx2;
            }
        }
        Self::Portable
    }

    /// Every level that this machine can run, weakest first.
    pub fn available() -> impl Iterator<Item = Self> {
        let strongest = Self::detect();
        [Self::Portable, Self::Avx2, Self::Avx512]
            .into_iter()
            .filter(move |&level| level <= strongest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_usable_level_is_beyond_the_machine() {
        for level in [Level::Portable, Level::Avx2, Level::Avx512] {
            assert!(Level::available().any(|known| known == level.usable()));
            assert!(level.usable() <= level);
        }
    }

    #[test]
    fn the_detected_level_is_the_last_available_one() {
        assert_eq!(Level::available().last(), Some(Level::detect()));
        assert_eq!(Level::available().next(), Some(Level::Portable));
    }
}
