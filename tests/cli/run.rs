//! `jury run` as a user meets it: options, reports, broken input, exit codes.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Suite;

/// The value of a column in each row of a CSV report.
fn column(report: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(report.as_bytes());
    let position = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[position].to_owned()).collect()
}

#[test]
fn reports_of_two_runs_are_equal_whatever_the_number_of_jobs() {
    let mut suite = Suite::with_samples();
    for number in 0..40 {
        suite = suite
            .file(&format!("input/jsoi-game/x{number}.in"), "1 3\n...\n")
            .file(&format!("expected/jsoi-game/x{number}.out"), "WIN\n1 1\n1 3\n");
    }
    for format in ["csv", "json"] {
        let report = |jobs: &str| {
            let target = format!("{format}=-");
            let arguments =
                ["run", "--jobs", jobs, "--report", &target, "--timings", "none", "-qq"];
            let ran = suite.run(&arguments);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            ran.out
        };
        assert_eq!(report("1"), report("4"));
    }
    let names = column(&suite.run(&["run", "--report", "csv=-", "-qq"]).out, "case");
    assert_eq!(names[..4], ["ali-baba/1", "jsoi-game/1", "jsoi-game/x0", "jsoi-game/x1"]);
    assert_eq!(names[4..6], ["jsoi-game/x2", "jsoi-game/x3"]);
    assert_eq!(names.len(), 42);
}

#[test]
fn an_input_that_breaks_the_format_fails_its_case_and_no_other() {
    let suite = Suite::with_samples()
        .file("input/ali-baba/2.in", "1 3\n1 -1\n")
        .file("expected/ali-baba/2.out", "Ali Win\n")
        .file("input/jsoi-game/2.in", "1 3\n.x.\n")
        .file("expected/jsoi-game/2.out", "WIN\n1 1\n1 3\n");
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("RTE  ali-baba/2: input/ali-baba/2.in: line "), "{}", ran.out);
    assert!(ran.out.contains("RTE  jsoi-game/2: input/jsoi-game/2.in: line 2"), "{}", ran.out);
    assert!(ran.out.contains("2 passed, 2 failed\n"), "{}", ran.out);
    let report = suite.read("report.csv");
    assert_eq!(column(&report, "verdict"), ["AC", "RTE", "AC", "RTE"]);
    assert_eq!(column(&report, "status"), ["pass", "fail", "pass", "fail"]);
}

#[test]
fn a_wrong_answer_is_kept_and_reported() {
    let suite = Suite::with_samples().file("expected/jsoi-game/1.out", "WIN\n2 3\n3 3\n");
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(suite.read(".jury/last/jsoi-game/1.out"), "WIN\n2 3\n3 2\n");
    assert_eq!(suite.read(".jury/.gitignore"), "*\n");
    let report = suite.read("report.csv");
    assert_eq!(column(&report, "mismatch"), ["", "value"]);
    assert_eq!(column(&report, "expected_excerpt"), ["", "\"3\""]);

    suite.run(&["run", "--case", "ali-baba/1"]);
    assert!(!suite.path(".jury/last/jsoi-game/1.out").exists());
}

#[test]
fn each_comparison_has_its_own_idea_of_equal() {
    let suite = Suite::with_samples().file("expected/jsoi-game/1.out", "WIN \r\n2 3\r\n3 2");
    let code = |compare: &str| suite.run(&["run", "--compare", compare, "-qq"]).code;
    assert_eq!([code("tokens"), code("lines"), code("exact")], [Some(0), Some(0), Some(1)]);
    let suite = suite.file("expected/jsoi-game/1.out", "WIN 2 3 3 2\n");
    let code = |compare: &str| suite.run(&["run", "--compare", compare, "-qq"]).code;
    assert_eq!([code("tokens"), code("lines"), code("exact")], [Some(0), Some(1), Some(1)]);
    let suite = suite.file("expected/jsoi-game/1.out", "win\n2 3\n3 2\n");
    let code = |compare: &str| suite.run(&["run", "--compare", compare, "-qq"]).code;
    assert_eq!([code("tokens"), code("lines"), code("exact")], [Some(1), Some(1), Some(1)]);
}

#[test]
fn a_missing_answer_fails_warns_or_skips() {
    let suite = Suite::with_samples().file("input/ali-baba/2.in", "1 1\n-1\n");
    let verdicts = |missing: &str| {
        let ran = suite.run(&["run", "--missing", missing, "--report", "csv=-", "-qq"]);
        (ran.code, column(&ran.out, "verdict")[1].clone(), column(&ran.out, "status")[1].clone())
    };
    assert_eq!(verdicts("fail"), (Some(1), "NA".into(), "fail".into()));
    assert_eq!(verdicts("warn"), (Some(0), "NA".into(), "skip".into()));
    assert_eq!(verdicts("skip"), (Some(0), "SKIP".into(), "skip".into()));
    assert!(!suite.path("expected/ali-baba/2.out").exists());
}

