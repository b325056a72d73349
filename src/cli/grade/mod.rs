//! `jury grade`: run submissions on every case of a problem, under limits.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use super::args::Arguments;
use super::compare::{self, Interleaved};
use super::config::{self, Config};
use super::error::{CommandError, print_note};
use super::history;
use super::options::Jobs;
use super::run::{KEPT, hide_kept, missing, missing_word, print_lost, this_run};
use super::{Exit, JudgeFailed, OnFindings};
use crate::baseline::Baseline;
use crate::check::Checker;
use crate::compile::CacheFolder;
use crate::execute::{Cores, Files, NoiseMeter, Settled, Workers, physical_cores};
use crate::grade::{Grading, Outcome, Rules, Stop, grade as run_plan};
use crate::interrupt::{Interrupt, Signal};
use crate::judge::{Bless, FeedbackOf, Keep, Settings};
use crate::model::{
    CaseResult, Compiled, FindingKind, HistoryEntry, Limits, Plan, Run, Summary, Termination,
};
use crate::report::{count, shell_path};
use crate::sandbox::{self, Level, Sandbox, SandboxError};
pub(super) use args::{EXAMPLES, GradeOptions};
use args::{SandboxChoice, TimingChoice};
use judging::{Judges, Judging};
pub(super) use limits::{LimitRules, LimitSet, parse_size, parse_time};
use programs::{Built, Kind, Prepared};
pub(super) use screen::width;
use target::Target;

mod args;
mod checker;
mod dry;
mod interactor;
mod interleave;
mod judging;
mod jury;
mod limits;
mod planning;
mod programs;
mod resume;
mod screen;
mod target;

/// Runs the command.
pub(super) fn grade(options: &GradeOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    let loaded = load(options, arguments)?;
    let Loaded { config, judging, target, prepared, base, baseline, plan, history } = loaded;
    if options.dry_run {
        return Ok(dry::print(&plan, &prepared, &judging.lines()).map(|()| Exit::Success)?);
    }
    let jobs = jobs(options, &config).min(plan.jobs.len()).max(1);
    let all = prepared.iter().chain(&base);
    let workers = workers(options, &config, jobs, all, &plan, &judging)?;
    let checking = judging.workers(options, &config, jobs, &plan)?;
    let folder = workers.iter().chain(&checking).next().map(|_| cache_folder()).transpose()?;
    let cache = folder.as_ref().map(CacheFolder::path);
    let judges = judging.build(checking.as_ref(), workers.as_ref(), cache)?;
    let mut reporters = screen::open(options, arguments, &plan, &config)?;
    target::print_faults(&target);
    let beside = interleave::fingerprint(options, base.as_ref());
    let kept = (options.keep_feedback, missing_word(missing(options.missing, &config)));
    let way = (judging.fingerprint(), workers.as_ref().map(level), beside, kept);
    let keys = resume::keys(&plan, &way, &config);
    let known = resume::finished(options.resume, &plan, &keys)?;
    let interrupt = Interrupt::install(|signal| Exit::of_signal(signal).now())
        .context("cannot wait for signals")?;
    let stop = || interrupt.count() > 0;
    let place = workers.as_ref().zip(cache);
    let base = interleave::build(base, &plan, place, &interrupt, &judges)?;
    let wanted = wanted(&plan, &known.results);
    let (executors, compiled) = executors(&plan, prepared, place, &wanted, &interrupt, &judges)?;
    if options.verbose > 1 {
        dry::print_programs(&config, &plan, &executors, &judging.lines())?;
    }
    let executors: Vec<_> = executors.into_iter().map(|built| built.executor).collect();
    reporters.splice(0..0, resume::journal(keys, &known.results));
    let sandbox = workers.as_ref().or(checking.as_ref());
    let run = describe(options, arguments, &config, &target, jobs, sandbox);
    let run = judging.describe(Run { history, ..run });
    let meter = NoiseMeter::start();
    let grading = Grading {
        plan: &plan,
        run: &run,
        executors: &executors,
        base: base.as_deref(),
        settings: &settings(options, &config, &judges, &stop),
        rules: rules(options),
        finished: known.results,
        compiled: &resume::with_earlier(compiled, known.compiled),
        noise: &|| Some(meter.read()),
        baseline: baseline.as_ref(),
        selected: compare::selected(options.cases.iter().chain(&options.submissions)),
        max_fail: None,
        interrupt: &interrupt,
        give_up: &|| workers.iter().chain(&checking).for_each(|one| one.sandbox().stop()),
        quit,
    };
    let outcome = run_plan(&grading, reporters)?;
    hide_kept();
    screen::show_baseline(options, arguments, &outcome.report)?;
    Ok(conclude(&outcome, &plan, &interrupt, &target, options))
}

