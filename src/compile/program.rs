//! A program that is ready to run.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::cache;
use crate::language::{Allowances, Values, expand};

/// A program that is ready to run, as often as wanted. Its files stay as long as it lives.
#[derive(Debug, Clone)]
pub struct Program {
    /// The title of its language.
    pub language: String,
    /// The version of the compiler or interpreter, in one line; may be empty.
    pub version: String,
    /// The command that builds it, in the folder of its sources; empty where nothing is built.
    pub command: Vec<String>,
    /// Files and folders that it has to see, besides the system's own ones.
    pub visible: Vec<PathBuf>,
    /// What it gets on top of a problem's limits.
    pub allowances: Allowances,
    /// What the compiler said although it succeeded.
    pub log: Log,
    /// Where it comes from.
    pub origin: Origin,
    pub(super) run: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) values: Values,
    pub(super) entry: Option<Arc<cache::Entry>>,
}

/// Where a program comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was built now.
    Built,
    /// It was built before, from the same.
    Cached,
    /// It was given as it is.
    Given,
}

/// What a compiler wrote: the beginning, and how much there was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The first bytes, as text.
    pub text: String,
    /// How many bytes there were.
    pub total: u64,
}

impl Program {
    /// The command for a run with this much memory and stack, in bytes: absolute path first.
    #[must_use]
    pub fn argv(&self, memory: u64, stack: u64) -> Vec<OsString> {
        let values = self.values_with(memory, stack);
        expand(&self.run, &values).into_iter().map(OsString::from).collect()
    }

    /// The whole environment for a run with this much memory and stack.
    #[must_use]
    pub fn environment(&self, memory: u64, stack: u64) -> Vec<(OsString, OsString)> {
        let values = self.values_with(memory, stack);
        let fill = |(name, value): &(String, String)| (name.into(), values.fill(value).into());
        self.environment.iter().map(fill).collect()
    }

    /// The folder of its files, if it was built.
    #[must_use]
    pub fn folder(&self) -> Option<PathBuf> {
        self.entry.as_ref().map(|entry| entry.folder.join(cache::FILES))
    }

    /// Whether what is started is the submission's own, and not an interpreter of this machine.
    #[must_use]
    pub fn is_own(&self) -> bool {
        let Some(started) = self.argv(0, 0).into_iter().next().map(PathBuf::from) else {
            return false;
        };
        self.origin == Origin::Given
            || self.folder().is_some_and(|folder| started.starts_with(folder))
    }

    fn values_with(&self, memory: u64, stack: u64) -> Values {
        let stack = self.allowances.stack_most.map_or(stack, |most| most.min(stack));
        Values { memory, stack, ..self.values.clone() }
    }
}

impl Log {
    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}
