use super::rule::{self, Rule};
use super::{CheckError, Checker};
use crate::model::{Judgement, Output, TestCase};

/// Accepts an output that equals the answer byte by byte.
#[derive(Debug, Clone, Copy)]
pub struct Exact;

impl Checker for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn summary(&self) -> &'static str {
        "equal bytes"
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        rule::judge(Rule::Exact, case, output)
    }
}
