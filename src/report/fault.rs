//! A result that is not as expected, in the words and places that CI services want: one line,
//! a file, a block of text. Everything is bounded, and nothing in it moves a cursor.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use super::failure::{self, Rerun};
use super::matrix::{MatrixRerun, caseless, overflow_hint};
use super::mismatch;
use super::text::{Look, MESSAGE, count, cut, first_line};
use crate::model::{CaseResult, Job, Plan, Report, Run, Status, Submission};

/// Bytes of the line that says what is wrong.
const LINE: usize = 400;

/// Bytes of a block.
pub(super) const BLOCK: usize = 8 << 10;

/// Bytes of a name.
const NAME: usize = 300;

/// What is wrong, and where.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// The code of the verdict, `promise` or `interrupted`.
    pub(super) kind: &'static str,
    pub(super) status: Status,
    /// `jsoi-game/03-corridor`, `sum/secret/7 (Main.java)`.
    pub(super) title: String,
    /// One line.
    pub(super) what: String,
    /// The file to look at: the answer of a mismatch, the input of anything else, or the program.
    pub(super) path: Option<PathBuf>,
    /// The line in it.
    pub(super) line: Option<u64>,
    /// As the terminal shows it.
    pub(super) block: String,
}

/// Whether a result is a fault.
pub(super) fn is_fault(result: &CaseResult) -> bool {
    matches!(result.status, Status::Fail | Status::Error)
}

impl Fault {
    /// The fault of a case.
    pub(super) fn new(run: &Run, plan: &Plan, result: &CaseResult) -> Self {
        let job = plan.jobs[result.index];
        let (case, submission) = (plan.case(job), plan.submission(job));
        let wrong = result.mismatch.as_ref();
        let line = wrong.filter(|_| submission.path.is_none()).map(|mismatch| mismatch.line);
        let file = match &submission.path {
            Some(path) => Some(path.clone()),
            None if wrong.is_some() => case.answer.clone(),
            None => Some(case.input.clone()),
        };
        Self {
            kind: result.verdict.code(),
            status: result.status,
            title: title(&case.name, submission),
            what: what(result),
            path: file.filter(|path| !path.as_os_str().is_empty()),
            line,
            block: bounded(&block(run, plan, job, result)),
        }
    }

    /// The fault of a submission that got only what each of its cases may get, and still not what
    /// it promised: no case tells it.
    fn promise(plan: &Plan, report: &Report, position: usize) -> Option<Self> {
        let (summary, submission) =
            (report.submissions.get(position)?, &plan.submissions[position]);
        if summary.kept(submission) != Some(false) {
            return None;
        }
        let cases = summary.summary.planned;
        let what = caseless(submission, summary, cases, Look::default())?;
        Some(Self {
            kind: "promise",
            status: Status::Fail,
            title: title(&plan.problems[submission.problem].name, submission),
            path: submission.path.clone(),
            line: None,
            block: what.clone() + "\n",
            what,
        })
    }

    /// The fault of a run that was not finished: what was not run is not right.
    fn interrupted(report: &Report) -> Option<Self> {
        let counts = &report.summary;
        let what = format!("stopped after {} of {}", counts.done(), count(counts.planned, "case"));
        counts.interrupted.then(|| Self {
            kind: "interrupted",
            status: Status::Error,
            title: "the run".into(),
            path: None,
            line: None,
            block: what.clone() + "\n",
            what,
        })
    }

    /// All faults that no case tells.
    pub(super) fn of_run(plan: &Plan, report: &Report) -> Vec<Self> {
        let all = 0..plan.submissions.len();
        let submissions = all.filter_map(|position| Self::promise(plan, report, position));
        submissions.chain(Self::interrupted(report)).collect()
    }

    /// `WA jsoi-game/03-corridor`.
    pub(super) fn headline(&self) -> String {
        format!("{} {}", self.kind, self.title)
    }
}

fn title(what: &str, submission: &Submission) -> String {
    match submission.path {
        None => name(what),
        Some(_) => format!("{} ({})", name(what), name(&submission.name)),
    }
}

/// A name as it may be shown.
pub(super) fn name(name: &str) -> String {
    Look::default().name(&cut(name, NAME))
}

