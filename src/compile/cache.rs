//! Built programs on disk, by the hash of all that they were made from.
//!
//! ```text
//! programs/KEY/       one program: its files, and `log`, what the compiler said
//! programs/.new-*     programs under construction
//! versions/STAMP      what version commands printed
//! ```
//!
//! An entry appears by one renaming and is never changed. Whoever uses one holds a shared lock on
//! its folder; only entries that nobody uses are removed, the longest unused first.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use crate::atomic::AtomicFile;

/// The cache of one folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    most_bytes: u64,
}

/// An entry that is in use as long as this lives.
#[derive(Debug)]
pub(super) struct Entry {
    /// The folder of the files.
    pub(super) folder: PathBuf,
    /// Shared lock on it.
    _lock: File,
}

/// An entry under construction; vanishes unless it is kept.
#[derive(Debug)]
pub(super) struct Draft {
    folder: TempDir,
    lock: File,
}

const NEW: &str = ".new-";

/// The file of an entry that holds what the compiler said.
pub(super) const LOG: &str = "log";

/// The folder of an entry that holds the program's files.
pub(super) const FILES: &str = "files";

impl Cache {
    /// Makes the folders where they are missing, and removes what is too much.
    pub(super) fn open(folder: &Path, most_bytes: u64) -> io::Result<Self> {
        make_folders(folder)?;
        let folder = fs::canonicalize(folder)?;
        let cache = Self { folder, most_bytes };
        cache.shrink();
        Ok(cache)
    }

    /// The entry of this key, marked as used now.
    pub(super) fn get(&self, key: &str) -> Option<Entry> {
        let folder = self.programs().join(key);
        let lock = File::open(&folder).ok()?;
        flock(&lock, FlockOperation::LockShared).ok()?;
        // It may have been removed between opening and locking.
        if !folder.join(LOG).is_file() {
            return None;
        }
        let _ = lock.set_modified(SystemTime::now());
        Some(Entry { folder, _lock: lock })
    }

    /// A folder for a new entry.
    pub(super) fn draft(&self) -> io::Result<Draft> {
        let folder = tempfile::Builder::new().prefix(NEW).tempdir_in(self.programs())?;
        let lock = File::open(folder.path())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        fs::create_dir(folder.path().join(FILES))?;
        fs::create_dir(folder.path().join("sources"))?;
        Ok(Draft { folder, lock })
    }

    /// Puts a draft in its place. When another process was faster, its entry is taken.
    pub(super) fn keep(&self, draft: Draft, key: &str) -> io::Result<Entry> {
        let target = self.programs().join(key);
        fs::remove_dir_all(draft.sources())?;
        seal(draft.folder.path())?;
        let renamed = fs::rename(draft.folder.path(), &target);
        let exists = target.join(LOG).is_file();
        match renamed {
            Ok(()) => {
                // It is no longer under its temporary name.
                let _ = draft.folder.keep();
                File::open(self.programs()).and_then(|folder| folder.sync_all())?;
            }
            Err(_) if exists => unseal(draft.folder.path()),
            Err(error) => return Err(error),
        }
        drop(draft.lock);
        // In use from here on, so that the new entry is not the first to go.
        let entry = self.get(key).ok_or_else(|| io::Error::other("the entry has vanished"));
        self.shrink();
        entry
    }

    /// What a version command printed when the tool had this stamp.
    pub(super) fn version(&self, stamp: &str) -> Option<String> {
        fs::read_to_string(self.version_file(stamp)).ok()
    }

    /// Remembers what a version command printed.
    pub(super) fn remember(&self, stamp: &str, version: &str) -> io::Result<()> {
        let mut file = AtomicFile::create(&self.version_file(stamp))?;
        file.write_all(version.as_bytes())?;
        file.commit()
    }

    fn version_file(&self, stamp: &str) -> PathBuf {
        self.folder.join("versions").join(blake3::hash(stamp.as_bytes()).to_hex().as_str())
    }

    fn programs(&self) -> PathBuf {
        self.folder.join("programs")
    }

