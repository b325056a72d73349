//! Programs that misbehave, at every level that the machine gives: each gets the verdict it
//! deserves, and nothing outside its run has changed afterwards.
//!
//! `tests/hostile/expect.csv` says what each does. `JURY_HOSTILE=FOLDER` takes another folder of
//! the same form, `JURY_HOSTILE_ONLY=PART` only names with that part; a table is printed.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jury::sandbox::Level;

use world::{Verdict, World};

#[path = "hostile/world.rs"]
mod world;

/// One row of the table.
#[derive(Debug, Clone)]
struct Row {
    file: String,
    kind: String,
    test: String,
    right: Vec<String>,
    least: Level,
}

impl Row {
    /// The numbers of processes to try it with: threads only, and where it matters some.
    fn processes(&self) -> &'static [u32] {
        let tree = ["process", "accounting", "memory", "kernel"].contains(&self.kind.as_str());
        if tree { &[0, 32] } else { &[0] }
    }

    fn is_for_compiler(&self) -> bool {
        self.kind == "compile" || self.file.starts_with("compile/") || self.right == ["CE"]
    }
}

fn folder() -> PathBuf {
    std::env::var_os("JURY_HOSTILE").map_or_else(|| "tests/hostile".into(), PathBuf::from)
}

fn rows() -> Vec<Row> {
    let only = std::env::var("JURY_HOSTILE_ONLY").unwrap_or_default();
    let mut reader = csv::Reader::from_path(folder().join("expect.csv")).unwrap();
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        let mut right = vec![record[3].to_owned()];
        right.extend(record[4].split(';').filter(|v| !v.is_empty()).map(str::to_owned));
        let least = match &record[5] {
            "none" => Level::None,
            "basic" => Level::Basic,
            "strict" => Level::Strict,
            // Needs a control group that counts memory: without one it is shown, not judged.
            _ => Level::Auto,
        };
        Row { file: record[0].into(), kind: record[1].into(), test: record[2].into(), right, least }
    });
    rows.filter(|row| row.test != "interactive" && row.file.contains(&only)).collect()
}

fn rank(level: Level) -> u8 {
    match level {
        Level::None => 0,
        Level::Basic => 1,
        Level::Strict => 2,
        Level::Auto => 3,
    }
}

/// Runs one row; the verdict of the last run and every broken promise.
fn run(world: &mut World, row: &Row, processes: u32) -> Option<(Verdict, Vec<String>)> {
    let before = world.state();
    let program = match world.build(&folder().join(&row.file), row.is_for_compiler()) {
        Ok(program) => program,
        Err(world::NotBuilt::Skipped(reason)) => {
            println!("skipped: {}: {reason}", row.file);
            return None;
        }
        Err(world::NotBuilt::Refused(ran)) => {
            return Some((Verdict::CompileError, world.check(&before, &ran)));
        }
    };
    let tests: &[&str] = match row.test.as_str() {
        "secret" => &["secret"],
        "1+big" => &["1", "big"],
        "twice" | "pair" => &["1", "1"],
        _ => &["1"],
    };
    let mut broken = Vec::new();
    let mut verdict = Verdict::Accepted;
    for test in tests {
        let ran = world.run(&program, test, processes);
        broken.extend(world.check(&before, &ran));
        verdict = ran.verdict;
        if std::env::var_os("JURY_HOSTILE_ONLY").is_some() {
            println!("{:?} cpu {:?} wall {:?}", ran.ran.ended, ran.ran.cpu(), ran.ran.wall);
        }
    }
    let honest = world.honest();
    if honest.verdict != Verdict::Accepted {
        broken.push(format!("I7: an honest program got {:?}", honest.ran));
    }
    Some((verdict, broken))
}

/// The levels take turns, since each looks at what is left in this process and on the machine.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn all_at(level: Level) {
    let _turn = turn();
    let Some(mut world) = World::new(level) else { return };
    println!("level {}", world.sandbox.report());
    let mut faults = Vec::new();
    for row in rows() {
        let counted = row.least == Level::Auto && world.counts_memory();
        let judged = counted || rank(row.least) <= rank(level);
        if !judged && (row.least != Level::Auto || level != Level::Strict) {
            println!("{:<32} {:<8} unprotected at this level", row.file, world.name());
            continue;
        }
        for &processes in row.processes() {
            let is_right = |verdict: Verdict| row.right.iter().any(|name| name == verdict.name());
            let Some((mut verdict, mut broken)) = run(&mut world, &row, processes) else {
                continue;
            };
            // On a busy machine the elapsed time can be over before the CPU time is used.
            if verdict == Verdict::Time && !is_right(verdict) && broken.is_empty() {
                (verdict, broken) = run(&mut world, &row, processes).unwrap();
            }
            let right = is_right(verdict);
            let note = if right && broken.is_empty() { "ok" } else { "FAULT" };
            println!(
                "{:<32} {:<8} p{processes:<2} {:<4} of {:<14} {note} {}",
                row.file,
                world.name(),
                verdict.name(),
                row.right.join(";"),
                broken.join("; ")
            );
            if note != "ok" && judged {
                faults.push(format!("{} p{processes}: {} {broken:?}", row.file, verdict.name()));
            }
        }
    }
    faults.extend(world.end());
    assert_eq!(faults, [] as [String; 0], "level {level:?}");
}

#[test]
fn at_none() {
    all_at(Level::None);
}

#[test]
fn at_basic() {
    all_at(Level::Basic);
}

#[test]
fn at_strict() {
    all_at(Level::Strict);
}

/// If these were contained without protection, the tests above would prove nothing.
#[test]
fn without_protection_they_escape() {
    let _turn = turn();
    let Some(mut world) = World::new(Level::None) else { return };
    let names = ["steal_answer.py", "write_outside.py", "mark_for_later.py"];
    let mut blind = Vec::new();
    for row in rows().iter().filter(|row| names.iter().any(|name| row.file.ends_with(name))) {
        let Some((verdict, broken)) = run(&mut world, row, 0) else { continue };
        if broken.is_empty() && verdict == Verdict::Accepted && row.test != "secret" {
            blind.push(row.file.clone());
        }
        if row.test == "secret" && verdict != Verdict::Accepted {
            blind.push(row.file.clone());
        }
        world.tidy();
    }
    assert_eq!(blind, [] as [String; 0]);
}

#[test]
fn the_table_names_every_program() {
    let listed: Vec<String> = rows().into_iter().map(|row| row.file).collect();
    for file in &listed {
        assert!(Path::new(&folder()).join(file).exists(), "{file}");
    }
}
