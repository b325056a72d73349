//! A program in the sandbox as an executor: one fresh run for each case.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Cores, Executor, Files};
use crate::check::program::Pass;
use crate::model::{Bound, Clock, Execution, Limits, Memory, Output, Termination, TestCase, Usage};
use crate::sandbox::{
    self, Ended, Input, Limit, Pair, Ran, RunLimits, Sandbox, SandboxError, Spec, Stderr, Talk,
};

/// A sandbox whose workers are handed out to whoever needs one.
#[derive(Debug)]
pub struct Workers {
    sandbox: Sandbox,
    free: Mutex<Vec<usize>>,
    /// How many are handed out.
    number: usize,
    cores: Cores,
}

impl Workers {
    /// All workers of the sandbox are free; runs stay on these cores.
    #[must_use]
    pub fn new(sandbox: Sandbox, cores: Cores) -> Self {
        Self::of(sandbox.workers(), sandbox, cores)
    }

    /// Half of the workers of the sandbox are handed out; the other half are their partners.
    #[must_use]
    pub fn in_pairs(sandbox: Sandbox, cores: Cores) -> Self {
        Self::of(sandbox.workers() / 2, sandbox, cores)
    }

    fn of(number: usize, sandbox: Sandbox, cores: Cores) -> Self {
        let free = Mutex::new((0..number).rev().collect());
        Self { sandbox, free, number, cores }
    }

    /// How many runs can go on at once.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Runs two programs that talk to each other on one core, by a free worker and its partner.
    pub(super) fn run_pair(&self, pair: &Pair<'_>) -> Result<Talk, SandboxError> {
        self.cores.with(|core| {
            self.with(|worker| {
                let core = core.or_else(|| sandbox::core(worker));
                let solution = &Spec { core, ..pair.solution.clone() };
                let interactor = &Spec { core, ..pair.interactor.clone() };
                let workers = [worker, worker + self.number];
                self.sandbox.run_pair(workers, &Pair { solution, interactor, ..*pair })
            })
        })
    }

    /// Does something in which all that this thread runs shares one core.
    pub(super) fn on_one_core(&self, work: &mut dyn FnMut()) {
        self.cores.hold(work);
    }

    /// The sandbox itself.
    #[must_use]
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Runs one program on a free worker, and on a core of its own where there are enough.
    ///
    /// # Errors
    /// [`SandboxError`] when the sandbox fails; a program that fails is no error.
    pub fn run(&self, mut spec: Spec) -> Result<Ran, SandboxError> {
        self.cores.with(|core| {
            spec.core = spec.core.or(core);
            self.with(|worker| self.sandbox.run(worker, &spec))
        })
    }

    /// Does something with a worker that nobody else uses in the meantime.
    pub fn with<T>(&self, work: impl FnOnce(usize) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = free().pop();
        let done = work(worker.unwrap_or(0));
        free().extend(worker);
        done
    }
}

/// Makes what a run is asked to be from the limits; input and limits are filled in later.
pub type Start = Box<dyn Fn(&Limits) -> Spec + Send + Sync>;

/// Runs one program in the sandbox.
pub struct Program {
    workers: Arc<Workers>,
    start: Start,
    files: Files,
}

impl Program {
    /// A program that `start` describes, and that reads and writes these files.
    #[must_use]
    pub fn new(workers: Arc<Workers>, start: Start, files: Files) -> Self {
        Self { workers, start, files }
    }

    /// Runs it for one pass of a case.
    pub(super) fn run_pass(&self, case: &TestCase, pass: &Pass, limits: &Limits) -> Execution {
        match self.run(case, pass, limits) {
            Ok((ran, input_bytes)) => execution(ran, input_bytes, &self.files),
            Err(termination) => Execution::without_run(termination),
        }
    }

    fn run(
        &self,
        case: &TestCase,
        pass: &Pass,
        limits: &Limits,
    ) -> Result<(Ran, u64), Termination> {
        let failed = |reason: String| Termination::Failed(reason, None);
        let unreadable =
            |error: io::Error| failed(format!("cannot read {}: {error}", case.input.display()));
        let mut spec = (self.start)(limits);
        spec.limits = run_limits(limits, &spec.limits);
        let bytes = match (pass.input(), self.files.input.is_some()) {
            (Some(input), named) => {
                spec.stdin = if named { spec.stdin } else { Arc::clone(input) };
                input.bytes()
            }
            (None, true) => case.input.metadata().map_err(unreadable)?.len(),
            (None, false) => {
                let file = File::open(&case.input).map_err(unreadable)?;
                spec.stdin = Arc::new(Input::from_file(&file).map_err(unreadable)?);
                spec.stdin.bytes()
            }
        };
        self.files.prepare(case, pass, spec.limits.output, &mut spec).map_err(failed)?;
        match self.workers.run(spec) {
            Ok(ran) => Ok((ran, bytes)),
            Err(error) => Err(not_run(&error)),
        }
    }
}

