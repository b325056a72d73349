//! What an interactor said of a solution, and the transcript of their talk.

use std::path::Path;

use super::keep;
use crate::model::{CaseResult, Execution, Judgement, Kept, TestCase};

/// Keeps the transcript, and takes what the interactor said, where it stands.
pub(super) fn take(
    case: &TestCase,
    execution: &mut Execution,
    folder: Option<&Path>,
    result: &mut CaseResult,
) -> Option<Judgement> {
    let talk = execution.talk.as_mut()?;
    if let Some((text, folder)) = talk.transcript.take().zip(folder) {
        match keep::transcript(folder, case, &text) {
            Ok(path) => result.kept = Some(Kept { path, cut: false }),
            Err(error) => {
                let hint = format!("the transcript is not kept: {}: {error}", folder.display());
                result.hint = Some(hint);
            }
        }
    }
    let bytes = case.answer.as_ref().and_then(|answer| answer.metadata().ok());
    let said = talk.said.take()?;
    result.settled = talk.first;
    Some(Judgement { expected_bytes: bytes.map_or(0, |data| data.len()), ..said })
}