    /// Removes the longest unused entries until the rest is small enough, and what dead processes
    /// have left. Entries in use stay.
    fn shrink(&self) {
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(self.programs()).into_iter().flatten().flatten() {
            let used = entry.metadata().and_then(|data| data.modified());
            let used = used.unwrap_or(SystemTime::UNIX_EPOCH);
            if entry.file_name().to_string_lossy().starts_with(NEW) {
                // A folder this young may still wait for its lock.
                let age = used.elapsed().unwrap_or_default();
                if age > Duration::from_mins(1) {
                    remove(&entry.path());
                }
            } else {
                entries.push((used, size(&entry.path()), entry.path()));
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in entries {
            if total <= self.most_bytes {
                break;
            }
            if remove(&path) {
                total -= size;
            }
        }
    }
}

/// Makes the folders of a cache where they are missing.
pub(super) fn make_folders(folder: &Path) -> io::Result<()> {
    for name in ["programs", "versions"] {
        fs::create_dir_all(folder.join(name))?;
        fs::set_permissions(folder.join(name), Permissions::from_mode(0o755))?;
    }
    Ok(())
}

impl Draft {
    /// Where the sources lie while the program is built.
    pub(super) fn sources(&self) -> PathBuf {
        self.folder.path().join("sources")
    }

    /// Where the program's files go.
    pub(super) fn files(&self) -> PathBuf {
        self.folder.path().join(FILES)
    }

    /// The file for what the compiler said.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.path().join(LOG)
    }
}

/// Bytes of all files below, with something for each name.
fn size(folder: &Path) -> u64 {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    entries.map(|entry| 4096 + entry.metadata().map_or(0, |data| data.len())).sum()
}

/// Makes everything readable by all and writable by nobody, and safe on disk.
fn seal(folder: &Path) -> io::Result<()> {
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let entry = entry?;
        let mode = entry.metadata()?.permissions().mode();
        let runs = entry.file_type().is_dir() || mode & 0o111 != 0;
        let mode = if runs { 0o555 } else { 0o444 };
        let file = File::open(entry.path())?;
        // A folder without permission to write cannot be renamed by everybody; its owner may.
        let top = if entry.depth() == 0 { 0o200 } else { 0 };
        file.set_permissions(Permissions::from_mode(mode | top))?;
        file.sync_all()?;
    }
    Ok(())
}

/// Makes folders writable again, so that they can be removed.
pub(super) fn unseal(folder: &Path) {
    for entry in walkdir::WalkDir::new(folder).into_iter().flatten() {
        if entry.file_type().is_dir() {
            let _ = fs::set_permissions(entry.path(), Permissions::from_mode(0o755));
        }
    }
}

/// Removes a folder that nobody holds a lock on.
fn remove(folder: &Path) -> bool {
    let Ok(lock) = File::open(folder) else { return false };
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return false;
    }
    unseal(folder);
    fs::remove_dir_all(folder).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache, key: &str, bytes: usize) -> Entry {
        let draft = cache.draft().unwrap();
        fs::write(draft.files().join("program"), vec![b'x'; bytes]).unwrap();
        fs::write(draft.log(), "").unwrap();
        cache.keep(draft, key).unwrap()
    }

    fn keys(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder.join("programs")).unwrap().flatten();
        let mut keys: Vec<_> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        keys.sort();
        keys
    }

    #[test]
    fn an_entry_appears_whole_and_a_second_one_of_the_same_key_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20).unwrap();
        assert!(cache.get("k").is_none());
        let first = put(&cache, "k", 10);
        let second = put(&cache, "k", 20);
        assert_eq!(first.folder, second.folder);
        assert_eq!(fs::read(second.folder.join(FILES).join("program")).unwrap().len(), 10);
        assert_eq!(keys(folder.path()), ["k"]);
    }

    #[test]
    fn a_draft_that_is_not_kept_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20).unwrap();
        drop(cache.draft().unwrap());
        assert_eq!(keys(folder.path()), [] as [&str; 0]);
    }

    #[test]
    fn the_longest_unused_entries_go_and_those_in_use_stay() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20).unwrap();
        let held = put(&cache, "a", 400_000);
        drop(put(&cache, "b", 400_000));
        let age = |key: &str, seconds| {
            let file = File::open(folder.path().join("programs").join(key)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        age("a", 10);
        age("b", 20);
        drop(put(&cache, "c", 400_000));
        assert_eq!(keys(folder.path()), ["a", "c"]);
        drop(held);
        age("a", 10);
        drop(put(&cache, "d", 400_000));
        assert_eq!(keys(folder.path()), ["c", "d"]);
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_living_one_builds_stays() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20).unwrap();
        let draft = cache.draft().unwrap();
        let dead = folder.path().join("programs/.new-dead");
        fs::create_dir(&dead).unwrap();
        for path in [dead.as_path(), draft.folder.path()] {
            let file = File::open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        cache.shrink();
        assert!(!dead.exists() && draft.files().exists());
    }

    #[test]
    fn versions_are_remembered_by_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 0).unwrap();
        assert_eq!(cache.version("gcc 1"), None);
        cache.remember("gcc 1", "12.2").unwrap();
        assert_eq!(cache.version("gcc 1").as_deref(), Some("12.2"));
        assert_eq!(cache.version("gcc 2"), None);
    }
}
