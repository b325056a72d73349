//! The words of a checker program: bytes as escaped literals.

use serde::{Deserialize, Serialize};

use super::literal::{bytes, literal};
use crate::model::Remarks;

/// What a checker program said.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordRemarks {
    #[serde(skip_serializing_if = "Option::is_none")]
    jury: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    /// Bytes in the answer and in the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<(u64, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

impl RecordRemarks {
    pub(super) fn new(remarks: &Remarks) -> Self {
        let words = |words: &[u8]| (!words.is_empty()).then(|| literal(words));
        Self {
            jury: words(&remarks.message),
            team: words(&remarks.team),
            position: remarks.position,
            warning: remarks.warning.clone(),
        }
    }

    /// The words that it tells of, and the files beside them.
    pub(super) fn remarks(self, files: Vec<String>) -> Result<Remarks, &'static str> {
        let words = |text: Option<String>| {
            text.map_or(Ok(Vec::new()), |text| bytes(&text).ok_or("remarks"))
        };
        Ok(Remarks {
            message: words(self.jury)?,
            team: words(self.team)?,
            position: self.position,
            warning: self.warning,
            files,
        })
    }
}
