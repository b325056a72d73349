//! The cores that programs are kept on: one of each physical core, so that two runs never share
//! one, and the least busy one where there is a choice.

use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity};

/// Cores that runs are kept on. Without any, the system places them.
#[derive(Debug)]
pub struct Cores {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    cores: Vec<Core>,
    /// Threads that keep their core for several runs.
    held: Vec<Held>,
    looked: Instant,
}

/// A thread that keeps what it was given for several runs: a core, or none where there are not enough.
#[derive(Debug, Clone, Copy)]
struct Held {
    thread: ThreadId,
    core: Option<usize>,
}

#[derive(Debug)]
struct Core {
    number: usize,
    taken: bool,
    /// Ticks in which it worked, at the last look.
    ticks: u64,
    /// Ticks in which it worked between the last two looks.
    busy: u64,
}

/// How long a look at the load of the cores holds.
const HOLDS: Duration = Duration::from_millis(100);

impl Cores {
    /// Keeps up to this many runs at a time on cores of their own; none is kept anywhere when there
    /// are not enough cores for that, or only one.
    #[must_use]
    pub fn for_runs(runs: usize) -> Self {
        let numbers = physical_cores();
        let enough = numbers.len() > 1 && runs <= numbers.len();
        let ticks = if enough { ticks(&stat()) } else { Vec::new() };
        let core = |number| {
            let ticks = ticks_of(&ticks, number);
            Core { number, taken: false, ticks, busy: 0 }
        };
        let cores = numbers.into_iter().filter(|_| enough).map(core).collect();
        Self { state: Mutex::new(State { cores, held: Vec::new(), looked: Instant::now() }) }
    }

    /// The system places every run.
    #[must_use]
    pub fn anywhere() -> Self {
        let (cores, held, looked) = (Vec::new(), Vec::new(), Instant::now());
        Self { state: Mutex::new(State { cores, held, looked }) }
    }

    /// Does something in which all that this thread runs is kept on the same core.
    pub(super) fn hold(&self, work: &mut dyn FnMut()) {
        let thread = thread::current().id();
        self.with(|core| {
            self.lock().held.push(Held { thread, core });
            work();
            self.lock().held.retain(|held| held.thread != thread);
        });
    }

    /// Does something with a core that nobody else is given in the meantime.
    pub(super) fn with<T>(&self, work: impl FnOnce(Option<usize>) -> T) -> T {
        let held = self.lock().held_by(thread::current().id());
        if let Some(Held { core, .. }) = held {
            return work(core);
        }
        let core = self.lock().take();
        let done = work(core);
        self.lock().give_back(core);
        done
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What a thread keeps, if it keeps anything.
    fn held_by(&self, thread: ThreadId) -> Option<Held> {
        self.held.iter().find(|held| held.thread == thread).copied()
    }

    fn take(&mut self) -> Option<usize> {
        let free = self.cores.iter().filter(|core| !core.taken).count();
        if free > 1 && self.looked.elapsed() >= HOLDS {
            self.look(&ticks(&stat()));
            self.looked = Instant::now();
        }
        let free = self.cores.iter_mut().filter(|core| !core.taken);
        let core = free.min_by_key(|core| core.busy)?;
        core.taken = true;
        Some(core.number)
    }

    fn give_back(&mut self, number: Option<usize>) {
        for core in self.cores.iter_mut().filter(|core| Some(core.number) == number) {
            core.taken = false;
        }
    }

    fn look(&mut self, ticks: &[(usize, u64)]) {
        for core in &mut self.cores {
            let now = ticks_of(ticks, core.number);
            core.busy = now.saturating_sub(core.ticks);
            core.ticks = now;
        }
    }
}

fn stat() -> String {
    fs::read_to_string("/proc/stat").unwrap_or_default()
}

fn ticks_of(ticks: &[(usize, u64)], number: usize) -> u64 {
    ticks.iter().find(|(core, _)| *core == number).map_or(0, |(_, ticks)| *ticks)
}

/// The ticks in which each core worked, from `/proc/stat`: all but idle and waiting for disks.
fn ticks(stat: &str) -> Vec<(usize, u64)> {
    let line = |line: &str| {
        let mut words = line.strip_prefix("cpu")?.split_ascii_whitespace();
        let number = words.next()?.parse().ok()?;
        let ticks: Vec<u64> = words.take(8).filter_map(|word| word.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        Some((number, ticks.iter().sum::<u64>() - idle))
    };
    stat.lines().filter(|text| !text.starts_with("cpu ")).filter_map(line).collect()
}

/// One core of each physical core, of those that this process may use.
#[must_use]
pub fn physical_cores() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect();
    one_of_each(&allowed, |cpu| {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        fs::read_to_string(format!("{topology}/thread_siblings_list")).ok()
    })
}

fn one_of_each(allowed: &[usize], siblings: impl Fn(usize) -> Option<String>) -> Vec<usize> {
    let is_first = |&cpu: &usize| {
        let list = siblings(cpu).map(|text| members(&text)).unwrap_or_default();
        !list.iter().any(|other| *other < cpu && allowed.contains(other))
    };
    allowed.iter().copied().filter(is_first).collect()
}

/// `0,4` or `0-1`.
fn members(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        Some(from.trim().parse().ok()?..=to.trim().parse::<usize>().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_threads_of_a_core_one_is_used_and_only_if_it_may_be() {
        let pairs = |cpu: usize| Some(format!("{},{}\n", cpu % 4, cpu % 4 + 4));
        assert_eq!(one_of_each(&[0, 1, 2, 3, 4, 5, 6, 7], pairs), [0, 1, 2, 3]);
        assert_eq!(one_of_each(&[1, 4, 5], pairs), [1, 4]);
        assert_eq!(one_of_each(&[2, 3], |_| Some("2-3\n".into())), [2]);
        assert_eq!(one_of_each(&[0, 1], |_| None), [0, 1]);
    }

    #[test]
    fn a_core_works_when_it_is_not_idle() {
        let stat = "cpu  9 9 9 9 9 0 0 0 0 0\ncpu0 10 1 2 100 50 3 4 5 7 7\ncpu12 1 0 0 9 9 0 0 0\n\
                    intr 5\n";
        assert_eq!(ticks(stat), [(0, 25), (12, 1)]);
    }

    #[test]
    fn a_thread_that_holds_its_core_runs_everything_on_it() {
        let core = |number| Core { number, taken: false, ticks: 0, busy: number as u64 };
        let state =
            State { cores: vec![core(0), core(1)], held: Vec::new(), looked: Instant::now() };
        let cores = Cores { state: Mutex::new(state) };
        let mut seen = Vec::new();
        cores.hold(&mut || {
            for _ in 0..2 {
                cores.with(|core| seen.push(core));
            }
            thread::scope(|scope| {
                scope.spawn(|| cores.with(|core| assert_eq!(core, Some(1), "another thread")));
            });
        });
        assert_eq!(seen, [Some(0); 2]);
        assert!(cores.lock().held.is_empty());
    }

    #[test]
    fn the_least_busy_core_is_taken_and_never_twice() {
        let core = |number, ticks| Core { number, taken: false, ticks, busy: 0 };
        let cores = vec![core(0, 10), core(1, 10)];
        let mut state = State { cores, held: Vec::new(), looked: Instant::now() };
        state.look(&[(0, 90), (1, 12)]);
        assert_eq!((state.take(), state.take(), state.take()), (Some(1), Some(0), None));
        state.give_back(Some(0));
        assert_eq!(state.take(), Some(0));
    }
}
