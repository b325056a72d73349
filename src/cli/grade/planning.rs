//! The plan of `jury grade`: submissions, cases, and the limits of each run.

use std::fs;
use std::path::Path;

use super::args::{ClockChoice, GradeOptions};
use super::interleave;
use super::limits::{Allowance, LimitSet, Situation};
use super::programs::Prepared;
use super::target::Entry;
use crate::cli::config::Config;
use crate::model::{Clock, Job, Ladder, Limits, Plan, Problem, Submission, TestCase};
use crate::plan;

/// Every case of its problem for each submission, under the limits that hold for it.
pub(super) fn plan(
    options: &GradeOptions,
    config: &Config,
    problems: Vec<Problem>,
    entries: &[Entry],
    prepared: &[Prepared],
) -> Plan {
    let submissions = entries.iter().zip(prepared).map(submission).collect();
    let typed = LimitSet::from(options.limits.clone());
    let under = |typed: &LimitSet, submission: &Submission, case: &TestCase| {
        if submission.path.is_none() {
            return Limits::NONE;
        }
        let situation = Situation {
            language: &submission.language,
            case: case.name.split_once('/').map_or(&*case.name, |(_, short)| short),
            answer_bytes: size(case.answer.as_deref()),
            allowance: allowance(submission, entries, prepared),
            clock: clock(options),
        };
        config.limits.resolve(typed, &situation)
    };
    let runs = interleave::runs(options, config);
    let limits = |of: &Submission, case: &TestCase| under(&typed, of, case);
    let mut plan = plan::of(problems, submissions, limits, runs);
    if options.limits.time.len() > 1 {
        let times: Vec<LimitSet> = (options.limits.time.iter())
            .map(|&time| LimitSet { time: Some(time), ..typed.clone() })
            .collect();
        let climb = |job: &Job| {
            let (submission, case) = (plan.submission(*job), plan.case(*job));
            times.iter().map(|typed| under(typed, submission, case)).collect()
        };
        let ladder = plan.jobs.iter().map(climb).collect();
        plan.ladder = Ladder { typed: options.limits.time.clone(), rungs: ladder };
    }
    plan
}

fn submission((entry, prepared): (&Entry, &Prepared)) -> Submission {
    Submission {
        name: entry.name.clone(),
        problem: entry.problem,
        path: entry.path.clone(),
        language: prepared.language.clone(),
        promised: entry.promised.clone(),
    }
}

fn clock(options: &GradeOptions) -> Clock {
    match options.clock.unwrap_or(ClockChoice::Cpu) {
        ClockChoice::Cpu => Clock::Cpu,
        ClockChoice::User => Clock::User,
        ClockChoice::Wall => Clock::Wall,
    }
}

fn allowance(submission: &Submission, entries: &[Entry], prepared: &[Prepared]) -> Allowance {
    let mine = |entry: &Entry| entry.path == submission.path && entry.problem == submission.problem;
    entries.iter().position(mine).map_or(Allowance::NONE, |place| prepared[place].allowance)
}

fn size(path: Option<&Path>) -> u64 {
    path.and_then(|path| fs::metadata(path).ok()).map_or(0, |data| data.len())
}
