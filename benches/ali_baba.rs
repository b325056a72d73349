//! Times the Ali and Baba solver: `cargo bench --bench ali_baba [-- OPTIONS]`.
//!
//! Without options it prints a table over families of boards; `--level portable|avx2|avx512`
//! takes weaker instructions, `--huge` adds 20000 x 20000 boards, `--write DIR` writes the inputs
//! as files, and a file name solves that file once and prints nothing but the answers.
//!
//! `--against PROGRAM FILE` compares whole processes on one file: `jury solve ali-baba FILE`,
//! `cat FILE`, and a program that reads the file from its standard input. Their CPU times, start
//! and end included, are taken in turn; the table has the medians and the ratios to `jury`, each
//! the median of the ratios of the turns. For example, on 200 boards (Linux only):
//!
//! ```text
//! cargo bench --bench ali_baba -- --write /tmp
//! cargo bench --bench ali_baba -- --against ./reference /tmp/random-70-299x300.in
//! ```

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "against/mod.rs"]
mod against;
#[path = "boards/ali_baba.rs"]
mod boards;

use std::fs::File;
use std::io::{self, Write as _};
use std::time::Duration;

use boards::{ALL, Family, make};
use jury::random::Random;
use jury::simd::Level;
use jury::solvers::Options;
use jury::solvers::ali_baba::solve_at;

struct Settings {
    level: Level,
    huge: bool,
    write: Option<String>,
    against: Option<String>,
    file: Option<String>,
}

fn main() -> io::Result<()> {
    let settings = settings();
    if let (Some(program), Some(path)) = (&settings.against, &settings.file) {
        return against::compare(program, path);
    }
    if let Some(path) = &settings.file {
        let mut answer = Vec::new();
        solve_at(settings.level, &mut File::open(path)?, &mut answer, Options::default())
            .map_err(io::Error::other)?;
        return io::stdout().write_all(&answer);
    }
    println!("level {:?}; least CPU time of several runs, text in memory", settings.level);
    println!("{:28} {:>10} {:>9} {:>9} {:>9}", "boards", "cells", "ms", "ns/cell", "GB/s");
    for &(name, family) in ALL {
        run(&settings, &format!("{name}-299x300"), family, (299, 300), 200)?;
    }
    for &(name, family) in ALL {
        run(&settings, &format!("{name}-2001x2001"), family, (2001, 2001), 1)?;
    }
    for family in [Family::Random(70), Family::Random(30), Family::Islands, Family::Hall] {
        run(&settings, &format!("{family:?}-5000x5000"), family, (5000, 5000), 1)?;
    }
    run(&settings, "tiny-4x5", Family::Random(50), (4, 5), 200)?;
    if settings.huge {
        for family in [Family::Random(70), Family::Hall] {
            run(&settings, &format!("{family:?}-20000x20000"), family, (20_000, 20_000), 1)?;
        }
    }
    Ok(())
}

fn settings() -> Settings {
    let mut settings =
        Settings { level: Level::detect(), huge: false, write: None, against: None, file: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--huge" => settings.huge = true,
            "--write" => settings.write = arguments.next(),
            "--against" => settings.against = arguments.next(),
            "--level" => {
                settings.level = match arguments.next().as_deref() {
                    Some("portable") => Level::Portable,
                    Some("avx2") => Level::Avx2,
                    _ => Level::Avx512,
                }
            }
            file => settings.file = Some(file.to_owned()),
        }
    }
    settings
}

/// CPU time of this thread so far.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::from_secs(time.tv_sec.unsigned_abs())
        + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}

/// Makes one text of several boards and solves it some times.
fn run(
    settings: &Settings,
    name: &str,
    family: Family,
    (rows, columns): (usize, usize),
    boards: usize,
) -> io::Result<()> {
    let mut random = Random::new(1);
    let mut text = Vec::new();
    for _ in 0..boards {
        make(family, rows, columns, 99, &mut random).write(&mut text);
    }
    if let Some(folder) = &settings.write {
        return std::fs::write(format!("{folder}/{name}.in"), &text);
    }
    let mut best = Duration::MAX;
    let mut cells = 0;
    for _ in 0..if text.len() > 200_000_000 { 3 } else { 9 } {
        let mut answer = Vec::new();
        let start = cpu_time();
        let solved =
            solve_at(settings.level, &mut text.as_slice(), &mut answer, Options::default())
                .map_err(io::Error::other)?;
        best = best.min(cpu_time().saturating_sub(start));
        cells = solved.cells;
    }
    let seconds = best.as_secs_f64();
    println!(
        "{name:28} {cells:>10} {:>9.3} {:>9.3} {:>9.2}",
        seconds * 1e3,
        seconds * 1e9 / cells as f64,
        text.len() as f64 / seconds / 1e9
    );
    Ok(())
}
