//! Submissions: which programs lie in a folder, and what their place promises.
//!
//! ```text
//! submissions/accepted/fast.cpp      promises AC        (the usual names and short ones)
//! submissions/slow.py                promises nothing
//! source/NAME/TASK.cpp               NAME's answer to the problem TASK; also NAME/TASK/TASK.cpp
//! ```

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

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

/// What lies in a folder of submissions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The programs.
    pub found: Vec<Found>,
    /// What is left out or perhaps meant otherwise.
    pub oddities: Vec<Oddity>,
}

/// Something in a folder of submissions that is probably not as it was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oddity {
    /// The file or folder.
    pub path: PathBuf,
    /// What is odd about it.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The submissions of a problem: every file and folder of `submissions`, and of the folders in it
/// whose names promise a verdict. Links that lead out of `submissions` are left out.
///
/// # Errors
/// When a folder cannot be read.
pub fn in_folder(submissions: &Path) -> io::Result<Listing> {
    let mut lister = Lister::new(submissions)?;
    let mut found = Vec::new();
    for path in lister.entries(submissions)? {
        let name = file_name(&path);
        match promise(&name).filter(|_| path.is_dir()) {
            None => {
                let oddity = path.is_dir().then(|| odd_folder(&path, &name)).flatten();
                lister.oddities.extend(oddity);
                found.extend(program(path, None));
            }
            Some(promised) => {
                for path in lister.entries(&path)? {
                    found.extend(program(path, Some(&promised)));
                }
            }
        }
    }
    tell_apart(&mut found);
    Ok(Listing { found, oddities: lister.oddities })
}

/// The submissions of students: `source/NAME/TASK.*` or `source/NAME/TASK/TASK.*`, for the problems
/// that `is_task` knows, whatever the case of the letters. Links that lead out of `source` are left
/// out.
///
/// # Errors
/// When a folder cannot be read.
pub fn of_students(source: &Path, is_task: impl Fn(&str) -> bool) -> io::Result<Listing> {
    let mut lister = Lister::new(source)?;
    let mut found = Vec::new();
    for student in lister.entries(source)?.into_iter().filter(|path| path.is_dir()) {
        for path in lister.entries(&student)? {
            let stem = stem(&path);
            let spellings = [stem.clone(), stem.to_lowercase(), stem.to_uppercase()];
            let Some(task) = spellings.into_iter().find(|name| is_task(name)) else { continue };
            let Some(program) = program(path, None) else { continue };
            let path = lister.own_file(&program.path, &stem).unwrap_or(program.path);
            let name = file_name(&student);
            found.push(Found { name, path, promised: None, task: Some(task) });
        }
    }
    by_file(&mut found);
    Ok(Listing { found, oddities: lister.oddities })
}

/// Several answers of one student to one task have the names of their files.
fn by_file(found: &mut [Found]) {
    let of = |found: &Found| (found.name.clone(), found.task.clone());
    let all: Vec<_> = found.iter().map(of).collect();
    for (index, one) in found.iter_mut().enumerate() {
        if all.iter().filter(|other| **other == all[index]).count() > 1 {
            one.name = format!("{}/{}", one.name, file_name(&one.path));
        }
    }
}

/// Lists folders below one folder, and never what links outside it.
struct Lister {
    /// The real path of the topmost folder.
    top: PathBuf,
    oddities: Vec<Oddity>,
}

impl Lister {
    fn new(top: &Path) -> io::Result<Self> {
        Ok(Self { top: fs::canonicalize(top)?, oddities: Vec::new() })
    }

    /// What lies in a folder, in natural order, without the litter of systems and editors.
    fn entries(&mut self, folder: &Path) -> io::Result<Vec<PathBuf>> {
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
        paths.retain(|path| self.is_inside(path));
        Ok(paths)
    }

