//! Pictures for reports: the solved board of a case, where it is small.

use std::fs::File;
use std::io::Read as _;

use crate::explain;
use crate::model::{Problem, TestCase};

/// Bytes of an input that is drawn; the solver answers it in no time.
const MOST_BYTES: u64 = 64 << 10;

/// The solved board as SVG; none when there is no picture of the problem, or the input is large
/// or wrong.
pub(super) fn picture(problem: &Problem, case: &TestCase) -> Option<String> {
    let explainer = explain::find(&problem.solver)?;
    let mut input = Vec::new();
    let file = File::open(&case.input)
        .ok()
        .filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut input).ok()?;
    if input.len() as u64 > MOST_BYTES {
        return None;
    }
    explainer.svg(&mut input.as_slice()).ok()
}
