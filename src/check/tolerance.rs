//! How far a number may be off.

use super::compare::Fault;
use super::number::{Extended, Syntax, scan};

/// A value beyond every tolerance.
pub(super) const GREATEST: Extended =
    Extended::Finite { negative: false, mantissa: 1 << 63, exponent: 16_000 };

/// Tolerances, as doubles and as extended doubles; those that are not set are none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    absolute: Option<(f64, Extended)>,
    relative: Option<(f64, Extended)>,
}

impl Bound {
    /// Tolerances from texts that are numbers; none when neither is set.
    pub(super) fn new(absolute: Option<&str>, relative: Option<&str>) -> Option<Self> {
        let value = |text: Option<&str>| {
            let literal = scan(text?.as_bytes(), Syntax::Spec)?;
            Some((literal.double(), literal.extended()))
        };
        let bound = Self { absolute: value(absolute), relative: value(relative) };
        (bound.absolute.is_some() || bound.relative.is_some()).then_some(bound)
    }

    /// The same doubles for both.
    pub(super) fn of_double(absolute: Option<f64>, relative: Option<f64>) -> Self {
        let value = |value: f64| (value, Extended::of_double(value));
        Self { absolute: absolute.map(value), relative: relative.map(value) }
    }

    /// The absolute tolerance.
    pub(super) fn absolute(&self) -> Option<Extended> {
        self.absolute.map(|(_, value)| value)
    }

    /// The relative tolerance.
    pub(super) fn relative(&self) -> Option<Extended> {
        self.relative.map(|(_, value)| value)
    }

    /// Both as doubles, -1 where they are not set.
    pub(super) fn doubles(&self) -> (f64, f64) {
        let double = |value: Option<(f64, Extended)>| value.map_or(-1.0, |(double, _)| double);
        (double(self.absolute), double(self.relative))
    }

    /// Whether two values, of which these are near doubles, are within one of the tolerances however
    /// they were rounded. Where they are not, exact arithmetic has to decide.
    #[inline]
    pub(super) fn surely_within(&self, expected: f64, got: f64) -> bool {
        surely_within(self.doubles(), expected, got)
    }

    /// The fault of a number that is off by too much.
    pub(super) fn fault(&self, expected: f64, got: f64) -> Fault {
        let off = (expected - got).abs();
        let (absolute, relative) = self.doubles();
        let allowed = match (self.absolute, self.relative) {
            (Some(_), Some(_)) if absolute.to_bits() == relative.to_bits() => text(absolute),
            (Some(_), Some(_)) => format!("{} or relative {}", text(absolute), text(relative)),
            (Some(_), None) => text(absolute),
            _ => format!("relative {}", text(relative)),
        };
        let ratio = match expected {
            0.0 => String::new(),
            _ if self.relative.is_some() => format!(" (relative {})", text((off / expected).abs())),
            _ => String::new(),
        };
        Fault::Tolerance(format!("off by {}{ratio}, allowed {allowed}", text(off)))
    }
}

/// The same for an absolute and a relative tolerance, -1 where they are not set.
#[inline]
pub(super) fn surely_within((absolute, relative): (f64, f64), expected: f64, got: f64) -> bool {
    let size = expected.abs() + got.abs();
    let off = (expected - got).abs() + size * 1e-15 + f64::MIN_POSITIVE;
    let most = absolute.max(relative * expected.abs()) * (1.0 - 1e-12);
    off <= most && size < 1e300
}

/// A number of few digits, for people.
pub(super) fn text(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let short = format!("{number:.1e}");
    let short = short.replace(".0e", "e");
    if !(1e-3..1e6).contains(&number.abs()) {
        return short;
    }
    short.parse().map_or(short, |rounded: f64| rounded.to_string())
}
