//! Control groups: CPU time, memory and number of processes of a whole run, and its sure end.
//!
//! Which there are is found by trying. Version 2 is taken where a group may be made: with its
//! controllers everything is counted, without them only CPU time, and a run is killed at once.
//! Memory and processes are then counted by version 1, where this user may.
//!
//! A worker has one group for run after run, since making one costs more than all that is read
//! and written for a run; only kernels that cannot set a peak of memory back get a new one for
//! each run. A run is born into its group of version 2: being moved would mean waiting for every
//! processor. In version 1, where that is not possible, the runner lives in the group with its
//! runs, and what it uses itself is taken off.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::level::CgroupKind;
use tree::Tree;

pub(super) use group::{Group, Seat};
pub(super) use meter::Meter;
pub(super) use tree::open_folder;

mod find;
mod group;
mod meter;
mod tree;

/// Which control groups to use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CgroupChoice {
    /// Those that there are.
    #[default]
    Auto,
    /// None at all.
    Off,
    /// New ones in this group of version 2.
    In(PathBuf),
}

/// A file of a group that the runner gets for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Part {
    /// The folder of version 2 that the run is born into.
    Place,
    /// What kills all of it.
    Kill,
    /// CPU time of version 2.
    Time,
    /// CPU time of version 1, that of the runner in it.
    OldTime,
    /// The number of processes and threads is limited.
    Tasks,
    /// Memory that is used now.
    Usage,
    /// How often memory ran out.
    Events,
    /// Memory by its kinds.
    Details,
    /// Peak of memory of version 2.
    Peak,
    /// Peak of memory of version 1, that of the runner in it.
    OldPeak,
}

impl Part {
    pub(super) const ALL: [Self; 10] = [
        Self::Place,
        Self::Kill,
        Self::Time,
        Self::OldTime,
        Self::Tasks,
        Self::Usage,
        Self::Events,
        Self::Details,
        Self::Peak,
        Self::OldPeak,
    ];
}

/// The groups of one judge.
#[derive(Debug)]
pub(super) struct Groups {
    /// Version 2, and whether it has the controllers.
    unified: Option<(Tree, bool)>,
    /// Version 1, by controller.
    split: Vec<(&'static str, Tree)>,
}

impl Groups {
    /// Makes the groups that can be made; with the reasons why there are no others.
    pub(super) fn open(choice: &CgroupChoice) -> (Option<Self>, Option<String>) {
        let (unified, mut split, reason) = match choice {
            CgroupChoice::Off => return (None, Some("switched off".to_owned())),
            CgroupChoice::In(path) => {
                let (unified, reason) = match Unified::make_in(path) {
                    Ok(unified) => (Some(unified.0), unified.1),
                    Err(error) => (None, Some(explain(path, &error))),
                };
                (unified, Vec::new(), reason)
            }
            CgroupChoice::Auto => {
                let own = find::Own::here();
                let (unified, reason) = own.unified.as_ref().map_or_else(
                    || (None, Some("version 2 is not mounted".to_owned())),
                    Unified::make,
                );
                let counted = unified.as_ref().is_some_and(|(_, memory)| *memory);
                let split = if counted { Vec::new() } else { make_split(&own) };
                (unified, split, reason)
            }
        };
        if unified.is_some() {
            split.retain(|(controller, _)| *controller != "cpuacct");
        }
        // Memory is what version 1 is for.
        if !split.iter().any(|(controller, _)| *controller == "memory") {
            split.clear();
        }
        let counted = !split.is_empty() || unified.as_ref().is_some_and(|(_, memory)| *memory);
        let any = unified.is_some() || !split.is_empty();
        (any.then_some(Self { unified, split }), reason.filter(|_| !counted))
    }

    /// What they can do.
    pub(super) fn kind(&self) -> CgroupKind {
        match &self.unified {
            Some((_, true)) => CgroupKind::V2,
            _ if !self.split.is_empty() => CgroupKind::V1,
            Some((_, false)) => CgroupKind::V2Bare,
            None => CgroupKind::None,
        }
    }

