//! The HTML report: one file without network, complete without scripts, in two styles. Results
//! are collected as they come, cut to what the page can show; the page is made at the end.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use askama::Template as _;

use super::failure::Rerun;
use super::matrix::MatrixRerun;
use super::{Order, Place, Reporter, Timings};
use crate::model::{
    CaseResult, Compiled, Plan, Problem, Remarks, Report, Run, Status, TestCase, Verdict,
};
use data::Data;

mod baseline;
mod blocks;
mod charts;
mod compilation;
mod contest;
mod data;
mod growth;
mod head;
mod kills;
mod ladder;
mod matrix;
mod page;
mod picture;
mod sides;
mod table;
mod timing;
mod trend;

/// What the page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HtmlStyle {
    /// Submissions and cases: failures, times, test data.
    Report,
    /// People and points.
    Contest,
}

/// The command that repeats one run.
#[derive(Debug, Clone)]
pub enum Repeat {
    /// By its case.
    Case(Rerun),
    /// By its submission and case.
    Submission(MatrixRerun),
}

/// Draws the input of a case as an SVG document, where its problem has pictures and the input is
/// small enough.
pub type Picture = fn(&Problem, &TestCase) -> Option<String>;

/// What the page needs to know beside the results.
#[derive(Debug, Clone)]
pub struct HtmlOptions {
    /// What the page is about.
    pub style: HtmlStyle,
    /// Whether it shows what clocks measured.
    pub timings: Timings,
    /// The command that repeats one run.
    pub repeat: Repeat,
    /// Pictures of inputs.
    pub picture: Picture,
}

/// Results that are explained, each in a block of its own; those not as expected come first.
const MOST_BLOCKS: usize = 200;

/// Bytes of a message that are kept.
const MOST_TEXT: usize = 4 << 10;

/// Bytes of a program's words for people that are kept: the last ones.
const MOST_STDERR: usize = 1 << 10;

/// Collects results and writes the page.
pub struct HtmlReporter<P> {
    place: P,
    options: HtmlOptions,
    run: Option<Run>,
    results: Vec<Option<CaseResult>>,
    compiled: Vec<Compiled>,
    /// Those that keep what a block shows: whether it is as expected, and the index.
    shown: BTreeSet<(bool, usize)>,
}

impl<P: Place> HtmlReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, options: HtmlOptions) -> Self {
        let (results, compiled, shown) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { place, options, run: None, results, compiled, shown }
    }

    /// Only the results with a block keep both sides of their difference.
    fn forget_last(&mut self) {
        if self.shown.len() <= MOST_BLOCKS {
            return;
        }
        let Some((_, last)) = self.shown.pop_last() else { return };
        if let Some(result) = &mut self.results[last] {
            if let Some(mismatch) = &mut result.mismatch {
                mismatch.view = Vec::new();
            }
            if let Some(ran) = &mut result.ran {
                ran.stderr = Vec::new();
            }
        }
    }
}

/// Whether a result is not as expected.
fn is_unexpected(result: &CaseResult) -> bool {
    matches!(result.status, Status::Fail | Status::Error)
}

/// Whether there is something to explain.
fn is_explained(result: &CaseResult) -> bool {
    is_unexpected(result) || !matches!(result.verdict, Verdict::Accepted | Verdict::Skipped)
}

/// A copy without what the page does not show.
fn cut(result: &CaseResult) -> CaseResult {
    let explained = is_explained(result);
    let team = result.remarks.as_ref().map(|remarks| &remarks.team);
    let team = team.filter(|team| explained && !team.is_empty());
    let remarks = team.map(|team| Box::new(Remarks { team: team.clone(), ..Remarks::default() }));
    let mut result = CaseResult { remarks, at: Vec::new(), samples: None, ..result.clone() };
    cut_text(&mut result.message);
    if let Some(hint) = &mut result.hint {
        cut_text(hint);
    }
    if let Some(mismatch) = &mut result.mismatch {
        cut_text(&mut mismatch.remark);
    }
    if let Some(ran) = &mut result.ran {
        let kept = if explained { MOST_STDERR } else { 0 };
        let start = ran.stderr.len().saturating_sub(kept);
        ran.stderr = ran.stderr.split_off(start);
    }
    result
}

fn cut_text(text: &mut String) {
    if text.len() > MOST_TEXT {
        let more = text.len() - text.floor_char_boundary(MOST_TEXT);
        text.truncate(text.floor_char_boundary(MOST_TEXT));
        let _ = write!(text, " … ({more} more bytes)");
        text.shrink_to_fit();
    }
}

impl<P: Place> Reporter for HtmlReporter<P> {
    fn order(&self) -> Order {
        Order::Completion
    }

    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.results = vec![None; plan.jobs.len()];
        self.run = Some(run.clone());
        Ok(())
    }

    fn compiled(&mut self, _plan: &Plan, compiled: &Compiled) -> io::Result<()> {
        self.compiled.push(compiled.clone());
        Ok(())
    }

    fn case(&mut self, _plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.results[result.index] = Some(cut(result));
        if is_explained(result) {
            self.shown.insert((!is_unexpected(result), result.index));
            self.forget_last();
        }
        Ok(())
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        let Some(run) = &self.run else { return Ok(()) };
        let data = Data::new(run, plan, report, (&self.results, &self.compiled), &self.options);
        let mut out = io::BufWriter::new(&mut self.place);
        match self.options.style {
            HtmlStyle::Report => page::Page::new(&data).write_into(&mut out)?,
            HtmlStyle::Contest => contest::Contest::new(&data).write_into(&mut out)?,
        }
        out.flush()?;
        drop(out);
        self.place.complete()
    }
}

#[cfg(test)]
mod tests;
