//! From submissions to executors: the language of each, what it gets on top of the limits, and how
//! it is started.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::limits::Allowance;
use super::target::{Entry, Origin};
use crate::cli::error::CommandError;
use crate::execute::{BuiltIn, Executor, Program, Settled, Workers};
use crate::language::{self, Language, Languages, Source};
use crate::model::{Problem, Termination};
use crate::sandbox::{AddressSpace, CopyIn, RunLimits, Spec};
use crate::solvers;

/// A submission whose language is known, or is known not to be.
pub(super) struct Prepared {
    /// The short name of the language; empty for the built-in solver.
    pub(super) language: String,
    pub(super) allowance: Allowance,
    pub(super) kind: Kind,
}

/// How a submission is run.
pub(super) enum Kind {
    /// By the solver of its problem.
    Core,
    /// As a program of this language.
    Program(Box<Source>, Box<Language>),
    /// Not at all, for this reason.
    Absent(String),
}

/// Finds the language of each submission.
pub(super) fn prepare(
    entries: &[Entry],
    languages: &Languages,
) -> Result<Vec<Prepared>, CommandError> {
    entries.iter().map(|entry| one(entry, languages)).collect()
}

fn one(entry: &Entry, languages: &Languages) -> Result<Prepared, CommandError> {
    let Some(path) = &entry.path else {
        let allowance = Allowance::NONE;
        return Ok(Prepared { language: String::new(), allowance, kind: Kind::Core });
    };
    match recognise(path, languages) {
        Ok((source, language)) => Ok(Prepared {
            language: language.name.clone(),
            allowance: Allowance {
                time_factor: language.allowances.time_factor,
                time_extra: language.allowances.time_extra,
                memory_extra: language.allowances.memory_extra,
            },
            kind: Kind::Program(Box::new(source), Box::new(language)),
        }),
        Err(reason) if entry.source == Origin::Named => Err(CommandError::usage(reason)
            .hint("`jury doctor` lists the languages; [languages] in jury.toml adds one")),
        Err(reason) => Ok(Prepared {
            language: String::new(),
            allowance: Allowance::NONE,
            kind: Kind::Absent(reason),
        }),
    }
}

fn recognise(path: &Path, languages: &Languages) -> Result<(Source, Language), String> {
    let source = Source::load(path).map_err(|fault| fault.to_string())?;
    let language = language::detect(&source, languages).map_err(|fault| fault.to_string())?.clone();
    Ok((source, language))
}

/// The built-in solver of a problem.
pub(super) fn core(problem: &Problem) -> Box<dyn Executor> {
    match solvers::find(&problem.solver) {
        Some(solver) => Box::new(BuiltIn::new(solver, solvers::Options::default())),
        None => Box::new(Settled(Termination::Absent("no built-in solver".into()))),
    }
}

/// A program that is there already, put into the working folder of each run.
pub(super) fn executable(path: PathBuf, workers: &Arc<Workers>) -> Box<dyn Executor> {
    let start = move |_: &_| {
        let mut spec = Spec::new(["./program"]);
        spec.work.copy_in = vec![CopyIn { from: path.clone(), name: "program".into() }];
        spec.limits =
            RunLimits { address_space: AddressSpace::Free, ..RunLimits::default() };
        spec
    };
    Box::new(Program::new(Arc::clone(workers), Box::new(start)))
}
