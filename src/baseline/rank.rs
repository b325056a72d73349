//! The rank test of Mann and Whitney: does one set of numbers stand above another? It asks only
//! which number of a pair is greater, so that a few runs that were disturbed decide nothing.
//!
//! Sources: Mann, Whitney, "On a test of whether one of two random variables is stochastically
//! larger than the other" (1947); Lehmann, "Nonparametrics" (1975), for ties.

/// Up to this many numbers on each side the distribution is counted out.
const COUNTED: usize = 50;

/// The chance that `high` stands as far above `low` as it does, or farther, if both are drawn from
/// the same distribution. 1 when one of them is empty.
///
/// ```
/// use jury::baseline::p_above;
/// let p = p_above(&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]);
/// assert!((p - 1.0 / 252.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn p_above(low: &[u64], high: &[u64]) -> f64 {
    let (n, m) = (low.len(), high.len());
    if n == 0 || m == 0 {
        return 1.0;
    }
    let pooled = Pooled::of(low, high);
    if pooled.ties == 0.0 && n.max(m) <= COUNTED {
        return tail(n, m, (pooled.twice_u / 2) as usize);
    }
    normal(n as f64, m as f64, &pooled)
}

/// The greatest `k` for which fewer than `k` pairs in the wrong order have at most this chance; 0
/// when there is none. The `k`th smallest and the `k`th greatest difference of all pairs are then
/// the ends of a range that holds the true one but for twice that chance.
pub(super) fn pairs_below(n: usize, m: usize, chance: f64) -> u64 {
    if n == 0 || m == 0 {
        return 0;
    }
    if n.max(m) <= COUNTED {
        let ways = ways(n, m);
        let all: f64 = ways.iter().map(|&ways| ways as f64).sum();
        let mut sum = 0.0;
        let below = ways.iter().take_while(|&&ways| {
            sum += ways as f64;
            sum / all <= chance
        });
        return below.count() as u64;
    }
    let (n, m) = (n as f64, m as f64);
    let spread = (n * m * (n + m + 1.0) / 12.0).sqrt();
    let below = n * m / 2.0 - quantile_above(chance) * spread;
    whole(below)
}

/// The whole part; 0 for what is negative.
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn whole(number: f64) -> u64 {
    number.max(0.0) as u64
}

/// Both sets in one order.
struct Pooled {
    /// Twice the number of pairs in which the number of `high` is the greater one; equal ones count
    /// half.
    twice_u: u64,
    /// The sum of `t^3 - t` over all groups of `t` equal numbers.
    ties: f64,
}

impl Pooled {
    fn of(low: &[u64], high: &[u64]) -> Self {
        let low = low.iter().map(|&number| (number, false));
        let mut all: Vec<(u64, bool)> =
            low.chain(high.iter().map(|&number| (number, true))).collect();
        all.sort_unstable();
        let (mut below, mut pooled) = (0, Self { twice_u: 0, ties: 0.0 });
        for group in all.chunk_by(|first, second| first.0 == second.0) {
            let highs = group.iter().filter(|(_, is_high)| *is_high).count() as u64;
            let lows = group.len() as u64 - highs;
            pooled.twice_u += highs * (2 * below + lows);
            below += lows;
            let size = group.len() as f64;
            pooled.ties += size.powi(3) - size;
        }
        pooled
    }
}

/// In how many of the orders of `n` low and `m` high numbers there are exactly so many pairs in
/// which the high one is greater: the coefficients of a Gaussian binomial, by multiplying and
/// dividing power series. All are below 2^100 for [`COUNTED`] numbers.
fn ways(n: usize, m: usize) -> Vec<i128> {
    let top = n * m;
    let mut ways = vec![0; top + 1];
    ways[0] = 1;
    for i in 1..=m {
        for u in (n + i..=top).rev() {
            ways[u] -= ways[u - n - i];
        }
        for u in i..=top {
            ways[u] += ways[u - i];
        }
    }
    ways
}

/// The chance of so many pairs, or more.
fn tail(n: usize, m: usize, pairs: usize) -> f64 {
    let ways = ways(n, m);
    let sum = |ways: &[i128]| ways.iter().map(|&ways| ways as f64).sum::<f64>();
    sum(&ways[pairs.min(n * m)..]) / sum(&ways)
}

/// The same by the normal distribution with the same mean and spread, corrected for ties and for
/// the steps of the true one.
fn normal(n: f64, m: f64, pooled: &Pooled) -> f64 {
    let all = n + m;
    let spread = n * m / 12.0 * (all + 1.0 - pooled.ties / (all * (all - 1.0)));
    if spread <= 0.0 {
        return 1.0;
    }
    let above = pooled.twice_u as f64 / 2.0 - n * m / 2.0 - 0.5;
    above_normal(above / spread.sqrt())
}

/// The chance that a number of the standard normal distribution is greater than `z`.
fn above_normal(z: f64) -> f64 {
    0.5 * erfc(z / std::f64::consts::SQRT_2)
}

/// The complementary error function, to seven digits (Press et al., "Numerical Recipes", 6.2).
fn erfc(x: f64) -> f64 {
    const SERIES: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let series = SERIES.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient);
    let tail = t * (series - x * x).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

