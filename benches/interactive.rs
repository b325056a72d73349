//! Cost of a talk of two programs in the sandbox, against the same two joined by bare pipes on one
//! core: `cargo bench --bench interactive -- [ROUND TRIPS [ROUNDS]]`. Rounds are interleaved; the
//! figures are medians of elapsed time, start and end of the programs included, and of the ratios of
//! elapsed and of CPU time to the bare pipes of the same round.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use jury::sandbox::{Ended, Level, Options, Pair, Ran, Sandbox, Spec, core};

fn compile(folder: &Path, name: &str) -> PathBuf {
    let program = folder.join(name);
    let mut command = Command::new("gcc");
    command.args(["-O2", "-w", "-o"]).arg(&program).arg(format!("benches/talk/{name}.c"));
    #[expect(clippy::disallowed_methods, reason = "a trusted compiler")]
    let status = command.status();
    assert!(status.is_ok_and(|status| status.success()), "{name} does not compile");
    program
}

/// Elapsed time and CPU time of both programs.
type Times = (Duration, Duration);

/// Joined by bare pipes.
fn bare(floor: &Path, trips: &str, caller: &Path, answerer: &Path) -> Times {
    let mut command = Command::new(floor);
    command.arg(core(0).unwrap_or(0).to_string()).arg(trips).arg(caller).arg(answerer);
    #[expect(clippy::disallowed_methods, reason = "the baseline is a bare start")]
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output);
    let mut numbers = text.split_whitespace().map(|n| Duration::from_nanos(n.parse().unwrap_or(0)));
    let (Some(elapsed), Some(cpu)) = (numbers.next(), numbers.next()) else {
        panic!("the floor says {text}")
    };
    (elapsed, cpu)
}

/// Joined by the sandbox.
fn talk(sandbox: &Sandbox, specs: [&Spec; 2], transcript: Option<u64>) -> Times {
    let pair = Pair {
        solution: specs[0],
        interactor: specs[1],
        wall: Duration::from_mins(1),
        settles: &|_: &mut Ran, _| false,
        transcript,
    };
    let start = Instant::now();
    let talk = sandbox.run_pair([0, 1], &pair);
    let time = start.elapsed();
    let Ok(talk) = talk else { panic!("the talk failed") };
    let (solution, interactor) = (talk.solution.ran, talk.interactor.ran);
    assert_eq!((solution.ended, interactor.ended), (Ended::Exited(0), Ended::Exited(42)));
    (time, solution.cpu() + interactor.cpu())
}

fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    values[values.len() / 2]
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let trips = arguments.next().unwrap_or_else(|| "10000".to_owned());
    let rounds: usize = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(31);
    let Ok(folder) = tempfile::tempdir() else { return };
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    assert!(std::fs::set_permissions(folder.path(), open).is_ok());
    let [caller, answerer, floor] =
        ["ping", "pong", "floor"].map(|name| compile(folder.path(), name));
    let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
    let sandboxes: Vec<Sandbox> = [Level::None, Level::Basic, Level::Strict]
        .into_iter()
        .filter_map(|level| Sandbox::open(level, 2, &options).map_err(|e| println!("{e}")).ok())
        .collect();
    let spec = |words: &[&Path]| {
        let mut spec = Spec::new(words);
        spec.work.visible.push(folder.path().to_owned());
        spec.core = core(0);
        spec
    };
    let (solution, interactor) = (spec(&[&caller, Path::new(&trips)]), spec(&[&answerer]));
    let mut rows: Vec<(String, &Sandbox, Option<u64>)> =
        sandboxes.iter().map(|sandbox| (sandbox.report().short(), sandbox, None)).collect();
    if let Some(sandbox) = sandboxes.last() {
        rows.push(("with transcript".to_owned(), sandbox, Some(256 << 10)));
    }
    let mut times = vec![Vec::new(); rows.len()];
    let mut bare_times = Vec::new();
    for _ in 0..rounds {
        bare_times.push(bare(&floor, &trips, &caller, &answerer));
        for ((_, sandbox, transcript), times) in rows.iter().zip(&mut times) {
            times.push(talk(sandbox, [&solution, &interactor], *transcript));
        }
    }
    println!("{trips} round trips, {rounds} rounds");
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let elapsed = |times: &[Times]| ms(median(times.iter().map(|times| times.0).collect()));
    println!("{:<16} {:>9.2} ms  1.00  CPU 1.00", "bare pipes", elapsed(&bare_times));
    for ((name, ..), times) in rows.iter().zip(times) {
        let ratio = |of: fn(&Times) -> Duration| {
            median(times.iter().zip(&bare_times).map(|(a, b)| ms(of(a)) / ms(of(b))).collect())
        };
        let (wall, cpu) = (ratio(|times| times.0), ratio(|times| times.1));
        println!("{name:<16} {:>9.2} ms  {wall:.2}  CPU {cpu:.2}", elapsed(&times));
    }
}
