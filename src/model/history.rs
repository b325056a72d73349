use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One run in a history: a line of the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The name and version of this form.
    pub schema: String,
    /// The run.
    #[serde(default)]
    pub id: String,
    /// When it was started, RFC 3339.
    #[serde(default)]
    pub started_at: String,
    /// The commit of the project; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// The machine.
    #[serde(default)]
    pub host: HistoryHost,
    /// Runs of each case.
    #[serde(default)]
    pub runs: u32,
    /// Cases, of all submissions together.
    #[serde(default)]
    pub cases: usize,
    /// Those that were as expected.
    #[serde(default)]
    pub passed: usize,
    /// Whether the run was stopped before its end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// What each submission took.
    #[serde(default)]
    pub submissions: Vec<HistorySubmission>,
}

/// The machine of a run in a history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryHost {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The model of the processor.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cpu: String,
    /// Processors the run could use.
    #[serde(default)]
    pub cores: usize,
    /// The release of the kernel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kernel: String,
    /// CPU time of a fixed piece of work, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration_ns: Option<u64>,
}

/// A submission of a run in a history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistorySubmission {
    /// The problem that it answers.
    pub problem: String,
    /// Its name.
    pub name: String,
    /// Cases that were as expected.
    #[serde(default)]
    pub passed: usize,
    /// The median CPU time of each case that ran to its end.
    #[serde(default)]
    pub medians_ns: BTreeMap<String, u64>,
}
