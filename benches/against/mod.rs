//! CPU times of whole processes on one file, taken in turn.

use std::fs::{self, File};
use std::io;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Runs of the fast programs; the other one runs once for every [`TURNS_EACH`] of them.
const TURNS: usize = 30;
const TURNS_EACH: usize = 6;

/// Prints how the solver compares with `cat` and with a program, all on the same file.
pub(crate) fn compare(program: &str, file: &str) -> io::Result<()> {
    let mut solver = Command::new(env!("CARGO_BIN_EXE_jury"));
    solver.args(["solve", "ali-baba", file]);
    let mut cat = Command::new("cat");
    cat.arg(file);
    let mut other = Command::new(program);
    let (mut solver_times, mut cat_times, mut other_times) = (vec![], vec![], vec![]);
    let (mut cat_ratios, mut other_ratios) = (vec![], vec![]);
    for turn in 0..=TURNS {
        let time = cpu_time(&mut solver)?;
        let cat = cpu_time(&mut cat)?;
        // The first turn warms the caches.
        if turn == 0 {
            continue;
        }
        solver_times.push(time);
        cat_times.push(cat);
        cat_ratios.push(cat / time);
        if turn % TURNS_EACH == 0 {
            let other = cpu_time(other.stdin(File::open(file)?))?;
            other_times.push(other);
            other_ratios.push(other / time);
        }
    }
    println!("{:12} {:>5} {:>10} {:>14}", "process", "runs", "CPU ms", "ratio to jury");
    for (name, times, ratios) in [
        ("jury", &mut solver_times, &mut vec![1.0]),
        ("cat", &mut cat_times, &mut cat_ratios),
        ("reference", &mut other_times, &mut other_ratios),
    ] {
        let (time, ratio) = (median(times), median(ratios));
        println!("{name:12} {:>5} {:>10.2} {ratio:>14.2}", times.len(), time * 1e3);
    }
    Ok(())
}

/// Seconds of CPU time of a whole process, system calls included.
#[expect(clippy::disallowed_methods, reason = "the bench times programs as a whole")]
fn cpu_time(command: &mut Command) -> io::Result<f64> {
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let folder = format!("/proc/{}", child.id());
    // A process that has ended stays readable until it is waited for.
    while !has_ended(&fs::read_to_string(format!("{folder}/stat"))?) {
        thread::sleep(Duration::from_micros(500));
    }
    let times = fs::read_to_string(format!("{folder}/schedstat"))?;
    let status = child.wait()?;
    if !status.success() {
        return Err(io::Error::other(format!("{command:?}: {status}")));
    }
    let nanoseconds = times.split(' ').next().and_then(|time| time.parse::<f64>().ok());
    nanoseconds.map(|time| time / 1e9).ok_or_else(|| io::Error::other("no CPU time"))
}

/// Whether a line of `/proc/PID/stat` is of a process that has ended.
fn has_ended(stat: &str) -> bool {
    stat.rsplit(')').next().is_some_and(|state| state.starts_with(" Z"))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
