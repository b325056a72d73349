//! Exit codes: public documentation, one place.

use std::process::ExitCode;

use crate::interrupt::Signal;
use crate::model::Summary;

/// What the process says at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All as expected.
    Success,
    /// Findings: a mismatch, a missing answer, invalid test data.
    Findings,
    /// Wrong usage or configuration; nothing was run.
    Usage,
    /// The judge itself failed; the results cannot be trusted.
    Failure,
    /// No case was selected.
    NothingSelected,
    /// Stopped by SIGINT.
    Interrupted,
    /// Stopped by SIGTERM.
    Terminated,
    /// Stopped by SIGHUP.
    HungUp,
}

/// Whether findings are told by the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFindings {
    /// They are: exit code 1.
    Tell,
    /// They are not: exit code 0.
    Zero,
}

impl Exit {
    /// Every code, with its meaning.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Success, "all as expected"),
        (Self::Findings, "findings: mismatch, missing answer, invalid test data"),
        (Self::Usage, "usage or configuration; nothing was run"),
        (Self::Failure, "the judge itself failed; results cannot be trusted"),
        (Self::NothingSelected, "no case selected"),
        (Self::Interrupted, "stopped by SIGINT"),
        (Self::Terminated, "stopped by SIGTERM"),
        (Self::HungUp, "stopped by SIGHUP"),
    ];

    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Failure => 3,
            Self::NothingSelected => 4,
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::HungUp => 129,
        }
    }

    /// The code of a finished run: a signal first, then our own failure, then findings.
    #[must_use]
    pub fn of_run(
        summary: &Summary,
        signal: Option<Signal>,
        judge_failed: JudgeFailed,
        on_findings: OnFindings,
    ) -> Self {
        match (signal, judge_failed) {
            (Some(signal), _) => Self::of_signal(signal),
            (None, JudgeFailed::Yes) => Self::Failure,
            (None, JudgeFailed::No) if summary.errors > 0 => Self::Failure,
            (None, JudgeFailed::No) if summary.failed > 0 => Self::findings(on_findings),
            (None, JudgeFailed::No) => Self::Success,
        }
    }

    /// The code of a run that a signal has stopped.
    #[must_use]
    pub fn of_signal(signal: Signal) -> Self {
        match signal {
            Signal::Interrupt => Self::Interrupted,
            Signal::Terminate => Self::Terminated,
            Signal::HangUp => Self::HungUp,
        }
    }

    /// The code for findings.
    #[must_use]
    pub fn findings(on_findings: OnFindings) -> Self {
        match on_findings {
            OnFindings::Tell => Self::Findings,
            OnFindings::Zero => Self::Success,
        }
    }

    /// Leaves the process at once.
    #[expect(clippy::disallowed_methods, reason = "the one place that ends the process early")]
    pub fn now(self) -> ! {
        std::process::exit(self.code().into())
    }
}

/// Whether something of our own went wrong beside the cases: a report that could not be written,
/// a folder that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeFailed {
    /// Nothing did.
    No,
    /// Something did.
    Yes,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(failed: usize, errors: usize) -> Summary {
        Summary { failed, errors, ..Summary::default() }
    }

    #[test]
    fn a_signal_comes_before_our_failure_and_that_before_findings() {
        use {Exit as E, JudgeFailed as J, OnFindings as O, Signal as S};
        let table = [
            (summary(0, 0), None, J::No, O::Tell, E::Success),
            (summary(1, 0), None, J::No, O::Tell, E::Findings),
            (summary(1, 0), None, J::No, O::Zero, E::Success),
            (summary(1, 1), None, J::No, O::Zero, E::Failure),
            (summary(0, 0), None, J::Yes, O::Zero, E::Failure),
            (summary(1, 1), Some(S::Interrupt), J::Yes, O::Zero, E::Interrupted),
            (summary(0, 0), Some(S::Terminate), J::No, O::Tell, E::Terminated),
        ];
        for (summary, signal, failed, on_findings, exit) in table {
            assert_eq!(Exit::of_run(&summary, signal, failed, on_findings), exit);
        }
    }

    #[test]
    fn codes_are_unique() {
        for (index, (exit, meaning)) in Exit::ALL.iter().enumerate() {
            assert!(!meaning.is_empty());
            assert!(Exit::ALL[index + 1..].iter().all(|(other, _)| other.code() != exit.code()));
        }
    }
}
