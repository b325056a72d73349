//! A fixed piece of work, so that reports tell how fast their machine was.

use std::hint::black_box;
use std::time::Duration;

use super::Stopwatch;

/// How often it is done; the median counts.
const TRIES: usize = 9;

/// Words of the table: 1 MiB, more than the nearest caches hold.
const WORDS: usize = 1 << 17;

/// Steps of one try.
const STEPS: usize = 400_000;

/// The median CPU time of integer work and of steps through memory that cannot be foreseen; a few
/// milliseconds, and ten times as long in all.
#[must_use]
pub fn calibrate() -> Duration {
    let mut table: Vec<u64> = (0..WORDS as u64).collect();
    let mut times = [Duration::ZERO; TRIES];
    for time in &mut times {
        let stopwatch = Stopwatch::start();
        black_box(work(&mut table));
        *time = stopwatch.read().0;
    }
    times.sort_unstable();
    times[TRIES / 2]
}

/// Each step depends on the one before it.
fn work(table: &mut [u64]) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..STEPS {
        let place = (state >> 47) as usize % table.len().max(1);
        let found = table[place];
        state = (state ^ found).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23);
        table[place] = found.wrapping_add(state >> 60);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_always_the_same() {
        let table = || (0..1000_u64).collect::<Vec<_>>();
        let (mut first, mut second) = (table(), table());
        assert_eq!(work(&mut first), work(&mut second));
        assert_eq!(first, second);
        assert_ne!(first, table());
        assert!(calibrate() > Duration::ZERO);
    }
}
