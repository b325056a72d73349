//! Placeholder.

use std::io::Read;

use super::Explainer;
use crate::solvers::SolveError;

/// The picture.
pub(super) struct AliBabaPicture;

impl Explainer for AliBabaPicture {
    fn solver(&self) -> &'static str {
        "ali-baba"
    }

    fn text(&self, _input: &mut dyn Read) -> Result<String, SolveError> {
        Ok(String::new())
    }

    fn svg(&self, _input: &mut dyn Read) -> Result<String, SolveError> {
        Ok(String::new())
    }
}
