//! The default validator of the ICPC package format, and two programs that do its work with
//! differences of their own: that of problemtools (Kattis) and that of `DOMjudge`.

use super::CheckError;
use super::compare::{Comparison, Fault, Found};
use super::gap::{Bytes, Free, SPACE};
use super::number::{Extended, Literal, Syntax, quick, scan};
use super::pairwise::{self, Long, TokenRule};
use super::preset::{Flag, FlagError, FlagValue, Flags, Preset};
use super::rule::Rule;
use super::source::Source;
use super::tolerance::{self, Bound};
use crate::simd::Level;

const ABSOLUTE: &str = "float_absolute_tolerance";
const RELATIVE: &str = "float_relative_tolerance";
const BOTH: &str = "float_tolerance";

const FLAGS: &[Flag] = &[
    Flag { name: "case_sensitive", value: FlagValue::None },
    Flag { name: "space_change_sensitive", value: FlagValue::None },
    Flag { name: BOTH, value: FlagValue::Tolerance },
    Flag { name: ABSOLUTE, value: FlagValue::Tolerance },
    Flag { name: RELATIVE, value: FlagValue::Tolerance },
];

/// The rule of the package format.
pub(super) const ICPC: Preset = Preset {
    name: "icpc",
    summary: "the ICPC package format's default validator, as specified",
    flags: FLAGS,
    make: |flags| make(Dialect::Spec, flags),
};

/// The program of problemtools.
pub(super) const KATTIS: Preset = Preset {
    name: "kattis",
    summary: "problemtools' default validator, as coded",
    flags: FLAGS,
    make: |flags| make(Dialect::Kattis, flags),
};

/// The program of `DOMjudge`.
pub(super) const DOMJUDGE: Preset = Preset {
    name: "domjudge",
    summary: "DOMjudge's default compare script, as coded",
    flags: FLAGS,
    make: |flags| make(Dialect::Domjudge, flags),
};

/// Whose program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Spec,
    Kattis,
    Domjudge,
}

struct Validator {
    tokens: Tokens,
    exact_space: bool,
}

struct Tokens {
    dialect: Dialect,
    case_sensitive: bool,
    floats: Option<Bound>,
}

fn make(dialect: Dialect, flags: &Flags) -> Result<Box<dyn Comparison>, FlagError> {
    let [absolute, relative, both] = [ABSOLUTE, RELATIVE, BOTH].map(|name| flags.get(name));
    if both.is_some() && (absolute.is_some() || relative.is_some()) {
        let text = format!("`{BOTH}` already sets what `{ABSOLUTE}` and `{RELATIVE}` set");
        return Err(FlagError(text));
    }
    let floats = Bound::new(absolute.or(both), relative.or(both));
    let case_sensitive = flags.has("case_sensitive");
    Ok(Box::new(Validator {
        tokens: Tokens { dialect, case_sensitive, floats },
        exact_space: flags.has("space_change_sensitive"),
    }))
}

impl Comparison for Validator {
    fn compare<'s>(
        &self,
        level: Level,
        answer: &mut Source<'s>,
        output: &mut Source<'s>,
    ) -> Result<Option<Found>, CheckError> {
        if self.exact_space {
            pairwise::find::<Bytes, _>(&SPACE, &self.tokens, level, answer, output)
        } else {
            pairwise::find::<Free, _>(&SPACE, &self.tokens, level, answer, output)
        }
    }

    fn view(&self) -> Rule {
        Rule::Tokens
    }
}

impl TokenRule for Tokens {
    const REFLEXIVE: bool = true;

    fn same(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let Some(bound) = &self.floats else { return self.same_text(answer, output) };
        if self.dialect == Dialect::Kattis {
            return self.kattis(bound, answer, output);
        }
        if let (Some(a), Some(b)) = (quick(answer), quick(output))
            && bound.surely_within(a, b)
        {
            return Ok(());
        }
        let syntax = if self.dialect == Dialect::Spec { Syntax::Spec } else { Syntax::Scanf };
        let Some(expected) = scan(answer, syntax) else { return self.same_text(answer, output) };
        let Some(got) = scan(output, syntax) else { return no_number() };
        if self.dialect == Dialect::Spec && (expected.vanishes() || got.vanishes()) {
            // Nearer to zero than every number: then it is a text.
            return self.same_text(answer, output);
        }
        if bound.surely_within(expected.double(), got.double()) {
            return Ok(());
        }
        match self.dialect {
            Dialect::Domjudge => domjudge(bound, &expected, &got),
            _ => self.spec(bound, (answer, &expected), (output, &got)),
        }
    }

