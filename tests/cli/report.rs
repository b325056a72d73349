//! `jury report`: old runs again. `jury completions` and `jury man`.

use std::fs;
use std::process::Stdio;

use crate::support::Suite;

/// A suite with a wrong answer and a missing one, and its reports.
fn reported() -> Suite {
    let suite = Suite::with_samples()
        .file("input/ali-baba/2.in", "1 3\n1 -1 0\n")
        .file("expected/ali-baba/2.out", "Baba Win\n")
        .file("input/ali-baba/3.in", "1 3\n1 -1 0\n");
    let formats = ["json", "jsonl", "csv", "junit", "md", "tap", "gitlab", "gitlab-metrics"];
    let options: Vec<String> = formats.iter().map(|format| format!("--report={format}")).collect();
    let mut arguments = vec!["run", "--report", "github=github.txt"];
    arguments.extend(options.iter().map(String::as_str));
    assert_eq!(suite.run(&arguments).code, Some(1));
    suite
}

#[test]
fn every_report_of_a_run_can_be_made_again_from_json_and_from_events() {
    let suite = reported();
    let files = [
        ("csv", "report.csv"),
        ("json", "report.json"),
        ("junit", "junit.xml"),
        ("md", "report.md"),
        ("tap", "report.tap"),
        ("github", "github.txt"),
        ("gitlab", "gl-code-quality-report.json"),
        ("gitlab-metrics", "metrics.txt"),
    ];
    for from in ["report.json", "report.jsonl"] {
        for (format, file) in files {
            let option = format!("{format}=again");
            let ran = suite.run(&["report", from, "--report", &option]);
            assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", ""));
            assert_eq!(suite.read("again"), suite.read(file), "{format} from {from}");
        }
    }
}

#[test]
fn without_a_format_it_prints_what_the_run_has_printed() {
    let suite = reported();
    let printed = suite.run(&["run", "--no-report"]).out;
    let again = suite.run(&["report", "report.json"]);
    let lines = |text: &str| -> Vec<String> {
        let stable =
            text.lines().filter(|line| !line.contains("slowest") && !line.starts_with("total"));
        stable.map(str::to_owned).collect()
    };
    assert_eq!(lines(&again.out), lines(&printed));
    assert!(again.out.contains("rerun:    jury run --case ali-baba/2"), "{}", again.out);
    assert_eq!(suite.run(&["report", "report.json", "--exit-zero", "-q"]).code, Some(0));
}

#[test]
fn a_killed_run_is_a_partial_one_and_no_success() {
    let suite = Suite::with_samples();
    assert_eq!(suite.run(&["run", "--report", "jsonl"]).code, Some(0));
    let events = suite.read("report.jsonl");
    let lines: Vec<&str> = events.split_inclusive('\n').collect();
    fs::write(suite.path("torn.jsonl"), lines[..2].concat() + &lines[2][..40]).unwrap();
    let ran = suite.run(&["report", "torn.jsonl"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("stopped after 1 of 2 cases"), "{}", ran.out);
    assert_eq!(ran.err, "note: torn.jsonl: the last line is torn; it is left out\n");
    let ran = suite.run(&["report", "torn.jsonl", "--report", "tap=-"]);
    assert!(ran.out.ends_with("1..2\nBail out! stopped after 1 of 2 cases\n"), "{}", ran.out);
}

#[test]
fn runs_of_different_problems_are_joined_and_the_same_case_twice_is_refused() {
    let suite = Suite::with_samples();
    for problem in ["ali-baba", "jsoi-game"] {
        let (case, report) = (format!("{problem}/*"), format!("json={problem}.json"));
        assert_eq!(suite.run(&["run", "--case", &case, "--report", &report]).code, Some(0));
    }
    let ran = suite.run(&["report", "jsoi-game.json", "ali-baba.json"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("2 passed, 0 failed"), "{}", ran.out);
    let ran = suite.run(&["report", "ali-baba.json", "ali-baba.json"]);
    assert_eq!(ran.code, Some(2));
    let told = "ali-baba/1 of submission core is in ali-baba.json and again in ali-baba.json";
    assert!(ran.err.starts_with(&format!("error: {told}\nhint: ")), "{}", ran.err);
}

#[test]
fn what_cannot_be_read_or_written_is_told() {
    let suite = reported().file("broken.json", "{\n  \"schema\": \"jury-report/1\",\n}\n");
    let error = |arguments: &[&str]| {
        let ran = suite.run(arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        ran.err.lines().next().unwrap().to_owned()
    };
    assert_eq!(error(&["report", "broken.json"]), "error: broken.json:3:1: trailing comma");
    assert!(error(&["report", "none.json"]).starts_with("error: cannot read none.json: "));
    assert_eq!(error(&["report", "input"]), "error: cannot read input: it is a folder");
    assert_eq!(
        error(&["report", "report.json", "--report", "csv=report.json"]),
        "error: report.json is a file that this run reads"
    );
}

#[test]
fn a_case_without_a_result_is_no_success_and_long_names_are_no_fault() {
    let suite = Suite::with_samples();
    assert_eq!(suite.run(&["run", "--report", "json"]).code, Some(0));
    let text = suite.read("report.json");
    let other = text.replacen("\"name\":\"ali-baba/1\"", "\"name\":\"ali-baba/2\"", 1);
    assert_ne!(other, text);
    let suite = suite
        .file("other.json", other)
        .file("long.json", text.replace("ali-baba", &"a".repeat(70_000)));
    let ran = suite.run(&["report", "other.json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for format in ["md=-", "html=-", "junit=-"] {
        let ran = suite.run(&["report", "long.json", "--report", format]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    assert_eq!(suite.run(&["report", "long.json"]).code, Some(0));
}

#[test]
fn a_variable_sets_a_flag_in_many_ways() {
    let suite = Suite::with_samples().file("expected/ali-baba/1.out", "Baba Win\n");
    for (value, code) in [("1", 0), ("true", 0), ("yes", 0), ("0", 1), ("false", 1), ("", 1)] {
        let mut command = suite.command(&["run", "--no-report", "-qq"]);
        let ran = command.env("JURY_EXIT_ZERO", value).output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{value}");
    }
}

#[test]
fn a_report_comes_from_standard_input_too() {
    let suite = reported();
    let file = fs::File::open(suite.path("report.json")).unwrap();
    let mut command = suite.command(&["report", "-", "--report", "csv=-"]);
    let ran = command.stdin(Stdio::from(file)).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), suite.read("report.csv"));
}

#[test]
fn every_shell_has_its_completions() {
    let suite = Suite::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let ran = suite.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("jury") && ran.out.contains("no-report"), "{shell}");
    }
    assert_eq!(suite.run(&["completions", "tcsh"]).code, Some(2));
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let suite = Suite::new();
    let ran = suite.run(&["man", "deep/man1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let help = suite.run(&["--help"]).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> =
        commands.map_while(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(commands.len() >= 10, "{help}");
    for command in commands {
        let page = suite.read(&format!("deep/man1/jury-{command}.1"));
        assert!(page.contains(".TH") && page.contains("EXAMPLES") || page.contains("Examples:"));
    }
    assert!(suite.read("deep/man1/jury.1").contains("jury\\-run(1)"));
}
