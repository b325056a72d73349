//! Whatever is killed, nothing is left: no process, no folder.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]
#![expect(clippy::cast_possible_wrap, reason = "process numbers are small")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use jury::sandbox::{Level, Options, Pair, Ran, Sandbox, Spec};
use rustix::process::{Pid, Signal, kill_process};

const MARK: &str = "JURY_DEATH_MARK";

fn level(name: &str) -> Level {
    match name {
        "none" => Level::None,
        "basic" => Level::Basic,
        _ => Level::Strict,
    }
}

/// The judge that is killed: this program again, in one long run.
#[test]
#[ignore = "started by the other tests"]
fn judge() {
    let Some(mark) = std::env::var_os(MARK) else { return };
    let scratch = PathBuf::from(std::env::var_os("JURY_DEATH_SCRATCH").unwrap());
    let name = std::env::var("JURY_DEATH_LEVEL").unwrap();
    let options =
        Options { runner: env!("CARGO_BIN_EXE_jury").into(), scratch, ..Options::default() };
    let sandbox = Sandbox::open(level(&name), 2, &options).unwrap();
    let mut spec = Spec::new(["/bin/sh", "-c", "echo x > file; sleep 50 & sleep 51"]);
    spec.environment = vec![(MARK.into(), mark), ("PATH".into(), "/usr/bin:/bin".into())];
    spec.limits.processes = 16;
    spec.limits.wall = Duration::from_mins(1);
    if std::env::var_os("JURY_DEATH_PAIR").is_none() {
        let _ = sandbox.run(1, &spec);
        return;
    }
    let wall = spec.limits.wall;
    let (solution, interactor, settles) = (&spec, &spec, &|_: &mut Ran, _| false);
    let pair = Pair { solution, interactor, wall, settles, transcript: None };
    let _ = sandbox.run_pair([1, 0], &pair);
}

struct Scene {
    judge: Child,
    scratch: tempfile::TempDir,
    mark: String,
    programs: usize,
}

impl Scene {
    /// Starts a judge and waits until its run goes on; none when there is no such level.
    fn new(level_name: &str, what: &str) -> Option<Self> {
        Self::of(level_name, what, 1)
    }

    /// The same with so many programs at once: one, or two that are joined.
    fn of(level_name: &str, what: &str, programs: usize) -> Option<Self> {
        let scratch = tempfile::Builder::new().prefix("jury-death-").tempdir().unwrap();
        fs::set_permissions(scratch.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let mark = format!("{what}-{level_name}-{}", std::process::id());
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "judge", "--ignored"])
            .env(MARK, &mark)
            .env("JURY_DEATH_SCRATCH", scratch.path())
            .env("JURY_DEATH_LEVEL", level_name)
            .envs((programs > 1).then_some(("JURY_DEATH_PAIR", "1")))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[expect(clippy::disallowed_methods, reason = "the judge that is killed")]
        let judge = command.spawn().unwrap();
        let mut scene = Self { judge, scratch, mark, programs };
        if scene.await_run() {
            return Some(scene);
        }
        println!("skipped: {level_name}");
        None
    }

    /// Waits for the two sleeping processes of each program; false when the judge has ended before.
    fn await_run(&mut self) -> bool {
        loop {
            if self.marked().len() >= 3 * self.programs {
                return true;
            }
            if self.judge.try_wait().unwrap().is_some() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Processes of the run: the judge has the mark too, and is left out.
    fn marked(&self) -> Vec<i32> {
        let own = self.judge.id() as i32;
        pids().filter(|&pid| pid != own && contains(pid, &self.mark)).collect()
    }

    /// The runner that has the run below it: its outer and its inner process.
    fn runner(&self) -> (i32, i32) {
        let run = self.marked();
        let judge = self.judge.id() as i32;
        for outer in pids().filter(|&pid| parent(pid) == Some(judge)) {
            for inner in pids().filter(|&pid| parent(pid) == Some(outer)) {
                if run.iter().any(|&pid| parent(pid) == Some(inner)) {
                    return (outer, inner);
                }
            }
        }
        panic!("no runner of {run:?}");
    }

    /// Nothing is left after a second or two.
    fn nothing_is_left(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(3);
        loop {
            let left = self.marked();
            let folders = folders(self.scratch.path());
            let groups = groups(&format!("jury-{}-", self.judge.id()));
            if left.is_empty() && folders == 0 && groups.is_empty() {
                return;
            }
            let mark = &self.mark;
            assert!(Instant::now() < deadline, "{mark}: {left:?}, {folders} folders, {groups:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.judge.kill();
        let _ = self.judge.wait();
    }
}

/// Folders and files below a folder.
fn folders(path: &Path) -> usize {
    let Ok(entries) = fs::read_dir(path) else { return 0 };
    entries.flatten().map(|entry| 1 + folders(&entry.path())).sum()
}

/// Control groups whose names begin so.
fn groups(prefix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut next = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = next.pop() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            if entry.file_name().to_string_lossy().starts_with(prefix) {
                found.push(entry.path());
            }
            next.push(entry.path());
        }
    }
    found
}

fn pids() -> impl Iterator<Item = i32> {
    let names = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str().and_then(|name| name.parse().ok()))
}

fn contains(pid: i32, mark: &str) -> bool {
    let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environ.windows(mark.len()).any(|window| window == mark.as_bytes())
}

fn parent(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
}

fn kill(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn a_killed_judge_leaves_nothing() {
    for level in ["none", "basic", "strict"] {
        let Some(mut scene) = Scene::new(level, "judge") else { continue };
        scene.judge.kill().unwrap();
        scene.judge.wait().unwrap();
        scene.nothing_is_left();
    }
}

#[test]
fn a_killed_inner_runner_leaves_nothing_and_its_run_is_repeated_once() {
    for level in ["none", "basic", "strict"] {
        let Some(mut scene) = Scene::new(level, "inner") else { continue };
        kill(scene.runner().1);
        std::thread::sleep(Duration::from_millis(300));
        assert!(scene.await_run(), "{level}: the run was not repeated");
        kill(scene.runner().1);
        scene.judge.wait().unwrap();
        scene.nothing_is_left();
    }
}

#[test]
fn of_two_joined_programs_nothing_is_left_either() {
    for level in ["none", "basic", "strict"] {
        let Some(mut scene) = Scene::of(level, "pair", 2) else { continue };
        scene.judge.kill().unwrap();
        scene.judge.wait().unwrap();
        scene.nothing_is_left();
        let Some(mut scene) = Scene::of(level, "half", 2) else { continue };
        kill(scene.runner().1);
        std::thread::sleep(Duration::from_millis(300));
        assert!(scene.await_run(), "{level}: the talk was not repeated");
        kill(scene.runner().1);
        scene.judge.wait().unwrap();
        scene.nothing_is_left();
    }
}

#[test]
fn a_killed_outer_runner_leaves_nothing_in_namespaces() {
    let Some(mut scene) = Scene::new("strict", "outer") else { return };
    kill(scene.runner().0);
    std::thread::sleep(Duration::from_millis(300));
    assert!(scene.await_run(), "the run was not repeated");
    kill(scene.runner().0);
    scene.judge.wait().unwrap();
    scene.nothing_is_left();
}
