//! Cost of a talk of two programs in the sandbox, against the same two joined by bare pipes on one
//! core: `cargo bench --bench interactive -- [ROUND TRIPS [ROUNDS]]`. Rounds are interleaved; the
//! figures are medians of elapsed time, start and end of the programs included, and of the ratio to
//! the bare pipes of the same round.

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

/// Joined by bare pipes.
fn bare(floor: &Path, trips: &str, ping: &Path, pong: &Path) -> Duration {
    let mut command = Command::new(floor);
    command.arg(core(0).unwrap_or(0).to_string()).arg(trips).arg(ping).arg(pong);
    #[expect(clippy::disallowed_methods, reason = "the baseline is a bare start")]
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output);
    Duration::from_nanos(text.trim().parse().unwrap_or_else(|_| panic!("the floor says {text}")))
}

/// Joined by the sandbox.
fn talk(sandbox: &Sandbox, specs: [&Spec; 2], transcript: Option<u64>) -> Duration {
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
    let right = talk.is_ok_and(|talk| {
        (talk.solution.ran.ended, talk.interactor.ran.ended)
            == (Ended::Exited(0), Ended::Exited(42))
    });
    assert!(right, "the talk failed");
    time
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
    let [ping, pong, floor] = ["ping", "pong", "floor"].map(|name| compile(folder.path(), name));
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
    let (solution, interactor) = (spec(&[&ping, Path::new(&trips)]), spec(&[&pong]));
    let mut rows: Vec<(String, &Sandbox, Option<u64>)> =
        sandboxes.iter().map(|sandbox| (sandbox.report().short(), sandbox, None)).collect();
    if let Some(sandbox) = sandboxes.last() {
        rows.push(("with transcript".to_owned(), sandbox, Some(256 << 10)));
    }
    let mut times = vec![Vec::new(); rows.len()];
    let mut bare_times = Vec::new();
    for _ in 0..rounds {
        bare_times.push(bare(&floor, &trips, &ping, &pong));
        for ((_, sandbox, transcript), times) in rows.iter().zip(&mut times) {
            times.push(talk(sandbox, [&solution, &interactor], *transcript));
        }
    }
    println!("{trips} round trips, {rounds} rounds");
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{:<16} {:>9.2} ms  1.00", "bare pipes", ms(median(bare_times.clone())));
    for ((name, ..), times) in rows.iter().zip(times) {
        let ratios = times.iter().zip(&bare_times).map(|(time, bare)| ms(*time) / ms(*bare));
        let ratio = median(ratios.collect());
        println!("{name:<16} {:>9.2} ms  {ratio:.2}", ms(median(times)));
    }
}
