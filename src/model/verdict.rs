use serde::{Deserialize, Serialize};

/// What is said of one test case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Accepted: the output is right.
    #[serde(rename = "AC")]
    Accepted,
    /// Wrong answer: the output differs.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// Presentation error: the right answer in a wrong form.
    #[serde(rename = "PE")]
    PresentationError,
    /// Partly correct.
    #[serde(rename = "PC")]
    PartlyCorrect,
    /// Time limit exceeded, by working or by waiting.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// Memory limit exceeded.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// Output limit exceeded.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// Run-time error: the program ended with an error; the built-in core does so when the input
    /// breaks the format.
    #[serde(rename = "RTE")]
    RuntimeError,
    /// Compile error: the program was never run.
    #[serde(rename = "CE")]
    CompileError,
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
    /// Whether a program ran to its end, by itself, as often as it was to: its times can be compared.
    #[must_use]
    pub fn ran_to_its_end(self) -> bool {
        matches!(
            self,
            Self::Accepted
                | Self::WrongAnswer
                | Self::PresentationError
                | Self::PartlyCorrect
                | Self::NoAnswer
        )
    }

    /// Every verdict.
    pub const ALL: [Self; 12] = [
        Self::Accepted,
        Self::WrongAnswer,
        Self::PresentationError,
        Self::PartlyCorrect,
        Self::TimeLimit,
        Self::MemoryLimit,
        Self::OutputLimit,
        Self::RuntimeError,
        Self::CompileError,
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
            Self::PresentationError => "PE",
            Self::PartlyCorrect => "PC",
            Self::TimeLimit => "TLE",
            Self::MemoryLimit => "MLE",
            Self::OutputLimit => "OLE",
            Self::RuntimeError => "RTE",
            Self::CompileError => "CE",
            Self::JudgeError => "JE",
            Self::NoAnswer => "NA",
            Self::Skipped => "SKIP",
        }
    }

    /// The letter in a table of submissions and cases.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Accepted => '.',
            Self::WrongAnswer => 'W',
            Self::PresentationError => 'F',
            Self::PartlyCorrect => 'P',
            Self::TimeLimit => 'T',
            Self::MemoryLimit => 'M',
            Self::OutputLimit => 'O',
            Self::RuntimeError => 'R',
            Self::CompileError => 'C',
            Self::JudgeError => 'J',
            Self::NoAnswer => '?',
            Self::Skipped => '-',
        }
    }
}

/// Whether a result is as expected; the exit code follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
            let others = &Verdict::ALL[index + 1..];
            assert!(others.iter().all(|other| other.code() != verdict.code()));
            assert!(others.iter().all(|other| other.letter() != verdict.letter()));
        }
    }
}