impl Executor for Program {
    fn execute(&self, case: &TestCase, limits: &Limits) -> Execution {
        self.run_pass(case, &Pass::first(1), limits)
    }

    fn on_one_core(&self, work: &mut dyn FnMut()) {
        self.workers.on_one_core(work);
    }
}

/// A limit that never holds.
const NEVER: Duration = Duration::from_hours(24);

/// How a run ends that the sandbox could not make.
pub(super) fn not_run(error: &SandboxError) -> Termination {
    match error {
        SandboxError::Stopped => Termination::Stopped,
        error => Termination::Failed(format!("sandbox: {error}"), None),
    }
}

/// What the sandbox is to enforce, so that the deciding clock can decide.
pub(super) fn run_limits(limits: &Limits, language: &RunLimits) -> RunLimits {
    let wall = limits.wall.unwrap_or(NEVER);
    let time = limits.time.unwrap_or(NEVER);
    let (cpu, wall) = match limits.clock {
        Clock::Cpu => (limits.stop_after().unwrap_or(NEVER), wall),
        Clock::User => (NEVER, wall),
        Clock::Wall => (NEVER, wall.min(time)),
    };
    RunLimits {
        patience: if limits.clock == Clock::Wall { 0 } else { language.patience },
        user: limits.stop_after().filter(|_| limits.clock == Clock::User),
        cpu,
        wall,
        memory: limits.memory.unwrap_or(u64::MAX >> 1),
        output: limits.output.unwrap_or(u64::MAX >> 1),
        processes: limits.processes.unwrap_or(language.processes),
        stack: limits.stack.or(language.stack),
        ..language.clone()
    }
}

pub(super) fn execution(mut ran: Ran, input_bytes: u64, files: &Files) -> Execution {
    if let Some(error) = unstartable(ran.ended) {
        ran.ended = Ended::Exited(UNSTARTABLE);
        ran.stderr = Stderr { head: error.into_bytes(), ..Stderr::default() };
    }
    let usage = Usage {
        cpu: ran.cpu(),
        user: Some(ran.cpu_user),
        wall: ran.wall,
        queued: ran.queued,
        input_bytes,
        memory: Some(Memory { bytes: ran.memory_peak, metric: ran.memory_metric.name().into() }),
        switches: Some(ran.involuntary_switches),
        cpu_source: Some(Cow::Borrowed(ran.cpu_source.name())),
    };
    let stderr = last_words(&ran.stderr);
    let (termination, output) = match files.output(&mut ran) {
        Ok(output) => (termination(ran.ended), output),
        Err(termination) => (termination, Output::empty()),
    };
    Execution { termination, usage, output, stderr, talk: None }
}

/// The exit code that shells give to a program that cannot be started.
const UNSTARTABLE: i32 = 126;

/// Why the program itself, and not the machine, is the reason that it did not start.
fn unstartable(ended: Ended) -> Option<String> {
    let Ended::NotStarted(number) = ended else { return None };
    let own = [
        libc::ENOEXEC,
        libc::ENOENT,
        libc::EACCES,
        libc::EINVAL,
        libc::ELIBBAD,
        libc::ELOOP,
        libc::ENOTDIR,
        libc::EISDIR,
        libc::ENAMETOOLONG,
    ];
    let error = io::Error::from_raw_os_error(number);
    own.contains(&number).then(|| format!("cannot be started: {error}"))
}

fn termination(ended: Ended) -> Termination {
    match ended {
        Ended::Exited(0) => Termination::Finished,
        Ended::Exited(code) => Termination::Exited(code),
        Ended::Signaled(signal) => Termination::Signaled(signal),
        Ended::Over(Limit::Cpu) => Termination::Killed(Bound::Time),
        Ended::Over(Limit::Wall) => Termination::Killed(Bound::Wall),
        Ended::Over(Limit::Output) => Termination::Killed(Bound::Output),
        Ended::Over(Limit::Memory) => Termination::Killed(Bound::Memory),
        Ended::NotStarted(number) | Ended::NotSetUp(number) => {
            let error = io::Error::from_raw_os_error(number);
            Termination::Failed(format!("the program does not start: {error}"), None)
        }
    }
}

/// Bytes of stderr that are kept with a result.
const WORDS: usize = 4096;

fn last_words(stderr: &Stderr) -> Vec<u8> {
    let part = if stderr.tail.is_empty() { &stderr.head } else { &stderr.tail };
    part[part.len().saturating_sub(WORDS)..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_cannot_be_started_is_its_own_fault_and_a_full_machine_is_not() {
        for number in [libc::ENOEXEC, libc::ENOENT, libc::EACCES] {
            let text = unstartable(Ended::NotStarted(number)).unwrap();
            assert!(text.starts_with("cannot be started: "), "{text}");
        }
        for ended in [
            Ended::NotStarted(libc::EAGAIN),
            Ended::NotStarted(0),
            Ended::NotSetUp(libc::EACCES),
            Ended::Exited(126),
        ] {
            assert_eq!(unstartable(ended), None, "{ended:?}");
        }
    }
}
