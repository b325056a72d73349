//! Runs one case and says how it ended, what it used and what it wrote. Knows no verdicts.

use crate::model::{Execution, TestCase};

mod built_in;
mod clock;

pub use built_in::BuiltIn;
pub use clock::Stopwatch;

/// Runs a test case.
pub trait Executor: Sync {
    /// Runs it once. A failure is told by [`Execution::termination`].
    fn execute(&self, case: &TestCase) -> Execution;
}
