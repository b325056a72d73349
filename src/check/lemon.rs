//! The comparisons of `LemonLime`: words that start on equal lines, whole lines, real numbers. The
//! rules as they are meant: words of any length count whole.

use super::CheckError;
use super::by_line::{self, Ends, Extra, Lines};
use super::compare::{Comparison, Fault, Found};
use super::gap::{Free, LineEnds, SPACE};
use super::number::{Extended, Syntax, quick, scan};
use super::pairwise::{self, TokenRule, Words};
use super::preset::{Flag, FlagError, FlagValue, Flags, Preset};
use super::rule::Rule;
use super::source::Source;
use super::tolerance::Bound;
use crate::simd::Level;

/// The comparisons of `LemonLime`.
pub(super) const LEMON: Preset = Preset {
    name: "lemon",
    summary: "LemonLime: equal words that start on equal lines; or lines; or real numbers",
    flags: &[
        Flag { name: "lines", value: FlagValue::None },
        Flag { name: "real", value: FlagValue::Whole(0, 18) },
    ],
    make,
};

enum Lemon {
    Words,
    Lines,
    Real(Reals),
}

fn make(flags: &Flags) -> Result<Box<dyn Comparison>, FlagError> {
    Ok(Box::new(match (flags.has("lines"), flags.whole("real")) {
        (true, Some(_)) => return Err(FlagError("`lines` and `real` exclude each other".into())),
        (true, None) => Lemon::Lines,
        (false, Some(digits)) => Lemon::Real(Reals::new(digits)),
        (false, None) => Lemon::Words,
    }))
}

impl Comparison for Lemon {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        match self {
            Self::Words => pairwise::find::<LineEnds, _>(&SPACE, &Words, level, answer, output),
            Self::Lines => {
                let lines = Lines { split: true, ..Lines::new(Ends::Any) };
                by_line::find(lines, lines, Extra::EmptyOutput, level, answer, output)
            }
            Self::Real(reals) => pairwise::find::<Free, _>(&SPACE, reals, level, answer, output),
        }
    }

    fn view(&self) -> Rule {
        match self {
            Self::Lines => Rule::Lines,
            _ => Rule::Tokens,
        }
    }
}

/// Numbers within a tolerance, absolute or relative to the answer.
struct Reals {
    most: Extended,
    bound: Bound,
}

impl Reals {
    fn new(digits: i64) -> Self {
        let one = Extended::of_double(1.0);
        let tenth = Extended::of_double(0.1);
        let most = (0..digits).fold(one, |most, _| most.product(tenth));
        let double = 0.1_f64.powi(digits as i32);
        Self { most, bound: Bound::of_double(Some(double), Some(double)) }
    }
}

impl TokenRule for Reals {
    const REFLEXIVE: bool = false;

    fn tolerance(&self) -> Option<(f64, f64)> {
        Some(self.bound.doubles())
    }

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        if let (Some(a), Some(b)) = (quick(answer), quick(output))
            && self.bound.surely_within(a, b)
        {
            return Ok(());
        }
        let Some(expected) = scan(answer, Syntax::Scanf) else {
            return Err(Fault::Answer("a number was expected".into()));
        };
        // NUL ends no number in an output; the byte behind one in an answer is not looked at.
        let got = scan(output, Syntax::Scanf).filter(|_| memchr::memchr(0, output).is_none());
        let Some(got) = got else {
            return Err(Fault::Remark("a number was expected".into()));
        };
        if self.bound.surely_within(expected.double(), got.double()) {
            return Ok(());
        }
        let (a, b) = (expected.extended(), got.extended());
        if a.is_finite() != b.is_finite() || (a == Extended::Nan) != (b == Extended::Nan) {
            return Err(Fault::Value);
        }
        let off = a.distance(b);
        let same = !a.is_finite() || off.at_most(self.most) || off.at_most(self.most.product(a));
        if same { Ok(()) } else { Err(self.bound.fault(expected.double(), got.double())) }
    }
}
