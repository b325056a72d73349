use super::rule::{self, Rule};
use super::{CheckError, Checker};
use crate::model::{Judgement, Output, TestCase};

/// Accepts an output whose lines are those of the answer, apart from what nobody sees.
///
/// Lines end at a line feed. Free are: blanks at the end of a line (space, tab, vertical tab, form
/// feed, carriage return, so CRLF equals LF), blank lines at the end of the file, and a missing
/// last line feed. All else counts byte by byte: blanks at the start of a line and between tokens,
/// blank lines above the last text.
#[derive(Debug, Clone, Copy)]
pub struct Lines;

impl Checker for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn summary(&self) -> &'static str {
        "equal lines; trailing blanks, CRLF and blank lines at the end do not matter"
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        rule::judge(Rule::Lines, case, output)
    }
}
