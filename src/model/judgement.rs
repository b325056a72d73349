use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Verdict;

/// What a checker says of one output.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The verdict: accepted, wrong answer, no answer, or judge error.
    pub verdict: Verdict,
    /// The first difference, for a wrong answer.
    pub mismatch: Option<Box<Mismatch>>,
    /// Bytes of the answer file.
    pub expected_bytes: u64,
    /// The share of the points that the output earns, from 0 to 1, where the checker tells it.
    pub score: Option<f64>,
    /// What the comparison has to say beside the difference; often empty.
    pub message: String,
    /// What may help, in one line.
    pub hint: Option<String>,
    /// The words of a checker program.
    pub remarks: Option<Box<Remarks>>,
    /// The files that a checker program has left.
    pub feedback: Option<Box<Feedback>>,
}

impl Judgement {
    /// A verdict without more words.
    #[must_use]
    pub fn of(verdict: Verdict, expected_bytes: u64) -> Self {
        Self {
            verdict,
            mismatch: None,
            expected_bytes,
            score: None,
            message: String::new(),
            hint: None,
            remarks: None,
            feedback: None,
        }
    }
}

/// Files that a program of the jury has left in its folder, bounded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feedback {
    /// Their names below the folder, as the program has chosen them, and what is in them.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Whether there was more than this.
    pub more: bool,
}

/// What a checker program said of an output in words: raw bytes, cut.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// For the jury.
    pub message: Vec<u8>,
    /// For the contestant.
    pub team: Vec<u8>,
    /// Where the difference is: bytes in the answer and in the output, from 0.
    pub position: Option<(u64, u64)>,
    /// The files that it left, of those that its protocol reads.
    #[serde(default)]
    pub files: Vec<String>,
    /// What is odd about the score.
    pub warning: Option<String>,
}

/// Bytes that are kept of a message.
const MOST_WORDS: usize = 2048;

impl Remarks {
    /// With this message for the jury.
    #[must_use]
    pub fn of(message: &[u8]) -> Self {
        Self { message: cut(message), ..Self::default() }
    }

    /// Sets the message for the contestant.
    pub fn set_team(&mut self, message: &[u8]) {
        self.team = cut(message);
    }
}

fn cut(message: &[u8]) -> Vec<u8> {
    let message = message.trim_ascii();
    message[..message.len().min(MOST_WORDS)].to_vec()
}

/// How an output differs from the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MismatchKind {
    /// A token (or line) with another value.
    Value,
    /// The output ends too early.
    MissingOutput,
    /// The output goes on after the answer's end.
    ExtraOutput,
    /// The output is empty or blank, the answer is not.
    EmptyOutput,
    /// The same lines in another order.
    Order,
    /// A number outside the tolerance.
    Tolerance,
    /// Letters that differ only in upper and lower case.
    Case,
    /// Only blanks differ.
    Whitespace,
    /// Only line ends differ.
    LineEnding,
    /// A byte that is not UTF-8 where the answer is.
    Encoding,
    /// The output has not the form that the comparison asks for.
    Presentation,
    /// A checker program refused it.
    Checker,
}

impl MismatchKind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::Value,
        Self::MissingOutput,
        Self::ExtraOutput,
        Self::EmptyOutput,
        Self::Order,
        Self::Tolerance,
        Self::Case,
        Self::Whitespace,
        Self::LineEnding,
        Self::Encoding,
        Self::Presentation,
        Self::Checker,
    ];

    /// The word used in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::MissingOutput => "missing_output",
            Self::ExtraOutput => "extra_output",
            Self::EmptyOutput => "empty_output",
            Self::Order => "order",
            Self::Tolerance => "tolerance",
            Self::Case => "case",
            Self::Whitespace => "whitespace",
            Self::LineEnding => "line_ending",
            Self::Encoding => "encoding",
            Self::Presentation => "presentation",
            Self::Checker => "checker",
        }
    }
}

/// The first difference between an answer and an output. Everything in it is bounded: excerpts
/// are cut around the difference, raw bytes of the files that are not shown are not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The kind of difference.
    pub kind: MismatchKind,
    /// Line of the difference in the answer, from 1. Where only the output goes on: the line of its
    /// first surplus. Where the output ends between two lines: the last line that it has.
    pub line: u64,
    /// Token within the line, from 1; none where lines or bytes are compared, where a side ends
    /// between two lines, and where the line's start is too far away to count from.
    pub token: Option<u64>,
    /// Byte of the difference in the output, from 0.
    pub byte: u64,
    /// The differing part of the answer (token, line or line end): raw bytes, cut to at most 100
    /// around the difference; none where it has ended.
    pub expected: Option<Vec<u8>>,
    /// The differing part of the output: raw bytes, cut to at most 100; none where it has ended.
    pub got: Option<Vec<u8>>,
    /// More words for the headline, such as `all tokens agree`; often empty.
    pub remark: String,
    /// At most five rows around the difference, answer and output side by side.
    pub view: Vec<ViewRow>,
    /// Sizes of both sides; none where counting was not worth a second pass.
    pub totals: Option<Totals>,
}

/// One row of the side-by-side view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewRow {
    /// Line number in the answer, from 1; behind its end the one that the line would have.
    pub number: u64,
    /// Line number in the output, from 1; another one where the output breaks its lines elsewhere.
    pub got_number: u64,
    /// Whether the first difference is in this row.
    pub differs: bool,
    /// The answer's line; none behind its end.
    pub expected: Option<Line>,
    /// The output's line; none behind its end.
    pub got: Option<Line>,
}

impl ViewRow {
    /// Whether the output has this row, with another number than the answer's.
    #[must_use]
    pub fn breaks_elsewhere(&self) -> bool {
        self.got.is_some() && self.number != self.got_number
    }
}

/// A line, or the part of a long line around the difference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Raw bytes without the line feed; at most 200.
    pub bytes: Vec<u8>,
    /// Bytes of the line that were cut off before [`Line::bytes`]; a lower bound in long lines.
    pub cut_before: u64,
    /// Bytes of the line that were cut off behind [`Line::bytes`]; a lower bound in long lines.
    pub cut_after: u64,
    /// Whether the line ends in a line feed.
    pub terminated: bool,
    /// The differing part within [`Line::bytes`], to be marked.
    pub mark: Option<(usize, usize)>,
    /// Token number of the marked part and tokens of the whole line, for cut lines.
    pub token_of: Option<(u64, u64)>,
}

/// How large the two sides are. Blank lines at the end count only where every byte does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Lines of the answer.
    pub expected_lines: u64,
    /// Lines of the output.
    pub got_lines: u64,
    /// Lines that differ under the comparison in use, from the first difference on, compared one
    /// by one; none where both sides break their lines at different places before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing_lines: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_equal_to_the_serialized_form() {
        for (index, kind) in MismatchKind::ALL.iter().enumerate() {
            let json = serde_json::to_string(kind).unwrap();
            assert_eq!(json, format!("\"{}\"", kind.word()));
            assert!(MismatchKind::ALL[index + 1..].iter().all(|other| other.word() != kind.word()));
        }
    }
}
