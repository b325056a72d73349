//! The tables `[check]` and `[interactor]`: a program of the jury and what it says.

use toml::Spanned;
use toml::de::DeValue;

use super::program::{self, ProgramTable};
use super::{Fault, checked};
use crate::check::program::{self as check, Protocol};

/// The keys.
pub(super) const KEYS: [&str; 11] = [
    "args",
    "full_score",
    "include",
    "memory",
    "output",
    "passes",
    "processes",
    "program",
    "protocol",
    "time",
    "wall",
];

/// What `[check]` or `[interactor]` says.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct CheckTable {
    /// The program, its arguments and limits.
    pub(in crate::cli) program: ProgramTable,
    /// How it is asked and what its answer means.
    pub(in crate::cli) protocol: Option<&'static Protocol>,
    /// The points of a whole case.
    pub(in crate::cli) full_score: Option<f64>,
    /// How many passes a case may have.
    pub(in crate::cli) passes: Option<u32>,
}

/// Takes a key of `[check]` or `[interactor]`, which is one of [`KEYS`].
pub(super) fn take(
    table: &mut CheckTable,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    match name {
        "protocol" => table.protocol = Some(checked(value, check::parse)?),
        "full_score" => table.full_score = Some(checked(value, parse_full_score)?),
        "passes" => table.passes = Some(checked(value, parse_passes)?),
        name => {
            program::take(&mut table.program, name, value)?;
        }
    }
    Ok(())
}

/// The points of a whole case.
pub(in crate::cli) fn parse_full_score(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (1e-6..=1e9).contains(number));
    number.ok_or_else(|| format!("expected the points of a whole case, found `{text}`"))
}

/// How many passes a case may have.
pub(in crate::cli) fn parse_passes(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=check::MOST_PASSES).contains(number));
    number.ok_or_else(|| {
        format!("expected a number of passes from 1 to {}, found `{text}`", check::MOST_PASSES)
    })
}
