//! The three plain rules share everything but the question "is this difference harmless?".

use super::CheckError;
use super::compare::{Comparison, Fault, Found};
use super::difference;
use super::preset::Preset;
use super::source::Source;
use crate::simd::Level;

/// Which differences are harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Number and kind of blanks between tokens.
    Tokens,
    /// Blanks at the ends of lines and blank lines at the end.
    Lines,
    /// None.
    Exact,
}

/// Accepts an output whose tokens are those of the answer, byte by byte and in the same order.
///
/// Tokens are what stands between blanks: space, tab, line feed, vertical tab, form feed, carriage
/// return. How many blanks, and which, does not matter. Upper and lower case differ.
pub(super) const TOKENS: Preset = Preset {
    name: "tokens",
    summary: "equal tokens; blanks and line breaks do not matter",
    flags: &[],
    make: |_| Ok(Box::new(Rule::Tokens)),
};

/// Accepts an output whose lines are those of the answer, apart from what nobody sees.
///
/// Lines end at a line feed. Free are: blanks at the end of a line (space, tab, vertical tab, form
/// feed, carriage return, so CRLF equals LF), blank lines at the end of the file, and a missing
/// last line feed. All else counts byte by byte: blanks at the start of a line and between tokens,
/// blank lines above the last text.
pub(super) const LINES: Preset = Preset {
    name: "lines",
    summary: "equal lines; trailing blanks, CRLF and blank lines at the end do not matter",
    flags: &[],
    make: |_| Ok(Box::new(Rule::Lines)),
};

/// Accepts an output that equals the answer byte by byte.
pub(super) const EXACT: Preset = Preset {
    name: "exact",
    summary: "equal bytes",
    flags: &[],
    make: |_| Ok(Box::new(Rule::Exact)),
};

impl Comparison for Rule {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        let place = difference::find(*self, level, answer, output)?;
        Ok(place.map(|place| Found { place, fault: Fault::Value, score: None }))
    }

    fn view(&self) -> Rule {
        *self
    }
}
