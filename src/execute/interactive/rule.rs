//! Whose word stands, when a solution has talked to an interactor. No effects.

use crate::model::Verdict;

/// What one of the two came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// The verdict: what the interactor says, none when that means nothing; or what the end of the
    /// solution alone is worth, none when it ended well.
    pub(super) verdict: Option<Verdict>,
    /// Whether it was shown, before it ended, that the other one says or hears no more.
    pub(super) shown: bool,
}

/// Whose word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    Interactor,
    Solution,
}

/// An interactor that fails comes first; then more output than the solution may write; then an
/// interactor that refuses the solution without knowing of its end; then a limit that the solution
/// has gone past; then its run-time error, unless that came from seeing the end of an interactor
/// that had refused it; then the interactor.
pub(super) fn stands(solution: End, interactor: End) -> Stands {
    let Some(said) = interactor.verdict else { return Stands::Interactor };
    let accepts = accepts(said);
    match solution.verdict {
        _ if comes_first(solution, interactor) => Stands::Interactor,
        None => Stands::Interactor,
        Some(Verdict::RuntimeError) if !accepts && solution.shown => Stands::Interactor,
        Some(_) => Stands::Solution,
    }
}

/// Whether the interactor has refused the solution without knowing of its end. One that took more
/// than the solution may say has refused too late, whenever the judge has seen that it was too much.
pub(super) fn comes_first(solution: End, interactor: End) -> bool {
    let refuses = interactor.verdict.is_some_and(|said| !accepts(said));
    refuses && !interactor.shown && solution.verdict != Some(Verdict::OutputLimit)
}

/// Whether the word of an interactor is not against the solution.
pub(super) fn accepts(said: Verdict) -> bool {
    matches!(said, Verdict::Accepted | Verdict::PartlyCorrect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_precedence() {
        use {Stands as S, Verdict as V};
        let (ac, wa, pe) = (Some(V::Accepted), Some(V::WrongAnswer), Some(V::PresentationError));
        let pc = Some(V::PartlyCorrect);
        let (tle, rte, mle) = (Some(V::TimeLimit), Some(V::RuntimeError), Some(V::MemoryLimit));
        let (je, ole) = (Some(V::JudgeError), Some(V::OutputLimit));
        // The interactor and whether it was shown an end, the solution and whether it was.
        let table = [
            // A fault of the interactor comes before everything.
            (None, false, None, false, S::Interactor),
            (None, true, tle, false, S::Interactor),
            (None, true, rte, false, S::Interactor),
            // Refused by one that does not know of the solution's end.
            (wa, false, None, false, S::Interactor),
            (wa, false, tle, false, S::Interactor),
            (wa, false, rte, false, S::Interactor),
            (wa, false, rte, true, S::Interactor),
            (pe, false, mle, false, S::Interactor),
            // It took more than was allowed before it refused.
            (wa, false, ole, false, S::Solution),
            (wa, true, ole, false, S::Solution),
            (None, false, ole, false, S::Interactor),
            (wa, false, je, false, S::Interactor),
            // Refused because the solution ended or closed its output.
            (wa, true, None, false, S::Interactor),
            (wa, true, tle, false, S::Solution),
            (wa, true, mle, true, S::Solution),
            (wa, true, rte, false, S::Solution),
            (wa, true, rte, true, S::Interactor),
            // Accepted: the solution has to end well, too.
            (ac, false, None, false, S::Interactor),
            (ac, false, None, true, S::Interactor),
            (ac, true, None, false, S::Interactor),
            (ac, false, rte, false, S::Solution),
            (ac, false, rte, true, S::Solution),
            (ac, true, rte, false, S::Solution),
            (ac, false, tle, true, S::Solution),
            (pc, false, mle, false, S::Solution),
            (pc, true, None, false, S::Interactor),
        ];
        for (said, told, verdict, shown, wanted) in table {
            let interactor = End { verdict: said, shown: told };
            let got = stands(End { verdict, shown }, interactor);
            assert_eq!(got, wanted, "{interactor:?}, solution {verdict:?} {shown}");
        }
    }
}