/// All that is known before anything is started.
struct Loaded {
    config: Config,
    judging: Judging,
    target: Target,
    prepared: Vec<Prepared>,
    base: Option<Prepared>,
    baseline: Option<Baseline>,
    plan: Plan,
    history: Arc<[HistoryEntry]>,
}

fn load(options: &GradeOptions, arguments: &Arguments) -> anyhow::Result<Loaded> {
    let folder = target::problem_folder(options);
    let config = config::load_for(arguments, folder)?;
    let judging = Judging::choose(options, &config, folder)?;
    let mut target = target::find(options, &config)?;
    judging.refuse_unknown(&target.names)?;
    let prepared = programs::prepare(&target.entries, &config.languages, |entry| {
        config.files.of(&target.problems[entry.problem].name)
    })?;
    let base = interleave::prepare(options, &config, &target)?;
    let problems = std::mem::take(&mut target.problems);
    let plan = planning::plan(options, &config, problems, &target.entries, &prepared);
    let interleaved = Interleaved(options.interleave.is_some());
    let baseline = compare::baseline(options.baseline.file.as_deref(), interleaved)?;
    let history = history::earlier(options.history.history.as_deref())?;
    Ok(Loaded { config, judging, target, prepared, base, baseline, plan, history })
}

/// The level of the sandbox that there is.
fn level(workers: &Arc<Workers>) -> String {
    workers.sandbox().report().short()
}

fn jobs(options: &GradeOptions, config: &Config) -> usize {
    match options.timing {
        TimingChoice::Strict => 1,
        TimingChoice::Confirm => match options.jobs.or(config.jobs).unwrap_or(Jobs::Auto) {
            Jobs::Auto => Jobs::Auto.number().min(physical_cores().len().max(1)),
            number => number.number(),
        },
    }
}

/// Runs that share a core disturb each other.
fn note_shared_cores(jobs: usize) {
    let cores = physical_cores().len();
    if cores > 0 && jobs > cores {
        let (runs, cores) = (count(jobs, "run"), count(cores, "physical core"));
        print_note(&format!("{runs} at a time on {cores}: their times are less exact"));
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
    let feedback =
        if options.keep_feedback { FeedbackOf::AllCases } else { FeedbackOf::FailedCases };
    Settings {
        checker,
        runs: interleave::runs(options, config),
        missing: missing(options.missing, config),
        bless: Bless::No,
        stop,
        keep: Some(Keep::below(KEPT).with_feedback(feedback)),
    }
}

/// The sandbox, when something is to run in it.
fn workers<'a>(
    options: &GradeOptions,
    config: &Config,
    jobs: usize,
    mut prepared: impl Iterator<Item = &'a Prepared> + Clone,
    plan: &Plan,
    judging: &Judging,
) -> Result<Option<Arc<Workers>>, CommandError> {
    if !prepared.clone().any(|one| matches!(one.kind, Kind::Program(..))) {
        return Ok(None);
    }
    let with_files = prepared.any(|one| one.files != Files::default());
    let files = if with_files { checker::most_bytes(plan) } else { 0 };
    let usual = sandbox::Options::default();
    let cores = Cores::for_runs(jobs);
    note_shared_cores(jobs);
    if judging.has_talks() {
        // A second runner for each job, with room for what the interactor is given.
        let box_bytes = usual.box_bytes + checker::most_bytes(plan);
        let choices = sandbox::Options { box_bytes, ..usual };
        let sandbox = open_sandbox(options, config, 2 * jobs, choices)?;
        return Ok(Some(Arc::new(Workers::in_pairs(sandbox, cores))));
    }
    let choices = sandbox::Options { box_bytes: usual.box_bytes + files, ..usual };
    let sandbox = open_sandbox(options, config, jobs, choices)?;
    Ok(Some(Arc::new(Workers::new(sandbox, cores))))
}

