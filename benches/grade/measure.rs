//! Measures commands: elapsed and CPU time of a whole tree, peaks of memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Where a command runs.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Its working folder.
    pub(crate) folder: PathBuf,
    /// Its folder for temporary files.
    pub(crate) tmp: PathBuf,
}

/// One run of a command, in seconds.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

/// Peaks of resident memory in KiB.
#[derive(Debug, Default)]
pub(crate) struct Peaks {
    pub(crate) judge: u64,
    pub(crate) runner: u64,
}

fn command(words: &[String], place: &Place) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(&place.folder).env("TMPDIR", &place.tmp);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command under the meter; none when it does not work here.
pub(crate) fn metered(meter: &Path, words: &[String], place: &Place) -> Option<Measured> {
    let mut metered = vec![meter.display().to_string(), "meter".to_owned()];
    metered.extend(words.iter().cloned());
    let output = command(&metered, place).stdout(Stdio::piped()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The last line is that of the meter.
    let numbers: Vec<f64> =
        text.lines().last()?.split(' ').filter_map(|number| number.parse().ok()).collect();
    let [wall, cpu, _] = numbers[..] else { return None };
    Some(Measured { wall: wall / 1e6, cpu: cpu / 1e6 })
}

/// Starts a command.
pub(crate) fn start(words: &[String], place: &Place) -> Child {
    command(words, place).spawn().expect("a program that starts")
}

/// The peaks of the judge and of its runners, looked at every few milliseconds.
pub(crate) fn peaks(words: &[String], place: &Place) -> Peaks {
    let mut child = start(words, place);
    let mut peaks = Peaks::default();
    while child.try_wait().is_ok_and(|ended| ended.is_none()) {
        peaks.judge = peaks.judge.max(status(child.id(), "VmHWM:"));
        for outer in children(child.id()) {
            let inner = children(outer);
            let most = inner.into_iter().chain([outer]).map(|pid| status(pid, "VmHWM:")).max();
            peaks.runner = peaks.runner.max(most.unwrap_or(0));
        }
        sleep(Duration::from_millis(3));
    }
    peaks
}

/// A number of `/proc/PID/status`.
pub(crate) fn status(pid: u32, name: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The children of a process.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists: Vec<String> =
        tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect();
    let numbers = lists.iter().flat_map(|list| list.split_ascii_whitespace());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// The middle value.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
