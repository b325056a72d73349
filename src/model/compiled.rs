use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What came of building a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiled {
    /// The position of the submission in [`super::Plan::submissions`].
    pub submission: usize,
    /// The title of the language; empty when it was not found.
    pub language: String,
    /// The version of the compiler or interpreter, in one line; may be empty.
    pub version: String,
    /// The command that builds it; empty where nothing is built.
    pub command: Vec<String>,
    /// Whether there is a program now; why not, in words.
    pub outcome: Result<(), String>,
    /// Whether it was built before, from the same.
    pub cached: bool,
    /// Elapsed time of finding, building and trying it.
    pub wall: Duration,
    /// The beginning of what the compiler wrote.
    pub log: String,
    /// How many bytes it wrote.
    pub log_bytes: u64,
}
