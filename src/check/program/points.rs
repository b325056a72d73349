//! From points to a verdict: all of them are AC, none is WA, between them PC.

use super::{Fault, Opinion};
use crate::model::{Remarks, Verdict};

/// Points this near to the full score are all of them: a sum of thirds may miss it by a rounding.
const NEAR: f64 = 1e-9;

/// The opinion behind so many of `full` points. More than all of them count as all, and that is
/// told; less than none is a fault.
pub(super) fn opinion(points: f64, full: f64, message: &[u8]) -> Result<Opinion, Fault> {
    if !points.is_finite() || points < 0.0 {
        return Err(Fault(format!("{points} points, expected 0 to {full}")));
    }
    let part = points / full;
    let mut remarks = Remarks::of(message);
    if part > 1.0 + NEAR {
        remarks.warning = Some(format!(
            "the checker gave {points} of {full} points; `full_score` in [check] says what a whole \
             case is worth"
        ));
    }
    let (verdict, score) = if part >= 1.0 - NEAR {
        (Verdict::Accepted, 1.0)
    } else if points == 0.0 {
        (Verdict::WrongAnswer, 0.0)
    } else {
        (Verdict::PartlyCorrect, part)
    };
    Ok(Opinion { verdict, score, remarks })
}
