//! The group of one worker, as the judge sees it: limits are set here before each run; the files
//! go to the runner, which reads what was used.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileExt, chown};
use std::path::{Path, PathBuf};

use super::super::run::tasks;
use super::super::spec::RunLimits;
use super::tree::{self, Tree};
use super::{Part, number_in};

/// The group that the runner itself lives in, beside that of its runs.
const RUNNER: &str = "runner";
const RUN: &str = "run";
/// What a limit may be above the one wanted, so that it is not written anew for each run.
const LAX: u64 = 4 << 20;
/// What may be left in a group that serves again.
const FULL: u64 = 8 << 20;

/// The groups of one worker, in all hierarchies.
#[derive(Debug)]
pub(in crate::sandbox) struct Group {
    /// Where the runner and its runs are, for the runner.
    pub(in crate::sandbox) seat: Seat,
    unified: Option<Unified>,
    split: Option<Memory>,
    /// Time of version 1, only where version 2 is not there.
    time: Option<File>,
    tasks: Option<Tasks>,
    /// Bytes of files in memory that do not count.
    allowance: u64,
}

/// What a runner is told about its groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::sandbox) struct Seat {
    /// The group of version 2 that the inner process is born into.
    pub(in crate::sandbox) into: Option<PathBuf>,
    /// The groups of version 1 that it is put into.
    pub(in crate::sandbox) join: Vec<PathBuf>,
    /// The folders to remove when the judge is dead.
    pub(in crate::sandbox) remove: Vec<PathBuf>,
    /// Whether memory is counted.
    pub(in crate::sandbox) memory: bool,
}

