//! A summary in Markdown for people: headline, table, faults, slowest cases. Its size is bounded,
//! so that it fits into a step summary or a comment.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use super::comparison;
use super::fault::{Fault, is_fault, name};
use super::matrix::plain_table;
use super::text::{count, duration, seconds, summary};
use super::{Place, Reporter, Timings};
use crate::model::{CaseResult, Plan, Report, Run, Status};

/// Bytes of a whole summary; GitHub drops one of 1 MiB and more.
pub const MARKDOWN_BYTES: usize = 900 << 10;

/// Faults that are shown in full.
const IN_FULL: usize = 20;

/// Further faults, of which only a line each is kept.
const IN_SHORT: usize = 1000;

/// Slowest cases that are named.
const SLOWEST: usize = 10;

/// Columns of a table of submissions, beyond which it is folded.
const COLUMNS: usize = 120;

/// Rows of a table that are shown.
const ROWS: usize = 200;

/// Writes the summary when the run is over.
pub struct MarkdownReporter<P> {
    place: P,
    timings: Timings,
    most: usize,
    run: Run,
    faults: Vec<Fault>,
    faulty: usize,
    /// The slowest cases, the slowest first.
    slowest: Vec<(Duration, usize)>,
    /// What the table of submissions needs; empty where only built-in solvers run.
    results: Vec<Option<CaseResult>>,
}

impl<P: Place> MarkdownReporter<P> {
    /// Writes to `place`, at most so many bytes.
    pub fn new(place: P, timings: Timings, most: usize) -> Self {
        Self {
            place,
            timings,
            most,
            run: Run::default(),
            faults: Vec::new(),
            faulty: 0,
            slowest: Vec::new(),
            results: Vec::new(),
        }
    }

    fn fault(&mut self, fault: impl FnOnce() -> Fault) {
        self.faulty += 1;
        if self.faults.len() < IN_FULL + IN_SHORT {
            let mut fault = fault();
            if self.faulty > IN_FULL {
                fault.block = String::new();
            }
            self.faults.push(fault);
        }
    }

    fn slow(&mut self, result: &CaseResult) {
        let Some(times) = result.times else { return };
        let place = self.slowest.partition_point(|&(time, _)| time >= times.cpu);
        if place < SLOWEST {
            self.slowest.insert(place, (times.cpu, result.index));
            self.slowest.truncate(SLOWEST);
        }
    }

    fn page(&self, plan: &Plan, report: &Report) -> String {
        let mut page = Page { text: headline(report), most: self.most };
        if self.timings == Timings::Measured {
            page.add(&format!("{}\n", self.facts(report)));
        }
        page.add(&self.tables(plan, report));
        self.failures(&mut page);
        if self.timings == Timings::Measured {
            if let Some(comparison) = &report.comparison {
                page.add(&format!("\n{}", comparison::section(comparison, "##")));
            }
            page.add(&self.slowest(plan));
        }
        page.text
    }

    fn facts(&self, report: &Report) -> String {
        let run = &self.run;
        let mut facts = vec![format!("run {}", escaped(&name(&run.id)))];
        facts.push(format!("total {}", seconds(report.wall)));
        facts.push(count(run.jobs, "job"));
        facts.extend(run.cpu.as_ref().map(|cpu| escaped(&name(cpu))));
        if !run.sandbox.is_empty() {
            facts.push(format!("sandbox {}", escaped(&name(&run.sandbox))));
        }
        facts.join(", ")
    }

    fn tables(&self, plan: &Plan, report: &Report) -> String {
        if self.results.is_empty() {
            return problems(plan, report, self.timings);
        }
        let table = |problem: usize| {
            let table = plain_table(plan, report, &self.results, problem, COLUMNS);
            let shown: String = table.split_inclusive('\n').take(ROWS).collect();
            let left = table.lines().count().saturating_sub(ROWS);
            let left = if left == 0 { String::new() } else { format!("{left} rows more\n") };
            let title = escaped(&name(&plan.problems[problem].name));
            format!("\n## {title}\n\n{}", fenced(&(shown + &left)))
        };
        (0..plan.problems.len()).map(table).collect()
    }

    fn failures(&self, page: &mut Page) {
        if self.faulty == 0 {
            return;
        }
        page.add("\n## Failures\n");
        let mut told = 0;
        for fault in &self.faults {
            let text = if fault.block.is_empty() { short(fault, told) } else { full(fault) };
            if !page.add(&text) {
                break;
            }
            told += 1;
        }
        if told < self.faulty {
            page.add(&format!("\n{} more, see the other reports\n", self.faulty - told));
        }
    }

