//! Times `jsoi-game` in-process: parse, analysis and the writing of the answer, one thread.
//!
//! Each row tells the time, the input bytes for each second, and the ratio to the time of the
//! random board with 5 % walls of the same size.
//!
//! `cargo bench --bench jsoi_game -- [--family NAME] [--size ROWSxCOLUMNS] [--walls PERCENT]
//! [--strategy adaptive|search|push-relabel] [--rounds N] [--huge] [--output]`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its table")]

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use jury::solvers::Options;
use jury::solvers::jsoi_game::{Analysis, Strategy, analyse_by, answer, parse};

#[path = "boards/jsoi_game.rs"]
mod boards;

use boards::{FAMILIES, Family, make};

/// Boards above so many cells are measured once.
const LARGE: usize = 2_000_000;

/// The share of walls of the random boards with which all others are compared.
const USUAL: u64 = 5;

/// What to measure.
#[derive(Default)]
struct Choice {
    family: Option<String>,
    size: Option<(usize, usize)>,
    walls: Option<u64>,
    strategy: Strategy,
    rounds: Option<u32>,
    huge: bool,
    output: bool,
}

fn main() -> ExitCode {
    match choice() {
        Ok(choice) if choice.output => output(),
        Ok(choice) => table(&choice),
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn choice() -> Result<Choice, String> {
    let mut choice = Choice::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--family" => choice.family = Some(value()?),
            "--size" => choice.size = Some(size(&value()?)?),
            "--walls" => choice.walls = Some(number(&value()?)?),
            "--rounds" => choice.rounds = Some(number(&value()?)? as u32),
            "--strategy" => choice.strategy = strategy(&value()?)?,
            "--huge" => choice.huge = true,
            "--output" => choice.output = true,
            "--bench" => {}
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(choice)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let (rows, columns) = text.split_once('x').ok_or_else(|| format!("not a size: {text}"))?;
    Ok((number(rows)? as usize, number(columns)? as usize))
}

fn strategy(text: &str) -> Result<Strategy, String> {
    match text {
        "adaptive" => Ok(Strategy::Adaptive),
        "search" => Ok(Strategy::Search),
        "push-relabel" => Ok(Strategy::PushRelabel),
        _ => Err(format!("unknown strategy {text}")),
    }
}

/// The CPU time of this thread.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The times of one solve.
#[derive(Clone, Copy)]
struct Times {
    parse: Duration,
    analyse: Duration,
    answer: Duration,
}

impl Times {
    fn total(self) -> Duration {
        self.parse + self.analyse + self.answer
    }
}

/// Counts the bytes that it is given.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn solve(text: &[u8], strategy: Strategy) -> (Times, Analysis, u64) {
    let start = cpu();
    let board = parse(&mut &*text, Options::default()).expect("a well-formed board");
    let parsed = cpu();
    let analysis = analyse_by(board, strategy).expect("memory for the board");
    let analysed = cpu();
    let mut counter = Counter(0);
    answer(&analysis, &mut counter).expect("a counter takes everything");
    let times = Times {
        parse: parsed.saturating_sub(start),
        analyse: analysed.saturating_sub(parsed),
        answer: cpu().saturating_sub(analysed),
    };
    (times, analysis, counter.0)
}

/// One row for each family, size and share of walls.
fn table(choice: &Choice) {
    println!(
        "{:<20} {:>11} {:>6} {:>9} {:>8} {:>6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "family",
        "size",
        "walls",
        "ms",
        "ns/cell",
        "GB/s",
        "ratio",
        "parse",
        "analyse",
        "answer",
        "pairs",
        "winners"
    );
    let sizes: &[(usize, usize)] = match (choice.size, choice.huge) {
        (Some(size), _) => &[size],
        (None, true) => &[(10_000, 10_000)],
        (None, false) => &[(100, 100), (1000, 1000), (4000, 4000)],
    };
    for &size in sizes {
        let random = measure(choice, size, &FAMILIES[0], USUAL).total();
        for family in FAMILIES {
            if choice.family.as_ref().is_none_or(|name| name == family.name) {
                for walls in shares(choice, size, family) {
                    let row = measure(choice, size, family, walls);
                    row.print(size, (family, walls), random);
                }
            }
        }
    }
    println!("CPU time of this thread; peak memory of the process: {}", peak());
}

/// The shares of walls that are measured for a family; few or none of them on large boards.
fn shares(choice: &Choice, size: (usize, usize), family: &Family) -> Vec<u64> {
    let random = family.name == "random";
    match choice.walls {
        Some(walls) => vec![walls],
        None if choice.huge && choice.family.is_none() => {
            if random {
                vec![30]
            } else {
                vec![]
            }
        }
        None if size.0 * size.1 > LARGE && random => vec![0, 2, 5, 10, 20, 30, 50],
        None => family.walls.to_vec(),
    }
}

/// What was measured of one board.
struct Row {
    times: Times,
    bytes: usize,
    pairs: u64,
    winners: u64,
}

/// The median of the rounds by total time.
fn measure(choice: &Choice, (rows, columns): (usize, usize), family: &Family, walls: u64) -> Row {
    let text = make(family, rows, columns, walls, 1);
    let cells = rows * columns;
    let default = if cells > LARGE { 1 } else { (3_000_000 / cells).clamp(3, 101) as u32 };
    let rounds = choice.rounds.unwrap_or(default).max(1);
    let mut runs: Vec<_> = (0..rounds)
        .map(|_| {
            let (times, analysis, _) = solve(&text, choice.strategy);
            (times, analysis.pairs(), analysis.winners())
        })
        .collect();
    runs.sort_by_key(|run| run.0.total());
    let (times, pairs, winners) = runs[runs.len() / 2];
    Row { times, bytes: text.len(), pairs, winners }
}

impl Row {
    fn total(&self) -> f64 {
        self.times.total().as_secs_f64()
    }

    /// One line; `random` is the time of the usual random board of this size.
    fn print(&self, (rows, columns): (usize, usize), (family, walls): (&Family, u64), random: f64) {
        let each = |time: Duration| time.as_secs_f64() * 1e9 / (rows * columns) as f64;
        println!(
            "{:<20} {:>11} {walls:>6} {:>9.3} {:>8.1} {:>6.3} {:>6.2} {:>8.2} {:>8.2} {:>8.2} {:>9} {:>9}",
            family.name,
            format!("{rows}x{columns}"),
            self.total() * 1e3,
            each(self.times.total()),
            self.bytes as f64 / self.total() / 1e9,
            self.total() / random,
            each(self.times.parse),
            each(self.times.analyse),
            each(self.times.answer),
            self.pairs,
            self.winners,
        );
    }
}

/// The writing of the winners of an empty odd board.
fn output() {
    let text = make(&FAMILIES[0], 4001, 4001, 0, 1);
    for _ in 0..5 {
        let (times, _, bytes) = solve(&text, Strategy::Adaptive);
        let seconds = times.answer.as_secs_f64();
        println!(
            "answer: {bytes} bytes in {:.1} ms, {:.2} GB/s",
            seconds * 1e3,
            bytes as f64 / seconds / 1e9
        );
    }
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
