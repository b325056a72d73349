//! Takes measured numbers out of the words of results, for reports without timings.

use std::io;

use super::{Order, Reporter, Timings};
use crate::model::{CaseResult, Compiled, Plan, Report, Run, SubmissionSummary};

/// Passes on all that it is told, but no message with a measured number.
struct Unmeasured<'a>(Box<dyn Reporter + 'a>);

/// This reporter; without timings, it is told no message with a measured number.
#[must_use]
pub fn unmeasured<'a>(
    reporter: Box<dyn Reporter + 'a>,
    timings: Timings,
) -> Box<dyn Reporter + 'a> {
    match timings {
        Timings::Measured => reporter,
        Timings::None => Box::new(Unmeasured(reporter)),
    }
}

impl Reporter for Unmeasured<'_> {
    fn order(&self) -> Order {
        self.0.order()
    }

    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.0.begin(run, plan)
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.0.case(plan, &result.without_measures())
    }

    fn compiled(&mut self, plan: &Plan, compiled: &Compiled) -> io::Result<()> {
        self.0.compiled(plan, compiled)
    }

    fn submission(
        &mut self,
        plan: &Plan,
        submission: usize,
        summary: &SubmissionSummary,
    ) -> io::Result<()> {
        self.0.submission(plan, submission, summary)
    }

    fn tick(&mut self, plan: &Plan) -> io::Result<()> {
        self.0.tick(plan)
    }

    fn stopping(&mut self, running: usize) -> io::Result<()> {
        self.0.stopping(running)
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        self.0.end(plan, report)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TapReporter, fixture};
    use super::*;

    #[test]
    fn words_with_measured_numbers_are_replaced() {
        let (plan, mut late) = (fixture::plan(), fixture::wrong());
        late.mismatch = None;
        late.message = "1.140 s cpu time, 1.000 s allowed (1.2 s elapsed); confirmed 3 of 3".into();
        late.unmeasured = Some("more cpu time than 1.000 s".into());
        let mut place = Vec::new();
        let mut reporter = unmeasured(Box::new(TapReporter::new(&mut place)), Timings::None);
        reporter.case(&plan, &late).unwrap();
        drop(reporter);
        let text = String::from_utf8(place).unwrap();
        assert!(text.contains("more cpu time than 1.000 s") && !text.contains("1.140"), "{text}");
    }
}
