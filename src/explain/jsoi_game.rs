//! Placeholder.

use std::io::Read;

use super::Explainer;
use crate::solvers::SolveError;

/// The picture.
pub(super) struct JsoiGamePicture;

impl Explainer for JsoiGamePicture {
    fn solver(&self) -> &'static str {
        "jsoi-game"
    }

    fn text(&self, _input: &mut dyn Read) -> Result<String, SolveError> {
        Ok(String::new())
    }

    fn svg(&self, _input: &mut dyn Read) -> Result<String, SolveError> {
        Ok(String::new())
    }
}
