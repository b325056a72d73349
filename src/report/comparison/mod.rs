//! Two runs beside each other: as text for people, as JSON, as Markdown.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use super::Look;
use super::fault::name;
use super::text::{count, duration};
use crate::baseline::{CHANCE, DIFFERENCE, RATIO, SMALL};
use crate::model::{CaseChange, Change, ComparedRun, Comparison, SmallSum, Weighed};

mod json;
mod markdown;
mod text;

pub(super) use markdown::section;

/// The formats of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For step summaries and comments.
    Markdown,
}

impl ComparisonFormat {
    /// Every format, with its name.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Text, "text"), (Self::Json, "json"), (Self::Markdown, "md")];
}

/// Writes a comparison.
///
/// # Errors
/// When it cannot be written.
pub fn comparison(
    out: &mut impl Write,
    comparison: &Comparison,
    format: ComparisonFormat,
    look: Look,
) -> io::Result<()> {
    match format {
        ComparisonFormat::Text => text::write(out, comparison, look),
        ComparisonFormat::Json => json::write(out, comparison),
        ComparisonFormat::Markdown => markdown::write(out, comparison),
    }
}

/// Names of a kind that are listed; the rest is counted.
const LISTED: usize = 20;

/// `base 2026-11-20 a1b2c3d, head 2026-11-29 e4f5a6b, same CPU model, 10 runs each, interleaved`.
pub(super) fn title(comparison: &Comparison, look: Look) -> String {
    let Comparison { base, head, interleaved, .. } = comparison;
    let cpu = if base.cpu.is_empty() || head.cpu.is_empty() {
        "CPU model unknown"
    } else if base.cpu == head.cpu {
        "same CPU model"
    } else {
        "other CPU model"
    };
    format!(
        "base {}, head {}, {cpu}, {}, {}",
        side(base, *interleaved, look),
        side(head, *interleaved, look),
        runs(base.runs, head.runs),
        if *interleaved { "interleaved" } else { "not interleaved" }
    )
}

/// Day and commit of a run; the name of its program where both ran on the same day, alternately.
fn side(run: &ComparedRun, interleaved: bool, look: Look) -> String {
    if interleaved {
        return look.name(&run.name);
    }
    let day = run.started_at.get(..10).unwrap_or_default();
    let commit = run.commit.get(..7).unwrap_or(&run.commit);
    let words: Vec<String> =
        [day, commit].iter().filter(|word| !word.is_empty()).map(|word| look.name(word)).collect();
    if words.is_empty() { look.name(&run.name) } else { words.join(" ") }
}

fn runs(base: (usize, usize), head: (usize, usize)) -> String {
    let number = |(least, most): (usize, usize)| {
        if least == most { most.to_string() } else { format!("{least} to {most}") }
    };
    match (number(base), number(head)) {
        (base, head) if base != head => format!("{base} and {head} runs"),
        (one, _) if one == "1" => "1 run each".into(),
        (many, _) => format!("{many} runs each"),
    }
}

/// The rule in one line.
pub(super) fn rule() -> String {
    format!(
        "measure: CPU time (user + system), median; slower means ratio above {RATIO:.2}, above \
         {}, and p < {CHANCE}",
        ns(DIFFERENCE)
    )
}

/// `1 slower, 1 faster, 22 unchanged`, and the rarer counts where there are any.
pub(super) fn summary(comparison: &Comparison) -> String {
    let counts = Counts::of(comparison);
    let mut text = format!(
        "{} slower, {} faster, {} unchanged",
        counts.slower, counts.faster, counts.unchanged
    );
    for (number, word) in counts.rare {
        if number > 0 {
            let _ = write!(text, ", {number} {word}");
        }
    }
    text
}

