//! A whole plan: hands the cases to the pool, the results to the reporters, runs again alone what
//! left a doubt, and stops when it is told to. Knows neither how a case is judged nor how a report
//! looks.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use crate::baseline::{Baseline, Watch};
use crate::execute::Executor;
use crate::interrupt::{Interrupt, Signal};
use crate::judge::{self, Settings, Task};
use crate::model::{CaseResult, Compiled, Job, Noise, Plan, Report, Run, Status};
use crate::pool::{self, Event, PoolError};
use crate::report::{Order, Reporter};

use board::Board;
pub use board::Stop;
use ordered::Ordered;

mod board;
mod doubt;
mod ordered;

/// All that a run needs.
pub struct Grading<'a> {
    /// What is to be run.
    pub plan: &'a Plan,
    /// What the reports say of the run.
    pub run: &'a Run,
    /// One executor for each submission of the plan.
    pub executors: &'a [Box<dyn Executor + 'a>],
    /// The base program that runs alternately with each submission, if there is one.
    pub base: Option<&'a dyn Executor>,
    /// How cases are judged.
    pub settings: &'a Settings<'a>,
    /// Which cases need not be run, and which have to be run again.
    pub rules: Rules,
    /// Results of an earlier run that was stopped; their cases are not run again.
    pub finished: Vec<CaseResult>,
    /// Failed cases and judge errors after which no further case is started.
    pub max_fail: Option<usize>,
    /// What came of building the submissions.
    pub compiled: &'a [Compiled],
    /// What others have taken of the machine so far.
    pub noise: &'a (dyn Fn() -> Option<Noise> + Sync),
    /// What the times are compared with, if anything.
    pub baseline: Option<&'a Baseline>,
    /// Whether only some of the cases were selected.
    pub selected: Selected,
    /// Tells when to stop.
    pub interrupt: &'a Interrupt,
    /// Gives up the programs that run; called when the first signal comes.
    pub give_up: &'a (dyn Fn() + Sync),
    /// Leaves the process at once; called after the reports are completed, when a second signal
    /// comes while cases still run.
    pub quit: fn(&Outcome, Option<Signal>) -> !,
}

/// Which cases a plan has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Selected {
    /// Every one there is.
    #[default]
    All,
    /// Some that were asked for.
    Some,
}

/// Which cases need not be run, and which have to be run again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rules {
    /// When a submission is done.
    pub stop: Stop,
    /// The most runs, one at a time with nothing else running, that settle a doubt about the time
    /// limit; 0 trusts the first run.
    pub confirm: u32,
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Counts and the like.
    pub report: Report,
    /// Reports that could not be written: their names and why.
    pub lost: Vec<(String, io::Error)>,
}

/// A reporter with the name by which its faults are told.
pub struct Named<'a> {
    /// The file, or `standard output`.
    pub name: String,
    /// What it means when nobody reads it any more.
    pub when_left: WhenLeft,
    /// The reporter.
    pub reporter: Box<dyn Reporter + 'a>,
}

/// What it means when the reader of a report goes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenLeft {
    /// The run has been seen enough of: it ends quietly.
    EndTheRun,
    /// The run goes on without it.
    GoOn,
    /// The report is lost.
    Lost,
}

/// Runs the plan.
///
/// # Errors
/// [`PoolError`] when the worker threads cannot be started; no case has run then.
pub fn grade(grading: &Grading, reporters: Vec<Named>) -> Result<Outcome, PoolError> {
    let mut course = Course::new(grading, reporters);
    course.tell(|reporter| reporter.begin(grading.run, grading.plan));
    for compiled in grading.compiled {
        course.tell(|reporter| reporter.compiled(grading.plan, compiled));
    }
    for result in grading.finished.iter().cloned() {
        course.done(result);
    }
    let failed = AtomicUsize::new(0);
    while !course.stopped {
        let open = course.board.open();
        if !open.is_empty() {
            course.all(&open, &failed)?;
            continue;
        }
        let doubtful = course.board.doubtful();
        if doubtful.is_empty() {
            break;
        }
        course.alone(&doubtful)?;
    }
    Ok(course.finish())
}

