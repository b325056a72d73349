//! Two programs that talk to each other: a solution and the interactor of its problem, each in a
//! runner of its own, joined by two pipes.
//!
//! Which of the two ends first must not hang on luck. So neither sees that the other has ended
//! before it cannot go on without knowing: the judge keeps a copy of every end of the pipes, and
//! closes it when a program waits in a read of an empty pipe that nobody will fill any more (or in
//! a write to a full one that nobody will empty). What each program does is then a function of the
//! bytes that it has read, and [`Party::shown`] says whether it has ended knowing of the other's
//! end. The interactor is never told that its words are not read: they are read and thrown away.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::ran::Ran;
use super::spec::Spec;
use super::{Sandbox, SandboxError};

pub use transcript::{Entry, Speaker, Transcript};

mod conduct;
mod rule;
mod stay;
mod transcript;
mod way;

/// Two runs to be joined: the stdin of each is the stdout of the other.
pub struct Pair<'a> {
    /// The solution.
    pub solution: &'a Spec,
    /// The interactor.
    pub interactor: &'a Spec,
    /// Elapsed time of the whole talk; what the interactor works, and what the machine has no time
    /// for either of them, does not count.
    pub wall: Duration,
    /// Whether the end of the interactor, and whether it was shown the solution's end, settles
    /// everything, so that the solution need not go on.
    pub settles: &'a dyn Fn(&mut Ran, bool) -> bool,
    /// The most bytes that are written down of what is said; none joins the programs directly.
    pub transcript: Option<u64>,
}

/// Two joined runs that took place.
#[derive(Debug)]
pub struct Talk {
    /// The solution.
    pub solution: Party,
    /// The interactor.
    pub interactor: Party,
    /// How long one of the two was ready and had no processor; that does not count against `wall`.
    pub queued: Duration,
    /// What was said, if it was to be written down.
    pub transcript: Option<Transcript>,
}

/// One of the two programs.
#[derive(Debug)]
pub struct Party {
    /// Its run.
    pub ran: Ran,
    /// Whether it ended after it was shown that the other one says or hears no more.
    pub shown: bool,
    /// Why the judge has ended it, if it did.
    pub stopped: Option<Stopped>,
    /// Bytes that it has written to anything, without those that nobody has taken from its stdout.
    pub said: u64,
}

/// Why the judge has ended a program of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The other one has settled everything.
    Settled,
    /// Both wait for each other: the solution, then the interactor.
    BothWait(Waiting, Waiting),
    /// It waited for a second when the other one had ended.
    Idle,
    /// An interactor that had not read to the end a second after the solution had failed.
    Behind,
    /// It had said more than its limit of output.
    Output,
    /// The elapsed time was over, and it was this program that the other one waited for.
    Elapsed,
}

/// What a program of a pair waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// It reads, and nothing comes.
    Reads,
    /// It writes, and nobody reads.
    Writes,
}

/// The core that both programs of a worker are kept on: words between two cores take longer.
#[must_use]
pub fn core(worker: usize) -> Option<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    let cores: Vec<usize> =
        (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    cores.get(worker % cores.len().max(1)).copied()
}

impl Sandbox {
    /// Runs two programs on two workers, joined by pipes, and waits for both to end.
    ///
    /// # Errors
    /// As [`Sandbox::run`].
    pub fn run_pair(&self, workers: [usize; 2], pair: &Pair<'_>) -> Result<Talk, SandboxError> {
        let lock = |worker: usize| {
            let runner = &self.runners[worker % self.runners.len()];
            runner.lock().unwrap_or_else(PoisonError::into_inner)
        };
        if workers[0] % self.runners.len() == workers[1] % self.runners.len() {
            return Err(SandboxError::Run("two programs need two workers".to_owned()));
        }
        let (mut solution, mut interactor) = (lock(workers[0]), lock(workers[1]));
        for last in [false, true] {
            if self.stopped.load(Ordering::SeqCst) {
                return Err(SandboxError::Stopped);
            }
            match conduct::run(&mut solution, &mut interactor, pair) {
                Err(SandboxError::Crashed(_)) if self.stopped.load(Ordering::SeqCst) => {
                    return Err(SandboxError::Stopped);
                }
                Err(SandboxError::Crashed(_)) if !last => {
                    for (worker, handle) in
                        workers.into_iter().zip([&mut solution, &mut interactor])
                    {
                        if handle.broken {
                            let stop = handle.restart()?;
                            self.stops[worker % self.stops.len()].replace(stop);
                        }
                    }
                }
                other => return other,
            }
        }
        Err(SandboxError::Stopped)
    }
}
