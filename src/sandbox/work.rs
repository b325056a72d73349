//! The folders that a run may write to: its working folder, one for temporary files and, in a
//! root folder of its own, one for shared memory. They are empty before each run and emptied after.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    Dir, FileType, Gid, Mode, OFlags, ResolveFlags, Stat, Timespec, Timestamps, Uid, fchmod,
    fchown, flistxattr, fstat, fstatfs, futimens, mkdirat, openat, openat2,
};
use rustix::io::Errno;

use super::ran::Refusal;
use super::spec::Collect;

/// One folder, and how it looked when it was fresh.
#[derive(Debug)]
struct Folder {
    mode: Mode,
    open: OwnedFd,
    fresh: Stat,
}

impl Folder {
    fn new(open: OwnedFd, mode: Mode) -> io::Result<Self> {
        let mut folder = Self { mode, fresh: fstat(&open)?, open };
        folder.refresh()?;
        Ok(folder)
    }

    /// Makes the empty folder look new.
    fn refresh(&mut self) -> io::Result<()> {
        fchmod(&self.open, self.mode)?;
        if flistxattr(&self.open, &mut [0_u8; 0])? > 0 {
            return Err(io::Error::other("a mark on the folder itself"));
        }
        let epoch = Timespec { tv_sec: 0, tv_nsec: 0 };
        futimens(&self.open, &Timestamps { last_access: epoch, last_modification: epoch })?;
        self.fresh = fstat(&self.open)?;
        Ok(())
    }

    /// Whether anything in it, or about it, may have changed.
    fn is_touched(&self) -> io::Result<bool> {
        let now = fstat(&self.open)?;
        Ok((now.st_ctime, now.st_ctime_nsec, now.st_nlink)
            != (self.fresh.st_ctime, self.fresh.st_ctime_nsec, self.fresh.st_nlink))
    }
}

/// All folders of one worker.
#[derive(Debug)]
pub(super) struct Work {
    /// The path of the parent, as a run sees it.
    pub(super) path: PathBuf,
    user: Option<u32>,
    mounted: bool,
    folders: Vec<Folder>,
}

/// Names and modes of the folders; the last one only in a root folder of its own.
pub(super) const FOLDERS: [(&str, u32); 3] = [("box", 0o700), ("tmp", 0o700), ("shm", 0o1777)];

/// Nothing outside the working folder, and nothing through a link.
const INSIDE: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);

/// Entries of a folder, and folders, that are looked at for names.
const MOST_ENTRIES: usize = 1000;

impl Work {
    /// The folders that are in a root folder of its own already.
    pub(super) fn mounted(path: &Path) -> io::Result<Self> {
        let open = |(name, mode): (&str, u32)| {
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let open = rustix::fs::open(path.join(name), flags, Mode::empty())?;
            Folder::new(open, Mode::from_raw_mode(mode))
        };
        let folders = FOLDERS.into_iter().map(open).collect::<io::Result<_>>()?;
        Ok(Self { path: path.to_owned(), user: None, mounted: true, folders })
    }

    /// Folders on disk, made in a folder that exists, in place of what a killed runner has left.
    /// With a user they belong to it.
    pub(super) fn on_disk(path: &Path, user: Option<u32>) -> io::Result<Self> {
        super::scratch::empty(path)?;
        let mut work = Self { path: path.to_owned(), user, mounted: false, folders: Vec::new() };
        for (name, mode) in &FOLDERS[..2] {
            let mode = Mode::from_raw_mode(*mode);
            rustix::fs::mkdir(path.join(name), mode)?;
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let open = rustix::fs::open(path.join(name), flags, Mode::empty())?;
            work.own(open.as_fd())?;
            work.folders.push(Folder::new(open, mode)?);
        }
        Ok(work)
    }

