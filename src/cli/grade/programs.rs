//! From submissions to executors: the language of each, what it gets on top of the limits, and how
//! it is started.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::judging::Judge;
use super::limits::Allowance;
use super::target::{Entry, Origin};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::compile::{self, CompileFault, Compiler};
use crate::execute::{
    BuiltIn, Executor, Files, MultiPass, Program, Settled, Start, Trial, Workers,
};
use crate::interrupt::Interrupt;
use crate::language::{self, Language, Languages, Source, SourceFault};
use crate::model::{Compiled, Limits, Problem, Termination};
use crate::pool::{self, Event};
use crate::sandbox::{AddressSpace, RunLimits, Spec};
use crate::solvers;

/// A submission whose language is known, or is known not to be.
pub(super) struct Prepared {
    /// The names under which it reads and writes.
    pub(super) files: Files,
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
    /// Not at all, and the submission is to blame: `CE`.
    Refused(String),
}

/// Finds the language of each submission.
pub(super) fn prepare(
    entries: &[Entry],
    languages: &Languages,
    files: impl Fn(&Entry) -> Files,
) -> Result<Vec<Prepared>, CommandError> {
    let prepared = |entry| Ok(Prepared { files: files(entry), ..one(entry, languages)? });
    entries.iter().map(prepared).collect()
}

fn one(entry: &Entry, languages: &Languages) -> Result<Prepared, CommandError> {
    let Some(path) = &entry.path else {
        let allowance = Allowance::NONE;
        let files = Files::default();
        return Ok(Prepared { files, language: String::new(), allowance, kind: Kind::Core });
    };
    let not_run = |kind| Prepared {
        files: Files::default(),
        language: String::new(),
        allowance: Allowance::NONE,
        kind,
    };
    let source = match Source::load(path) {
        Ok(source) => source,
        Err(fault @ SourceFault::Unreadable { .. }) => {
            return unknown(entry, fault.to_string()).map(not_run);
        }
        Err(fault) => return Ok(not_run(Kind::Refused(fault.to_string()))),
    };
    let language = match language::detect(&source, languages) {
        Ok(language) => language.clone(),
        Err(fault) => return unknown(entry, fault.to_string()).map(not_run),
    };
    Ok(Prepared {
        files: Files::default(),
        language: language.name.clone(),
        allowance: Allowance {
            time_factor: language.allowances.time_factor,
            time_extra: language.allowances.time_extra,
            memory_extra: language.allowances.memory_extra,
        },
        kind: Kind::Program(Box::new(source), Box::new(language)),
    })
}

/// Of what is named, it is an error; of what lies in a folder, it is left out.
fn unknown(entry: &Entry, reason: String) -> Result<Kind, CommandError> {
    match entry.source {
        Origin::Found => Ok(Kind::Absent(reason)),
        Origin::Named => Err(CommandError::usage(reason)
            .hint("`jury doctor` lists the languages; [languages] in jury.toml adds one")),
    }
}

/// The built-in solver of a problem.
pub(super) fn core(problem: &Problem) -> Box<dyn Executor> {
    match solvers::find(&problem.solver) {
        Some(solver) => Box::new(BuiltIn::new(solver, solvers::Options::default())),
        None => Box::new(Settled(Termination::Absent("no built-in solver".into()))),
    }
}

/// Builds and tries every program that is wanted, on all workers; `wanted` has the limits to try it
/// with. What cannot be built, or is no program, is told by its executor.
///
/// # Errors
/// When a program does not start and that is our fault: no case is run then.
pub(super) fn compile<'a>(
    prepared: &[Prepared],
    wanted: &[Option<Limits>],
    workers: &Arc<Workers>,
    cache: &Path,
    interrupt: &Interrupt,
    judge_of: &dyn Fn(usize) -> &'a Judge,
) -> anyhow::Result<(Vec<Option<Built>>, Vec<Compiled>)> {
    let compiler = Compiler::new(workers.sandbox(), cache)
        .map_err(|error| anyhow::anyhow!("cannot use {}: {error}", cache.display()))?;
    let mut built: Vec<Option<Built>> = Vec::new();
    built.resize_with(prepared.len(), || None);
    let mut told = Vec::new();
    let mut faults: Vec<(usize, String)> = Vec::new();
    let jobs: Vec<(&Prepared, Option<Limits>)> =
        prepared.iter().zip(wanted.iter().copied()).collect();
    let work = |&(one, wanted): &(&Prepared, Option<Limits>)| match (&one.kind, wanted) {
        (Kind::Program(source, language), Some(limits)) => {
            let started = Instant::now();
            let attempt = |worker| {
                let outcome = compiler.compile(worker, source, language);
                let mut told = told_of(language, &outcome);
                let done = match outcome {
                    Ok(program) => tried(workers, worker, program, &limits),
                    Err(fault) => Ok(Err(not_built(fault))),
                };
                if let Ok(Err(Termination::Unstartable(reason))) = &done {
                    told.outcome = Err(format!("cannot be started: {reason}"));
                }
                told.wall = started.elapsed();
                (done, told)
            };
            (Some(workers.with(attempt)), GO)
        }
        _ => (None, GO),
    };
    pool::run(&jobs, workers.number(), work, |event| {
        match event {
            Event::Done(index, Some((Ok(done), one))) => {
                built[index] = Some(finish(done, workers, &prepared[index].files, judge_of(index)));
                told.push(Compiled { submission: index, ..one });
            }
            Event::Done(index, Some((Err(fault), _))) => faults.push((index, fault)),
            _ => {}
        }
        if interrupt.count() == 0 {
            return GO;
        }
        workers.sandbox().stop();
        ControlFlow::Break(())
    })?;
    faults.sort();
    match faults.into_iter().next() {
        Some((_, fault)) if interrupt.count() == 0 => Err(unstartable(&fault).into()),
        _ => {
            told.sort_by_key(|one: &Compiled| one.submission);
            Ok((built, told))
        }
    }
}

