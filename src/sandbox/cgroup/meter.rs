//! What a run uses by its control group, as the runner sees it.

use std::cell::Cell;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use super::super::protocol::Answer;
use super::super::ran::{CpuSource, Ended, Limit, MemoryMetric};
use super::super::sys;
use super::super::work::Work;
use super::{Part, number_in};

/// What the runner's own memory may be, where it lives in the group.
const RUNNER: u64 = 4 << 20;
/// How much of earlier runs may leave a group during a run.
const UNSTEADY: u64 = 2 << 20;

/// The files of the group of one run, and what they said before it.
#[derive(Debug)]
pub(in crate::sandbox) struct Meter<'a> {
    work: &'a Work,
    files: Vec<(Part, File)>,
    time: Time,
    /// The runner's own time, where it lives in the group.
    own: Duration,
    usage: u64,
    events: u64,
    /// Whether it was killed as a whole.
    killed: Cell<bool>,
}

/// CPU time; the kernel's part where it is told.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::sandbox) struct Time {
    pub(in crate::sandbox) all: Duration,
    pub(in crate::sandbox) system: Option<Duration>,
}

impl<'a> Meter<'a> {
    /// Begins to count, before the run starts.
    pub(in crate::sandbox) fn begin(files: Vec<(Part, OwnedFd)>, work: &'a Work) -> Self {
        let files = files.into_iter().map(|(part, file)| (part, File::from(file))).collect();
        let mut meter = Self {
            work,
            files,
            time: Time::default(),
            own: Duration::ZERO,
            usage: 0,
            events: 0,
            killed: Cell::new(false),
        };
        meter.own = meter.own_time();
        meter.time = meter.read_time().unwrap_or_default();
        // Before the peak is set back, so that what leaves the group afterwards is noticed. Where
        // it cannot be set back the group is fresh.
        meter.usage = meter.file(Part::Usage).and_then(number_in).unwrap_or(0);
        for (part, reset) in [(Part::Peak, b"reset".as_slice()), (Part::OldPeak, b"0")] {
            let _ = meter.file(part).map(|peak| peak.write_all_at(reset, 0));
        }
        meter.events = meter.read_events();
        meter
    }

    fn file(&self, wanted: Part) -> Option<&File> {
        self.files.iter().find(|(part, _)| *part == wanted).map(|(_, file)| file)
    }

    /// The folder that the run is to be born into.
    pub(in crate::sandbox) fn place(&self) -> Option<RawFd> {
        self.file(Part::Place).map(AsRawFd::as_raw_fd)
    }

    /// Whether the number of processes is limited.
    pub(in crate::sandbox) fn limits_tasks(&self) -> bool {
        self.file(Part::Tasks).is_some()
    }

    /// Kills all of the run; false where the group cannot.
    pub(in crate::sandbox) fn kill(&self) -> bool {
        let killed = self.file(Part::Kill).is_some_and(|kill| kill.write_all_at(b"1", 0).is_ok());
        self.killed.set(self.killed.get() || killed);
        killed
    }

    fn own_time(&self) -> Duration {
        let inside = self.file(Part::OldTime).is_some();
        inside.then(|| sys::cpu_clock(0)).flatten().unwrap_or_default()
    }

    fn read_time(&self) -> Option<Time> {
        if let Some(file) = self.file(Part::Time) {
            let text = read(file);
            let micros = |name| value(&text, name).map(Duration::from_micros);
            return Some(Time { all: micros("usage_usec")?, system: micros("system_usec") });
        }
        let nanos = self.file(Part::OldTime).and_then(number_in)?;
        Some(Time { all: Duration::from_nanos(nanos), system: None })
    }