/// Runs one case.
fn run(grading: &Grading, job: &Job) -> Option<CaseResult> {
    let submission = grading.plan.submission(*job);
    let ladder = !grading.plan.ladder.typed.is_empty();
    let task = Task {
        index: job.index,
        case: grading.plan.case(*job),
        limits: &grading.plan.run_limits(job),
        rungs: if ladder { grading.plan.rungs(job) } else { &[] },
        base: grading.base,
        owner: if submission.path.is_some() { &submission.name } else { "" },
    };
    let executor = grading.executors[job.submission].as_ref();
    let result = judge::judge(&task, executor, grading.settings)?;
    Some(board::as_promised(grading.plan, result))
}

/// Runs a case again until its doubt is settled.
fn settle(grading: &Grading, job: &Job, first: CaseResult) -> Option<CaseResult> {
    let mut again = Vec::new();
    let rungs = grading.plan.rungs(job);
    while doubt::remains(&first, &again, rungs, grading.rules.confirm) {
        again.push(run(grading, job)?);
    }
    Some(doubt::settled(first, again, &job.limits))
}

/// Whether further cases may be started after this result.
fn flow(result: &CaseResult, failed: &AtomicUsize, max_fail: Option<usize>) -> ControlFlow<()> {
    let failure = matches!(result.status, Status::Fail | Status::Error);
    let failed = failed.fetch_add(usize::from(failure), Ordering::Relaxed) + usize::from(failure);
    match max_fail {
        Some(most) if failed >= most => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// The state of a run, owned by the calling thread.
struct Course<'a, 'r> {
    grading: &'a Grading<'a>,
    reporters: Vec<Named<'r>>,
    board: Board<'a>,
    ordered: Ordered,
    report: Report,
    watch: Option<Watch<'a>>,
    lost: Vec<(String, io::Error)>,
    started: Instant,
    stopped: bool,
    signals: usize,
}

impl<'a, 'r> Course<'a, 'r> {
    fn new(grading: &'a Grading<'a>, reporters: Vec<Named<'r>>) -> Self {
        Self {
            grading,
            reporters,
            board: Board::new(grading.plan, grading.rules),
            ordered: Ordered::default(),
            report: Report::new(grading.plan),
            watch: grading.baseline.map(|baseline| Watch::new(baseline, grading.plan)),
            lost: Vec::new(),
            started: Instant::now(),
            stopped: false,
            signals: 0,
        }
    }

    /// Runs these jobs on all workers, but for those that the failures of others make needless.
    fn all(&mut self, jobs: &[Job], failed: &AtomicUsize) -> Result<(), PoolError> {
        let grading = self.grading;
        let ends = self.board.ends();
        let given_up = AtomicBool::new(false);
        let work = |job: &Job| {
            if job.index > ends[job.submission].load(Ordering::Relaxed) {
                return (None, ControlFlow::Continue(()));
            }
            let Some(result) = run(grading, job) else {
                given_up.store(true, Ordering::Relaxed);
                return (None, ControlFlow::Break(()));
            };
            if grading.rules.stop.after(grading.plan, &result) {
                ends[job.submission].fetch_min(job.index, Ordering::Relaxed);
            }
            let flow = flow(&result, failed, grading.max_fail);
            (Some(result), flow)
        };
        pool::run(jobs, grading.run.jobs, work, |event| self.event(event))?;
        self.stopped |= given_up.load(Ordering::Relaxed);
        self.stopped |= grading.max_fail.is_some_and(|most| failed.load(Ordering::Relaxed) >= most);
        Ok(())
    }

    /// Runs these jobs again, one at a time.
    fn alone(&mut self, doubtful: &[(Job, CaseResult)]) -> Result<(), PoolError> {
        let grading = self.grading;
        let given_up = AtomicBool::new(false);
        let work = |(job, first): &(Job, CaseResult)| {
            if let Some(result) = settle(grading, job, first.clone()) {
                return (Some(result), ControlFlow::Continue(()));
            }
            given_up.store(true, Ordering::Relaxed);
            (None, ControlFlow::Break(()))
        };
        pool::run(doubtful, 1, work, |event| match event {
            Event::Done(_, Some(result)) => {
                let settled = self.board.settle(result);
                self.report(settled)
            }
            other => self.event(other),
        })?;
        self.stopped |= given_up.load(Ordering::Relaxed);
        Ok(())
    }

    fn event(&mut self, event: Event<Option<CaseResult>>) -> ControlFlow<()> {
        match event {
            Event::Done(_, Some(result)) => self.done(result),
            Event::Done(_, None) => {}
            Event::Tick => self.tell(|reporter| reporter.tick(self.grading.plan)),
        }
        self.look_for_signals();
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn done(&mut self, result: CaseResult) {
        let final_ones = self.board.put(result);
        let _ = self.report(final_ones);
    }

    /// Hands results that will not change any more to everybody.
    fn report(&mut self, results: Vec<CaseResult>) -> ControlFlow<()> {
        let plan = self.grading.plan;
        for mut result in results {
            result.change = self.watch.as_mut().map(|watch| watch.take(plan, &result));
            self.report.add(plan, &result);
            self.tell_in(Order::Completion, |reporter| reporter.case(plan, &result));
            self.tell_of_the_last(plan.jobs[result.index].submission);
            self.ordered.add(result);
            while let Some(result) = self.ordered.next() {
                self.tell_in(Order::Plan, |reporter| reporter.case(plan, &result));
            }
        }
        self.look_for_signals();
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Tells of a submission whose last result has come.
    fn tell_of_the_last(&mut self, submission: usize) {
        let plan = self.grading.plan;
        let summary = &self.report.submissions[submission];
        if summary.summary.done() == summary.summary.planned {
            let summary = summary.clone();
            self.tell_in(Order::Completion, |one| one.submission(plan, submission, &summary));
        }
    }

    fn look_for_signals(&mut self) {
        let signals = self.grading.interrupt.count();
        if signals == self.signals {
            return;
        }
        let first = std::mem::replace(&mut self.signals, signals) == 0;
        self.stopped = true;
        if first {
            (self.grading.give_up)();
            let open = self.report.summary.planned - self.report.summary.done();
            let running = open.min(self.grading.run.jobs);
            self.tell(|reporter| reporter.stopping(running));
        }
        if signals > 1 {
            let outcome = self.complete();
            (self.grading.quit)(&outcome, self.grading.interrupt.signal());
        }
    }

    /// Tells every reporter.
    fn tell(&mut self, what: impl FnMut(&mut dyn Reporter) -> io::Result<()>) {
        self.tell_those(|_| true, what);
    }

    /// Tells the reporters that want their cases in this order.
    fn tell_in(&mut self, order: Order, what: impl FnMut(&mut dyn Reporter) -> io::Result<()>) {
        self.tell_those(|reporter| reporter.order() == order, what);
    }

    /// One that fails is dropped, and what it failed with is kept.
    fn tell_those(
        &mut self,
        who: impl Fn(&dyn Reporter) -> bool,
        mut what: impl FnMut(&mut dyn Reporter) -> io::Result<()>,
    ) {
        let (lost, stopped) = (&mut self.lost, &mut self.stopped);
        self.reporters.retain_mut(|named| {
            if !who(named.reporter.as_ref()) {
                return true;
            }
            let Err(error) = what(named.reporter.as_mut()) else { return true };
            let left = error.kind() == io::ErrorKind::BrokenPipe;
            match named.when_left {
                WhenLeft::EndTheRun if left => *stopped = true,
                WhenLeft::GoOn if left => {}
                _ => lost.push((named.name.clone(), error)),
            }
            false
        });
    }

    fn complete(&mut self) -> Outcome {
        self.report.wall = self.started.elapsed();
        self.report.noise = (self.grading.noise)();
        let summary = &mut self.report.summary;
        summary.interrupted = summary.done() < summary.planned || self.signals > 0;
        let partial = summary.interrupted || self.grading.selected == Selected::Some;
        let finish =
            |watch: Watch| Box::new(watch.finish(self.grading.run, self.grading.plan, partial));
        self.report.comparison = self.watch.take().map(finish);
        let report = std::mem::take(&mut self.report);
        let plan = self.grading.plan;
        for result in self.ordered.rest() {
            self.tell_in(Order::Plan, |reporter| reporter.case(plan, &result));
        }
        self.tell(|reporter| reporter.end(plan, &report));
        Outcome { report, lost: std::mem::take(&mut self.lost) }
    }

    fn finish(mut self) -> Outcome {
        self.look_for_signals();
        let rest = self.board.rest();
        let _ = self.report(rest);
        self.complete()
    }
}

#[cfg(test)]
mod tests;
