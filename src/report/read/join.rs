//! What several runs have in common, or each of them.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{ReadError, Told};
use crate::model::{CaseResult, Comparison, Machine, Noise, Run};
use crate::report::record::time_of;

/// One run in the place of all; where they differ, each is named.
pub(super) fn run(all: &[Told]) -> Result<Run, ReadError> {
    let text = |of: fn(&Told) -> &str, separator: &str| joined(all.iter().map(of), separator);
    let most = |of: fn(&Told) -> Option<usize>| all.iter().filter_map(of).max().unwrap_or(1);
    let folders = (
        text(|told| &told.config.input_folder, " "),
        text(|told| &told.config.expected_folder, " "),
    );
    Ok(Run {
        id: text(|told| told.run.id.as_deref().unwrap_or_default(), "+"),
        started_at: started_at(all)?,
        jobs: most(|told| told.run.jobs),
        compare: text(|told| &told.config.compare, ", "),
        checker: text(|told| &told.config.checker, ", "),
        interactor: text(|told| &told.config.interactor, ", "),
        missing: text(|told| &told.config.missing, ", "),
        command: text(|told| told.run.command.as_deref().unwrap_or_default(), "; "),
        cpu: Some(text(|told| told.host.cpu.as_deref().unwrap_or_default(), ", "))
            .filter(|cpu| !cpu.is_empty()),
        cores: most(|told| told.host.cores),
        answers: all.iter().map(|told| told.config.answers).sum(),
        sandbox: text(|told| &told.config.sandbox, "; "),
        version: text(|told| &told.tool.version, ", "),
        os: text(|told| told.host.os.as_deref().unwrap_or_default(), ", "),
        arch: text(|told| told.host.arch.as_deref().unwrap_or_default(), ", "),
        hostname: text(|told| &told.host.name, ", "),
        machine: machine(all),
        commit: text(|told| &told.run.commit, "+"),
        history: Arc::default(),
        interleaved: text(|told| &told.config.interleaved, ", "),
        folders,
        rerun: all.first().map(|told| told.config.rerun.to_string()).unwrap_or_default(),
        rerun_by: all.first().map(|told| told.config.rerun_by).unwrap_or_default(),
    })
}

/// The machine of all runs; of different ones, nothing is known.
fn machine(all: &[Told]) -> Machine {
    let mut machines = all.iter().map(|told| told.host.machine());
    let first = machines.next().unwrap_or_default();
    if machines.all(|machine| machine == first) { first } else { Machine::default() }
}

/// Different texts with a separator between them.
fn joined<'a>(texts: impl Iterator<Item = &'a str>, separator: &str) -> String {
    let mut different: Vec<&str> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !different.contains(&text) {
            different.push(text);
        }
    }
    different.join(separator)
}

fn started_at(all: &[Told]) -> Result<SystemTime, ReadError> {
    let mut first = None;
    for told in all {
        let Some(stamp) = &told.run.started_at else { continue };
        let time = time_of(stamp).map_err(|member| ReadError::Result {
            name: told.name.clone(),
            case: "the run".into(),
            member,
        })?;
        first = Some(first.map_or(time, |first: SystemTime| first.min(time)));
    }
    Ok(first.unwrap_or(SystemTime::UNIX_EPOCH))
}

/// The elapsed time of all runs together; of one that was killed, until its last result.
pub(super) fn wall(all: &[Told], run: &Run, results: &[CaseResult]) -> Duration {
    let told = |told: &Told| {
        let wall = told.summary.as_ref().and_then(|summary| summary.wall_ns);
        wall.map_or(Duration::ZERO, Duration::from_nanos)
    };
    let sum = all.iter().map(told).sum();
    if all.iter().all(|told| told.summary.is_some()) {
        return sum;
    }
    let ends = results.iter().map(|result| {
        let wall = result.times.map_or(Duration::ZERO, |times| times.wall);
        result.started_at.checked_add(wall).unwrap_or(result.started_at)
    });
    let last = ends.max().and_then(|last| last.duration_since(run.started_at).ok());
    last.unwrap_or_default().max(sum)
}

/// The run beside its baseline; of several runs, there is none.
pub(super) fn comparison(all: &mut [Told]) -> Option<Box<Comparison>> {
    if let [only] = all { only.comparison.take() } else { None }
}

/// What others took of the machine; of several runs, nobody knows.
pub(super) fn noise(all: &[Told]) -> Option<Noise> {
    let [Told { summary: Some(summary), .. }] = all else { return None };
    let share = |percent: Option<f64>| percent.map(|percent| percent / 100.0);
    let noise =
        Noise { stolen: share(summary.stolen_percent), waited: share(summary.waited_percent) };
    (noise != Noise::default()).then_some(noise)
}
