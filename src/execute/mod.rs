//! Runs one case and says how it ended, what it used and what it wrote. Knows no verdicts.

use crate::model::{Execution, Limits, TestCase};

mod built_in;
mod calibration;
mod clock;
mod cores;
mod files;
mod interactive;
mod noise;
mod passes;
mod program;
mod settled;
mod trial;

pub use built_in::BuiltIn;
pub use calibration::calibrate;
pub use clock::Stopwatch;
pub use cores::{Cores, physical_cores};
pub use files::Files;
pub use interactive::{Interactive, Interactor};
pub use noise::NoiseMeter;
pub use passes::MultiPass;
pub use program::{Program, Start, Workers};
pub use settled::Settled;
pub use trial::Trial;

/// Runs a test case.
pub trait Executor: Sync {
    /// Runs it once, and no longer than the limits allow. A failure is told by
    /// [`Execution::termination`].
    fn execute(&self, case: &TestCase, limits: &Limits) -> Execution;

    /// Does something in which all that this thread runs shares one core, so that times can be
    /// compared.
    fn on_one_core(&self, work: &mut dyn FnMut()) {
        work();
    }
}
