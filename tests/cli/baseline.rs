//! Times against a baseline, and the history of runs.

use std::fs;

use serde_json::Value;

use crate::grade::has;
use crate::support::{Ran, Suite, ran};

/// A program that works for some milliseconds at least, and answers.
const BUSY: &str = "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; cat\n";

/// One case, and a program whose language every machine has.
fn busy() -> Suite {
    let suite = Suite::new().file("sum/input/1.in", "3\n").file("sum/expected/1.out", "3\n");
    suite.file("busy.sh", BUSY).file("base.sh", BUSY)
}

const GRADE: [&str; 7] =
    ["grade", "sum", "busy.sh", "--sandbox", "none", "--report", "json=head.json"];

/// Runs the program where it finds the shell of the submissions.
fn run(suite: &Suite, arguments: &[&str]) -> Ran {
    let mut command = suite.command(arguments);
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    ran(command.output().unwrap())
}

fn json(suite: &Suite, path: &str) -> Value {
    serde_json::from_str(&suite.read(path)).unwrap()
}

/// The report as if each run had taken this part of its time.
fn scaled(suite: &Suite, from: &str, to: &str, percent: u64) {
    let mut report = json(suite, from);
    for result in report["results"].as_array_mut().unwrap() {
        for run in result["cpu_ns_runs"].as_array_mut().unwrap() {
            *run = (run.as_u64().unwrap() * percent / 100).into();
        }
    }
    fs::write(suite.path(to), serde_json::to_string(&report).unwrap()).unwrap();
}

#[test]
fn no_comparison_takes_the_place_of_a_report_or_of_another_one() {
    let suite = Suite::with_samples();
    for name in ["a.json", "b.json"] {
        let report = format!("json={name}");
        assert_eq!(suite.run(&["run", "--report", &report]).code, Some(0));
    }
    let before = suite.read("a.json");
    let compare = |formats: &[&str]| {
        let ran = suite.run(&[&["compare", "a.json", "b.json"], formats].concat());
        (ran.code, ran.err.lines().next().unwrap_or_default().to_owned())
    };
    let told = |what: &str| (Some(2), format!("error: {what}"));
    assert_eq!(
        compare(&["--format", "json=./a.json"]),
        told("./a.json is a file that is compared")
    );
    let both = ["--format", "json", "--format", "md=-"];
    assert_eq!(compare(&both), told("two comparisons go to standard output"));
    let both = ["--format", "json=c", "--format", "md=./c"];
    assert_eq!(compare(&both), told("two comparisons go to ./c"));
    assert_eq!(compare(&["--format", "json=no/c"]).0, Some(2));
    assert_eq!(suite.read("a.json"), before);
}

