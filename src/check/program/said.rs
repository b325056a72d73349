//! All that a checker has said: exit code, both streams, files. Bytes, bounded.

use super::Fault;
use crate::model::Verdict;

/// How lines begin with which Python, Java and Node.js tell of an uncaught exception.
const UNCAUGHT: [&str; 3] =
    ["Traceback (most recent call last):", "Exception in thread \"", "Node.js v"];

/// What a checker said, when it ended by itself within its limits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Said {
    /// The exit code.
    pub code: i32,
    /// The beginning of standard output.
    pub stdout: Vec<u8>,
    /// The beginning of standard error.
    pub stderr: Vec<u8>,
    /// The files that the protocol wants and that the checker has written.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// The points of a whole case.
    pub full_score: f64,
    /// The number of the pass, from 1, and how many there may be.
    pub passes: (u32, u32),
    /// Bytes of the greatest of input, output and answer.
    pub greatest: u64,
}

impl Said {
    /// A file of this name, if it was written.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.as_slice())
    }

    /// What exit code 1 means where it refuses. Interpreters also end with 1 when nobody caught an
    /// exception; their words on standard error tell the two apart.
    pub(super) fn refusal(&self) -> Result<Verdict, Fault> {
        let marked = |line: &[u8]| UNCAUGHT.iter().any(|mark| line.starts_with(mark.as_bytes()));
        if lines(&self.stderr).any(marked) {
            return Err("ended by an uncaught exception".into());
        }
        Ok(Verdict::WrongAnswer)
    }

    /// What is said when the exit code means nothing.
    pub(super) fn unknown_code(&self, known: &str) -> Fault {
        Fault(format!("exit code {}, expected {known}", self.code))
    }
}

/// The lines of a text without their ends, those that are blank left out.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

/// A decimal number and nothing else: no hexadecimal, infinity or not-a-number.
pub(super) fn number(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let number: f64 = text.bytes().all(plain).then(|| text.parse().ok())??;
    number.is_finite().then_some(number)
}
