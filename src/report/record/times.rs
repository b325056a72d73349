//! The times of a record.

use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::nanoseconds;
use crate::model::{CaseResult, Change, Samples, SinceBase, Times};
use crate::report::Timings;

/// The times of a record.
#[derive(Debug, Serialize)]
pub(in crate::report) struct RecordTimes {
    pub(in crate::report) runs: u32,
    #[serde(flatten)]
    pub(in crate::report) measured: Option<Measured>,
    #[serde(flatten)]
    pub(in crate::report) since: Option<SinceBase>,
}

/// What a clock has measured; all in nanoseconds.
#[derive(Debug, Default, Serialize)]
pub(in crate::report) struct Measured {
    pub(in crate::report) cpu_ns: u64,
    pub(in crate::report) cpu_ns_min: u64,
    pub(in crate::report) cpu_ns_max: u64,
    pub(in crate::report) wall_ns: u64,
    pub(in crate::report) compare_cpu_ns: u64,
    pub(in crate::report) compare_wall_ns: u64,
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    cpu_ns_runs: Vec<u64>,
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    base_cpu_ns_runs: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_blake3: Option<String>,
}

impl RecordTimes {
    /// The times of a result; `timings` decides whether clocks fill anything.
    pub(super) fn new(result: &CaseResult, timings: Timings) -> Option<Self> {
        let ns = nanoseconds;
        result.times.map(|times| RecordTimes {
            runs: times.runs,
            measured: (timings == Timings::Measured).then(|| Measured {
                cpu_ns: ns(times.cpu),
                cpu_ns_min: ns(times.cpu_min),
                cpu_ns_max: ns(times.cpu_max),
                wall_ns: ns(times.wall),
                compare_cpu_ns: ns(times.compare_cpu),
                compare_wall_ns: ns(times.compare_wall),
                ..samples(result)
            }),
            since: result.change.filter(|_| timings == Timings::Measured),
        })
    }

    pub(super) fn samples(&self) -> Option<Samples> {
        let measured = self.measured.as_ref()?;
        let samples = Samples {
            cpu_ns: measured.cpu_ns_runs.clone(),
            base_cpu_ns: measured.base_cpu_ns_runs.clone(),
            input: measured.input_blake3.clone(),
        };
        (samples != Samples::default()).then_some(samples)
    }

    pub(super) fn times(self) -> Times {
        let measured = self.measured.unwrap_or_default();
        let time = Duration::from_nanos;
        Times {
            runs: self.runs,
            cpu: time(measured.cpu_ns),
            cpu_min: time(measured.cpu_ns_min),
            cpu_max: time(measured.cpu_ns_max),
            wall: time(measured.wall_ns),
            compare_cpu: time(measured.compare_cpu_ns),
            compare_wall: time(measured.compare_wall_ns),
        }
    }
}

/// What is known of the single runs.
fn samples(result: &CaseResult) -> Measured {
    let Some(samples) = result.samples.as_deref().cloned() else { return Measured::default() };
    Measured {
        cpu_ns_runs: samples.cpu_ns,
        base_cpu_ns_runs: samples.base_cpu_ns,
        input_blake3: samples.input,
        ..Measured::default()
    }
}

/// The members of a record that are about times, each there or not.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Members {
    runs: Option<u32>,
    cpu_ns: Option<u64>,
    cpu_ns_min: Option<u64>,
    cpu_ns_max: Option<u64>,
    wall_ns: Option<u64>,
    compare_cpu_ns: Option<u64>,
    compare_wall_ns: Option<u64>,
    cpu_ns_runs: Vec<u64>,
    base_cpu_ns_runs: Vec<u64>,
    input_blake3: Option<String>,
    change: Option<Change>,
    base_cpu_ns: Option<u64>,
    cpu_ratio: Option<f64>,
}

/// Reads the times of a record; a member that is there has to be what it should be.
pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Option<RecordTimes>, D::Error> {
    let members = Members::deserialize(from)?;
    let Some(runs) = members.runs else {
        return match members.cpu_ns {
            None => Ok(None),
            Some(_) => Err(D::Error::missing_field("runs")),
        };
    };
    let cpu = members.cpu_ns;
    let measured = cpu.map(|cpu_ns| Measured {
        cpu_ns,
        cpu_ns_min: members.cpu_ns_min.unwrap_or(cpu_ns),
        cpu_ns_max: members.cpu_ns_max.unwrap_or(cpu_ns),
        wall_ns: members.wall_ns.unwrap_or_default(),
        compare_cpu_ns: members.compare_cpu_ns.unwrap_or_default(),
        compare_wall_ns: members.compare_wall_ns.unwrap_or_default(),
        cpu_ns_runs: members.cpu_ns_runs,
        base_cpu_ns_runs: members.base_cpu_ns_runs,
        input_blake3: members.input_blake3,
    });
    let (base_cpu_ns, cpu_ratio) = (members.base_cpu_ns, members.cpu_ratio);
    let since = members.change.map(|change| SinceBase { change, base_cpu_ns, cpu_ratio });
    Ok(Some(RecordTimes { runs, measured, since }))
}
