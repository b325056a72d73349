//! Results put into the plan's order. Only those that overtook a slower one wait, and only what
//! will be printed of them: memory stays bounded by small records however long the slow one takes.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::CaseResult;
use crate::report::VIEWS;

/// Results that wait for those before them.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    next: usize,
    waiting: BTreeMap<usize, CaseResult>,
    /// The first mismatches of the plan, of those known: only they keep all rows of their view.
    shown: BTreeSet<usize>,
}

impl Ordered {
    /// Takes a result, in any order.
    pub(super) fn add(&mut self, mut result: CaseResult) {
        if result.mismatch.is_some() {
            self.shown.insert(result.index);
            if self.shown.len() > VIEWS {
                self.forget_last(&mut result);
            }
        }
        self.waiting.insert(result.index, result);
    }

    /// The last one of the mismatches to be shown is one too many: of its view, only the row that
    /// differs is kept.
    fn forget_last(&mut self, result: &mut CaseResult) {
        let Some(last) = self.shown.pop_last() else { return };
        let result = if last == result.index { Some(result) } else { self.waiting.get_mut(&last) };
        if let Some(mismatch) = result.and_then(|result| result.mismatch.as_mut()) {
            mismatch.view.retain(|row| row.differs);
        }
    }

    /// The next result of the plan, if it is there.
    pub(super) fn next(&mut self) -> Option<CaseResult> {
        let result = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(result)
    }

    /// What is left, in order; to be called when no more will come.
    pub(super) fn rest(&mut self) -> impl Iterator<Item = CaseResult> + use<> {
        std::mem::take(&mut self.waiting).into_values()
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::model::{Mismatch, MismatchKind, Status, Verdict, ViewRow};

    fn result(index: usize) -> CaseResult {
        let row = |number| {
            let (expected, got) = (None, None);
            ViewRow { number, got_number: number, differs: number == 2, expected, got }
        };
        let mismatch = Mismatch {
            kind: MismatchKind::Value,
            line: 1,
            token: None,
            byte: 0,
            expected: None,
            got: None,
            remark: String::new(),
            view: vec![row(1), row(2)],
            totals: None,
        };
        CaseResult {
            index,
            verdict: Verdict::WrongAnswer,
            status: Status::Fail,
            at: Vec::new(),
            times: None,
            ran: None,
            confirmed: None,
            samples: None,
            change: None,
            input_bytes: 0,
            expected_bytes: None,
            output_bytes: None,
            mismatch: Some(Box::new(mismatch)),
            score: None,
            remarks: None,
            settled: false,
            message: String::new(),
            unmeasured: None,
            hint: None,
            kept: None,
            feedback: None,
            started_at: SystemTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn results_come_in_plan_order_and_gaps_are_closed_at_the_end() {
        let mut ordered = Ordered::default();
        let mut seen = Vec::new();
        for index in [1, 0, 4, 2, 6] {
            ordered.add(result(index));
            seen.extend(std::iter::from_fn(|| ordered.next()).map(|result| result.index));
        }
        assert_eq!(seen, [0, 1, 2]);
        let rest: Vec<usize> = ordered.rest().map(|result| result.index).collect();
        assert_eq!(rest, [4, 6]);
    }

    #[test]
    fn only_the_first_mismatches_of_the_plan_keep_their_whole_view() {
        let mut ordered = Ordered::default();
        for index in (1..=2 * VIEWS).rev() {
            ordered.add(result(index));
        }
        ordered.add(result(0));
        let mut views = Vec::new();
        while let Some(result) = ordered.next() {
            views.push(result.mismatch.unwrap().view.len());
        }
        assert!(views[..VIEWS].iter().all(|&rows| rows == 2));
        assert!(views[VIEWS..].iter().all(|&rows| rows == 1));
    }
}