#[test]
fn blessing_writes_missing_answers_and_by_force_others() {
    let suite = Suite::with_samples()
        .file("input/ali-baba/2.in", "1 1\n-1\n")
        .file("expected/jsoi-game/1.out", "LOSE\n");
    let ran = suite.run(&["run", "--bless"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("blessed ali-baba/2: written: expected/ali-baba/2.out\n"));
    assert_eq!(suite.read("expected/ali-baba/2.out"), "Ali Win\n");
    assert_eq!(suite.read("expected/jsoi-game/1.out"), "LOSE\n");
    assert!(ran.out.contains("--bless never overwrites; --bless --force does"), "{}", ran.out);

    let ran = suite.run(&["run", "--bless", "--force"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("blessed jsoi-game/1: overwritten: expected/jsoi-game/1.out\n"));
    assert_eq!(suite.read("expected/jsoi-game/1.out"), "WIN\n2 3\n3 2\n");
}

#[test]
fn a_report_that_cannot_be_written_stops_the_run_before_its_first_case() {
    let suite = Suite::with_samples().file("expected/jsoi-game/1.out", "LOSE\n").file("file", "");
    for target in ["csv=no/folder/report.csv", "json=file/x.json", "jsonl=no/x.jsonl", "csv=input"]
    {
        let ran = suite.run(&["run", "--report", target]);
        assert_eq!(ran.code, Some(2), "{target}: {ran:?}");
        assert!(ran.err.starts_with("error: cannot write "), "{}", ran.err);
        assert_eq!(ran.out, "");
        assert!(!suite.path(".jury").exists());
    }
    let twice = suite.run(&["run", "--report", "csv=-", "--report", "json=-"]);
    assert_eq!((twice.code, twice.out.as_str()), (Some(2), ""));
}

#[test]
fn a_full_disk_costs_its_report_and_exits_with_three() {
    let suite = Suite::with_samples();
    for format in ["csv", "json", "jsonl"] {
        let target = format!("{format}=/dev/full");
        let ran = suite.run(&["run", "--report", &target, "--report", "csv=whole.csv"]);
        assert_eq!(ran.code, Some(3), "{format}: {ran:?}");
        assert!(ran.err.contains("error: cannot write /dev/full: "), "{}", ran.err);
        assert!(ran.out.contains("2 passed, 0 failed"), "{}", ran.out);
        assert_eq!(column(&suite.read("whole.csv"), "verdict"), ["AC", "AC"]);
    }
}

#[test]
fn text_moves_to_standard_error_when_a_report_takes_standard_output() {
    let suite = Suite::with_samples();
    let ran = suite.run(&["run", "--report", "jsonl=-"]);
    assert!(ran.err.contains("2 passed, 0 failed"), "{ran:?}");
    let events: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let each = ["case-finished", "submission-finished"];
    assert_eq!(names, [&["run-started"][..], &each, &each, &["run-finished"]].concat());
}

#[test]
fn a_reader_that_leaves_early_ends_the_run_quietly() {
    let suite = Suite::with_samples();
    let jury = env!("CARGO_BIN_EXE_jury");
    for options in ["--report csv=-", "--report json=-", "--report jsonl=-", "-vv"] {
        let script = format!("{{ {jury} run {options}; echo $? >code; }} | true");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(suite.path("."))
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("error") && !err.contains("panic"), "{options}: {err}");
        assert_eq!(suite.read("code"), "0\n", "{options}");
    }
}

#[test]
fn a_reader_that_leaves_a_partial_report_is_no_fault() {
    let mut suite = Suite::new();
    for number in 0..1000 {
        suite = suite.file(&format!("input/jsoi-game/{number}.in"), "1 1\n.\n");
    }
    let jury = env!("CARGO_BIN_EXE_jury");
    let run = format!("{jury} run --max-fail 900 --jobs 1 --report csv=- -qq");
    let script = format!("{{ {run}; echo $? >code; }} | dd bs=100 count=1 2>/dev/null");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(suite.path("."))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(suite.read("code"), "1\n");
}

#[test]
fn a_report_that_exists_survives_a_usage_error() {
    let suite = Suite::with_samples().file("old.jsonl", "old\n").file("old.csv", "old\n");
    let arguments = ["run", "--report", "jsonl=old.jsonl", "--report", "csv=old.csv"];
    let ran = suite.run(&[&arguments[..], &["--report", "json=no/x.json"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(
        (suite.read("old.jsonl").as_str(), suite.read("old.csv").as_str()),
        ("old\n", "old\n")
    );
    assert_eq!(suite.run(&arguments).code, Some(0));
    assert!(suite.read("old.jsonl").starts_with("{\"event\":\"run-started\""));
}

#[test]
fn a_report_without_cases_has_its_header() {
    let suite = Suite::with_samples();
    let ran = suite.run(&["run", "--case", "nope", "--report", "csv=-"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.out.starts_with("schema,run_id,") && ran.out.lines().count() == 1, "{}", ran.out);
    let ran = suite.run(&["run", "--case", "nope"]);
    assert_eq!(ran.code, Some(4));
    assert!(!suite.path("report.csv").exists());
}

#[test]
fn one_place_takes_one_report() {
    let suite = Suite::with_samples();
    let ran = suite.run(&["run", "--report", "csv=x", "--report", "json=./x"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "error: two reports go to ./x\n"));
    let ran = suite.run(&["run", "--report", "csv=/dev/stdout"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("schema,") && ran.err.contains("2 passed"), "{ran:?}");
}

#[test]
fn faults_of_other_cases_do_not_fail_the_selected_ones() {
    let suite = Suite::with_samples().file("expected/ali-baba/1.ans", "Ali Win\n");
    assert_eq!(suite.run(&["run", "--case", "jsoi-game/1"]).code, Some(0));
    assert_eq!(suite.run(&["run", "--case", "ali-baba/1"]).code, Some(1));
    assert_eq!(suite.run(&["list", "--case", "jsoi-game/1"]).code, Some(0));
}

#[test]
fn names_that_are_not_utf8_are_never_mistaken_for_one_another() {
    use std::os::unix::ffi::OsStrExt as _;
    let suite = Suite::with_samples();
    let path =
        |folder: &str, name: &[u8]| suite.path(folder).join(std::ffi::OsStr::from_bytes(name));
    fs::write(path("input/ali-baba", b"a\xff.in"), "1 1\n-1\n").unwrap();
    fs::write(path("expected/ali-baba", b"a\xfe.out"), "Ali Win\n").unwrap();
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains(r"NA  ali-baba/a\xff: no expected file"), "{}", ran.out);
    fs::write(path("expected/ali-baba", b"a\xff.out"), "Ali Win\n").unwrap();
    fs::remove_file(path("expected/ali-baba", b"a\xfe.out")).unwrap();
    assert_eq!(suite.run(&["run"]).code, Some(0));
    assert_eq!(suite.run(&["run", "--case", r"ali-baba/a\xff"]).code, Some(0));
}

#[test]
fn inputs_that_differ_only_in_case_are_told() {
    let suite = Suite::with_samples()
        .file("input/jsoi-game/a.in", "1 1\n.\n")
        .file("input/jsoi-game/A.in", "1 1\n.\n")
        .file("expected/jsoi-game/a.out", "WIN\n1 1\n")
        .file("expected/jsoi-game/A.out", "WIN\n1 1\n");
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("differs only in case from input/jsoi-game/"), "{}", ran.err);
}

#[test]
fn no_case_is_started_after_the_last_allowed_failure() {
    let suite = Suite::with_samples()
        .file("expected/ali-baba/1.out", "Baba Win\n")
        .file("expected/jsoi-game/1.out", "LOSE\n");
    let ran = suite.run(&["run", "--max-fail", "1", "--jobs", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains(
            "0 passed, 1 failed\nstopped after 1 of 2 cases   report: report.csv (partial)\n"
        ),
        "{}",
        ran.out
    );
    assert_eq!(column(&suite.read("report.csv"), "interrupted"), ["true"]);
}

#[test]
fn an_unknown_problem_names_the_solvers_and_can_be_mapped() {
    let suite = Suite::new()
        .file("input/treasure/1.in", "1 1\n-1\n")
        .file("expected/treasure/1.out", "Ali Win\n");
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: no solver for problem `treasure` (input/treasure)\n"));
    assert!(ran.err.contains("solvers: ali-baba, jsoi-game"), "{}", ran.err);
    let listed = suite.run(&["list"]);
    assert!(listed.out.starts_with("treasure: 1 case, no built-in solver\n"), "{}", listed.out);
    assert_eq!(listed.code, Some(0));
    assert_eq!(suite.run(&["run", "--solver", "ali-baba", "-q"]).code, Some(0));
    let suite = suite.file("jury.toml", "[problems]\ntreasure = \"ali-baba\"\n");
    assert_eq!(suite.run(&["run", "-q"]).code, Some(0));
    assert_eq!(suite.run(&["run", "-q", "--no-config"]).code, Some(2));
}

#[test]
fn inputs_and_answers_may_share_a_folder() {
    let suite = Suite::new().file("data/1.in", "1 1\n-1\n").file("data/1.ans", "Ali Win\n");
    let ran = suite.run(&["run", "--input", "data", "--expected", "data", "--solver", "ali-baba"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.starts_with("data/ 1 case, data/ 1 answer, 1 problem, 1 job\n"), "{}", ran.out);
    let ran = suite.run(&["run", "--input", "data", "--expected", "data"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn files_that_cannot_be_read_are_judge_errors() {
    let suite = Suite::with_samples();
    let (input, answer) =
        (suite.path("input/ali-baba/1.in"), suite.path("expected/jsoi-game/1.out"));
    for path in [&input, &answer] {
        fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
    }
    if fs::read(&input).is_ok() {
        // The superuser reads everything: let the files vanish behind links instead.
        for path in [&input, &answer] {
            fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink("/proc/self/mem", path).unwrap();
        }
    }
    let ran = suite.run(&["run", "--report", "csv=-"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(column(&ran.out, "verdict"), ["JE", "JE"]);
    assert_eq!(column(&ran.out, "status"), ["error", "error"]);
}

#[test]
fn hostile_names_break_out_of_nothing() {
    let name = "\u{1b}[31m=1+1\n::error::x";
    let suite = Suite::with_samples()
        .file(&format!("input/ali-baba/{name}.in"), "1 1\n-1\n")
        .file(&format!("expected/ali-baba/{name}.out"), "Baba Win\n");
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!ran.out.contains('\u{1b}') && !ran.out.contains("\n::error"), "{}", ran.out);
    let report = suite.read("report.csv");
    assert_eq!(column(&report, "case")[0], format!("ali-baba/{name}"));

    let rerun = ran.out.lines().find_map(|line| line.trim().strip_prefix("rerun:")).unwrap();
    let script = rerun.replacen("jury", env!("CARGO_BIN_EXE_jury"), 1);
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(suite.path("."))
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("0 passed, 1 failed"), "{script}: {out}");
}

#[test]
fn pairing_faults_fail_the_run_but_not_its_cases() {
    let suite = Suite::with_samples().file("expected/ali-baba/1.ans", "Ali Win\n");
    let ran = suite.run(&["run"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("2 passed, 0 failed"));
    assert!(ran.err.contains("expected/ali-baba/1.ans: a second answer"), "{}", ran.err);
    let listed = suite.run(&["list", "--format", "json"]);
    assert_eq!(listed.code, Some(1));
    let listing: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listing["findings"][0]["kind"], "duplicate_answer");
    assert_eq!(listing["cases"][0]["expected_path"], "expected/ali-baba/1.out");
}

#[test]
fn limits_for_submissions_are_noted() {
    let suite = Suite::with_samples().file("jury.toml", "[limits]\ntime = 1.0\n");
    let ran = suite.run(&["run", "-q"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("note: [limits] in jury.toml hold for submissions"), "{}", ran.err);
}

#[test]
fn the_environment_sets_options_and_the_command_line_wins() {
    let suite = Suite::with_samples().file("expected/jsoi-game/1.out", "WIN 2 3 3 2\n");
    let code = |arguments: &[&str]| {
        let mut command = suite.command(arguments);
        command.env("JURY_COMPARE", "exact").output().unwrap().status.code()
    };
    assert_eq!(code(&["run", "-qq"]), Some(1));
    assert_eq!(code(&["run", "-qq", "--compare", "tokens"]), Some(0));
}

#[test]
fn pages_have_the_solved_board_of_a_failed_case_and_a_ranking() {
    let suite = Suite::with_samples().file("expected/jsoi-game/1.out", "LOSE\n");
    let ran = suite.run(&["run", "-q", "--report", "html", "--report", "html-contest"]);
    assert_eq!(ran.code, Some(1));
    let page = suite.read("report.html");
    assert!(page.contains("1 passed, 1 failed") && page.ends_with("</html>"), "{page}");
    assert!(page.contains("<img alt=\"The board of 1, solved\" src=\"data:image/svg+xml;base64,"));
    assert!(page.contains("jury run --case jsoi-game/1"), "{page}");
    assert!(suite.read("contest.html").contains("Ranking"));
}
