//! How good the test data and the time limit are, and how many promises were kept.

use std::fmt::Write as _;
use std::time::Duration;

use super::super::text::count;
use super::{Cases, View, short_name};
use crate::model::{Bound, CaseResult, Noise, Plan, Report, Verdict};

/// What can be said of the time limit, of cases that stop nothing, and of the machine.
pub(super) fn lines(view: &View) -> String {
    let mut text = String::new();
    if view.options.cases == Cases::All {
        text += &idle_cases(view);
    }
    text += &time_limit(view);
    let cells = view.submissions().flat_map(|submission| view.cells(submission));
    let results: Vec<_> = cells.filter_map(|(_, result)| result).collect();
    let noise = noise(&results, view.report.noise.unwrap_or_default());
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
    let mut stops = vec![false; view.cells(first).count()];
    for &submission in &wrong {
        for (stops, (_, result)) in stops.iter_mut().zip(view.cells(submission)) {
            let passes = |result: &CaseResult| {
                matches!(result.verdict, Verdict::Accepted | Verdict::Skipped)
            };
            *stops |= result.is_some_and(|result| !passes(result));
        }
    }
    let idle = || view.cells(first).zip(&stops).filter(|(_, stops)| !**stops);
    let name = |job| view.options.look.name(short_name(view.plan, job));
    let names: Vec<String> = idle().take(IDLE).map(|((job, _), _)| name(job)).collect();
    match idle().count() - names.len() {
        _ if names.is_empty() => String::new(),
        0 => format!("stops no wrong submission: {}\n", names.join(", ")),
        more => format!("stops no wrong submission: {} and {more} more\n", names.join(", ")),
    }
}

/// Cases that are named because they stop nothing.
const IDLE: usize = 20;

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

/// A warning when verdicts changed, or times differed much, in runs of their own, or when others
/// took much of the machine while results near their limits were confirmed.
pub(in crate::report) fn noise(results: &[&CaseResult], measured: Noise) -> Option<String> {
    let confirmed: Vec<_> =
        results.iter().filter_map(|result| Some((result.verdict, result.confirmed?))).collect();
    let changed = confirmed.iter().filter(|(verdict, one)| one.first != *verdict).count();
    let spread =
        confirmed.iter().map(|(_, one)| ratio(one.greatest, one.least)).fold(1.0, f64::max);
    let mut parts = Vec::new();
    if changed > 0 {
        parts.push(format!("{} changed when run alone", count(changed, "result")));
    }
    if spread > SPREAD {
        parts.push(format!("equal runs differ by a factor of {spread:.1}"));
    }
    // Where no time is near its limit, noise decides nothing.
    if !confirmed.is_empty() {
        parts.extend(disturbances(results, measured));
    }
    (!parts.is_empty()).then(|| format!("noisy machine: {}", parts.join("; ")))
}

/// Shares of the time, and involuntary switches for each second, from which a machine is noisy.
const STOLEN: f64 = 0.02;
const WAITED: f64 = 0.5;
const SWITCHES: f64 = 50.0;

/// What the system says of others that use the machine.
fn disturbances(results: &[&CaseResult], noise: Noise) -> Vec<String> {
    let percent = |share: f64| format!("{:.0} % of the time", 100.0 * share);
    let mut parts = Vec::new();
    if let Some(stolen) = noise.stolen.filter(|&share| share > STOLEN) {
        parts.push(format!("its host took {} away", percent(stolen)));
    }
    if let Some(waited) = noise.waited.filter(|&share| share > WAITED) {
        parts.push(format!("processes waited for a processor {}", percent(waited)));
    }
    let runs = results.iter().filter_map(|result| {
        Some((result.times?.cpu.as_secs_f64(), result.ran.as_ref()?.switches? as f64))
    });
    // The start of a program alone costs some switches.
    let long = runs.filter(|(cpu, _)| *cpu >= 0.1);
    let (cpu, switches) = long.fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    if switches > SWITCHES * cpu {
        parts.push(format!("{:.0} involuntary switches a second", switches / cpu));
    }
    parts
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
