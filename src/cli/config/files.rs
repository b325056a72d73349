//! The table `[files]`: the names under which programs read and write.

use std::path::{Component, Path, PathBuf};

use toml::Spanned;
use toml::de::DeValue;

use super::{Fault, checked};
use crate::execute::Files;

/// The keys.
pub(super) const KEYS: [&str; 2] = ["input", "output"];

/// What stands for the name of the problem.
const PROBLEM: &str = "{problem}";

/// What `[files]` says; `{problem}` stands for the name of the problem.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(in crate::cli) struct FilesTable {
    input: Option<String>,
    output: Option<String>,
}

/// Takes a key of `[files]`, which is one of [`KEYS`].
pub(super) fn take(
    table: &mut FilesTable,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    let slot = if name == "input" { &mut table.input } else { &mut table.output };
    *slot = Some(checked(value, file_name)?);
    Ok(())
}

/// A path inside the working folder.
fn file_name(text: &str) -> Result<String, String> {
    let inside = Path::new(text).components().all(|part| matches!(part, Component::Normal(_)));
    let fits = inside && !text.is_empty() && !text.ends_with('/') && !text.contains('\0');
    let known = text.replace(PROBLEM, "");
    if !fits {
        Err(format!("expected the name of a file, such as {PROBLEM}.in, found `{text}`"))
    } else if known.contains('{') || known.contains('}') {
        Err(format!("the only word in braces is {PROBLEM}, found `{text}`"))
    } else {
        Ok(text.to_owned())
    }
}

impl FilesTable {
    /// The files of the programs for a problem.
    pub(in crate::cli) fn of(&self, problem: &str) -> Files {
        let fill = |name: &Option<String>| {
            name.as_ref().map(|name| PathBuf::from(name.replace(PROBLEM, problem)))
        };
        Files { input: fill(&self.input), output: fill(&self.output) }
    }
}
