//! Submissions: which programs lie in a folder, and what their place promises.
//!
//! ```text
//! submissions/accepted/fast.cpp      promises AC        (the usual names and short ones)
//! submissions/slow.py                promises nothing
//! source/NAME/TASK.cpp               NAME's answer to the problem TASK; also NAME/TASK/TASK.cpp
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::plain::natural;
use crate::model::Verdict;

/// A program found in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What people call it.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
    /// What its folder promises, if it says anything.
    pub promised: Option<Vec<Verdict>>,
    /// The only problem that it answers; none answers every problem.
    pub task: Option<String>,
}

use Verdict::{
    Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE,
    PartlyCorrect as PC, PresentationError as PE, RuntimeError as RTE, TimeLimit as TLE,
    WrongAnswer as WA,
};

/// Names of folders and what a submission in them promises.
const PROMISES: [(&[&str], &[Verdict]); 12] = [
    (&["accepted", "ac", "correct", "slow_accepted"], &[AC]),
    (&["wrong_answer", "wa", "wrong"], &[WA]),
    (&["time_limit_exceeded", "time_limit", "tle", "timeout"], &[TLE]),
    (&["run_time_error", "runtime_error", "rte", "re"], &[RTE]),
    (&["memory_limit_exceeded", "memory_limit", "mle"], &[MLE]),
    (&["output_limit_exceeded", "output_limit", "ole"], &[OLE]),
    (&["compiler_error", "compile_error", "ce"], &[CE]),
    (&["presentation_error", "pe"], &[PE]),
    (&["partially_accepted", "partial"], &[PC, WA, TLE, MLE, RTE]),
    (&["brute_force"], &[TLE, MLE, RTE]),
    (&["rejected"], &[WA, TLE, MLE, OLE, RTE, PE]),
    (&["mixed", "mixed_verdicts", "multiple", "check_manually", "no_output"], &ANY),
];

/// What a submission may get that promises nothing at all.
const ANY: [Verdict; 9] = [AC, WA, PE, PC, TLE, MLE, OLE, RTE, CE];

/// What a submission in a folder of this name promises.
fn promise(folder: &str) -> Option<Vec<Verdict>> {
    let name = folder.to_lowercase().replace('-', "_");
    let row = PROMISES.iter().find(|(names, _)| names.contains(&name.as_str()));
    row.map(|(_, verdicts)| verdicts.to_vec())
}

/// Files that lie beside programs without being one.
const NO_PROGRAMS: [&str; 10] =
    ["h", "hpp", "hh", "md", "txt", "yaml", "yml", "json", "toml", "class"];

/// The submissions of a problem: every file and folder of `submissions`, and of the folders in it
/// whose names promise a verdict.
///
/// # Errors
/// When a folder cannot be read.
pub fn in_folder(submissions: &Path) -> io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for path in entries(submissions)? {
        let name = file_name(&path);
        match promise(&name).filter(|_| path.is_dir()) {
            None => found.extend(program(path, None)),
            Some(promised) => {
                for path in entries(&path)? {
                    found.extend(program(path, Some(&promised)));
                }
            }
        }
    }
    tell_apart(&mut found);
    Ok(found)
}

/// The submissions of students: `source/NAME/TASK.*` or `source/NAME/TASK/TASK.*`, for the problems
/// that `is_task` knows.
///
/// # Errors
/// When a folder cannot be read.
pub fn of_students(source: &Path, is_task: impl Fn(&str) -> bool) -> io::Result<Vec<Found>> {
    let mut found = Vec::new();
    for student in entries(source)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&student)? {
            let task = stem(&path);
            if !is_task(&task) {
                continue;
            }
            let Some(program) = program(path, None) else { continue };
            let path = own_file(&program.path, &task).unwrap_or(program.path);
            let name = file_name(&student);
            found.push(Found { name, path, promised: None, task: Some(task) });
        }
    }
    Ok(found)
}

/// `TASK/TASK.cpp` when that is the only program in the folder of the task.
fn own_file(folder: &Path, task: &str) -> Option<PathBuf> {
    let mut files = entries(folder).ok()?;
    files.retain(|path| path.is_file() && !is_no_program(path));
    let own = files.iter().position(|path| stem(path) == task)?;
    (files.len() == 1).then(|| files.swap_remove(own))
}

fn program(path: PathBuf, promised: Option<&Vec<Verdict>>) -> Option<Found> {
    let name = file_name(&path);
    let any = path.is_dir() || !is_no_program(&path);
    any.then(|| Found { name, path, promised: promised.cloned(), task: None })
}

fn is_no_program(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    NO_PROGRAMS.contains(&extension.as_str())
}

/// Programs of one name get their folder in front.
fn tell_apart(found: &mut [Found]) {
    let names: Vec<String> = found.iter().map(|found| found.name.clone()).collect();
    for found in found.iter_mut() {
        if names.iter().filter(|name| **name == found.name).count() > 1 {
            let folder = found.path.parent().map(file_name).unwrap_or_default();
            found.name = format!("{folder}/{}", found.name);
        }
    }
}

/// What lies in a folder, in natural order, without the litter of systems and editors.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = file_name(&path);
        let litter = name.starts_with('.') || name.ends_with('~') || name.starts_with("__");
        if !litter {
            paths.push(path);
        }
    }
    paths.sort_by(|a, b| natural(a, b));
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn the_folder_of_a_submission_is_its_promise() {
        let folder = folder(&[
            "accepted/fast.cpp",
            "accepted/lib.h",
            "Wrong-Answer/off.py",
            "tle/fast.cpp",
            "multi/main.c",
            "multi/util.c",
            "free.sh",
            ".hidden",
            "notes.md",
        ]);
        let found = in_folder(folder.path()).unwrap();
        let shown: Vec<(String, Option<Vec<Verdict>>)> =
            found.into_iter().map(|found| (found.name, found.promised)).collect();
        assert_eq!(
            shown,
            [
                ("off.py".into(), Some(vec![WA])),
                ("accepted/fast.cpp".into(), Some(vec![AC])),
                ("free.sh".into(), None),
                ("multi".into(), None),
                ("tle/fast.cpp".into(), Some(vec![TLE])),
            ]
        );
    }

    #[test]
    fn students_answer_the_tasks_their_files_are_named_after() {
        let folder = folder(&[
            "anna/sum.cpp",
            "anna/notes.txt",
            "ben/sum/sum.py",
            "ben/path.py",
            "ben/other.c",
            "cleo/sum/a.c",
            "cleo/sum/b.c",
        ]);
        let found = of_students(folder.path(), |task| task == "sum" || task == "path").unwrap();
        let shown: Vec<String> = found
            .iter()
            .map(|found| {
                let path = found.path.strip_prefix(folder.path()).unwrap().display();
                format!("{} {} {path}", found.name, found.task.as_deref().unwrap())
            })
            .collect();
        assert_eq!(
            shown,
            [
                "anna sum anna/sum.cpp",
                "ben path ben/path.py",
                "ben sum ben/sum/sum.py",
                "cleo sum cleo/sum",
            ]
        );
    }

    #[test]
    fn every_promise_has_one_row() {
        let names: Vec<&str> =
            PROMISES.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        let unique: std::collections::HashSet<&&str> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }
}