    /// Whether this is no link, or one to something below the topmost folder.
    fn is_inside(&mut self, path: &Path) -> bool {
        if !path.is_symlink() {
            return true;
        }
        let message = match fs::canonicalize(path) {
            Ok(real) if real.starts_with(&self.top) => return true,
            Ok(_) => {
                "a link that leads out of the folder of the submissions: not graded".to_owned()
            }
            Err(error) => format!("a link that leads nowhere: {error}"),
        };
        let hint = Some("copy the file here, or name it on the command line".to_owned());
        self.oddities.push(Oddity { path: path.to_owned(), message, hint });
        false
    }

    /// `TASK/TASK.cpp` when that is the only program in the folder of the task.
    fn own_file(&mut self, folder: &Path, task: &str) -> Option<PathBuf> {
        if !folder.is_dir() {
            return None;
        }
        let mut files = self.entries(folder).ok()?;
        files.retain(|path| path.is_file() && !is_no_program(path));
        let own = files.iter().position(|path| stem(path) == task)?;
        (files.len() == 1).then(|| files.swap_remove(own))
    }
}

/// A folder that promises nothing, and is named nearly as one that does or holds programs of
/// several kinds.
fn odd_folder(path: &Path, name: &str) -> Option<Oddity> {
    let message = "the name promises no verdict; the folder is graded as one submission";
    let plain = name.to_lowercase().replace('-', "_");
    let known = PROMISES.iter().flat_map(|(names, _)| names.iter().copied());
    let close = known
        .map(|known| (strsim::damerau_levenshtein(known, &plain), known))
        .filter(|(distance, known)| distance * 4 <= known.len().min(8))
        .min();
    let hint = match close {
        Some((_, close)) => format!("did you mean `{close}`?"),
        None if holds_several(path, &plain) => {
            let folders = PROMISES.iter().map(|(names, _)| names[0]).collect::<Vec<_>>();
            format!("folders with a promise: {}", folders.join(", "))
        }
        None => return None,
    };
    Some(Oddity { path: path.to_owned(), message: message.to_owned(), hint: Some(hint) })
}

/// Whether files of several kinds lie in a folder, and none is the one to start with.
fn holds_several(folder: &Path, name: &str) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let programs: Vec<PathBuf> =
        entries.filter(|path| path.is_file() && !is_no_program(path)).collect();
    let kinds: HashSet<_> = programs.iter().map(|path| path.extension()).collect();
    let starts = |path: &PathBuf| {
        ["main", "__main__", "solution", name].contains(&stem(path).to_lowercase().as_str())
    };
    kinds.len() > 1 && !programs.iter().any(starts)
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

/// Programs of one name get as many folders in front as tell them apart.
pub fn tell_apart(found: &mut [Found]) {
    let places: Vec<Vec<String>> = found.iter().map(place).collect();
    let last =
        |place: &[String], number: usize| place[place.len().saturating_sub(number)..].join("/");
    for (index, found) in found.iter_mut().enumerate() {
        let mine = &places[index];
        let is_unique = |number: &usize| {
            let name = last(mine, *number);
            let others = places.iter().enumerate().filter(|(other, _)| *other != index);
            others.map(|(_, place)| place).all(|place| last(place, *number) != name)
        };
        // One and the same file has one name.
        let number = (1..=mine.len()).find(is_unique).unwrap_or(1);
        if number > 1 {
            found.name = last(mine, number);
        }
    }
}

/// The name of a submission behind the names of the folders that it lies in.
fn place(found: &Found) -> Vec<String> {
    let real = fs::canonicalize(&found.path).unwrap_or_default();
    let named = found.path.parent().filter(|_| found.path.file_name().is_some());
    let parent = named.map_or_else(
        || real.parent().map(Path::to_owned),
        |parent| {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            fs::canonicalize(parent).ok()
        },
    );
    let parent = parent.unwrap_or_default();
    let folders = parent.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    folders.chain([found.name.clone()]).collect()
}

