//! Sequences of integers, numbers, and YES or NO.

use super::{extra, misfit};
use crate::check::compare::Fault;
use crate::check::number::{Integer, Syntax, integer, quick, scan};
use crate::check::pairwise::{Ended, TokenRule};
use crate::check::tolerance::Bound;
use crate::simd::Level;
use crate::simd::places::are_integers;

/// Integers of 64 bits.
pub(super) struct Integers;

/// What an integer is called.
pub(super) const INTEGER: &str = "an integer of 64 bits";

impl TokenRule for Integers {
    const REFLEXIVE: bool = false;

    fn takes_all(&self, level: Level, text: &[u8]) -> bool {
        are_integers(level, text)
    }

    #[inline]
    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        if integer(answer) == Integer::Invalid {
            return Err(misfit(Ended::Answer, INTEGER));
        }
        // Integers have one form each.
        if answer == output {
            return Ok(());
        }
        match integer(output) {
            Integer::Invalid => Err(misfit(Ended::Output, INTEGER)),
            Integer::Value(_) => Err(Fault::Value),
        }
    }

    fn checked(&self, _ended: Ended) -> u64 {
        u64::MAX
    }

    fn alone(&self, token: &[u8], ended: Ended) -> Result<(), Fault> {
        match integer(token) {
            Integer::Invalid => Err(misfit(other(ended), INTEGER)),
            Integer::Value(_) => Ok(()),
        }
    }
}

fn other(ended: Ended) -> Ended {
    match ended {
        Ended::Answer => Ended::Output,
        Ended::Output => Ended::Answer,
    }
}

/// Numbers within a tolerance.
pub(super) struct Doubles {
    pub(super) most: f64,
    pub(super) relative: bool,
}

/// What a number is called.
pub(super) const DOUBLE: &str = "a number";

impl Doubles {
    /// An absolute or a relative error.
    pub(super) const fn either(most: f64) -> Self {
        Self { most, relative: true }
    }

    /// An absolute error.
    pub(super) const fn absolute(most: f64) -> Self {
        Self { most, relative: false }
    }

    /// Compares two numbers as testlib's `doubleCompare` does.
    pub(super) fn values(&self, expected: f64, got: f64) -> Result<(), Fault> {
        let most = self.most + 1e-15;
        let off = (got - expected).abs();
        let same = if !self.relative {
            // As there: what is not a number is not beyond.
            !matches!(off.partial_cmp(&most), Some(std::cmp::Ordering::Greater))
        } else if is_infinite(expected) {
            is_infinite(got) && (got > 0.0) == (expected > 0.0)
        } else {
            let ends = [expected * (1.0 - most), expected * (1.0 + most)];
            let between = ends[0].min(ends[1]) <= got && got <= ends[0].max(ends[1]);
            !is_infinite(got) && (off <= most || between)
        };
        if same {
            return Ok(());
        }
        let relative = self.relative.then_some(self.most);
        Err(Bound::of_double(Some(self.most), relative).fault(expected, got))
    }
}

fn is_infinite(value: f64) -> bool {
    value.abs() > 1e300
}

/// A number as testlib reads it.
#[inline]
pub(super) fn double(token: &[u8]) -> Option<f64> {
    quick(token).or_else(|| scan(token, Syntax::Testlib).map(|literal| literal.double()))
}

impl TokenRule for Doubles {
    const REFLEXIVE: bool = false;

    fn tolerance(&self) -> Option<(f64, f64)> {
        Some((self.most, if self.relative { self.most } else { -1.0 }))
    }

    #[inline]
    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let expected = double(answer).ok_or_else(|| misfit(Ended::Answer, DOUBLE))?;
        let got = double(output).ok_or_else(|| misfit(Ended::Output, DOUBLE))?;
        self.values(expected, got)
    }

    fn one_ended(&self, ended: Ended) -> Fault {
        match ended {
            Ended::Answer => extra(),
            Ended::Output => Fault::Presentation("unexpected end of the output".into()),
        }
    }

    fn checked(&self, ended: Ended) -> u64 {
        u64::from(ended == Ended::Output)
    }

    fn alone(&self, token: &[u8], _ended: Ended) -> Result<(), Fault> {
        double(token).map(|_| ()).ok_or_else(|| misfit(Ended::Answer, DOUBLE))
    }
}

/// YES and NO in any case.
pub(super) struct YesNos;

/// What the two words are called.
pub(super) const YES_NO: &str = "YES or NO";

/// Whether a token is YES; none when it is neither word.
pub(super) fn yes(token: &[u8]) -> Option<bool> {
    let yes = token.eq_ignore_ascii_case(b"YES");
    (yes || token.eq_ignore_ascii_case(b"NO")).then_some(yes)
}

impl TokenRule for YesNos {
    const REFLEXIVE: bool = false;

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let expected = yes(answer).ok_or_else(|| misfit(Ended::Answer, YES_NO))?;
        let got = yes(output).ok_or_else(|| misfit(Ended::Output, YES_NO))?;
        if expected == got { Ok(()) } else { Err(Fault::Value) }
    }
}
