//! How good the test data and the time limit are, and how many promises were kept.

use std::fmt::Write as _;
use std::time::Duration;

use super::super::text::count;
use super::{Cases, View, short_name};
use crate::model::{Bound, CaseResult, Plan, Report, Verdict};

/// What can be said of the time limit, of cases that stop nothing, and of the machine.
pub(super) fn lines(view: &View) -> String {
    let mut text = String::new();
    if view.options.cases == Cases::All {
        text += &idle_cases(view);
    }
    text += &time_limit(view);
    let cells = view.submissions().flat_map(|submission| view.cells(submission));
    let noise = noise(cells.filter_map(|(_, result)| result));
    text + &noise.map_or_else(String::new, |noise| format!("warning: {noise}\n"))
}

/// `1.0 s`, `0.25 s`.
pub(in crate::report) fn short(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let tenths = format!("{seconds:.1}");
    let exact = tenths.parse().is_ok_and(|shown: f64| (shown - seconds).abs() < 1e-9);
    if exact { format!("{tenths} s") } else { format!("{seconds} s") }
}

/// Cases that every submission passes, of those that are not accepted as a whole.
fn idle_cases(view: &View) -> String {
    let wrong = |submission: &usize| {
        !matches!(
            view.report.submissions[*submission].verdict(),
            Verdict::Accepted | Verdict::Skipped | Verdict::JudgeError | Verdict::CompileError
        )
    };
    let wrong: Vec<usize> = view.submissions().filter(wrong).collect();
    let Some(&first) = wrong.first() else { return String::new() };
    let stops = |case: usize| {
        let mut cells = wrong.iter().filter_map(|&submission| view.cells(submission).nth(case)?.1);
        cells.any(|result| !matches!(result.verdict, Verdict::Accepted | Verdict::Skipped))
    };
    let jobs = view.cells(first).map(|(job, _)| job).enumerate();
    let names: Vec<String> = jobs
        .filter(|(case, _)| !stops(*case))
        .map(|(_, job)| view.options.look.name(short_name(view.plan, job)))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!("stops no wrong submission: {}\n", names.join(", "))
}

/// The factor between the slowest accepted run and its limit from which a limit is good.
const ENOUGH: f64 = 2.0;

/// `time limit 1.0 s: slowest AC 0.012 s (factor 83), fastest TLE above 1.0 s (factor 1): good`.
fn time_limit(view: &View) -> String {
    let Some((limit, slowest, factor)) = slowest_accepted(view) else { return String::new() };
    let mut text = format!(
        "time limit {}: slowest AC {:.3} s (factor {factor:.0})",
        short(limit),
        slowest.as_secs_f64(),
    );
    if let Some((time, factor)) = fastest_late(view) {
        let _ = write!(text, ", fastest TLE {time} (factor {factor})");
    }
    let word = if factor >= ENOUGH { "good" } else { "tight" };
    text + ": " + word + "\n"
}

/// Over the submissions that are accepted as a whole: limit, time and their ratio where it is least.
fn slowest_accepted(view: &View) -> Option<(Duration, Duration, f64)> {
    let whole = |submission: &usize| {
        let summary = &view.report.submissions[*submission];
        summary.verdict() == Verdict::Accepted && summary.summary.passed > 0
    };
    let cells = view.submissions().filter(whole).flat_map(|submission| view.cells(submission));
    let times = cells.filter_map(|(job, result)| Some((job.limits.time?, result?.times?.cpu)));
    times.map(|(limit, cpu)| (limit, cpu, ratio(limit, cpu))).min_by(|a, b| a.2.total_cmp(&b.2))
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64().max(1e-6)
}

/// The least time of a run past its limit; those that were stopped there would have taken longer.
fn fastest_late(view: &View) -> Option<(String, String)> {
    let cells = view.submissions().flat_map(|submission| view.cells(submission));
    let late = cells.filter_map(|(job, result)| {
        let result = result.filter(|result| result.verdict == Verdict::TimeLimit)?;
        let run = view.plan.run_limits(&job).time?;
        let stopped = is_stopped(result).then_some(run);
        Some((job.limits.time?, stopped.unwrap_or(result.times?.cpu), stopped.is_some()))
    });
    let (limit, cpu, stopped) = late.min_by(|a, b| ratio(a.1, a.0).total_cmp(&ratio(b.1, b.0)))?;
    Some(if stopped {
        (format!("above {}", short(cpu)), format!("{:.0}", ratio(cpu, limit)))
    } else {
        (format!("{:.3} s", cpu.as_secs_f64()), format!("{:.1}", ratio(cpu, limit)))
    })
}

fn is_stopped(result: &CaseResult) -> bool {
    let killed = result.ran.as_ref().and_then(|ran| ran.killed);
    matches!(killed, Some(Bound::Time | Bound::Wall))
}

/// The spread of equal runs from which a machine is too noisy.
const SPREAD: f64 = 1.2;

/// A warning when verdicts changed, or times differed much, in runs of their own.
pub(in crate::report) fn noise<'a>(
    results: impl Iterator<Item = &'a CaseResult>,
) -> Option<String> {
    let confirmed: Vec<_> =
        results.filter_map(|result| Some((result.verdict, result.confirmed?))).collect();
    let changed = confirmed.iter().filter(|(verdict, one)| one.first != *verdict).count();
    let spread =
        confirmed.iter().map(|(_, one)| ratio(one.greatest, one.least)).fold(1.0, f64::max);
    if changed > 0 {
        let results = count(changed, "result");
        return Some(format!("noisy machine: {results} changed when run alone"));
    }
    (spread > SPREAD)
        .then(|| format!("noisy machine: equal runs differ by a factor of {spread:.1}"))
}

/// `4 submissions as promised, 1 not`.
pub(in crate::report) fn promises(plan: &Plan, report: &Report) -> String {
    let pairs = || report.submissions.iter().zip(&plan.submissions);
    let number = |wanted| pairs().filter(|(summary, of)| summary.kept(of) == wanted).count();
    let (kept, broken, open) = (number(Some(true)), number(Some(false)), number(None));
    let skipped = pairs().filter(|(summary, _)| summary.verdict() == Verdict::Skipped).count();
    let word = if plan.submissions.iter().any(|of| of.promised.is_some()) {
        "as promised"
    } else {
        "accepted"
    };
    let mut text = format!("{} {word}, {broken} not", count(kept, "submission"));
    if skipped > 0 {
        let _ = write!(text, ", {skipped} skipped");
    }
    if open > skipped {
        let _ = write!(text, ", {} undecided", open - skipped);
    }
    text
}
