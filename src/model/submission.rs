use std::path::PathBuf;

use super::{Promise, Verdict};

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
    pub promised: Option<Promise>,
}

/// The name of the built-in solvers among the submissions.
pub const CORE: &str = "core";

impl Submission {
    /// The built-in solver of a problem.
    #[must_use]
    pub fn core(problem: usize) -> Self {
        Self { name: CORE.into(), problem, path: None, language: String::new(), promised: None }
    }

    /// Whether a single case of this test group may end in this verdict. Who promises nothing is
    /// expected to be accepted.
    #[must_use]
    pub fn permits(&self, group: &str, verdict: Verdict) -> bool {
        match &self.promised {
            None => verdict == Verdict::Accepted,
            Some(promise) => promise.permits(group, verdict),
        }
    }

    /// What a case of this test group may get, with `|` between the verdicts; empty when nothing
    /// is promised.
    #[must_use]
    pub fn permitted_in(&self, group: &str) -> String {
        let promise = self.promised.as_ref();
        joined(&promise.map(|promise| promise.permitted_in(group)).unwrap_or_default())
    }

    /// The promise as it stands in a table: `WA|TLE`, with `!` behind what is required by sets and
    /// the promises of test groups behind their names, `AC secret:WA!`; empty when nothing is
    /// promised.
    #[must_use]
    pub fn promise(&self) -> String {
        let sets = match &self.promised {
            None => return String::new(),
            Some(Promise::First(verdicts)) => return joined(verdicts),
            Some(Promise::Sets(sets)) => sets,
        };
        let mark = |verdict: &Verdict| {
            let required = if sets.required.contains(verdict) { "!" } else { "" };
            format!("{}{required}", verdict.code())
        };
        let named = if sets.permitted.is_empty() { &sets.required } else { &sets.permitted };
        let general = named.iter().map(mark).collect::<Vec<_>>().join("|");
        let group = |(name, verdicts): &(String, Vec<Verdict>)| {
            format!(
                "{name}:{}",
                verdicts.iter().map(|v| format!("{}!", v.code())).collect::<Vec<_>>().join("|")
            )
        };
        let parts = [general].into_iter().chain(sets.groups.iter().map(group));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// `WA|TLE`.
fn joined(verdicts: &[Verdict]) -> String {
    verdicts.iter().map(|verdict| verdict.code()).collect::<Vec<_>>().join("|")
}