#[test]
fn nothing_in_common_is_no_success_when_it_has_to_be() {
    let suite = Suite::with_samples();
    for (case, report) in [("ali-baba/*", "json=a.json"), ("jsoi-game/*", "json=b.json")] {
        assert_eq!(suite.run(&["run", "--case", case, "--report", report]).code, Some(0));
    }
    let ran = suite.run(&["compare", "a.json", "b.json", "--strict"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("note: not comparable: no case is in both"), "{ran:?}");
}

#[test]
fn a_real_slow_down_fails_the_run_and_is_in_every_report() {
    if !has("bash") {
        return;
    }
    let suite = busy();
    let ran = run(&suite, &[&GRADE[..], &["--runs", "5"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    scaled(&suite, "head.json", "base.json", 10);
    let formats = ["--report", "csv", "--report", "md", "--report", "html", "--report", "junit"];
    let baseline = ["--runs", "5", "--baseline", "base.json", "--report", "jsonl"];
    let ran = run(&suite, &[&GRADE[..], &baseline, &formats].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("SLOWER      sum/1"), "{}", ran.out);
    assert!(ran.out.ends_with("1 slower, 0 faster, 0 unchanged\n"), "{}", ran.out);
    let result = &json(&suite, "head.json")["results"][0];
    assert_eq!(
        (&result["change"], result["cpu_ns_runs"].as_array().unwrap().len()),
        (&"slower".into(), 5)
    );
    assert!(result["cpu_ratio"].as_f64().unwrap() > 2.0 && result["base_cpu_ns"].is_u64());
    assert!(suite.read("report.csv").contains(",slower,"));
    assert!(suite.read("report.md").contains("## Baseline: 1 slower"));
    assert!(suite.read("report.html").contains("<section id=\"baseline\">"));
    assert!(suite.read("junit.xml").contains("name=\"change\" value=\"slower\""));
    for from in ["head.json", "report.jsonl"] {
        let again = run(
            &suite,
            &["report", from, "--report", "json=again.json", "--report", "csv=again.csv"],
        );
        assert_eq!(again.code, Some(1), "{again:?}");
        assert_eq!(json(&suite, "again.json"), json(&suite, "head.json"), "{from}");
        assert_eq!(suite.read("again.csv"), suite.read("report.csv"), "{from}");
    }
    let compared = run(&suite, &["compare", "base.json", "head.json"]);
    assert_eq!(compared.code, Some(1), "{compared:?}");
    let zero = [&GRADE[..], &baseline[..4], &["--exit-zero", "-q"]].concat();
    let ran = run(&suite, &zero);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.ends_with("1 slower, 0 faster, 0 unchanged\n"), "{}", ran.out);
}

#[test]
fn a_baseline_that_cannot_be_read_stops_the_run_before_it_starts() {
    let suite = Suite::with_samples().file("torn.json", "{\"schema\"").file("other.json", "{}");
    for (file, message) in [
        ("none.json", "cannot read none.json: "),
        ("torn.json", "torn.json:1:"),
        ("other.json", "other.json:1:"),
    ] {
        let ran = suite.run(&["run", "--baseline", file]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.starts_with(&format!("error: {message}")), "{}", ran.err);
        assert!(!suite.path("report.csv").exists());
    }
    suite.run(&["run", "--report", "json=plain.json", "--timings", "none"]);
    let ran = suite.run(&["run", "--baseline", "plain.json"]);
    assert_eq!(ran.err, "error: plain.json has no times\nhint: it was made with --timings none\n");
    suite.run(&["run", "--report", "json=timed.json"]);
    let ran = suite.run(&["run", "--baseline", "timed.json", "--report", "json=timed.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("timed.json is a file that this run reads"), "{ran:?}");
}

#[test]
fn without_timings_nothing_of_the_baseline_is_left() {
    let suite = Suite::with_samples();
    suite.run(&["run", "--runs", "3", "--report", "json=base.json"]);
    let base = json(&suite, "base.json");
    assert_eq!(base["results"][0]["cpu_ns_runs"].as_array().unwrap().len(), 3);
    assert_eq!(base["results"][0]["input_blake3"].as_str().unwrap().len(), 64);
    assert!(base["host"]["calibration_ns"].as_u64().unwrap() > 0);
    let reports = ["--report", "json=a.json", "--report", "csv=a.csv"];
    let ran = suite
        .run(&[&["run", "--baseline", "base.json", "--timings", "none"], &reports[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = suite.read("a.json") + suite.read("a.csv").split_once('\n').unwrap().1;
    for word in ["cpu", "_ns", "blake3", "change", "comparison", "small", "kernel"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn only_some_cases_are_compared_and_the_others_are_not_called_removed() {
    let suite = Suite::with_samples();
    suite.run(&["run", "--runs", "5", "--report", "json=base.json"]);
    let ran = suite.run(&["run", "--runs", "5", "--baseline", "base.json", "--case", "ali-baba/*"]);
    assert!(ran.out.contains("0 slower, 0 faster, 1 unchanged\n"), "{}", ran.out);
    fs::write(suite.path("input/ali-baba/1.in"), "1 3\n1  -1 0\n").unwrap();
    let ran = suite.run(&["run", "--runs", "5", "--baseline", "base.json"]);
    assert!(ran.out.contains("other input ali-baba/1\n"), "{}", ran.out);
}

#[test]
fn a_base_program_runs_alternately_with_the_submission() {
    if !has("bash") {
        return;
    }
    let suite = busy();
    let ran = run(&suite, &[&GRADE[..], &["--interleave", "base.sh", "--runs", "5"]].concat());
    assert!(
        ran.out.contains("base base.sh, head busy.sh, same CPU model, 5 runs each, interleaved\n")
            || ran.out.contains("CPU model unknown, 5 runs each, interleaved\n"),
        "{ran:?}"
    );
    let report = json(&suite, "head.json");
    let result = &report["results"][0];
    for member in ["cpu_ns_runs", "base_cpu_ns_runs"] {
        assert_eq!(result[member].as_array().unwrap().len(), 5, "{member}");
    }
    assert_eq!(report["config"]["interleaved"], "base.sh");
    let again = run(&suite, &["compare", "head.json", "--exit-zero", "--format", "json"]);
    let again: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(again["cases"], report["comparison"]["cases"]);
}

#[test]
fn a_base_program_that_fails_is_told_and_never_compared() {
    if !has("bash") {
        return;
    }
    let suite = busy().file("broken.sh", "exit 3\n").file("bad.c", "int main( {\n");
    let ran = run(&suite, &[&GRADE[..], &["--interleave", "broken.sh", "--runs", "5"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("1 case not run to the end in both: not compared"), "{}", ran.out);
    for (more, error) in [
        (["--interleave", "none.sh"], "submission not found: none.sh"),
        (["--interleave", "core"], "no built-in solver for problem `sum`"),
    ] {
        let ran = run(&suite, &[&GRADE[..], &more].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(error), "{}", ran.err);
    }
    let ran = run(&suite, &[&GRADE[..], &["--interleave", "base.sh", "--runs", "4"]].concat());
    assert_eq!(ran.err, "error: --interleave needs at least 5 runs, found --runs 4\n");
}

#[test]
fn a_file_that_is_no_history_is_left_as_it_is() {
    let suite = Suite::with_samples().file("notes.txt", "my notes without a line end");
    suite.run(&["run", "--report", "json"]);
    let report = suite.read("report.json");
    let suite = suite.file("one-line.json", report.replace('\n', ""));
    for file in ["notes.txt", "one-line.json"] {
        let before = suite.read(file);
        let ran = suite.run(&["history", "add", file, "report.json"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("expected a file of `jury history add`"), "{ran:?}");
        assert_eq!(suite.read(file), before);
    }
}

#[test]
fn a_history_grows_by_one_line_a_run_and_draws_a_trend() {
    let suite = Suite::with_samples();
    let add = ["history", "add", "history.jsonl", "report.json"];
    for runs in 1..=2 {
        suite.run(&["run", "--report", "json", "--history", "history.jsonl"]);
        let ran = suite.run(&add);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "1 run added to history.jsonl\n"));
        assert_eq!(suite.read("history.jsonl").lines().count(), runs);
    }
    let ran = suite.run(&add);
    assert_eq!(ran.out, "0 runs added to history.jsonl\n");
    assert!(ran.err.ends_with(" is in history.jsonl already\n"), "{}", ran.err);
    let shown = suite.run(&["history", "show", "history.jsonl", "--case", "ali-baba/*"]).out;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "ali-baba, core"), "{shown}");
    assert!(lines[1].contains("1 case "), "{shown}");
    let ran = suite.run(&["history", "show", "history.jsonl", "--case", "none*"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(4), "error: no case of the history matches 'none*'\n")
    );
    suite.run(&["run", "--report", "html", "--history", "history.jsonl"]);
    let page = suite.read("report.html");
    assert!(page.contains("<section id=\"trend\">") && page.contains("<polyline class=\"trend\""));
    suite.run(&[
        "report",
        "report.json",
        "--report",
        "html=again.html",
        "--history",
        "history.jsonl",
    ]);
    assert_eq!(suite.read("again.html").matches("<polyline").count(), 2);
}

#[test]
fn a_torn_history_goes_on_and_a_broken_one_is_left_alone() {
    let suite = Suite::with_samples();
    suite.run(&["run", "--report", "json"]);
    fs::write(suite.path("torn.jsonl"), "{\"schema\":\"jury-hist").unwrap();
    let ran = suite.run(&["history", "add", "torn.jsonl", "report.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = suite.run(&["history", "show", "torn.jsonl"]);
    assert!(ran.code == Some(0) && ran.out.contains("jsoi-game, core"), "{ran:?}");
    fs::write(suite.path("broken.jsonl"), "{}\n[\n{}\n").unwrap();
    for arguments in [
        &["history", "add", "broken.jsonl", "report.json"][..],
        &["history", "show", "broken.jsonl"],
        &["run", "--history", "broken.jsonl"],
    ] {
        let ran = suite.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.starts_with("error: broken.jsonl: line 1, column "), "{}", ran.err);
    }
    assert_eq!(suite.read("broken.jsonl"), "{}\n[\n{}\n");
}

#[test]
fn the_examples_of_the_help_texts_run() {
    if !has("bash") {
        return;
    }
    let suite = busy();
    for report in ["base.json", "interleaved.json"] {
        let to = format!("json={report}");
        let ran = run(
            &suite,
            &[
                "grade",
                "sum",
                "busy.sh",
                "--sandbox",
                "none",
                "--interleave",
                "base.sh",
                "--report",
                &to,
                "--exit-zero",
            ],
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    fs::copy(suite.path("base.json"), suite.path("head.json")).unwrap();
    fs::copy(suite.path("base.json"), suite.path("head.jsonl")).unwrap();
    fs::copy(suite.path("base.json"), suite.path("report.json")).unwrap();
    let helps: [&[&str]; 3] =
        [&["compare", "--help"], &["history", "--help"], &["history", "show", "--help"]];
    for help in helps {
        let text = run(&suite, help).out;
        let (_, examples) = text.split_once("Examples:\n").unwrap();
        let examples: Vec<&str> = examples.lines().filter(|line| line.contains("jury ")).collect();
        assert_eq!(examples.len(), 3, "{text}");
        for example in examples {
            let example = example.replace('\'', "").replace("*max*", "*");
            let words: Vec<&str> = example.split_whitespace().skip(1).collect();
            let ran = run(
                &suite,
                &[&words[..], if words[0] == "compare" { &["--exit-zero"] } else { &[] }].concat(),
            );
            assert_eq!(ran.code, Some(0), "{example}: {ran:?}");
        }
    }
    assert!(suite.path("comparison.json").exists());
}
