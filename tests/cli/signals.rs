//! A run that is stopped in the middle: what is done is reported, nothing is left behind.

use std::io::{BufRead, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

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

/// Starts a run, waits until its first case is done, and sends it a signal.
fn stopped(suite: &Suite, signal: &str) -> (Child, String) {
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
    kill(&child, signal);
    std::io::copy(&mut events, &mut std::io::sink()).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child, err)
}

#[test]
fn the_first_signal_lets_running_cases_end_and_writes_every_report() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let suite = slow_suite();
        let (mut child, err) = stopped(&suite, signal);
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

/// A board that takes seconds.
fn large_board() -> String {
    let mut random = jury::random::Random::new(1);
    let mut board = String::from("5000 5000\n");
    for _ in 0..5000 {
        board.extend((0..5000).map(|_| if random.percent(5) { '#' } else { '.' }));
        board.push('\n');
    }
    board
}

fn kill(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
}

/// The last line that the program has printed so far.
fn next_line(from: &mut impl BufRead) -> String {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    line
}

#[test]
fn a_second_signal_gives_up_the_running_case_and_writes_the_reports() {
    let suite = Suite::new()
        .file("input/jsoi-game/1.in", large_board())
        .file("expected/jsoi-game/1.out", "LOSE\n");
    let mut child = suite
        .command(&["run", "--report", "csv=report.csv", "--report", "jsonl=-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut events = BufReader::new(child.stdout.take().unwrap());
    let mut err = BufReader::new(child.stderr.take().unwrap());
    assert!(next_line(&mut events).contains("run-started"));
    kill(&child, "INT");
    while !next_line(&mut err).starts_with("stopping: ") {}
    kill(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // No row: the case was given up, not waited for.
    assert_eq!(suite.read("report.csv").lines().count(), 1);
    assert!(next_line(&mut events).contains("\"interrupted\":true"));
}

#[test]
fn a_second_signal_ends_a_process_whose_reader_does_not_read() {
    let mut suite = Suite::new();
    for number in 0..2000 {
        suite = suite.file(&format!("input/jsoi-game/{number}.in"), "1 1\n.\n");
    }
    let mut child = suite
        .command(&["run", "--report", "jsonl=-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut events = child.stdout.take().unwrap();
    let mut byte = [0];
    events.read_exact(&mut byte).unwrap();
    for _ in 0..2 {
        kill(&child, "TERM");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(child.wait().unwrap().code(), Some(143));
}
