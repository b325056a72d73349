//! A run that is stopped in the middle: what is done is reported, nothing is left behind.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use crate::support::Suite;

/// A suite whose first case is quick and whose others take long, by many runs of a large board.
fn slow_suite() -> Suite {
    let board = format!("200 200\n{}", format!("{}\n", ".".repeat(200)).repeat(200));
    let mut suite = Suite::new();
    for number in 1..=60 {
        suite = suite.file(&format!("input/jsoi-game/{number}.in"), &board);
        suite = suite.file(&format!("expected/jsoi-game/{number}.out"), "LOSE\n");
    }
    suite
}

/// Starts a run, waits until its first case is done, and sends it the signals.
fn stopped(suite: &Suite, signals: &[&str]) -> (Child, String) {
    let mut child = suite
        .command(&[
            "run",
            "--jobs",
            "2",
            "--runs",
            "1000",
            "--report",
            "csv=report.csv",
            "--report",
            "jsonl=-",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut events = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("case-finished") {
        line.clear();
        assert_ne!(events.read_line(&mut line).unwrap(), 0, "the run ended by itself");
    }
    for (index, signal) in signals.iter().enumerate() {
        if index > 0 {
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap();
    }
    std::io::copy(&mut events, &mut std::io::sink()).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child, err)
}

#[test]
fn the_first_signal_lets_running_cases_end_and_writes_every_report() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let suite = slow_suite();
        let (mut child, err) = stopped(&suite, &[signal]);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{err}");
        assert!(err.contains("stopping: no new runs, 2 running to their end"), "{err}");
        assert!(err.contains(" of 60 cases   reports: report.csv - (partial)"), "{err}");
        let report = suite.read("report.csv");
        let rows = report.lines().count() - 1;
        assert!((1..60).contains(&rows), "{rows} rows");
        assert_eq!(report.matches(",true\n").count(), rows);
        let left: Vec<_> = std::fs::read_dir(suite.path("."))
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(".jury-"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_second_signal_quits_at_once_with_the_reports_written() {
    let suite = slow_suite();
    let (mut child, err) = stopped(&suite, &["INT", "INT"]);
    assert_eq!(child.wait().unwrap().code(), Some(130), "{err}");
    assert!(suite.read("report.csv").contains(",true\n"));
}
