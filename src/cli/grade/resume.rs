//! The journal of `jury grade`: what identifies a run of a case, and what is known of it from the run
//! that was stopped.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cli::config::FilesTable;
use crate::cli::error::{CommandError, print_note, print_warning};
use crate::cli::run::clear_kept;
use crate::grade::{Named, WhenLeft};
use crate::journal::{self, Journal, Key};
use crate::model::{CaseResult, Job, Plan, TestCase};

/// Where the journal lies, below the working folder.
const JOURNAL: &str = ".jury/journal.jsonl";

/// The key of each job: equal for equal program, files, limits and comparison.
pub(super) fn keys(plan: &Plan, checker: &str, files: &FilesTable) -> Vec<Key> {
    let stamp = |path: &Path| {
        let data = fs::metadata(path).ok();
        data.map(|data| (data.len(), data.modified().ok()))
    };
    let key = |job: &Job| {
        let (case, submission) = (plan.case(*job), plan.submission(*job));
        let mut hasher = DefaultHasher::new();
        (&submission.name, &submission.path, submission.path.as_deref().map(stamp))
            .hash(&mut hasher);
        (&case.name, &case.input, stamp(&case.input)).hash(&mut hasher);
        (&case.answer, case.answer.as_deref().map(stamp)).hash(&mut hasher);
        for path in companions(case) {
            (stamp(&path), path).hash(&mut hasher);
        }
        (plan.rungs(job), checker, files, plan.runs).hash(&mut hasher);
        hasher.finish()
    };
    plan.jobs.iter().map(key).collect()
}

/// The file of the arguments of a case, and all its further files.
fn companions(case: &TestCase) -> Vec<PathBuf> {
    let arguments = Some(case.arguments()).filter(|path| path.exists());
    let files = WalkDir::new(case.folder()).sort_by_file_name().into_iter().flatten();
    arguments.into_iter().chain(files.map(walkdir::DirEntry::into_path)).collect()
}

/// What need not be run again: with `resume` the results of the run that was stopped, else nothing,
/// and the outputs that were kept go.
pub(super) fn finished(resume: bool, keys: &[Key]) -> Result<Vec<CaseResult>, CommandError> {
    if resume {
        return earlier(keys);
    }
    clear_kept();
    Ok(Vec::new())
}

/// The results of the run that was stopped.
fn earlier(keys: &[Key]) -> Result<Vec<CaseResult>, CommandError> {
    let finished = journal::read(Path::new(JOURNAL), keys)
        .map_err(|error| CommandError::usage(format!("cannot read {JOURNAL}: {error}")))?;
    print_note(&format!("resuming: {} of {} runs are done", finished.len(), keys.len()));
    Ok(finished)
}

/// Without a journal the run goes on, but cannot be resumed.
pub(super) fn journal<'a>(keys: Vec<Key>) -> Option<Named<'a>> {
    match Journal::create(Path::new(JOURNAL), keys) {
        Ok(journal) => {
            let reporter = Box::new(journal);
            Some(Named { name: JOURNAL.into(), when_left: WhenLeft::Lost, reporter })
        }
        Err(error) => {
            let message = format!("cannot write {JOURNAL}: {error}; --resume is not possible");
            print_warning(&message, None);
            None
        }
    }
}
