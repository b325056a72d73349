//! What an interactor said of a solution, and the transcript of their talk.

use std::path::Path;

use super::keep;
use crate::model::{CaseResult, Execution, Judgement, Kept, TestCase};

/// Keeps the transcript; why it is not kept, if it is not.
pub(super) fn keep_transcript(
    case: &TestCase,
    execution: &mut Execution,
    folder: Option<&Path>,
    result: &mut CaseResult,
) -> Option<String> {
    let text = execution.talk.as_mut()?.transcript.take()?;
    let folder = folder?;
    match keep::transcript(folder, case, &text) {
        Ok(path) => {
            result.kept = Some(Kept { path, cut: false });
            None
        }
        Err(error) => Some(format!("the transcript is not kept: {}: {error}", folder.display())),
    }
}

/// Takes what the interactor said, where it stands.
pub(super) fn take(execution: &mut Execution, result: &mut CaseResult) -> Option<Judgement> {
    let talk = execution.talk.as_mut()?;
    let said = talk.said.take()?;
    result.settled = talk.first;
    Some(said)
}
