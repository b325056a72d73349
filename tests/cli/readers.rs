//! Reports as programs read them that share nothing with the one that wrote them.

use std::path::PathBuf;
use std::process::Command;

use crate::support::Suite;

/// Text that tries to end whatever it stands in.
const HOSTILE: &str = "=1+1]]><b a='\"&\u{1b}[31m\u{0}\u{202e}\r\n::error::x%0A\n  ...\nnot ok 1\n";

/// The example of a run with hostile names, and with a hostile message of 10 MB, in each format.
fn hostile() -> Suite {
    let example = std::fs::read_to_string("docs/examples/report.json").unwrap();
    let word = serde_json::to_string(HOSTILE).unwrap();
    let word = word.trim_matches('"');
    let named = ["02-bad", "03-fault", "jsoi-game"]
        .iter()
        .fold(example, |text, name| text.replace(name, &format!("{name}{word}")));
    let mut report: serde_json::Value = serde_json::from_str(&named).unwrap();
    for result in report["results"].as_array_mut().unwrap() {
        if result["message"].is_string() && result["mismatch"].is_null() {
            result["message"] = (HOSTILE.to_owned() + &"x]]>".repeat(5 << 19)).into();
        }
    }
    let suite = Suite::new().file("hostile.json", report.to_string());
    let formats = ["junit", "tap", "csv", "gitlab", "gitlab-metrics", "jsonl", "github=github.txt"];
    let options = formats.map(|format| format!("--report={format}"));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let ran = suite.run(&[&["report", "hostile.json"], &options[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), ""));
    suite
}

/// What a program prints of a file of the suite; none where the program is not installed, which
/// `works` tells by failing.
fn read(suite: &Suite, what: &str, works: &[&str], program: &[&str]) -> Option<String> {
    let run = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(suite.path(""));
        command.output()
    };
    if !run(works).is_ok_and(|output| output.status.success()) {
        println!("skipped: {what} (scripts/install-readers)");
        return None;
    }
    let output = run(program).unwrap();
    let (out, err) =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).into();
    assert!(output.status.success(), "{what}: {out}{err}");
    Some(out.into_owned())
}

/// Python with the packages of `scripts/install-readers`.
fn python() -> String {
    let home = |name: &str| std::env::var_os(name).filter(|home| !home.is_empty());
    let cache = home("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| home("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let cache = cache.unwrap_or_else(|| "/tmp/.cache".into());
    cache.join("jury-readers/bin/python3").to_string_lossy().into_owned()
}

#[test]
fn junit_follows_its_schema() {
    let suite = hostile();
    let schema = std::fs::canonicalize("docs/schema/junit.xsd").unwrap();
    let schema = schema.to_str().unwrap();
    let program = ["xmllint", "--noout", "--schema", schema, "junit.xml"];
    let what = "JUnit is not validated (xmllint is not installed)";
    if read(&suite, what, &["xmllint", "--version"], &program).is_none() {
        return;
    }
    let torn = suite.read("junit.xml").replacen(" classname=", " class=", 1);
    let suite = suite.file("torn.xml", torn);
    let mut command = Command::new("xmllint");
    command.args(["--noout", "--schema", schema, "torn.xml"]).current_dir(suite.path(""));
    let refused = command.output().unwrap();
    assert!(!refused.status.success(), "a file that breaks the schema passes");
}

#[test]
fn junit_is_read_by_junitparser() {
    let suite = hostile();
    let program = "from junitparser import JUnitXml\n\
                   suites = JUnitXml.fromfile('junit.xml')\n\
                   print(suites.tests, suites.failures, suites.errors, suites.skipped)\n\
                   names = {(case.classname, case.name) for suite in suites for case in suite}\n\
                   print(len(names), sum(suite.tests for suite in suites))\n";
    let python = python();
    let works = [&python, "-c", "import junitparser"];
    let what = "JUnit is not read (junitparser is not installed)";
    let seen = read(&suite, what, &works, &[&python, "-c", program]);
    assert!(seen.is_none_or(|seen| seen == "7 2 2 0\n7 7\n"));
}

#[test]
fn tap_is_read_by_perl() {
    let suite = hostile();
    let program = "my $tap = TAP::Parser->new({ source => 'report.tap' }); \
                   while ($tap->next) {} \
                   print join(' ', $tap->tests_planned, scalar $tap->passed, \
                   scalar $tap->failed, $tap->parse_errors), qq(\\n);";
    let works = ["perl", "-MTAP::Parser", "-e", "1"];
    let what = "TAP is not read (perl with TAP::Parser is not installed)";
    let seen = read(&suite, what, &works, &["perl", "-MTAP::Parser", "-e", program]);
    assert_eq!(seen.as_deref().unwrap_or("7 3 4 \n").trim_end(), "7 3 4");
}

#[test]
fn metrics_are_read_by_prometheus() {
    let suite = hostile();
    let program = "from prometheus_client.openmetrics.parser import text_string_to_metric_families\n\
                   families = list(text_string_to_metric_families(open('metrics.txt').read()))\n\
                   cases = [one for one in families if one.name == 'jury_cases'][0]\n\
                   print(int(sum(sample.value for sample in cases.samples)))\n";
    let python = python();
    let works = [&python, "-c", "import prometheus_client"];
    let what = "metrics are not read (prometheus-client is not installed)";
    let seen = read(&suite, what, &works, &[&python, "-c", program]);
    assert!(seen.is_none_or(|seen| seen == "7\n"));
}

#[test]
fn csv_and_json_are_read_by_python() {
    let suite = hostile();
    let program = "import csv, json\n\
                   rows = list(csv.reader(open('report.csv', newline='', encoding='utf-8')))\n\
                   cells = [cell for row in rows for cell in row]\n\
                   print(len(rows), len({len(row) for row in rows}))\n\
                   print([cell[:20] for cell in cells if cell[:1] in '=+@\\t\\r' and cell])\n\
                   print(len(json.load(open('gl-code-quality-report.json'))))\n\
                   events = [json.loads(line) for line in open('report.jsonl', 'rb')]\n\
                   print(sum(event['event'] == 'case-finished' for event in events))\n";
    let what = "CSV is not read (python3 is not installed)";
    let seen = read(&suite, what, &["python3", "-c", ""], &["python3", "-c", program]);
    assert!(seen.is_none_or(|seen| seen == "8 1\n[]\n4\n7\n"));
}

#[test]
fn commands_for_github_stand_in_lines_of_their_own() {
    let suite = hostile();
    for line in suite.read("github.txt").lines() {
        assert!(line.starts_with("::error file=") && line.len() < 70_000, "{line:.300}");
    }
}