    /// Empties what a run has touched. A folder that shows no change is left as it is.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        for folder in &mut self.folders {
            if folder.is_touched()? {
                fchmod(&folder.open, Mode::RWXU)?;
                super::scratch::empty_open(folder.open.as_fd())?;
                folder.refresh()?;
            }
        }
        Ok(())
    }

    /// The working folder.
    pub(super) fn folder(&self) -> RawFd {
        self.folders[0].open.as_raw_fd()
    }

    /// Bytes of files in memory, where the folders are there.
    pub(super) fn in_memory(&self) -> u64 {
        if !self.mounted {
            return 0;
        }
        let used = |folder: &Folder| {
            let system = fstatfs(&folder.open).ok()?;
            Some((system.f_blocks - system.f_bfree) * u64::try_from(system.f_bsize).ok()?)
        };
        self.folders.iter().filter_map(used).sum()
    }

    fn folder_fd(&self) -> BorrowedFd<'_> {
        self.folders[0].open.as_fd()
    }

    /// Makes a folder in the working folder, with those above it.
    pub(super) fn make_folder(&self, name: &Path) -> io::Result<()> {
        let mut folder = PathBuf::new();
        for component in name.components() {
            let Component::Normal(part) = component else {
                return Err(io::Error::other(format!("{}: not inside the folder", name.display())));
            };
            folder.push(part);
            self.make_parent(&folder)?;
        }
        Ok(())
    }

    /// Copies a file into the working folder.
    pub(super) fn copy_in(&self, from: OwnedFd, name: &Path, executable: bool) -> io::Result<()> {
        if !matches!(name.components().next_back(), Some(Component::Normal(_))) {
            return Err(io::Error::other(format!("{}: not inside the folder", name.display())));
        }
        self.make_folder(name.parent().unwrap_or(Path::new("")))?;
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

    /// The names of what lies in a folder of the working folder and in those below it, sorted; of
    /// more than `most`, only some, and whether there are more. Folders themselves have no names.
    pub(super) fn names(&self, folder: &Path, most: usize) -> (Vec<PathBuf>, bool) {
        let (mut names, mut open) = (Vec::new(), vec![folder.to_owned()]);
        let mut folders = 0;
        while let Some(folder) = open.pop() {
            folders += 1;
            let Some(entries) = self.entries(&folder) else {
                names.push(folder);
                continue;
            };
            for (name, is_folder) in entries.take(MOST_ENTRIES) {
                if names.len() > most || folders > MOST_ENTRIES {
                    names.sort();
                    return (names, true);
                }
                let list = if is_folder { &mut open } else { &mut names };
                list.push(folder.join(name));
            }
        }
        names.sort();
        let more = names.len() > most;
        names.truncate(most);
        (names, more)
    }

    /// What lies in a folder of the working folder, and whether it is a folder itself; none when it
    /// cannot be read or is none.
    fn entries(&self, folder: &Path) -> Option<impl Iterator<Item = (OsString, bool)> + use<>> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = openat2(self.folder_fd(), folder, flags, Mode::empty(), INSIDE).ok()?;
        let entries = Dir::read_from(open).ok()?.flatten();
        let named = entries.map(|entry| {
            let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
            (name, entry.file_type() == FileType::Directory)
        });
        Some(named.filter(|(name, _)| name != "." && name != ".."))
    }

    /// Opens a file that the run has left, if there is one. Only a plain file with one name,
    /// reached without links.
    pub(super) fn collect(&self, wanted: &Collect) -> Result<Option<OwnedFd>, Refusal> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let name = wanted.name.as_path();
        let file = match openat2(self.folder_fd(), name, flags, Mode::empty(), INSIDE) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(_) => return Err(Refusal::NotPlain),
        };
        let stat = fstat(&file).map_err(|_| Refusal::NotPlain)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink != 1 {
            return Err(Refusal::NotPlain);
        }
        match stat.st_size as u64 {
            bytes if bytes > wanted.most_bytes => Err(Refusal::TooBig(bytes)),
            _ => Ok(Some(file)),
        }
    }
}