    /// CPU time of the whole run so far.
    pub(in crate::sandbox) fn time(&self) -> Option<Time> {
        // The own clock first: reading it brings the group up to date.
        let own = self.own_time().saturating_sub(self.own);
        let now = self.read_time()?;
        let all = now.all.saturating_sub(self.time.all).saturating_sub(own);
        let system = now.system.zip(self.time.system);
        Some(Time { all, system: system.map(|(now, then)| now.saturating_sub(then).min(all)) })
    }

    /// Where [`Self::time`] comes from.
    fn source(&self) -> Option<CpuSource> {
        let new = self.file(Part::Time).map(|_| CpuSource::Cgroup2);
        new.or_else(|| self.file(Part::OldTime).map(|_| CpuSource::Cgroup1))
    }

    /// Memory that the run uses now; not what is cached of files, and not its own files in memory.
    pub(in crate::sandbox) fn memory(&self, limit: u64) -> Option<u64> {
        let now = self.file(Part::Usage).and_then(number_in)?;
        if now.saturating_sub(self.usage) <= limit {
            return Some(now.saturating_sub(self.usage));
        }
        let text = read(self.file(Part::Details)?);
        let cached = value(&text, "file").or_else(|| value(&text, "cache")).unwrap_or(0);
        let shared = value(&text, "shmem").unwrap_or(0);
        let runner = if self.file(Part::OldPeak).is_some() { RUNNER } else { 0 };
        let aside = cached.saturating_sub(shared) + self.work.in_memory() + runner;
        Some(now.saturating_sub(aside))
    }

    /// Peak of memory after everything has ended. What is in the group still is cached, or the
    /// runner's, and was so at the peak. None when the group was emptied of an earlier run's
    /// leftovers meanwhile: nobody knows how far at the peak.
    fn peak(&self) -> Option<(u64, MemoryMetric)> {
        let left = self.file(Part::Usage).and_then(number_in)?;
        if self.usage > left + UNSTEADY {
            return None;
        }
        let of = |part| self.file(part).and_then(number_in).map(|peak| peak.saturating_sub(left));
        let new = of(Part::Peak).map(|peak| (peak, MemoryMetric::Cgroup2));
        new.or_else(|| of(Part::OldPeak).map(|peak| (peak, MemoryMetric::Cgroup1)))
    }

    fn read_events(&self) -> u64 {
        self.file(Part::Events).and_then(|file| value(&read(file), "oom_kill")).unwrap_or(0)
    }

    /// Whether the system has killed something of the run because memory ran out.
    pub(in crate::sandbox) fn ran_out(&self) -> bool {
        self.read_events() > self.events
    }
}

impl Meter<'_> {
    /// Puts what the group says in the place of what was seen otherwise, after everything has
    /// ended.
    pub(in crate::sandbox) fn correct(&self, answer: &mut Answer, limit: u64) {
        if let Some((time, source)) = self.time().zip(self.source()) {
            let system = time.system.unwrap_or(answer.cpu_system).min(time.all);
            answer.cpu_system = system;
            answer.cpu_user = time.all.saturating_sub(system);
            answer.cpu_source = source;
        }
        if let Some((peak, metric)) = self.peak() {
            answer.memory_peak = peak;
            answer.memory_metric = metric;
        }
        answer.spent = self.killed.get();
        if self.ran_out() {
            answer.memory_peak = answer.memory_peak.max(limit);
            if !matches!(answer.ended, Ended::Over(_)) {
                answer.ended = Ended::Over(Limit::Memory);
            }
        }
    }
}

fn read(file: &File) -> String {
    let mut block = [0; 4096];
    let read = file.read_at(&mut block, 0).unwrap_or(0);
    String::from_utf8_lossy(&block[..read]).into_owned()
}

/// The number behind a name.
fn value(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_whole_names() {
        let text = "oom 1\noom_kill 2\noom_group_kill 3\n";
        assert_eq!(value(text, "oom_kill"), Some(2));
        assert_eq!(value(text, "oom"), Some(1));
        assert_eq!(value(text, "kill"), None);
        assert_eq!(value("", "oom"), None);
    }
}
