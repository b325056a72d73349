//! A failed case in words: what is wrong, where the files are, which command repeats it.

use std::fmt::Write as _;

use super::mismatch;
use super::text::{Look, MESSAGE, cut, shell_path, shell_quoted, verdict};
use crate::model::{CaseResult, Status, TestCase, Verdict};

/// The command that repeats single cases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rerun {
    /// The command and its options, quoted for a shell, without a case.
    pub command: String,
}

impl Rerun {
    fn case(&self, name: &str) -> String {
        format!("{} {}", self.command, option(name))
    }
}

/// The option that selects this case alone.
fn option(name: &str) -> String {
    let separator = if name.starts_with('-') { "=" } else { " " };
    format!("--case{separator}{}", shell_quoted(&globset::escape(name)))
}

/// Whether people want to see more of this result than its count.
pub(super) fn is_worth_a_block(result: &CaseResult) -> bool {
    let unanswered = result.verdict == Verdict::NoAnswer;
    matches!(result.status, Status::Fail | Status::Error) || unanswered
}

/// `WA  jsoi-game/03-corridor: line 3, token 2: expected 4, got 5`, with its newline.
pub(super) fn headline(case: &TestCase, result: &CaseResult, look: Look) -> String {
    let what = match &result.mismatch {
        Some(mismatch) => mismatch::headline(mismatch, look.charset),
        None => look.name(&cut(&result.message, MESSAGE)),
    };
    let code = verdict(result.verdict, result.status);
    format!("{code}  {}: {what}\n", look.name(&case.name))
}

/// The headline and all that helps to see what is wrong, each line ended by a newline.
pub(super) fn block(case: &TestCase, result: &CaseResult, look: Look, rerun: &Rerun) -> String {
    let mut text = headline(case, result, look);
    if let Some(mismatch) = &result.mismatch {
        for row in mismatch::block(mismatch, look.charset) {
            text += &row;
            text.push('\n');
        }
    }
    let width = if result.verdict == Verdict::NoAnswer { 0 } else { "expected:".len() };
    for (label, value) in details(case, result, rerun) {
        let label = format!("{label}:");
        let _ = writeln!(text, "    {label:width$} {}", look.name(&value));
    }
    text
}

/// What helps to see more: files, hints, commands.
pub(super) fn details(
    case: &TestCase,
    result: &CaseResult,
    rerun: &Rerun,
) -> Vec<(&'static str, String)> {
    if result.verdict == Verdict::NoAnswer {
        return unanswered(case, rerun);
    }
    let mut details = files(case, result);
    details.extend(result.hint.clone().map(|hint| ("hint", hint)));
    details.push(("rerun", rerun.case(&case.name)));
    if result.verdict == Verdict::WrongAnswer {
        details.push(("explain", format!("jury explain {}", shell_path(&case.input))));
    }
    details
}

/// Where the input, the answer and the output are.
pub(super) fn files(case: &TestCase, result: &CaseResult) -> Vec<(&'static str, String)> {
    let mut details = vec![("input", case.input.display().to_string())];
    if result.verdict == Verdict::WrongAnswer {
        let answer = case.answer.as_ref();
        details.extend(answer.map(|path| ("expected", path.display().to_string())));
        details.extend(result.kept.as_ref().map(|kept| {
            let path = kept.path.display();
            let part = if kept.cut { "first 64 MiB kept in " } else { "" };
            ("got", format!("{part}{path}"))
        }));
    }
    let feedback = result.feedback.as_ref();
    details.extend(feedback.map(|path| ("feedback", path.display().to_string())));
    details
}

fn unanswered(case: &TestCase, rerun: &Rerun) -> Vec<(&'static str, String)> {
    let mut details = Vec::new();
    let bless = format!("{} --bless {}", rerun.command, option(&case.name));
    let mut hint = format!("write it from the core solver: {bless}");
    if let Some(missing) = &case.missing {
        details.push(("looked for", missing.looked_for.join(", ")));
        if let Some(close) = &missing.close {
            details.push(("close name", format!("{} (used by no input)", close.display())));
            hint = format!("rename it, or {hint}");
        }
    }
    details.push(("hint", hint));
    details
}