impl Group {
    /// Makes the groups of a worker. With a user, its processes may be started in the group.
    pub(super) fn make(
        unified: Option<(&Tree, bool)>,
        split: &[(&'static str, Tree)],
        worker: usize,
        user: Option<u32>,
        allowance: u64,
    ) -> io::Result<Self> {
        let mut group = Self {
            seat: Seat::default(),
            unified: None,
            split: None,
            time: None,
            tasks: None,
            allowance,
        };
        if let Some((tree, memory)) = unified {
            let made = Unified::make(tree, worker, memory, user)?;
            group.seat.into = Some(made.folder.join(RUNNER));
            group.seat.remove.push(made.folder.clone());
            group.seat.memory = memory;
            group.unified = Some(made);
        }
        for (controller, tree) in split {
            let folder = tree.worker(worker, &[])?;
            group.seat.join.push(folder.join("cgroup.procs"));
            group.seat.remove.push(folder.clone());
            match *controller {
                "memory" => {
                    // Only a hint, and refused where the groups above say otherwise.
                    let _ = tree::write(&folder.join("memory.swappiness"), "0");
                    group.split = Some(Memory::open(&folder, &SPLIT)?);
                    group.seat.memory = true;
                }
                "pids" => group.tasks = Some(Tasks::open(&folder, 1)?),
                _ => group.time = Some(File::open(folder.join("cpuacct.usage"))?),
            }
        }
        Ok(group)
    }

    /// Sets the limits of a run; the files that the runner needs for it.
    pub(in crate::sandbox) fn begin(
        &mut self,
        limits: &RunLimits,
    ) -> io::Result<Vec<(Part, BorrowedFd<'_>)>> {
        let mut parts = Vec::new();
        if let Some(unified) = &mut self.unified {
            parts.extend(unified.begin(limits, self.allowance)?);
        }
        if let Some(memory) = &mut self.split {
            parts.extend(memory.begin(limits.memory + self.allowance, Part::OldPeak)?);
        }
        if let Some(time) = &self.time {
            parts.push((Part::OldTime, time.as_fd()));
        }
        if let Some(tasks) = &mut self.tasks {
            tasks.set(limits)?;
            parts.push((Part::Tasks, tasks.file.as_fd()));
        }
        Ok(parts)
    }

    /// Clears up after a run that has ended. What is born into a group that was killed once is
    /// killed, too, by some kernels: such a group is spent.
    pub(in crate::sandbox) fn end(&mut self, spent: bool) {
        if let Some(unified) = &mut self.unified
            && (spent || unified.fresh || unified.is_full())
        {
            unified.run = None;
            // What is still dying holds its group; it goes after a later run, or with the worker.
            unified.remove_runs(|group| std::fs::remove_dir(group).ok());
            // When that fails, the next run tries again and says why.
            unified.run = Run::make(unified).ok();
        }
    }

    /// Kills what a dead runner has left in the groups and makes them anew.
    pub(in crate::sandbox) fn renew(&mut self) -> io::Result<()> {
        let Some(unified) = &mut self.unified else { return Ok(()) };
        tree::write(&unified.folder.join("cgroup.kill"), "1")?;
        unified.run = None;
        unified.remove_runs(|group| tree::remove_patiently(group).ok());
        let runner = unified.folder.join(RUNNER);
        tree::remove_patiently(&runner)?;
        std::fs::create_dir(&runner)
    }
}

/// The group of version 2.
#[derive(Debug)]
struct Unified {
    /// Of the worker, with those of the runner and of a run inside.
    folder: PathBuf,
    memory: bool,
    user: Option<u32>,
    run: Option<Run>,
    /// Whether each run needs a new group, because the peak of memory cannot be set back.
    fresh: bool,
    /// Groups made for runs: none has the name of an earlier one, which may be there still.
    made: u32,
}

/// The group of a run of version 2.
#[derive(Debug)]
struct Run {
    place: OwnedFd,
    kill: File,
    time: File,
    memory: Option<(Memory, Tasks)>,
}

impl Unified {
    fn make(tree: &Tree, worker: usize, memory: bool, user: Option<u32>) -> io::Result<Self> {
        let folder = tree.worker(worker, &[RUNNER])?;
        if memory {
            tree::enable(&folder)?;
        }
        // A process may be started in a group only by who may write to the groups above, too.
        if let Some(user) = user {
            chown(folder.join("cgroup.procs"), Some(user), Some(user))?;
        }
        let mut unified = Self { folder, memory, user, run: None, fresh: false, made: 0 };
        let run = Run::make(&mut unified)?;
        unified.fresh = run.memory.as_ref().is_some_and(|(memory, _)| !memory.can_reset());
        unified.run = Some(run);
        Ok(unified)
    }

    /// Removes the groups of earlier runs, as far as `remove` does.
    fn remove_runs(&self, remove: impl Fn(&Path) -> Option<()>) {
        for group in tree::folders(&self.folder).filter(|group| !group.ends_with(RUNNER)) {
            let _ = remove(&group);
        }
    }

    /// Whether much is left in the group: it may go during the next run.
    fn is_full(&self) -> bool {
        let memory = self.run.as_ref().and_then(|run| run.memory.as_ref());
        let used = memory.and_then(|(memory, _)| number_in(&memory.usage));
        used.is_some_and(|used| used > FULL)
    }

    fn begin(
        &mut self,
        limits: &RunLimits,
        allowance: u64,
    ) -> io::Result<Vec<(Part, BorrowedFd<'_>)>> {
        if self.run.is_none() {
            self.run = Some(Run::make(self)?);
        }
        let Some(run) = &mut self.run else { return Ok(Vec::new()) };
        let mut parts = vec![
            (Part::Place, run.place.as_fd()),
            (Part::Kill, run.kill.as_fd()),
            (Part::Time, run.time.as_fd()),
        ];
        if let Some((memory, tasks)) = &mut run.memory {
            tasks.set(limits)?;
            parts.push((Part::Tasks, tasks.file.as_fd()));
            parts.extend(memory.begin(limits.memory + allowance, Part::Peak)?);
        }
        Ok(parts)
    }
}

impl Run {
    fn make(worker: &mut Unified) -> io::Result<Self> {
        worker.made = worker.made.wrapping_add(1);
        let folder = worker.folder.join(format!("{RUN}-{}", worker.made));
        std::fs::create_dir(&folder)?;
        if let Some(user) = worker.user {
            chown(folder.join("cgroup.procs"), Some(user), Some(user))?;
        }
        let memory = worker.memory.then(|| {
            let _ = tree::write(&folder.join("memory.swap.max"), "0");
            tree::write(&folder.join("memory.oom.group"), "1")?;
            Ok::<_, io::Error>((Memory::open(&folder, &UNIFIED)?, Tasks::open(&folder, 0)?))
        });
        Ok(Self {
            place: tree::open_folder(&folder)?,
            kill: File::options().write(true).open(folder.join("cgroup.kill"))?,
            time: File::open(folder.join("cpu.stat"))?,
            memory: memory.transpose()?,
        })
    }
}

/// Names of files: limit, peak, usage, events, details; and what sets the peak back.
struct Names([&'static str; 5], &'static str);

const UNIFIED: Names =
    Names(["memory.max", "memory.peak", "memory.current", "memory.events", "memory.stat"], "reset");
const SPLIT: Names = Names(
    [
        "memory.limit_in_bytes",
        "memory.max_usage_in_bytes",
        "memory.usage_in_bytes",
        "memory.oom_control",
        "memory.stat",
    ],
    "0",
);

/// The memory of a group.
#[derive(Debug)]
struct Memory {
    limit: File,
    set: u64,
    /// Not in old kernels.
    peak: Option<File>,
    reset: &'static str,
    usage: File,
    events: File,
    details: File,
}

impl Memory {
    fn open(
        folder: &Path,
        Names([limit, peak, usage, events, details], reset): &Names,
    ) -> io::Result<Self> {
        let read = |name: &str| File::open(folder.join(name));
        let both = |name: &str| File::options().read(true).write(true).open(folder.join(name));
        Ok(Self {
            limit: File::options().write(true).open(folder.join(limit))?,
            set: u64::MAX,
            peak: both(peak).or_else(|_| read(peak)).ok(),
            reset,
            usage: read(usage)?,
            events: read(events)?,
            details: read(details)?,
        })
    }

    /// Whether one group will do for run after run.
    fn can_reset(&self) -> bool {
        self.peak.as_ref().is_none_or(|mut peak| peak.write_all(self.reset.as_bytes()).is_ok())
    }

    /// Sets the limit, above what is left of earlier runs: pages of files.
    fn begin(&mut self, most: u64, peak: Part) -> io::Result<Vec<(Part, BorrowedFd<'_>)>> {
        let wanted = most.saturating_add(number_in(&self.usage).unwrap_or(0));
        if !(wanted..=wanted.saturating_add(LAX)).contains(&self.set) {
            let limit = wanted + LAX / 2;
            self.limit.write_all_at(limit.to_string().as_bytes(), 0)?;
            self.set = limit;
        }
        let mut parts = vec![
            (Part::Usage, self.usage.as_fd()),
            (Part::Events, self.events.as_fd()),
            (Part::Details, self.details.as_fd()),
        ];
        if let Some(file) = &self.peak {
            parts.push((peak, file.as_fd()));
        }
        Ok(parts)
    }
}

/// The number of processes and threads of a group.
#[derive(Debug)]
struct Tasks {
    file: File,
    set: u64,
    /// Of the runner, where it lives inside.
    own: u64,
}

impl Tasks {
    fn open(folder: &Path, own: u64) -> io::Result<Self> {
        let file = File::options().write(true).open(folder.join("pids.max"))?;
        Ok(Self { file, set: u64::MAX, own })
    }

    fn set(&mut self, limits: &RunLimits) -> io::Result<()> {
        let most = tasks(limits) + self.own;
        if most != self.set {
            self.file.write_all_at(most.to_string().as_bytes(), 0)?;
            self.set = most;
        }
        Ok(())
    }
}
