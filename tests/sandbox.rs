//! The sandbox as the rest of the program sees it: honest programs, limits, what is reported.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]
#![expect(clippy::disallowed_methods, reason = "the program is tested from outside")]

use std::io::Read;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use jury::sandbox::{
    CgroupChoice, Collect, CopyIn, CpuSource, Ended, Input, Level, Limit, Options, Pair, Ran,
    Sandbox, SandboxError, Spec,
};

const LEVELS: [Level; 3] = [Level::None, Level::Basic, Level::Strict];

fn options() -> Options {
    Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() }
}

/// A sandbox at each level that the machine gives.
fn sandboxes() -> Vec<Sandbox> {
    let open = |level| match Sandbox::open(level, 1, &options()) {
        Ok(sandbox) => Some(sandbox),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    };
    LEVELS.into_iter().filter_map(open).collect()
}

fn shell(script: &str) -> Spec {
    let mut spec = Spec::new(["/bin/sh", "-c", script]);
    spec.environment.push(("PATH".into(), "/usr/bin:/bin".into()));
    spec
}

fn text(ran: &mut Ran) -> String {
    let mut text = String::new();
    ran.stdout.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn output_exit_code_and_stderr_come_back() {
    for sandbox in sandboxes() {
        let mut spec = shell("read x; echo \"got $x\"; echo problem >&2; exit 3");
        spec.stdin = Arc::new(Input::from_bytes(b"line\nmore\n").unwrap());
        let mut ran = sandbox.run(0, &spec).unwrap();
        let level = sandbox.report().short();
        assert_eq!(text(&mut ran), "got line\n", "{level}");
        assert_eq!(ran.ended, Ended::Exited(3), "{level}");
        assert_eq!(ran.stderr.head, b"problem\n", "{level}");
        assert!(ran.memory_peak < 8 << 20, "{level}: {} bytes", ran.memory_peak);
    }
}

#[test]
fn each_run_has_a_position_of_its_own_in_the_input() {
    let input = Arc::new(Input::from_bytes(b"first\nsecond\n").unwrap());
    for sandbox in sandboxes() {
        for _ in 0..3 {
            let mut spec = shell("read x; echo $x");
            spec.stdin = Arc::clone(&input);
            assert_eq!(text(&mut sandbox.run(0, &spec).unwrap()), "first\n");
        }
    }
}

#[test]
fn signals_are_told_from_exits() {
    for sandbox in sandboxes() {
        let ran = sandbox.run(0, &shell("kill -SEGV $$")).unwrap();
        assert_eq!(ran.ended, Ended::Signaled(11));
        let ran = sandbox.run(0, &shell("kill -KILL $$")).unwrap();
        assert_eq!(ran.ended, Ended::Signaled(9), "sent by itself, not by the sandbox");
    }
}

#[test]
fn a_program_that_is_not_there_did_not_start() {
    for sandbox in sandboxes() {
        let ran = sandbox.run(0, &Spec::new(["/nowhere/program"])).unwrap();
        assert!(matches!(ran.ended, Ended::NotStarted(2)), "{:?}", ran.ended);
    }
}

#[test]
fn clocks_and_caps_end_a_run() {
    for sandbox in sandboxes() {
        let level = sandbox.report().short();
        let mut spec = shell("while :; do :; done");
        spec.limits.cpu = Duration::from_millis(200);
        let ran = sandbox.run(0, &spec).unwrap();
        assert_eq!(ran.ended, Ended::Over(Limit::Cpu), "{level}");
        assert!(ran.cpu() < Duration::from_millis(500), "{level}: {:?}", ran.cpu());

        let mut spec = Spec::new(["/bin/sleep", "60"]);
        spec.limits.wall = Duration::from_millis(200);
        let ran = sandbox.run(0, &spec).unwrap();
        assert_eq!(ran.ended, Ended::Over(Limit::Wall), "{level}");

        let mut spec = shell("while :; do echo 0123456789; done");
        spec.limits.output = 100_000;
        spec.limits.file_size = 0;
        let ran = sandbox.run(0, &spec).unwrap();
        assert_eq!(ran.ended, Ended::Over(Limit::Output), "{level}");
        assert_eq!((ran.stdout_bytes, ran.stdout_cut), (100_000, true), "{level}");
    }
}

#[test]
fn output_of_exactly_the_cap_is_no_fault() {
    for sandbox in sandboxes() {
        for (cap, ended) in [(6, Ended::Exited(0)), (5, Ended::Over(Limit::Output))] {
            let mut spec = shell("echo 12345");
            spec.limits.output = cap;
            spec.limits.file_size = 0;
            let mut ran = sandbox.run(0, &spec).unwrap();
            assert_eq!(ran.ended, ended, "cap {cap}");
            assert_eq!(text(&mut ran), &"12345\n"[..cap as usize]);
        }
    }
}

#[test]
fn the_working_folder_is_fresh_private_and_gives_files_back() {
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), "source text").unwrap();
    for sandbox in sandboxes() {
        for _ in 0..2 {
            let mut spec =
                shell("cat in/a.txt > out && ln -s out link && test ! -e old && : > old");
            spec.limits.processes = 8;
            spec.work.copy_in = vec![CopyIn::new(source.path().to_owned(), "in/a.txt")];
            spec.work.collect = ["out", "link", "missing", "in", "../box/out"]
                .map(|name| Collect::new(name, 100))
                .to_vec();
            let mut ran = sandbox.run(0, &spec).unwrap();
            assert_eq!(ran.ended, Ended::Exited(0), "{:?}", ran.stderr);
            assert_eq!(ran.collected.len(), 1, "only the plain file");
            let mut back = String::new();
            ran.collected[0].1.read_to_string(&mut back).unwrap();
            assert_eq!(back, "source text");
        }
    }
}