/// How often each change occurs. The sum of small cases counts once when it has changed.
struct Counts {
    slower: usize,
    faster: usize,
    unchanged: usize,
    rare: [(usize, &'static str); 6],
}

impl Counts {
    fn of(comparison: &Comparison) -> Self {
        let sum = |change| comparison.small.as_ref().is_some_and(|sum| sum.change == change);
        let settled = sum(Change::Slower) || sum(Change::Faster) || sum(Change::Unclear);
        let small = if settled { 0 } else { comparison.count(Change::Small) };
        Self {
            slower: comparison.slower(),
            faster: comparison.count(Change::Faster) + usize::from(sum(Change::Faster)),
            unchanged: comparison.count(Change::Same) + small,
            rare: [
                (comparison.count(Change::Unclear) + usize::from(sum(Change::Unclear)), "unclear"),
                (comparison.count(Change::Verdict), "with another verdict"),
                (comparison.count(Change::Input), "with another input"),
                (comparison.count(Change::Ended), "ended early"),
                (comparison.count(Change::New), "new"),
                (comparison.count(Change::Removed), "removed"),
            ],
        }
    }
}

/// How cases are named: with their submission where there are several.
struct Names {
    with_submission: bool,
    look: Look,
}

impl Names {
    fn of(comparison: &Comparison, look: Look) -> Self {
        let mut of_problem = HashMap::new();
        let mut cases = comparison.cases.iter();
        let with_submission = cases.any(|case| {
            *of_problem.entry(&case.problem).or_insert(&case.submission) != &case.submission
        });
        Self { with_submission, look }
    }

    fn name(&self, case: &CaseChange) -> String {
        let name = self.look.name(&case.case);
        if self.with_submission {
            format!("{name} ({})", self.look.name(&case.submission))
        } else {
            name
        }
    }
}

/// `9 cases (ratio 0.97 to 1.04)`; none when no case is unchanged.
fn unchanged(comparison: &Comparison) -> Option<String> {
    let same = comparison.cases.iter().filter(|case| case.change == Change::Same);
    let ratios: Vec<f64> = same.filter_map(|case| Some(case.weighed?.ratio)).collect();
    let least = ratios.iter().copied().reduce(f64::min)?;
    let most = ratios.iter().copied().reduce(f64::max)?;
    let range = if ratios.len() == 1 {
        format!("ratio {least:.2}")
    } else {
        format!("ratio {least:.2} to {most:.2}")
    };
    Some(format!("{} ({range})", count(ratios.len(), "case")))
}

/// The table and what stands below it, for other forms.
pub(super) struct Lines {
    /// Word, case, base, head, ratio, range.
    pub(super) rows: Vec<[String; 6]>,
    /// What is not in the table.
    pub(super) others: Vec<String>,
}

/// The rows and lines of a comparison.
pub(super) fn lines(comparison: &Comparison, look: Look) -> Lines {
    let names = Names::of(comparison, look);
    let row = |row: text::Row| {
        let (weighed, word) = (row.weighed, row.word.to_owned());
        let (base, head) = (ns(weighed.base_cpu_ns), ns(weighed.head_cpu_ns));
        [word, row.name, base, head, format!("{:.2}", weighed.ratio), range(&weighed)]
    };
    let rows = text::timed(comparison, &names).into_iter().map(row).collect();
    let mut others: Vec<String> = unchanged(comparison)
        .map(|unchanged| format!("unchanged: {unchanged}"))
        .into_iter()
        .collect();
    if let Some(sum) = comparison.small.as_ref().filter(|sum| sum.change == Change::Same) {
        others.push(format!("too small: {}, ratio {:.2}", small(sum), sum.weighed.ratio));
    }
    let ended_cases = comparison.count(Change::Ended);
    if ended_cases > 0 {
        others.push(ended(ended_cases));
    }
    others.extend(text::LISTS.iter().filter_map(|&(change, word)| {
        let listed = listed(comparison, &names, change)?;
        Some(format!("{word}: {listed}"))
    }));
    Lines { rows, others }
}

/// The names of the cases with this change, with a bound; none when there are none.
fn listed(comparison: &Comparison, names: &Names, change: Change) -> Option<String> {
    let all: Vec<&CaseChange> =
        comparison.cases.iter().filter(|case| case.change == change).collect();
    let one = |case: &&CaseChange| match case.remark.as_str() {
        "" => names.name(case),
        remark => format!("{} ({})", names.name(case), names.look.name(remark)),
    };
    let shown: Vec<String> = all.iter().take(LISTED).map(|case| name(&one(case))).collect();
    let more = match all.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!all.is_empty()).then(|| shown.join(", ") + &more)
}

/// `13 cases under 2.0 ms in both: compared as one sum`.
fn small(sum: &SmallSum) -> String {
    format!("{} under {} in both: compared as one sum", count(sum.cases, "case"), ns(SMALL))
}

/// Cases whose times say nothing.
fn ended(cases: usize) -> String {
    format!("{} not run to the end in both: not compared", count(cases, "case"))
}

fn ns(ns: u64) -> String {
    duration(Duration::from_nanos(ns))
}

/// `1.19 to 1.26`.
fn range(weighed: &Weighed) -> String {
    weighed.range.map_or_else(|| "-".into(), |(low, high)| format!("{low:.2} to {high:.2}"))
}

#[cfg(test)]
pub(super) mod tests;