    fn tolerance(&self) -> Option<(f64, f64)> {
        self.floats.as_ref().map(Bound::doubles)
    }

    fn long(&self) -> Long {
        match (&self.floats, self.case_sensitive) {
            (Some(_), _) => Long::Numbers,
            (None, false) => Long::Fold,
            (None, true) => Long::Bytes,
        }
    }
}

fn no_number() -> Result<(), Fault> {
    Err(Fault::Remark("a number was expected".into()))
}

impl Tokens {
    fn same_text(&self, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let text = |token| if self.dialect == Dialect::Kattis { up_to_nul(token) } else { token };
        let (answer, output) = (text(answer), text(output));
        let same = answer == output || !self.case_sensitive && answer.eq_ignore_ascii_case(output);
        if same { Ok(()) } else { Err(Fault::Value) }
    }

    fn kattis(&self, bound: &Bound, answer: &[u8], output: &[u8]) -> Result<(), Fault> {
        let double = |token| quick(token).or_else(|| finite(token));
        let Some(expected) = double(answer) else { return self.same_text(answer, output) };
        let Some(got) = double(output) else { return no_number() };
        let off = (expected - got).abs();
        let (absolute, relative) = bound.doubles();
        // A tolerance that is not set is -1 there: then nothing but equal zeros is within it.
        if off <= absolute || off <= relative * expected.abs() {
            return Ok(());
        }
        Err(bound.fault(expected, got))
    }

    fn spec(
        &self,
        bound: &Bound,
        (answer, expected): (&[u8], &Literal),
        (output, got): (&[u8], &Literal),
    ) -> Result<(), Fault> {
        let (a, b) = (expected.extended(), got.extended());
        if !(a.is_finite() && b.is_finite()) {
            // Beyond every number: then it is a text.
            return self.same_text(answer, output);
        }
        let off = a.distance(b);
        let absolute = bound.absolute().is_some_and(|most| off.at_most(most));
        let relative = bound.relative().is_some_and(|most| {
            if a.is_zero() { off.is_zero() } else { off.quotient(a).at_most(most) }
        });
        if absolute || relative {
            Ok(())
        } else {
            Err(bound.fault(expected.double(), got.double()))
        }
    }
}

fn domjudge(bound: &Bound, expected: &Literal, got: &Literal) -> Result<(), Fault> {
    let (a, b) = (expected.extended(), got.extended());
    if !(a.is_finite() && b.is_finite()) {
        // Not a number equals itself; infinities of one sign are equal.
        return if a == b { Ok(()) } else { Err(Fault::Value) };
    }
    let off = a.distance(b);
    let beyond = |most: Option<Extended>, value: Option<Extended>| {
        most.map(|most| value.is_some_and(|value| !value.at_most(most)))
    };
    // Nothing by nothing is not a number, which is not beyond any tolerance; all else by nothing
    // is infinite.
    let ratio = match (a.is_zero(), off.is_zero()) {
        (true, true) => None,
        (true, false) => Some(tolerance::GREATEST),
        _ => Some(off.quotient(a)),
    };
    let faults = [beyond(bound.absolute(), Some(off)), beyond(bound.relative(), ratio)];
    if faults.into_iter().flatten().all(|beyond| beyond) {
        return Err(bound.fault(expected.double(), got.double()));
    }
    Ok(())
}

/// The value of a token that is a finite double.
fn finite(token: &[u8]) -> Option<f64> {
    scan(token, Syntax::Scanf).map(|literal| literal.double()).filter(|value| value.is_finite())
}

/// What a string of C holds of a token.
fn up_to_nul(token: &[u8]) -> &[u8] {
    memchr::memchr(0, token).map_or(token, |end| &token[..end])
}
