//! Copies of outputs that were wrong, for people to look at.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

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

/// Writes the output to `folder/NAME.out`, at most its first 64 MiB.
pub(super) fn write(folder: &Path, case: &TestCase, output: &mut Output) -> io::Result<Kept> {
    let path = folder.join(format!("{}.out", case.name));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    output.stream.seek(SeekFrom::Start(0))?;
    io::copy(&mut (&mut output.stream).take(MOST), &mut File::create(&path)?)?;
    Ok(Kept { path, cut: output.bytes > MOST })
}
