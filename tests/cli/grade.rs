//! `jury grade` as a user meets it, with real programs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Ran, Suite, ran};

/// A problem with three sums.
pub(crate) fn sums() -> Suite {
    Suite::new()
        .file("sum/input/1.in", "1 2\n")
        .file("sum/expected/1.out", "3\n")
        .file("sum/input/2.in", "10 20\n")
        .file("sum/expected/2.out", "30\n")
        .file("sum/input/3.in", "5 5\n")
        .file("sum/expected/3.out", "10\n")
}

const GOOD: &str = "read -r a b\necho $((a + b))\n";

pub(crate) fn command(suite: &Suite, arguments: &[&str]) -> Command {
    let mut command = suite.command(&[&["grade"], arguments].concat());
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

pub(crate) fn grade(suite: &Suite, arguments: &[&str]) -> Ran {
    ran(command(suite, arguments).output().unwrap())
}

/// Whether a tool is there; says so when it is not.
pub(crate) fn has(tool: &str) -> bool {
    let there = ["/usr/local/bin", "/usr/bin", "/bin"]
        .iter()
        .any(|folder| Path::new(folder).join(tool).is_file());
    if !there {
        println!("skipped: {tool} is not installed");
    }
    there
}

/// The verdict, exit code, signal and message of the first row of a submission that is no `AC`,
/// or else of its last row.
pub(crate) fn row(suite: &Suite, submission: &str) -> csv::StringRecord {
    let mut reader = csv::Reader::from_path(suite.path("report.csv")).unwrap();
    let rows: Vec<csv::StringRecord> =
        reader.records().map(Result::unwrap).filter(|row| &row[3] == submission).collect();
    let other = rows.iter().find(|row| &row[8] != "AC");
    other.or(rows.last()).unwrap().clone()
}

pub(crate) fn column(row: &csv::StringRecord, name: &str) -> String {
    let position = jury::report::COLUMNS.iter().position(|&known| known == name).unwrap();
    row[position].to_owned()
}

#[test]
fn right_and_wrong_programs_of_several_languages_are_told_apart() {
    let mut suite = sums();
    let mut names = vec!["good.sh"];
    suite = suite.file("good.sh", GOOD);
    let programs = [
        (
            "gcc",
            "good.c",
            "#include <stdio.h>\nint main(void){int a,b;if(scanf(\"%d %d\",&a,&b)!=2)return 1;printf(\"%d\\n\",a+b);}\n",
        ),
        (
            "g++",
            "good.cpp",
            "#include <iostream>\nint main(){int a,b;std::cin>>a>>b;std::cout<<a+b<<\"\\n\";}\n",
        ),
        ("python3", "good.py", "a, b = map(int, input().split())\nprint(a + b)\n"),
    ];
    for (tool, name, text) in programs {
        suite = suite.file(name, text);
        if has(tool) {
            names.push(name);
        }
    }
    let suite = suite.file("bad.sh", "read -r a b\necho $((a * b))\n");
    let mut arguments = vec!["sum"];
    arguments.extend(&names);
    arguments.push("bad.sh");
    let ran = grade(&suite, &arguments);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for name in names {
        assert_eq!(&row(&suite, name)[8], "AC", "{name}: {ran:?}");
    }
    let bad = row(&suite, "bad.sh");
    assert_eq!((&bad[8], &bad[6]), ("WA", "sum/1"), "{ran:?}");
    let rest = format!("{} submissions accepted, 1 not", arguments.len() - 2);
    assert!(ran.out.contains(&rest), "{ran:?}");
}

#[test]
fn a_late_result_that_may_be_an_accident_is_confirmed() {
    let suite = sums().file("busy.sh", "while :; do :; done\n");
    let limits = ["--time", "1.5", "--wall", "20"];
    let ran = grade(&suite, &[&["sum", "busy.sh"], &limits[..]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let row = row(&suite, "busy.sh");
    assert_eq!(column(&row, "verdict"), "TLE", "{row:?}");
    assert!(column(&row, "message").contains("confirmed 3 of 3"), "{row:?}");
}

#[test]
fn one_run_of_each_case_tells_the_verdicts_under_several_limits() {
    if !has("python3") {
        return;
    }
    let text = "import time\na, b = map(int, input().split())\n\
                while a > 1 and time.process_time() < 0.5: pass\nprint(0 if a == 10 else a + b)\n";
    let suite = sums().file("burn.py", text).file("good.sh", GOOD);
    let arguments = ["sum", "burn.py", "good.sh", "--time", "0.2,0.1,3", "--wall", "20"];
    let ran = grade(&suite, &[&arguments[..], &["--report", "json=-"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for line in [
        "sum: 3 cases, 0.2 s (also 0.1 s, 3.0 s), 256 MiB",
        "verdict under  0.2 s  0.1 s  3.0 s\nburn.py        TLE    TLE    WA\n",
        "good.sh        AC     AC     AC\n",
        "rerun: jury grade sum --time 0.2,0.1,3 --wall 20 burn.py --case 2",
    ] {
        assert!(ran.err.contains(line), "{line}: {ran:?}");
    }
    let under = r#""verdicts_under":[{"time_limit_ns":200000000,"verdict":"TLE"},{"time_limit_ns":100000000,"verdict":"TLE"},{"time_limit_ns":3000000000,"verdict":"WA"}],"runs":1,"#;
    assert!(ran.out.contains(under), "{ran:?}");
}

#[test]
fn more_runs_at_a_time_than_cores_are_noted() {
    let suite = sums().file("good.sh", GOOD);
    let cores = jury::execute::physical_cores().len();
    let more = (cores + 1).max(3).to_string();
    let cases = (4..20).fold(suite, |suite, number| {
        let at = |kind: &str, end: &str| format!("sum/{kind}/{number}.{end}");
        suite.file(&at("input", "in"), "1 1\n").file(&at("expected", "out"), "2\n")
    });
    let ran = grade(&cases, &["sum", "good.sh", "--jobs", &more]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    if cores < 19 {
        let note = format!("note: {more} runs at a time on {cores} physical core");
        assert!(ran.err.contains(&note), "{ran:?}");
    }
    let ran = grade(&cases, &["sum", "good.sh"]);
    assert!(!ran.err.contains("at a time"), "{ran:?}");
}

#[test]
fn every_limit_has_its_verdict() {
    let suite = sums()
        .file("busy.sh", "while :; do :; done\n")
        .file("idle.sh", "sleep 60\n")
        .file("flood.sh", "while :; do echo 1234567890123456789012345678901234567890; done\n")
        .file("exit.sh", "echo broken >&2\nexit 7\n")
        .file("signal.sh", "kill -ABRT $$\n");
    let programs = ["busy.sh", "idle.sh", "flood.sh", "exit.sh", "signal.sh"];
    let limits = ["--time", "0.3", "--wall", "3", "--output", "1", "--processes", "4"];
    let ran = grade(&suite, &[&["sum"], &programs[..], &limits].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let table = [
        ("busy.sh", "TLE", "s cpu time, 0.300 s allowed"),
        ("idle.sh", "TLE", "idle: 3."),
        ("flood.sh", "OLE", "more output than 1.0 MiB"),
        ("exit.sh", "RTE", "exit code 7: broken"),
        ("signal.sh", "RTE", "signal 6 (SIGABRT)"),
    ];
    for (name, verdict, message) in table {
        let row = row(&suite, name);
        assert_eq!(&row[8], verdict, "{name}: {ran:?}");
        assert!(column(&row, "message").contains(message), "{row:?}");
    }
    assert_eq!(column(&row(&suite, "exit.sh"), "exit_code"), "7");
    assert_eq!(column(&row(&suite, "signal.sh"), "signal"), "6");
    assert_eq!(column(&row(&suite, "busy.sh"), "time_limit_ms"), "300.000");
}

#[test]
fn memory_beyond_the_limit_is_told() {
    if !has("gcc") {
        return;
    }
    let text = "#include <stdlib.h>\n#include <string.h>\nint main(void){for(;;){char*p=malloc(1<<20);\
                if(!p)return 1;memset(p,1,1<<20);}}\n";
    let suite = sums().file("eat.c", text);
    let ran = grade(&suite, &["sum", "eat.c", "--memory", "32"]);
    let row = row(&suite, "eat.c");
    // Where memory is limited by refused allocations, the program ends by itself.
    assert!(["MLE", "RTE"].contains(&&row[8]), "{ran:?}");
    assert_eq!(column(&row, "memory_limit_bytes"), "33554432");
    let near = column(&row, "memory_bytes").parse::<u64>().unwrap();
    assert!((20 << 20..=40 << 20).contains(&near), "{row:?}");
}

#[test]
fn a_program_that_does_not_compile_is_shown_with_what_the_compiler_says() {
    if !has("gcc") {
        return;
    }
    let suite = sums().file("broken.c", "int main(void) { return nothing; }\n");
    let ran = grade(&suite, &["sum", "broken.c"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("broken.c       -        C--   CE    FAIL"), "{ran:?}");
    assert!(ran.out.contains("nothing"), "{ran:?}");
}

#[test]
fn a_promise_that_is_kept_is_a_success_and_the_configuration_can_promise() {
    let suite = sums()
        .file("sum/submissions/accepted/good.sh", GOOD)
        .file("sum/submissions/wrong_answer/bad.sh", "echo 3\n")
        .file("sum/submissions/other.sh", "exit 1\n")
        .file("sum/jury.toml", "[submissions]\n\"other*\" = [\"RTE\", \"WA\"]\n");
    let ran = grade(&suite, &["sum"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("3 submissions as promised, 0 not"), "{ran:?}");
    assert_eq!(column(&row(&suite, "other.sh"), "promised"), "RTE|WA");
}

#[test]
fn sets_of_verdicts_are_about_all_cases_and_about_test_groups() {
    let suite = Suite::new()
        .file("sum/input/sample/1.in", "1 2\n")
        .file("sum/expected/sample/1.out", "3\n")
        .file("sum/input/secret/1.in", "2 2\n")
        .file("sum/expected/secret/1.out", "4\n")
        .file("sum/input/secret/2.in", "5 5\n")
        .file("sum/expected/secret/2.out", "10\n")
        .file("sum/submissions/mixed.sh", "read -r a b\n((a == 5)) && exit 1\necho 3\n")
        .file("sum/submissions/sure.sh", "read -r a b\n((a == 2)) && echo 5 || echo $((a + b))\n")
        .file("sum/submissions/never.sh", GOOD)
        .file("sum/submissions/early.sh", "echo 1\n")
        .file(
            "sum/jury.toml",
            "[submissions]\n\
             \"mixed*\" = { permitted = [\"AC\", \"WA\", \"RTE\"], required = [\"RTE\"] }\n\
             \"sure*\" = { groups.secret = [\"WA\"] }\n\
             \"never*\" = { groups.secret = [\"TLE\"] }\n\
             \"early*\" = { groups.secret = [\"WA\"] }\n\
             \"lax*\" = [\"AC\", \"WA\", \"TLE\", \"RTE\"]\n",
        );
    let ran = grade(&suite, &["sum", "--report", "csv=report.csv", "--report", "json=-"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("mixed.sh       AC|WA|RTE!   .       WR"), "{ran:?}");
    assert!(ran.err.contains("sure.sh        secret:WA!   .       W."), "{ran:?}");
    assert!(ran.err.contains("FAIL never.sh: requires TLE in secret, got AC\n"), "{ran:?}");
    assert!(ran.err.contains("FAIL early.sh: permits AC, got WA on sample/1: "), "{ran:?}");
    assert!(ran.err.contains("2 submissions as promised, 2 not"), "{ran:?}");
    let told = "warning: [submissions]: the promise of `lax*` is too lax: every program keeps it";
    assert!(ran.err.contains(told), "{ran:?}");
    assert_eq!(column(&row(&suite, "sure.sh"), "promised"), "AC|WA");
    let sets = r#""promised_sets":{"permitted":[],"required":[],"groups":{"secret":["WA"]}}"#;
    assert!(ran.out.contains(sets), "{ran:?}");
}

#[test]
fn a_language_that_nobody_knows_is_skipped_in_a_folder_and_refused_by_name() {
    let suite = sums()
        .file("sum/submissions/accepted/good.sh", GOOD)
        .file("sum/submissions/accepted/odd.xyz", "?\n");
    let ran = grade(&suite, &["sum"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("1 submission as promised, 0 not, 1 skipped"), "{ran:?}");
    let ran = grade(&suite, &["sum", "sum/submissions/accepted/odd.xyz"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = grade(&suite, &["sum", "none.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
}

#[test]
fn a_missing_answer_is_never_accepted() {
    let suite = Suite::new().file("sum/input/1.in", "1 2\n").file("sum/expected/x.out", "3\n");
    let suite = suite.file("good.sh", GOOD);
    let ran = grade(&suite, &["sum", "good.sh"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(&row(&suite, "good.sh")[8], "NA");
}

#[test]
fn two_folders_need_no_problem() {
    let suite = sums().file("good.sh", GOOD);
    let folders = ["--input", "sum/input", "--expected", "sum/expected"];
    let ran = grade(&suite, &[&folders[..], &["good.sh"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("1 submission accepted, 0 not"), "{ran:?}");
}

#[test]
fn every_student_is_graded_on_every_task() {
    let suite = Suite::new()
        .file("data/sum/1.in", "1 2\n")
        .file("data/sum/1.ans", "3\n")
        .file("data/max/1.in", "1 2\n")
        .file("data/max/1.ans", "2\n")
        .file("source/anna/sum.sh", GOOD)
        .file("source/anna/max.sh", "echo 2\n")
        .file("source/ben/sum/sum.sh", "echo 4\n");
    let ran = grade(&suite, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let mut reader = csv::Reader::from_path(suite.path("report.csv")).unwrap();
    let rows: Vec<String> = reader
        .records()
        .map(|row| row.map(|row| format!("{} {} {}", &row[2], &row[3], &row[8])).unwrap())
        .collect();
    assert_eq!(rows, ["max anna AC", "sum anna AC", "sum ben WA"]);
}

#[test]
fn the_built_in_solver_is_a_submission() {
    let suite = Suite::with_samples();
    let ran = grade(&suite, &[".", "core"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("2 submissions accepted, 0 not"), "{ran:?}");
    let ran = grade(&sums(), &["sum", "core"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no built-in solver for problem `sum`"), "{ran:?}");
}

#[test]
fn a_dry_run_prints_every_limit_and_runs_nothing() {
    let suite = sums().file("good.sh", GOOD);
    let toml = "[limits]\nmemory = 100\n[[limits.case]]\npattern = \"2\"\ntime = 4\n";
    let suite = suite.file("sum/jury.toml", toml);
    let ran = grade(&suite, &["sum", "good.sh", "--dry-run", "--stack", "8MiB"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("2 cases: time 2.000 s (cpu), wall 5.000 s"), "{ran:?}");
    assert!(ran.out.contains("1 case: time 4.000 s (cpu), wall 9.000 s"), "{ran:?}");
    assert!(ran.out.contains("memory 100.0 MiB, stack 8.0 MiB"), "{ran:?}");
    assert!(!suite.path("report.csv").exists());
}

#[test]
fn without_timings_two_reports_are_equal_with_any_number_of_jobs() {
    let late = "read -r a b\nwhile ((a == 10)); do :; done\necho $((a + b))\n";
    let suite = sums().file("good.sh", GOOD).file("bad.sh", "echo 3\n").file("late.sh", late);
    let formats = ["csv", "json", "junit", "md", "tap", "gitlab", "html", "github=github.txt"];
    let options = formats.map(|format| format!("--report={format}"));
    let options = options.iter().map(String::as_str);
    let words = ["sum", "good.sh", "bad.sh", "late.sh", "--timings", "none", "--time", "0.2"];
    let words: Vec<&str> = words.into_iter().chain(options).collect();
    let files = ["report.csv", "report.json", "junit.xml", "report.md", "report.tap"];
    let more = ["gl-code-quality-report.json", "report.html", "github.txt"];
    let mut reports = Vec::new();
    for jobs in ["1", "2", "5"] {
        grade(&suite, &[&words[..], &["--jobs", jobs]].concat());
        reports.push([&files[..], &more[..]].concat().into_iter().map(|file| suite.read(file)));
    }
    let reports: Vec<Vec<String>> = reports.into_iter().map(Iterator::collect).collect();
    assert!(reports[0][0].contains("more cpu time than 0.200 s"), "{}", reports[0][0]);
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

#[test]
fn every_report_of_graded_submissions_can_be_made_again_from_json_and_from_events() {
    let wrong = "read -r a b\n((a == 10)) && exit 3\necho $((a + b))\n";
    let suite = sums().file("good.sh", GOOD).file("bad.sh", wrong).file("none.c", "int main( {");
    let files = [
        ("csv", "report.csv"),
        ("json", "report.json"),
        ("junit", "junit.xml"),
        ("md", "report.md"),
        ("html", "report.html"),
        ("html-contest", "contest.html"),
        ("gitlab-metrics", "metrics.txt"),
    ];
    let options = files.map(|(format, _)| format!("--report={format}"));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let words = ["sum", "good.sh", "bad.sh", "none.c", "--jobs", "1", "--report", "jsonl"];
    grade(&suite, &[&words[..], &options[..]].concat());
    for from in ["report.json", "report.jsonl"] {
        for (format, file) in [&files[..], &[("jsonl", "report.jsonl")]].concat() {
            if format == "jsonl" && from == "report.json" {
                continue;
            }
            let option = format!("{format}=again");
            let told = suite.run(&["report", from, "--report", &option]);
            assert_eq!((told.code, told.err.as_str()), (Some(1), ""), "{format} from {from}");
            assert_eq!(suite.read("again"), suite.read(file), "{format} from {from}");
        }
    }
}

/// Ended processes whose command line has this word.
fn living(word: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(word)).count()
}

#[test]
fn a_run_that_is_stopped_leaves_nothing_running_and_can_be_resumed() {
    let text = "read -r a b\nif ((a == 10)); then sleep 987654; fi\necho $((a + b))\n";
    let suite = sums().file("slow.sh", text);
    let limits = ["--wall", "100", "--jobs", "1", "--processes", "4", "--timings", "none"];
    let arguments = [&["sum", "slow.sh"], &limits[..]].concat();
    let mut child = command(&suite, &arguments);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now();
    while living("987654") == 0 {
        assert!(patience.elapsed() < Duration::from_mins(1), "the program was never started");
        sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.err.contains("1 running ones ended"), "{ran:?}");
    assert!(
        ran.out.contains("stopped after 1 of 3 runs   report: report.csv (partial)"),
        "{ran:?}"
    );
    assert_eq!(living("987654"), 0, "a program lives on");
    assert!(suite.read("report.csv").contains(",true\n"), "{ran:?}");

    // Only the input of the case that hung changes: the first one is not run again.
    let suite = suite.file("sum/input/2.in", "20 10\n");
    let resumed = grade(&suite, &[&arguments[..], &["--resume"]].concat());
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(resumed.err.contains("resuming: 1 of 3 runs are done"), "{resumed:?}");
    let report = suite.read("report.csv");
    grade(&suite, &arguments);
    assert_eq!(suite.read("report.csv"), report);
}

#[test]
fn a_link_out_of_the_folder_of_the_submissions_is_not_followed() {
    let suite = sums()
        .file("secret.sh", "echo a secret; exit 1\n")
        .file("sum/submissions/accepted/good.sh", GOOD);
    let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, suite.path(at)).unwrap();
    link("../../secret.sh", "sum/submissions/leak.sh");
    link("../expected/1.out", "sum/submissions/answer.php");
    link("accepted/good.sh", "sum/submissions/again.sh");
    let ran = grade(&suite, &["sum"]);
    assert!(ran.out.contains("2 submissions"), "{ran:?}");
    for name in ["leak.sh", "answer.php"] {
        assert!(!ran.out.contains(name), "{ran:?}");
        let told = format!("warning: sum/submissions/{name}: a link that leads out of");
        assert!(ran.err.contains(&told), "{ran:?}");
    }
    let named = grade(&suite, &["sum", "sum/submissions/leak.sh"]);
    assert_eq!(&row(&suite, "leak.sh")[8], "RTE", "{named:?}");
}

/// An executable file.
fn executable(suite: &Suite, path: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(suite.path(path), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_submission_that_is_no_program_is_told_before_any_case_and_not_run() {
    let suite = sums().file("junk", "\x7fELF is all that is right").file("good.sh", GOOD);
    executable(&suite, "junk");
    let ran = grade(&suite, &["sum", "junk", "good.sh", "--all-cases"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let row = row(&suite, "junk");
    assert_eq!((&row[8], &row[6], &*column(&row, "cpu_ms")), ("RTE", "sum/1", ""), "{ran:?}");
    assert!(column(&row, "message").starts_with("cannot be started: Exec format"), "{ran:?}");
    assert!(ran.out.contains("hint:  it is no program that this machine can run"), "{ran:?}");
    assert!(ran.out.contains("1 submission accepted, 1 not"), "{ran:?}");
}

#[test]
fn an_interpreter_that_does_not_start_stops_the_run_before_the_first_case() {
    let suite =
        sums().file("odd.xyz", "?\n").file("good.sh", GOOD).file("interpreter", "#!/none\n");
    executable(&suite, "interpreter");
    let table = "[languages.xyz]\nextensions = [\"xyz\"]\n";
    let run = format!("run = [{:?}, \"{{source}}\"]\n", suite.path("interpreter"));
    let suite = suite.file("sum/jury.toml", table.to_owned() + &run);
    let ran = grade(&suite, &["sum", "good.sh", "odd.xyz", "--sandbox", "none"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
    assert!(ran.err.contains("cannot be started: "), "{ran:?}");
    assert!(ran.err.contains("/interpreter: No such file or directory"), "{ran:?}");
    assert!(ran.err.contains("; no case was run\nhint: `jury doctor`"), "{ran:?}");
    assert!(!suite.path("report.csv").exists());
}

#[test]
fn a_sandbox_that_cannot_be_had_is_refused_before_anything_is_run() {
    let suite = sums().file("good.sh", GOOD);
    let closed = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"";
    let closed = |arguments: &[&str]| {
        let command = command(&suite, arguments);
        let mut inside = Command::new("unshare");
        inside.args(["--user", "--map-root-user", "sh", "-c", closed]);
        inside.arg(command.get_program()).args(command.get_args());
        inside.current_dir(suite.path(".")).env_clear();
        inside.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        inside.output()
    };
    if !closed(&["sum", "--help"]).is_ok_and(|output| output.status.success()) {
        println!("skipped: namespaces cannot be switched off here");
        return;
    }
    let ran = ran(closed(&["sum", "good.sh", "--sandbox", "strict"]).unwrap());
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
    let told = "error: cannot isolate submissions: the sandbox level strict cannot be had: ";
    assert!(ran.err.contains(told) && ran.err.contains("namespaces: "), "{ran:?}");
    assert!(ran.err.contains("hint: `jury doctor` shows what is missing; `--sandbox none` runs"));
    assert!(!suite.path("report.csv").exists() && !suite.path(".jury").exists());
}

#[test]
fn a_limit_of_user_time_stops_a_program_without_a_limit_of_elapsed_time() {
    let suite = sums().file("busy.sh", "while :; do :; done\n");
    let limits = ["--clock", "user", "--time", "0.3", "--wall", "100", "--confirm", "0"];
    let ran = grade(&suite, &[&["sum", "busy.sh"], &limits[..]].concat());
    let row = row(&suite, "busy.sh");
    assert_eq!((ran.code, &*column(&row, "verdict")), (Some(1), "TLE"), "{ran:?}");
    assert!(column(&row, "message").contains("s user time, 0.300 s allowed"), "{row:?}");
    let cpu: f64 = column(&row, "cpu_ms").parse().unwrap();
    assert!(cpu < 20_000.0, "{row:?}");
}

#[test]
fn the_command_to_run_again_names_the_configuration() {
    let suite = sums().file("bad.sh", "echo 3\n").file("my.toml", "");
    for option in [&["--config", "my.toml"][..], &["--no-config"]] {
        let ran = grade(&suite, &[&["sum", "bad.sh"], option].concat());
        let told = format!("rerun: jury grade sum {} bad.sh", option.join(" "));
        assert!(ran.out.contains(&told), "{ran:?}");
    }
}

#[test]
fn json_lines_tell_of_built_and_of_finished_submissions() {
    let suite = sums().file("good.sh", GOOD).file("bad.sh", "echo 3\n");
    let report = ["--report", "jsonl=-", "--timings", "none", "--jobs", "1"];
    let ran = grade(&suite, &[&["sum", "good.sh", "bad.sh"], &report[..]].concat());
    let of = |event: &str| -> Vec<&str> {
        let start = format!("{{\"event\":\"{event}\"");
        ran.out.lines().filter(|line| line.starts_with(&start)).collect()
    };
    let compiled = of("compiled");
    assert_eq!(compiled.len(), 2, "{ran:?}");
    assert!(compiled[0].contains(r#""submission":"good.sh","language":"Bash""#), "{ran:?}");
    assert!(compiled[0].contains(r#""ok":true"#), "{ran:?}");
    let finished = of("submission-finished");
    let good = r#""submission":"good.sh","verdict":"AC","kept":true}"#;
    assert!(finished[0].contains(good), "{ran:?}");
    let bad = r#""submission":"bad.sh","verdict":"WA","kept":false,"first_case":"sum/2"}"#;
    assert!(finished[1].contains(bad), "{ran:?}");
}

#[test]
fn a_misspelt_folder_of_submissions_is_told() {
    let suite = sums().file("sum/submissions/acepted/good.sh", GOOD);
    let ran = grade(&suite, &["sum"]);
    assert!(ran.err.contains("warning: sum/submissions/acepted: the name promises"), "{ran:?}");
    assert!(ran.err.contains("did you mean `accepted`?"), "{ran:?}");
}

#[test]
fn what_a_missing_answer_means_is_not_taken_over_from_another_run() {
    let suite = sums().file("good.sh", GOOD);
    fs::remove_file(suite.path("sum/expected/2.out")).unwrap();
    assert_eq!(grade(&suite, &["sum", "good.sh", "--missing", "warn"]).code, Some(0));
    let ran = grade(&suite, &["sum", "good.sh", "--missing", "fail", "--resume"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn a_submission_that_is_named_twice_is_graded_once() {
    let suite = sums().file("good.sh", GOOD);
    let ran = grade(&suite, &["sum", "good.sh", "./good.sh", "--report", "json"]);
    assert!(ran.out.contains("1 submission, "), "{ran:?}");
    assert_eq!(suite.run(&["report", "report.json", "-qq"]).code, Some(0));
}

#[test]
fn names_that_are_no_text_stay_different() {
    use std::os::unix::ffi::OsStrExt as _;
    let suite = sums();
    fs::create_dir_all(suite.path("sum/submissions")).unwrap();
    for byte in [0xfe, 0xff] {
        let name = [b'a', byte, b'.', b's', b'h'];
        let path = suite.path("sum/submissions").join(std::ffi::OsStr::from_bytes(&name));
        fs::write(path, GOOD).unwrap();
    }
    let ran = grade(&suite, &["sum", "--report", "json"]);
    assert!(ran.out.contains("a\\xfe.sh") && ran.out.contains("a\\xff.sh"), "{ran:?}");
    assert_eq!(suite.run(&["report", "report.json", "-qq"]).code, Some(0));
}

#[test]
fn judge_errors_behind_the_first_failure_are_told() {
    let checker =
        "read -r line\n[ \"$line\" = 3 ] && exit 43\n[ \"$line\" = 10 ] && exit 7\nexit 42\n";
    let suite = sums().file("good.sh", GOOD).file("check.sh", checker);
    let options = ["--checker", "check.sh,protocol=kattis", "--all-cases"];
    let ran = grade(&suite, &[&["sum", "good.sh"], &options[..]].concat());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.out.contains("W.J"), "{ran:?}");
    assert!(ran.out.contains("JE good.sh on 3: checker"), "{ran:?}");
}

#[test]
fn submissions_of_one_name_are_told_apart_everywhere() {
    let suite = sums().file("z/ac.sh", "echo 1\n").file("z2/ac.sh", "echo 2\n");
    let ran = grade(&suite, &["sum", "z/ac.sh", "z2/ac.sh"]);
    for (name, output) in [("z/ac.sh", "1\n"), ("z2/ac.sh", "2\n")] {
        assert!(ran.out.contains(name), "{ran:?}");
        assert_eq!(&row(&suite, name)[8], "WA", "{ran:?}");
        assert_eq!(suite.read(&format!(".jury/last/{name}/sum/1.out")), output, "{ran:?}");
    }
}

#[test]
fn a_report_takes_the_place_of_no_file_that_is_read() {
    let suite = sums()
        .file("sum/submissions/accepted/good.sh", GOOD)
        .file("sum/submissions/accepted/other.sh", GOOD)
        .file("sum/jury.toml", "[limits]\ntime = 3\n")
        .file("sum/input/1.args", "a")
        .file("sum/input/2.files/deep/data", "b")
        .file("judge.sh", "exit 42\n")
        .file("my.sh", GOOD);
    fs::hard_link(suite.path("my.sh"), suite.path("twin.csv")).unwrap();
    fs::hard_link(suite.path("sum/expected/1.out"), suite.path("answer.csv")).unwrap();
    for (arguments, report) in [
        (&["sum"][..], "sum/submissions/accepted/good.sh"),
        (&["sum", "--submission", "good.sh"], "sum/submissions/accepted/other.sh"),
        (&["sum"], "sum/jury.toml"),
        (&["sum"], "answer.csv"),
        (&["sum"], "sum/input/1.args"),
        (&["sum"], "sum/input/2.files/deep/data"),
        (&["sum", "--checker", "judge.sh,protocol=kattis"], "judge.sh"),
        (&["sum", "my.sh"], "my.sh"),
        (&["sum", "my.sh"], "twin.csv"),
    ] {
        let before = suite.read(report);
        for format in ["csv", "json", "jsonl"] {
            let option = format!("{format}={report}");
            let ran = grade(&suite, &[arguments, &["--report", &option]].concat());
            assert_eq!(ran.code, Some(2), "{report}: {ran:?}");
            assert!(
                ran.err.contains(&format!("{report} is a file that this run reads")),
                "{ran:?}"
            );
            assert_eq!(suite.read(report), before);
        }
    }
    let ran = grade(&suite, &["sum", "--report", "csv=new.csv"]);
    let again = grade(&suite, &["sum", "--report", "csv=new.csv"]);
    assert_eq!((ran.code, again.code), (Some(0), Some(0)), "{again:?}");
}

#[test]
fn jury_run_overwrites_neither_a_link_to_an_answer_nor_its_configuration() {
    let suite = Suite::with_samples().file("jury.toml", "[run]\njobs = 1\n");
    fs::hard_link(suite.path("expected/ali-baba/1.out"), suite.path("twin.csv")).unwrap();
    for report in ["twin.csv", "jury.toml", "input/ali-baba/1.in"] {
        let before = suite.read(report);
        let ran = suite.run(&["run", "--report", &format!("csv={report}")]);
        assert_eq!(ran.code, Some(2), "{report}: {ran:?}");
        assert_eq!(suite.read(report), before);
    }
}

#[test]
fn unusual_names_are_graded() {
    let suite = sums()
        .file("sum/submissions/-x.sh", GOOD)
        .file("sum/submissions/@y.sh", GOOD)
        .file("sum/submissions/new\nline.sh", GOOD)
        .file("sum/submissions/esc\x1b[31m.sh", GOOD);
    let ran = grade(&suite, &["sum"]);
    assert!(ran.out.contains("4 submissions"), "{ran:?}");
    let report = suite.read("report.csv");
    assert_eq!(report.matches(",AC,").count(), 12, "{report}");
    assert!(!ran.out.contains("skipped"), "{ran:?}");
}

#[test]
fn a_submission_that_cannot_be_compiled_for_its_size_is_no_skipped_one() {
    let suite = sums().file("sum/submissions/good.sh", GOOD).file("sum/submissions/big.sh", "");
    let big = fs::File::options().write(true).open(suite.path("sum/submissions/big.sh")).unwrap();
    big.set_len(17 << 20).unwrap();
    let ran = grade(&suite, &["sum"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(&row(&suite, "big.sh")[8], "CE", "{ran:?}");
}

#[test]
fn a_configuration_that_matches_nothing_is_told() {
    let suite = sums().file("sum/submissions/good.sh", GOOD).file(
        "sum/jury.toml",
        "[[limits.case]]\npattern = \"9*\"\ntime = 9\n[[limits.case]]\npattern = \"1\"\ntime = 9\n\
         [submissions]\n\"god.sh\" = \"AC\"\n\"good.sh\" = \"AC\"\n",
    );
    let ran = grade(&suite, &["sum"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("warning: [[limits.case]]: no case matches `9*`"), "{ran:?}");
    assert!(ran.err.contains("warning: [submissions]: no submission matches `god.sh`"), "{ran:?}");
    assert_eq!(ran.err.matches("warning").count(), 2, "{ran:?}");
}

#[test]
fn the_command_to_run_again_has_every_option_that_a_verdict_hangs_on() {
    let suite = sums().file("bad.sh", "echo 3\n");
    let options = [
        "--compare exact --missing warn --time 1.5 --wall 4 --memory 64 --stack 8 --output 100B",
        "--processes 2 --clock wall --timing strict --confirm 1 --sandbox none",
    ]
    .join(" ");
    let arguments: Vec<&str> = ["sum", "bad.sh"].into_iter().chain(options.split(' ')).collect();
    let ran = grade(&suite, &arguments);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains(&format!("jury grade sum {options} bad.sh")), "{ran:?}");
    let plain = grade(&suite, &["sum", "bad.sh"]);
    assert!(plain.out.contains("jury grade sum bad.sh"), "{plain:?}");
}

#[test]
fn a_journal_that_cannot_be_written_is_a_warning() {
    let suite = sums().file("good.sh", GOOD).file(".jury", "in the way\n");
    let ran = grade(&suite, &["sum", "good.sh", "--no-report"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("warning: cannot write .jury/journal.jsonl"), "{ran:?}");
}

#[test]
fn without_a_usable_cache_programs_are_kept_for_the_run_only() {
    let suite = sums().file("good.sh", GOOD).file("home", "no folder\n");
    fs::create_dir(suite.path("tmp")).unwrap();
    let mut command = command(&suite, &["sum", "good.sh"]);
    command.env("XDG_CACHE_HOME", suite.path("home")).env("TMPDIR", suite.path("tmp"));
    let ran = ran(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = format!("cannot write {}", suite.path("home/jury").display());
    assert!(ran.err.contains(&told), "{ran:?}");
    assert_eq!(fs::read_dir(suite.path("tmp")).unwrap().count(), 0);
}
