//! Programming languages: how a submission in one is recognised, built and started, and what it is
//! allowed on top of a problem's limits. One row each in [`table`]; `jury.toml` changes rows and
//! adds some.
//!
//! Knows neither processes nor what is installed; a command here is a template:
//!
//! | placeholder | while building, relative to the folder of the sources | at a run |
//! |---|---|---|
//! | `{source}` | the entry file | its absolute path |
//! | `{sources}` | all files of the language, one argument each | their absolute paths |
//! | `{dir}` | `.` | the absolute folder of the built program |
//! | `{binary}` | `program`, or the first file that building makes | its absolute path |
//! | `{main_class}` | the class with the main method | the same |
//! | `{memory_mib}`, `{stack_kib}`, `{stack_bytes}` | of the build's limits | of the run's limits |
//! | `{tool:TOOL}` | the absolute path of an installed tool | the same |
//! | `{home:TOOL}` | the folder above its `bin` folder, links followed | the same |

pub use detect::{DetectFault, detect};
pub use entry::{entry_file, file_name, main_class};
pub use languages::{Languages, Override};
pub use source::{Form, Source, SourceFault, SourceFile};
pub use table::ALL;
pub use template::{Values, expand};

use std::time::Duration;

mod detect;
mod entry;
mod languages;
mod source;
pub mod table;
mod template;

/// A row of the built-in table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The short name, as in `[languages.NAME]`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// Extensions of its source files, without the dot, in small letters.
    pub extensions: &'static [&'static str],
    /// Names of interpreters behind `#!` that mean this language, without version numbers.
    pub interpreters: &'static [&'static str],
    /// Ways to build and start it; the first one that is installed is taken.
    pub toolchains: &'static [RowToolchain],
    /// What it gets on top of a problem's limits.
    pub allowances: Allowances,
    /// How the file that a run starts with is found.
    pub entry: Entry,
}

/// A way to build and start a language, in the built-in table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowToolchain {
    /// The command that builds or checks; empty when there is none.
    pub compile: &'static [&'static str],
    /// The files that building makes and a run needs; see [`Toolchain::outputs`].
    pub outputs: &'static [&'static str],
    /// The command that runs.
    pub run: &'static [&'static str],
    /// The command whose output names the version.
    pub version: &'static [&'static str],
    /// Tools that must be there although no command names them.
    pub needs: &'static [&'static str],
    /// Variables of the environment, with placeholders, while building and at a run.
    pub environment: &'static [(&'static str, &'static str)],
}

/// A language, after the changes of `jury.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Language {
    /// The short name, as in `[languages.NAME]`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// Extensions of its source files, without the dot, in small letters.
    pub extensions: Vec<String>,
    /// Names of interpreters behind `#!` that mean this language, without version numbers.
    pub interpreters: Vec<String>,
    /// Ways to build and start it; the first one that is installed is taken.
    pub toolchains: Vec<Toolchain>,
    /// What it gets on top of a problem's limits.
    pub allowances: Allowances,
    /// How the file that a run starts with is found.
    pub entry: Entry,
}

/// A way to build and start a language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Toolchain {
    /// The command that builds or checks, if there is one.
    pub compile: Option<Vec<String>>,
    /// The files that building makes and a run needs, in the folder of the build; `*.js` stands
    /// for one file for each source, with that extension. Empty when a run needs the sources.
    pub outputs: Vec<String>,
    /// The command that runs.
    pub run: Vec<String>,
    /// The command whose output names the version; empty when nothing tells it.
    pub version: Vec<String>,
    /// Tools that must be there although no command names them.
    pub needs: Vec<String>,
    /// Variables of the environment, with placeholders, while building and at a run.
    pub environment: Vec<(String, String)>,
}

/// What a language gets on top of a problem's limits, and how it may be limited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowances {
    /// The time limit is multiplied by this.
    pub time_factor: f64,
    /// Then this is added to the time limit.
    pub time_extra: Duration,
    /// Bytes that are added to the memory limit.
    pub memory_extra: u64,
    /// Processes at a time besides the first; none means threads only.
    pub processes: u32,
    /// Whether memory may be limited by address space or data segment.
    pub address_space: AddressSpace,
    /// The largest stack, in bytes, that the runtime can be told; `None` when there is no bound.
    pub stack_most: Option<u64>,
}

/// Whether memory may be limited by address space or data segment (`RLIMIT_AS`, `RLIMIT_DATA`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressSpace {
    /// It may: what is reserved is used.
    Limited,
    /// Never: the runtime reserves far more than it uses and would not even start.
    Never,
}

/// How the file that a run starts with is found among several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// All files are built into one program; which comes first does not matter.
    Any,
    /// The only file, or `main`, or the one named as the folder.
    Main,
    /// The file with the main method (Java); it is named after its public class.
    Class,
}

impl Language {
    /// Whether a file of this name is a source of the language.
    #[must_use]
    pub fn claims(&self, name: &str) -> bool {
        detect::extension(name).is_some_and(|extension| self.extensions.contains(&extension))
    }

    /// The commands' tools, in the order in which they are looked for, of every toolchain.
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        let mut tools: Vec<&str> = Vec::new();
        for tool in self.toolchains.iter().flat_map(Toolchain::tools) {
            if !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        tools
    }
}

impl Toolchain {
    /// The tools that must be installed: those that commands start with or name, and the needs.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        let commands = [self.compile.as_ref(), Some(&self.run), Some(&self.version)];
        let commands: Vec<&Vec<String>> = commands.into_iter().flatten().collect();
        let first = commands.clone().into_iter().filter_map(|command| command.first());
        let first = first.map(String::as_str).filter(|tool| !tool.contains('{'));
        let named = commands.into_iter().flatten().flat_map(|text| template::tools(text));
        first.chain(named).chain(self.needs.iter().map(String::as_str))
    }
}
