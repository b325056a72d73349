//! Doubts about the time limit: which results have to be confirmed by runs on a quiet machine, and
//! what these runs say. Pure.

use std::fmt::Write as _;

use crate::model::{CaseResult, Clock, Confirmed, Late, Limits, Verdict};

/// Nearer to the limit than this, on either side, a result is in doubt: 0.8 to 1.2 times.
const NEAR: (f64, f64) = (0.8, 1.2);

/// Behind this share of the limit a program that had to be stopped is late for sure.
const SURE: f64 = 1.1;

/// Elapsed time beyond this share of the CPU time says that a program had to wait for a processor.
const QUIET: f64 = 1.5;

/// A program past its elapsed time is in doubt when it had used this share of its limit: a program
/// that waits uses next to none, one that was kept waiting by others does.
const STARVED: f64 = 0.2;

/// Equal runs that differ by more than this factor say that others disturb them.
const NOISY: f64 = 1.2;

/// Whether this result may be an accident of the machine, under one of these limits.
pub(super) fn is_there(result: &CaseResult, rungs: &[Limits]) -> bool {
    rungs.iter().zip(result.verdicts()).any(|(limits, &verdict)| is_under(result, verdict, limits))
}

/// The same for the verdict under one limit.
fn is_under(result: &CaseResult, verdict: Verdict, limits: &Limits) -> bool {
    let (Some(used), Some(limit)) = (result.used(limits.clock), limits.time) else { return false };
    let share = used.as_secs_f64() / limit.as_secs_f64().max(1e-9);
    match verdict {
        Verdict::Accepted => share >= NEAR.0,
        Verdict::TimeLimit => {
            let near = (NEAR.0..=NEAR.1).contains(&share) && !is_late_for_sure(result, limits);
            near || result.late(limits) == Late::Idle && share >= STARVED
        }
        _ => false,
    }
}

/// A program that had to be stopped more than a tenth behind its limit, and had a processor for
/// itself meanwhile: CPU times of equal work differ by less.
fn is_late_for_sure(result: &CaseResult, limits: &Limits) -> bool {
    let (Some(times), Some(limit), Some(stop)) = (result.times, limits.time, limits.stop_after())
    else {
        return false;
    };
    let cpu = times.cpu.as_secs_f64();
    limits.clock == Clock::Cpu
        && times.cpu >= stop
        && cpu > SURE * limit.as_secs_f64()
        && times.wall.as_secs_f64() <= QUIET * cpu
}

/// Whether the doubt needs a further run: one for an accepted result, and for a late one as many as
/// are allowed, until one is in time. Under several limits, that holds for each where there is a
/// doubt.
pub(super) fn remains(
    first: &CaseResult,
    again: &[CaseResult],
    rungs: &[Limits],
    most: u32,
) -> bool {
    let Some(last) = again.last() else { return most > 0 };
    let pairs = first.verdicts().iter().zip(last.verdicts());
    let open = |(limits, (&before, &now)): (&Limits, (&Verdict, &Verdict))| {
        let late = before == Verdict::TimeLimit && now == Verdict::TimeLimit;
        late && is_under(first, before, limits)
    };
    again.len() < most as usize && rungs.iter().zip(pairs).any(open)
}

/// What stands after all runs: the fastest decides.
pub(super) fn settled(first: CaseResult, again: Vec<CaseResult>, limits: &Limits) -> CaseResult {
    let time = |result: &CaseResult| result.used(limits.clock).unwrap_or_default();
    let times = again.iter().chain([&first]).map(time);
    let (least, greatest) = (times.clone().min(), times.max());
    let first_verdict = first.verdict;
    let runs = again.len() as u32;
    let verdicts: Vec<Verdict> = again.iter().map(|result| result.verdict).collect();
    let late = |result: &CaseResult| result.verdict == Verdict::TimeLimit;
    let all = again.into_iter().chain([first]);
    let Some(mut stands) = all.min_by_key(|result| (late(result), time(result))) else {
        unreachable!("the first run is one of them")
    };
    let agreed = verdicts.iter().filter(|&&verdict| verdict == stands.verdict).count() as u32;
    let confirmed = Confirmed {
        first: first_verdict,
        runs,
        agreed,
        least: least.unwrap_or_default(),
        greatest: greatest.unwrap_or_default(),
    };
    if let Some(times) = &mut stands.times {
        (times.cpu_min, times.cpu_max) = (confirmed.least, confirmed.greatest);
        times.runs += runs;
    }
    say(&mut stands, &confirmed);
    stands.confirmed = Some(confirmed);
    stands
}

fn say(result: &mut CaseResult, confirmed: &Confirmed) {
    if confirmed.runs == 0
        || result.verdict == Verdict::Accepted && confirmed.first == result.verdict
    {
        return;
    }
    let Confirmed { runs, agreed, least, greatest, first } = confirmed;
    result.unmeasured.get_or_insert_with(|| result.message.clone());
    let message = &mut result.message;
    if !message.is_empty() {
        message.push_str("; ");
    }
    if *first == result.verdict {
        let _ = write!(message, "confirmed {agreed} of {runs}");
    } else {
        let code = first.code();
        let _ = write!(message, "{code} at first, not when run alone ({agreed} of {runs})");
    }
    let (least, greatest) = (least.as_secs_f64(), greatest.as_secs_f64());
    let _ = write!(message, ", {least:.3} to {greatest:.3} s");
    if greatest > NOISY * least {
        message.push_str(", noisy machine");
    }
    if let Some(switches) = result.ran.as_ref().and_then(|ran| ran.switches) {
        let _ = write!(message, ", {switches} involuntary switches");
    }
}

#[cfg(test)]
mod tests;
