//! The 95 % range of a ratio of times: all ratios of a head run and a base run in order, without
//! as many of the smallest and greatest ones as the rank test allows (Hodges, Lehmann, "Estimates
//! of location based on rank tests", 1963, on the logarithms). It needs no random numbers, and
//! lies on one side of 1 when the rank test, two-sided, sees a difference.

use super::rank::pairs_below;

/// The chance that the true ratio is below the range; as great a one that it is above.
const OUTSIDE: f64 = 0.025;

/// The range; none when there are too few numbers for one.
#[must_use]
pub fn ratio_range(base: &[u64], head: &[u64]) -> Option<(f64, f64)> {
    let below = pairs_below(base.len(), head.len(), OUTSIDE);
    if below == 0 {
        return None;
    }
    let ratios = Ratios::of(base, head);
    let pairs = base.len() as u64 * head.len() as u64;
    Some((ratios.smallest(below), ratios.smallest(pairs + 1 - below)))
}

/// The ratios of all pairs, which are never written down: ten thousand runs have 10^8.
struct Ratios {
    base: Vec<f64>,
    head: Vec<f64>,
}

impl Ratios {
    /// A time of zero counts as one nanosecond.
    fn of(base: &[u64], head: &[u64]) -> Self {
        let sorted = |times: &[u64]| {
            let mut times: Vec<f64> = times.iter().map(|&time| time.max(1) as f64).collect();
            times.sort_by(f64::total_cmp);
            times
        };
        Self { base: sorted(base), head: sorted(head) }
    }

    /// How many are at most `ratio`.
    fn up_to(&self, ratio: f64) -> u64 {
        let mut heads = 0;
        let of_base = |base: &f64| {
            while self.head.get(heads).is_some_and(|head| *head <= ratio * base) {
                heads += 1;
            }
            heads as u64
        };
        self.base.iter().map(of_base).sum()
    }

    /// The one with this number in their order, from 1, to the last digits.
    fn smallest(&self, number: u64) -> f64 {
        let (base, head) = (self.base.as_slice(), self.head.as_slice());
        let ([short, ..], [.., long]) = (base, base) else { return 1.0 };
        let ([low, ..], [.., high]) = (head, head) else { return 1.0 };
        let (mut below, mut at) = (low / long * 0.5, high / short * 1.000_001);
        for _ in 0..200 {
            let middle = f64::midpoint(below, at);
            if middle <= below || middle >= at {
                break;
            }
            if self.up_to(middle) >= number { at = middle } else { below = middle }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn of_five_runs_all_but_the_two_outer_ratios_on_each_side_are_in_the_range() {
        let (base, head) = ([100, 101, 103, 107, 110], [200, 203, 207, 211, 220]);
        let mut ratios: Vec<f64> =
            base.iter().flat_map(|b| head.map(|h| h as f64 / *b as f64)).collect();
        ratios.sort_by(f64::total_cmp);
        let (low, high) = ratio_range(&base, &head).unwrap();
        assert!((low - ratios[2]).abs() < 1e-12 && (high - ratios[22]).abs() < 1e-12);
        assert_eq!(ratio_range(&base[..3], &head[..3]), None);
        assert_eq!(ratio_range(&[], &head), None);
        assert!(ratio_range(&[0; 5], &[0; 5]).is_some());
    }

    #[test]
    fn the_range_holds_the_true_ratio_as_often_as_it_says() {
        let mut random = Random::new(11);
        let mut held = 0;
        for _ in 0..2000 {
            let mut draw = |scale: u64| -> Vec<u64> {
                (0..10).map(|_| scale * (1000 + random.below(400) + random.below(400))).collect()
            };
            let (low, high) = ratio_range(&draw(1000), &draw(1300)).unwrap();
            held += usize::from((low..=high).contains(&1.3));
        }
        assert!((1880..=1960).contains(&held), "{held} of 2000");
    }

    #[test]
    fn twice_the_times_are_twice_the_range_and_the_other_way_round_it_is_turned() {
        let mut random = Random::new(12);
        for _ in 0..200 {
            let mut draw = |most| -> Vec<u64> {
                (0..random.between(4, 30)).map(|_| 1_000_000 + random.below(most)).collect()
            };
            let (base, head) = (draw(500_000), draw(900_000));
            let (low, high) = ratio_range(&base, &head).unwrap();
            let twice: Vec<u64> = head.iter().map(|time| 2 * time).collect();
            let (low_twice, high_twice) = ratio_range(&base, &twice).unwrap();
            let turned = ratio_range(&head, &base).unwrap();
            let same = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
            same(low_twice, 2.0 * low);
            same(high_twice, 2.0 * high);
            same(turned.0, 1.0 / high);
            same(turned.1, 1.0 / low);
        }
    }
}
