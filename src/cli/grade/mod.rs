//! `jury grade`: run submissions on every case of a problem, under limits.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use super::args::Arguments;
use super::config::{self, Config};
use super::error::{CommandError, print_note, print_warning};
use super::options::Jobs;
use super::run::{
    KEPT, checker, clear_kept, hide_kept, missing, missing_word, print_findings, print_lost,
    this_run,
};
use super::{Exit, JudgeFailed, OnFindings};
use crate::check::Checker;
use crate::compile::CacheFolder;
use crate::execute::{Settled, Workers};
use crate::grade::{Grading, Named, Outcome, Rules, Stop, WhenLeft, grade as run_plan};
use crate::interrupt::{Interrupt, Signal};
use crate::journal::{self, Journal, Key};
use crate::judge::{Bless, Settings};
use crate::model::{
    CaseResult, Clock, FindingKind, Limits, Plan, Problem, Run, Submission, Summary, Termination,
    TestCase,
};
use crate::plan;
use crate::sandbox::{self, Level, Sandbox, SandboxError};
use args::{ClockChoice, SandboxChoice, TimingChoice};
pub(super) use args::{EXAMPLES, GradeOptions};
use limits::Situation;
pub(super) use limits::{LimitRules, LimitSet, parse_size, parse_time};
use programs::{Built, Kind, Prepared};
use target::{Entry, Target};

mod args;
mod dry;
mod limits;
mod programs;
mod screen;
mod target;

/// Where the journal lies, below the working folder.
const JOURNAL: &str = ".jury/journal.jsonl";

/// Runs the command.
pub(super) fn grade(options: &GradeOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    let config = config::load_for(arguments, target::problem_folder(options))?;
    let checker = checker(options.compare.as_ref(), &config)?;
    let checker = &*checker;
    let mut target = target::find(options, &config)?;
    let prepared = programs::prepare(&target.entries, &config.languages)?;
    let problems = std::mem::take(&mut target.problems);
    let plan = plan(options, &config, problems, &target.entries, &prepared);
    if options.dry_run {
        dry::print(&plan, &prepared)?;
        return Ok(Exit::Success);
    }
    let jobs = jobs(options, &config).min(plan.jobs.len()).max(1);
    let workers = workers(options, jobs, &prepared)?;
    let mut reporters = screen::open(options, &arguments.display, &plan, &config)?;
    print_findings(&target.findings);
    target::print_oddities(&target.oddities);
    let keys = keys(&plan, checker);
    let finished = if options.resume { earlier(&keys)? } else { Vec::new() };
    if !options.resume {
        clear_kept();
    }
    reporters.splice(0..0, journal(keys));
    let interrupt = Interrupt::install(|signal| Exit::of_signal(signal).now())
        .context("cannot wait for signals")?;
    let stop = || interrupt.count() > 0;
    let wanted = wanted(&plan, &finished);
    let folder = if workers.is_some() { Some(cache_folder()?) } else { None };
    let cache = folder.as_ref().map(CacheFolder::path);
    let executors = executors(&plan, prepared, workers.as_ref().zip(cache), &wanted, &interrupt)?;
    if options.verbose > 1 {
        if let Some(path) = &config.path {
            print_note(&format!("configuration: {}", path.display()));
        }
        dry::print_programs(&plan, &executors)?;
    }
    let executors: Vec<_> = executors.into_iter().map(|built| built.executor).collect();
    let run = describe(options, &config, &target, checker, jobs, workers.as_ref());
    let grading = Grading {
        plan: &plan,
        run: &run,
        executors: &executors,
        settings: &settings(options, &config, checker, &stop),
        rules: rules(options),
        finished,
        max_fail: None,
        interrupt: &interrupt,
        give_up: &|| {
            if let Some(workers) = &workers {
                workers.sandbox().stop();
            }
        },
        quit,
    };
    let outcome = run_plan(&grading, reporters)?;
    hide_kept();
    Ok(conclude(&outcome, &plan, &interrupt, &target, options))
}

fn jobs(options: &GradeOptions, config: &Config) -> usize {
    match options.timing {
        TimingChoice::Strict => 1,
        TimingChoice::Confirm => options.jobs.or(config.jobs).unwrap_or(Jobs::Auto).number(),
    }
}

fn rules(options: &GradeOptions) -> Rules {
    Rules {
        stop: if options.all_cases { Stop::Never } else { Stop::AtFirst },
        confirm: match options.timing {
            TimingChoice::Strict => 0,
            TimingChoice::Confirm => options.confirm,
        },
    }
}

