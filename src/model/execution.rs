use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Seek};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Clock, Limits, Talk, Verdict};

/// How one execution ended, what it used and what it wrote.
#[derive(Debug)]
pub struct Execution {
    /// How it ended.
    pub termination: Termination,
    /// What it used.
    pub usage: Usage,
    /// What it wrote.
    pub output: Output,
    /// What it wrote for people, cut to its end.
    pub stderr: Vec<u8>,
    /// What is known of its talk with an interactor.
    pub talk: Option<Box<Talk>>,
}

impl Execution {
    /// One that never took place.
    #[must_use]
    pub fn without_run(termination: Termination) -> Self {
        let (usage, output, stderr) = (Usage::default(), Output::empty(), Vec::new());
        Self { termination, usage, output, stderr, talk: None }
    }

    /// The verdict that follows from the measured numbers and the way it ended, whatever it
    /// wrote; none when the output decides. A judge error comes first, then time, output,
    /// memory and run-time errors: a program that is killed for its time is no run-time error.
    #[must_use]
    pub fn limit_verdict(&self, limits: &Limits) -> Option<Verdict> {
        match self.termination {
            Termination::Failed(..) | Termination::Stopped => return Some(Verdict::JudgeError),
            Termination::Absent(_) => return Some(Verdict::Skipped),
            Termination::Uncompiled(_) => return Some(Verdict::CompileError),
            Termination::Unstartable(_) => return Some(Verdict::RuntimeError),
            _ => {}
        }
        let silent = matches!(self.termination, Termination::Silent(_));
        if self.late(limits).is_some() {
            Some(Verdict::TimeLimit)
        } else if self.too_much_output(limits) {
            Some(Verdict::OutputLimit)
        } else if self.too_much_memory(limits) {
            Some(Verdict::MemoryLimit)
        } else if silent {
            Some(Verdict::WrongAnswer)
        } else if matches!(self.termination, Termination::Finished | Termination::Settled) {
            None
        } else {
            Some(Verdict::RuntimeError)
        }
    }

    /// Which clock ran out, if one did.
    #[must_use]
    pub fn late(&self, limits: &Limits) -> Option<Late> {
        let past = |used: Duration, limit: Option<Duration>| limit.is_some_and(|most| used > most);
        let killed = |bound| self.termination == Termination::Killed(bound);
        if past(self.usage.by(limits.clock), limits.time) || killed(Bound::Time) {
            Some(Late::Busy)
        } else if past(self.usage.wall.saturating_sub(self.usage.queued), limits.wall)
            || killed(Bound::Wall)
        {
            Some(Late::Idle)
        } else {
            None
        }
    }

    fn too_much_output(&self, limits: &Limits) -> bool {
        self.termination == Termination::Killed(Bound::Output)
            || limits.output.is_some_and(|most| self.output.bytes > most)
    }

    fn too_much_memory(&self, limits: &Limits) -> bool {
        let peak = self.usage.memory.as_ref().map(|memory| memory.bytes);
        self.termination == Termination::Killed(Bound::Memory)
            || limits.memory.zip(peak).is_some_and(|(most, peak)| peak >= most)
    }
}

/// Which clock ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Late {
    /// The deciding one.
    Busy,
    /// Elapsed time, while the deciding one stood still.
    Idle,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Termination {
    /// By itself, without complaint.
    Finished,
    /// By itself, with an exit code other than 0.
    Exited(i32),
    /// By itself, without complaint and without the file that was to be its output: why.
    Silent(String),
    /// By a signal that the judge did not send.
    Signaled(i32),
    /// By the judge, past a bound.
    Killed(Bound),
    /// By the judge, when the interactor had settled everything.
    Settled,
    /// The program refused its input: what it says, in one line, and perhaps a hint.
    Refused(String, Option<String>),
    /// The judge's own part failed: the reason, in one line, and perhaps a hint.
    Failed(String, Option<String>),
    /// It never ran: the program does not compile; what the compiler says.
    Uncompiled(String),
    /// It never ran: it is nothing that this machine can start; the reason, in one line.
    Unstartable(String),
    /// It never ran: what it needs is not on this machine.
    Absent(String),
    /// It was given up because the judge was told to stop.
    Stopped,
}

/// A bound past which a run is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// Time by the deciding clock.
    Time,
    /// Elapsed time.
    Wall,
    /// Bytes of output.
    Output,
    /// Peak memory.
    Memory,
}

/// What an execution used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time: of the thread for a built-in solver, else user and system time of all processes.
    pub cpu: Duration,
    /// The part of it in user mode, where known apart.
    pub user: Option<Duration>,
    /// Elapsed time.
    pub wall: Duration,
    /// The part of it that does not count against a limit: no processor was free.
    pub queued: Duration,
    /// Bytes of the input.
    pub input_bytes: u64,
    /// Peak memory, for a program.
    pub memory: Option<Memory>,
    /// How often the system took the processor away, for a program.
    pub switches: Option<u64>,
    /// Where the CPU time comes from, for a program.
    pub cpu_source: Option<Cow<'static, str>>,
}

