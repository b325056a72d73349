//! Why a program got a verdict without a look at its output, in words.

use std::time::Duration;

use bstr::ByteSlice;

use crate::model::{CaseResult, Execution, Late, Limits, Termination, Verdict};

/// The reason in one line, and perhaps a hint.
pub(super) fn of(
    verdict: Verdict,
    execution: &Execution,
    limits: &Limits,
) -> (String, Option<String>) {
    match (&execution.termination, verdict) {
        (Termination::Refused(message, hint) | Termination::Failed(message, hint), _) => {
            (message.clone(), hint.clone())
        }
        (Termination::Uncompiled(log), _) => (format!("does not compile: {log}"), None),
        (Termination::Unstartable(reason), _) => {
            let hint = "it is no program that this machine can run";
            (format!("cannot be started: {reason}"), Some(hint.into()))
        }
        (Termination::Absent(reason), _) | (Termination::Silent(reason), Verdict::WrongAnswer) => {
            (reason.clone(), None)
        }
        (_, Verdict::TimeLimit) => (late(execution, limits), None),
        (_, Verdict::OutputLimit) => {
            (format!("more output than {}", limits.output.map_or_else(String::new, size)), None)
        }
        (_, Verdict::MemoryLimit) => memory(execution, limits),
        (Termination::Exited(code), _) => exited(*code, execution, limits),
        (Termination::Signaled(signal), _) => signaled(*signal, execution, limits),
        _ => (String::new(), None),
    }
}

fn late(execution: &Execution, limits: &Limits) -> String {
    let usage = &execution.usage;
    let clock = limits.clock.word();
    match execution.late(limits) {
        Some(Late::Idle) => format!(
            "idle: {}{} elapsed, only {} {clock} time used",
            note(execution),
            seconds(usage.wall),
            seconds(usage.by(limits.clock)),
        ),
        _ => format!(
            "{} {clock} time, {} allowed ({} elapsed)",
            seconds(usage.by(limits.clock)),
            limits.time.map_or_else(String::new, seconds),
            seconds(usage.wall),
        ),
    }
}

/// Why a run that was made under a higher limit is late under this one.
pub(super) fn late_by(result: &CaseResult, limits: &Limits) -> String {
    let clock = limits.clock.word();
    let used = seconds(result.used(limits.clock).unwrap_or_default());
    let wall = seconds(result.times.map(|times| times.wall).unwrap_or_default());
    let busy = result.used(limits.clock) > limits.time;
    if busy {
        let allowed = limits.time.map_or_else(String::new, seconds);
        format!("{used} {clock} time, {allowed} allowed ({wall} elapsed)")
    } else {
        format!("idle: {wall} elapsed, only {used} {clock} time used")
    }
}

/// What is known of the reason, to be put in front.
fn note(execution: &Execution) -> String {
    let note = execution.talk.as_ref().map(|talk| talk.note.as_str());
    note.filter(|note| !note.is_empty()).map_or_else(String::new, |note| format!("{note}; "))
}

fn memory(execution: &Execution, limits: &Limits) -> (String, Option<String>) {
    let allowed = limits.memory.map_or_else(String::new, size);
    let message = match &execution.usage.memory {
        Some(memory) => {
            format!("{} of memory ({}), {allowed} allowed", size(memory.bytes), memory.metric)
        }
        None => format!("more memory than {allowed}"),
    };
    (message, None)
}

fn exited(code: i32, execution: &Execution, limits: &Limits) -> (String, Option<String>) {
    (with_last_words(format!("exit code {code}"), execution), nearly_full(execution, limits))
}

fn signaled(signal: i32, execution: &Execution, limits: &Limits) -> (String, Option<String>) {
    let message = format!("signal {signal}{}", name(signal));
    let hint = nearly_full(execution, limits).or_else(|| {
        (signal == SEGMENTATION).then(|| {
            "a wild pointer, an index out of range, or a stack overflow (deep recursion)".to_owned()
        })
    });
    (with_last_words(message, execution), hint)
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

/// A refused allocation shows as an error of the program's own.
fn nearly_full(execution: &Execution, limits: &Limits) -> Option<String> {
    let (peak, most) =
        execution.usage.memory.as_ref().map(|memory| memory.bytes).zip(limits.memory)?;
    let percent = peak.saturating_mul(100) / most.max(1);
    (percent >= 80).then(|| format!("the memory peak was {percent} % of the limit"))
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

    fn said(verdict: Verdict, termination: Termination, stderr: &str) -> (String, Option<String>) {
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
            ),
            (
                Verdict::TimeLimit,
                Termination::Killed(Bound::Time),
                "0.010 s cpu time, 1.000 s allowed (3.000 s elapsed)",
            ),
            (
                Verdict::OutputLimit,
                Termination::Killed(Bound::Output),
                "more output than 1000 bytes",
            ),
            (
                Verdict::MemoryLimit,
                Termination::Killed(Bound::Memory),
                "97.0 MiB of memory (max_rss), 100.0 MiB allowed",
            ),
        ];
        for (verdict, termination, message) in table {
            assert_eq!(said(verdict, termination, "").0, message);
        }
    }

    #[test]
    fn a_crash_is_told_with_the_last_words_of_the_program() {
        let (message, hint) = said(
            Verdict::RuntimeError,
            Termination::Exited(1),
            "Traceback\nIndexError: list index out of range\n\n",
        );
        assert_eq!(message, "exit code 1: IndexError: list index out of range");
        assert_eq!(hint.unwrap(), "the memory peak was 97 % of the limit");
        let (message, _) = said(Verdict::RuntimeError, Termination::Signaled(11), "");
        assert_eq!(message, "signal 11 (SIGSEGV)");
    }
}