fn settings<'a>(
    options: &GradeOptions,
    config: &Config,
    checker: &'a dyn Checker,
    stop: &'a (dyn Fn() -> bool + Sync),
) -> Settings<'a> {
    Settings {
        checker,
        runs: options.runs.or(config.runs).unwrap_or(1),
        missing: missing(options.missing, config),
        bless: Bless::No,
        stop,
        keep: Some(PathBuf::from(KEPT)),
    }
}

fn plan(
    options: &GradeOptions,
    config: &Config,
    problems: Vec<Problem>,
    entries: &[Entry],
    prepared: &[Prepared],
) -> Plan {
    let submissions: Vec<Submission> = entries
        .iter()
        .zip(prepared)
        .map(|(entry, prepared)| Submission {
            name: entry.name.clone(),
            problem: entry.problem,
            path: entry.path.clone(),
            language: prepared.language.clone(),
            promised: entry.promised.clone(),
        })
        .collect();
    let clock = match options.clock.unwrap_or(ClockChoice::Cpu) {
        ClockChoice::Cpu => Clock::Cpu,
        ClockChoice::User => Clock::User,
        ClockChoice::Wall => Clock::Wall,
    };
    let typed = LimitSet::from(options.limits);
    let allowance = |submission: &Submission| {
        let place = entries
            .iter()
            .position(|entry| entry.path == submission.path && entry.problem == submission.problem);
        place.map_or(limits::Allowance::NONE, |place| prepared[place].allowance)
    };
    let limits = |submission: &Submission, case: &TestCase| {
        if submission.path.is_none() {
            return Limits::NONE;
        }
        config.limits.resolve(
            &typed,
            &Situation {
                language: &submission.language,
                case: case.name.split_once('/').map_or(&*case.name, |(_, short)| short),
                answer_bytes: size(case.answer.as_deref()),
                allowance: allowance(submission),
                clock,
            },
        )
    };
    plan::of(problems, submissions, limits, options.runs.or(config.runs).unwrap_or(1))
}

fn size(path: Option<&Path>) -> u64 {
    path.and_then(|path| fs::metadata(path).ok()).map_or(0, |data| data.len())
}

/// The sandbox, when something is to run in it.
fn workers(
    options: &GradeOptions,
    jobs: usize,
    prepared: &[Prepared],
) -> Result<Option<Arc<Workers>>, CommandError> {
    if !prepared.iter().any(|one| matches!(one.kind, Kind::Program(..))) {
        return Ok(None);
    }
    let level = match options.sandbox {
        SandboxChoice::Auto => Level::Auto,
        SandboxChoice::None => Level::None,
        SandboxChoice::Basic => Level::Basic,
        SandboxChoice::Strict => Level::Strict,
    };
    let sandbox = Sandbox::open(level, jobs, &sandbox::Options::default());
    let sandbox = sandbox.map_err(|error| {
        let message = match &error {
            SandboxError::Unavailable { .. } => format!("cannot isolate submissions: {error}"),
            _ => error.to_string(),
        };
        CommandError::usage(message).exit(Exit::Failure).hint(
            "`jury doctor` shows what is missing; `--sandbox none` runs without isolation, for \
             trusted code only",
        )
    })?;
    Ok(Some(Arc::new(Workers::new(sandbox))))
}

/// Whether each submission has cases that are not done.
fn wanted(plan: &Plan, finished: &[CaseResult]) -> Vec<bool> {
    let mut open = vec![0_usize; plan.submissions.len()];
    for job in &plan.jobs {
        open[job.submission] += 1;
    }
    for result in finished {
        open[plan.jobs[result.index].submission] -= 1;
    }
    open.into_iter().map(|open| open > 0).collect()
}

/// Where built programs are kept; of this run only where nothing can be kept for the next one.
fn cache_folder() -> Result<CacheFolder, CommandError> {
    let (folder, lost) = CacheFolder::open().map_err(|error| {
        CommandError::usage(format!("no folder for built programs: {error}")).exit(Exit::Failure)
    })?;
    if let Some(lost) = lost {
        print_note(&format!("built programs are not kept for the next run: {lost}"));
    }
    Ok(folder)
}

