//! What a later comparison of times needs to know: each single run, and what it was run on.

use std::fs::File;
use std::time::Duration;

use super::Task;
use crate::model::{Samples, Termination};

/// CPU times of all runs of a case, in their order: of the base program, if there is one, and of
/// the program itself.
#[derive(Debug, Default)]
pub(super) struct CpuTimes {
    pub(super) base: Vec<Duration>,
    pub(super) head: Vec<Duration>,
}

impl CpuTimes {
    /// Runs the base program once, unless it has failed to come to its end before.
    pub(super) fn run_base(&mut self, task: &Task) {
        let Some(base) = task.base.filter(|_| self.base.len() == self.head.len()) else { return };
        let execution = base.execute(task.case, task.limits);
        if execution.termination == Termination::Finished {
            self.base.push(execution.usage.cpu);
        } else {
            self.base.clear();
        }
    }
}

/// The samples of a case that was to be run several times.
pub(super) fn samples(task: &Task, times: &CpuTimes) -> Samples {
    let ns = |times: &[Duration]| -> Vec<u64> {
        times.iter().map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)).collect()
    };
    Samples { cpu_ns: ns(&times.head), base_cpu_ns: ns(&times.base), input: input(task) }
}

/// The hash of the input; none where it cannot be read, which the runs have told.
fn input(task: &Task) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(&task.case.input).ok()?).ok()?;
    Some(hasher.finalize().to_hex().to_string())
}
