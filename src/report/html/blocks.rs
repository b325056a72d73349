//! A block for each result that needs words: what is wrong, both sides, files, how to repeat it.

use std::time::Duration;

use super::super::excerpt::{Charset, excerpt};
use super::super::failure;
use super::super::matrix::{mebibytes, overflow_hint};
use super::super::mismatch;
use super::super::text::{duration, shell_path};
use super::data::{Data, class, clean, decisive, ms, said, shown};
use super::picture::{Drawn, Pictures};
use super::{MOST_BLOCKS, Repeat, is_explained, is_unexpected, sides};
use crate::model::{CaseResult, Job, Verdict};

/// What the page says of one result.
pub(super) struct Block {
    pub(super) id: usize,
    pub(super) verdict: &'static str,
    pub(super) status: &'static str,
    pub(super) class: &'static str,
    pub(super) problem: String,
    pub(super) submission: String,
    pub(super) group: String,
    pub(super) case: String,
    pub(super) promise: String,
    pub(super) headline: String,
    pub(super) rows: Vec<sides::Row>,
    pub(super) totals: String,
    /// The lines of a message behind its first.
    pub(super) more: Vec<String>,
    pub(super) facts: Vec<String>,
    pub(super) details: Vec<(&'static str, String)>,
    pub(super) commands: Vec<(&'static str, String)>,
    pub(super) stderr: Vec<String>,
    /// What the checker said to the contestant.
    pub(super) team: Vec<String>,
    pub(super) picture: Option<String>,
}

/// The blocks of one submission.
pub(super) struct Chapter {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
    /// Those that are folded away.
    pub(super) more: Vec<Block>,
}

/// The blocks of a page.
pub(super) struct Blocks {
    pub(super) unexpected: Vec<Chapter>,
    pub(super) expected: Vec<Chapter>,
    /// Explained results without a block.
    pub(super) left_out: usize,
    /// For each job, whether it has a block.
    has: Vec<bool>,
}

impl Blocks {
    pub(super) fn new(data: &Data) -> Self {
        let mut chosen: Vec<(bool, Job, &CaseResult)> = data
            .done()
            .filter(|(job, result)| is_explained(result) && !is_repeated(data, *job, result))
            .map(|(job, result)| (!is_unexpected(result), job, result))
            .collect();
        chosen.sort_by_key(|(expected, job, _)| (*expected, job.index));
        let left_out = chosen.len().saturating_sub(MOST_BLOCKS);
        chosen.truncate(MOST_BLOCKS);
        let mut has = vec![false; data.plan.jobs.len()];
        let mut pictures = Pictures::new();
        let (mut unexpected, mut expected) = (Vec::new(), Vec::new());
        for (as_expected, job, result) in chosen {
            has[job.index] = true;
            let block = block(data, job, result, &mut pictures);
            if as_expected { &mut expected } else { &mut unexpected }.push(block);
        }
        let open = if data.has_programs() { OPEN } else { MOST_BLOCKS };
        let [unexpected, expected] =
            [unexpected, expected].map(|blocks| chapters(data, blocks, open));
        Self { unexpected, expected, left_out, has }
    }

    /// Whether a job has a block.
    pub(super) fn has(&self, index: usize) -> bool {
        self.has[index]
    }
}

/// Blocks of a submission that are not folded away.
const OPEN: usize = 3;

/// The blocks by submission, the first ones of each open.
fn chapters(data: &Data, blocks: Vec<Block>, open: usize) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    for block in blocks {
        let title = match (data.has_programs(), data.plan.problems.len()) {
            (false, _) => block.problem.clone(),
            (true, 1) => block.submission.clone(),
            (true, _) => format!("{}: {}", block.problem, block.submission),
        };
        match chapters.last_mut().filter(|chapter| chapter.title == title) {
            Some(chapter) if chapter.blocks.len() < open => chapter.blocks.push(block),
            Some(chapter) => chapter.more.push(block),
            None => chapters.push(Chapter { title, blocks: vec![block], more: Vec::new() }),
        }
    }
    chapters
}

/// A submission that does not compile says so on each case.
fn is_repeated(data: &Data, job: Job, result: &CaseResult) -> bool {
    let first = data.report.submissions.get(job.submission).and_then(|summary| summary.first);
    result.verdict == Verdict::CompileError && first.is_some_and(|(first, _)| first != job.index)
}

fn block(data: &Data, job: Job, result: &CaseResult, pictures: &mut Pictures) -> Block {
    let submission = data.plan.submission(job);
    let mut details = details(data, job, result);
    let (mut commands, mut facts) = (Vec::new(), facts(data, job, result));
    while let Some(place) =
        details.iter().position(|(name, _)| matches!(*name, "rerun" | "explain"))
    {
        commands.push(details.remove(place));
    }
    let picture = match pictures.draw(data, job) {
        Drawn::Yes(picture) => Some(picture),
        Drawn::Already => {
            facts.push("the picture of this input stands at an earlier result".to_owned());
            None
        }
        Drawn::TooLarge => {
            let input = shell_path(&data.plan.case(job).input);
            commands.push(("picture", format!("jury explain {input} --svg board.svg")));
            None
        }
        Drawn::No => None,
    };
    Block {
        id: job.index,
        verdict: result.verdict.code(),
        status: result.status.word(),
        class: class(result.verdict),
        problem: data.problem_name(job.problem),
        submission: data.submission_name(job.submission),
        group: shown(&data.plan.case(job).group),
        case: data.case_name(job),
        promise: if is_unexpected(result) {
            submission.permitted_in(&data.plan.case(job).group).replace('|', " or ")
        } else {
            String::new()
        },
        headline: said(result),
        rows: result.mismatch.as_deref().map_or_else(Vec::new, sides::rows),
        totals: result
            .mismatch
            .as_ref()
            .and_then(|one| one.totals)
            .map_or_else(String::new, |totals| mismatch::totals(totals).trim().to_owned()),
        more: more(result),
        facts,
        details: details.into_iter().map(|(name, value)| (name, shown(&value))).collect(),
        commands: commands.into_iter().map(|(name, value)| (name, clean(&value))).collect(),
        stderr: stderr(result),
        team: team(result),
        picture,
    }
}

/// The lines of a message behind its first.
fn more(result: &CaseResult) -> Vec<String> {
    let skipped = if result.mismatch.is_some() { usize::MAX } else { 1 };
    result.message.lines().skip(skipped).map(clean).collect()
}

/// Files, hints and commands.
fn details(data: &Data, job: Job, result: &CaseResult) -> Vec<(&'static str, String)> {
    let case = data.plan.case(job);
    let mut details = match &data.options.repeat {
        Repeat::Case(rerun) => failure::details(case, result, rerun),
        Repeat::Submission(rerun) => {
            let mut details = failure::files(case, result);
            details.extend(result.hint.clone().map(|hint| ("hint", hint)));
            details.push(("rerun", rerun.line(data.plan, job)));
            details
        }
    };
    let overflow = result.mismatch.as_deref().and_then(overflow_hint);
    details.extend(overflow.map(|hint| ("hint", hint)));
    details
}

/// What was measured and how the program ended.
fn facts(data: &Data, job: Job, result: &CaseResult) -> Vec<String> {
    let mut facts = Vec::new();
    let ran = result.ran.as_deref();
    facts.extend(
        ran.and_then(|ran| ran.exit_code)
            .filter(|&code| code != 0)
            .map(|code| format!("exit code {code}")),
    );
    facts.extend(ran.and_then(|ran| ran.signal).map(|signal| format!("signal {signal}")));
    if !data.is_measured() {
        return facts;
    }
    if let (Some(times), Some(used)) = (result.times, decisive(job, result)) {
        let allowed =
            job.limits.time.map_or_else(String::new, |limit| format!(" of {}", duration(limit)));
        facts.push(format!("{} {} time{allowed}", short(used), job.limits.clock.word()));
        facts.push(format!("{} elapsed", short(times.wall)));
    }
    if let Some(memory) = ran.and_then(|ran| ran.memory.as_ref()) {
        let allowed =
            job.limits.memory.map_or_else(String::new, |limit| format!(" of {}", mebibytes(limit)));
        facts.push(format!("{}{allowed} memory", mebibytes(memory.bytes)));
    }
    if let Some(confirmed) = result.confirmed {
        facts.push(format!(
            "confirmed {} of {} alone, {} to {}, first {}",
            confirmed.agreed,
            confirmed.runs,
            duration(confirmed.least),
            duration(confirmed.greatest),
            confirmed.first.code()
        ));
    }
    facts
}

/// `0.041 ms`, `12.3 ms`, `1.25 s`.
fn short(time: Duration) -> String {
    if time < Duration::from_millis(1) { format!("{} ms", ms(time, 3)) } else { duration(time) }
}

/// Lines that are shown of what a program wrote for people.
const LINES: usize = 15;

fn stderr(result: &CaseResult) -> Vec<String> {
    let Some(ran) = &result.ran else { return Vec::new() };
    let lines: Vec<String> = lines(&ran.stderr).collect();
    lines[lines.len().saturating_sub(LINES)..].to_vec()
}

fn team(result: &CaseResult) -> Vec<String> {
    let team = result.remarks.as_ref().map_or(&[][..], |remarks| &remarks.team);
    lines(team).take(LINES).collect()
}

fn lines(text: &[u8]) -> impl Iterator<Item = String> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| excerpt(line, Charset::Unicode))
}
