//! The folders that a run may write to: its working folder, one for temporary files and, in a
//! root folder of its own, one for shared memory. They are empty before each run and emptied after.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, ResolveFlags, Stat, Uid, fchown, fstat, mkdirat, openat,
    openat2, unlinkat,
};

use super::spec::Collect;

/// One folder, and how it looked when it was fresh.
#[derive(Debug)]
struct Folder {
    name: &'static str,
    mode: u32,
    open: OwnedFd,
    fresh: Stat,
}

/// All folders of one worker.
#[derive(Debug)]
pub(super) struct Work {
    /// The path of the parent, as a run sees it.
    pub(super) path: PathBuf,
    parent: OwnedFd,
    user: Option<u32>,
    folders: Vec<Folder>,
}

impl Work {
    /// In a folder that exists. With a user, folders belong to it.
    pub(super) fn new(path: &Path, user: Option<u32>, shared: Shared) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let parent = rustix::fs::open(path, flags, Mode::empty())?;
        let mut work = Self { path: path.to_owned(), parent, user, folders: Vec::new() };
        let shm = (shared == Shared::Yes).then_some(("shm", 0o1777));
        for (name, mode) in [("box", 0o700), ("tmp", 0o700)].into_iter().chain(shm) {
            let folder = work.make(name, mode)?;
            work.folders.push(folder);
        }
        Ok(work)
    }

    /// Makes one folder, in place of one that a killed runner has left.
    fn make(&self, name: &'static str, mode: u32) -> io::Result<Folder> {
        match mkdirat(&self.parent, name, Mode::from_raw_mode(mode)) {
            Err(rustix::io::Errno::EXIST) => {
                let old = self.open_folder(name)?;
                super::scratch::empty_open(old.as_fd())?;
                unlinkat(&self.parent, name, AtFlags::REMOVEDIR)?;
                mkdirat(&self.parent, name, Mode::from_raw_mode(mode))?;
            }
            made => made?,
        }
        let open = self.open_folder(name)?;
        if let Some(user) = self.user {
            fchown(&open, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
        }
        let fresh = fstat(&open)?;
        Ok(Folder { name, mode, open, fresh })
    }

    fn open_folder(&self, name: &str) -> io::Result<OwnedFd> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.parent, name, flags, Mode::empty())?)
    }

    /// Empties what a run has touched. A folder that shows no change is kept as it is.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        for index in 0..self.folders.len() {
            let folder = &self.folders[index];
            let now = fstat(&folder.open)?;
            let same = (now.st_ctime, now.st_ctime_nsec, now.st_nlink)
                == (folder.fresh.st_ctime, folder.fresh.st_ctime_nsec, folder.fresh.st_nlink);
            if same {
                continue;
            }
            let (name, mode) = (folder.name, folder.mode);
            rustix::fs::fchmod(&folder.open, Mode::RWXU)?;
            super::scratch::empty_open(folder.open.as_fd())?;
            unlinkat(&self.parent, name, AtFlags::REMOVEDIR)?;
            self.folders[index] = self.make(name, mode)?;
        }
        Ok(())
    }

    /// The working folder.
    pub(super) fn folder(&self) -> RawFd {
        self.folders[0].open.as_raw_fd()
    }

    fn folder_fd(&self) -> BorrowedFd<'_> {
        self.folders[0].open.as_fd()
    }

    /// Copies a file into the working folder.
    pub(super) fn copy_in(&self, from: OwnedFd, name: &Path, executable: bool) -> io::Result<()> {
        let mut parent = PathBuf::new();
        for component in name.components() {
            let Component::Normal(part) = component else {
                return Err(io::Error::other(format!("{}: not inside the folder", name.display())));
            };
            if !parent.as_os_str().is_empty() {
                self.make_parent(&parent)?;
            }
            parent.push(part);
        }
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
        let to = openat(self.folder_fd(), name, flags, mode)?;
        self.own(to.as_fd())?;
        io::copy(&mut File::from(from), &mut File::from(to)).map(|_| ())
    }

    fn make_parent(&self, parent: &Path) -> io::Result<()> {
        match mkdirat(self.folder_fd(), parent, Mode::from_raw_mode(0o755)) {
            Err(rustix::io::Errno::EXIST) => return Ok(()),
            made => made?,
        }
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        self.own(openat(self.folder_fd(), parent, flags, Mode::empty())?.as_fd())
    }

    fn own(&self, file: BorrowedFd<'_>) -> io::Result<()> {
        if let Some(user) = self.user {
            fchown(file, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
        }
        Ok(())
    }

    /// Opens a file that the run has left. Only a plain file with one name, reached without links;
    /// none otherwise.
    pub(super) fn collect(&self, wanted: &Collect) -> Option<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH
            | ResolveFlags::NO_SYMLINKS
            | ResolveFlags::NO_MAGICLINKS
            | ResolveFlags::NO_XDEV;
        let name = wanted.name.as_path();
        let file = openat2(self.folder_fd(), name, flags, Mode::empty(), resolve).ok()?;
        let stat = fstat(&file).ok()?;
        let plain = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        (plain && stat.st_nlink == 1 && stat.st_size as u64 <= wanted.most_bytes).then_some(file)
    }
}

/// Whether there is a folder for shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shared {
    /// Yes, in a root folder of its own.
    Yes,
    /// No: that of the system would be used.
    No,
}
