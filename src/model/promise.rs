use super::Verdict;

/// What a submission promises to get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// One of these, on its first case that is not accepted or on the whole.
    First(Vec<Verdict>),
    /// Sets of verdicts over all its cases.
    Sets(Sets),
}

/// Verdicts that the cases of a submission may have, and of which one must be there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sets {
    /// What each case outside of `groups` may get; none permits accepted cases where there are
    /// `groups`, else everything.
    pub permitted: Vec<Verdict>,
    /// At least one case gets one of these; none requires nothing.
    pub required: Vec<Verdict>,
    /// Test groups with promises of their own: each case is accepted or gets one of these, and at
    /// least one does get one of these.
    pub groups: Vec<(String, Vec<Verdict>)>,
}

impl From<Vec<Verdict>> for Promise {
    fn from(verdicts: Vec<Verdict>) -> Self {
        Self::First(verdicts)
    }
}

/// The verdicts that programs of any quality get: who permits them all permits everything.
const USUAL: [Verdict; 4] =
    [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::RuntimeError];

impl Promise {
    /// Whether a single case of this test group may get this verdict.
    #[must_use]
    pub fn permits(&self, group: &str, verdict: Verdict) -> bool {
        match self {
            Self::First(verdicts) => verdict == Verdict::Accepted || names(verdicts, verdict),
            Self::Sets(sets) => {
                let permitted = sets.permitted_in(group);
                permitted.is_empty() || names(&permitted, verdict)
            }
        }
    }

    /// What a single case of this test group may get, as it stands in reports.
    #[must_use]
    pub fn permitted_in(&self, group: &str) -> Vec<Verdict> {
        match self {
            Self::First(verdicts) => verdicts.clone(),
            Self::Sets(sets) => sets.permitted_in(group),
        }
    }

    /// Whether it says next to nothing: every usual verdict will do.
    #[must_use]
    pub fn is_lax(&self) -> bool {
        let all = |verdicts: &[Verdict]| USUAL.iter().all(|usual| verdicts.contains(usual));
        match self {
            Self::First(verdicts) => all(verdicts),
            Self::Sets(sets) => {
                let free = |required: &[Verdict]| required.is_empty() || all(required);
                let any = sets.permitted.is_empty() && sets.groups.is_empty();
                (any || all(&sets.permitted))
                    && free(&sets.required)
                    && sets.groups.iter().all(|(_, verdicts)| all(verdicts))
            }
        }
    }
}

impl Sets {
    fn permitted_in(&self, group: &str) -> Vec<Verdict> {
        match self.groups.iter().find(|(name, _)| is_within(group, name)) {
            Some((_, verdicts)) => with_accepted(verdicts),
            None if self.permitted.is_empty() && !self.groups.is_empty() => {
                vec![Verdict::Accepted]
            }
            None => self.permitted.clone(),
        }
    }

    /// The first requirement that these verdicts of test groups do not meet: the group, empty for
    /// all of them, and the verdicts of which one is missing.
    #[must_use]
    pub fn unmet(&self, seen: &[(String, Verdict)]) -> Option<(&str, &[Verdict])> {
        let lacks = |group: &str, wanted: &[Verdict]| {
            let mut seen = seen.iter().filter(|(name, _)| is_within(name, group));
            !wanted.is_empty() && !seen.any(|(_, verdict)| names(wanted, *verdict))
        };
        if lacks("", &self.required) {
            return Some(("", &self.required));
        }
        let group = self.groups.iter().find(|(group, wanted)| lacks(group, wanted))?;
        Some((&group.0, &group.1))
    }
}

/// Whether a promise of these verdicts speaks of this one: a presentation error is a wrong answer
/// that a checker program has told apart.
pub(super) fn names(promised: &[Verdict], verdict: Verdict) -> bool {
    let wrong_form = verdict == Verdict::PresentationError;
    promised.contains(&verdict) || wrong_form && promised.contains(&Verdict::WrongAnswer)
}

fn with_accepted(verdicts: &[Verdict]) -> Vec<Verdict> {
    let accepted = (!verdicts.contains(&Verdict::Accepted)).then_some(Verdict::Accepted);
    accepted.into_iter().chain(verdicts.iter().copied()).collect()
}

/// Whether a test group is this one or lies below it; every group lies below the nameless one.
fn is_within(group: &str, name: &str) -> bool {
    let rest = group.strip_prefix(name);
    name.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

    fn sets(permitted: &[Verdict], required: &[Verdict], groups: &[(&str, &[Verdict])]) -> Sets {
        Sets {
            permitted: permitted.to_vec(),
            required: required.to_vec(),
            groups: groups.iter().map(|(name, list)| ((*name).into(), list.to_vec())).collect(),
        }
    }

    #[test]
    fn a_group_has_its_own_promise_and_the_others_the_general_one() {
        let promise = Promise::Sets(sets(&[], &[], &[("secret", &[WA])]));
        assert!(promise.permits("secret", WA) && promise.permits("secret/big", AC));
        assert!(!promise.permits("secret", TLE) && !promise.permits("secrets", WA));
        assert!(promise.permits("sample", AC) && !promise.permits("sample", WA));
        let only_required = Promise::Sets(sets(&[], &[TLE], &[]));
        assert!(only_required.permits("", RTE));
        let exact = Promise::Sets(sets(&[TLE], &[], &[]));
        assert!(!exact.permits("", AC) && exact.permits("", TLE));
        assert!(Promise::First(vec![WA]).permits("", AC));
    }

    #[test]
    fn what_is_required_must_have_been_seen_in_its_group() {
        let sets = sets(&[AC, WA, TLE], &[TLE], &[("secret", &[WA])]);
        let seen = |list: &[(&str, Verdict)]| -> Vec<(String, Verdict)> {
            list.iter().map(|&(group, verdict)| (group.to_owned(), verdict)).collect()
        };
        assert_eq!(sets.unmet(&seen(&[("sample", WA)])), Some(("", &[TLE][..])));
        let without = seen(&[("sample", WA), ("sample", TLE), ("secret/1", AC)]);
        assert_eq!(sets.unmet(&without), Some(("secret", &[WA][..])));
        assert_eq!(sets.unmet(&seen(&[("", TLE), ("secret/1", WA)])), None);
    }

    #[test]
    fn a_promise_that_every_program_keeps_is_lax() {
        let all = [AC, WA, TLE, RTE];
        for lax in [sets(&all, &[], &[]), sets(&[], &all, &[]), sets(&all, &[], &[("a", &all)])] {
            assert!(Promise::Sets(lax.clone()).is_lax(), "{lax:?}");
        }
        assert!(Promise::First(all.to_vec()).is_lax());
        for strict in
            [sets(&all, &[TLE], &[]), sets(&[AC], &[], &[]), sets(&[], &[], &[("a", &all)])]
        {
            assert!(!Promise::Sets(strict.clone()).is_lax(), "{strict:?}");
        }
        assert!(!Promise::First(vec![WA]).is_lax());
    }
}
