use std::fmt;
use std::io::{self, Read, Seek};
use std::time::Duration;

use super::Verdict;

/// How one execution ended, what it used and what it wrote.
#[derive(Debug)]
pub struct Execution {
    /// How it ended.
    pub termination: Termination,
    /// What it used.
    pub usage: Usage,
    /// What it wrote.
    pub output: Output,
}

impl Execution {
    /// The verdict that follows from the way it ended, whatever it wrote; none when the output
    /// decides.
    #[must_use]
    pub fn limit_verdict(&self) -> Option<Verdict> {
        match self.termination {
            Termination::Finished => None,
            Termination::Refused(..) => Some(Verdict::RuntimeError),
            Termination::Failed(..) => Some(Verdict::JudgeError),
        }
    }
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Termination {
    /// By itself, without complaint.
    Finished,
    /// The program refused its input: what it says, in one line, and perhaps a hint.
    Refused(String, Option<String>),
    /// The judge's own part failed: the reason, in one line, and perhaps a hint.
    Failed(String, Option<String>),
}

/// What an execution used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of the thread (built-in solver).
    pub cpu: Duration,
    /// Elapsed time.
    pub wall: Duration,
    /// Bytes of the input.
    pub input_bytes: u64,
}

/// A stream that can be read again from any place.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// What an execution wrote, in memory or in a temporary file.
pub struct Output {
    /// The bytes, readable from the start.
    pub stream: Box<dyn ReadSeek + Send>,
    /// How many there are.
    pub bytes: u64,
}

impl Output {
    /// No bytes at all.
    #[must_use]
    pub fn empty() -> Self {
        Self { stream: Box::new(io::empty()), bytes: 0 }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output({} bytes)", self.bytes)
    }
}
