//! Whatever is killed, the report is the same and nothing is left.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use jury::random::Random;

use crate::grade::command;
use crate::support::{Ran, Suite, ran};

const CASES: usize = 40;

/// How often the judge is killed.
const KILLS: usize = 100;

/// How the reports are asked for, and their files.
const REPORTS: [(&str, &str); 4] = [
    ("--report=csv", "report.csv"),
    ("--report=json", "report.json"),
    ("--report=junit", "junit.xml"),
    ("--report=html", "report.html"),
];

/// A problem with three submissions, whose files have this word in their names.
fn suite(word: &str) -> Suite {
    let mut suite = Suite::new();
    for number in 1..=CASES {
        suite = suite.file(&format!("sum/input/{number}.in"), format!("{number} 1\n"));
        suite = suite.file(&format!("sum/expected/{number}.out"), format!("{}\n", number + 1));
    }
    let add = "read -r a b\nfor ((i = 0; i < 300; i++)); do :; done\n";
    suite
        .file(&format!("sum/submissions/{word}-good.sh"), format!("{add}echo $((a + b))\n"))
        .file(
            &format!("sum/submissions/{word}-late.sh"),
            format!("{add}((a == 30)) && exit 3\necho $((a + b))\n"),
        )
        .file(
            &format!("sum/submissions/{word}-wrong.sh"),
            format!("{add}((a == 25)) && a=0\necho $((a + b))\n"),
        )
        .file("tmp/.keep", "")
}

fn arguments(resume: bool) -> Vec<&'static str> {
    let plain = ["sum", "--timings", "none", "--jobs", "2", "--progress", "none"];
    let plain =
        plain.into_iter().chain(["--report=jsonl"]).chain(REPORTS.map(|(option, _)| option));
    plain.chain(resume.then_some("--resume")).collect()
}

fn start(suite: &Suite, resume: bool) -> Child {
    open(suite.path("tmp").as_path());
    let mut command = command(suite, &arguments(resume));
    command.env("TMPDIR", suite.path("tmp"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Lets the users that runs go under enter a folder.
fn open(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    for folder in [folder, folder.parent().unwrap()] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn finished(child: Child) -> Ran {
    ran(child.wait_with_output().unwrap())
}

/// The report of a run that nobody disturbs.
fn undisturbed(suite: &Suite) -> Vec<String> {
    let ran = finished(start(suite, false));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let reports = reports(suite);
    for (_, file) in REPORTS {
        fs::remove_file(suite.path(file)).unwrap();
    }
    reports
}

fn reports(suite: &Suite) -> Vec<String> {
    REPORTS.map(|(_, file)| suite.read(file)).into()
}

/// Asserts that the reports of a run are those of one that nobody has disturbed.
fn assert_equal(suite: &Suite, undisturbed: &[String], when: &str) {
    for ((_, file), (seen, expected)) in REPORTS.iter().zip(reports(suite).iter().zip(undisturbed))
    {
        let differs = seen.lines().zip(expected.lines()).find(|(seen, expected)| seen != expected);
        assert!(seen == expected, "{when}: {file} differs: {differs:?}");
    }
}

/// Cases that the events of the last run tell of, without those that were not run.
fn told(suite: &Suite) -> usize {
    let events = fs::read_to_string(suite.path("report.jsonl")).unwrap_or_default();
    let finished = |line: &&str| line.starts_with("{\"event\":\"case-finished\"");
    events.lines().filter(finished).filter(|line| line.contains("\"runs\":")).count()
}

/// Results in the journal that are whole.
fn journalled(suite: &Suite) -> usize {
    let journal = fs::read_to_string(suite.path(".jury/journal.jsonl")).unwrap_or_default();
    journal
        .split_inclusive('\n')
        .filter(|line| line.starts_with('{') && line.ends_with('\n'))
        .count()
}

/// Processes whose command line has this word.
fn living(word: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.filter(|line| line.contains(word)).collect()
}

/// Waits until neither programs nor folders nor mounts are left.
fn assert_nothing_left(suite: &Suite, word: &str, seed: u64) {
    let patience = Instant::now();
    let tmp = suite.path("tmp");
    loop {
        let folders: Vec<_> = fs::read_dir(&tmp).unwrap().flatten().map(|e| e.path()).collect();
        let folders: Vec<_> = folders.iter().filter(|path| !path.ends_with(".keep")).collect();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let mounted = mounts.contains(tmp.to_str().unwrap());
        if folders.is_empty() && living(word).is_empty() && !mounted {
            return;
        }
        let left = (folders, living(word), mounted);
        assert!(patience.elapsed() < Duration::from_secs(20), "seed {seed}: left: {left:?}");
        sleep(Duration::from_millis(20));
    }
}

fn seed() -> u64 {
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros() as u64;
    println!("seed {seed}");
    seed
}

#[test]
fn a_run_killed_at_any_moment_is_resumed_to_the_same_report() {
    let (word, seed) = (format!("killed-{}", std::process::id()), seed());
    let suite = suite(&word);
    let reports = undisturbed(&suite);
    let mut random = Random::new(seed);
    for round in 0..KILLS / 4 {
        let when = format!("seed {seed}, round {round}");
        fs::remove_dir_all(suite.path(".jury")).unwrap();
        let mut resume = false;
        for _ in 0..4 {
            let _ = fs::remove_file(suite.path("report.jsonl"));
            let mut child = start(&suite, resume);
            sleep(Duration::from_millis(random.below(400)));
            child.kill().unwrap();
            child.wait().unwrap();
            resume = suite.path(".jury/journal.jsonl").exists();
            let (told, kept) = (told(&suite), journalled(&suite));
            assert!(told <= kept, "{when}: {told} cases were told, the journal has {kept}");
        }
        let ran = finished(start(&suite, resume));
        assert_eq!(ran.code, Some(1), "{when}: {ran:?}");
        assert_equal(&suite, &reports, &when);
        assert_nothing_left(&suite, &word, seed);
    }
}

/// The children of a process.
fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let numbers = lists.iter().flat_map(|list| list.split_ascii_whitespace());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn a_run_whose_helpers_are_killed_goes_on_to_the_same_report() {
    let (word, seed) = (format!("helpers-{}", std::process::id()), seed());
    let suite = suite(&word);
    let reports = undisturbed(&suite);
    let mut random = Random::new(seed);
    let mut kills = 0;
    for deep in [false, true, false, true] {
        fs::remove_dir_all(suite.path(".jury")).unwrap();
        let mut child = start(&suite, false);
        let journal = suite.path(".jury/journal.jsonl");
        while !journal.exists() && child.try_wait().unwrap().is_none() {}
        let runners = children(child.id());
        // A run is made again once: each runner is hit once, so that no run is hit twice.
        for runner in runners {
            sleep(Duration::from_millis(random.below(150)));
            let victims = if deep { children(runner) } else { vec![runner] };
            for victim in victims.iter().map(u32::to_string) {
                let kill = Command::new("kill").args(["-KILL", &victim]).output().unwrap();
                kills += usize::from(kill.status.success());
            }
        }
        let ran = finished(child);
        assert_eq!(ran.code, Some(1), "seed {seed}, deep {deep}: {ran:?}");
        assert_equal(&suite, &reports, &format!("seed {seed}, deep {deep}"));
        assert_nothing_left(&suite, &word, seed);
    }
    assert!(kills > 0, "seed {seed}: nothing was killed");
}
