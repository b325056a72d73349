//! Folders of control groups: made for one judge, removed with it; those of a judge that was
//! killed are removed by the next one.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags, flock};

/// How long a killed process may take to die.
const PATIENCE: Duration = Duration::from_secs(5);
const PREFIX: &str = "jury-";
/// The group that the judge itself moves to, where its own may hold no process.
const JUDGE: &str = "judge";

/// The group of one judge in one hierarchy, with a group for each worker inside. A lock on it
/// tells others that the judge is alive.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) path: PathBuf,
    _lock: OwnedFd,
}

impl Tree {
    /// Makes a group in `parent`, after removing those whose judge is dead.
    pub(super) fn make(parent: &Path) -> io::Result<Self> {
        remove_stale(parent);
        // Another judge may take the new group for a dead one's until the lock is on it.
        let mut made = Self::try_make(parent);
        for _ in 0..16 {
            if !matches!(&made, Err(error) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
            made = Self::try_make(parent);
        }
        made
    }

    fn try_make(parent: &Path) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        let lock = open_folder(&path)?;
        flock(&lock, FlockOperation::LockExclusive)?;
        fs::metadata(&path)?;
        Ok(Self { path, _lock: lock })
    }

    fn parent(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Hands the controllers of version 2 down to the groups inside. With `alone` this process
    /// moves out of the way when it is the only one in the parent, which may then hold none.
    pub(super) fn hand_down(&self, alone: bool) -> io::Result<()> {
        match enable(self.parent()) {
            Err(error) if alone && error.raw_os_error() == Some(libc::EBUSY) => {
                self.move_judge()?;
                enable(self.parent()).inspect_err(|_| self.move_judge_back())?;
            }
            other => other?,
        }
        enable(&self.path)
    }

    fn move_judge(&self) -> io::Result<()> {
        let own = std::process::id().to_string();
        let others = fs::read_to_string(self.parent().join("cgroup.procs"))?;
        if others.lines().any(|process| process != own) {
            return Err(io::Error::other("other processes live in the group"));
        }
        let judge = self.path.join(JUDGE);
        fs::create_dir(&judge)?;
        fs::write(judge.join("cgroup.procs"), own)
    }

    fn move_judge_back(&self) {
        let judge = self.path.join(JUDGE);
        if judge.exists() {
            let _ = disable(&self.path);
            let _ = disable(self.parent());
            let own = std::process::id().to_string();
            let _ = fs::write(self.parent().join("cgroup.procs"), own);
            let _ = fs::remove_dir(judge);
        }
    }

    /// Makes the group of a worker, with groups inside.
    pub(super) fn worker(&self, worker: usize, inside: &[&str]) -> io::Result<PathBuf> {
        let path = self.path.join(format!("w{worker}"));
        fs::create_dir(&path)?;
        for name in inside {
            fs::create_dir(path.join(name))?;
        }
        Ok(path)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        for folder in folders(&self.path).filter(|folder| !folder.ends_with(JUDGE)) {
            remove_worker(&folder);
        }
        self.move_judge_back();
        let _ = fs::remove_dir(&self.path);
    }
}

/// Lets the groups inside count memory and processes. Other controllers would cost time and give
/// nothing: CPU time is counted without one.
pub(super) fn enable(folder: &Path) -> io::Result<()> {
    write(&folder.join("cgroup.subtree_control"), "+memory +pids")
}

fn disable(folder: &Path) -> io::Result<()> {
    write(&folder.join("cgroup.subtree_control"), "-memory -pids")
}

/// Whether the controllers are handed down already.
pub(super) fn is_enabled(folder: &Path) -> bool {
    let enabled = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
    ["memory", "pids"].iter().all(|name| enabled.split_whitespace().any(|other| other == *name))
}

/// Writes to a file of a group, which exists.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}

/// Opens a folder of a group.
pub(in crate::sandbox) fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// The folders in a folder.
pub(super) fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|e| e.path())
}

/// Removes the group of a worker, if nothing lives in it.
pub(super) fn remove_worker(folder: &Path) {
    for inner in folders(folder) {
        let _ = fs::remove_dir(inner);
    }
    let _ = fs::remove_dir(folder);
}

/// Removes a group whose processes were killed: they may need a moment to die.
pub(super) fn remove_patiently(folder: &Path) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
            other => return other,
        }
    }
}

/// Removes the groups of dead judges, as far as this user may.
fn remove_stale(parent: &Path) {
    for folder in folders(parent) {
        let name = folder.file_name().unwrap_or_default().as_encoded_bytes();
        let number = name.strip_prefix(PREFIX.as_bytes()).and_then(|name| name.first());
        if !number.is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let Ok(lock) = open_folder(&folder) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            continue;
        }
        // What such a judge has left running has nobody to wait for it.
        let _ = write(&folder.join("cgroup.kill"), "1");
        for worker in folders(&folder) {
            remove_worker(&worker);
        }
        let _ = fs::remove_dir(&folder);
    }
}
