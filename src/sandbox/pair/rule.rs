//! What the judge does about two programs that talk, from what it sees of them. No effects.

use std::time::Duration;

use super::Waiting;
use crate::sandbox::look::{Doing, Waits};

/// How long a program must wait, for what is not known, before it counts as waiting for the other.
const QUIET: Duration = Duration::from_millis(50);
/// The same for one that wakes up now and then.
const RESTLESS: Duration = Duration::from_millis(250);
/// The same where nothing can be seen but its CPU time.
const BLIND: Duration = Duration::from_millis(500);
/// How long a solution waits for a word, at the end of its time, to be taken as kept waiting.
const KEPT_WAITING: Duration = Duration::from_secs(1);
/// How long both must wait for each other to be taken as waiting for ever.
const DEADLOCK: Duration = Duration::from_millis(500);

/// What is known of one program.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct View {
    /// Whether it has ended.
    pub(super) ended: bool,
    pub(super) doing: Doing,
    /// For how long it has not done anything.
    pub(super) rested: Duration,
    /// How long it has let time pass since the other one ended.
    pub(super) idle: Duration,
    /// Whether it no longer has its stdin and its stdout, though it lives.
    pub(super) left: [bool; 2],
    /// Whether there is nothing for it to read.
    pub(super) input_empty: bool,
    /// Whether there is no room for what it writes.
    pub(super) output_full: bool,
}

/// What a program can no longer go on without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// To see that there will be nothing more to read.
    EndOfInput,
    /// To be freed from writing what nobody reads.
    Outlet,
}

impl View {
    /// What keeps it from going on.
    pub(super) fn waiting(&self) -> Option<Waiting> {
        match self.doing.waits {
            Waits::Reads if self.input_empty => Some(Waiting::Reads),
            Waits::Writes if self.output_full => Some(Waiting::Writes),
            _ => None,
        }
    }

    /// Whether it rests without a known reason long enough to count as waiting.
    fn is_quiet(&self) -> bool {
        let patience = if self.doing.tasks == 0 { BLIND } else { QUIET };
        let rests = self.rested >= patience || self.idle >= RESTLESS;
        self.doing.waits == Waits::Else && rests
    }

    /// Whether it lets time pass.
    pub(super) fn is_idle(&self) -> bool {
        match self.doing.tasks {
            0 => self.rested > Duration::ZERO,
            _ => self.doing.waits != Waits::Works,
        }
    }
}

/// What a program needs now that the other one cannot give any more.
pub(super) fn need(program: &View, other: &View) -> Option<Need> {
    if program.ended {
        return None;
    }
    let [in_read, in_write] = program.doing.stuck;
    let reads = program.input_empty && (in_read || program.is_quiet());
    let writes = program.output_full && (in_write || program.is_quiet());
    if reads && (other.ended || other.left[1]) {
        Some(Need::EndOfInput)
    } else if writes && (other.ended || other.left[0]) {
        Some(Need::Outlet)
    } else {
        None
    }
}

/// What both wait for, when neither will ever go on.
pub(super) fn deadlock(solution: &View, interactor: &View) -> Option<(Waiting, Waiting)> {
    let rested = solution.rested.min(interactor.rested);
    if solution.ended || interactor.ended || rested < DEADLOCK {
        return None;
    }
    solution.waiting().zip(interactor.waiting())
}

/// Whether, when the time is over, it is the interactor that keeps the solution waiting. While they
/// take turns, or when the solution has written more than anybody reads, it is not.
pub(super) fn interactor_is_late(solution: &View, interactor: &View, wall: Duration) -> bool {
    !interactor.ended
        && interactor.waiting().is_none()
        && solution.waiting() == Some(Waiting::Reads)
        && solution.rested >= KEPT_WAITING.min(wall / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(waits: Waits) -> View {
        let stuck = [Waits::Reads, Waits::Writes].map(|known| known == waits);
        let doing = Doing { waits, stuck, tasks: 1, holds: [true; 2], ..Doing::default() };
        View { doing, rested: Duration::from_secs(1), input_empty: true, ..View::default() }
    }

    #[test]
    fn the_end_is_shown_to_a_program_that_cannot_go_on_and_to_no_other() {
        let ended = View { ended: true, ..View::default() };
        let table = [
            (Waits::Reads, Some(Need::EndOfInput)),
            (Waits::Works, None),
            (Waits::Sleeps, None),
            (Waits::Else, Some(Need::EndOfInput)),
        ];
        for (waits, wanted) in table {
            assert_eq!(need(&view(waits), &ended), wanted, "{waits:?}");
            assert_eq!(need(&view(waits), &view(Waits::Works)), None, "the other lives: {waits:?}");
        }
        let still_to_read = View { input_empty: false, ..view(Waits::Reads) };
        assert_eq!(need(&still_to_read, &ended), None);
        let just_now = View { rested: Duration::ZERO, ..view(Waits::Else) };
        assert_eq!(need(&just_now, &ended), None);
        let restless = View { idle: RESTLESS, ..just_now };
        assert_eq!(need(&restless, &ended), Some(Need::EndOfInput));
        let mut two = view(Waits::Sleeps);
        two.doing.stuck = [true, false];
        assert_eq!(need(&two, &ended), Some(Need::EndOfInput), "one task reads, one sleeps");
    }

    #[test]
    fn closing_an_end_counts_like_ending() {
        let silent = View { left: [false, true], ..view(Waits::Works) };
        assert_eq!(need(&view(Waits::Reads), &silent), Some(Need::EndOfInput));
        let deaf = View { left: [true, false], ..view(Waits::Works) };
        let writes = View { output_full: true, ..view(Waits::Writes) };
        assert_eq!(need(&writes, &deaf), Some(Need::Outlet));
        assert_eq!(need(&writes, &silent), None);
    }

    #[test]
    fn both_wait_only_when_neither_moves_for_long() {
        let reads = view(Waits::Reads);
        assert_eq!(deadlock(&reads, &reads), Some((Waiting::Reads, Waiting::Reads)));
        for other in [Waits::Works, Waits::Sleeps, Waits::Else] {
            assert_eq!(deadlock(&reads, &view(other)), None, "{other:?}");
            assert_eq!(deadlock(&view(other), &reads), None, "{other:?}");
        }
        let short = View { rested: Duration::from_millis(400), ..reads };
        assert_eq!(deadlock(&reads, &short), None);
        let fed = View { input_empty: false, ..reads };
        assert_eq!(deadlock(&reads, &fed), None);
        let full = View { output_full: true, ..view(Waits::Writes) };
        assert_eq!(deadlock(&full, &full), Some((Waiting::Writes, Waiting::Writes)));
    }

    #[test]
    fn who_is_late_is_who_is_waited_for() {
        let (reads, sleeps) = (view(Waits::Reads), view(Waits::Sleeps));
        let late =
            |solution, interactor| interactor_is_late(solution, interactor, KEPT_WAITING * 5);
        assert!(late(&reads, &sleeps));
        assert!(!late(&sleeps, &reads));
        assert!(!late(&reads, &reads), "both: the solution");
        assert!(!late(&sleeps, &sleeps), "in doubt: the solution");
        let in_turn = View { rested: Duration::from_millis(1), ..reads };
        assert!(!late(&in_turn, &sleeps), "it asks without end");
        let floods = View { output_full: true, ..view(Waits::Writes) };
        assert!(!late(&floods, &sleeps), "it never reads");
    }
}
