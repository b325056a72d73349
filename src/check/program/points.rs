//! From points to a verdict: all of them are AC, none is WA, between them PC.

use super::{Fault, Opinion};
use crate::model::{Remarks, Verdict};

/// Points this near to the full score are all of them: a sum of thirds may miss it by a rounding.
const NEAR: f64 = 1e-9;

/// The opinion behind so many of `full` points. Less than none and more than all are a fault.
pub(super) fn opinion(points: f64, full: f64, message: &[u8]) -> Result<Opinion, Fault> {
    let part = points / full;
    if !(0.0..=1.0 + NEAR).contains(&part) {
        let hint = "`full_score` in [check] says what a whole case is worth";
        return Err(Fault(format!("{points} points, expected 0 to {full}; {hint}")));
    }
    let (verdict, score) = if part >= 1.0 - NEAR {
        (Verdict::Accepted, 1.0)
    } else if points == 0.0 {
        (Verdict::WrongAnswer, 0.0)
    } else {
        (Verdict::PartlyCorrect, part)
    };
    Ok(Opinion { verdict, score, remarks: Remarks::of(message), another: false })
}

/// The same, but more points than all of them count as all, and that is told.
pub(super) fn clamped(points: f64, full: f64, message: &[u8]) -> Result<Opinion, Fault> {
    let mut opinion = opinion(points.min(full), full, message)?;
    if points > full * (1.0 + NEAR) {
        opinion.remarks.warning =
            Some(format!("the checker gave {points} of {full} points, which count as {full}"));
    }
    Ok(opinion)
}
