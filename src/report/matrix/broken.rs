//! What broke its promise, what could not be run, and how to see it again.

use std::fmt::Write as _;

use super::super::fault::feedback;
use super::super::mismatch;
use super::super::text::{Look, count, styled};
use super::{View, overflow, short_name};
use crate::model::{CaseResult, Promise, Sets, Status, Submission, SubmissionSummary, Verdict};

/// A block for each submission that did not get what it promised or could not be judged.
pub(super) fn lines(view: &View) -> String {
    let mut text = String::new();
    for submission in view.submissions() {
        let summary = &view.report.submissions[submission];
        let of = &view.plan.submissions[submission];
        match (summary.kept(of), summary.verdict()) {
            (Some(false), verdict) => {
                text += &broken(view, submission);
                text += &faults(view, submission, verdict);
            }
            (None, verdict @ (Verdict::JudgeError | Verdict::Skipped)) => {
                text += &unjudged(view, submission, verdict);
            }
            (_, verdict) => text += &faults(view, submission, verdict),
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn first<'a>(view: &View<'a>, submission: usize) -> Option<&'a CaseResult> {
    let (index, _) = view.report.submissions[submission].first?;
    view.results.get(index)?.as_ref()
}

fn broken(view: &View, submission: usize) -> String {
    let of = &view.plan.submissions[submission];
    let look = view.options.look;
    let word = styled("FAIL", Status::Fail);
    let name = look.name(&of.name);
    let summary = &view.report.submissions[submission];
    let cases = view.cells(submission).count();
    if let Some(why) = caseless(of, summary, cases, look) {
        return format!("{word} {name}: {why}\n");
    }
    let shown = summary.forbidden.or(summary.first);
    let result = shown.and_then(|(index, _)| view.results.get(index)?.as_ref());
    let Some(result) = result else { return format!("{word} {name}\n") };
    let promise = promised(of, &view.plan.case(view.plan.jobs[result.index]).group);
    let job = view.plan.jobs[result.index];
    let case = look.name(short_name(view.plan, job));
    let code = result.verdict.code();
    let mut text = format!("{word} {name}: {promise}{code} on {case}: {}\n", what(view, result));
    let hint = result.mismatch.as_ref().and_then(|mismatch| overflow::hint(mismatch));
    if let Some(hint) = hint.as_ref().or(result.hint.as_ref()) {
        let _ = writeln!(text, "    hint:  {}", look.name(hint));
    }
    text += &feedback(result, look);
    let command = view.options.rerun.line(view.plan, job);
    let _ = writeln!(text, "    rerun: {}", look.name(&command));
    text
}

/// What a broken promise is about when no single case shows it: `requires TLE, got AC, WA` or
/// `promised WA, got AC on all 12 cases`.
pub(in crate::report) fn caseless(
    of: &Submission,
    summary: &SubmissionSummary,
    cases: usize,
    look: Look,
) -> Option<String> {
    match &of.promised {
        Some(Promise::Sets(sets)) => {
            summary.forbidden.is_none().then(|| unmet(sets, &summary.seen, look))
        }
        _ => summary
            .first
            .is_none()
            .then(|| format!("{}AC on all {}", promised(of, ""), count(cases, "case"))),
    }
}

/// `promised WA or TLE, got `; empty when nothing is promised.
fn promised(of: &Submission, group: &str) -> String {
    let word = match &of.promised {
        None => return String::new(),
        Some(Promise::First(_)) => "promised",
        Some(Promise::Sets(_)) => "permits",
    };
    format!("{word} {}, got ", of.permitted_in(group).replace('|', " or "))
}

/// `requires TLE, got AC, WA`.
fn unmet(sets: &Sets, seen: &[(String, Verdict)], look: Look) -> String {
    let (group, wanted) = sets.unmet(seen).unwrap_or_default();
    let wanted: Vec<&str> = wanted.iter().map(|verdict| verdict.code()).collect();
    let mut got: Vec<&str> = Vec::new();
    for (_, verdict) in seen {
        if !got.contains(&verdict.code()) {
            got.push(verdict.code());
        }
    }
    let place = if group.is_empty() { String::new() } else { format!(" in {}", look.name(group)) };
    format!("requires {}{place}, got {}", wanted.join(" or "), got.join(", "))
}

fn unjudged(view: &View, submission: usize, verdict: Verdict) -> String {
    let status = if verdict == Verdict::Skipped { Status::Skip } else { Status::Error };
    let name = view.options.look.name(&view.plan.submissions[submission].name);
    let result = first(view, submission);
    let why = result.map_or_else(String::new, |result| what(view, result));
    let left = result.map_or_else(String::new, |one| feedback(one, view.options.look));
    format!("{} {name}: {why}\n{left}", styled(verdict.code(), status))
}

/// Judge errors behind the first failure, which no other block tells.
fn faults(view: &View, submission: usize, verdict: Verdict) -> String {
    if verdict == Verdict::JudgeError {
        return String::new();
    }
    let failed = |result: &&CaseResult| result.status == Status::Error;
    let failed = view.cells(submission).filter_map(|(_, result)| result).filter(failed);
    let mut text = String::new();
    let (look, mut number) = (view.options.look, 0);
    for result in failed {
        number += 1;
        if number > FAULTS {
            continue;
        }
        let job = view.plan.jobs[result.index];
        let (word, name) = (styled("JE", Status::Error), &view.plan.submission(job).name);
        let (name, case) = (look.name(name), look.name(short_name(view.plan, job)));
        let _ = writeln!(text, "{word} {name} on {case}: {}", what(view, result));
    }
    if number > FAULTS {
        let _ = writeln!(text, "{} more", count(number - FAULTS, "judge error"));
    }
    text
}

/// Judge errors of a submission that are told in full.
const FAULTS: usize = 3;

fn what(view: &View, result: &CaseResult) -> String {
    let look = view.options.look;
    if let Some(mismatch) = &result.mismatch {
        return mismatch::headline(mismatch, look.charset);
    }
    let lines: Vec<String> = result.message.lines().map(|line| look.name(line)).collect();
    lines.join("\n      ")
}
