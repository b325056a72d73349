//! Which results are final, which are in doubt, and which cases need not be run at all. Pure.

use std::sync::atomic::AtomicUsize;

use super::{Rules, doubt};
use crate::judge;
use crate::model::{CaseResult, Job, Plan, Promise, Status, Verdict};

/// When a submission is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stop {
    /// After all its cases.
    #[default]
    Never,
    /// After its first case, in the plan's order, that is not accepted.
    AtFirst,
}

impl Stop {
    /// Whether this result makes the later cases of its submission needless.
    pub(super) fn after(self, plan: &Plan, result: &CaseResult) -> bool {
        let job = plan.jobs[result.index];
        let case = plan.case(job);
        // Sets of verdicts are about all cases, as long as they are kept.
        let goes_on = |verdict| match &plan.submission(job).promised {
            Some(promise @ Promise::Sets(_)) => promise.permits(&case.group, verdict),
            _ => verdict == Verdict::Accepted,
        };
        let on = goes_on(result.verdict) || result.verdicts().iter().any(|&at| goes_on(at));
        self == Self::AtFirst && !on && !result.is_silent(case)
    }
}

/// What is known of one job.
enum Slot {
    /// Not run yet.
    Open,
    /// To be run again alone.
    Doubtful(Box<CaseResult>),
    /// Final, but an earlier case of the submission is not.
    Waiting(Box<CaseResult>),
    /// Handed on.
    Reported,
}

/// The state of every job.
pub(super) struct Board<'a> {
    plan: &'a Plan,
    rules: Rules,
    slots: Vec<Slot>,
    /// The first job of each submission that is not handed on, when they are in order.
    next: Vec<usize>,
}

impl<'a> Board<'a> {
    /// Nothing is known yet.
    pub(super) fn new(plan: &'a Plan, rules: Rules) -> Self {
        let slots = plan.jobs.iter().map(|_| Slot::Open).collect();
        let mut next = vec![usize::MAX; plan.submissions.len()];
        for job in plan.jobs.iter().rev() {
            next[job.submission] = job.index;
        }
        Self { plan, rules, slots, next }
    }

    /// Takes a result; gives those that are final now.
    pub(super) fn put(&mut self, result: CaseResult) -> Vec<CaseResult> {
        let job = self.plan.jobs[result.index];
        let result = as_promised(self.plan, result);
        let doubtful = self.rules.confirm > 0
            && result.confirmed.is_none()
            && doubt::is_there(&result, self.plan.rungs(&job));
        if doubtful {
            self.slots[job.index] = Slot::Doubtful(Box::new(result));
            return Vec::new();
        }
        self.settle(result)
    }

    /// Takes a result that is beyond doubt; gives those that are final now.
    pub(super) fn settle(&mut self, result: CaseResult) -> Vec<CaseResult> {
        let job = self.plan.jobs[result.index];
        if self.rules.stop == Stop::Never {
            self.slots[job.index] = Slot::Reported;
            return vec![result];
        }
        if matches!(self.slots[job.index], Slot::Reported) {
            return Vec::new();
        }
        self.slots[job.index] = Slot::Waiting(Box::new(result));
        self.in_order(job.submission)
    }

    /// The final results of a submission from its first open case on.
    fn in_order(&mut self, submission: usize) -> Vec<CaseResult> {
        let mut final_ones = Vec::new();
        while let Some(result) = self.take(submission) {
            let end = self.rules.stop.after(self.plan, &result);
            final_ones.push(result);
            if end {
                self.drop_later(submission, &mut final_ones);
            }
        }
        final_ones
    }

    fn take(&mut self, submission: usize) -> Option<CaseResult> {
        let next = self.next[submission];
        let slot = self.slots.get_mut(next)?;
        if self.plan.jobs[next].submission != submission || !matches!(slot, Slot::Waiting(_)) {
            return None;
        }
        self.next[submission] = next + 1;
        match std::mem::replace(slot, Slot::Reported) {
            Slot::Waiting(result) => Some(*result),
            _ => None,
        }
    }

    /// The cases behind the one that ended the submission: not run, or run for nothing.
    fn drop_later(&mut self, submission: usize, final_ones: &mut Vec<CaseResult>) {
        let Some(last) = final_ones.last() else { return };
        let why = match last.verdict {
            Verdict::Skipped | Verdict::CompileError => last.message.clone(),
            _ => format!("not run after {}", self.plan.case(self.plan.jobs[last.index]).name),
        };
        let mut index = last.index + 1;
        while self.plan.jobs.get(index).is_some_and(|job| job.submission == submission) {
            self.slots[index] = Slot::Reported;
            final_ones.push(judge::skipped(index, why.clone()));
            index += 1;
        }
        self.next[submission] = index;
    }

    /// For each submission the last job worth running: an earlier failure makes later ones
    /// needless.
    pub(super) fn ends(&self) -> Vec<AtomicUsize> {
        let mut ends = vec![usize::MAX; self.plan.submissions.len()];
        for (index, slot) in self.slots.iter().enumerate().rev() {
            if let Slot::Doubtful(result) | Slot::Waiting(result) = slot
                && self.rules.stop.after(self.plan, result)
            {
                ends[self.plan.jobs[index].submission] = index;
            }
        }
        ends.into_iter().map(AtomicUsize::new).collect()
    }

    /// The jobs still to be run, in the plan's order.
    pub(super) fn open(&self) -> Vec<Job> {
        let mut ends = self.ends();
        let mut end = |job: &Job| *ends[job.submission].get_mut();
        let open = |job: &&Job| matches!(self.slots[job.index], Slot::Open);
        self.plan.jobs.iter().filter(open).filter(|job| job.index <= end(job)).copied().collect()
    }

    /// The jobs to be run again alone, with what is known of them.
    pub(super) fn doubtful(&self) -> Vec<(Job, CaseResult)> {
        let mut ends = self.ends();
        let mut found = Vec::new();
        for job in &self.plan.jobs {
            if let Slot::Doubtful(result) = &self.slots[job.index]
                && job.index <= *ends[job.submission].get_mut()
            {
                found.push((*job, (**result).clone()));
            }
        }
        found
    }

    /// The final results that still wait for earlier cases, when the run has been stopped.
    pub(super) fn rest(&mut self) -> Vec<CaseResult> {
        let waiting = self.slots.iter_mut().filter(|slot| matches!(slot, Slot::Waiting(_)));
        let taken = waiting.map(|slot| std::mem::replace(slot, Slot::Reported));
        taken
            .filter_map(|slot| if let Slot::Waiting(result) = slot { Some(*result) } else { None })
            .collect()
    }
}

/// The result with the status that the promise of the submission gives it.
pub(super) fn as_promised(plan: &Plan, mut result: CaseResult) -> CaseResult {
    let job = plan.jobs[result.index];
    let submission = plan.submission(job);
    if matches!(result.status, Status::Pass | Status::Fail) && submission.promised.is_some() {
        let allowed = submission.permits(&plan.case(job).group, result.verdict);
        result.status = if allowed { Status::Pass } else { Status::Fail };
    }
    result
}

#[cfg(test)]
mod tests;
