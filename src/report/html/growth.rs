//! How times grow with the size of the input: a power law above the time of starting, fitted by
//! least squares of logarithms.

/// A fitted law `time = start + c * size^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Growth {
    /// The power of the size.
    pub(super) exponent: f64,
    /// The logarithm of the growing part at size 1.
    offset: f64,
    /// The least time of all: what even the smallest inputs take.
    start: f64,
    /// The least size that took much longer than that.
    pub(super) from: f64,
    /// How much of the spread of the times the law explains, 0 to 1.
    pub(super) explained: f64,
    /// Runs that were long enough to tell something.
    pub(super) points: usize,
}

/// A growing part that is shorter tells nothing.
const SHORTEST: f64 = 1e-4;

/// Points, and factors between the least and the greatest size and time, from which growth shows.
const POINTS: usize = 5;
const SIZES: f64 = 4.0;
const TIMES: f64 = 4.0;

/// A fit that explains less is none.
const EXPLAINED: f64 = 0.8;

impl Growth {
    /// The law of these sizes in bytes and times in seconds, if they show one: fitted to the runs
    /// that took at least twice as long as the shortest one.
    pub(super) fn of(points: &[(f64, f64)]) -> Option<Self> {
        let start = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let grown = |&(size, time): &(f64, f64)| {
            let part = time - start;
            (size >= 1.0 && part >= start.max(SHORTEST)).then(|| (size.ln(), part.ln()))
        };
        let long: Vec<(f64, f64)> = points.iter().filter_map(grown).collect();
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let values = || long.iter().map(of);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        if long.len() < POINTS || spread(|p| p.0) < SIZES.ln() || spread(|p| p.1) < TIMES.ln() {
            return None;
        }
        Some(Self::fit(&long, start)).filter(|growth| growth.explained >= EXPLAINED)
    }

    /// Least squares of these logarithms.
    fn fit(points: &[(f64, f64)], start: f64) -> Self {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            points.iter().map(|p| of(p.0 - x, p.1 - y)).sum()
        };
        let (xx, xy, yy) = (sum(&|dx, _| dx * dx), sum(&|dx, dy| dx * dy), sum(&|_, dy| dy * dy));
        let exponent = xy / xx;
        Self {
            exponent,
            offset: y - exponent * x,
            start,
            from: points.iter().map(|p| p.0).fold(f64::INFINITY, f64::min).exp(),
            explained: xy * xy / (xx * yy),
            points: points.len(),
        }
    }

    /// The time in seconds at a size in bytes.
    pub(super) fn at(&self, size: f64) -> f64 {
        self.start + (self.offset + self.exponent * size.ln()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of inputs from 100 B to 1 MB above a start of 2 ms.
    fn law(exponent: f64) -> Vec<(f64, f64)> {
        let sizes = (0..9).map(|step| 10.0_f64.powf(2.0 + f64::from(step) / 2.0));
        sizes.map(|n| (n, 2e-3 + 1e-3 * (n / 1e3).powf(exponent))).collect()
    }

    #[test]
    fn a_power_law_above_the_start_is_found() {
        for exponent in [1.0, 1.5, 2.0] {
            let growth = Growth::of(&law(exponent)).unwrap();
            assert!((growth.exponent - exponent).abs() < 0.05, "{growth:?}");
            assert!(growth.explained > 0.99);
            let wanted = 2e-3 + 1e-3 * 1e3_f64.powf(exponent);
            assert!((growth.at(1e6) / wanted - 1.0).abs() < 0.05, "{growth:?}");
            assert!(growth.from > 1e3, "{growth:?}");
        }
    }

    #[test]
    fn few_points_equal_sizes_and_scattered_times_show_no_law() {
        assert_eq!(Growth::of(&law(1.0)[..5]), None);
        let equal: Vec<_> = (1..20).map(|step| (1e3, f64::from(step) * 0.1)).collect();
        assert_eq!(Growth::of(&equal), None);
        let scattered: Vec<_> = (0..20)
            .map(|step| (f64::from(step + 1) * 100.0, if step % 2 == 0 { 0.01 } else { 1.0 }))
            .collect();
        assert_eq!(Growth::of(&scattered), None);
    }

    #[test]
    fn the_start_of_the_program_is_no_growth() {
        let flat: Vec<_> = (1..20).map(|step| (f64::from(step) * 1e3, 0.05)).collect();
        assert_eq!(Growth::of(&flat), None);
        assert_eq!(Growth::of(&[]), None);
    }
}
