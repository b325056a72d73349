//! A CSV report of many rows written through the reporter and read back; prints MB/s and the
//! greatest memory after each step.
//!
//! `cargo bench --bench report -- [ROWS]` (default 1,000,000).

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fs::{self, File};
use std::time::{Duration, Instant, SystemTime};

use jury::model::{
    CaseResult, Limits, Plan, Problem, Report, Run, Status, Submission, TestCase, Times, Verdict,
};
use jury::report::{CsvReporter, Reporter, Timings};

fn main() {
    let rows = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let rows: usize = rows.unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("report.csv");
    let plan = plan();
    let before = memory();

    let start = Instant::now();
    let file = File::create(&path).expect("a new file");
    let mut reporter = CsvReporter::new(file, Timings::Measured);
    reporter.begin(&Run::default(), &plan).expect("a start");
    for row in 0..rows {
        reporter.case(&plan, &result(row)).expect("a written row");
    }
    reporter.end(&plan, &Report::default()).expect("a whole report");
    let written = start.elapsed();
    let megabytes = fs::metadata(&path).expect("the report").len() as f64 / 1e6;
    row("written", written, megabytes, rows);

    let start = Instant::now();
    let mut reader = csv::Reader::from_path(&path).expect("the report");
    let mut record = csv::ByteRecord::new();
    let mut read = 0;
    while reader.read_byte_record(&mut record).expect("a whole row") {
        read += 1;
    }
    assert_eq!(read, rows);
    row("read", start.elapsed(), megabytes, rows);
    println!("memory before {before} kB, at most {} kB", memory());
}

/// A problem with 1000 cases, over and over.
fn plan() -> Plan {
    let case = |number: usize| TestCase {
        name: format!("jsoi-game/secret/{number:03}-max-100x100"),
        group: "secret".into(),
        input: format!("input/jsoi-game/secret/{number:03}-max-100x100.in").into(),
        answer: Some(format!("expected/jsoi-game/secret/{number:03}-max-100x100.out").into()),
        missing: None,
    };
    let problem = Problem {
        name: "jsoi-game".into(),
        solver: "jsoi-game".into(),
        cases: (0..1000).map(case).collect(),
    };
    let submissions = vec![Submission::core(0)];
    jury::plan::of(vec![problem], submissions, |_, _| Limits::NONE, 1)
}

fn result(row: usize) -> CaseResult {
    let cpu = Duration::from_nanos(4_123_456 + row as u64);
    CaseResult {
        index: row % 1000,
        verdict: Verdict::Accepted,
        status: Status::Pass,
        at: Vec::new(),
        settled: false,
        times: Some(Times {
            runs: 1,
            cpu,
            cpu_min: cpu,
            cpu_max: cpu,
            wall: cpu,
            ..Times::default()
        }),
        ran: None,
        confirmed: None,
        samples: None,
        change: None,
        input_bytes: 10_008,
        expected_bytes: Some(68_123),
        output_bytes: Some(68_123),
        mismatch: None,
        score: None,
        remarks: None,
        message: String::new(),
        unmeasured: None,
        feedback: None,
        hint: None,
        kept: None,
        started_at: SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_953_600_123 + row as u64),
    }
}

fn row(name: &str, time: Duration, megabytes: f64, rows: usize) {
    println!(
        "{name:8} {rows} rows, {megabytes:.0} MB in {:.2} s: {:.0} MB/s, {:.2} us/row",
        time.as_secs_f64(),
        megabytes / time.as_secs_f64(),
        time.as_secs_f64() * 1e6 / rows as f64,
    );
}

/// Peak resident memory of this process in kB; 0 where the system does not tell it.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or_default()
}
