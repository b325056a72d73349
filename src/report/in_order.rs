//! Puts results into the plan's order before a reporter sees them.

use std::collections::BTreeMap;
use std::io;

use super::Reporter;
use crate::model::{CaseResult, Plan, Report, Run};

/// Hands cases on in the plan's order: a case waits until all before it are done. Only cases that
/// overtook a slower one are held.
pub struct InOrder<R> {
    inner: R,
    next: usize,
    waiting: BTreeMap<usize, CaseResult>,
}

impl<R: Reporter> InOrder<R> {
    /// Stands before this reporter.
    pub fn new(inner: R) -> Self {
        Self { inner, next: 0, waiting: BTreeMap::new() }
    }
}

impl<R: Reporter> Reporter for InOrder<R> {
    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.inner.begin(run, plan)
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        if result.index != self.next {
            self.waiting.insert(result.index, result.clone());
            return Ok(());
        }
        self.next += 1;
        self.inner.case(plan, result)?;
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.inner.case(plan, &result)?;
        }
        Ok(())
    }

    fn tick(&mut self, plan: &Plan) -> io::Result<()> {
        self.inner.tick(plan)
    }

    fn stopping(&mut self, running: usize) -> io::Result<()> {
        self.inner.stopping(running)
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        while let Some((_, result)) = self.waiting.pop_first() {
            self.inner.case(plan, &result)?;
        }
        self.inner.end(plan, report)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<usize>);

    impl Reporter for Seen {
        fn case(&mut self, _plan: &Plan, result: &CaseResult) -> io::Result<()> {
            self.0.push(result.index);
            Ok(())
        }

        fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn cases_come_in_plan_order_and_gaps_are_closed_at_the_end() {
        let (plan, result) = (fixture::plan(), fixture::accepted());
        let mut in_order = InOrder::new(Seen::default());
        for index in [1, 0, 4, 2, 6] {
            in_order.case(&plan, &CaseResult { index, ..result.clone() }).unwrap();
        }
        assert_eq!(in_order.inner.0, [0, 1, 2]);
        in_order.end(&plan, &Report::default()).unwrap();
        assert_eq!(in_order.inner.0, [0, 1, 2, 4, 6]);
    }
}
