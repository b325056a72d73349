//! Copies of outputs that were wrong, for people to look at.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::{Kept, Output, TestCase};

/// The most bytes that are kept of one output.
const MOST: u64 = 64 << 20;

/// Writes the transcript of a talk to `folder/NAME.transcript`.
pub(super) fn transcript(folder: &Path, case: &TestCase, text: &[u8]) -> io::Result<PathBuf> {
    let path = folder.join(format!("{}.transcript", case.name));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(&path, text)?;
    Ok(path)
}

/// The most bytes that are kept of all outputs of a run.
const ALL: u64 = 1 << 30;

/// A folder for outputs, with a bound of what goes into it.
#[derive(Debug)]
pub struct Keep {
    folder: PathBuf,
    /// Bytes that there is room for.
    room: AtomicU64,
}

impl Keep {
    /// Up to 1 GiB of outputs below this folder.
    #[must_use]
    pub fn below(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), room: AtomicU64::new(ALL) }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the output to `OWNER/NAME.out` in the folder, at most its first 64 MiB.
    pub(super) fn write(
        &self,
        owner: &str,
        case: &TestCase,
        output: &mut Output,
    ) -> io::Result<Kept> {
        let bytes = output.bytes.min(MOST);
        let less = |room: u64| room.checked_sub(bytes);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
            return Err(io::Error::other(format!("{} MiB of outputs are there", ALL >> 20)));
        }
        let path = self.folder.join(owner).join(format!("{}.out", case.name));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        output.stream.seek(SeekFrom::Start(0))?;
        io::copy(&mut (&mut output.stream).take(MOST), &mut File::create(&path)?)?;
        Ok(Kept { path, cut: output.bytes > MOST })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_bound_is_kept_of_all_outputs() {
        let folder = tempfile::tempdir().unwrap();
        let keep = Keep { folder: folder.path().to_owned(), room: AtomicU64::new(5) };
        let write = |name: &str, text: &str| {
            let case = TestCase {
                name: name.into(),
                group: String::new(),
                input: PathBuf::new(),
                answer: None,
                missing: None,
            };
            let stream = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
            let mut output = Output { stream, bytes: text.len() as u64 };
            keep.write("a", &case, &mut output)
        };
        assert!(write("p/1", "abc").is_ok());
        let error = write("p/2", "defg").unwrap_err().to_string();
        assert_eq!(error, "1024 MiB of outputs are there");
        assert!(write("p/3", "hi").is_ok());
        assert!(folder.path().join("a/p/3.out").is_file());
        assert!(!folder.path().join("a/p/2.out").exists());
    }
}
