use std::path::PathBuf;

use super::Verdict;

/// A program that answers one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// What people call it; unique within its problem.
    pub name: String,
    /// The position of its problem in [`super::Plan::problems`].
    pub problem: usize,
    /// Where it is; none for the built-in solver.
    pub path: Option<PathBuf>,
    /// The language it is written in, as far as known; empty for the built-in solver.
    pub language: String,
    /// What it promises to get; none promises nothing and is expected to be accepted.
    pub promised: Option<Vec<Verdict>>,
}

/// The name of the built-in solvers among the submissions.
pub const CORE: &str = "core";

impl Submission {
    /// The built-in solver of a problem.
    #[must_use]
    pub fn core(problem: usize) -> Self {
        Self { name: CORE.into(), problem, path: None, language: String::new(), promised: None }
    }

    /// Whether the whole submission may end in this verdict. A presentation error is a wrong answer
    /// that a checker program has told apart.
    #[must_use]
    pub fn may_get(&self, verdict: Verdict) -> bool {
        match &self.promised {
            None => verdict == Verdict::Accepted,
            Some(promised) => {
                let wrong_form = verdict == Verdict::PresentationError;
                promised.contains(&verdict)
                    || wrong_form && promised.contains(&Verdict::WrongAnswer)
            }
        }
    }

    /// Whether a single case may end in this verdict: right answers are always allowed.
    #[must_use]
    pub fn may_get_once(&self, verdict: Verdict) -> bool {
        verdict == Verdict::Accepted || self.may_get(verdict)
    }

    /// The promised verdicts with `|` between them; empty when nothing is promised.
    #[must_use]
    pub fn promise(&self) -> String {
        let promised = self.promised.as_deref().unwrap_or_default();
        promised.iter().map(|verdict| verdict.code()).collect::<Vec<_>>().join("|")
    }
}
