//! A program that cannot be run at all: every case ends in the same way.

use super::Executor;
use crate::model::{Execution, Limits, Termination, TestCase};

/// Ends every case without running anything.
#[derive(Debug)]
pub struct Settled(pub Termination);

impl Executor for Settled {
    fn execute(&self, _case: &TestCase, _limits: &Limits) -> Execution {
        Execution::without_run(self.0.clone())
    }
}
