//! The worker threads: they take jobs in order and hand the results to the calling thread.
//! Knows no domain.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Why no pool could be run.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} worker threads: {source}")]
pub struct PoolError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// What the calling thread is told.
#[derive(Debug)]
pub enum Event<R> {
    /// A job is done: its position and its result, in order of completion.
    Done(usize, R),
    /// Time passes; comes about each [`TICK`] while jobs run.
    Tick,
}

/// The time between two ticks.
pub const TICK: Duration = Duration::from_millis(100);

/// While results pour in, the receiver sleeps this long between two looks, so that the workers
/// need not wake it for each result: a wake-up costs as much as a tiny job.
const GATHER: Duration = Duration::from_micros(500);

/// Results that may wait for the calling thread before the workers have to wait for it.
const BACKLOG: usize = 4096;

/// Runs `work` on every job, on `threads` threads, and hands the events to `sink` on the calling
/// thread. Jobs are started in order. After `work` or `sink` has broken off no further job is
/// started; results of the jobs under way are still handed to the sink.
///
/// # Errors
/// [`PoolError`] when the threads cannot be started; no job has run then.
pub fn run<J: Sync, R: Send>(
    jobs: &[J],
    threads: usize,
    work: impl Fn(&J) -> (R, ControlFlow<()>) + Sync,
    mut sink: impl FnMut(Event<R>) -> ControlFlow<()>,
) -> Result<(), PoolError> {
    let threads = threads.clamp(1, jobs.len().max(1));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| PoolError { threads, source })?;
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    pool.in_place_scope(|scope| {
        // Both fall with this closure: if the sink panics, no worker waits for it.
        let (sender, receiver) = sync_channel(BACKLOG);
        let _stop_at_the_end = StopGuard(&stop);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|_| take_jobs(jobs, &next, &stop, &work, sender));
        }
        drop(sender);
        receive(&receiver, |event| {
            if sink(event).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
        });
    });
    Ok(())
}

/// Stops the workers when it is dropped.
struct StopGuard<'a>(&'a AtomicBool);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the channel closes when the last sender drops")]
fn take_jobs<J, R>(
    jobs: &[J],
    next: &AtomicUsize,
    stop: &AtomicBool,
    work: &impl Fn(&J) -> (R, ControlFlow<()>),
    sender: SyncSender<(usize, R)>,
) {
    while !stop.load(Ordering::Relaxed) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(index) else { return };
        let (result, flow) = work(job);
        if flow.is_break() {
            stop.store(true, Ordering::Relaxed);
        }
        if sender.send((index, result)).is_err() {
            return;
        }
    }
}

fn receive<R>(receiver: &Receiver<(usize, R)>, mut sink: impl FnMut(Event<R>)) {
    let mut last_tick = Instant::now();
    loop {
        match receiver.recv_timeout(TICK.saturating_sub(last_tick.elapsed())) {
            Ok((index, result)) => sink(Event::Done(index, result)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while take_all(receiver, &mut sink) && last_tick.elapsed() < TICK {
            std::thread::sleep(GATHER);
        }
        if last_tick.elapsed() >= TICK {
            last_tick = Instant::now();
            sink(Event::Tick);
        }
    }
}

/// Hands on what is there; false if that was nothing.
fn take_all<R>(receiver: &Receiver<(usize, R)>, sink: &mut impl FnMut(Event<R>)) -> bool {
    let mut some = false;
    for (index, result) in receiver.try_iter() {
        some = true;
        sink(Event::Done(index, result));
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO: ControlFlow<()> = ControlFlow::Continue(());

    fn squares(threads: usize) -> Vec<u64> {
        let jobs: Vec<u64> = (0..1000).collect();
        let mut results = vec![0; jobs.len()];
        run(
            &jobs,
            threads,
            |job| (job * job, GO),
            |event| {
                if let Event::Done(index, result) = event {
                    results[index] = result;
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        results
    }

    #[test]
    fn every_job_gives_one_result_at_its_index_with_any_number_of_threads() {
        let expected: Vec<u64> = (0..1000).map(|job| job * job).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(squares(threads), expected, "{threads} threads");
        }
    }

    #[test]
    fn a_worker_that_breaks_off_is_the_last_to_start_a_job() {
        let jobs: Vec<usize> = (0..1000).collect();
        let mut last = 0;
        let work = |&job: &usize| (job, if job == 5 { ControlFlow::Break(()) } else { GO });
        let sink = |event| {
            if let Event::Done(index, _) = event {
                last = index;
            }
            GO
        };
        run(&jobs, 1, work, sink).unwrap();
        assert_eq!(last, 5);
    }

    #[test]
    fn after_a_break_no_job_is_started_but_those_under_way_are_delivered() {
        let jobs: Vec<usize> = (0..1_000_000).collect();
        let started = AtomicUsize::new(0);
        let mut delivered = 0;
        run(
            &jobs,
            2,
            |_| (started.fetch_add(1, Ordering::SeqCst), GO),
            |event| {
                delivered += usize::from(matches!(event, Event::Done(..)));
                ControlFlow::Break(())
            },
        )
        .unwrap();
        assert_eq!(delivered, started.load(Ordering::SeqCst));
        assert!(delivered < jobs.len());
    }

    #[test]
    fn a_sink_that_panics_ends_the_run() {
        let jobs: Vec<usize> = (0..3 * BACKLOG).collect();
        let run = || run(&jobs, 2, |_| ((), GO), |_| panic!("as ordered"));
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn time_is_told_while_results_pour_in() {
        let jobs = [(); 600];
        let mut ticks = 0;
        let work = |(): &()| (std::thread::sleep(Duration::from_micros(400)), GO);
        let sink = |event| {
            ticks += usize::from(matches!(event, Event::Tick));
            GO
        };
        run(&jobs, 1, work, sink).unwrap();
        assert!(ticks >= 1);
    }

    #[test]
    fn no_jobs_end_at_once() {
        run(&[] as &[u8], 4, |_| ((), GO), |_| panic!("nothing to tell")).unwrap();
    }

    #[test]
    fn a_long_job_is_accompanied_by_ticks() {
        let mut ticks = 0;
        run(
            &[()],
            1,
            |()| (std::thread::sleep(TICK * 3), GO),
            |event| {
                ticks += usize::from(matches!(event, Event::Tick));
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert!(ticks >= 1);
    }
}