/// Bytes of a compiler's log that reports get.
const LOG: usize = 4 << 10;

/// What reports say of a submission that was built, or could not be.
fn told_of(language: &Language, compiled: &Result<compile::Program, CompileFault>) -> Compiled {
    let none = compile::Log::default();
    let (program, outcome, log) = match compiled {
        Ok(program) => (Some(program), Ok(()), &program.log),
        Err(fault @ CompileFault::Failed { log, .. }) => (None, Err(fault.to_string()), log),
        Err(fault) => (None, Err(fault.to_string()), &none),
    };
    let text = &log.text;
    Compiled {
        submission: 0,
        language: language.title.clone(),
        version: program.map(|program| program.version.clone()).unwrap_or_default(),
        command: program.map(|program| program.command.clone()).unwrap_or_default(),
        outcome,
        cached: program.is_some_and(|program| program.origin == compile::Origin::Cached),
        wall: Duration::ZERO,
        log: text[..text.floor_char_boundary(LOG)].to_owned(),
        log_bytes: log.total,
    }
}

fn unstartable(fault: &str) -> CommandError {
    CommandError::usage(format!("{fault}; no case was run")).exit(Exit::Failure).hint(
        "`jury doctor` shows the languages and what the sandbox lacks; `--sandbox none` runs \
         without isolation, for trusted code only",
    )
}

const GO: ControlFlow<()> = ControlFlow::Continue(());

/// What came of a submission.
pub(super) struct Built {
    pub(super) executor: Box<dyn Executor>,
    /// The program, when there is one.
    pub(super) program: Option<compile::Program>,
}

impl From<Box<dyn Executor>> for Built {
    fn from(executor: Box<dyn Executor>) -> Self {
        Self { executor, program: None }
    }
}

fn finish(
    done: Result<compile::Program, Termination>,
    workers: &Arc<Workers>,
    files: &Files,
    judge: &Judge,
) -> Built {
    match done {
        Err(termination) => Built { executor: Box::new(Settled(termination)), program: None },
        Ok(program) => {
            let start = start(program.clone());
            let alone = |start| Program::new(Arc::clone(workers), start, files.clone());
            let again = judge.checker.as_ref().filter(|checker| checker.passes > 1);
            let executor: Box<dyn Executor> = match (&judge.talks, again) {
                (Some(talks), _) => talks.executor(workers, start),
                (None, Some(again)) => Box::new(MultiPass::new(alone(start), Arc::clone(again))),
                (None, None) => Box::new(alone(start)),
            };
            Built { executor, program: Some(program) }
        }
    }
}

/// A program that starts, or how the cases end of one that is to blame for that it does not; else
/// what we failed with.
fn tried(
    workers: &Arc<Workers>,
    worker: usize,
    program: compile::Program,
    limits: &Limits,
) -> Result<Result<compile::Program, Termination>, String> {
    let spec = start(program.clone())(limits);
    let path = spec.program.first().map(|path| Path::new(path).display().to_string());
    let path = path.unwrap_or_default();
    match workers.try_start(worker, spec) {
        Trial::Starts => Ok(Ok(program)),
        Trial::Refused(error) if program.is_own() => {
            Ok(Err(Termination::Unstartable(error.to_string())))
        }
        Trial::Refused(error) => {
            Err(format!("{} programs cannot be started: {path}: {error}", program.language))
        }
        Trial::Failed(reason) => Err(format!("{path} cannot be started: {reason}")),
        Trial::Stopped => Ok(Err(Termination::Stopped)),
    }
}

/// How the cases of a submission end that was not built.
fn not_built(fault: CompileFault) -> Termination {
    match fault {
        CompileFault::Failed { reason, log } => {
            Termination::Uncompiled(with_log(&reason, &log.text))
        }
        CompileFault::Stopped => Termination::Stopped,
        fault @ CompileFault::NotInstalled { .. } => Termination::Absent(fault.to_string()),
        fault @ CompileFault::Broken { .. } => Termination::Failed(fault.to_string(), None),
    }
}

/// Lines of a compiler's log that are shown.
const LINES: usize = 20;

pub(super) fn with_log(reason: &str, log: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut text = reason.to_owned();
    for line in lines.iter().take(LINES) {
        text.push('\n');
        text.push_str(line);
    }
    if lines.len() > LINES {
        let _ = write!(text, "\n({} more lines)", lines.len() - LINES);
    }
    text
}

/// How a program is started under given limits.
fn start(program: compile::Program) -> Start {
    Box::new(move |limits| {
        let memory = limits.memory.unwrap_or(u64::MAX >> 1);
        spec(&program, memory, limits.stack.unwrap_or(memory))
    })
}

/// A run of a program with this much memory and stack; the other limits are those of its language,
/// or the default ones.
pub(super) fn spec(program: &compile::Program, memory: u64, stack: u64) -> Spec {
    let mut spec = Spec::new(program.argv(memory, stack));
    spec.environment = program.environment(memory, stack);
    spec.work.visible.clone_from(&program.visible);
    spec.limits = RunLimits {
        processes: program.allowances.processes,
        address_space: match program.allowances.address_space {
            language::AddressSpace::Limited => AddressSpace::Data,
            language::AddressSpace::Never => AddressSpace::Free,
        },
        ..RunLimits::default()
    };
    spec
}
