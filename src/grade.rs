//! A whole plan: hands the cases to the pool, the results to the reporters, and stops when it is
//! told to. Knows neither how a case is judged nor how a report looks.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::execute::Executor;
use crate::interrupt::{Interrupt, Signal};
use crate::judge::{self, Settings};
use crate::model::{CaseResult, Job, Plan, Report, Run, Status};
use crate::pool::{self, Event, PoolError};
use crate::report::{Order, Reporter};

use ordered::Ordered;

mod ordered;

/// All that a run needs.
pub struct Grading<'a> {
    /// What is to be run.
    pub plan: &'a Plan,
    /// What the reports say of the run.
    pub run: &'a Run,
    /// One executor for each problem of the plan.
    pub executors: &'a [Box<dyn Executor + 'a>],
    /// How cases are judged.
    pub settings: &'a Settings<'a>,
    /// Failed cases and judge errors after which no further case is started.
    pub max_fail: Option<usize>,
    /// Tells when to stop.
    pub interrupt: &'a Interrupt,
    /// Leaves the process at once; called after the reports are completed, when a second signal
    /// comes while cases still run.
    pub quit: fn(&Outcome, Option<Signal>) -> !,
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
    if course.stopped {
        return Ok(course.finish());
    }
    let failed = AtomicUsize::new(0);
    let work = |job: &Job| {
        let executor = grading.executors[job.problem].as_ref();
        let result = judge::judge(job.index, grading.plan.case(*job), executor, grading.settings);
        let flow = flow(&result, &failed, grading.max_fail);
        (result, flow)
    };
    pool::run(&grading.plan.jobs, grading.run.jobs, work, |event| course.event(event))?;
    Ok(course.finish())
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
    ordered: Ordered,
    report: Report,
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
            ordered: Ordered::default(),
            report: Report::new(grading.plan),
            lost: Vec::new(),
            started: Instant::now(),
            stopped: false,
            signals: 0,
        }
    }

    fn event(&mut self, event: Event<CaseResult>) -> ControlFlow<()> {
        match event {
            Event::Done(_, result) => self.done(result),
            Event::Tick => self.tell(|reporter| reporter.tick(self.grading.plan)),
        }
        self.look_for_signals();
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn done(&mut self, result: CaseResult) {
        let plan = self.grading.plan;
        self.report.add(plan, &result);
        self.tell_in(Order::Completion, |reporter| reporter.case(plan, &result));
        self.ordered.add(result);
        while let Some(result) = self.ordered.next() {
            self.tell_in(Order::Plan, |reporter| reporter.case(plan, &result));
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
        let summary = &mut self.report.summary;
        summary.interrupted = summary.done() < summary.planned || self.signals > 0;
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
        self.complete()
    }
}

#[cfg(test)]
mod tests;
