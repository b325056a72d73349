//! A history of runs: JSON Lines, one line a run. Pure: bytes in, entries out, and the other way
//! round.

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::model::{
    CaseResult, HistoryEntry, HistoryHost, HistorySubmission, Plan, Report, Run, Status,
};

/// The name and version of a line.
pub const SCHEMA: &str = "jury-history/1";

/// The entry of a run with these results.
#[must_use]
pub fn entry<'a>(
    run: &Run,
    plan: &Plan,
    report: &Report,
    results: impl Iterator<Item = &'a CaseResult>,
) -> HistoryEntry {
    let named = plan.submissions.iter().map(|submission| HistorySubmission {
        problem: plan.problems[submission.problem].name.clone(),
        name: submission.name.clone(),
        ..HistorySubmission::default()
    });
    let mut submissions: Vec<HistorySubmission> = named.collect();
    for result in results {
        let job = plan.jobs[result.index];
        let submission = &mut submissions[job.submission];
        submission.passed += usize::from(result.status == Status::Pass);
        if let Some(times) = result.times.filter(|_| result.verdict.ran_to_its_end()) {
            let median = u64::try_from(times.cpu.as_nanos()).unwrap_or(u64::MAX);
            submission.medians_ns.insert(plan.case(job).name.clone(), median);
        }
    }
    HistoryEntry {
        schema: SCHEMA.into(),
        id: run.id.clone(),
        started_at: started_at(run),
        commit: run.commit.clone(),
        host: host(run),
        runs: plan.runs,
        cases: report.summary.planned,
        passed: report.summary.passed,
        interrupted: report.summary.interrupted,
        submissions,
    }
}

fn started_at(run: &Run) -> String {
    if run.started_at == SystemTime::UNIX_EPOCH {
        return String::new();
    }
    humantime::format_rfc3339_seconds(run.started_at).to_string()
}

fn host(run: &Run) -> HistoryHost {
    let calibration = run.machine.calibration;
    HistoryHost {
        name: run.hostname.clone(),
        cpu: run.cpu.clone().unwrap_or_default(),
        cores: run.cores,
        kernel: run.machine.kernel.clone(),
        calibration_ns: calibration.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
    }
}

/// Why a history cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum HistoryError {
    /// A line is none.
    #[error("line {line}, column {column}: {what}")]
    Broken {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// A line has another schema.
    #[error("line {line}: schema `{found}`, expected `{SCHEMA}`")]
    Schema {
        /// From 1.
        line: usize,
        /// What it says.
        found: String,
    },
}

/// The runs of a history, in the order of their lines. The beginning of a line at the end was torn,
/// and is passed over.
///
/// # Errors
/// When another line is broken.
pub fn read(bytes: &[u8]) -> Result<Vec<HistoryEntry>, HistoryError> {
    let mut entries = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<HistoryEntry>(line) {
            Ok(entry) if entry.schema == SCHEMA => entries.push(entry),
            Ok(entry) => {
                let found = entry.schema.escape_default().take(100).collect();
                return Err(HistoryError::Schema { line: index + 1, found });
            }
            Err(_) if is_torn(line) => {}
            Err(error) => return Err(broken(index + 1, &error)),
        }
    }
    Ok(entries)
}

/// Whether this is the beginning of a line that [`entry`] makes, and not its end.
fn is_torn(line: &[u8]) -> bool {
    let start = format!("{{\"schema\":\"{SCHEMA}\"");
    let shared = line.len().min(start.len());
    !line.ends_with(b"\n") && line[..shared] == start.as_bytes()[..shared]
}

fn broken(line: usize, error: &serde_json::Error) -> HistoryError {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned();
    HistoryError::Broken { line, column: error.column().max(1), what }
}

