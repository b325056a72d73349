//! Where built programs are kept by default.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::cache::{make_folders, unseal};

/// The folder of built programs. One that is only there for this run vanishes with this value.
#[derive(Debug)]
pub struct CacheFolder {
    path: PathBuf,
    temporary: Option<TempDir>,
}

impl CacheFolder {
    /// The user's folder: `$XDG_CACHE_HOME/jury`, or `~/.cache/jury`. Root's home is closed to the
    /// users that submissions run under, so root's programs are in `/var/cache/jury`. Where nothing
    /// can be written there, it is a private temporary folder, and the reason comes with it.
    ///
    /// # Errors
    /// When no temporary folder can be made either.
    pub fn open() -> io::Result<(Self, Option<String>)> {
        let lost = match usual() {
            None => "HOME is not set".to_owned(),
            Some(path) => match usable(&path) {
                Ok(()) => return Ok((Self { path, temporary: None }, None)),
                Err(error) => format!("cannot write {}: {error}", path.display()),
            },
        };
        Ok((Self::temporary()?, Some(lost)))
    }

    fn temporary() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("jury-programs-").tempdir()?;
        if rustix::process::geteuid().is_root() {
            // The users that submissions run under read their programs.
            fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        }
        Ok(Self { path: folder.path().to_owned(), temporary: Some(folder) })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for CacheFolder {
    fn drop(&mut self) {
        if let Some(folder) = &self.temporary {
            unseal(folder.path());
        }
    }
}

fn usual() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable("XDG_CACHE_HOME") {
        return Some(PathBuf::from(folder).join("jury"));
    }
    if rustix::process::geteuid().is_root() {
        return Some(PathBuf::from("/var/cache/jury"));
    }
    variable("HOME").map(|home| PathBuf::from(home).join(".cache/jury"))
}

/// Whether programs can be put there.
fn usable(folder: &Path) -> io::Result<()> {
    make_folders(folder)?;
    tempfile::Builder::new().prefix(".new-").tempdir_in(folder.join("programs"))?.close()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_folder_vanishes_with_its_sealed_programs() {
        let folder = CacheFolder::temporary().unwrap();
        make_folders(folder.path()).unwrap();
        let (path, program) = (folder.path().to_owned(), folder.path().join("programs/x"));
        fs::create_dir(&program).unwrap();
        fs::write(program.join("log"), "").unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o555)).unwrap();
        drop(folder);
        assert!(!path.exists());
    }
}
