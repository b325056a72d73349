//! When a case is slower or faster: neither a ratio nor a chance decides alone.

use super::range::ratio_range;
use super::rank::p_above;
use crate::model::{Change, Weighed};

/// Slower is more than this ratio of the medians; faster is less than its inverse.
pub const RATIO: f64 = 1.10;

/// And more than this many nanoseconds apart.
pub const DIFFERENCE: u64 = 2_000_000;

/// And with less than this chance that it happens without a reason.
pub const CHANCE: f64 = 0.01;

/// And seen in at least this many runs on both sides.
pub const RUNS: usize = 5;

/// Below this median on both sides, in nanoseconds, a case is not compared alone.
pub const SMALL: u64 = 2_000_000;

/// Compares two sets of times; none when one is empty.
#[must_use]
pub fn weigh(base: &[u64], head: &[u64]) -> Option<Weighed> {
    let (base_cpu_ns, head_cpu_ns) = (median(base)?, median(head)?);
    let ratio = rounded(head_cpu_ns.max(1) as f64 / base_cpu_ns.max(1) as f64);
    let p = if ratio >= 1.0 { p_above(base, head) } else { p_above(head, base) };
    Some(Weighed {
        base_cpu_ns,
        head_cpu_ns,
        ratio,
        range: ratio_range(base, head).map(|(low, high)| (rounded(low), rounded(high))),
        p,
        base_runs: base.len(),
        head_runs: head.len(),
    })
}

/// To six decimals, as reports tell it: what is decided can be checked there.
fn rounded(ratio: f64) -> f64 {
    (ratio * 1e6).round() / 1e6
}

/// What the rule says of one case.
#[must_use]
pub fn change(weighed: &Weighed) -> Change {
    if weighed.base_cpu_ns.max(weighed.head_cpu_ns) < SMALL {
        Change::Small
    } else {
        change_of_any(weighed)
    }
}

/// What the rule says, however small the times are.
pub(super) fn change_of_any(weighed: &Weighed) -> Change {
    let far = weighed.base_cpu_ns.abs_diff(weighed.head_cpu_ns) > DIFFERENCE;
    let (up, down) = (weighed.ratio > RATIO, weighed.ratio < 1.0 / RATIO);
    if !far || !(up || down) {
        Change::Same
    } else if weighed.base_runs.min(weighed.head_runs) < RUNS {
        Change::Unclear
    } else if weighed.p >= CHANCE {
        Change::Same
    } else if up {
        Change::Slower
    } else {
        Change::Faster
    }
}

/// The middle of some times, or the mean of the two middle ones; none when there are none.
#[must_use]
pub fn median(times: &[u64]) -> Option<u64> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    Some(u64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const MS: u64 = 1_000_000;

    fn judged(base: &[u64], head: &[u64]) -> Change {
        change(&weigh(base, head).unwrap())
    }

    /// Five times around a median, none of them equal.
    fn around(ms: u64) -> [u64; 5] {
        [0, 1, 2, 3, 4].map(|step| ms * MS - 20_000 + 10_000 * step + ms % 7)
    }

    #[test]
    fn all_four_conditions_must_hold() {
        assert_eq!(judged(&around(20), &around(23)), Change::Slower);
        assert_eq!(judged(&around(23), &around(20)), Change::Faster);
        assert_eq!(judged(&around(20), &around(21)), Change::Same, "a ratio of 1.05");
        assert_eq!(judged(&around(200), &around(220)), Change::Same, "a ratio of just 1.10");
        assert_eq!(judged(&around(4), &around(5)), Change::Same, "one millisecond");
        assert_eq!(judged(&around(20)[..4], &around(23)), Change::Unclear, "four runs");
        let scattered = [10, 19, 23, 24, 40].map(|ms| ms * MS);
        assert_eq!(judged(&around(20), &scattered), Change::Same, "the rank test says no");
        assert_eq!(judged(&[MS; 5], &[MS * 19 / 10; 5]), Change::Small);
        assert_eq!(judged(&[MS; 5], &[MS * 4; 5]), Change::Slower, "small in one only");
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median(&[4, 1, 3, 2]), Some(2));
        assert_eq!(median(&[u64::MAX, u64::MAX]), Some(u64::MAX));
    }

    #[test]
    fn equal_distributions_are_almost_never_told_apart_and_the_rule_is_even() {
        let mut random = Random::new(3);
        let mut alarms = 0;
        for _ in 0..2000 {
            let mut draw = || -> Vec<u64> {
                let one = |random: &mut Random| 20 * MS + random.below(5 * MS) + random.below(9);
                (0..10).map(|_| one(&mut random)).collect()
            };
            let (base, head) = (draw(), draw());
            let turned = match judged(&head, &base) {
                Change::Slower => Change::Faster,
                Change::Faster => Change::Slower,
                other => other,
            };
            assert_eq!(judged(&base, &head), turned);
            alarms += usize::from(judged(&base, &head) != Change::Same);
        }
        assert!(alarms <= 20, "{alarms} of 2000");
    }
}
