//! What is to be graded: the problems with their cases, and the submissions.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::GradeOptions;
use crate::cli::config::Config;
use crate::cli::error::{CommandError, print_warning};
use crate::cli::exit::Exit;
use crate::cli::run::print_findings;
use crate::cli::suite::{NameGlob, load_error};
use crate::model::{CORE, Finding, Problem, Promise, Suite};
use crate::package::submissions::{self, Found, Listing, Oddity};
use crate::package::{self, Layout};
use crate::report::{count, shell_path};
use crate::{plan, solvers};

/// Problems, submissions, and how the files were found.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) problems: Vec<Problem>,
    /// The names of all problems, those without a selected case included.
    pub(super) names: Vec<String>,
    pub(super) findings: Vec<Finding>,
    pub(super) answers: usize,
    pub(super) entries: Vec<Entry>,
    /// What is odd in the folder of the submissions.
    pub(super) oddities: Vec<Oddity>,
}

/// One submission to one problem.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) problem: usize,
    /// None for the built-in solver.
    pub(super) path: Option<PathBuf>,
    pub(super) promised: Option<Promise>,
    pub(super) source: Origin,
}

/// Who named a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The command line: it must be one.
    Named,
    /// It lay in a folder.
    Found,
}

/// The folder of the problem, unless inputs and answers are named apart.
pub(super) fn problem_folder(options: &GradeOptions) -> Option<&Path> {
    match (&options.input, options.targets.first()) {
        (Some(_), _) => None,
        (None, Some(first)) => Some(first),
        (None, None) => Some(Path::new(".")),
    }
}

/// Finds everything.
pub(super) fn find(options: &GradeOptions, config: &Config) -> Result<Target, CommandError> {
    let suite = suite(options, config)?;
    let Suite { problems, answers, findings } = suite;
    unused_limits(&problems, config);
    let cases: usize = problems.iter().map(|problem| problem.cases.len()).sum();
    let names = problems.iter().map(|problem| problem.name.clone()).collect();
    let problems = selected(problems, options);
    if problems.is_empty() {
        return Err(nothing("case", &options.cases, cases));
    }
    let (Listing { found, oddities }, origin) = found(options, &problems)?;
    let mut entries = entries(&found, &problems, origin)?;
    promise(&mut entries, config);
    if origin == Origin::Found {
        unused_promises(&entries, config);
    }
    let all = entries.len();
    let globs = &options.submissions;
    entries.retain(|entry| globs.is_empty() || globs.iter().any(|glob| glob.matches(&entry.name)));
    if entries.is_empty() {
        print_oddities(&oddities);
        return Err(nothing("submission", &options.submissions, all));
    }
    Ok(Target { problems, names, findings, answers, entries, oddities })
}

/// Tells the faults of the suite, and what is odd in the folder of the submissions.
pub(super) fn print_faults(target: &Target) {
    print_findings(&target.findings);
    print_oddities(&target.oddities);
}

/// Tells what is odd in the folder of the submissions.
fn print_oddities(oddities: &[Oddity]) {
    for Oddity { path, message, hint } in oddities {
        print_warning(&format!("{}: {message}", shell_path(path)), hint.as_deref());
    }
}

fn nothing(what: &str, globs: &[NameGlob], number: usize) -> CommandError {
    let globs: Vec<String> = globs.iter().map(|glob| format!("'{}'", glob.text)).collect();
    let message = if globs.is_empty() {
        format!("no {what}s found")
    } else {
        let exist = if number == 1 { "exists" } else { "exist" };
        format!("no {what} matches {} ({} {exist})", globs.join(" or "), count(number, what))
    };
    CommandError::usage(message).exit(Exit::NothingSelected)
}

fn selected(problems: Vec<Problem>, options: &GradeOptions) -> Vec<Problem> {
    let globs = &options.cases;
    let short = |name: &str| name.split_once('/').map(|(_, rest)| rest.to_owned());
    let fits = |name: &str| {
        globs
            .iter()
            .any(|glob| glob.matches(name) || short(name).is_some_and(|short| glob.matches(&short)))
    };
    plan::select(problems, |case| globs.is_empty() || fits(&case.name))
}

fn suite(options: &GradeOptions, config: &Config) -> Result<Suite, CommandError> {
    let mapped = |name: &str| {
        let name = config.problems.get(name).map_or(name, String::as_str);
        solvers::find(name).map_or("", |solver| solver.name())
    };
    if let (Some(input), Some(expected)) = (&options.input, &options.expected) {
        let layout = Layout::of_folders(input.clone(), expected.clone());
        let name = name_of(input);
        let layout = layout.map_err(|error| load_error(&error))?;
        return package::load_one(&layout, &name, mapped(&name))
            .map_err(|error| load_error(&error));
    }
    let folder = problem_folder(options).unwrap_or(Path::new("."));
    let layout = Layout::of_problem(folder).map_err(|error| load_error(&error))?;
    if is_contest(folder, &layout, |name| !mapped(name).is_empty()) {
        let known = |name: &str| Some(mapped(name).to_owned());
        return package::load(&layout, None, known).map_err(|error| load_error(&error));
    }
    let name = name_of(folder);
    package::load_one(&layout, &name, mapped(&name)).map_err(|error| load_error(&error))
}