    fn slowest(&self, plan: &Plan) -> String {
        if self.slowest.is_empty() {
            return String::new();
        }
        let mut text = "\n## Slowest\n\n| case | submission | CPU |\n|---|---|---:|\n".to_owned();
        for &(time, index) in &self.slowest {
            let job = plan.jobs[index];
            let case = escaped(&name(&plan.case(job).name));
            let submission = escaped(&name(&plan.submission(job).name));
            let _ = writeln!(text, "| {case} | {submission} | {} |", duration(time));
        }
        text
    }
}

/// A text of bounded size.
struct Page {
    text: String,
    most: usize,
}

impl Page {
    /// Adds a whole section if there is room for it, with some left for a last remark.
    fn add(&mut self, section: &str) -> bool {
        const LAST: usize = 1 << 10;
        let last = if section.len() < 100 { 0 } else { LAST };
        let fits = self.text.len() + section.len() + last <= self.most;
        if fits {
            self.text += section;
        }
        fits
    }
}

fn headline(report: &Report) -> String {
    let counts = &report.summary;
    let stopped = if counts.interrupted {
        format!(" (stopped after {} of {})", counts.done(), count(counts.planned, "case"))
    } else {
        String::new()
    };
    format!("# jury: {}{stopped}\n\n", summary(counts))
}

fn problems(plan: &Plan, report: &Report, timings: Timings) -> String {
    let mut text = "\n|  | problem | passed | slowest |\n|---|---|---:|---|\n".to_owned();
    for (problem, counts) in plan.problems.iter().zip(&report.problems).take(ROWS) {
        let all = &counts.summary;
        let word = if all.failed + all.errors > 0 { "FAIL" } else { "ok" };
        let slowest = counts.slowest.filter(|_| timings == Timings::Measured);
        let slowest = slowest.map(|(index, _)| name(&plan.case(plan.jobs[index]).name));
        let _ = writeln!(
            text,
            "| {word} | {} | {}/{} | {} |",
            escaped(&name(&problem.name)),
            all.passed,
            all.planned,
            escaped(&slowest.unwrap_or_default()),
        );
    }
    text
}

fn full(fault: &Fault) -> String {
    format!("\n### {}\n\n{}", escaped(&fault.headline()), fenced(&fault.block))
}

/// A line of a list, which begins with the first of them.
fn short(fault: &Fault, told: usize) -> String {
    let gap = if told == IN_FULL { "\n" } else { "" };
    format!("{gap}- {}: {}\n", escaped(&fault.headline()), escaped(&fault.what))
}

/// Text between fences that are longer than any run of backquotes in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// Text in which nothing is markup, a link, a mention or the end of a table's cell.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '@' => escaped += "&#64;",
            '-' | '/' | ',' | ' ' | '%' | '=' | '\'' | ';' | '?' | '"' | '^' => {
                escaped.push(letter);
            }
            _ => {
                if letter.is_ascii_punctuation() {
                    escaped.push('\\');
                }
                escaped.push(letter);
            }
        }
    }
    escaped
}

impl<P: Place> Reporter for MarkdownReporter<P> {
    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.run = run.clone();
        if plan.submissions.iter().any(|submission| submission.path.is_some()) {
            self.results = vec![None; plan.jobs.len()];
        }
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        if is_fault(result) {
            let run = self.run.clone();
            self.fault(|| Fault::new(&run, plan, result));
        }
        if result.status != Status::Error {
            self.slow(result);
        }
        if let Some(cell) = self.results.get_mut(result.index) {
            let result = CaseResult { mismatch: None, samples: None, ..result.clone() };
            *cell = Some(match self.timings {
                Timings::Measured => result,
                Timings::None => CaseResult { times: None, ran: None, ..result },
            });
        }
        Ok(())
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        for fault in Fault::of_run(plan, report) {
            self.fault(|| fault);
        }
        let page = self.page(plan, report);
        if page.len() <= self.most {
            self.place.write_all(page.as_bytes())?;
        }
        self.place.complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("a|b`c`*d*"), r"a\|b\`c\`\*d\*");
        assert_eq!(escaped("<b>&@me"), "&lt;b&gt;&amp;&#64;me");
        assert_eq!(escaped("https://a.b/c#1"), r"https\://a\.b/c\#1");
        assert_eq!(fenced("a\n````\nb\n"), "`````text\na\n````\nb\n`````\n");
    }
}
