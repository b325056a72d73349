//! Comparisons of lines as they stand: Hydro's, and those of online-judge-tools.

use super::CheckError;
use super::by_line::{self, Ends, Extra, Lines};
use super::compare::{Comparison, Fault, Found};
use super::gap::{Blanks, Free, LinesBeforeBlanks, SPACE};
use super::number::{Syntax, quick, scan};
use super::pairwise::{self, TokenRule, Words};
use super::preset::{Flag, FlagError, FlagValue, Flags, Preset};
use super::rule::Rule;
use super::source::Source;
use super::tolerance::Bound;
use crate::simd::Level;

/// The default checker of Hydro.
pub(super) const HYDRO: Preset = Preset {
    name: "hydro",
    summary: "Hydro: equal lines without blanks at their ends and empty lines at the end",
    flags: &[Flag { name: "strict", value: FlagValue::None }],
    make: |flags| Ok(Box::new(if flags.has("strict") { Text::HydroStrict } else { Text::Hydro })),
};

/// The comparisons of online-judge-tools.
pub(super) const OJ: Preset = Preset {
    name: "oj",
    summary: "online-judge-tools: equal bytes but for CRLF; with flags its other modes",
    flags: &[
        Flag { name: "exact", value: FlagValue::None },
        Flag { name: "ignore_spaces", value: FlagValue::None },
        Flag { name: "ignore_spaces_and_newlines", value: FlagValue::None },
        Flag { name: "error", value: FlagValue::Tolerance },
    ],
    make: oj,
};

enum Text {
    Hydro,
    HydroStrict,
    Exact,
    ExactButReturns,
    WordsOnLines(Option<Close>),
    Words(Option<Close>),
}

fn oj(flags: &Flags) -> Result<Box<dyn Comparison>, FlagError> {
    let close = flags.get("error").and_then(|error| error.parse().ok()).map(Close);
    let modes =
        ["exact", "ignore_spaces", "ignore_spaces_and_newlines"].map(|name| flags.has(name));
    Ok(Box::new(match (modes, close) {
        ([false, false, true], close) => Text::Words(close),
        ([false, true, false], close) => Text::WordsOnLines(close),
        ([_, false, false], Some(close)) => Text::WordsOnLines(Some(close)),
        ([true, false, false], None) => Text::Exact,
        ([false, false, false], None) => Text::ExactButReturns,
        _ => return Err(FlagError("its modes exclude each other".into())),
    }))
}

/// What Hydro strips from line ends.
static HYDRO_BLANKS: Blanks = Blanks::new(b" \t\r");

/// What it strips when it is strict.
static RETURNS: Blanks = Blanks::new(b"\r");

impl Comparison for Text {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        let feeds = Lines::new(Ends::Feed);
        let (lines, extra) = match self {
            Self::Exact => return Rule::Exact.compare(level, answer, output),
            Self::WordsOnLines(None) => {
                return pairwise::find::<LinesBeforeBlanks, _>(
                    &SPACE, &Words, level, answer, output,
                );
            }
            Self::WordsOnLines(Some(close)) => {
                return pairwise::find::<LinesBeforeBlanks, _>(
                    &SPACE, close, level, answer, output,
                );
            }
            Self::Words(None) => {
                return pairwise::find::<Free, _>(&SPACE, &Words, level, answer, output);
            }
            Self::Words(Some(close)) => {
                return pairwise::find::<Free, _>(&SPACE, close, level, answer, output);
            }
            Self::Hydro => (Lines { strip: Some(&HYDRO_BLANKS), ..feeds }, Extra::Empty),
            Self::HydroStrict => (Lines { strip: Some(&RETURNS), ..feeds }, Extra::None),
            Self::ExactButReturns => {
                (Lines { split: true, ..Lines::new(Ends::FeedOrPair) }, Extra::None)
            }
        };
        by_line::find(lines, lines, extra, level, answer, output)
    }

    fn view(&self) -> Rule {
        match self {
            Self::Exact | Self::ExactButReturns => Rule::Exact,
            Self::Hydro | Self::HydroStrict => Rule::Lines,
            Self::WordsOnLines(_) | Self::Words(_) => Rule::Tokens,
        }
    }
}

/// Numbers that are close as Python's `math.isclose` has it; all else byte by byte.
struct Close(f64);

impl TokenRule for Close {
    const REFLEXIVE: bool = false;

    fn tolerance(&self) -> Option<(f64, f64)> {
        Some((self.0, self.0))
    }

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let number = |token| {
            quick(token).or_else(|| scan(token, Syntax::Python).map(|literal| literal.double()))
        };
        let (Some(expected), Some(got)) = (number(answer), number(output)) else {
            return if answer == output { Ok(()) } else { Err(Fault::Value) };
        };
        let off = (expected - got).abs();
        let most = self.0 * expected.abs().max(got.abs());
        let finite = expected.is_finite() && got.is_finite();
        let equal = expected.partial_cmp(&got) == Some(std::cmp::Ordering::Equal);
        if equal || finite && (off <= most || off <= self.0) {
            return Ok(());
        }
        Err(Bound::of_double(Some(self.0), Some(self.0)).fault(expected, got))
    }
}
