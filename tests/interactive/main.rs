//! Solutions and interactors that end in every order, with every code, and in every disarray: the
//! verdict is the same each time. `tests/interactive/expect.csv` says which.
//!
//! `JURY_REPEAT=N` runs each pair N times, `JURY_JOBS=N` so many talks at once, `JURY_ONLY=PART` only
//! pairs with that part in their names, `JURY_LEVELS=strict` only at these levels.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jury::check;
use jury::check::program::{self, ProgramChecker};
use jury::execute::{Cores, Interactive, Interactor, Workers};
use jury::judge::{Bless, Keep, Missing, Settings, Task, judge};
use jury::model::{CaseResult, Limits, TestCase};
use jury::sandbox::{Level, Options, RunLimits, Sandbox, SandboxError, Spec};
use tempfile::TempDir;

const MIB: u64 = 1 << 20;
const PYTHON: &str = "/usr/bin/python3";

struct Row {
    solution: String,
    interactor: String,
    verdict: String,
    message: String,
}

fn rows() -> Vec<Row> {
    let only = std::env::var("JURY_ONLY").unwrap_or_default();
    let mut reader = csv::Reader::from_path("tests/interactive/expect.csv").unwrap();
    let rows = reader.records().map(|record| {
        let field = |index| record.as_ref().unwrap()[index].to_owned();
        Row { solution: field(0), interactor: field(1), verdict: field(2), message: field(3) }
    });
    rows.filter(|row| format!("{} {}", row.solution, row.interactor).contains(&only)).collect()
}

/// The programs, compiled.
struct Programs {
    folder: TempDir,
}

impl Programs {
    /// Compiles all; none without a compiler.
    fn new() -> Option<Self> {
        if !Path::new("/usr/bin/gcc").exists() {
            println!("skipped: no gcc");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("jury-talk-").tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("case.in"), "input\n").unwrap();
        let mut wanted: Vec<String> = rows()
            .iter()
            .flat_map(|row| [format!("s_{}", row.solution), format!("i_{}", row.interactor)])
            .collect();
        wanted.sort();
        wanted.dedup();
        for name in wanted {
            let source = format!("tests/interactive/programs/{name}.c");
            let mut command = Command::new("/usr/bin/gcc");
            command.args(["-O1", "-w", "-o"]).arg(folder.path().join(&name)).arg(source);
            #[expect(clippy::disallowed_methods, reason = "a trusted compiler of the tests")]
            let built = command.output().unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        }
        Some(Self { folder })
    }

    /// Programs of another folder, which need no compiler.
    fn scripts(folder: &Path) -> Option<Self> {
        if !Path::new(PYTHON).exists() {
            println!("skipped: no {PYTHON}");
            return None;
        }
        let copies = tempfile::Builder::new().prefix("jury-talk-").tempdir().unwrap();
        fs::set_permissions(copies.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(copies.path().join("case.in"), "input\n").unwrap();
        for entry in fs::read_dir(folder).unwrap().flatten() {
            fs::copy(entry.path(), copies.path().join(entry.file_name())).unwrap();
        }
        Some(Self { folder: copies })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn spec(&self, name: &str) -> Spec {
        let mut spec = if is_script(name) {
            Spec::new([PathBuf::from(PYTHON), self.path(name)])
        } else {
            Spec::new([self.path(name)])
        };
        spec.work.visible.push(self.folder.path().to_owned());
        spec.environment.push(("JURY_TALK_MARK".into(), self.folder.path().into()));
        if name.ends_with("family") || name.ends_with("spokesman") {
            spec.limits.processes = 4;
        }
        spec
    }

    fn interactive(&self, workers: &Arc<Workers>, row: &Row, transcript: bool) -> Interactive {
        let name = |kind: &str, name: &String| {
            if is_script(name) { name.clone() } else { format!("{kind}_{name}") }
        };
        let mut spec = self.spec(&name("i", &row.interactor));
        spec.limits = RunLimits {
            cpu: Duration::from_millis(500),
            wall: Duration::from_secs(5),
            memory: 64 * MIB,
            output: 16 * MIB,
            ..spec.limits
        };
        let program = ProgramChecker {
            name: row.interactor.clone(),
            protocol: program::parse("kattis").unwrap(),
            spec,
            args: Vec::new(),
            full_score: 1.0,
            passes: 1,
            run: Box::new(|_| Err(SandboxError::Stopped)),
        };
        let interactor = Arc::new(Interactor { program, checked: false });
        let spec = self.spec(&name("s", &row.solution));
        let start = Box::new(move |_: &Limits| spec.clone());
        Interactive::new(Arc::clone(workers), start, interactor, transcript)
    }

    fn judge(&self, workers: &Arc<Workers>, row: &Row, keep: Option<&Path>) -> CaseResult {
        let executor = self.interactive(workers, row, keep.is_some());
        let case = TestCase {
            name: "p/case".into(),
            group: String::new(),
            input: self.path("case.in"),
            answer: None,
            missing: None,
        };
        let limits = Limits {
            time: Some(Duration::from_millis(300)),
            wall: Some(Duration::from_secs(3)),
            memory: Some(64 * MIB),
            output: Some(4 * MIB),
            ..Limits::NONE
        };
        let settings = Settings {
            checker: &*check::parse("exact").unwrap(),
            runs: 1,
            missing: Missing::Fail,
            bless: Bless::No,
            stop: &|| false,
            keep: keep.map(Keep::below),
        };
        judge(
            &Task { index: 0, case: &case, limits: &limits, rungs: &[], base: None, owner: "" },
            &executor,
            &settings,
        )
        .unwrap()
    }

    /// Processes of the talks that are still there.
    fn left(&self) -> usize {
        let mark = self.folder.path().to_str().unwrap().as_bytes();
        let pids = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            environ.windows(mark.len()).any(|window| window == mark)
        });
        pids.count()
    }
}

