//! Plain pairs: input files and answer files that belong together by their names.
//!
//! ```text
//! input/PROBLEM/CASE.in    expected/PROBLEM/CASE.out     same relative path, extension may differ
//! in/PROBLEM/CASE          out/PROBLEM/CASE              identical name
//! input/PROBLEM/input01.txt   output/PROBLEM/output01.txt
//! DIR/PROBLEM/CASE.in      DIR/PROBLEM/CASE.ans          both in one folder
//! ```
//!
//! The first folder level names the problem, the levels below it name the test group.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::model::{Finding, FindingKind, Problem, Severity, Suite};

mod names;
mod pair;
mod walk;

pub(in crate::package) use walk::natural;

/// Where inputs and answers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The folder of the inputs.
    pub input: PathBuf,
    /// The folder of the answers; may be the same one.
    pub expected: PathBuf,
}

/// Why a suite cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The folder is not there.
    #[error("{what} folder not found: {}", path.display())]
    NoFolder {
        /// `input` or `expected`.
        what: &'static str,
        /// The folder that was looked for.
        path: PathBuf,
    },
    /// A file lies outside any problem folder and no problem was named for it.
    #[error("{} lies in no problem folder, so nothing tells which solver answers it", path.display())]
    NoProblem {
        /// The first such file.
        path: PathBuf,
    },
    /// No solver is known for a problem.
    #[error("no solver for problem `{problem}` ({})", path.display())]
    NoSolver {
        /// The problem.
        problem: String,
        /// Its folder.
        path: PathBuf,
    },
}

impl Layout {
    /// The folders of a suite: `input` and `expected`, or `in` and `out`, or `input` and `output`.
    ///
    /// # Errors
    /// [`LoadError::NoFolder`] when the suite has none of them.
    pub fn of_suite(suite: &Path) -> Result<Self, LoadError> {
        if !suite.is_dir() {
            return Err(LoadError::NoFolder { what: "input", path: suite.to_owned() });
        }
        let join =
            |name: &str| if suite == Path::new(".") { name.into() } else { suite.join(name) };
        let known = [("input", "expected"), ("in", "out"), ("input", "output")];
        let pairs =
            known.map(|(input, expected)| Self { input: join(input), expected: join(expected) });
        let whole = pairs.iter().find(|layout| layout.input.is_dir() && layout.expected.is_dir());
        let half = pairs.iter().find(|layout| layout.input.is_dir());
        whole
            .or(half)
            .cloned()
            .ok_or_else(|| LoadError::NoFolder { what: "input", path: join("input") })
    }

    /// The layout of two named folders.
    ///
    /// # Errors
    /// [`LoadError::NoFolder`] when the input folder is missing, or the other one is.
    pub fn of_folders(input: PathBuf, expected: PathBuf) -> Result<Self, LoadError> {
        for (what, path) in [("input", &input), ("expected", &expected)] {
            if !path.is_dir() {
                return Err(LoadError::NoFolder { what, path: path.clone() });
            }
        }
        Ok(Self { input, expected })
    }

    /// The folders of a problem: those of a suite, or one folder that holds inputs and answers.
    ///
    /// # Errors
    /// [`LoadError::NoFolder`] when there is none of them.
    pub fn of_problem(problem: &Path) -> Result<Self, LoadError> {
        Self::of_suite(problem).or_else(|error| {
            let folders = ["data", "tests", "test"].map(|name| problem.join(name));
            let folder = folders.into_iter().find(|folder| folder.is_dir()).ok_or(error)?;
            Ok(Self { input: folder.clone(), expected: folder })
        })
    }

    /// The answers' folder below the inputs' one, if it lies there.
    fn answers_within_inputs(&self) -> Option<PathBuf> {
        let (input, expected) = (self.input.canonicalize(), self.expected.canonicalize());
        let (input, expected) = (input.ok()?, expected.ok()?);
        expected.strip_prefix(input).ok().map(Path::to_owned)
    }

