//! Why a program got a verdict without a look at its output, in words.

use std::time::Duration;

use bstr::ByteSlice;

use crate::model::{CaseResult, Execution, Late, Limits, Termination, Verdict};

/// The reason in one line, the same without measured numbers where it has such, and perhaps a hint.
#[derive(Debug, Default)]
pub(super) struct Reason {
    pub(super) message: String,
    pub(super) unmeasured: Option<String>,
    pub(super) hint: Option<String>,
}

impl Reason {
    fn plain(message: String) -> Self {
        Self { message, ..Self::default() }
    }

    fn measured(message: String, unmeasured: String) -> Self {
        Self { message, unmeasured: Some(unmeasured), hint: None }
    }

    fn hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
}

/// Why there is this verdict.
pub(super) fn of(verdict: Verdict, execution: &Execution, limits: &Limits) -> Reason {
    match (&execution.termination, verdict) {
        (Termination::Refused(message, hint) | Termination::Failed(message, hint), _) => {
            Reason::plain(message.clone()).hint(hint.clone())
        }
        (Termination::Uncompiled(log), _) => Reason::plain(format!("does not compile: {log}")),
        (Termination::Unstartable(reason), _) => {
            let hint = "it is no program that this machine can run";
            Reason::plain(format!("cannot be started: {reason}")).hint(Some(hint.into()))
        }
        (Termination::Absent(reason), _) | (Termination::Silent(reason), Verdict::WrongAnswer) => {
            Reason::plain(reason.clone())
        }
        (_, Verdict::TimeLimit) => late(execution, limits),
        (_, Verdict::OutputLimit) => {
            Reason::plain(format!("more output than {}", allowed(limits.output, size)))
        }
        (_, Verdict::MemoryLimit) => memory(execution, limits),
        (Termination::Exited(code), _) => exited(*code, execution, limits),
        (Termination::Signaled(signal), _) => signaled(*signal, execution, limits),
        _ => Reason::default(),
    }
}

fn late(execution: &Execution, limits: &Limits) -> Reason {
    let usage = &execution.usage;
    let note = execution.talk.as_ref().map_or("", |talk| talk.note.as_str());
    let late = execution.late(limits).unwrap_or(Late::Busy);
    late_after(late, note, (usage.by(limits.clock), usage.wall), limits)
}

/// Why a run that was made under a higher limit is late under this one.
pub(super) fn late_by(result: &CaseResult, limits: &Limits) -> Reason {
    let used = result.used(limits.clock).unwrap_or_default();
    let wall = result.times.map(|times| times.wall).unwrap_or_default();
    late_after(result.late(limits), "", (used, wall), limits)
}

/// The words on a late run, after this time by the deciding clock and this elapsed time; what a
/// note says of the reason stands in front.
fn late_after(
    late: Late,
    note: &str,
    (used, wall): (Duration, Duration),
    limits: &Limits,
) -> Reason {
    let (clock, used, wall) = (limits.clock.word(), seconds(used), seconds(wall));
    let allowed = allowed(limits.time, seconds);
    match (late, note) {
        (Late::Busy, _) => Reason::measured(
            format!("{used} {clock} time, {allowed} allowed ({wall} elapsed)"),
            format!("more {clock} time than {allowed}"),
        ),
        (Late::Idle, "") => Reason::measured(
            format!("idle: {wall} elapsed, only {used} {clock} time used"),
            "idle".into(),
        ),
        (Late::Idle, note) => Reason::measured(
            format!("idle: {note}; {wall} elapsed, only {used} {clock} time used"),
            format!("idle: {note}"),
        ),
    }
}

fn allowed<T>(limit: Option<T>, text: fn(T) -> String) -> String {
    limit.map_or_else(String::new, text)
}

fn memory(execution: &Execution, limits: &Limits) -> Reason {
    let allowed = allowed(limits.memory, size);
    let unmeasured = format!("more memory than {allowed}");
    let Some(memory) = &execution.usage.memory else { return Reason::plain(unmeasured) };
    let message =
        format!("{} of memory ({}), {allowed} allowed", size(memory.bytes), memory.metric);
    Reason::measured(message, unmeasured)
}

fn exited(code: i32, execution: &Execution, limits: &Limits) -> Reason {
    let message = with_last_words(format!("exit code {code}"), execution);
    Reason::plain(message).hint(nearly_full(execution, limits))
}

