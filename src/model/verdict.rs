use serde::Serialize;

/// What is said of one test case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Verdict {
    /// Accepted: the output is right.
    #[serde(rename = "AC")]
    Accepted,
    /// Wrong answer: the output differs.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// Run-time error: the program ended with an error; the built-in core does so when the input
    /// breaks the format.
    #[serde(rename = "RTE")]
    RuntimeError,
    /// Judge error: we could not do our work, the case says nothing about the submission.
    #[serde(rename = "JE")]
    JudgeError,
    /// No answer file to compare with.
    #[serde(rename = "NA")]
    NoAnswer,
    /// Not run on purpose.
    #[serde(rename = "SKIP")]
    Skipped,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 6] = [
        Self::Accepted,
        Self::WrongAnswer,
        Self::RuntimeError,
        Self::JudgeError,
        Self::NoAnswer,
        Self::Skipped,
    ];

    /// The abbreviation used in reports and on the terminal.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::WrongAnswer => "WA",
            Self::RuntimeError => "RTE",
            Self::JudgeError => "JE",
            Self::NoAnswer => "NA",
            Self::Skipped => "SKIP",
        }
    }
}

/// Whether a result is as expected; the exit code follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// The judge itself failed.
    Error,
    /// Not run, or nothing to compare with and that was allowed.
    Skip,
}

impl Status {
    /// The word used in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Error => "error",
            Self::Skip => "skip",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_equal_to_the_serialized_form() {
        for (index, verdict) in Verdict::ALL.iter().enumerate() {
            let json = serde_json::to_string(verdict).unwrap();
            assert_eq!(json, format!("\"{}\"", verdict.code()));
            assert!(Verdict::ALL[index + 1..].iter().all(|other| other.code() != verdict.code()));
        }
    }
}
