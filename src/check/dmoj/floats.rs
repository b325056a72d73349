//! `floats`, `floatsabs`, `floatsrel`: numbers of Python within a tolerance, line by line.

use crate::check::CheckError;
use crate::check::compare::{Comparison, Fault, Found};
use crate::check::gap::{BlankLines, SPACE};
use crate::check::number::{Syntax, quick, scan};
use crate::check::pairwise::{self, TokenRule};
use crate::check::preset::{Flag, FlagValue, Flags, Preset};
use crate::check::rule::Rule;
use crate::check::source::Source;
use crate::check::tolerance::Bound;
use crate::simd::Level;

const FLAGS: &[Flag] = &[Flag { name: "precision", value: FlagValue::Whole(0, 300) }];

/// Absolute, or relative for answers that are not small.
pub(in crate::check) const FLOATS: Preset = Preset {
    name: "dmoj-floats",
    summary: "DMOJ floats: numbers within 1e-6 (precision=6), absolute or relative, by lines",
    flags: FLAGS,
    make: |flags| Ok(make(Mode::Default, flags)),
};

/// Absolute.
pub(in crate::check) const FLOATS_ABS: Preset = Preset {
    name: "dmoj-floatsabs",
    summary: "DMOJ floatsabs: numbers within an absolute error, by lines",
    flags: FLAGS,
    make: |flags| Ok(make(Mode::Absolute, flags)),
};

/// Relative.
pub(in crate::check) const FLOATS_REL: Preset = Preset {
    name: "dmoj-floatsrel",
    summary: "DMOJ floatsrel: numbers within a relative error, by lines",
    flags: FLAGS,
    make: |flags| Ok(make(Mode::Relative, flags)),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Default,
    Absolute,
    Relative,
}

struct Floats {
    mode: Mode,
    epsilon: f64,
}

fn make(mode: Mode, flags: &Flags) -> Box<dyn Comparison> {
    let precision = flags.whole("precision").unwrap_or(6);
    let epsilon = format!("1e-{precision}").parse().unwrap_or(0.0);
    Box::new(Floats { mode, epsilon })
}

impl Comparison for Floats {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        pairwise::find::<BlankLines, _>(&SPACE, self, level, answer, output)
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

impl Floats {
    fn within(&self, expected: f64, got: f64) -> bool {
        let (epsilon, off) = (self.epsilon, (got - expected).abs());
        match self.mode {
            Mode::Absolute => off <= epsilon,
            Mode::Relative => {
                let ends = [expected * (1.0 - epsilon), expected * (1.0 + epsilon)];
                // Python's min and max give the first of two that do not compare.
                let least = if ends[1] < ends[0] { ends[1] } else { ends[0] };
                let most = if ends[1] > ends[0] { ends[1] } else { ends[0] };
                least <= got && got <= most
            }
            Mode::Default => {
                off <= epsilon
                    || expected.abs() >= epsilon && (1.0 - got / expected).abs() <= epsilon
            }
        }
    }
}

fn number(token: &[u8]) -> Option<f64> {
    quick(token).or_else(|| scan(token, Syntax::Python).map(|literal| literal.double()))
}

impl TokenRule for Floats {
    /// What is no number for Python does not equal itself.
    const REFLEXIVE: bool = false;

    fn tolerance(&self) -> Option<(f64, f64)> {
        match self.mode {
            // What is relative there does not hold for small answers.
            Mode::Default | Mode::Absolute => Some((self.epsilon, -1.0)),
            Mode::Relative => Some((-1.0, self.epsilon)),
        }
    }

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let Some(expected) = number(answer) else {
            return if answer == output { Ok(()) } else { Err(Fault::Value) };
        };
        let Some(got) = number(output) else {
            return Err(Fault::Remark("a number was expected".into()));
        };
        if self.within(expected, got) {
            return Ok(());
        }
        let epsilon = Some(self.epsilon);
        Err(match self.mode {
            Mode::Absolute => Bound::of_double(epsilon, None),
            Mode::Relative => Bound::of_double(None, epsilon),
            Mode::Default => Bound::of_double(epsilon, epsilon),
        }
        .fault(expected, got))
    }
}
