//! How much others on this machine, and beside it, take of its processors.

use std::fs;
use std::time::{Duration, Instant};

use crate::model::Noise;

/// Measures from its start on.
#[derive(Debug)]
pub struct NoiseMeter {
    started: Instant,
    stolen: Option<(u64, u64)>,
    waited: Option<Duration>,
}

impl NoiseMeter {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            started: Instant::now(),
            stolen: stolen(&read("/proc/stat")),
            waited: waited(&read("/proc/pressure/cpu")),
        }
    }

    /// The shares since the start; one that the system does not tell is none.
    #[must_use]
    pub fn read(&self) -> Noise {
        let now = Self::start();
        let stolen = self.stolen.zip(now.stolen).map(|((stolen, all), (stolen_now, all_now))| {
            stolen_now.saturating_sub(stolen) as f64 / all_now.saturating_sub(all).max(1) as f64
        });
        let elapsed = now.started.duration_since(self.started).as_secs_f64().max(1e-6);
        let waited = self
            .waited
            .zip(now.waited)
            .map(|(before, now)| (now.saturating_sub(before).as_secs_f64() / elapsed).min(1.0));
        Noise { stolen, waited }
    }
}

/// Ticks that the host of a virtual machine took away, and all ticks, from `/proc/stat`.
fn stolen(stat: &str) -> Option<(u64, u64)> {
    let words = stat.lines().next()?.strip_prefix("cpu ")?.split_ascii_whitespace();
    let ticks: Vec<u64> = words.take(8).filter_map(|word| word.parse().ok()).collect();
    Some((*ticks.get(7)?, ticks.iter().sum()))
}

/// How long some process had to wait for a processor since the start of the system, from
/// `/proc/pressure/cpu`.
fn waited(pressure: &str) -> Option<Duration> {
    let line = pressure.lines().find(|line| line.starts_with("some "))?;
    let total = line.split(' ').find_map(|word| word.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_system_are_understood() {
        assert_eq!(stolen("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1\n"), Some((8, 36)));
        assert_eq!(stolen("cpu  1 2 3\n"), None);
        let text = "some avg10=0.00 avg60=1.00 avg300=2.00 total=1500\nfull avg10=0.00 total=9\n";
        assert_eq!(waited(text), Some(Duration::from_micros(1500)));
        assert_eq!(waited(""), None);
    }
}
