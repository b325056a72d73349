//! `jury grade` against the floor of the same work: each program started with files as stdin and
//! stdout, waited for, its output compared with memcmp (`floor.c`, built by `cc`). Rounds are
//! interleaved; the figures are medians of ratios inside one round.
//!
//! `cargo bench --bench grade -- [--scale S] [--rounds N] [--works W1,W4] [--soak RUNS]`: works W1
//! to W5 at full size (scale 1), 3 rounds; a soak of so many runs, 0 for none (default 10000).

#![expect(clippy::print_stdout, reason = "a bench prints its tables")]
#![expect(clippy::disallowed_methods, reason = "a bench starts what it measures")]

use std::path::{Path, PathBuf};
use std::process::Command;

use measure::{Measured, Place};
use work::{Programs, Work};

mod measure;
mod soak;
mod work;

/// What is asked for.
struct Wishes {
    scale: f64,
    rounds: usize,
    works: String,
    soak: usize,
}

fn main() {
    let wishes = wishes();
    let folder = tempfile::tempdir().expect("a temporary folder");
    open(folder.path());
    let programs = Programs::build(folder.path());
    println!("scale {}, {} interleaved rounds, medians", wishes.scale, wishes.rounds);
    for work in work::all(&programs, folder.path(), wishes.scale) {
        if wishes.works.is_empty() || wishes.works.split(',').any(|name| name == work.name) {
            compare(&work, &programs, wishes.rounds);
        }
    }
    if wishes.soak > 0 {
        soak::soak(&programs, folder.path(), wishes.soak);
    }
}

fn wishes() -> Wishes {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let number = |name: &str, otherwise: f64| {
        value(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    #[expect(clippy::cast_sign_loss, reason = "numbers of rounds and runs are above 0")]
    let whole = |name: &str, otherwise: f64| number(name, otherwise) as usize;
    Wishes {
        scale: number("--scale", 1.0),
        rounds: whole("--rounds", 3.0),
        works: value("--works").unwrap_or_default(),
        soak: whole("--soak", 10_000.0),
    }
}

/// Lets the users that runs go under enter the folder.
fn open(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder, mode).expect("an own folder");
}

/// The ways in which a work is run: name, level (none is the floor), jobs.
const WAYS: [(&str, Option<&str>, usize); 6] = [
    ("floor j1", None, 1),
    ("floor j2", None, 2),
    ("none j1", Some("none"), 1),
    ("basic j1", Some("basic"), 1),
    ("strict j1", Some("strict"), 1),
    ("strict j2", Some("strict"), 2),
];

fn compare(work: &Work, programs: &Programs, rounds: usize) {
    let mut ways: Vec<Vec<Measured>> = vec![Vec::new(); WAYS.len()];
    for _ in 0..rounds {
        for ((_, level, jobs), measured) in WAYS.iter().zip(&mut ways) {
            let command = match level {
                None => work.floor(programs, *jobs),
                Some(level) => work.jury(level, *jobs),
            };
            measured.extend(measure::metered(&programs.floor, &command, &work.place));
        }
    }
    println!("\n{}: {}", work.name, work.what);
    println!(
        "{:10} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "", "wall s", "x floor", "CPU s", "x floor", "ms/run"
    );
    for ((name, level, jobs), measured) in WAYS.iter().zip(&ways) {
        if measured.len() < rounds {
            println!("{name:10} skipped: it does not run here");
            continue;
        }
        let base = &ways[usize::from(level.is_some() && *jobs == 2)];
        let ratio = |of: fn(&Measured) -> f64| {
            measure::median(measured.iter().zip(base).map(|(one, floor)| of(one) / of(floor)))
        };
        let middle = |of: fn(&Measured) -> f64| measure::median(measured.iter().map(of));
        println!(
            "{name:10} {:>9.3} {:>9.2} {:>9.3} {:>9.2} {:>9.3}",
            middle(|one| one.wall),
            ratio(|one| one.wall),
            middle(|one| one.cpu),
            ratio(|one| one.cpu),
            1000.0 * middle(|one| one.wall) / work.runs as f64,
        );
    }
    gain(&ways);
    work.late();
    let memory = measure::peaks(&work.jury("strict", 2), &work.place);
    println!("peak memory with two jobs: jury {} KiB, runner {} KiB", memory.judge, memory.runner);
}

/// How much two jobs gain.
fn gain(ways: &[Vec<Measured>]) {
    let gain = |one: usize, two: usize| {
        measure::median(ways[one].iter().zip(&ways[two]).map(|(one, two)| one.wall / two.wall))
    };
    println!("gain of two jobs: floor {:.2}, strict {:.2}", gain(0, 1), gain(4, 5));
}

/// A command with its arguments.
fn words(program: &Path, arguments: &[&str]) -> Vec<String> {
    let program = program.display().to_string();
    [program].into_iter().chain(arguments.iter().map(|&word| word.to_owned())).collect()
}

/// Builds a C program.
fn build(source: &str, target: &Path, options: &[String]) -> PathBuf {
    let file = target.with_extension("c");
    std::fs::write(&file, source).expect("a source file");
    let status =
        Command::new("cc").arg("-O2").args(options).arg("-o").arg(target).arg(&file).status();
    assert!(status.is_ok_and(|status| status.success()), "cc is needed");
    target.to_owned()
}

/// The place where a work is run.
fn place(folder: &Path, name: &str) -> Place {
    let place = Place { folder: folder.join(name), tmp: folder.join(format!("{name}-tmp")) };
    std::fs::create_dir_all(&place.tmp).expect("a new folder");
    std::fs::create_dir_all(&place.folder).expect("a new folder");
    place
}