/// The runs at the end of a history in which a submission had mostly the same cases, and the sum of
/// its times over the cases that all of them have.
#[must_use]
pub fn trend<'a>(
    entries: &'a [HistoryEntry],
    problem: &str,
    submission: &str,
) -> (usize, Vec<(&'a HistoryEntry, u64)>) {
    let of = |entry: &'a HistoryEntry| {
        entry.submissions.iter().find(|one| one.problem == problem && one.name == submission)
    };
    let mut common: Option<Vec<&str>> = None;
    let mut runs: Vec<(&HistoryEntry, &BTreeMap<String, u64>)> = Vec::new();
    let mut least = 1;
    for entry in entries.iter().rev() {
        let Some(medians) = of(entry).map(|one| &one.medians_ns) else { continue };
        let shared: Vec<&str> = match &common {
            None => medians.keys().map(String::as_str).collect(),
            Some(names) => {
                names.iter().copied().filter(|name| medians.contains_key(*name)).collect()
            }
        };
        if common.is_none() {
            least = shared.len().div_ceil(2).max(1);
        }
        if shared.len() < least {
            break;
        }
        common = Some(shared);
        runs.push((entry, medians));
    }
    let common = common.unwrap_or_default();
    let sum = |medians: &BTreeMap<String, u64>| {
        common
            .iter()
            .filter_map(|name| medians.get(*name))
            .fold(0_u64, |sum, ns| sum.saturating_add(*ns))
    };
    let sums = runs.iter().rev().map(|(entry, medians)| (*entry, sum(medians)));
    (common.len(), sums.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, cases: &[(&str, u64)]) -> HistoryEntry {
        let medians_ns = cases.iter().map(|(name, ns)| ((*name).to_owned(), *ns)).collect();
        let submission = HistorySubmission {
            problem: "p".into(),
            name: "core".into(),
            medians_ns,
            ..HistorySubmission::default()
        };
        HistoryEntry {
            schema: SCHEMA.into(),
            id: id.into(),
            submissions: vec![submission],
            ..HistoryEntry::default()
        }
    }

    fn text(entry: &HistoryEntry) -> String {
        serde_json::to_string(entry).unwrap() + "\n"
    }

    #[test]
    fn a_torn_last_line_is_passed_over_and_another_broken_one_is_not() {
        let (first, second) = (line("1", &[("p/1", 5)]), line("2", &[("p/1", 6)]));
        let whole = text(&first) + "\n" + &text(&second);
        assert_eq!(read(whole.as_bytes()).unwrap(), [first.clone(), second]);
        assert_eq!(read(&whole.as_bytes()[..whole.len() - 9]).unwrap().len(), 1);
        let broken = text(&first) + "{\"schema\": 1}\n";
        let error = read(broken.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 2, column 12: invalid type"), "{error}");
        let foreign = "{\"schema\":\"jury-history/2\"}\n";
        let error = read(foreign.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 1: schema `jury-history/2`, expected `jury-history/1`");
        assert_eq!(read(b"").unwrap(), []);
        assert!(read(b"my notes").is_err() && read(b"{\"schema\":\"jury-report/1\",").is_err());
        assert_eq!(read(b"{\"schema\":\"jury-history/1\",\"new\":1}\n").unwrap().len(), 1);
    }

    #[test]
    fn a_trend_is_over_the_cases_that_all_runs_have() {
        let entries = [
            line("other", &[("p/x", 100)]),
            line("1", &[("p/1", 5), ("p/2", 7)]),
            line("2", &[("p/1", 6), ("p/2", 7), ("p/3", 9)]),
            line("3", &[("p/1", 6), ("p/3", 9), ("p/2", 8)]),
        ];
        let (cases, runs) = trend(&entries, "p", "core");
        let sums: Vec<(&str, u64)> =
            runs.iter().map(|(run, sum)| (run.id.as_str(), *sum)).collect();
        assert_eq!((cases, sums), (2, vec![("1", 12), ("2", 13), ("3", 14)]));
        assert_eq!(trend(&entries, "p", "new").1.len(), 0);
        assert_eq!(trend(&[], "p", "core"), (0, Vec::new()));
    }
}
