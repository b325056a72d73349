//! How the submissions were built, and what the compilers said.

use super::super::text::{duration, shell_quoted};
use super::MOST_TEXT;
use super::data::{Data, clean, shown};
use crate::model::{Compiled, Verdict};

/// How one submission was built.
pub(super) struct Build {
    pub(super) submission: String,
    pub(super) language: String,
    pub(super) command: String,
    /// The class of the outcome in the style sheet.
    pub(super) class: &'static str,
    pub(super) outcome: String,
    /// What the compiler wrote.
    pub(super) log: Vec<String>,
    /// What is left out of it, in words.
    pub(super) cut: String,
}

/// Submissions that are listed.
const MOST: usize = 100;

/// The builds of a run: those that failed first, then those whose compiler had something to say.
pub(super) fn builds(data: &Data) -> Vec<Build> {
    if data.compiled.is_empty() {
        return untold(data);
    }
    let mut chosen: Vec<&Compiled> = data.compiled.iter().collect();
    chosen.sort_by_key(|one| (one.outcome.is_ok(), one.log.is_empty(), one.submission));
    chosen.into_iter().take(MOST).map(|one| build(data, one)).collect()
}

fn build(data: &Data, compiled: &Compiled) -> Build {
    let end = compiled.log.floor_char_boundary(MOST_TEXT);
    let left = compiled.log_bytes.saturating_sub(end as u64);
    let words: Vec<String> = compiled.command.iter().map(|word| shell_quoted(word)).collect();
    let language = format!("{} {}", compiled.language, compiled.version);
    Build {
        submission: data.submission_name(compiled.submission),
        language: shown(language.trim()),
        command: shown(&words.join(" ")),
        class: if compiled.outcome.is_ok() { "good" } else { "bad" },
        outcome: outcome(data, compiled),
        log: compiled.log[..end].lines().map(clean).collect(),
        cut: if left > 0 { format!("{left} more bytes") } else { String::new() },
    }
}

fn outcome(data: &Data, compiled: &Compiled) -> String {
    match &compiled.outcome {
        Err(reason) => shown(reason.lines().next().unwrap_or_default()),
        Ok(()) if !data.is_measured() => "built".to_owned(),
        Ok(()) if compiled.cached => "kept from an earlier run".to_owned(),
        Ok(()) => format!("built in {}", duration(compiled.wall)),
    }
}

/// The submissions that do not compile, where only their results tell of it.
fn untold(data: &Data) -> Vec<Build> {
    let summaries = data.report.submissions.iter().enumerate();
    let failed = summaries.filter(|(_, summary)| summary.verdict() == Verdict::CompileError);
    failed
        .filter_map(|(submission, summary)| {
            let result = data.results.get(summary.first?.0)?.as_ref()?;
            let mut lines = result.message.lines().map(clean);
            Some(Build {
                submission: data.submission_name(submission),
                language: shown(&data.plan.submissions[submission].language),
                command: String::new(),
                class: "bad",
                outcome: lines.next().unwrap_or_default(),
                log: lines.collect(),
                cut: String::new(),
            })
        })
        .take(MOST)
        .collect()
}
