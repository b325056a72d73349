//! Copies of outputs that were wrong, for people to look at.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Task;
use crate::model::{CaseResult, Feedback, Kept, Output, Status, TestCase};

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

/// Bytes of a name of a feedback file that is kept as it is, and of one that is cut.
const MOST_NAME: usize = 120;

/// The name under which a file is kept that a program has named: letters, digits and few signs as
/// they are, every other byte as `%XX`; a long one is cut and ends in a hash of the whole.
fn plain_name(name: &Path) -> PathBuf {
    let part = |part: Component<'_>| {
        let mut text = String::new();
        for &byte in part.as_os_str().as_encoded_bytes() {
            if byte.is_ascii_alphanumeric() || b"._-+=@,".contains(&byte) {
                text.push(char::from(byte));
            } else {
                let _ = write!(text, "%{byte:02X}");
            }
        }
        if text.len() > MOST_NAME {
            let hash = blake3::hash(part.as_os_str().as_encoded_bytes()).to_hex();
            text.truncate(MOST_NAME);
            let _ = write!(text, "-{}", &hash[..16]);
        }
        text
    };
    name.components().filter(|one| matches!(one, Component::Normal(_))).map(part).collect()
}

/// The most bytes that are kept of all outputs of a run.
const ALL: u64 = 1 << 30;

/// The cases of which it is kept what programs of the jury leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedbackOf {
    /// Those that are not accepted.
    FailedCases,
    /// All.
    AllCases,
}

/// A folder for outputs, with a bound of what goes into it.
#[derive(Debug)]
pub struct Keep {
    folder: PathBuf,
    /// Bytes that there is room for.
    room: AtomicU64,
    /// Whether what programs of the jury leave is kept of accepted cases, too.
    all_feedback: bool,
}

impl Keep {
    /// Up to 1 GiB of outputs below this folder.
    #[must_use]
    pub fn below(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), room: AtomicU64::new(ALL), all_feedback: false }
    }

    /// The same, and whether what programs of the jury leave is kept of accepted cases, too.
    #[must_use]
    pub fn with_feedback(self, of: FeedbackOf) -> Self {
        Self { all_feedback: of == FeedbackOf::AllCases, ..self }
    }

    /// Whether what a program of the jury has left is kept of a case with this status.
    pub(super) fn wants_feedback(&self, status: Status) -> bool {
        self.all_feedback || status != Status::Pass
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes so many bytes of the room, if there is so much.
    fn take(&self, bytes: u64) -> io::Result<()> {
        let less = |room: u64| room.checked_sub(bytes);
        match self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(_) => Ok(()),
            Err(_) => Err(io::Error::other(format!("{} MiB of outputs are there", ALL >> 20))),
        }
    }

    /// Writes files that a program of the jury has left to the folder `OWNER/NAME.feedback`.
    pub(super) fn feedback(
        &self,
        owner: &str,
        case: &TestCase,
        feedback: &Feedback,
    ) -> io::Result<PathBuf> {
        self.take(feedback.files.iter().map(|(_, bytes)| bytes.len() as u64).sum())?;
        let folder = self.folder.join(owner).join(format!("{}.feedback", case.name));
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::create_dir_all(&folder)?;
        for (name, bytes) in &feedback.files {
            let path = folder.join(plain_name(name));
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, bytes)?;
        }
        Ok(folder)
    }

    /// Writes the output to `OWNER/NAME.out` in the folder, at most its first 64 MiB.
    pub(super) fn write(
        &self,
        owner: &str,
        case: &TestCase,
        output: &mut Output,
    ) -> io::Result<Kept> {
        let bytes = output.bytes.min(MOST);
        self.take(bytes)?;
        let path = self.folder.join(owner).join(format!("{}.out", case.name));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        output.stream.seek(SeekFrom::Start(0))?;
        io::copy(&mut (&mut output.stream).take(MOST), &mut File::create(&path)?)?;
        Ok(Kept { path, cut: output.bytes > MOST })
    }
}

/// Keeping the output is a service, not part of the verdict: where it fails, the hint says so.
pub(super) fn output(
    task: &Task<'_>,
    output: &mut Output,
    keep: Option<&Keep>,
    result: &mut CaseResult,
) {
    let Some(keep) = keep else { return };
    match keep.write(task.owner, task.case, output) {
        Ok(kept) => result.kept = Some(kept),
        Err(error) => {
            let hint = format!("the output is not kept: {}: {error}", keep.folder().display());
            result.hint.get_or_insert(hint);
        }
    }
}

/// The same for what a program of the jury has left.
pub(super) fn feedback(
    task: &Task<'_>,
    feedback: Option<Box<Feedback>>,
    keep: Option<&Keep>,
    result: &mut CaseResult,
) {
    let wanted = keep.filter(|keep| keep.wants_feedback(result.status));
    let Some((keep, feedback)) = wanted.zip(feedback) else { return };
    let hint = match keep.feedback(task.owner, task.case, &feedback) {
        Ok(path) => {
            let path = result.feedback.insert(path).display();
            feedback.more.then(|| format!("not all of the feedback is kept in {path}"))
        }
        Err(error) => {
            Some(format!("the feedback is not kept: {}: {error}", keep.folder().display()))
        }
    };
    if let Some(hint) = hint {
        result.hint.get_or_insert(hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_program_has_chosen_stay_inside_and_are_plain() {
        let table = [
            ("judgemessage.txt", "judgemessage.txt"),
            ("a/b c.png", "a/b%20c.png"),
            ("\u{1b}[2J", "%1B%5B2J"),
            ("../x", "x"),
            ("/etc/passwd", "etc/passwd"),
        ];
        for (name, plain) in table {
            assert_eq!(plain_name(Path::new(name)), Path::new(plain));
        }
        let long = ["1", "2"].map(|end| plain_name(Path::new(&("x".repeat(200) + end))));
        assert_ne!(long[0], long[1]);
        assert!(long.iter().all(|name| name.as_os_str().len() == MOST_NAME + 17));
    }

    #[test]
    fn no_more_than_the_bound_is_kept_of_all_outputs() {
        let folder = tempfile::tempdir().unwrap();
        let keep =
            Keep { folder: folder.path().to_owned(), room: AtomicU64::new(5), all_feedback: false };
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
