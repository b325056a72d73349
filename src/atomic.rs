//! Files that appear whole or not at all: written under a temporary name beside their place, and
//! renamed when they are complete.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

/// How temporary files begin.
const PREFIX: &str = ".jury-partial-";

/// The age below which a temporary file may be in use without a lock.
const YOUNG: Duration = Duration::from_mins(1);

/// The longest chain of links that is followed, as in the system's own look-ups.
const MOST_LINKS: usize = 40;

/// A file under construction. Dropped without [`AtomicFile::commit`], it leaves nothing behind.
///
/// A place that is no regular file (a device, a pipe, a descriptor below `/dev` or `/proc`) is
/// written directly.
#[derive(Debug)]
pub struct AtomicFile {
    target: Option<Target>,
}

#[derive(Debug)]
enum Target {
    Beside { temporary: NamedTempFile, path: PathBuf },
    Direct(File),
}

impl AtomicFile {
    /// Starts a file for this place; an existing file stays as it is until the commit. A link is
    /// followed.
    ///
    /// # Errors
    /// When the folder does not exist or nothing can be written there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let system = ["/dev/", "/proc/"].iter().any(|folder| path.starts_with(folder));
        let path = if system { path.to_owned() } else { behind_links(path)? };
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if system || existing.as_ref().is_some_and(|data| !data.is_file()) {
            let file = File::options().write(true).open(&path)?;
            return Ok(Self { target: Some(Target::Direct(file)) });
        }
        let temporary = temporary(&path, existing.map(|data| data.permissions()))?;
        Ok(Self { target: Some(Target::Beside { temporary, path }) })
    }

    /// Removes what processes that were killed have left beside this place.
    pub fn clear_beside(path: &Path) {
        let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
        for entry in entries.flatten() {
            let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
            if ours && is_left(&entry.path()) {
                // Whoever may not remove it leaves it.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Puts the complete file in its place; nothing can be written to it afterwards.
    ///
    /// # Errors
    /// When the last bytes cannot be written or the file cannot be renamed.
    pub fn commit(&mut self) -> io::Result<()> {
        match self.target.take() {
            None => Err(committed()),
            Some(Target::Direct(mut file)) => file.flush(),
            Some(Target::Beside { temporary, path }) => {
                temporary.as_file().sync_all()?;
                temporary.persist(path)?;
                Ok(())
            }
        }
    }

    /// The same, unless there is a file by now.
    ///
    /// # Errors
    /// As [`AtomicFile::commit`], and when the place is taken; what is there stays.
    pub fn commit_new(&mut self) -> io::Result<()> {
        let Some(Target::Beside { temporary, path }) = self.target.take() else {
            return Err(io::ErrorKind::AlreadyExists.into());
        };
        temporary.as_file().sync_all()?;
        temporary.persist_noclobber(path)?;
        Ok(())
    }

    fn writer(&mut self) -> io::Result<&mut dyn Write> {
        match &mut self.target {
            None => Err(committed()),
            Some(Target::Direct(file)) => Ok(file),
            // Errors of the file itself, which do not name the temporary one.
            Some(Target::Beside { temporary, .. }) => Ok(temporary.as_file_mut()),
        }
    }
}

/// The file that a chain of links leads to, whether it exists or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// An empty file beside `path`, with the permissions of the one it will replace.
fn temporary(path: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    fs::metadata(folder)?;
    let mut builder = Builder::new();
    builder.prefix(PREFIX).permissions(permissions.unwrap_or_else(new_file));
    // The error names the temporary file, which says nothing to anyone.
    let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    // Where files cannot be locked, what a killed process leaves is removed after a minute.
    let _ = file.as_file().try_lock();
    Ok(file)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether the process that wrote a temporary file is gone. One that was just made may not be
/// locked yet.
fn is_left(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let age = file.metadata().and_then(|data| data.modified()).map(|time| time.elapsed());
    age.is_ok_and(|age| age.is_ok_and(|age| age > YOUNG)) && file.try_lock().is_ok()
}

/// The permissions of a new file, before the process's mask.
#[cfg(unix)]
fn new_file() -> Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

fn committed() -> io::Error {
    io::Error::other("the file is already in its place")
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer()?.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stays_until_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.csv");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_process_has_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let old = std::time::SystemTime::now() - 2 * YOUNG;
        for name in [".jury-partial-left", ".jury-config", "report.csv"] {
            File::create(path(name)).unwrap().set_modified(old).unwrap();
        }
        fs::write(path(".jury-partial-young"), "").unwrap();
        let living = AtomicFile::create(&path("report.json")).unwrap();
        let Some(Target::Beside { temporary, .. }) = &living.target else { panic!() };
        temporary.as_file().set_modified(old).unwrap();
        AtomicFile::clear_beside(&path("report.csv"));
        assert!(!path(".jury-partial-left").exists());
        for name in [".jury-config", "report.csv", ".jury-partial-young"] {
            assert!(path(name).exists(), "{name}");
        }
        assert!(temporary.path().exists());
    }

    #[test]
    fn a_dropped_file_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(&folder.path().join("a")).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_link_is_followed_and_a_device_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");

        let mut device = AtomicFile::create(Path::new("/dev/null")).unwrap();
        device.commit().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_link_that_leads_nowhere_yet_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::os::unix::fs::symlink("real", &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
    }

    #[test]
    fn a_new_file_never_replaces_one_that_came_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"ours").unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(file.commit_new().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_and_a_folder_in_its_place_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(AtomicFile::create(&folder.path().join("no/such/file")).is_err());
        assert!(AtomicFile::create(folder.path()).is_err());
    }
}
