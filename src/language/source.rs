//! The files of a submission.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A submission as it lies on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where it lies.
    pub path: PathBuf,
    /// The last part of the path.
    pub name: String,
    /// What it is.
    pub form: Form,
    /// Its files, by name.
    pub files: Vec<SourceFile>,
}

/// What a submission is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One source file.
    File,
    /// A folder of files.
    Folder,
    /// A program that is run as it is; its content is not read.
    Executable,
}

/// One file of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The name, below the folder for a folder, with `/`.
    pub name: String,
    /// The content.
    pub content: Vec<u8>,
}

/// Why a submission cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceFault {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A name that is no UTF-8, or starts with a dash or an `@`, which tools take for options.
    #[error("{}: the name of a source file cannot be given to a compiler", .0.display())]
    Name(PathBuf),
    /// Too much to be a submission.
    #[error("{}: more than {MOST_FILES} files or {} MiB", .0.display(), MOST_BYTES >> 20)]
    TooBig(PathBuf),
    /// There is nothing to run.
    #[error("{}: no source file in the folder", .0.display())]
    Empty(PathBuf),
}

/// The most files of a submission.
const MOST_FILES: usize = 200;

/// The most bytes of a submission's files together.
const MOST_BYTES: u64 = 16 << 20;

/// The first bytes of a program for Linux.
const ELF: &[u8] = b"\x7fELF";

impl Source {
    /// Reads a source file, a folder of them, or notes an executable. Links within a folder are
    /// not followed; hidden files and backups are left out.
    ///
    /// # Errors
    /// When something cannot be read, is too big or has an impossible name.
    pub fn load(path: &Path) -> Result<Self, SourceFault> {
        let unreadable = |source| SourceFault::Unreadable { path: path.to_owned(), source };
        let data = fs::metadata(path).map_err(unreadable)?;
        let real = fs::canonicalize(path).map_err(unreadable)?;
        let name = path.file_name().or(real.file_name()).unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let source = Self { path: path.to_owned(), name, form: Form::Folder, files: Vec::new() };
        if data.is_dir() {
            return source.with_folder();
        }
        if !data.is_file() {
            let kind = io::Error::new(io::ErrorKind::InvalidInput, "neither a file nor a folder");
            return Err(unreadable(kind));
        }
        if is_executable(path, &data).map_err(unreadable)? {
            return Ok(Self { form: Form::Executable, ..source });
        }
        let name = checked_name(path, Path::new(&source.name));
        let name = name.unwrap_or_else(|_| safe_name(path));
        let content = read(path, MOST_BYTES)?;
        Ok(Self { form: Form::File, files: vec![SourceFile { name, content }], ..source })
    }

    fn with_folder(mut self) -> Result<Self, SourceFault> {
        let mut left = MOST_BYTES;
        let walk = walkdir::WalkDir::new(&self.path).sort_by_file_name();
        let visible = |entry: &walkdir::DirEntry| entry.depth() == 0 || !is_hidden(entry);
        for entry in walk.into_iter().filter_entry(visible) {
            let entry = entry.map_err(|error| SourceFault::Unreadable {
                path: error.path().unwrap_or(&self.path).to_owned(),
                source: error.into(),
            })?;
            if !entry.file_type().is_file() {
                continue;
            }
            let below = entry.path().strip_prefix(&self.path).unwrap_or(entry.path());
            let name = checked_name(entry.path(), below)?;
            let content = read(entry.path(), left)?;
            left -= content.len() as u64;
            self.files.push(SourceFile { name, content });
            if self.files.len() > MOST_FILES {
                return Err(SourceFault::TooBig(self.path));
            }
        }
        if self.files.is_empty() { Err(SourceFault::Empty(self.path)) } else { Ok(self) }
    }
}

/// Whether a file of a folder is of no interest: hidden, a backup, or left by another system.
fn is_hidden(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    name.starts_with('.') || name.ends_with('~') || name == "__MACOSX" || name == "__pycache__"
}

/// The name with `/` between its parts, if tools can be given it.
fn checked_name(path: &Path, name: &Path) -> Result<String, SourceFault> {
    let text = name.to_str().filter(|text| {
        !text.starts_with(['-', '@']) && !text.chars().any(char::is_control) && !text.is_empty()
    });
    text.map(str::to_owned).ok_or_else(|| SourceFault::Name(path.to_owned()))
}

/// A name for a file alone whose own name cannot be given to tools: with the same extension.
fn safe_name(path: &Path) -> String {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let plain = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric());
    extension.filter(plain).map_or("main".to_owned(), |extension| format!("main.{extension}"))
}

/// The whole file, if it is no bigger than this.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, SourceFault> {
    let unreadable = |source| SourceFault::Unreadable { path: path.to_owned(), source };
    let file = fs::File::open(path).map_err(unreadable)?;
    let mut content = Vec::new();
    file.take(most + 1).read_to_end(&mut content).map_err(unreadable)?;
    if content.len() as u64 > most {
        Err(SourceFault::TooBig(path.to_owned()))
    } else {
        Ok(content)
    }
}

/// Whether a file is a program for this system: it has the bit and either the right first bytes,
/// or `#!` and no extension.
fn is_executable(path: &Path, data: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    if data.permissions().mode() & 0o111 == 0 {
        return Ok(false);
    }
    let mut start = Vec::new();
    fs::File::open(path)?.take(256).read_to_end(&mut start)?;
    let script = start.starts_with(b"#!") && path.extension().is_none();
    Ok(start.starts_with(ELF) || script && super::detect::shebang(&start).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn executable(path: &Path, content: &[u8]) {
        fs::write(path, content).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_folder_is_read_without_links_hidden_files_and_backups() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("lib")).unwrap();
        for name in ["main.c", "lib/a.h", ".hidden", "main.c~"] {
            fs::write(path.join(name), name).unwrap();
        }
        symlink("/etc/passwd", path.join("link.c")).unwrap();
        let source = Source::load(path).unwrap();
        let names: Vec<&str> = source.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!((source.form, names), (Form::Folder, vec!["lib/a.h", "main.c"]));
    }

    #[test]
    fn a_program_is_noted_and_a_script_of_a_known_language_is_a_source() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        executable(&path("a.out"), b"\x7fELF...");
        executable(&path("own"), b"#!/opt/own/tool\n");
        executable(&path("script"), b"#!/usr/bin/env python3\n");
        executable(&path("main.py"), b"print(1)\n");
        let form = |name: &str| Source::load(&path(name)).unwrap().form;
        assert_eq!((form("a.out"), form("own")), (Form::Executable, Form::Executable));
        assert_eq!((form("script"), form("main.py")), (Form::File, Form::File));
    }

    #[test]
    fn impossible_names_empty_folders_and_big_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Source::load(folder.path()), Err(SourceFault::Empty(_))));
        fs::write(folder.path().join("-o.c"), "").unwrap();
        assert!(matches!(Source::load(folder.path()), Err(SourceFault::Name(_))));
        let alone = Source::load(&folder.path().join("-o.c")).unwrap();
        assert_eq!((alone.name.as_str(), alone.files[0].name.as_str()), ("-o.c", "main.c"));
        let big = folder.path().join("big.c");
        fs::File::create(&big).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(matches!(Source::load(&big), Err(SourceFault::TooBig(_))));
        assert!(matches!(Source::load(Path::new("/no/such")), Err(SourceFault::Unreadable { .. })));
    }
}
