use std::fmt;
use std::io::{Read, Seek};
use std::time::Duration;

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

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Termination {
    /// By itself, without complaint.
    Finished,
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

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output({} bytes)", self.bytes)
    }
}
