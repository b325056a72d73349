//! A comparison that is made while a run goes on.

use std::collections::{HashMap, HashSet};

use super::compare::Base;
use super::timed::{Source, Timed};
use crate::model::{CaseResult, Comparison, Plan, Run, SinceBase};

/// What a run is compared with.
#[derive(Debug)]
pub enum Baseline {
    /// An earlier run.
    Past(Box<Base>),
    /// The base program that runs alternately with the submissions.
    Interleaved,
}

/// Takes results one by one, in any order.
#[derive(Debug)]
pub struct Watch<'a> {
    baseline: &'a Baseline,
    /// The names of the submissions to each problem.
    names: HashMap<String, HashSet<String>>,
    /// Case and base program of each result, with its place in the plan.
    seen: Vec<(usize, Timed, Timed)>,
}

impl<'a> Watch<'a> {
    /// Before the first result of this plan.
    #[must_use]
    pub fn new(baseline: &'a Baseline, plan: &Plan) -> Self {
        let mut names: HashMap<String, HashSet<String>> = HashMap::new();
        for submission in &plan.submissions {
            let problem = plan.problems[submission.problem].name.clone();
            names.entry(problem).or_default().insert(submission.name.clone());
        }
        Self { baseline, names, seen: Vec::new() }
    }

    /// Takes a result and says what became of its case.
    pub fn take(&mut self, plan: &Plan, result: &CaseResult) -> SinceBase {
        let (head, base) = (Timed::of(plan, result), Timed::of_base(plan, result));
        let change = match self.baseline {
            Baseline::Past(past) => past.case(&head, &self.names),
            Baseline::Interleaved => super::compare::against(Some(&base), &head),
        };
        self.seen.push((result.index, head, base));
        change.short()
    }

    /// The whole comparison; `partial` when cases that are missing say nothing.
    #[must_use]
    pub fn finish(mut self, run: &Run, plan: &Plan, partial: bool) -> Comparison {
        self.seen.sort_by_key(|(index, ..)| *index);
        let mut bases = Vec::new();
        let mut heads = Vec::with_capacity(self.seen.len());
        for (_, head, base) in self.seen {
            heads.push(head);
            bases.push(base);
        }
        match self.baseline {
            Baseline::Past(past) => {
                let head = Source { partial, ..Source::new("this run", run) };
                past.compare(&head, &heads)
            }
            Baseline::Interleaved => {
                let base = Base::new(Source::new(&run.interleaved, run), bases);
                base.compare(&Source::beside_base(run, plan), &heads)
            }
        }
    }
}
