//! Pictures of a solved grid: a text for the terminal and an SVG file. Uses the same analysis as
//! the answer, so a picture never tells another story than the solver.
//!
//! A new picture is one file and one line in [`ALL`].

use std::io::Read;

use crate::solvers::SolveError;

mod ali_baba;
mod jsoi_game;
mod svg;

/// Every picture, one for each solver.
pub const ALL: &[&dyn Explainer] = &[&ali_baba::AliBabaPicture, &jsoi_game::JsoiGamePicture];

/// The picture for the solver with this name.
#[must_use]
pub fn find(solver: &str) -> Option<&'static dyn Explainer> {
    ALL.iter().copied().find(|explainer| explainer.solver() == solver)
}

/// Boards above this many rows or columns are not drawn as text: only their counts are told.
pub const MAX_TEXT_SIDE: usize = 40;

/// Draws the boards of one input.
pub trait Explainer: Sync {
    /// The name of the solver whose analysis it draws.
    fn solver(&self) -> &'static str;

    /// The picture and the reasoning of every case as text, each line ended by a newline.
    ///
    /// # Errors
    /// [`SolveError`] as the solver would give it.
    fn text(&self, input: &mut dyn Read) -> Result<String, SolveError>;

    /// The same picture as one SVG document; all cases below one another.
    ///
    /// # Errors
    /// [`SolveError`] as the solver would give it.
    fn svg(&self, input: &mut dyn Read) -> Result<String, SolveError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_has_exactly_one_picture() {
        let solvers: Vec<_> = crate::solvers::ALL.iter().map(|solver| solver.name()).collect();
        let pictures: Vec<_> = ALL.iter().map(|explainer| explainer.solver()).collect();
        assert_eq!(solvers, pictures);
    }
}
