//! What is known of the run of a program beside its times, and what it was allowed.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::literal::{self, literal};
use super::{Timings, nanoseconds};
use crate::model::{Bound, CaseResult, Clock, Confirmed, Job, Limits, Memory, Plan, Ran, Verdict};

/// Bytes of a program's stderr in a report: its end.
const STDERR: usize = 8 << 10;

/// The part of a record that only programs have.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::report) struct RecordRun {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) time_limit_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_limit_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) memory_limit_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stack_limit_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_limit_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    process_limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killed: Option<Bound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queued_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_metric: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    involuntary_switches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<RecordConfirmed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    verdicts_under: Vec<RecordRung>,
}

/// The verdict under one of several limits.
#[derive(Debug, Serialize, Deserialize)]
struct RecordRung {
    time_limit_ns: Option<u64>,
    verdict: Verdict,
}

fn rungs(rungs: &[Limits], result: &CaseResult) -> Vec<RecordRung> {
    let pairs = rungs.iter().zip(&result.at);
    let rung = |(limits, &verdict): (&Limits, &Verdict)| RecordRung {
        time_limit_ns: limits.time.map(nanoseconds),
        verdict,
    };
    pairs.map(rung).collect()
}

/// Runs that settled a doubt.
#[derive(Debug, Serialize, Deserialize)]
struct RecordConfirmed {
    first: Verdict,
    runs: u32,
    agreed: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest_ns: Option<u64>,
}

impl RecordRun {
    pub(super) fn new(plan: &Plan, job: &Job, result: &CaseResult, timings: Timings) -> Self {
        let limits = &job.limits;
        let allowed = Self {
            verdicts_under: rungs(plan.rungs(job), result),
            time_limit_ns: limits.time.map(nanoseconds),
            wall_limit_ns: limits.wall.map(nanoseconds),
            clock: limits.time.map(|_| limits.clock),
            memory_limit_bytes: limits.memory,
            stack_limit_bytes: limits.stack,
            output_limit_bytes: limits.output,
            process_limit: limits.processes,
            ..Self::default()
        };
        let Some(ran) = &result.ran else { return allowed };
        let ended =
            Self { exit_code: ran.exit_code, signal: ran.signal, killed: ran.killed, ..allowed };
        if timings == Timings::None {
            return ended;
        }
        Self {
            user_ns: ran.user.map(nanoseconds),
            queued_ns: ran.queued.map(nanoseconds),
            memory_bytes: ran.memory.as_ref().map(|memory| memory.bytes),
            memory_metric: ran.memory.as_ref().map(|memory| memory.metric.to_string()),
            cpu_source: ran.cpu_source.clone(),
            involuntary_switches: ran.switches,
            stderr: (!ran.stderr.is_empty()).then(|| literal(end(&ran.stderr))),
            confirmed: result.confirmed.as_ref().map(RecordConfirmed::new),
            ..ended
        }
    }

    /// What the run was allowed.
    pub(in crate::report) fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit_ns.map(Duration::from_nanos),
            wall: self.wall_limit_ns.map(Duration::from_nanos),
            memory: self.memory_limit_bytes,
            stack: self.stack_limit_bytes,
            output: self.output_limit_bytes,
            processes: self.process_limit,
            clock: self.clock.unwrap_or_default(),
        }
    }

    /// Its limits under each of several times.
    pub(in crate::report) fn rungs(&self) -> Vec<Limits> {
        let limits = self.limits();
        let time = |rung: &RecordRung| rung.time_limit_ns.map(Duration::from_nanos);
        self.verdicts_under.iter().map(|rung| Limits { time: time(rung), ..limits }).collect()
    }

    /// The verdicts under each of them.
    pub(super) fn verdicts(&self) -> Vec<Verdict> {
        self.verdicts_under.iter().map(|rung| rung.verdict).collect()
    }

    /// How the run ended; none where nothing is said of it.
    pub(super) fn ran(&self) -> Result<Option<Box<Ran>>, &'static str> {
        let stderr = self.stderr.as_deref().map(|text| literal::bytes(text).ok_or("stderr"));
        let memory = |bytes| {
            let metric = self.memory_metric.clone().unwrap_or_default();
            Memory { bytes, metric: metric.into() }
        };
        let ran = Ran {
            exit_code: self.exit_code,
            signal: self.signal,
            killed: self.killed,
            user: self.user_ns.map(Duration::from_nanos),
            queued: self.queued_ns.map(Duration::from_nanos),
            memory: self.memory_bytes.map(memory),
            switches: self.involuntary_switches,
            cpu_source: self.cpu_source.clone(),
            stderr: stderr.transpose()?.unwrap_or_default(),
        };
        Ok((ran != Ran::default()).then(|| Box::new(ran)))
    }

    /// How the verdict was confirmed.
    pub(super) fn confirmed(&self) -> Option<Confirmed> {
        self.confirmed.as_ref().map(|confirmed| Confirmed {
            first: confirmed.first,
            runs: confirmed.runs,
            agreed: confirmed.agreed,
            least: Duration::from_nanos(confirmed.least_ns.unwrap_or_default()),
            greatest: Duration::from_nanos(confirmed.greatest_ns.unwrap_or_default()),
        })
    }
}

impl RecordConfirmed {
    fn new(confirmed: &Confirmed) -> Self {
        Self {
            first: confirmed.first,
            runs: confirmed.runs,
            agreed: confirmed.agreed,
            least_ns: Some(nanoseconds(confirmed.least)),
            greatest_ns: Some(nanoseconds(confirmed.greatest)),
        }
    }
}

fn end(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(STDERR)..]
}
