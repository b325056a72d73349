//! Answer files written from outputs: whole or not at all.

use std::fs;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{Bless, Failure};
use crate::atomic::AtomicFile;
use crate::model::{Output, TestCase, Verdict};

/// Whether a case with this verdict gets a new answer file.
pub(super) fn wanted(bless: Bless, verdict: Verdict) -> bool {
    match bless {
        Bless::No => false,
        Bless::Missing => verdict == Verdict::NoAnswer,
        Bless::Force => matches!(verdict, Verdict::NoAnswer | Verdict::WrongAnswer),
    }
}

/// Writes the output over the answer file, or to the place where one belongs.
pub(super) fn write(case: &TestCase, output: &mut Output) -> Result<PathBuf, Failure> {
    let home = case.missing.as_ref().map(|missing| &missing.home);
    let path = case.answer.as_ref().or(home).cloned().unwrap_or_default();
    let place = if case.answer.is_some() { Place::Taken } else { Place::Free };
    put(&path, output, place).map_err(|source| Failure::Bless { path: path.clone(), source })?;
    Ok(path)
}

/// Whether there was an answer file when the files were paired.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Free,
    Taken,
}

/// A place that was free must still be free: nobody's file is ever lost.
fn put(path: &Path, output: &mut Output, place: Place) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = AtomicFile::create(path)?;
    output.stream.seek(SeekFrom::Start(0))?;
    io::copy(&mut output.stream, &mut file)?;
    if place == Place::Taken { file.commit() } else { file.commit_new() }
}