    fn is_one_folder(&self) -> bool {
        let same = |a: &Path, b: &Path| a.canonicalize().ok() == b.canonicalize().ok();
        self.input == self.expected || same(&self.input, &self.expected)
    }
}

/// Loads the suite of a layout. `solver` tells which solver answers a problem of this name (none
/// when there is none); `default_problem` names files that lie in no problem folder.
///
/// # Errors
/// [`LoadError`] when a folder is missing or a problem has no solver.
pub fn load(
    layout: &Layout,
    default_problem: Option<&str>,
    solver: impl Fn(&str) -> Option<String>,
) -> Result<Suite, LoadError> {
    read(layout, default_problem, solver, |_| {})
}

/// Loads a folder as one problem of this name; its folders are test groups.
///
/// # Errors
/// [`LoadError`] when a folder is missing.
pub fn load_one(layout: &Layout, problem: &str, solver: &str) -> Result<Suite, LoadError> {
    read(layout, Some(problem), |_| Some(solver.to_owned()), pair::Paired::forget_problem)
}

fn read(
    layout: &Layout,
    default_problem: Option<&str>,
    solver: impl Fn(&str) -> Option<String>,
    change: impl Fn(&mut pair::Paired),
) -> Result<Suite, LoadError> {
    let mut findings = Vec::new();
    let one_folder = layout.is_one_folder();
    let mut inputs = walk::files(&layout.input, &mut findings);
    if !one_folder && let Some(inside) = layout.answers_within_inputs() {
        inputs.retain(|found| !found.relative().starts_with(&inside));
    }
    let answers = match (one_folder, layout.expected.is_dir()) {
        (true, _) | (false, false) => Vec::new(),
        (false, true) => walk::files(&layout.expected, &mut findings),
    };
    let mut paired = pair::pair(layout, inputs, answers, &mut findings);
    paired.cases.iter_mut().for_each(change);
    let problems = group(layout, paired.cases, default_problem, solver, &mut findings)?;
    findings.sort_by(|a, b| walk::natural(&a.path, &b.path));
    Ok(Suite { problems, answers: paired.answers, findings })
}

fn group(
    layout: &Layout,
    cases: Vec<pair::Paired>,
    default_problem: Option<&str>,
    solver: impl Fn(&str) -> Option<String>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Problem>, LoadError> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    for paired in cases {
        let Some(name) = paired.problem.clone().or_else(|| default_problem.map(str::to_owned))
        else {
            return Err(LoadError::NoProblem { path: paired.input });
        };
        let position = if let Some(&position) = positions.get(&name) {
            position
        } else {
            problems.push(empty_problem(layout, &name, &solver)?);
            positions.insert(name.clone(), problems.len() - 1);
            problems.len() - 1
        };
        problems[position].cases.push(paired.case(&name));
    }
    problems.sort_by(|a, b| alphanumeric_sort::compare_str(&a.name, &b.name));
    for problem in &mut problems {
        problem.cases.sort_by(|a, b| alphanumeric_sort::compare_str(&a.name, &b.name));
        drop_equal_names(problem, findings);
    }
    Ok(problems)
}

fn empty_problem(
    layout: &Layout,
    name: &str,
    solver: impl Fn(&str) -> Option<String>,
) -> Result<Problem, LoadError> {
    let solver = solver(name).ok_or_else(|| LoadError::NoSolver {
        problem: name.to_owned(),
        path: layout.input.join(name),
    })?;
    Ok(Problem { name: name.to_owned(), solver, cases: Vec::new() })
}

/// Two inputs that differ only in the extension would have one name; the first one stays.
fn drop_equal_names(problem: &mut Problem, findings: &mut Vec<Finding>) {
    problem.cases.dedup_by(|second, first| {
        let equal = second.name == first.name;
        if equal {
            findings.push(Finding {
                kind: FindingKind::DuplicateInput,
                severity: Severity::Error,
                path: second.input.clone(),
                case: Some(first.name.clone()),
                message: format!("the same case name as {}", first.input.display()),
                hint: Some("rename one of them; only the first one is run".into()),
            });
        }
        equal
    });
}

#[cfg(test)]
mod tests;
