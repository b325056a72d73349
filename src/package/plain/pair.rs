//! Which answer belongs to which input.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Layout;
use super::names::{self, ANSWERS, Name, Role};
use super::walk::Found;
use crate::model::{Finding, FindingKind, MissingAnswer, Severity, TestCase};

/// An input with the answer that was found for it.
#[derive(Debug)]
pub(super) struct Paired {
    pub(super) problem: Option<String>,
    group: String,
    pub(super) input: PathBuf,
    /// Folder below the root, the problem's included.
    folder: PathBuf,
    stem: String,
    answer: Option<PathBuf>,
    missing: Option<Box<MissingAnswer>>,
}

/// All inputs, and how many answer files there were.
pub(super) struct Pairs {
    pub(super) cases: Vec<Paired>,
    pub(super) answers: usize,
}

/// A file with its name taken apart.
struct File {
    found: Found,
    name: Name,
    used: bool,
}

impl File {
    /// The name of the case that the file is the input of.
    fn case_name(&self) -> String {
        let folders = self.found.folder().components().map(|part| names::text(part.as_os_str()));
        folders.chain([self.name.stem.clone()]).collect::<Vec<_>>().join("/")
    }
}

/// Answers by their folder and stem.
struct Answers {
    files: Vec<File>,
    by_stem: HashMap<(PathBuf, String), Vec<usize>>,
}

/// Pairs inputs with answers. Answer files may also lie beside the inputs.
pub(super) fn pair(
    layout: &Layout,
    inputs: Vec<Found>,
    answers: Vec<Found>,
    findings: &mut Vec<Finding>,
) -> Pairs {
    let (inputs, beside) = split(inputs);
    let mut answers = Answers::new(answers, beside);
    let mut cases = Vec::with_capacity(inputs.len());
    for file in inputs {
        if let Some(index) = answers.take(&file, findings) {
            let path = answers.files[index].found.path.clone();
            cases.push(paired(file, Some(path)));
        } else if file.name.role == Role::Unknown {
            findings.push(ignored(file.found.path));
        } else {
            cases.push(paired(file, None));
        }
    }
    report_case_twins(&cases, findings);
    explain_missing(layout, &mut cases, &answers, findings);
    report_orphans(&answers, &cases, findings);
    Pairs { cases, answers: answers.files.len() }
}

/// Parts the files of the input folder: those with an answer's extension are answers, and so is
/// `output01` where there is an `input01`.
fn split(files: Vec<Found>) -> (Vec<File>, Vec<File>) {
    let files: Vec<File> = files
        .into_iter()
        .map(|found| File { name: names::name(&found.path), found, used: false })
        .collect();
    let renamed: HashSet<(PathBuf, String)> = files
        .iter()
        .filter_map(|file| Some(key(&file.found, &names::answer_stem(&file.name.stem)?)))
        .collect();
    files.into_iter().partition(|file| match file.name.role {
        Role::Answer => false,
        Role::Input | Role::Unknown => true,
        Role::Either => !renamed.contains(&key(&file.found, &file.name.stem)),
    })
}

impl Answers {
    fn new(answers: Vec<Found>, beside: Vec<File>) -> Self {
        let named = answers.into_iter().map(|found| {
            let name = names::name(&found.path);
            File { found, name, used: false }
        });
        let files: Vec<File> = named.chain(beside).collect();
        let mut by_stem: HashMap<_, Vec<usize>> = HashMap::with_capacity(files.len());
        for (index, file) in files.iter().enumerate() {
            by_stem.entry(key(&file.found, &file.name.stem)).or_default().push(index);
        }
        Self { files, by_stem }
    }

    /// The best answer for an input, marked as used; further ones are findings.
    fn take(&mut self, input: &File, findings: &mut Vec<Finding>) -> Option<usize> {
        let stem = &input.name.stem;
        let other = names::answer_stem(stem);
        let own = self.by_stem.get(&key(&input.found, stem));
        let renamed = || other.and_then(|stem| self.by_stem.get(&key(&input.found, &stem)));
        let mut candidates = own.or_else(renamed)?.clone();
        candidates.sort_by_key(|&index| self.rank(input, index));
        let best = candidates[0];
        self.files[best].used = true;
        let kept = self.files[best].found.path.display().to_string();
        for &index in &candidates[1..] {
            let file = &mut self.files[index];
            if !std::mem::replace(&mut file.used, true) {
                findings.push(duplicate(&file.found.path, &kept, input.case_name()));
            }
        }
        Some(best)
    }

    /// Less is better: the input's very name, then answer extensions in their order, then any.
    fn rank(&self, input: &File, index: usize) -> (bool, usize, usize) {
        let file = &self.files[index];
        let other_name = file.found.relative() != input.found.relative();
        (other_name, names::preference(&file.name.extension), index)
    }

    fn orphans(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| !file.used)
    }
}

fn key(found: &Found, stem: &str) -> (PathBuf, String) {
    (found.folder().to_owned(), stem.to_owned())
}

fn paired(file: File, answer: Option<PathBuf>) -> Paired {
    let folder = file.found.folder().to_owned();
    let parts: Vec<String> =
        folder.components().map(|part| names::text(part.as_os_str())).collect();
    Paired {
        problem: parts.first().cloned(),
        group: parts.get(1..).unwrap_or_default().join("/"),
        input: file.found.path,
        folder,
        stem: file.name.stem,
        answer,
        missing: None,
    }
}

