//! What the terminal can show: colours, characters, a bar.

use std::env;
use std::io::{self, IsTerminal};

use anstream::ColorChoice;
use clap::{ArgAction, Args, ValueEnum};

use super::options::flag;

use crate::report::{Charset, Look};

/// When colours are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, as `NO_COLOR`, `CLICOLOR_FORCE`, `FORCE_COLOR` and `CLICOLOR` say.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Options about printing that every command takes.
#[derive(Debug, Args)]
pub(super) struct Display {
    /// Use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", env = "JURY_COLOR")]
    pub(super) color: Color,
    /// Print ASCII only (automatic when the locale is not UTF-8)
    #[arg(long, global = true, env = "JURY_ASCII",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) ascii: bool,
}

impl Display {
    /// Makes the choice of colours known to everything that prints.
    pub(super) fn apply(&self) {
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let forced = set("FORCE_COLOR") && env::var("FORCE_COLOR").is_ok_and(|value| value != "0");
        match self.color {
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
            Color::Auto if forced && !set("NO_COLOR") => ColorChoice::Always,
            Color::Auto => ColorChoice::Auto,
        }
        .write_global();
    }

    /// The characters that may be printed.
    pub(super) fn look(&self) -> Look {
        let charset =
            if self.ascii || !locale_is_utf8() { Charset::Ascii } else { Charset::Unicode };
        Look { charset }
    }
}

/// Whether the locale's character set is UTF-8.
fn locale_is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        let locale = locale.split('@').next().unwrap_or(&locale);
        locale.ends_with("utf-8") || locale.ends_with("utf8")
    })
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressChoice {
    /// A bar on a terminal, lines elsewhere.
    #[default]
    Auto,
    /// One bar that vanishes at the end.
    Bar,
    /// A line now and then.
    Lines,
    /// Nothing.
    None,
}

impl ProgressChoice {
    /// The choice, `auto` resolved.
    pub(super) fn resolved(self) -> Self {
        match self {
            Self::Auto if in_ci() => Self::Lines,
            Self::Auto if io::stderr().is_terminal() && !dumb_terminal() => Self::Bar,
            Self::Auto => Self::Lines,
            chosen => chosen,
        }
    }
}

fn dumb_terminal() -> bool {
    env::var("TERM").map_or(true, |term| term.is_empty() || term == "dumb")
}

/// Whether a CI service runs us; `JURY_CI=none` says no.
pub(super) fn in_ci() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    !ci_is_off() && (set("CI") || set("BUILD_NUMBER"))
}

/// Whether GitHub Actions runs us; `JURY_CI=none` says no.
pub(super) fn in_github_actions() -> bool {
    !ci_is_off() && env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true")
}

fn ci_is_off() -> bool {
    env::var("JURY_CI").is_ok_and(|value| value == "none")
}
