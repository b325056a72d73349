//! Numbers in tokens: which texts are numbers for which judge, and their values as that judge has
//! them, as a double or as an extended double of 64 bits.
//!
//! Nothing here rounds twice: texts of few digits are exact by one operation, all others go through
//! the parser of the standard library or through whole numbers of any size.

mod big;
mod extended;
mod integer;
mod literal;

/// The value of digits with a point and a sign at most, when it is exact by one division: a number
/// in every syntax. None for all else, also for numbers that are only longer.
pub(super) use crate::simd::decimals::exact as quick;
pub(super) use extended::Extended;
pub(super) use integer::{Integer, integer};
pub(super) use literal::{Literal, Syntax, scan};

#[cfg(test)]
mod tests;
