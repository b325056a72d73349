//! Failures of the sandbox itself.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::level::{Level, Missing};

/// Why the sandbox could not do its part. Never the fault of the program that was to be run.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The level wanted cannot be had on this machine.
    #[error("the sandbox level {} cannot be had: {}", level_name(*.wanted), reasons(.missing))]
    Unavailable {
        /// The level.
        wanted: Level,
        /// What is missing.
        missing: Vec<Missing>,
    },
    /// The control group asked for cannot be used.
    #[error("the control group cannot be used: {0}")]
    Cgroup(String),
    /// A runner process did not start.
    #[error("the runner process does not start: {0}")]
    Start(#[source] io::Error),
    /// There is no place for working folders.
    #[error("no place for working folders: {0}")]
    Scratch(#[source] io::Error),
    /// The runner process has ended or its answer was torn.
    #[error("the runner process failed: {0}")]
    Crashed(#[source] io::Error),
    /// The runner could not set up this run.
    #[error("the run could not be set up: {0}")]
    Run(String),
    /// A file to be copied in cannot be read.
    #[error("cannot copy {}: {source}", .path.display())]
    CopyIn {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The sandbox was stopped.
    #[error("stopped")]
    Stopped,
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::None => "none",
        Level::Basic => "basic",
        Level::Strict => "strict",
        Level::Auto => "auto",
    }
}

fn reasons(missing: &[Missing]) -> String {
    let one = |missing: &Missing| format!("{}: {}", missing.layer.name(), missing.reason);
    missing.iter().map(one).collect::<Vec<_>>().join(", ")
}