fn executors(
    plan: &Plan,
    prepared: Vec<Prepared>,
    workers: Option<(&Arc<Workers>, &Path)>,
    wanted: &[bool],
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Built>> {
    let mut built = match workers {
        None => Vec::new(),
        Some((workers, cache)) => programs::compile(&prepared, wanted, workers, cache, interrupt)?,
    };
    built.reverse();
    let absent = |reason: String| Box::new(Settled(Termination::Absent(reason)));
    let executors = plan.submissions.iter().zip(prepared).map(|(submission, prepared)| {
        let compiled = built.pop().flatten();
        match (prepared.kind, compiled) {
            (_, Some(built)) => built,
            (Kind::Refused(reason), _) => {
                let executor = Box::new(Settled(Termination::Uncompiled(reason)));
                Built { executor, program: None }
            }
            (Kind::Core, _) => programs::core(&plan.problems[submission.problem]).into(),
            (Kind::Absent(reason), _) => Built { executor: absent(reason), program: None },
            (Kind::Program(..), None) => {
                Built { executor: absent("not compiled".into()), program: None }
            }
        }
    });
    Ok(executors.collect())
}

fn describe(
    options: &GradeOptions,
    config: &Config,
    target: &Target,
    checker: &dyn Checker,
    jobs: usize,
    workers: Option<&Arc<Workers>>,
) -> Run {
    let sandbox = workers.map(|workers| workers.sandbox().report().to_string());
    Run {
        compare: checker.name().to_owned(),
        missing: missing_word(missing(options.missing, config)),
        answers: target.answers,
        sandbox: sandbox.unwrap_or_default(),
        ..this_run(jobs)
    }
}

/// The key of each job: equal for equal program, files, limits and comparison.
fn keys(plan: &Plan, checker: &dyn Checker) -> Vec<Key> {
    let stamp = |path: &Path| {
        let data = fs::metadata(path).ok();
        data.map(|data| (data.len(), data.modified().ok()))
    };
    let key = |job: &crate::model::Job| {
        let (case, submission) = (plan.case(*job), plan.submission(*job));
        let mut hasher = DefaultHasher::new();
        (&submission.name, &submission.path, submission.path.as_deref().map(stamp))
            .hash(&mut hasher);
        (&case.name, &case.input, stamp(&case.input)).hash(&mut hasher);
        (&case.answer, case.answer.as_deref().map(stamp)).hash(&mut hasher);
        (job.limits, checker.name(), plan.runs).hash(&mut hasher);
        hasher.finish()
    };
    plan.jobs.iter().map(key).collect()
}

/// The results of the run that was stopped.
fn earlier(keys: &[Key]) -> Result<Vec<CaseResult>, CommandError> {
    let finished = journal::read(Path::new(JOURNAL), keys)
        .map_err(|error| CommandError::usage(format!("cannot read {JOURNAL}: {error}")))?;
    print_note(&format!("resuming: {} of {} runs are done", finished.len(), keys.len()));
    Ok(finished)
}

/// Without a journal the run goes on, but cannot be resumed.
fn journal<'a>(keys: Vec<Key>) -> Option<Named<'a>> {
    match Journal::create(Path::new(JOURNAL), keys) {
        Ok(journal) => {
            let reporter = Box::new(journal);
            Some(Named { name: JOURNAL.into(), when_left: WhenLeft::Lost, reporter })
        }
        Err(error) => {
            let message = format!("cannot write {JOURNAL}: {error}; --resume is not possible");
            print_warning(&message, None);
            None
        }
    }
}

fn conclude(
    outcome: &Outcome,
    plan: &Plan,
    interrupt: &Interrupt,
    target: &Target,
    options: &GradeOptions,
) -> Exit {
    print_lost(outcome);
    let unreadable = |finding: &crate::model::Finding| finding.kind == FindingKind::Unreadable;
    let failed = !outcome.lost.is_empty() || target.findings.iter().any(unreadable);
    let failed = if failed { JudgeFailed::Yes } else { JudgeFailed::No };
    let on_findings = if options.exit_zero { OnFindings::Zero } else { OnFindings::Tell };
    let summary = promises(outcome, plan);
    Exit::of_run(&summary, interrupt.signal(), failed, on_findings)
}

/// Broken promises are what counts, not single cases.
fn promises(outcome: &Outcome, plan: &Plan) -> Summary {
    Summary { failed: outcome.report.broken(plan), ..outcome.report.summary }
}

/// A second signal: the reports are written, the runs under way are given up.
fn quit(outcome: &Outcome, signal: Option<Signal>) -> ! {
    print_lost(outcome);
    Exit::of_run(&outcome.report.summary, signal, JudgeFailed::No, OnFindings::Tell).now()
}
