//! What a run finds in its working folder and on its command line: the input under its own name,
//! the files and the arguments of the case. And the output, where it is a file.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::check::program::Pass;
use crate::model::{Bound, Output, Termination, TestCase};
use crate::sandbox::{Collect, CopyIn, Ended, Ran, Refusal, Spec};

/// The names under which a program reads and writes; none means standard input and output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Files {
    /// The file that it reads.
    pub input: Option<PathBuf>,
    /// The file that it writes.
    pub output: Option<PathBuf>,
}

/// The most files of a case.
const MOST_FILES: usize = 200;

/// The most bytes of the file with the arguments.
const MOST_ARGUMENTS: u64 = 64 << 10;

impl Files {
    /// Puts the files and arguments of a case into a run for one pass, which may write so many bytes.
    pub(super) fn prepare(
        &self,
        case: &TestCase,
        pass: &Pass,
        most: u64,
        spec: &mut Spec,
    ) -> Result<(), String> {
        if let Some(name) = &self.input {
            spec.work.copy_in.push(CopyIn::new(pass.copied_input(case), name));
        }
        if let Some(name) = &self.output {
            spec.work.collect.push(Collect::new(name, most));
        }
        arguments(&case.arguments(), spec)?;
        copies(&case.folder(), spec)
    }

    /// Takes the output from its file; why there is none, when there is none.
    pub(super) fn output(&self, ran: &mut Ran) -> Result<Output, Termination> {
        let failed = |error: io::Error| Termination::Failed(format!("lost output: {error}"), None);
        let Some(name) = &self.output else {
            let stdout = ran.stdout.try_clone().map_err(failed)?;
            return Ok(Output { stream: Box::new(stdout), bytes: ran.stdout_bytes });
        };
        let shown = name.display();
        match ran.refused.iter().find(|(refused, _)| refused == name) {
            Some((_, Refusal::TooBig(_))) => return Err(Termination::Killed(Bound::Output)),
            Some((_, Refusal::NotPlain | Refusal::TooMany)) if ran.ended == Ended::Exited(0) => {
                return Err(Termination::Silent(format!("{shown} is no plain file")));
            }
            _ => {}
        }
        match ran.collected.iter().position(|(collected, _)| collected == name) {
            Some(position) => {
                let (_, file) = ran.collected.swap_remove(position);
                let bytes = file.metadata().map_err(failed)?.len();
                Ok(Output { stream: Box::new(file), bytes })
            }
            None if ran.ended == Ended::Exited(0) => {
                Err(Termination::Silent(format!("the program wrote no {shown}")))
            }
            None => Ok(Output::empty()),
        }
    }
}

/// Whether there is no such file; a name that is too long for the system is that of none.
fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename)
}

/// One argument a line; an empty line is an empty argument.
fn arguments(path: &Path, spec: &mut Spec) -> Result<(), String> {
    let fault = |why: &dyn std::fmt::Display| format!("cannot read {}: {why}", path.display());
    match fs::metadata(path) {
        Err(error) if is_nothing(&error) => return Ok(()),
        Err(error) => return Err(fault(&error)),
        Ok(data) if !data.is_file() => return Err(fault(&"it is no plain file")),
        Ok(data) if data.len() > MOST_ARGUMENTS => {
            return Err(fault(&format!("more than {MOST_ARGUMENTS} bytes")));
        }
        Ok(_) => {}
    }
    let text = fs::read(path).map_err(|error| fault(&error))?;
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    if text.contains(&0) {
        return Err(fault(&"an argument cannot hold a zero byte"));
    }
    if !text.is_empty() {
        let lines = text.split(|&byte| byte == b'\n');
        let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec());
        spec.program.extend(lines.map(OsString::from_vec));
    }
    Ok(())
}

/// Every file of the folder, under its path below it.
fn copies(folder: &Path, spec: &mut Spec) -> Result<(), String> {
    if !folder.is_dir() {
        return Ok(());
    }
    let before = spec.work.copy_in.len();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| error.to_string())?;
        let path = entry.path();
        if entry.file_type().is_dir() {
            continue;
        }
        if !entry.file_type().is_file() {
            return Err(format!("{}: no plain file", path.display()));
        }
        let below = path.strip_prefix(folder).unwrap_or(path);
        spec.work.copy_in.push(CopyIn::new(path.to_owned(), below));
        if spec.work.copy_in.len() - before > MOST_FILES {
            return Err(format!("{}: more than {MOST_FILES} files", folder.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> Spec {
        Spec::new(["/bin/true"])
    }

    #[test]
    fn a_line_is_an_argument_whatever_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.args");
        let read = |text: &[u8]| {
            fs::write(&path, text).unwrap();
            let mut spec = spec();
            arguments(&path, &mut spec).map(|()| spec.program[1..].to_vec())
        };
        assert_eq!(read(b"").unwrap(), [""; 0]);
        assert_eq!(read(b"-n\r\na b\n\n'x'\n").unwrap(), ["-n", "a b", "", "'x'"]);
        assert_eq!(read(b"\n").unwrap(), [""; 0]);
        assert!(read(b"a\0b").unwrap_err().contains("zero byte"));
    }

    #[test]
    fn the_files_of_a_case_keep_their_paths_and_links_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("maps")).unwrap();
        fs::write(folder.path().join("maps/a.txt"), "x").unwrap();
        let mut one = spec();
        copies(folder.path(), &mut one).unwrap();
        assert_eq!(one.work.copy_in[0].name, Path::new("maps/a.txt"));
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
        assert!(copies(folder.path(), &mut spec()).unwrap_err().contains("no plain file"));
    }
}
