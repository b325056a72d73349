//! Compares the CPU times of two runs: which cases are slower, which are faster, and whether the
//! runs are comparable at all. Pure: knows no files and no clock. docs/timing.md has the rule and
//! how it was proved.

mod compare;
mod range;
mod rank;
mod reasons;
mod rule;
mod timed;
mod watch;

pub use compare::Base;
pub use range::ratio_range;
pub use rank::p_above;
pub use reasons::CALIBRATION;
pub use rule::{CHANCE, DIFFERENCE, RATIO, RUNS, SMALL, change, median, weigh};
pub use timed::{Source, Timed};
pub use watch::{Baseline, Watch};

#[cfg(test)]
mod tests;
