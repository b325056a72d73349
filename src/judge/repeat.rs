//! All runs of a case, and what a later comparison of times needs to know of them: each single time, and
//! what was run.

use std::fs::File;
use std::time::Duration;

use super::{Settings, Task};
use crate::execute::Executor;
use crate::model::{Execution, Samples, Termination, Times};

/// The last run, and the times of all.
pub(super) fn execute(
    task: &Task,
    executor: &dyn Executor,
    settings: &Settings,
) -> (Execution, Times, CpuTimes) {
    if settings.runs <= 1 {
        return repeat(task, executor, settings);
    }
    let mut done = None;
    executor.on_one_core(&mut || done = Some(repeat(task, executor, settings)));
    done.unwrap_or_else(|| repeat(task, executor, settings))
}

fn repeat(
    task: &Task,
    executor: &dyn Executor,
    settings: &Settings,
) -> (Execution, Times, CpuTimes) {
    let mut cpu = CpuTimes::default();
    let mut wall = Vec::new();
    loop {
        cpu.run_base(task);
        let execution = executor.execute(task.case, task.limits);
        cpu.head.push(execution.usage.cpu);
        wall.push(execution.usage.wall);
        let enough = wall.len() >= settings.runs as usize || (settings.stop)();
        if enough || execution.termination != Termination::Finished {
            let times = times(&mut cpu.head.clone(), &mut wall);
            return (execution, times, cpu);
        }
    }
}

fn times(cpu: &mut [Duration], wall: &mut [Duration]) -> Times {
    cpu.sort_unstable();
    wall.sort_unstable();
    Times {
        runs: cpu.len() as u32,
        cpu: median(cpu),
        cpu_min: cpu.first().copied().unwrap_or_default(),
        cpu_max: cpu.last().copied().unwrap_or_default(),
        wall: median(wall),
        ..Times::default()
    }
}

/// The middle of sorted times, or the mean of the two middle ones.
pub(super) fn median(sorted: &[Duration]) -> Duration {
    match sorted.len() {
        0 => Duration::ZERO,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2,
    }
}

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
