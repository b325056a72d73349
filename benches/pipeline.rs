//! `jury run` on many tiny cases against a bare loop over the same files: read both files, solve,
//! compare. Prints seconds, microseconds per case, the ratio, and the greatest memory.
//!
//! `cargo bench --bench pipeline -- [CASES]` (default 100,000). Runs alternate; medians count.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury::random::Random;
use jury::solvers::{self, Options};

const ROUNDS: usize = 5;

fn main() {
    let cases = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let cases = cases.unwrap_or(100_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = write_suite(folder.path(), cases);
    println!("{cases} cases; medians of {ROUNDS} alternating runs");
    let mut bare = Vec::new();
    let mut one = Vec::new();
    let mut two = Vec::new();
    for _ in 0..ROUNDS {
        bare.push(bare_loop(&files));
        one.push(jury(folder.path(), "1"));
        two.push(jury(folder.path(), "2"));
    }
    let bare = median(bare);
    row("bare loop", bare, cases, bare);
    row("jury run --jobs 1", median(one), cases, bare);
    row("jury run --jobs 2", median(two), cases, bare);
    match memory(folder.path()) {
        Some(kilobytes) => println!(
            "greatest memory {} MB, {:.2} kB/case",
            kilobytes / 1024,
            kilobytes as f64 / cases as f64
        ),
        None => println!("greatest memory: not measured (/usr/bin/time is not installed)"),
    }
}

/// Tiny boards of both games with right answers; returns solver, input and answer of each.
fn write_suite(folder: &Path, cases: usize) -> Vec<(&'static str, PathBuf, PathBuf)> {
    let mut random = Random::new(1);
    let mut files = Vec::with_capacity(cases);
    for number in 0..cases {
        let problem = ["ali-baba", "jsoi-game"][number % 2];
        let chunk = number / 2 / 1000;
        let path = |folder_name: &str, extension: &str| {
            folder.join(format!("{folder_name}/{problem}/{chunk}/{number}.{extension}"))
        };
        let (input, expected) = (path("input", "in"), path("expected", "out"));
        if number / 2 % 1000 == 0 {
            for path in [&input, &expected] {
                fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            }
        }
        let board = if problem == "ali-baba" { stones(&mut random) } else { walls(&mut random) };
        let mut answer = Vec::new();
        let solver = solvers::find(problem).expect("a known solver");
        solver
            .solve(&mut board.as_bytes(), &mut answer, Options::default())
            .expect("a valid board");
        fs::write(&input, board).expect("a written input");
        fs::write(&expected, answer).expect("a written answer");
        files.push((problem, input, expected));
    }
    files
}

fn stones(random: &mut Random) -> String {
    let treasure = random.below(16);
    let mut board = String::from("4 4\n");
    for cell in 0..16 {
        let stone = random.below(4).to_string();
        board += if cell == treasure { "-1" } else { &stone };
        board += if cell % 4 == 3 { "\n" } else { " " };
    }
    board
}

fn walls(random: &mut Random) -> String {
    let mut board = String::from("5 5\n");
    for _ in 0..5 {
        board.extend((0..5).map(|_| if random.percent(30) { '#' } else { '.' }));
        board.push('\n');
    }
    board
}

fn bare_loop(files: &[(&'static str, PathBuf, PathBuf)]) -> Duration {
    let start = Instant::now();
    let mut equal = 0;
    let mut got = Vec::new();
    for (problem, input, answer) in files {
        let input = fs::read(input).expect("a readable input");
        let expected = fs::read(answer).expect("a readable answer");
        got.clear();
        let solver = solvers::find(problem).expect("a known solver");
        solver.solve(&mut input.as_slice(), &mut got, Options::default()).expect("a valid board");
        equal += usize::from(got == expected);
    }
    assert_eq!(equal, files.len());
    start.elapsed()
}

#[expect(clippy::disallowed_methods, reason = "the bench times the program as a whole")]
fn jury(folder: &Path, jobs: &str) -> Duration {
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["run", "--jobs", jobs, "-q"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("a run");
    assert!(status.success());
    start.elapsed()
}

/// Peak resident memory of a run in kB.
#[expect(clippy::disallowed_methods, reason = "the bench measures the program as a whole")]
fn memory(folder: &Path) -> Option<u64> {
    let output = Command::new("/usr/bin/time")
        .args(["-f", "%M", env!("CARGO_BIN_EXE_jury"), "run", "-qq"])
        .current_dir(folder)
        .output()
        .ok()?;
    String::from_utf8_lossy(&output.stderr).trim().lines().last()?.parse().ok()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn row(name: &str, time: Duration, cases: usize, unit: Duration) {
    println!(
        "{name:20} {:6.2} s {:7.2} us/case {:5.2} x",
        time.as_secs_f64(),
        time.as_secs_f64() * 1e6 / cases as f64,
        time.as_secs_f64() / unit.as_secs_f64(),
    );
}
