//! The two files, unpacked and with a place that can be read again and again.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use tempfile::NamedTempFile;

use crate::cli::error::CommandError;
use crate::cli::solve::{input_name, open_input};
use crate::model::Output;

/// The most bytes of an unpacked file or of standard input.
const MOST: u64 = 4 << 30;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file that can be compared.
pub(super) struct Loaded {
    /// How it is called in messages.
    pub(super) name: String,
    /// Where its bytes are.
    pub(super) path: PathBuf,
    /// Its bytes.
    pub(super) output: Output,
    /// Keeps a copy until the end.
    _copy: Option<NamedTempFile>,
}

impl Loaded {
    /// A message with the file called by its name.
    pub(super) fn renamed(&self, message: &str) -> String {
        message.replace(&self.path.display().to_string(), &self.name)
    }
}

/// Opens a file; copies what cannot be read twice.
pub(super) fn load(path: &Path) -> Result<Loaded, CommandError> {
    let name = input_name(path);
    let unreadable = |error: io::Error| CommandError::usage(format!("cannot read {name}: {error}"));
    let mut input = open_input(path)?;
    let mut head = Vec::new();
    input.by_ref().take(2).read_to_end(&mut head).map_err(unreadable)?;
    let packed = head == GZIP && path.extension().is_none_or(|extension| extension == "gz");
    let regular = path.metadata().is_ok_and(|data| data.is_file());
    if !packed && regular && path.as_os_str() != "-" {
        let file = File::open(path).map_err(unreadable)?;
        return loaded(name.clone(), path.to_owned(), file, None).map_err(unreadable);
    }
    let bytes = head.as_slice().chain(input);
    let mut bytes: Box<dyn Read> =
        if packed { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    let copy = copy(&mut *bytes).map_err(unreadable)?;
    let file = copy.reopen().map_err(unreadable)?;
    loaded(name.clone(), copy.path().to_owned(), file, Some(copy)).map_err(unreadable)
}

fn loaded(
    name: String,
    path: PathBuf,
    mut file: File,
    copy: Option<NamedTempFile>,
) -> io::Result<Loaded> {
    let bytes = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let output = Output { stream: Box::new(file), bytes };
    Ok(Loaded { name, path, output, _copy: copy })
}

fn copy(bytes: &mut dyn Read) -> io::Result<NamedTempFile> {
    let mut copy = NamedTempFile::new()?;
    if io::copy(&mut bytes.take(MOST + 1), &mut copy)? > MOST {
        let text = format!("more than {} GiB", MOST >> 30);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    copy.flush()?;
    Ok(copy)
}
