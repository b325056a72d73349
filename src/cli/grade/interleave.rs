//! `--interleave`: a base program that runs alternately with every submission, on the same cases and
//! cores, so that both share all that disturbs times.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::GradeOptions;
use super::judging::Judges;
use super::programs::{self, Kind, Prepared};
use super::resume;
use super::target::{self, Target};
use crate::baseline::RUNS;
use crate::cli::config::Config;
use crate::cli::error::CommandError;
use crate::execute::{Executor, Workers};
use crate::interrupt::Interrupt;
use crate::model::Plan;

/// Runs of each program when nothing else is asked for.
const USUAL: u32 = 10;

/// How often each case is run.
pub(super) fn runs(options: &GradeOptions, config: &Config) -> u32 {
    let usual = config.runs.unwrap_or(1);
    let usual = if options.interleave.is_some() { usual.max(USUAL) } else { usual };
    options.runs.unwrap_or(usual)
}

/// Tells a run beside one base program from a run beside another, or none.
pub(super) fn fingerprint(
    options: &GradeOptions,
    base: Option<&Prepared>,
) -> Option<(PathBuf, u64, String)> {
    let path = options.interleave.clone()?;
    let language = match base.map(|base| &base.kind) {
        Some(Kind::Program(_, language)) => format!("{language:?}"),
        _ => String::new(),
    };
    let content = resume::content(&path);
    Some((path, content, language))
}

/// The base program, with its language.
pub(super) fn prepare(
    options: &GradeOptions,
    config: &Config,
    target: &Target,
) -> Result<Option<Prepared>, CommandError> {
    let Some(path) = &options.interleave else { return Ok(None) };
    let runs = runs(options, config);
    if (runs as usize) < RUNS {
        let message = format!("--interleave needs at least {RUNS} runs, found --runs {runs}");
        return Err(CommandError::usage(message));
    }
    let [problem] = target.problems.as_slice() else {
        let message = format!("--interleave takes one problem, found {}", target.problems.len());
        return Err(CommandError::usage(message).hint("--case 'PROBLEM/*' chooses one"));
    };
    let entries = target::named(path, std::slice::from_ref(problem))?;
    let files = |_: &target::Entry| config.files.of(&problem.name);
    let mut prepared = programs::prepare(&entries, &config.languages, files)?;
    match prepared.pop() {
        Some(Prepared { kind: Kind::Absent(reason) | Kind::Refused(reason), .. }) => {
            Err(CommandError::usage(format!("base program: {reason}")))
        }
        prepared => Ok(prepared),
    }
}

/// The base program, built. One that cannot be built is an error: nothing has run.
pub(super) fn build(
    prepared: Option<Prepared>,
    plan: &Plan,
    place: Option<(&Arc<Workers>, &Path)>,
    interrupt: &Interrupt,
    judges: &Judges<'_>,
) -> anyhow::Result<Option<Box<dyn Executor>>> {
    let Some(prepared) = prepared else { return Ok(None) };
    let Some((workers, cache)) = place.filter(|_| matches!(prepared.kind, Kind::Program(..)))
    else {
        return Ok(plan.problems.first().map(programs::core));
    };
    let limits = plan.jobs.first().map(|job| job.limits);
    let (one, wanted) = ([prepared], [limits]);
    let problem = plan.problems.first().map_or("", |problem| &problem.name);
    let judge_of = |_| judges.of(problem);
    let (mut built, told) = programs::compile(&one, &wanted, workers, cache, interrupt, &judge_of)?;
    if let Some(Err(reason)) = told.first().map(|told| &told.outcome) {
        let log = programs::with_log(reason, &told[0].log);
        return Err(CommandError::usage(format!("base program: {log}")).into());
    }
    Ok(built.pop().flatten().map(|built| built.executor))
}
