//! Many runs in one process: nothing may grow and nothing may be left.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::measure::{children, start, status};
use crate::work::{Case, Programs};
use crate::{place, words};

/// What a judge and its runners hold.
#[derive(Debug, Default, Clone, Copy)]
struct Held {
    judge_files: usize,
    runner_files: usize,
    judge_kib: u64,
    runner_kib: u64,
    zombies: usize,
    boxes: usize,
}

fn held(judge: u32, tmp: &Path) -> Held {
    let files = |pid: u32| fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let outer = children(judge);
    let inner: Vec<u32> = outer.iter().flat_map(|&pid| children(pid)).collect();
    let below: Vec<u32> = inner.iter().flat_map(|&pid| children(pid)).collect();
    let runners = || outer.iter().chain(&inner).copied();
    let is_zombie = |&pid: &u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        text.contains("State:\tZ")
    };
    Held {
        judge_files: files(judge),
        runner_files: runners().map(files).max().unwrap_or(0),
        judge_kib: status(judge, "VmRSS:"),
        runner_kib: runners().map(|pid| status(pid, "VmRSS:")).max().unwrap_or(0),
        zombies: runners().chain(below).filter(is_zombie).count(),
        boxes: fs::read_dir(tmp).map_or(0, Iterator::count),
    }
}

/// Finished runs, by the lines of the journal.
fn done(folder: &Path) -> usize {
    let journal = fs::read(folder.join(".jury/journal.jsonl")).unwrap_or_default();
    memchr::memchr_iter(b'\n', &journal).count()
}

/// Runs right, wrong and crashing programs so many times and prints what is held early and late.
pub(crate) fn soak(programs: &Programs, folder: &Path, runs: usize) {
    let place = place(folder, "soak");
    let cases = Case::sums(&place, runs.div_ceil(3));
    let mut command = words(Path::new(env!("CARGO_BIN_EXE_jury")), &["grade", "."]);
    for name in ["add", "wrong", "crash"] {
        command.push(programs.path(name).display().to_string());
    }
    let rest = ["--all-cases", "--jobs", "2", "--no-config", "--progress", "none", "--no-report"];
    command.extend(rest.map(str::to_owned));
    let runs = 3 * cases.names.len();
    let mut child = start(&command, &place);
    let (mut early, mut late) = (None, Held::default());
    while child.try_wait().is_ok_and(|ended| ended.is_none()) {
        let now = held(child.id(), &place.tmp);
        // What is looked at while it ends is no measure.
        if now.runner_files > 0 {
            late = now;
        }
        if done(&place.folder) >= runs / 10 {
            early.get_or_insert(late);
        }
        sleep(Duration::from_millis(50));
    }
    let made = done(&place.folder).saturating_sub(1);
    let left = fs::read_dir(&place.tmp).map_or(0, Iterator::count);
    println!("\nsoak: {made} of {runs} runs finished, {left} temporary folders left");
    let early = early.unwrap_or_default();
    for (name, held) in [("after a tenth", early), ("at the end", late)] {
        println!(
            "{name:14} descriptors: judge {}, runner {}; memory: judge {} KiB, runner {} KiB; \
             zombies {}, folders {}",
            held.judge_files,
            held.runner_files,
            held.judge_kib,
            held.runner_kib,
            held.zombies,
            held.boxes
        );
    }
}
