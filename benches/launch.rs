//! Cost of a run in the sandbox, against a bare start of the same program:
//! `cargo bench --bench launch -- [PROGRAM [ROUNDS]]`. Rounds are interleaved, the figures are
//! medians of elapsed time and the judge's own CPU time for each run, runners included. Each level
//! comes without control groups and, where there are any, with them.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury::sandbox::{CgroupChoice, Level, Options, Sandbox, Spec};

/// Starts the program and waits for it.
fn bare(program: &str) {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[expect(clippy::disallowed_methods, reason = "the baseline is a bare start")]
    let status = command.status();
    assert!(status.is_ok_and(|status| status.success()));
}

/// CPU time that the judge and its runners have used so far, without the programs.
fn own_cpu() -> Duration {
    let of = |pid: &str| -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
        text.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or(0)
    };
    let mut total = of("self");
    let mut known = vec![std::process::id().to_string()];
    while let Some(pid) = known.pop() {
        let path = format!("/proc/{pid}/task/{pid}/children");
        for child in std::fs::read_to_string(path).unwrap_or_default().split_ascii_whitespace() {
            total += of(child);
            known.push(child.to_owned());
        }
    }
    Duration::from_nanos(total)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let program = arguments.next().unwrap_or_else(|| "/bin/true".to_owned());
    let rounds: usize = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(500);
    let mut sandboxes = Vec::new();
    for level in [Level::None, Level::Basic, Level::Strict] {
        for cgroup in [CgroupChoice::Off, CgroupChoice::Auto] {
            let runner = env!("CARGO_BIN_EXE_jury").into();
            let options = Options { runner, cgroup, ..Options::default() };
            match Sandbox::open(level, 1, &options) {
                Ok(sandbox) => sandboxes.push(sandbox),
                Err(error) => println!("{error}"),
            }
        }
    }
    let mut spec = Spec::new([&program]);
    spec.work.visible.push(program.clone().into());
    let mut times = vec![Vec::new(); sandboxes.len() + 1];
    let mut own = vec![Duration::ZERO; sandboxes.len()];
    for _ in 0..rounds {
        let start = Instant::now();
        bare(&program);
        times[0].push(start.elapsed());
        for (sandbox, times) in sandboxes.iter().zip(&mut times[1..]) {
            let start = Instant::now();
            let ran = sandbox.run(0, &spec);
            times.push(start.elapsed());
            assert!(ran.is_ok_and(|ran| ran.ended == jury::sandbox::Ended::Exited(0)));
        }
    }
    for (sandbox, own) in sandboxes.iter().zip(&mut own) {
        let before = own_cpu();
        for _ in 0..rounds {
            let _ = sandbox.run(0, &spec);
        }
        *own = own_cpu().saturating_sub(before);
    }
    let bare = median(times.remove(0));
    println!("{:<12} {:>9.1} us  1.00", "bare", bare.as_secs_f64() * 1e6);
    for ((sandbox, times), own) in sandboxes.iter().zip(times).zip(own) {
        let time = median(times);
        let ratio = time.as_secs_f64() / bare.as_secs_f64();
        let name = sandbox.report().short();
        let own = own.as_secs_f64() * 1e6 / rounds as f64;
        println!(
            "{name:<12} {:>9.1} us  {ratio:.2}  own CPU {own:.0} us",
            time.as_secs_f64() * 1e6
        );
    }
}
