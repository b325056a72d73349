//! Folders on disk for working folders: made, emptied whatever is in them, and removed; those of
//! a judge that was killed are removed by the next one.

use std::ffi::{CStr, CString};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{
    AtFlags, Dir, FlockOperation, Mode, OFlags, RenameFlags, chmodat, flock, openat, renameat_with,
    unlinkat,
};
use rustix::io::Errno;

const PREFIX: &str = "jury-box-";

/// The folder of one sandbox. A lock on it tells others that its judge is alive; the system takes
/// the lock away when the judge dies.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes a folder in `parent`, after removing those whose judge is dead.
    pub(super) fn make(parent: &Path) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = parent.canonicalize().map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", parent.display()))
        })?;
        remove_stale(&parent);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o711).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made?;
                    let lock = File::open(&path)?;
                    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
                    return Ok(Self { path, _lock: lock });
                }
            }
        }
    }

    /// Makes the folder of one worker.
    pub(super) fn worker(&self, worker: usize) -> io::Result<PathBuf> {
        let path = self.path.join(format!("w{worker}"));
        DirBuilder::new().mode(0o711).create(&path)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        super::remove_quietly(&self.path);
    }
}

/// Removes the folders of dead judges, as far as this user may.
fn remove_stale(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(folder) = rustix::fs::open(entry.path(), flags, Mode::empty()) else { continue };
        if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
            super::remove_quietly(&entry.path());
        }
    }
}

/// Removes all that is in a folder: any depth, any names, any modes. Links are removed, never
/// followed. No process may be using the folder.
pub(super) fn empty(folder: &Path) -> io::Result<()> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let top = rustix::fs::open(folder, flags, Mode::empty())?;
    empty_open(top.as_fd())
}

/// The same for an open folder. Folders inside folders are moved to the top first, so that
/// neither depth nor the length of a path matters.
pub(super) fn empty_open(top: BorrowedFd<'_>) -> io::Result<()> {
    let mut moved = 0_u64;
    loop {
        let names = entries(top)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            if remove_plain(top, &name)? {
                continue;
            }
            let inner = open_folder(top, &name)?;
            for child in entries(inner.as_fd())? {
                if remove_plain(inner.as_fd(), &child)? {
                    continue;
                }
                let _ = chmodat(&inner, child.as_c_str(), Mode::RWXU, AtFlags::empty());
                lift(inner.as_fd(), &child, top, &mut moved)?;
            }
            unlinkat(top, name.as_c_str(), AtFlags::REMOVEDIR)?;
        }
    }
}

/// Moves a folder to the top, under a name that is free.
fn lift(from: BorrowedFd<'_>, name: &CStr, top: BorrowedFd<'_>, moved: &mut u64) -> io::Result<()> {
    loop {
        *moved += 1;
        let free = format!("{PREFIX}{moved}");
        match renameat_with(from, name, top, free, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            other => return other.map_err(Into::into),
        }
    }
}

/// Removes a file, link or empty folder; false when it is a folder with something in it.
fn remove_plain(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<bool> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(Errno::NOENT) => return Ok(true),
        other => return other.map(|()| true).map_err(Into::into),
    }
    match unlinkat(folder, name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        other => other.map(|()| true).map_err(Into::into),
    }
}

fn open_folder(parent: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    let _ = chmodat(parent, name, Mode::RWXU, AtFlags::empty());
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

fn entries(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    let mut dir = Dir::read_from(folder)?;
    while let Some(entry) = dir.read() {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn deep_and_closed_folders_are_emptied_and_links_are_not_followed() {
        let top = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "x").unwrap();
        let mut path = top.path().to_owned();
        for _ in 0..30 {
            path.push("jury-box-1");
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "x").unwrap();
            symlink(outside.path(), path.join("link")).unwrap();
        }
        fs::set_permissions(top.path().join("jury-box-1"), fs::Permissions::from_mode(0o000))
            .unwrap();
        empty(top.path()).unwrap();
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn the_folder_of_a_dead_judge_goes_and_that_of_a_living_one_stays() {
        let parent = tempfile::tempdir().unwrap();
        let living = Scratch::make(parent.path()).unwrap();
        let dead = parent.path().join("jury-box-0-0");
        fs::create_dir_all(dead.join("w0/box")).unwrap();
        let second = Scratch::make(parent.path()).unwrap();
        assert!(!dead.exists());
        assert!(living.path.exists() && second.path.exists());
        drop((living, second));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
