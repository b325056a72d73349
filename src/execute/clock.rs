//! CPU and elapsed time of a stretch of code on one thread.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Measures CPU time of the calling thread and elapsed time, from its start.
#[derive(Debug)]
pub struct Stopwatch {
    cpu: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: thread_cpu() }
    }

    /// CPU time of this thread and elapsed time since the start.
    #[must_use]
    pub fn read(&self) -> (Duration, Duration) {
        (thread_cpu().saturating_sub(self.cpu), self.wall.elapsed())
    }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_costs_elapsed_time_but_no_cpu_time() {
        let stopwatch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(30));
        let (cpu, wall) = stopwatch.read();
        assert!(wall >= Duration::from_millis(30), "{wall:?}");
        assert!(cpu < wall, "{cpu:?} {wall:?}");
    }
}