    /// Makes the group of a worker. The user is one that starts runs without the rights of root.
    pub(super) fn worker(
        &self,
        worker: usize,
        user: Option<u32>,
        allowance: u64,
    ) -> io::Result<Group> {
        let unified = self.unified.as_ref().map(|(tree, memory)| (tree, *memory));
        Group::make(unified, &self.split, worker, user, allowance)
    }
}

/// Makes groups of version 2.
struct Unified;

type Made = (Tree, bool);

impl Unified {
    /// In this process's own group or one above it. The first one whose controllers are there is
    /// taken; else the first one that can be had.
    fn make(place: &find::Place) -> (Option<Made>, Option<String>) {
        let own = place.folder.as_path();
        let mut reason = None;
        let above = place.upwards().skip(1).filter(|folder| tree::is_enabled(folder));
        for (folder, alone) in
            [(own, false)].into_iter().chain(above.map(|f| (f, false))).chain([(own, true)])
        {
            match Self::with_controllers(folder, alone) {
                Ok(tree) => return (Some((tree, true)), None),
                Err(error) if alone || reason.is_none() => reason = Some(error),
                Err(_) => {}
            }
        }
        let why = reason.unwrap_or_default();
        match place.upwards().find_map(|folder| Tree::make(folder).ok()) {
            Some(tree) => (Some((tree, false)), Some(why)),
            None => (None, Some(why)),
        }
    }

    fn make_in(folder: &Path) -> io::Result<(Made, Option<String>)> {
        if !folder.join("cgroup.subtree_control").exists() {
            return Err(io::Error::other("no control group of version 2"));
        }
        match Self::with_controllers(folder, true) {
            Ok(tree) => Ok(((tree, true), None)),
            Err(reason) => Ok(((Tree::make(folder)?, false), Some(reason))),
        }
    }

    fn with_controllers(folder: &Path, alone: bool) -> Result<Tree, String> {
        let tree = Tree::make(folder).map_err(|error| explain(folder, &error))?;
        let there = std::fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
        if !["memory", "pids"].iter().all(|name| there.split_whitespace().any(|n| n == *name)) {
            let folder = folder.display();
            return Err(format!("{folder} has no controllers for memory and processes"));
        }
        match tree.hand_down(alone) {
            Ok(()) => Ok(tree),
            Err(error) => Err(explain(folder, &error)),
        }
    }
}

/// Makes groups of version 1, for the controllers that let this user.
fn make_split(own: &find::Own) -> Vec<(&'static str, Tree)> {
    let make = |(name, place): &(&'static str, find::Place)| {
        Some((*name, Tree::make(&place.folder).ok()?))
    };
    own.split.iter().filter_map(make).collect()
}

/// Why a group cannot be made or used, as well as it can be told.
fn explain(folder: &Path, error: &io::Error) -> String {
    let why = match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => {
            "not delegated to this user (`systemd-run --user --scope -p Delegate=yes` does it)"
        }
        Some(libc::EROFS) => "mounted read-only",
        Some(libc::EBUSY) => "its processes are in the way of its controllers",
        _ => return format!("{}: {error}", folder.display()),
    };
    format!("{}: {why}", folder.display())
}

/// Puts a process into the groups of version 1.
pub(super) fn join(seat: &Seat, pid: i32) -> io::Result<()> {
    seat.join.iter().try_for_each(|file| tree::write(file, &pid.to_string()))
}

/// Removes the groups of a runner whose judge is dead or done with it.
pub(super) fn remove(seat: &Seat) {
    for folder in &seat.remove {
        tree::remove_worker(folder);
        let _ = folder.parent().map(std::fs::remove_dir);
    }
}

/// How often the group of version 1 that a runner lives in has run out of memory.
pub(super) fn out_of_memory(seat: &Seat) -> u64 {
    let read = |folder: &PathBuf| std::fs::read_to_string(folder.join("memory.oom_control")).ok();
    let count = |text: String| text.lines().find_map(|l| l.strip_prefix("oom_kill ")?.parse().ok());
    seat.remove.iter().filter_map(read).find_map(count).unwrap_or(0)
}

/// The first number in a file of a group.
fn number_in(file: &File) -> Option<u64> {
    let mut block = [0; 32];
    let read = file.read_at(&mut block, 0).ok()?;
    let text = block[..read].split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(text).ok()?.parse().ok()
}
