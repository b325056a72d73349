//! The JSON Lines report: one event a line, written at once, so that a run that is killed stays
//! readable to its last line. Cases come in order of completion; `index` is their place in the
//! plan.

use std::io;

use serde::Serialize;

use super::head::{Config, Host, ProblemHead, RunHead, SummaryTail, TOOL, Tool, problems};
use super::record::{Record, SCHEMA};
use super::submission::{CompiledHead, SubmissionTail};
use super::{Order, Place, Reporter, Timings};
use crate::model::{CaseResult, Compiled, Plan, Report, Run, SubmissionSummary};

/// Writes an event for each thing that happens.
pub struct JsonLinesReporter<P> {
    place: P,
    timings: Timings,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event<'a> {
    RunStarted {
        schema: &'static str,
        tool: Tool,
        run: RunHead<'a>,
        host: Host<'a>,
        config: Config<'a>,
        problems: Vec<ProblemHead<'a>>,
        cases: usize,
    },
    Compiled(CompiledHead<'a>),
    CaseFinished(Box<Record<'a>>),
    SubmissionFinished(SubmissionTail<'a>),
    RunFinished {
        summary: SummaryTail,
    },
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
        let event = Event::RunStarted {
            schema: SCHEMA,
            tool: TOOL,
            run: RunHead::new(run, self.timings),
            host: Host::new(run, self.timings),
            config: Config::new(run, plan),
            problems: problems(plan),
            cases: plan.jobs.len(),
        };
        self.event(&event)
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
        reporter.begin(&fixture::run(), &plan).unwrap();
        for compiled in fixture::compiled() {
            reporter.compiled(&plan, &compiled).unwrap();
        }
        for result in fixture::all() {
            reporter.case(&plan, &result).unwrap();
        }
        let report = fixture::report();
        reporter.submission(&plan, 0, &report.submissions[0]).unwrap();
        reporter.end(&plan, &fixture::report()).unwrap();
        snapbox::assert_data_eq!(
            fixture::masked(&String::from_utf8(place).unwrap()),
            snapbox::file!["snapshots/report.jsonl"].raw()
        );
    }
}