/// Whether the folders of the inputs are problems and not test groups: when there are students'
/// sources beside them, or when each has a built-in solver.
fn is_contest(folder: &Path, layout: &Layout, solved: impl Fn(&str) -> bool) -> bool {
    let Ok(entries) = fs::read_dir(&layout.input) else { return false };
    let entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    let visible = |path: &&PathBuf| !name_of(path).starts_with('.');
    let mut folders = entries.iter().filter(visible);
    let all_folders = folders.clone().all(|path| path.is_dir()) && folders.clone().count() > 0;
    let students = folder.join("source").is_dir();
    all_folders && (students || folders.all(|path| solved(&name_of(path))))
}

fn name_of(path: &Path) -> String {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The submissions that are named, or those that lie in the problem's folder.
fn found(options: &GradeOptions, problems: &[Problem]) -> Result<(Listing, Origin), CommandError> {
    let folder = problem_folder(options);
    let named = &options.targets[usize::from(folder.is_some()).min(options.targets.len())..];
    if !named.is_empty() {
        let mut seen = HashSet::new();
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let once = named.iter().filter(|path| seen.insert(real(path)));
        let found = once.map(|path| of_path(path)).collect::<Result<Vec<_>, _>>()?;
        let mut listing = Listing { found, ..Listing::default() };
        submissions::tell_apart(&mut listing.found);
        return Ok((listing, Origin::Named));
    }
    let unreadable = |error| CommandError::usage(format!("cannot read the submissions: {error}"));
    let Some(folder) = folder else { return Err(no_submissions(None)) };
    let (submissions, source) = (folder.join("submissions"), folder.join("source"));
    let found = if submissions.is_dir() {
        submissions::in_folder(&submissions).map_err(unreadable)?
    } else if source.is_dir() {
        let is_task = |name: &str| problems.iter().any(|problem| problem.name == name);
        submissions::of_students(&source, is_task).map_err(unreadable)?
    } else {
        return Err(no_submissions(Some(&submissions)));
    };
    Ok((found, Origin::Found))
}

fn no_submissions(folder: Option<&Path>) -> CommandError {
    let looked = folder.map_or_else(String::new, |path| format!(": {} not found", path.display()));
    CommandError::usage(format!("no submissions{looked}"))
        .exit(Exit::NothingSelected)
        .hint("name them: jury grade PROBLEM my.cpp; `core` is the built-in solver")
}

/// A program that is named apart from the submissions, once for each problem.
pub(super) fn named(path: &Path, problems: &[Problem]) -> Result<Vec<Entry>, CommandError> {
    entries(&[of_path(path)?], problems, Origin::Named)
}

fn of_path(path: &Path) -> Result<Found, CommandError> {
    let core = path == Path::new(CORE);
    if !core && !path.exists() {
        return Err(CommandError::usage(format!("submission not found: {}", path.display())));
    }
    let typed = path.file_name().map(|_| submissions::file_name(path));
    let name = typed.unwrap_or_else(|| name_of(path));
    Ok(Found { name, path: path.to_owned(), promised: None, task: None })
}

/// One entry for each problem that a submission answers, in the order of the problems.
fn entries(
    found: &[Found],
    problems: &[Problem],
    origin: Origin,
) -> Result<Vec<Entry>, CommandError> {
    let mut entries = Vec::new();
    for (position, problem) in problems.iter().enumerate() {
        for found in found {
            let core = origin == Origin::Named && found.path == Path::new(CORE);
            if core && problem.solver.is_empty() {
                let names: Vec<&str> = solvers::ALL.iter().map(|solver| solver.name()).collect();
                let message = format!("no built-in solver for problem `{}`", problem.name);
                return Err(CommandError::usage(message).hint(format!(
                    "solvers: {}; map the problem in jury.toml ([problems])",
                    names.join(", ")
                )));
            }
            if found.task.as_ref().is_none_or(|task| *task == problem.name) {
                entries.push(Entry {
                    name: found.name.clone(),
                    problem: position,
                    path: (!core).then(|| found.path.clone()),
                    promised: found.promised.clone().map(Promise::from),
                    source: origin,
                });
            }
        }
    }
    Ok(entries)
}

/// `[submissions]` of the configuration wins over the folder.
fn promise(entries: &mut [Entry], config: &Config) {
    for entry in entries {
        let rule = config.submissions.iter().find(|(glob, _)| glob.matches(&entry.name));
        if let Some((_, promised)) = rule {
            entry.promised = Some(promised.clone());
        }
    }
}

/// Tells of `[[limits.case]]` that no case matches.
fn unused_limits(problems: &[Problem], config: &Config) {
    let cases = problems.iter().flat_map(|problem| &problem.cases);
    let short = |name: &str| name.split_once('/').map_or(name, |(_, short)| short).to_owned();
    for (glob, _) in &config.limits.cases {
        if !cases.clone().any(|case| glob.matches(&short(&case.name))) {
            let text = &glob.text;
            print_warning(&format!("[[limits.case]]: no case matches `{text}`"), None);
        }
    }
}

/// Tells of names in `[submissions]` that no submission has, and of promises that say nothing.
fn unused_promises(entries: &[Entry], config: &Config) {
    for (glob, promise) in &config.submissions {
        if promise.is_lax() {
            let message = format!(
                "[submissions]: the promise of `{}` is too lax: every program keeps it",
                glob.text
            );
            print_warning(
                &message,
                Some("permit less, or require a verdict: required = [\"TLE\"]"),
            );
        }
        if !entries.iter().any(|entry| glob.matches(&entry.name)) {
            let text = &glob.text;
            print_warning(&format!("[submissions]: no submission matches `{text}`"), None);
        }
    }
}