/// A sandbox of the level asked for.
fn open_sandbox(
    options: &GradeOptions,
    config: &Config,
    jobs: usize,
    choices: sandbox::Options,
) -> Result<Sandbox, CommandError> {
    let level = match options.sandbox {
        SandboxChoice::Auto => Level::Auto,
        SandboxChoice::None => Level::None,
        SandboxChoice::Basic => Level::Basic,
        SandboxChoice::Strict => Level::Strict,
    };
    let cgroup = options.cgroup.as_ref().or(config.cgroup.as_ref()).cloned().unwrap_or_default();
    let choices = sandbox::Options { cgroup, ..choices };
    Sandbox::open(level, jobs, &choices).map_err(|error| {
        let message = match &error {
            SandboxError::Unavailable { .. } => format!("cannot isolate submissions: {error}"),
            _ => error.to_string(),
        };
        CommandError::usage(message).exit(Exit::Failure).hint(
            "`jury doctor` shows what is missing; `--sandbox none` runs without isolation, for \
             trusted code only",
        )
    })
}

/// For each submission the limits of its first case that is not done; none when all are.
fn wanted(plan: &Plan, finished: &[CaseResult]) -> Vec<Option<Limits>> {
    let done: HashSet<usize> = finished.iter().map(|result| result.index).collect();
    let mut wanted = vec![None; plan.submissions.len()];
    for job in plan.jobs.iter().filter(|job| !done.contains(&job.index)) {
        wanted[job.submission].get_or_insert(job.limits);
    }
    wanted
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
    wanted: &[Option<Limits>],
    interrupt: &Interrupt,
    judges: &Judges<'_>,
) -> anyhow::Result<(Vec<Built>, Vec<Compiled>)> {
    let judge_of = |one: usize| judges.of(&plan.problems[plan.submissions[one].problem].name);
    let (mut built, told) = match workers {
        None => (Vec::new(), Vec::new()),
        Some((workers, cache)) => {
            programs::compile(&prepared, wanted, workers, cache, interrupt, &judge_of)?
        }
    };
    built.reverse();
    let talks = |problem: usize| judges.of(&plan.problems[problem].name).talks.is_some();
    let absent = |reason: String| Box::new(Settled(Termination::Absent(reason)));
    let executors = plan.submissions.iter().zip(prepared).map(|(submission, prepared)| {
        let compiled = built.pop().flatten();
        match (prepared.kind, compiled) {
            (_, Some(built)) => built,
            (Kind::Refused(reason), _) => {
                let executor = Box::new(Settled(Termination::Uncompiled(reason)));
                Built { executor, program: None }
            }
            (Kind::Core, _) if talks(submission.problem) => {
                let reason = "the built-in solver cannot talk to an interactor";
                Built { executor: absent(reason.into()), program: None }
            }
            (Kind::Core, _) => programs::core(&plan.problems[submission.problem]).into(),
            (Kind::Absent(reason), _) => Built { executor: absent(reason), program: None },
            (Kind::Program(..), None) => {
                Built { executor: absent("not compiled".into()), program: None }
            }
        }
    });
    Ok((executors.collect(), told))
}

fn describe(
    options: &GradeOptions,
    arguments: &Arguments,
    config: &Config,
    target: &Target,
    jobs: usize,
    workers: Option<&Arc<Workers>>,
) -> Run {
    let sandbox = workers.map(|workers| workers.sandbox().report().to_string());
    Run {
        missing: missing_word(missing(options.missing, config)),
        answers: target.answers,
        sandbox: sandbox.unwrap_or_default(),
        rerun: screen::rerun(options, arguments),
        rerun_by: screen::rerun_by(options),
        interleaved: options.interleave.as_deref().map_or_else(String::new, shell_path),
        ..this_run(jobs, interleave::runs(options, config))
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
    let summary = outcome.report.with_regressions(promises(outcome, plan));
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