#[test]
fn a_stopped_sandbox_ends_its_runs_and_starts_no_more() {
    for sandbox in sandboxes() {
        let spec = Spec::new(["/bin/sleep", "60"]);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                sandbox.stop();
            });
            assert!(matches!(sandbox.run(0, &spec), Err(SandboxError::Stopped)));
        });
        assert!(matches!(sandbox.run(0, &spec), Err(SandboxError::Stopped)));
    }
}

#[test]
fn the_environment_is_the_one_asked_for() {
    for sandbox in sandboxes() {
        let mut spec = Spec::new(["/usr/bin/env"]);
        spec.environment.push(("A".into(), "b c".into()));
        let got = text(&mut sandbox.run(0, &spec).unwrap());
        let names: Vec<&str> = got.lines().map(|line| line.split('=').next().unwrap()).collect();
        assert_eq!(names, ["A", "HOME", "TMPDIR"]);
    }
}

#[test]
fn a_run_with_processes_is_watched_as_a_tree() {
    for sandbox in sandboxes() {
        let script = "x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 5";
        let mut spec = shell(&format!("({script}) & ({script}) & ({script}) & wait"));
        spec.limits.processes = 32;
        spec.limits.memory = 64 << 20;
        let ran = sandbox.run(0, &spec).unwrap();
        assert_eq!(ran.ended, Ended::Over(Limit::Memory), "{}: {ran:?}", sandbox.report());
    }
}

/// Processes that leave one core no time for this thread, which lives there, too, with all that it
/// starts.
struct Crowd(Vec<Child>);