impl Usage {
    /// Time by this clock.
    #[must_use]
    pub fn by(&self, clock: Clock) -> Duration {
        match clock {
            Clock::Cpu => self.cpu,
            Clock::User => self.user.unwrap_or(self.cpu),
            Clock::Wall => self.wall,
        }
    }
}

/// Peak memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The peak.
    pub bytes: u64,
    /// What was measured.
    pub metric: Cow<'static, str>,
}

/// A stream that can be read again from any place.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// What an execution wrote, in memory or in a temporary file.
pub struct Output {
    /// The bytes, readable from the start.
    pub stream: Box<dyn ReadSeek + Send>,
    /// How many there are.
    pub bytes: u64,
}

impl Output {
    /// No bytes at all.
    #[must_use]
    pub fn empty() -> Self {
        Self { stream: Box::new(io::empty()), bytes: 0 }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output({} bytes)", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        time: Some(Duration::from_secs(2)),
        wall: Some(Duration::from_secs(5)),
        memory: Some(1 << 20),
        output: Some(100),
        ..Limits::NONE
    };

    /// Milliseconds of CPU and wall, bytes of memory and output.
    fn ran(termination: Termination, numbers: (u64, u64, u64, u64)) -> Execution {
        let (cpu, wall, memory, bytes) = numbers;
        let usage = Usage {
            cpu: Duration::from_millis(cpu),
            wall: Duration::from_millis(wall),
            memory: Some(Memory { bytes: memory, metric: "test".into() }),
            ..Usage::default()
        };
        let output = Output { bytes, ..Output::empty() };
        Execution { termination, usage, output, stderr: Vec::new(), talk: None }
    }

    #[test]
    fn the_measured_numbers_decide_and_time_comes_before_output_memory_and_the_exit() {
        use {Bound as B, Termination as T, Verdict as V};
        let (few, big) = ((1, 1, 1, 1), 1 << 20);
        let table = [
            (T::Finished, few, None),
            (T::Finished, (2000, 5000, big - 1, 100), None),
            (T::Finished, (2001, 2001, 1, 1), Some(V::TimeLimit)),
            (T::Finished, (1, 5001, 1, 1), Some(V::TimeLimit)),
            (T::Finished, (1, 1, big, 1), Some(V::MemoryLimit)),
            (T::Finished, (1, 1, 1, 101), Some(V::OutputLimit)),
            (T::Finished, (2001, 1, big, 101), Some(V::TimeLimit)),
            (T::Finished, (1, 1, big, 101), Some(V::OutputLimit)),
            (T::Exited(1), few, Some(V::RuntimeError)),
            (T::Exited(1), (1, 1, big, 1), Some(V::MemoryLimit)),
            (T::Signaled(9), few, Some(V::RuntimeError)),
            (T::Signaled(24), few, Some(V::RuntimeError)),
            (T::Signaled(24), (2001, 1, 1, 1), Some(V::TimeLimit)),
            (T::Killed(B::Time), (1999, 1, big, 101), Some(V::TimeLimit)),
            (T::Killed(B::Wall), few, Some(V::TimeLimit)),
            (T::Killed(B::Output), (1, 1, big, 100), Some(V::OutputLimit)),
            (T::Killed(B::Output), (2001, 1, 1, 100), Some(V::TimeLimit)),
            (T::Killed(B::Memory), few, Some(V::MemoryLimit)),
            (T::Refused(String::new(), None), few, Some(V::RuntimeError)),
            (T::Failed(String::new(), None), (2001, 1, big, 101), Some(V::JudgeError)),
            (T::Uncompiled(String::new()), few, Some(V::CompileError)),
            (T::Unstartable(String::new()), few, Some(V::RuntimeError)),
            (T::Absent(String::new()), few, Some(V::Skipped)),
        ];
        for (termination, numbers, verdict) in table {
            let execution = ran(termination, numbers);
            assert_eq!(execution.limit_verdict(&LIMITS), verdict, "{execution:?}");
        }
    }

    #[test]
    fn without_limits_only_the_end_counts() {
        let execution = ran(Termination::Finished, (u64::MAX, u64::MAX, u64::MAX, u64::MAX));
        assert_eq!(execution.limit_verdict(&Limits::NONE), None);
    }

    #[test]
    fn the_clock_that_is_asked_decides() {
        let mut execution = ran(Termination::Finished, (2500, 4000, 1, 1));
        execution.usage.user = Some(Duration::from_millis(1900));
        let by = |clock| execution.limit_verdict(&Limits { clock, ..LIMITS });
        assert_eq!(by(Clock::User), None);
        assert_eq!(by(Clock::Cpu), Some(Verdict::TimeLimit));
        assert_eq!(by(Clock::Wall), Some(Verdict::TimeLimit));
    }

    #[test]
    fn a_program_that_waits_is_told_from_one_that_works() {
        let idle = ran(Termination::Killed(Bound::Wall), (10, 5000, 1, 1));
        assert_eq!(idle.late(&LIMITS), Some(Late::Idle));
        let busy = ran(Termination::Killed(Bound::Time), (2000, 2100, 1, 1));
        assert_eq!(busy.late(&LIMITS), Some(Late::Busy));
    }
}