impl Paired {
    /// Takes every folder for a test group, also the first one.
    pub(super) fn forget_problem(&mut self) {
        if let Some(first) = self.problem.take() {
            self.group = join(&[&first, &self.group]);
        }
    }

    /// The test case under the name of its problem.
    pub(super) fn case(self, problem: &str) -> TestCase {
        TestCase {
            name: join(&[problem, &self.group, &self.stem]),
            group: self.group,
            input: self.input,
            answer: self.answer,
            missing: self.missing,
        }
    }

    fn name(&self) -> String {
        join(&[self.problem.as_deref().unwrap_or_default(), &self.group, &self.stem])
    }
}

/// The parts that are not empty, with `/` between them.
fn join(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

fn ignored(path: PathBuf) -> Finding {
    Finding {
        kind: FindingKind::Ignored,
        severity: Severity::Warning,
        path,
        case: None,
        message: "neither an input nor an answer by its name".into(),
        hint: Some("inputs end in .in, .txt, .input or .dat, or have no extension".into()),
    }
}

fn duplicate(path: &Path, kept: &str, case: String) -> Finding {
    Finding {
        kind: FindingKind::DuplicateAnswer,
        severity: Severity::Error,
        path: path.to_owned(),
        case: Some(case),
        message: format!("a second answer for the same input; {kept} is used"),
        hint: Some("remove one of them".into()),
    }
}

/// Inputs whose names differ only in case are one file on systems that ignore case.
fn report_case_twins(cases: &[Paired], findings: &mut Vec<Finding>) {
    let mut seen: HashMap<String, &Paired> = HashMap::with_capacity(cases.len());
    for case in cases {
        match seen.entry(case.name().to_lowercase()) {
            Entry::Vacant(place) => {
                place.insert(case);
            }
            Entry::Occupied(first) if first.get().name() != case.name() => {
                findings.push(case_twin(case, first.get()));
            }
            Entry::Occupied(_) => {}
        }
    }
}

fn case_twin(case: &Paired, first: &Paired) -> Finding {
    Finding {
        kind: FindingKind::CaseOnly,
        severity: Severity::Warning,
        path: case.input.clone(),
        case: Some(case.name()),
        message: format!("differs only in case from {}", first.input.display()),
        hint: Some("rename one of them: some systems take them for one file".into()),
    }
}

/// Says of every unanswered input what was looked for, and which unused file was perhaps meant.
fn explain_missing(
    layout: &Layout,
    cases: &mut [Paired],
    answers: &Answers,
    findings: &mut Vec<Finding>,
) {
    let mut orphans: HashMap<String, &File> = HashMap::new();
    for file in answers.orphans() {
        orphans.entry(folded(file.found.folder(), &file.name.stem)).or_insert(file);
    }
    for case in cases.iter_mut().filter(|case| case.answer.is_none()) {
        let close = orphans.get(&folded(&case.folder, &case.stem)).copied();
        let home = layout.expected.join(&case.folder);
        let missing = MissingAnswer {
            looked_for: looked_for(&home, case),
            close: close.map(|file| file.found.path.clone()),
            home: home.join(format!("{}.{}", case.stem, ANSWERS[0])),
        };
        findings.push(missing_answer(case, &missing, close));
        case.missing = Some(Box::new(missing));
    }
}

/// A form of folder and stem that is equal for names that people mistake for one another.
fn folded(folder: &Path, stem: &str) -> String {
    names::folded(&format!("{}/{stem}", folder.to_string_lossy()))
}

/// The names an answer could have had: at its home, and beside the input.
fn looked_for(home: &Path, case: &Paired) -> Vec<String> {
    let [first, second, third, ..] = ANSWERS;
    let folders = [Some(home), case.input.parent()];
    let mut names: Vec<String> = folders
        .into_iter()
        .flatten()
        .map(|folder| folder.join(format!("{}.{{{first},{second},{third}}}", case.stem)))
        .map(|path| path.display().to_string())
        .collect();
    names.dedup();
    names
}

fn missing_answer(case: &Paired, missing: &MissingAnswer, close: Option<&File>) -> Finding {
    let lower = |folder: &Path, stem: &str| folder.join(stem).to_string_lossy().to_lowercase();
    let only_case = close.is_some_and(|file| {
        lower(file.found.folder(), &file.name.stem) == lower(&case.folder, &case.stem)
    });
    let close = close.map(|file| file.found.path.display());
    Finding {
        kind: if only_case { FindingKind::CaseOnly } else { FindingKind::MissingAnswer },
        severity: Severity::Error,
        path: case.input.clone(),
        case: Some(case.name()),
        message: format!("no expected file; looked for {}", missing.looked_for.join(", ")),
        hint: Some(match close {
            Some(close) if only_case => format!("{close} differs only in case: rename it"),
            Some(close) => format!("close name: {close} (used by no input): rename it"),
            None => "`jury run --bless` writes it from the core solver".into(),
        }),
    }
}

/// Answers that belong to no input, but for those that a missing answer is already told by.
fn report_orphans(answers: &Answers, cases: &[Paired], findings: &mut Vec<Finding>) {
    let told: HashSet<&Path> =
        cases.iter().filter_map(|case| case.missing.as_ref()?.close.as_deref()).collect();
    let orphans = answers.orphans().filter(|file| !told.contains(file.found.path.as_path()));
    findings.extend(orphans.map(|file| Finding {
        kind: FindingKind::OrphanedAnswer,
        severity: Severity::Warning,
        path: file.found.path.clone(),
        case: None,
        message: "answers no input".into(),
        hint: Some("add its input, or remove it".into()),
    }));
}
