use serde::Serialize;

use super::Verdict;

/// What a checker says of one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict: accepted, wrong answer, or no answer.
    pub verdict: Verdict,
    /// The first difference, for a wrong answer.
    pub mismatch: Option<Box<Mismatch>>,
    /// Bytes of the answer file.
    pub expected_bytes: u64,
}

/// How an output differs from the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
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
    /// A checker program refused it.
    Checker,
}

impl MismatchKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
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
            Self::Checker => "checker",
        }
    }
}

/// The first difference between an answer and an output. Everything in it is bounded: excerpts
/// are cut around the difference, raw bytes of the files that are not shown are not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The kind of difference.
    pub kind: MismatchKind,
    /// Line of the difference in the answer (in the output when only that goes on), from 1.
    pub line: u64,
    /// Token within the line, from 1; none where lines or bytes are compared.
    pub token: Option<u64>,
    /// Byte of the difference in the output, from 0.
    pub byte: u64,
    /// The differing part of the answer: raw bytes, cut to at most 100; none where it has ended.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewRow {
    /// Line number, from 1.
    pub number: u64,
    /// Whether the first difference is in this row.
    pub differs: bool,
    /// The answer's line; none behind its end.
    pub expected: Option<Line>,
    /// The output's line; none behind its end.
    pub got: Option<Line>,
}

/// A line, or the part of a long line around the difference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Raw bytes without the line feed; at most 200.
    pub bytes: Vec<u8>,
    /// Bytes of the line that were cut off before [`Line::bytes`].
    pub cut_before: u64,
    /// Bytes of the line that were cut off behind [`Line::bytes`].
    pub cut_after: u64,
    /// Whether the line ends in a line feed.
    pub terminated: bool,
    /// The differing part within [`Line::bytes`], to be marked.
    pub mark: Option<(usize, usize)>,
    /// Token number of the marked part and tokens of the whole line, for cut lines.
    pub token_of: Option<(u64, u64)>,
}

/// How large the two sides are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Lines of the answer.
    pub expected_lines: u64,
    /// Lines of the output.
    pub got_lines: u64,
    /// Lines, compared one by one at the same number, that differ under the comparison in use.
    pub differing_lines: u64,
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
