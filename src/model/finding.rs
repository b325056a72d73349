use std::path::PathBuf;

use serde::Serialize;

/// Something odd about the files of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of oddity.
    pub kind: FindingKind,
    /// How bad it is.
    pub severity: Severity,
    /// The file it is about.
    pub path: PathBuf,
    /// The case it is about, if it belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The kinds of oddities in pairing inputs with answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// An input without an answer file.
    MissingAnswer,
    /// An answer file without an input.
    OrphanedAnswer,
    /// Two files that answer the same input.
    DuplicateAnswer,
    /// Two inputs that would have the same case name.
    DuplicateInput,
    /// Input and answer names that differ only in upper and lower case.
    CaseOnly,
    /// A file or folder that cannot be read.
    Unreadable,
    /// A file whose name fits no rule.
    Ignored,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The suite is not valid.
    Error,
    /// Odd, but the suite can be used.
    Warning,
}
