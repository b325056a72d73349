//! What a run is said to have used, against programs that know what they use.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use jury::sandbox::{
    CgroupKind, CpuSource, Ended, Level, Limit, MemoryMetric, Options, Ran, Sandbox, Spec,
};

const PROGRAM: &str = r"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void burn(long milliseconds) {
    struct timespec used, start;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while ((used.tv_sec - start.tv_sec) * 1000 + (used.tv_nsec - start.tv_nsec) / 1000000 < milliseconds);
}
static void *thread(void *argument) { burn((long)argument); return 0; }
int main(int count, char **arguments) {
    long amount = atol(arguments[2]);
    pthread_t threads[3];
    switch (arguments[1][0]) {
    case 'o': burn(amount); break;
    case 't':
        for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, thread, (void *)amount);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
        break;
    case 'c':
        for (int i = 0; i < 3; i++) if (fork() == 0) { burn(amount); _exit(0); }
        while (wait(0) > 0) {}
        break;
    case 'g':
        for (int i = 0; i < 100; i++) {
            pid_t child = fork();
            if (child == 0) {
                if (fork() == 0) burn(amount);
                _exit(0);
            }
            waitpid(child, 0, 0);
            usleep(1000 * amount);
        }
        break;
    case 'h': /* nobody waits for the children, not even the system */
        signal(SIGCHLD, SIG_IGN);
        for (int i = 0; i < 3; i++) if (fork() == 0) { burn(amount); _exit(0); }
        while (wait(0) > 0) {}
        break;
    case 'd': { /* orphans, whose end is seen by the end of a pipe */
        int ends[2];
        pipe(ends);
        for (int i = 0; i < 3; i++) {
            pid_t child = fork();
            if (child == 0) {
                if (fork() == 0) burn(amount);
                _exit(0);
            }
            waitpid(child, 0, 0);
        }
        close(ends[1]);
        char byte;
        read(ends[0], &byte, 1);
        break;
    }
    case 'q': /* children that live for a moment only */
        signal(SIGCHLD, SIG_IGN);
        for (int i = 0; i < 100; i++) {
            if (fork() == 0) { burn(amount); _exit(0); }
            wait(0);
        }
        break;
    case 's': /* a short spike, in a child */
        if (fork() == 0) { memset(malloc(amount << 20), 1, amount << 20); _exit(0); }
        wait(0);
        break;
    case 'p': { /* three children at once, each with a third, in shared memory */
        int ends[2];
        pipe(ends);
        for (int i = 0; i < 3; i++) if (fork() == 0) {
            size_t bytes = (amount << 20) / 3;
            memset(mmap(0, bytes, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, bytes);
            close(ends[1]);
            char byte;
            read(ends[0], &byte, 1);
            _exit(0);
        }
        close(ends[1]);
        close(ends[0]);
        while (wait(0) > 0) {}
        break;
    }
    case 'k': /* many small children: each smaller than the runner */
        for (int i = 0; i < 60; i++) if (fork() == 0) {
            size_t bytes = (amount << 20) / 60;
            memset(malloc(bytes), 1, bytes);
            sleep(5);
            _exit(0);
        }
        while (wait(0) > 0) {}
        break;
    case 'm': memset(malloc(amount << 20), 1, amount << 20); break;
    }
    return 0;
}
";

/// Compiles the program into the folder; false without a compiler.
fn compile(folder: &Path) -> bool {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.join("program.c"), PROGRAM).unwrap();
    let mut command = Command::new("gcc");
    command.args(["-O0", "-w", "-static", "-pthread", "-o", "program", "program.c"]);
    #[expect(clippy::disallowed_methods, reason = "a trusted compiler of the tests")]
    let built = command.current_dir(folder).status().is_ok_and(|status| status.success());
    if !built {
        println!("skipped: no gcc");
    }
    built
}

fn use_up(sandbox: &Sandbox, folder: &Path, what: &str, amount: u32) -> Ran {
    let program = folder.join("program");
    let mut spec = Spec::new([program.as_os_str(), what.as_ref(), amount.to_string().as_ref()]);
    spec.work.visible.push(folder.to_owned());
    spec.limits.processes = if matches!(what, "o" | "t" | "m") { 0 } else { 64 };
    let ran = sandbox.run(0, &spec).unwrap();
    println!(
        "{:<8} {what} {amount:>4}: {:>9.4} s, {:>8.2} MiB",
        sandbox.report().short(),
        ran.cpu().as_secs_f64(),
        ran.memory_peak as f64 / 1_048_576.0
    );
    ran
}

