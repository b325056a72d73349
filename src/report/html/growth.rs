//! How times grow with the size of the input: a power law fitted by least squares of logarithms.

/// A fitted power law `time = c * size^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Growth {
    /// The power of the size.
    pub(super) exponent: f64,
    /// The logarithm of the time at size 1.
    pub(super) offset: f64,
    /// How much of the spread of the times it explains, 0 to 1.
    pub(super) explained: f64,
    /// Runs that were long enough to tell something.
    pub(super) points: usize,
}

/// Shorter times are those of starting a program.
const SHORTEST: f64 = 0.002;

/// Points, and factors between the least and the greatest size and time, from which growth shows.
const POINTS: usize = 5;
const SIZES: f64 = 8.0;
const TIMES: f64 = 3.0;

/// A fit that explains less is none.
const EXPLAINED: f64 = 0.8;

impl Growth {
    /// The law of these sizes in bytes and times in seconds, if they show one. Times that are not
    /// well above the least one hold the start of the program and are left out.
    pub(super) fn of(points: &[(f64, f64)]) -> Option<Self> {
        let least = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let floor = SHORTEST.max(least * 1.5);
        let long: Vec<(f64, f64)> = points
            .iter()
            .filter(|(size, time)| *size >= 1.0 && *time >= floor)
            .map(|(size, time)| (size.ln(), time.ln()))
            .collect();
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let values = || long.iter().map(of);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        if long.len() < POINTS || spread(|p| p.0) < SIZES.ln() || spread(|p| p.1) < TIMES.ln() {
            return None;
        }
        Some(Self::fit(&long)).filter(|growth| growth.explained >= EXPLAINED)
    }

    /// Least squares of these logarithms.
    fn fit(points: &[(f64, f64)]) -> Self {
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
            explained: xy * xy / (xx * yy),
            points: points.len(),
        }
    }

    /// The time in seconds at a size in bytes.
    pub(super) fn at(&self, size: f64) -> f64 {
        (self.offset + self.exponent * size.ln()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(exponent: f64) -> Vec<(f64, f64)> {
        (0..8)
            .map(|step| 10.0_f64.powf(2.0 + f64::from(step) / 2.0))
            .map(|n| (n, 1e-4 * (n / 1e2).powf(exponent)))
            .collect()
    }

    #[test]
    fn a_power_law_is_found() {
        for exponent in [1.0, 1.5, 2.0] {
            let growth = Growth::of(&law(exponent)).unwrap();
            assert!((growth.exponent - exponent).abs() < 1e-9, "{growth:?}");
            assert!(growth.explained > 0.999);
            assert!((growth.at(1e4) / (1e-4 * 100.0_f64.powf(exponent)) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn few_points_equal_sizes_and_scattered_times_show_no_law() {
        assert_eq!(Growth::of(&law(1.0)[..3]), None);
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