fn signaled(signal: i32, execution: &Execution, limits: &Limits) -> Reason {
    let message = format!("signal {signal}{}", name(signal));
    let hint = nearly_full(execution, limits).or_else(|| {
        (signal == SEGMENTATION).then(|| {
            "a wild pointer, an index out of range, or a stack overflow (deep recursion)".to_owned()
        })
    });
    Reason::plain(with_last_words(message, execution)).hint(hint)
}

/// The number of the signal for wrong memory accesses.
const SEGMENTATION: i32 = 11;

fn name(signal: i32) -> String {
    let known = [
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (SEGMENTATION, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (31, "SIGSYS"),
    ];
    let found = known.iter().find(|(number, _)| *number == signal);
    found.map_or_else(String::new, |(_, name)| format!(" ({name})"))
}

/// Percent of the limit.
const NEARLY_FULL: u64 = 80;

/// A refused allocation shows as an error of the program's own.
fn nearly_full(execution: &Execution, limits: &Limits) -> Option<String> {
    let (peak, most) =
        execution.usage.memory.as_ref().map(|memory| memory.bytes).zip(limits.memory)?;
    let full = peak.saturating_mul(100) / most.max(1) >= NEARLY_FULL;
    full.then(|| format!("the memory peak was above {NEARLY_FULL} % of the limit"))
}

/// The last line on stderr says most about a crash.
fn with_last_words(message: String, execution: &Execution) -> String {
    let lines = execution.stderr.lines().map(<[u8]>::trim_ascii);
    match lines.rev().find(|line| !line.is_empty()) {
        None => message,
        Some(line) => {
            let line = &line[..line.len().min(MOST_WORDS)];
            format!("{message}: {}", line.to_str_lossy())
        }
    }
}

/// Bytes of a last line.
const MOST_WORDS: usize = 200;

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn size(bytes: u64) -> String {
    if bytes < 10 << 10 {
        return format!("{bytes} bytes");
    }
    if bytes < 1 << 20 {
        return format!("{} KiB", bytes.div_ceil(1 << 10));
    }
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Bound, Memory, Output, Usage};

    fn said(verdict: Verdict, termination: Termination, stderr: &str) -> Reason {
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            memory: Some(100 << 20),
            output: Some(1000),
            ..Limits::NONE
        };
        let usage = Usage {
            cpu: Duration::from_millis(10),
            wall: Duration::from_secs(3),
            memory: Some(Memory { bytes: 97 << 20, metric: "max_rss".into() }),
            ..Usage::default()
        };
        let output = Output::empty();
        of(
            verdict,
            &Execution { termination, usage, output, stderr: stderr.into(), talk: None },
            &limits,
        )
    }

    #[test]
    fn the_reason_names_the_number_that_decided() {
        let table = [
            (
                Verdict::TimeLimit,
                Termination::Killed(Bound::Wall),
                "idle: 3.000 s elapsed, only 0.010 s cpu time used",
                Some("idle"),
            ),
            (
                Verdict::TimeLimit,
                Termination::Killed(Bound::Time),
                "0.010 s cpu time, 1.000 s allowed (3.000 s elapsed)",
                Some("more cpu time than 1.000 s"),
            ),
            (
                Verdict::OutputLimit,
                Termination::Killed(Bound::Output),
                "more output than 1000 bytes",
                None,
            ),
            (
                Verdict::MemoryLimit,
                Termination::Killed(Bound::Memory),
                "97.0 MiB of memory (max_rss), 100.0 MiB allowed",
                Some("more memory than 100.0 MiB"),
            ),
        ];
        for (verdict, termination, message, unmeasured) in table {
            let said = said(verdict, termination, "");
            assert_eq!((said.message.as_str(), said.unmeasured.as_deref()), (message, unmeasured));
        }
    }

    #[test]
    fn a_crash_is_told_with_the_last_words_of_the_program() {
        let Reason { message, hint, .. } = said(
            Verdict::RuntimeError,
            Termination::Exited(1),
            "Traceback\nIndexError: list index out of range\n\n",
        );
        assert_eq!(message, "exit code 1: IndexError: list index out of range");
        assert_eq!(hint.unwrap(), "the memory peak was above 80 % of the limit");
        let said = said(Verdict::RuntimeError, Termination::Signaled(11), "");
        assert_eq!(said.message, "signal 11 (SIGSEGV)");
    }
}