#[test]
fn time_and_memory_are_those_of_the_whole_tree() {
    let folder = tempfile::tempdir().unwrap();
    if !compile(folder.path()) {
        return;
    }
    // A big judge: its size is not that of the run.
    let ballast = vec![1_u8; 300 << 20];
    for level in [Level::None, Level::Basic, Level::Strict] {
        let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
        let Ok(sandbox) = Sandbox::open(level, 1, &options) else {
            println!("skipped: {level:?}");
            continue;
        };
        for (what, amount, truth) in
            [("o", 300, 300), ("o", 20, 20), ("t", 100, 300), ("c", 100, 300), ("g", 4, 400)]
        {
            let cpu = use_up(&sandbox, folder.path(), what, amount).cpu();
            let truth = Duration::from_millis(truth);
            let slack = truth * 15 / 100 + Duration::from_millis(8);
            assert!(cpu.abs_diff(truth) < slack, "{level:?} {what}: {cpu:?} for {truth:?}");
        }
        for amount in [0, 20, 100] {
            let peak = use_up(&sandbox, folder.path(), "m", amount).memory_peak;
            let truth = u64::from(amount) << 20;
            let slack = (truth / 10).max(4 << 20);
            assert!(peak.abs_diff(truth) < slack, "{level:?}: {peak} bytes for {truth}");
        }
    }
    assert_eq!(ballast.last(), Some(&1));
}

#[test]
fn a_control_group_knows_children_that_nobody_waits_for() {
    let folder = tempfile::tempdir().unwrap();
    if !compile(folder.path()) {
        return;
    }
    for level in [Level::None, Level::Basic, Level::Strict] {
        let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
        let Ok(sandbox) = Sandbox::open(level, 1, &options) else {
            println!("skipped: {level:?}");
            continue;
        };
        let report = sandbox.report();
        if report.cgroup == CgroupKind::None {
            println!("skipped: {report}");
            continue;
        }
        for (what, amount, truth) in
            [("o", 200, 200), ("t", 100, 300), ("h", 100, 300), ("d", 100, 300), ("q", 4, 400)]
        {
            let ran = use_up(&sandbox, folder.path(), what, amount);
            let truth = Duration::from_millis(truth);
            let slack = truth / 20 + Duration::from_millis(if what == "q" { 40 } else { 4 });
            let cpu = ran.cpu();
            assert!(cpu.abs_diff(truth) < slack, "{report} {what}: {cpu:?} for {truth:?}");
            assert!(matches!(ran.cpu_source, CpuSource::Cgroup2 | CpuSource::Cgroup1));
        }
        if report.cgroup == CgroupKind::V2Bare {
            println!("skipped: memory: {report}");
            continue;
        }
        for (what, amount) in [("m", 20), ("s", 60), ("p", 90)] {
            let ran = use_up(&sandbox, folder.path(), what, amount);
            let truth = u64::from(amount) << 20;
            let peak = ran.memory_peak;
            assert!(peak.abs_diff(truth) < truth / 20 + (1 << 20), "{report} {what}: {peak}");
            assert!(matches!(ran.memory_metric, MemoryMetric::Cgroup2 | MemoryMetric::Cgroup1));
        }
    }
}

#[test]
fn memory_of_a_tree_past_the_limit_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    if !compile(folder.path()) {
        return;
    }
    for level in [Level::None, Level::Basic, Level::Strict] {
        let options = Options {
            runner: env!("CARGO_BIN_EXE_jury").into(),
            box_bytes: 8 << 20,
            ..Options::default()
        };
        let Ok(sandbox) = Sandbox::open(level, 1, &options) else { continue };
        if !matches!(sandbox.report().cgroup, CgroupKind::V2 | CgroupKind::V1) {
            println!("skipped: {}", sandbox.report());
            continue;
        }
        let program = folder.path().join("program");
        for what in ["m", "p", "s", "k"] {
            let amount = if what == "k" { "96" } else { "900" };
            let mut spec = Spec::new([program.as_os_str(), what.as_ref(), amount.as_ref()]);
            spec.work.visible.push(folder.path().to_owned());
            spec.limits.processes = if what == "m" { 0 } else { 64 };
            spec.limits.memory = 64 << 20;
            let ran = sandbox.run(0, &spec).unwrap();
            assert_eq!(ran.ended, Ended::Over(Limit::Memory), "{} {what}", sandbox.report());
            assert!(ran.memory_peak >= 64 << 20, "{} bytes", ran.memory_peak);
            assert!(ran.memory_peak < 96 << 20, "the system stops it: {} bytes", ran.memory_peak);
            let honest = use_up(&sandbox, folder.path(), "m", 20);
            assert_eq!(honest.ended, Ended::Exited(0));
        }
    }
}

#[test]
fn many_runs_leave_nothing_in_the_judge() {
    let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
    let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    for level in [Level::None, Level::Basic, Level::Strict] {
        let Ok(sandbox) = Sandbox::open(level, 1, &options) else { continue };
        let spec = Spec::new(["/bin/true"]);
        drop(sandbox.run(0, &spec).unwrap());
        let before = descriptors();
        for _ in 0..200 {
            drop(sandbox.run(0, &spec).unwrap());
        }
        // Other tests of this file may hold a few of their own.
        assert!(descriptors().abs_diff(before) < 20, "{level:?}");
    }
}