/// The number above which the standard normal distribution has this chance.
fn quantile_above(chance: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if above_normal(middle) > chance { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, expected {expected}");
    }

    /// Published one-sided critical values of U, the number of pairs in the wrong order: the
    /// greatest one that is still significant, from the usual tables for 0.05, 0.025 and 0.01.
    #[test]
    fn the_tables_of_critical_values_are_met() {
        let table = [
            (5, 5, [4, 2, 1]),
            (5, 10, [11, 8, 6]),
            (6, 8, [10, 8, 6]),
            (8, 8, [15, 13, 9]),
            (10, 10, [27, 23, 19]),
            (12, 15, [55, 49, 42]),
            (20, 20, [138, 127, 114]),
        ];
        for (n, m, critical) in table {
            for (level, critical) in [0.05, 0.025, 0.01].into_iter().zip(critical) {
                assert_eq!(pairs_below(n, m, level), critical + 1, "{n} {m} {level}");
                let pairs = critical as usize;
                assert!(tail(n, m, n * m - pairs) <= level);
                assert!(tail(n, m, n * m - pairs - 1) > level);
            }
        }
    }

    #[test]
    fn the_counted_chances_are_those_of_the_orders() {
        near(p_above(&[1, 2, 3], &[4, 5, 6]), 1.0 / 20.0, 1e-12);
        near(p_above(&[1, 2, 4], &[3, 5, 6]), 2.0 / 20.0, 1e-12);
        near(p_above(&[4, 5, 6], &[1, 2, 3]), 1.0, 1e-12);
        let (low, high): (Vec<u64>, Vec<u64>) = ((0..10).collect(), (10..20).collect());
        near(p_above(&low, &high), 1.0 / 184_756.0, 1e-15);
        assert_eq!(ways(2, 2), [1, 1, 2, 1, 1]);
        assert_eq!(ways(50, 50).iter().sum::<i128>(), 100_891_344_545_564_193_334_812_497_256);
    }

    /// The permeability of the placenta (Hollander, Wolfe, "Nonparametric Statistical Methods",
    /// example 4.1): U is 35, the chance 0.1272 one-sided.
    #[test]
    fn the_example_of_hollander_and_wolfe_is_met() {
        let term = [80, 83, 189, 104, 145, 138, 191, 164, 73, 146];
        let early = [115, 88, 90, 74, 121];
        near(p_above(&early, &term), 0.1272, 5e-5);
    }

    #[test]
    fn ties_make_the_spread_smaller() {
        // By hand: 31.5 of 36 pairs; three groups of two, one of four; mean 18, less half a step.
        let (low, high) = ([1, 2, 2, 3, 4, 4], [3, 4, 4, 5, 6, 6]);
        let pooled = Pooled::of(&low, &high);
        assert_eq!((pooled.twice_u, pooled.ties), (63, 78.0));
        let z = 13.0 / (3.0_f64 * (13.0 - 78.0 / 132.0)).sqrt();
        near(p_above(&low, &high), above_normal(z), 1e-12);
        near(p_above(&[7; 9], &[7; 9]), 1.0, 0.0);
    }

    #[test]
    fn the_normal_distribution_has_its_known_quantiles() {
        for (z, chance) in [(0.0, 0.5), (1.644_854, 0.05), (1.959_964, 0.025), (2.326_348, 0.01)] {
            near(above_normal(z), chance, 3e-7);
            near(above_normal(-z), 1.0 - chance, 3e-7);
            near(quantile_above(chance), z, 1e-5);
        }
    }

    #[test]
    fn counting_and_the_normal_distribution_agree_for_many_runs() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let draw = |random: &mut Random| -> Vec<u64> {
                (0..40).map(|_| random.next_u64() >> 8).collect()
            };
            let (low, high) = (draw(&mut random), draw(&mut random));
            let pooled = Pooled::of(&low, &high);
            near(p_above(&low, &high), normal(40.0, 40.0, &pooled), 2e-3);
        }
    }

    #[test]
    fn the_chance_depends_on_the_order_only_and_both_sides_add_up() {
        let mut random = Random::new(6);
        for _ in 0..500 {
            let (n, m) = (random.between(1, 12) as usize, random.between(1, 12) as usize);
            let draw = |random: &mut Random, many: usize| -> Vec<u64> {
                (0..many).map(|_| random.below(1 << 40)).collect()
            };
            let (low, high) = (draw(&mut random, n), draw(&mut random, m));
            let p = p_above(&low, &high);
            assert!((0.0..=1.0).contains(&p));
            let grown = |numbers: &[u64]| numbers.iter().map(|one| 3 * one + 7).collect::<Vec<_>>();
            near(p_above(&grown(&low), &grown(&high)), p, 0.0);
            let raised: Vec<u64> = high.iter().map(|one| one + (1 << 30)).collect();
            assert!(p_above(&low, &raised) <= p);
            assert!(p + p_above(&high, &low) >= 1.0 - 1e-9, "the order that is there counts twice");
        }
    }
}
