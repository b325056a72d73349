//! Cost of a run in the sandbox, against a bare start of the same program:
//! `cargo bench --bench launch -- [PROGRAM [ROUNDS]]`. Rounds are interleaved, the figures are
//! medians of elapsed time and the judge's own CPU time for each run, runners included.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury::sandbox::{Level, Options, Sandbox, Spec};

/// Starts the program and waits for it.
fn bare(program: &str) {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[expect(clippy::disallowed_methods, reason = "the baseline is a bare start")]
    let status = command.status();
    assert!(status.is_ok_and(|status| status.success()));
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let program = arguments.next().unwrap_or_else(|| "/bin/true".to_owned());
    let rounds: usize = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(500);
    let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
    let sandboxes: Vec<Sandbox> = [Level::None, Level::Basic, Level::Strict]
        .into_iter()
        .filter_map(|level| Sandbox::open(level, 1, &options).map_err(|e| println!("{e}")).ok())
        .collect();
    let spec = Spec::new([&program]);
    let mut times = vec![Vec::new(); sandboxes.len() + 1];
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
    let bare = median(times.remove(0));
    println!("{:<12} {:>9.1} us  1.00", "bare", bare.as_secs_f64() * 1e6);
    for (sandbox, times) in sandboxes.iter().zip(times) {
        let time = median(times);
        let ratio = time.as_secs_f64() / bare.as_secs_f64();
        let name = sandbox.report().short();
        println!("{name:<12} {:>9.1} us  {ratio:.2}", time.as_secs_f64() * 1e6);
    }
}
