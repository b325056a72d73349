//! The JSON Lines report: one event a line, written at once, so that a run that is killed stays
//! readable to its last line. Cases come in order of completion; `index` is their place in the
//! plan.

use std::borrow::Cow;
use std::io;

use serde::{Deserialize, Serialize};

use super::head::{
    CaseHead, Config, Host, ProblemHead, RunHead, SubmissionHead, SummaryTail, Tool, cases,
    problems, submissions,
};
use super::record::{Record, SCHEMA};
use super::submission::{CompiledHead, SubmissionTail};
use super::{Order, Place, Reporter, Timings};
use crate::model::{CaseResult, Comparison, Compiled, Plan, Report, Run, SubmissionSummary};

/// Writes an event for each thing that happens.
pub struct JsonLinesReporter<P> {
    place: P,
    timings: Timings,
}

/// A line of the report.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event<'a> {
    RunStarted(Box<Started<'a>>),
    Compiled(CompiledHead<'a>),
    CaseFinished(Box<Record<'a>>),
    SubmissionFinished(SubmissionTail<'a>),
    Compared { comparison: &'a Comparison },
    RunFinished { summary: SummaryTail },
}

/// What is known before the first case runs.
#[derive(Serialize, Deserialize)]
pub(super) struct Started<'a> {
    pub(super) schema: Cow<'a, str>,
    pub(super) tool: Tool<'a>,
    #[serde(default)]
    pub(super) run: RunHead<'a>,
    #[serde(default)]
    pub(super) host: Host<'a>,
    pub(super) config: Config<'a>,
    #[serde(default)]
    pub(super) problems: Vec<ProblemHead<'a>>,
    #[serde(default)]
    pub(super) submissions: Vec<SubmissionHead<'a>>,
    cases: usize,
    #[serde(default)]
    pub(super) selected: Vec<CaseHead<'a>>,
}

impl<P: Place> JsonLinesReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, timings: Timings) -> Self {
        Self { place, timings }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.place.write_all(&line)?;
        self.place.flush()
    }
}

impl<P: Place> Reporter for JsonLinesReporter<P> {
    fn order(&self) -> Order {
        Order::Completion
    }

    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.place.start()?;
        let started = Started {
            schema: SCHEMA.into(),
            tool: Tool::new(run),
            run: RunHead::new(run, self.timings),
            host: Host::new(run, self.timings),
            config: Config::new(run, plan),
            problems: problems(plan),
            submissions: submissions(plan),
            cases: plan.jobs.len(),
            selected: cases(plan).collect(),
        };
        self.event(&Event::RunStarted(Box::new(started)))
    }

    fn compiled(&mut self, plan: &Plan, compiled: &Compiled) -> io::Result<()> {
        let head = CompiledHead::new(plan, compiled, self.timings);
        self.event(&Event::Compiled(head))
    }

    fn submission(
        &mut self,
        plan: &Plan,
        submission: usize,
        summary: &SubmissionSummary,
    ) -> io::Result<()> {
        let tail = SubmissionTail::new(plan, submission, summary, self.timings);
        self.event(&Event::SubmissionFinished(tail))
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let record = Record::new(plan, result, self.timings);
        self.event(&Event::CaseFinished(Box::new(record)))
    }

    fn end(&mut self, _plan: &Plan, report: &Report) -> io::Result<()> {
        if let Some(comparison) = report.comparison.as_ref().filter(|_| self.timings.measured()) {
            self.event(&Event::Compared { comparison })?;
        }
        let summary = SummaryTail::new(report, self.timings);
        self.event(&Event::RunFinished { summary })?;
        self.place.complete()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn each_event_is_one_line() {
        let plan = fixture::plan();
        let mut place = Vec::new();
        let mut reporter = JsonLinesReporter::new(&mut place, Timings::Measured);
        for compiled in fixture::compiled() {
            reporter.compiled(&plan, &compiled).unwrap();
        }
        let report = fixture::report();
        reporter.submission(&plan, 0, &report.submissions[0]).unwrap();
        let text = String::from_utf8(place).unwrap();
        let starts = text.lines().map(|line| line.split(',').next().unwrap());
        let expected = ["compiled", "compiled", "submission-finished"];
        assert!(starts.eq(expected.map(|name| format!("{{\"event\":\"{name}\""))));
    }
}
