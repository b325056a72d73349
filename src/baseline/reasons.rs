//! Why times of two runs are not comparable.

use std::time::Duration;

use super::rule::RUNS;
use super::timed::{Source, Timed};
use crate::model::{CaseChange, Change, Machine, Run};

/// The calibration may differ by this factor: beside a busy neighbour it takes about a fifth
/// longer on the same machine.
pub const CALIBRATION: f64 = 1.5;

/// Every reason, each a few words. Programs that ran alternately share their machine.
pub(super) fn reasons(
    base: (&Source, &[Timed]),
    head: (&Source, &[Timed]),
    cases: &[CaseChange],
) -> Vec<String> {
    let mut reasons = Vec::new();
    if !base.0.ran_with(head.0) {
        machines(&base.0.run, &head.0.run, &mut reasons);
        settings(&base.0.run, &head.0.run, &mut reasons);
    }
    clocks(base.1, head.1, &mut reasons);
    runs(cases, &mut reasons);
    reasons
}

fn machines(base: &Run, head: &Run, reasons: &mut Vec<String>) {
    let unknown = "unknown".to_owned();
    let cpu = |run: &Run| run.cpu.clone().unwrap_or_else(|| unknown.clone());
    differ("CPU model", &cpu(base), &cpu(head), reasons);
    differ("system", &base.os, &head.os, reasons);
    differ("architecture", &base.arch, &head.arch, reasons);
    let (first, second) = (&base.machine, &head.machine);
    differ("governor", &first.governor, &second.governor, reasons);
    differ("turbo", turbo(first), turbo(second), reasons);
    let known = first.calibration.zip(second.calibration);
    reasons.extend(known.and_then(|(first, second)| calibration(first, second)));
}

fn turbo(machine: &Machine) -> &'static str {
    match machine.turbo {
        None => "",
        Some(true) => "on",
        Some(false) => "off",
    }
}

fn calibration(base: Duration, head: Duration) -> Option<String> {
    let ratio = head.as_secs_f64() / base.as_secs_f64().max(1e-9);
    let far = !(1.0 / CALIBRATION..=CALIBRATION).contains(&ratio);
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    far.then(|| format!("the calibration took {}, then {}", ms(base), ms(head)))
}

/// The settings that change times.
fn settings(base: &Run, head: &Run, reasons: &mut Vec<String>) {
    let level = |run: &Run| run.sandbox.split(' ').next().unwrap_or_default().to_owned();
    differ("sandbox", &level(base), &level(head), reasons);
    differ("jobs", &base.jobs.to_string(), &head.jobs.to_string(), reasons);
}

/// What is not known on one side says nothing.
fn differ(what: &str, base: &str, head: &str, reasons: &mut Vec<String>) {
    if base != head && !base.is_empty() && !head.is_empty() {
        reasons.push(format!("other {what}: {base}, then {head}"));
    }
}

fn clocks(base: &[Timed], head: &[Timed], reasons: &mut Vec<String>) {
    let stands = |timed: &[Timed]| {
        let mut times = timed.iter().flat_map(|timed| &timed.cpu_ns).peekable();
        times.peek().is_some() && times.all(|&ns| ns == 0)
    };
    if stands(base) || stands(head) {
        reasons.push("wall time only: there is no CPU time".to_owned());
    }
}

/// Of the cases that are compared.
fn runs(cases: &[CaseChange], reasons: &mut Vec<String>) {
    let weighed = || cases.iter().filter_map(|case| case.weighed);
    let fewest = |of: fn(crate::model::Weighed) -> usize| weighed().map(of).min().unwrap_or(RUNS);
    let (base, head) = (fewest(|one| one.base_runs), fewest(|one| one.head_runs));
    if base.min(head) < RUNS {
        reasons.push(format!("fewer than {RUNS} runs: {base}, then {head}"));
    }
    if weighed().next().is_some() {
        return;
    }
    let others = cases.iter().any(|case| case.change == Change::Input);
    let both = cases.iter().any(|case| !matches!(case.change, Change::New | Change::Removed));
    reasons.push(match (others, both) {
        (true, _) => "every input is another one".to_owned(),
        (false, true) => "no case was run to its end with one verdict in both".to_owned(),
        (false, false) => "no case is in both".to_owned(),
    });
}