/// What is wrong, in one line; empty for what is not.
pub(super) fn what(result: &CaseResult) -> String {
    match &result.mismatch {
        Some(mismatch) => first_line(&mismatch::headline(mismatch, Look::default().charset), LINE),
        None => first_line(&cut(&result.message, MESSAGE), LINE),
    }
}

/// As the terminal shows it, without colours.
fn block(run: &Run, plan: &Plan, job: Job, result: &CaseResult) -> String {
    let (case, submission) = (plan.case(job), plan.submission(job));
    let look = Look::default();
    if submission.path.is_none() {
        let rerun = Rerun { command: run.rerun.clone() };
        let block = failure::block(case, result, look, &rerun);
        return anstream::adapter::strip_str(&block).to_string();
    }
    let mut text =
        format!("{}  {}: {}\n", result.verdict.code(), look.name(&case.name), what(result));
    let rows = result.mismatch.as_ref().map(|mismatch| mismatch::block(mismatch, look.charset));
    let message = cut(&result.message, MESSAGE);
    let more = cut(&message, BLOCK);
    let more = more.lines().skip(1).map(|line| format!("    {}", look.name(line)));
    for row in rows.into_iter().flatten().chain(more) {
        let _ = writeln!(text, "{row}");
    }
    let hint = result.mismatch.as_ref().and_then(|mismatch| overflow_hint(mismatch));
    if let Some(hint) = hint.as_ref().or(result.hint.as_ref()) {
        let _ = writeln!(text, "    hint:  {}", look.name(hint));
    }
    text += &feedback(result, look);
    if !run.rerun.is_empty() {
        let rerun = MatrixRerun { command: run.rerun.clone(), by: run.rerun_by };
        let command = rerun.line(plan, job);
        let _ = writeln!(text, "    rerun: {}", look.name(&command));
    }
    text
}

/// The line that tells where the files are that a program of the jury has left.
pub(super) fn feedback(result: &CaseResult, look: Look) -> String {
    let path = result.feedback.as_ref().map(|path| look.name(&path.display().to_string()));
    path.map_or_else(String::new, |path| format!("    feedback: {path}\n"))
}

/// Whole lines of a text, up to the bound, and how many are left out.
pub(super) fn bounded(text: &str) -> String {
    if text.len() <= BLOCK {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(BLOCK - 80)];
    let end = head.rfind('\n').map_or(head.len(), |end| end + 1);
    let left = text[end..].lines().count();
    let gap = if head[..end].ends_with('\n') { "" } else { "\n" };
    format!("{}{gap}... ({} left out)\n", &head[..end], count(left, "line"))
}

/// The folder that paths in a report are relative to, and where relative paths start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Root {
    /// The root of the repository.
    pub root: PathBuf,
    /// The working folder.
    pub here: PathBuf,
}

impl Root {
    /// A path as the repository has it, with `/` between its parts; as it is when it lies outside.
    pub(super) fn relative(&self, path: &Path) -> String {
        let whole = plain(&self.here.join(path));
        let inside = whole.strip_prefix(plain(&self.root)).ok();
        let shown = inside.filter(|_| whole.is_absolute()).unwrap_or(path);
        let shown = shown.strip_prefix(".").unwrap_or(shown);
        cut(&shown.to_string_lossy(), 4 * NAME).into_owned()
    }
}

/// A path without `.` and `..`, as far as that can be said without a look at the files.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_repository() {
        let root = Root { root: "/repo".into(), here: "/repo/problems".into() };
        let relative = |path: &str| root.relative(Path::new(path));
        assert_eq!(relative("input/1.in"), "problems/input/1.in");
        assert_eq!(relative("../input/./1.in"), "input/1.in");
        assert_eq!(relative("/repo/a.in"), "a.in");
        assert_eq!(relative("/else/a.in"), "/else/a.in");
        assert_eq!(Root::default().relative(Path::new("./a.in")), "a.in");
    }

    #[test]
    fn a_long_block_ends_with_a_whole_line_and_the_number_of_those_left_out() {
        let text = "0123456789\n".repeat(1000);
        let cut = bounded(&text);
        assert!(cut.len() <= BLOCK);
        assert!(cut.ends_with("9\n... (263 lines left out)\n"), "{cut}");
        assert!(bounded(&"x".repeat(100_000)).ends_with("... (1 line left out)\n"));
    }
}
