//! Every case of two runs beside each other.

use std::collections::{HashMap, HashSet};

use super::reasons::reasons;
use super::rule::{change, change_of_any, weigh};
use super::timed::{Source, Timed};
use crate::model::{CaseChange, Change, ComparedRun, Comparison, SmallSum};

/// Problem, submission and case.
type Key = (String, String, String);

/// The run that others are compared with.
#[derive(Debug)]
pub struct Base {
    source: Source,
    timed: Vec<Timed>,
    at: HashMap<Key, usize>,
    submissions: HashMap<String, HashSet<String>>,
}

impl Base {
    /// A base of these cases.
    #[must_use]
    pub fn new(source: Source, timed: Vec<Timed>) -> Self {
        let keys = timed.iter().enumerate().map(|(at, timed)| (key(timed), at)).collect();
        let submissions = submissions(&timed);
        Self { source, timed, at: keys, submissions }
    }

    /// Compares a run with it. Where a problem has one submission in both, these are compared
    /// whatever their names are.
    #[must_use]
    pub fn compare(&self, source: &Source, head: &[Timed]) -> Comparison {
        let names = submissions(head);
        let mut found = HashSet::new();
        let mut cases = Vec::with_capacity(head.len());
        let mut small = Vec::new();
        for timed in head {
            let base = self.find(timed, &names);
            found.extend(base);
            let base = base.map(|at| &self.timed[at]);
            let case = against(base, timed);
            if case.change == Change::Small {
                small.extend(base.map(|base| (base, timed)));
            }
            cases.push(case);
        }
        let gone = |(at, _): &(usize, &Timed)| !source.partial && !found.contains(at);
        let removed = self.timed.iter().enumerate().filter(gone);
        cases.extend(removed.map(|(_, timed)| case(timed, Change::Removed)));
        Comparison {
            base: told(&self.source, &self.timed),
            head: told(source, head),
            interleaved: self.source.ran_with(source),
            not_comparable: reasons((&self.source, &self.timed), (source, head), &cases),
            cases,
            small: sum(&small),
        }
    }

    /// What is said of one case, when the other cases are not yet known.
    pub(super) fn case(
        &self,
        head: &Timed,
        names: &HashMap<String, HashSet<String>>,
    ) -> CaseChange {
        against(self.find(head, names).map(|at| &self.timed[at]), head)
    }

    fn find(&self, head: &Timed, names: &HashMap<String, HashSet<String>>) -> Option<usize> {
        if let Some(&at) = self.at.get(&key(head)) {
            return Some(at);
        }
        let only = |names: &HashMap<String, HashSet<String>>| match names.get(&head.problem) {
            Some(names) if names.len() == 1 => names.iter().next().cloned(),
            _ => None,
        };
        let (base, _) = only(&self.submissions).zip(only(names))?;
        self.at.get(&(head.problem.clone(), base, head.case.clone())).copied()
    }
}

fn key(timed: &Timed) -> Key {
    (timed.problem.clone(), timed.submission.clone(), timed.case.clone())
}

/// The names of the submissions to each problem.
fn submissions(timed: &[Timed]) -> HashMap<String, HashSet<String>> {
    let mut names: HashMap<String, HashSet<String>> = HashMap::new();
    for timed in timed {
        names.entry(timed.problem.clone()).or_default().insert(timed.submission.clone());
    }
    names
}

fn case(timed: &Timed, change: Change) -> CaseChange {
    CaseChange {
        problem: timed.problem.clone(),
        submission: timed.submission.clone(),
        case: timed.case.clone(),
        change,
        weighed: None,
        remark: String::new(),
    }
}

/// What became of a case since this base.
pub(super) fn against(base: Option<&Timed>, head: &Timed) -> CaseChange {
    let Some(base) = base else { return case(head, Change::New) };
    let other_input = base.input.as_ref().zip(head.input.as_ref()).is_some_and(|(a, b)| a != b);
    if other_input {
        return case(head, Change::Input);
    }
    if base.verdict != head.verdict {
        let remark = format!("{}, then {}", base.verdict.code(), head.verdict.code());
        return CaseChange { remark, ..case(head, Change::Verdict) };
    }
    let weighed = weigh(&base.cpu_ns, &head.cpu_ns).filter(|_| head.verdict.ran_to_its_end());
    match weighed {
        None => {
            let remark = head.verdict.code().to_owned();
            CaseChange { remark, ..case(head, Change::Ended) }
        }
        Some(weighed) => CaseChange { weighed: Some(weighed), ..case(head, change(&weighed)) },
    }
}

/// The sums over all cases, run by run, as often as each of them was run.
fn sum(small: &[(&Timed, &Timed)]) -> Option<SmallSum> {
    let sums = |of: fn(&(&Timed, &Timed)) -> Vec<u64>| -> Vec<u64> {
        let times: Vec<Vec<u64>> = small.iter().map(of).collect();
        let runs = times.iter().map(Vec::len).min().unwrap_or(0);
        (0..runs).map(|run| times.iter().map(|times| times[run]).sum()).collect()
    };
    let weighed =
        weigh(&sums(|(base, _)| base.cpu_ns.clone()), &sums(|(_, head)| head.cpu_ns.clone()))?;
    Some(SmallSum { cases: small.len(), change: change_of_any(&weighed), weighed })
}

fn told(source: &Source, timed: &[Timed]) -> ComparedRun {
    let numbers =
        || timed.iter().filter(|one| one.verdict.ran_to_its_end()).map(|one| one.cpu_ns.len());
    ComparedRun {
        name: source.name.clone(),
        started_at: source.started_at.clone(),
        commit: source.run.commit.clone(),
        cpu: source.run.cpu.clone().unwrap_or_default(),
        runs: (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0)),
    }
}
