//! The journal of `jury grade`: what identifies a run of a case, and what is known of it from the run
//! that was stopped.

use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cli::config::Config;
use crate::cli::error::{CommandError, print_note, print_warning};
use crate::cli::run::clear_kept;
use crate::grade::{Named, WhenLeft};
use crate::journal::{self, Journal, Key, Known};
use crate::language::Languages;
use crate::model::{CaseResult, Compiled, Job, Plan, Submission, TestCase};

/// Where the journal lies, below the working folder.
const JOURNAL: &str = ".jury/journal.jsonl";

/// The key of each job: equal for equal program, way to build it, files, promise, limits and way to
/// judge, which is the comparison and the level of the sandbox.
pub(super) fn keys(plan: &Plan, way: &impl Hash, config: &Config) -> Vec<Key> {
    let program = |submission| program(submission, &config.languages);
    let programs: Vec<u64> = plan.submissions.iter().map(program).collect();
    let stamp = |path: &Path| {
        let data = fs::metadata(path).ok();
        data.map(|data| (data.len(), data.modified().ok()))
    };
    let key = |job: &Job| {
        let (case, submission) = (plan.case(*job), plan.submission(*job));
        let mut hasher = DefaultHasher::new();
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        (&submission.name, &submission.path, programs[job.submission]).hash(&mut hasher);
        (&submission.language, format!("{:?}", submission.promised)).hash(&mut hasher);
        (&case.name, &case.input, stamp(&case.input)).hash(&mut hasher);
        (&case.answer, case.answer.as_deref().map(stamp)).hash(&mut hasher);
        for path in companions(case) {
            (stamp(&path), path).hash(&mut hasher);
        }
        (plan.rungs(job), way, &config.files, plan.runs).hash(&mut hasher);
        hasher.finish()
    };
    plan.jobs.iter().map(key).collect()
}

/// The file of the arguments of a case, and all its further files.
pub(super) fn companions(case: &TestCase) -> Vec<PathBuf> {
    let arguments = Some(case.arguments()).filter(|path| path.exists());
    let files = WalkDir::new(case.folder()).sort_by_file_name().into_iter().flatten();
    arguments.into_iter().chain(files.map(walkdir::DirEntry::into_path)).collect()
}

/// What need not be run again: with `resume` the results of the run that was stopped, else nothing,
/// and the outputs that were kept go, unless another run in this folder is keeping them.
pub(super) fn finished(resume: bool, plan: &Plan, keys: &[Key]) -> Result<Known, CommandError> {
    if resume {
        return earlier(plan, keys);
    }
    if !journal::is_in_use(Path::new(JOURNAL)) {
        clear_kept();
    }
    Ok(Known::default())
}

/// A hash of a submission: its files, and how the configuration builds and starts its language.
fn program(submission: &Submission, languages: &Languages) -> u64 {
    let mut hasher = DefaultHasher::new();
    submission.path.as_deref().map_or(0, content).hash(&mut hasher);
    let language = languages.all().iter().find(|known| known.name == submission.language);
    format!("{language:?}").hash(&mut hasher);
    hasher.finish()
}

/// A hash of all files of a submission, with their names.
pub(super) fn content(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    for entry in WalkDir::new(path).sort_by_file_name() {
        let Ok(entry) = entry else { continue };
        entry.path().hash(&mut hasher);
        // What cannot be read is no submission either.
        if entry.path().is_file() {
            fs::read(entry.path()).ok().hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The results of the run that was stopped.
fn earlier(plan: &Plan, keys: &[Key]) -> Result<Known, CommandError> {
    let known = journal::read(Path::new(JOURNAL), plan, keys)
        .map_err(|error| CommandError::usage(format!("cannot read {JOURNAL}: {error}")))?;
    print_note(&format!("resuming: {} of {} runs are done", known.results.len(), keys.len()));
    Ok(known)
}

/// What came of building the submissions: now, or where nothing of one was left to run, before.
pub(super) fn with_earlier(mut now: Vec<Compiled>, before: Vec<Compiled>) -> Vec<Compiled> {
    let built: HashSet<usize> = now.iter().map(|one| one.submission).collect();
    now.extend(before.into_iter().filter(|one| !built.contains(&one.submission)));
    now.sort_by_key(|one| one.submission);
    now
}

/// The journal of this run, behind the results that it takes over. Without a journal the run goes
/// on, but cannot be resumed.
pub(super) fn journal<'a>(keys: Vec<Key>, finished: &[CaseResult]) -> Option<Named<'a>> {
    let known: HashSet<usize> = finished.iter().map(|result| result.index).collect();
    match Journal::open(Path::new(JOURNAL), keys, known) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Override;

    #[test]
    fn the_way_to_build_a_language_is_part_of_the_key() {
        let submission = Submission { language: "c".into(), ..Submission::core(0) };
        let mut languages = Languages::default();
        let before = program(&submission, &languages);
        let change = Override { time_factor: Some(3.0), ..Override::default() };
        languages.apply("java", &change).unwrap();
        assert_eq!(program(&submission, &languages), before);
        languages.apply("c", &change).unwrap();
        assert_ne!(program(&submission, &languages), before);
    }

    #[test]
    fn every_file_of_a_submission_is_part_of_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("main.c"), "a").unwrap();
        fs::write(path("sub/b.h"), "b").unwrap();
        let before = content(folder.path());
        assert_eq!(before, content(folder.path()));
        fs::write(path("sub/b.h"), "c").unwrap();
        let changed = content(folder.path());
        fs::rename(path("sub/b.h"), path("sub/c.h")).unwrap();
        let renamed = content(folder.path());
        assert!(before != changed && changed != renamed && renamed != before);
    }
}
