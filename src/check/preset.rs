//! The names behind `--compare`, with their flags: a text such as `icpc,float_tolerance=1e-6`
//! becomes a checker, or an error that says what is known.

use super::compare::{self, Comparison};
use super::{CheckError, Checker, dmoj, icpc, layout, lemon, rule, testlib, text};
use crate::model::{Judgement, Output, TestCase};

/// A comparison that can be named.
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line for the help text.
    pub summary: &'static str,
    /// Its flags.
    pub flags: &'static [Flag],
    pub(super) make: fn(&Flags) -> Result<Box<dyn Comparison>, FlagError>,
}

/// A flag of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Its name.
    pub name: &'static str,
    /// What kind of value stands behind `=`.
    pub value: FlagValue,
}

/// What stands behind the `=` of a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagValue {
    /// Nothing.
    None,
    /// A number that is not negative.
    Tolerance,
    /// A whole number within these bounds.
    Whole(i64, i64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Whole numbers with colons between them.
    Numbers,
}

/// Every comparison, in the order of the help text; the first one is the default.
pub const ALL: &[&Preset] = &[
    &rule::TOKENS,
    &rule::LINES,
    &rule::EXACT,
    &icpc::ICPC,
    &icpc::KATTIS,
    &icpc::DOMJUDGE,
    &dmoj::STANDARD,
    &dmoj::FLOATS,
    &dmoj::FLOATS_ABS,
    &dmoj::FLOATS_REL,
    &dmoj::SORTED,
    &dmoj::IDENTICAL,
    &dmoj::RSTRIPPED,
    &dmoj::LINECOUNT,
    &dmoj::LINEMATCHES,
    &dmoj::EASY,
    &lemon::LEMON,
    &layout::CMS,
    &layout::OICOMPARE_PRESET,
    &text::HYDRO,
    &text::OJ,
    &testlib::WCMP,
    &testlib::LCMP,
    &testlib::FCMP,
    &testlib::NCMP,
    &testlib::ICMP,
    &testlib::HCMP,
    &testlib::RCMP,
    &testlib::RCMP4,
    &testlib::RCMP6,
    &testlib::RCMP9,
    &testlib::RNCMP,
    &testlib::ACMP,
    &testlib::DCMP,
    &testlib::YESNO,
    &testlib::NYESNO,
    &testlib::UNCMP,
    &testlib::CASEICMP,
    &testlib::CASENCMP,
    &testlib::CASEWCMP,
];

/// What is wrong with the name of a comparison or with its flags.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// There is no such comparison.
    #[error("unknown comparison `{0}`{near}, expected one of {names}", near = near(.0, &names()), names = names().join(", "))]
    Name(String),
    /// The comparison has no such flag.
    #[error("comparison `{preset}` has no flag `{flag}`{near}, known flags: {known}", near = near(.flag, .names), known = known(.names))]
    Flag {
        /// The comparison.
        preset: &'static str,
        /// The flag as it was typed.
        flag: String,
        /// The flags that it has.
        names: Vec<&'static str>,
    },
    /// The value does not fit the flag, or the flags do not fit each other.
    #[error("comparison `{preset}`: {fault}")]
    Value {
        /// The comparison.
        preset: &'static str,
        /// What is wrong.
        fault: FlagError,
    },
}

/// What is wrong with the value of a flag, or with flags together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FlagError(pub(super) String);

fn names() -> Vec<&'static str> {
    ALL.iter().map(|preset| preset.name).collect()
}

fn known(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// ` (did you mean ...?)`, where one of the names is near.
fn near(typed: &str, names: &[&str]) -> String {
    let distance = |name: &&&str| strsim::damerau_levenshtein(typed, name);
    let start = names.iter().find(|name| typed.len() > 2 && name.starts_with(typed));
    let nearest = names.iter().min_by_key(distance);
    let near = nearest.filter(|name| distance(name) <= typed.len().max(3) / 3);
    match near.or(start) {
        Some(name) => format!(" (did you mean `{name}`?)"),
        None => String::new(),
    }
}

/// Flags with their values, checked against those that the comparison has.
#[derive(Debug, Default)]
pub(super) struct Flags(Vec<(&'static str, String)>);

impl Flags {
    /// Whether the flag is set.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(flag, _)| *flag == name)
    }

    /// The value of a flag.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(flag, _)| *flag == name).map(|(_, value)| value.as_str())
    }

    /// The value of a flag that is a whole number.
    pub(super) fn whole(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(|value| value.parse().ok())
    }
}

/// Reads the name of a comparison and its flags: `NAME[,FLAG[=VALUE]]...`.
///
/// # Errors
/// When there is no such comparison, it has no such flag, or a value does not fit.
pub fn parse(text: &str) -> Result<Box<dyn Checker>, ParseError> {
    Ok(Box::new(Named { name: text.to_owned(), comparison: comparison(text)? }))
}

/// The rule behind a name.
pub(super) fn comparison(text: &str) -> Result<Box<dyn Comparison>, ParseError> {
    let mut parts = text.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let preset = ALL.iter().find(|preset| preset.name == name);
    let preset = *preset.ok_or_else(|| ParseError::Name(name.to_owned()))?;
    let fault = |fault| ParseError::Value { preset: preset.name, fault };
    let mut flags = Flags::default();
    for part in parts {
        let (name, value) = part.split_once('=').map_or((part, None), |(a, b)| (a, Some(b)));
        let flag = preset.flags.iter().find(|flag| flag.name == name);
        let flag = flag.ok_or_else(|| ParseError::Flag {
            preset: preset.name,
            flag: name.to_owned(),
            names: preset.flags.iter().map(|flag| flag.name).collect(),
        })?;
        if flags.has(flag.name) {
            return Err(fault(FlagError(format!("`{name}` stands twice"))));
        }
        flag.value.check(name, value).map_err(|text| fault(FlagError(text)))?;
        flags.0.push((flag.name, value.unwrap_or_default().to_owned()));
    }
    (preset.make)(&flags).map_err(fault)
}

impl FlagValue {
    fn check(self, name: &str, value: Option<&str>) -> Result<(), String> {
        let expected = |what: &str| match value {
            Some(value) => Err(format!("`{name}`: expected {what}, found `{value}`")),
            None => Err(format!("`{name}` needs a value: {what}")),
        };
        let text = value.unwrap_or_default();
        match self {
            Self::None if value.is_none() => Ok(()),
            Self::None => Err(format!("`{name}` takes no value, found `{text}`")),
            Self::Tolerance => match text.parse::<f64>() {
                Ok(number) if number >= 0.0 && number.is_finite() => Ok(()),
                _ => expected("a number from 0 on"),
            },
            Self::Whole(least, most) => match text.parse::<i64>() {
                Ok(number) if (least..=most).contains(&number) => Ok(()),
                _ => expected(&format!("a whole number from {least} to {most}")),
            },
            Self::Word(words) if words.contains(&text) => Ok(()),
            Self::Word(words) => expected(&words.join(" or ")),
            Self::Numbers => {
                let number = |part: &str| part.parse::<u32>().is_ok();
                if !text.is_empty() && text.split(':').all(number) {
                    return Ok(());
                }
                expected("whole numbers with colons between them, such as 1:1:2")
            }
        }
    }
}

/// A comparison under the name by which it was asked for.
struct Named {
    name: String,
    comparison: Box<dyn Comparison>,
}

impl Checker for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        compare::judge(&*self.comparison, case, output)
    }
}
