use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Elapsed time in which a run was ready and had no processor does not count, up to so many times its
/// limit of elapsed time.
pub const PATIENCE: u32 = 4;

/// What one run may use; an absent limit does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Limits {
    /// Time by the deciding clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Duration>,
    /// Elapsed time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<Duration>,
    /// Peak memory in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Stack in bytes; none means as much as memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<u64>,
    /// Bytes of output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Processes beside the first; none means what the language needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// The clock that decides.
    pub clock: Clock,
}

/// The clock that decides about the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// User and system time of all processes of the run.
    #[default]
    Cpu,
    /// User time alone.
    User,
    /// Elapsed time.
    Wall,
}

impl Clock {
    /// The word used on the command line and in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::User => "user",
            Self::Wall => "wall",
        }
    }
}

/// How far behind its time limit a program is stopped, at most.
const GRACE: Duration = Duration::from_millis(140);

impl Limits {
    /// The CPU time at which a program is stopped: a little behind the time limit, so that most of
    /// the programs that are stopped are late beyond doubt, and those that are just late end by
    /// themselves and show by how much.
    #[must_use]
    pub fn stop_after(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_add(GRACE.min(time / 5)))
    }

    /// No limits at all: the built-in core runs so.
    pub const NONE: Self = Self {
        time: None,
        wall: None,
        memory: None,
        stack: None,
        output: None,
        processes: None,
        clock: Clock::Cpu,
    };
}
