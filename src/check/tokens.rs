use super::rule::{self, Rule};
use super::{CheckError, Checker};
use crate::model::{Judgement, Output, TestCase};

/// Accepts an output whose tokens are those of the answer, byte by byte and in the same order.
///
/// Tokens are what stands between blanks: space, tab, line feed, vertical tab, form feed, carriage
/// return. How many blanks, and which, does not matter. Upper and lower case differ.
#[derive(Debug, Clone, Copy)]
pub struct Tokens;

impl Checker for Tokens {
    fn name(&self) -> &'static str {
        "tokens"
    }

    fn summary(&self) -> &'static str {
        "equal tokens; blanks and line breaks do not matter"
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        rule::judge(Rule::Tokens, case, output)
    }
}
