//! The keys by which a table describes a program of the jury, such as `[check]`.

use std::path::PathBuf;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use super::{Fault, checked, parse_processes, words};
use crate::cli::grade::{parse_size, parse_time};

/// A program of the jury as a table describes it; absent values leave the choice to others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli) struct ProgramTable {
    /// A source file, a folder of them, or a program; relative to the configuration's folder.
    pub(in crate::cli) program: Option<PathBuf>,
    /// Arguments behind those that its task gives it.
    pub(in crate::cli) args: Vec<String>,
    /// A folder of headers; relative to the configuration's folder.
    pub(in crate::cli) include: Option<PathBuf>,
    /// CPU time.
    pub(in crate::cli) time: Option<Duration>,
    /// Elapsed time.
    pub(in crate::cli) wall: Option<Duration>,
    /// Memory in bytes.
    pub(in crate::cli) memory: Option<u64>,
    /// Bytes of what it writes.
    pub(in crate::cli) output: Option<u64>,
    /// Processes beside the first.
    pub(in crate::cli) processes: Option<u32>,
}

/// Takes a key; false when it is none of those of a program.
pub(super) fn take(
    table: &mut ProgramTable,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<bool, Fault> {
    match name {
        "program" => table.program = Some(path(value)?),
        "include" => table.include = Some(path(value)?),
        "args" => table.args = words(value)?,
        "time" => table.time = Some(checked(value, parse_time)?),
        "wall" => table.wall = Some(checked(value, parse_time)?),
        "memory" => table.memory = Some(checked(value, parse_size)?),
        "output" => table.output = Some(checked(value, parse_size)?),
        "processes" => table.processes = Some(checked(value, parse_processes)?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn path(value: &Spanned<DeValue<'_>>) -> Result<PathBuf, Fault> {
    match value.get_ref() {
        DeValue::String(text) if !text.is_empty() => Ok(PathBuf::from(text.as_ref())),
        _ => Err(Fault::new("expected the path of a file or folder", value.span())),
    }
}