fn workers(level: Level, jobs: usize) -> Option<Arc<Workers>> {
    let options = Options {
        runner: env!("CARGO_BIN_EXE_jury").into(),
        first_user: 61_000 + 16 * (1 + level as u32),
        ..Options::default()
    };
    match Sandbox::open(level, 2 * jobs, &options) {
        Ok(sandbox) => Some(Arc::new(Workers::in_pairs(sandbox, Cores::for_runs(jobs)))),
        Err(error) => {
            println!("skipped: {level:?}: {error}");
            None
        }
    }
}

/// What is wrong about a result.
fn fault(row: &Row, result: &CaseResult) -> Option<String> {
    let right = result.verdict.code() == row.verdict && result.message.contains(&row.message);
    let Row { solution, interactor, verdict, message } = row;
    (!right).then(|| {
        let (got, said) = (result.verdict.code(), &result.message);
        format!("{solution} with {interactor}: {got} ({said}), expected {verdict} ({message})")
    })
}

/// Talks take turns: some of them burn a core for seconds.
fn turn() -> std::sync::MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn all_at(level: Level) {
    let _turn = turn();
    let levels = std::env::var("JURY_LEVELS").unwrap_or_default();
    if !levels.is_empty() && !levels.contains(&format!("{level:?}").to_lowercase()) {
        return;
    }
    let number = |name: &str| std::env::var(name).map_or(1, |number| number.parse().unwrap());
    let (repeat, jobs) = (number("JURY_REPEAT"), number("JURY_JOBS"));
    let (Some(programs), Some(workers)) = (Programs::new(), workers(level, jobs)) else { return };
    let rows = rows();
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<String, usize>::new()));
    let judge_rows = || {
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed) / repeat) {
            let result = programs.judge(&workers, row, None);
            if let Some(fault) = fault(row, &result) {
                *faults.lock().unwrap().entry(fault).or_default() += 1;
            }
        }
    };
    std::thread::scope(|scope| {
        let talkers: Vec<_> = (0..jobs).map(|_| scope.spawn(judge_rows)).collect();
        for talker in talkers {
            talker.join().unwrap();
        }
    });
    let faults = faults.into_inner().unwrap();
    println!("{level:?}: {} talks, {} not as expected", rows.len() * repeat, faults.len());
    assert_eq!(programs.left(), 0, "a process is left");
    assert_eq!(faults, BTreeMap::new(), "of {repeat} times each, at {level:?}");
}

/// Whether the program is a script of Python.
fn is_script(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "py")
}

#[test]
fn at_none() {
    all_at(Level::None);
}

#[test]
fn at_basic() {
    all_at(Level::Basic);
}

#[test]
fn at_strict() {
    all_at(Level::Strict);
}

#[test]
fn a_transcript_does_not_change_the_verdict() {
    let _turn = turn();
    let (Some(programs), Some(workers)) = (Programs::new(), workers(Level::Auto, 1)) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    for row in rows() {
        let result = programs.judge(&workers, &row, Some(folder.path()));
        faults.extend(fault(&row, &result));
        let kept = result.kept.map(|kept| fs::read_to_string(kept.path).unwrap());
        let text = kept.unwrap_or_default();
        assert!(text.starts_with("# seconds"), "{} {}: {text}", row.solution, row.interactor);
        assert!(text.len() < 4 << 20, "{} bytes", text.len());
        if row.solution == "right" {
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            assert!(words.contains(&"500"), "{text}");
            assert!(words.contains(&"618") && words.contains(&"="), "{text}");
        }
    }
    assert_eq!(faults, [] as [String; 0]);
}

/// The interactive programs of the folder that `scripts/hostile` names.
#[test]
fn those_of_a_hostile_folder() {
    let Some(folder) = std::env::var_os("JURY_HOSTILE").map(PathBuf::from) else { return };
    let _turn = turn();
    let Some(programs) = Programs::scripts(&folder.join("interactive")) else { return };
    let mut reader = csv::Reader::from_path(folder.join("expect.csv")).unwrap();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut faults = Vec::new();
    for level in [Level::None, Level::Basic, Level::Strict] {
        let Some(workers) = workers(level, 1) else { continue };
        for record in records.iter().filter(|record| &record[1] == "interactive") {
            let file = record[0].rsplit('/').next().unwrap().to_owned();
            let (solution, interactor, right) = match &record[3] {
                "-" if file == "interactor.py" => continue,
                "-" => ("sol_ok.py".to_owned(), file, "JE"),
                right => (file, "interactor.py".to_owned(), right),
            };
            let verdict = right.to_owned();
            let row = Row { solution, interactor, verdict, message: String::new() };
            let result = programs.judge(&workers, &row, None);
            let (code, also) = (result.verdict.code(), &record[4]);
            let ok = code == right || also.split(';').any(|other| other == code);
            let mark = if ok && programs.left() == 0 { "ok" } else { "FAULT" };
            let right = format!("{right};{also}");
            println!("{:<32} {level:<8?} {code:<4} of {right:<14} {mark}", &record[0]);
            if mark != "ok" {
                faults.push(format!("{} {level:?}: {code} {}", &record[0], result.message));
            }
        }
    }
    assert_eq!(faults, [] as [String; 0]);
}

#[test]
fn every_program_is_used() {
    let rows = rows();
    for entry in fs::read_dir("tests/interactive/programs").unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let used = rows.iter().any(|row| {
            name == format!("s_{}.c", row.solution) || name == format!("i_{}.c", row.interactor)
        });
        assert!(used || name == "talk.h" || std::env::var_os("JURY_ONLY").is_some(), "{name}");
    }
}