impl Crowd {
    /// None where processes cannot be kept on one core.
    fn on_core_0() -> Option<Self> {
        let hog = || {
            let script = "while :; do :; done";
            Command::new("taskset").args(["-c", "0", "/bin/sh", "-c", script]).spawn().ok()
        };
        let thread = std::fs::read_link("/proc/thread-self").unwrap();
        let thread = thread.file_name().unwrap();
        let moved = Command::new("taskset").args(["-p", "-c", "0"]).arg(thread).output();
        let crowd = Self((0..8).filter_map(|_| hog()).collect());
        if moved.is_err() || crowd.0.is_empty() {
            println!("skipped: runs without a processor (taskset is not installed)");
            return None;
        }
        Some(crowd)
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

#[test]
fn time_without_a_processor_does_not_count_as_elapsed() {
    let Some(_crowd) = Crowd::on_core_0() else { return };
    let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    for (processes, sandbox) in sandboxes().iter().flat_map(|one| [(0, one), (4, one)]) {
        let mut spec = shell(script);
        spec.limits.processes = processes;
        // More than it takes with a whole core, and less than with a part of one.
        let work = sandbox.run(0, &spec).unwrap().cpu();
        spec.limits.wall = work * 6 / 5;
        spec.limits.patience = 1000;
        let ran = sandbox.run(0, &spec).unwrap();
        let level = sandbox.report().short();
        assert_eq!(ran.ended, Ended::Exited(0), "{level}: {ran:?}");
        assert!(ran.wall <= spec.limits.wall + ran.queued, "{level}: {ran:?}");
        spec.limits.patience = 0;
        let ran = sandbox.run(0, &spec).unwrap();
        assert_eq!(ran.ended, Ended::Over(Limit::Wall), "{level}: {ran:?}");
        assert_eq!(ran.queued, Duration::ZERO, "{level}");
    }
}

#[test]
fn the_strongest_level_is_found_and_described() {
    let sandbox = Sandbox::open(Level::Auto, 2, &options()).unwrap();
    let report = sandbox.report();
    println!("{report}");
    assert_eq!(report.missing.is_empty(), !report.to_string().contains("missing: "), "{report}");
    assert_ne!(report.got, Level::Auto);
    let ran = sandbox.run(1, &Spec::new(["/bin/true"])).unwrap();
    assert_eq!(ran.ended, Ended::Exited(0));
}

#[test]
fn a_level_asked_for_says_what_is_missing_too() {
    for level in [Level::Basic, Level::Strict] {
        let options = Options { cgroup: CgroupChoice::Off, ..options() };
        let Ok(sandbox) = Sandbox::open(level, 1, &options) else { continue };
        let text = sandbox.report().to_string();
        assert!(text.contains("missing: cgroup: switched off"), "{level:?}: {text}");
        let ran = sandbox.run(0, &Spec::new(["/bin/true"])).unwrap();
        assert_eq!((ran.ended, ran.cpu_source), (Ended::Exited(0), CpuSource::Rusage));
    }
}

#[test]
fn a_control_group_asked_for_that_is_none_is_refused() {
    let options = Options { cgroup: CgroupChoice::In("/usr".into()), ..options() };
    let error = Sandbox::open(Level::None, 1, &options).unwrap_err().to_string();
    assert_eq!(error, "the control group cannot be used: /usr: no control group of version 2");
}

#[test]
fn a_talk_of_which_one_run_cannot_be_made_is_a_fault_and_the_next_one_goes_on() {
    for level in LEVELS {
        let Ok(sandbox) = Sandbox::open(level, 2, &options()) else { continue };
        let settles = &|_: &mut Ran, _| false;
        let talk = |specs: [&Spec; 2]| {
            let [solution, interactor] = specs;
            let wall = Duration::from_secs(10);
            let pair = Pair { solution, interactor, wall, settles, transcript: None };
            sandbox.run_pair([0, 1], &pair)
        };
        let good = shell("read x; echo $x");
        let mut broken = shell("read x");
        let file = Arc::new(Input::from_bytes(b"x").unwrap());
        broken.work.copy_in = ["a", "a/b"].map(|name| CopyIn::new(Arc::clone(&file), name)).into();
        for specs in [[&good, &broken], [&broken, &good]] {
            let error = talk(specs).unwrap_err();
            assert!(matches!(error, SandboxError::Run(_)), "{level:?}: {error}");
        }
        let said = shell("echo word; read x");
        let ended = talk([&good, &said]).unwrap().solution.ran.ended;
        assert_eq!(ended, Ended::Exited(0), "{level:?}");
    }
}