/// The last name of a path; bytes that are no text stand as `\xff`, so that no two files have one
/// name.
#[must_use]
pub fn file_name(path: &Path) -> String {
    let bytes = path.file_name().unwrap_or_default().as_encoded_bytes();
    let mut name = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        name += chunk.valid();
        for byte in chunk.invalid() {
            let _ = write!(name, "\\x{byte:02x}");
        }
    }
    name
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
        let found = in_folder(folder.path()).unwrap().found;
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
            "Anna/sum.py",
            "Anna/Sum.py",
            "ANNA/SUM.c",
        ]);
        let found = of_students(folder.path(), |task| task == "sum" || task == "path");
        let found = found.unwrap().found;
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
                "ANNA sum ANNA/SUM.c",
                "Anna/Sum.py sum Anna/Sum.py",
                "Anna/sum.py sum Anna/sum.py",
                "anna sum anna/sum.cpp",
                "ben path ben/path.py",
                "ben sum ben/sum/sum.py",
                "cleo sum cleo/sum",
            ]
        );
    }

    #[test]
    fn links_that_lead_out_of_the_folder_are_told_and_left_out() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["out.py", "s/accepted/good.py", "s/anna/notes.txt", "s/ben/sum/x"]);
        let path = |name: &str| folder.path().join(name);
        symlink("../out.py", path("s/leak.py")).unwrap();
        symlink("accepted/good.py", path("s/same.py")).unwrap();
        symlink("../../out.py", path("s/accepted/leak.py")).unwrap();
        symlink("..", path("s/wrong_answer")).unwrap();
        symlink("nowhere", path("s/broken.py")).unwrap();
        let listing = in_folder(&path("s")).unwrap();
        let names: Vec<&str> = listing.found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["good.py", "anna", "ben", "same.py"]);
        let odd: Vec<String> = listing.oddities.iter().map(|odd| file_name(&odd.path)).collect();
        assert_eq!(odd, ["broken.py", "leak.py", "wrong_answer", "leak.py"].map(String::from));

        fs::remove_file(path("s/ben/sum/x")).unwrap();
        symlink("/etc/passwd", path("s/ben/sum/sum.py")).unwrap();
        symlink("/etc/passwd", path("s/anna/sum.py")).unwrap();
        let listing = of_students(&path("s"), |task| task == "sum").unwrap();
        let paths: Vec<&Path> = listing.found.iter().map(|found| found.path.as_path()).collect();
        assert_eq!(paths, [path("s/ben/sum")]);
        assert_eq!(listing.oddities.len(), 6, "{:?}", listing.oddities);
    }

    #[test]
    fn a_folder_with_nearly_the_name_of_a_promise_is_told() {
        let folder = folder(&["acepted/a.py", "mine/a.py", "mine/b.c", "own/own.py", "own/lib.c"]);
        let oddities = in_folder(folder.path()).unwrap().oddities;
        let hints: Vec<String> = oddities.iter().filter_map(|odd| odd.hint.clone()).collect();
        assert_eq!(hints[0], "did you mean `accepted`?");
        assert!(hints[1].starts_with("folders with a promise: accepted"), "{hints:?}");
        assert_eq!(hints.len(), 2);
    }

    #[test]
    fn the_shortest_path_that_differs_is_the_name() {
        let folder = folder(&["a/x/s.py", "b/x/s.py", "b/t.py", "c/t.py", "u.py"]);
        let found = |path: &str| {
            let path = folder.path().join(path);
            Found { name: file_name(&path), path, promised: None, task: None }
        };
        let mut found = ["a/x/s.py", "b/x/s.py", "b/t.py", "c/t.py", "u.py"].map(found);
        tell_apart(&mut found);
        let names = found.map(|found| found.name);
        assert_eq!(names, ["a/x/s.py", "b/x/s.py", "b/t.py", "c/t.py", "u.py"]);
    }

    #[test]
    fn every_promise_has_one_row() {
        let names: Vec<&str> =
            PROMISES.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        let unique: std::collections::HashSet<&&str> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }
}
