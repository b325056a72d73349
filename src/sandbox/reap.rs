//! Ends and collects every process that a run has left behind.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::thread;
use std::time::{Duration, Instant};

use super::cgroup::Meter;
use super::sys::{self, Wait, Waited};

/// How long the last process may take to die.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the processes have used that were collected.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Used {
    pub(super) user: Duration,
    pub(super) system: Duration,
    pub(super) resident: u64,
    pub(super) involuntary: u64,
}

impl Used {
    pub(super) fn add(&mut self, waited: &Waited) {
        self.user += waited.user;
        self.system += waited.system;
        self.resident = self.resident.max(waited.resident);
        self.involuntary += waited.involuntary;
    }

    /// Adds what others have used.
    pub(super) fn merge(&mut self, other: &Self) {
        self.user += other.user;
        self.system += other.system;
        self.resident = self.resident.max(other.resident);
        self.involuntary += other.involuntary;
    }

    pub(super) fn cpu(&self) -> Duration {
        self.user + self.system
    }
}

/// Kills and collects until this process has no child at all, which proves that nothing is left:
/// orphans become its children. A control group kills everything at once.
pub(super) fn everything(sure_kill: bool, group: Option<&Meter<'_>>) -> io::Result<Used> {
    let mut used = Used::default();
    let mut deadline = None;
    loop {
        match sys::wait(None, Wait::Poll) {
            Ok(Some(waited)) => used.add(&waited),
            Ok(None) => {
                let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
                if Instant::now() > deadline {
                    return Err(io::Error::other("a process cannot be ended"));
                }
                if sure_kill || !group.is_some_and(Meter::kill) {
                    kill_all(sure_kill);
                }
                thread::sleep(Duration::from_micros(200));
            }
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(used),
            Err(error) => return Err(error),
        }
    }
}

/// Kills every process below this one.
fn kill_all(sure_kill: bool) {
    if sure_kill {
        sys::kill(-1);
        return;
    }
    for (pid, _) in descendants() {
        sys::kill(pid);
    }
}

/// Every process below this one with its parent, parents first.
pub(super) fn descendants() -> Vec<(i32, i32)> {
    let mut found = Vec::new();
    let mut next = 0;
    children(std::process::id() as i32, &mut found);
    while let Some(&(pid, _)) = found.get(next) {
        children(pid, &mut found);
        next += 1;
    }
    found
}

/// How many tasks the user of this process has, threads included.
pub(super) fn tasks_of_user() -> u64 {
    let user = rustix::process::getuid().as_raw();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = entries.filter(|entry| {
        let number = entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
        number && entry.metadata().is_ok_and(|data| data.uid() == user)
    });
    // A folder has two links more than folders inside, which are the threads.
    let threads = own.map(|entry| fs::metadata(entry.path().join("task")));
    threads.map(|task| task.map_or(1, |task| task.nlink().saturating_sub(2).max(1))).sum()
}

fn children(parent: i32, found: &mut Vec<(i32, i32)>) {
    let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { return };
    for thread in threads.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok());
        found.extend(numbers.map(|pid| (pid, parent)));
    }
}
