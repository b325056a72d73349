use super::super::{JsonLinesReporter, JsonReporter, fixture};
use super::*;

fn document(past: &Past) -> String {
    let mut place = Vec::new();
    past.tell(&mut JsonReporter::new(&mut place, past.timings)).unwrap();
    String::from_utf8(place).unwrap()
}

fn events(past: &Past) -> String {
    let mut place = Vec::new();
    past.tell(&mut JsonLinesReporter::new(&mut place, past.timings)).unwrap();
    String::from_utf8(place).unwrap()
}

fn source(name: &str, text: &str) -> Source {
    Source { name: name.into(), bytes: text.into() }
}

fn one(text: &str) -> Result<Past, ReadError> {
    read(&[source("a", text)])
}

fn message(text: &str) -> String {
    one(text).unwrap_err().to_string()
}

#[test]
fn a_killed_run_is_readable_to_its_last_whole_line() {
    let whole = events(&fixture::past());
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for kept in 1..lines.len() {
        let past = one(&lines[..kept].concat()).unwrap();
        let finished = |line: &&&str| line.starts_with("{\"event\":\"case-finished\"");
        let results = lines[..kept].iter().filter(finished).count();
        assert_eq!(past.results.len(), results);
        assert_eq!(past.report.summary.planned, 7);
        assert!(past.report.summary.interrupted && past.torn.is_empty());
        let torn = lines[..kept].concat() + &lines[kept][..lines[kept].len() / 2];
        let torn = one(&torn).unwrap();
        assert_eq!((torn.results.len(), torn.torn), (results, vec!["a".to_owned()]));
    }
}

#[test]
fn results_that_are_missing_or_are_not_what_they_should_be_are_refused() {
    let text = document(&fixture::past());
    let cut = text.replacen("\"cpu_ns\":4123456", "\"cpu_ns\":-5", 1);
    assert_ne!(cut, text);
    assert!(
        message(&cut).contains("invalid value: integer `-5`, expected u64"),
        "{}",
        message(&cut)
    );
    let wrong = text.replacen("\"line\":3", "\"line\":\"x\"", 1);
    assert_ne!(wrong, text);
    assert!(message(&wrong).contains("invalid type: string \"x\""), "{}", message(&wrong));
    let mut fewer: serde_json::Value = serde_json::from_str(&text).unwrap();
    fewer["results"].as_array_mut().unwrap().pop();
    let told = "a: the summary counts 7 results, and there are 6";
    assert_eq!(message(&fewer.to_string()), told);
    let events = events(&fixture::past());
    let last = events.lines().rfind(|line| line.contains("case-finished")).unwrap();
    assert_eq!(message(&events.replace(&format!("{last}\n"), "")), told);
}

#[test]
fn a_mark_of_the_byte_order_is_passed_over() {
    let text = format!("\u{feff}{}", document(&fixture::past()));
    assert_eq!(one(&text).unwrap().results, fixture::all());
}

#[test]
fn a_last_line_without_its_end_counts_when_it_is_whole() {
    let whole = events(&fixture::past());
    let past = one(whole.trim_end()).unwrap();
    assert!(!past.report.summary.interrupted && past.torn.is_empty());
}

#[test]
fn unknown_members_and_events_are_passed_over() {
    let text = document(&fixture::past());
    let more = text.replace("\"index\":", "\"new\":{\"a\":[1]},\"index\":");
    let more = more.replacen("{\n", "{\n  \"later\": [1, {\"b\": null}],\n", 1);
    assert_eq!(one(&more).unwrap().results, fixture::all());
    let text = events(&fixture::past());
    let more =
        text.replace("{\"event\":\"case", "{\"event\":\"later\",\"x\":1}\n{\"event\":\"case");
    assert_eq!(one(&more).unwrap().results, fixture::all());
}

#[test]
fn a_file_without_lists_of_what_was_planned_is_read_by_its_results() {
    let mut text: serde_json::Value = serde_json::from_str(&document(&fixture::past())).unwrap();
    for list in ["problems", "submissions", "cases"] {
        text[list] = serde_json::json!([]);
    }
    let past = one(&text.to_string()).unwrap();
    assert_eq!(past.results, fixture::all());
}

#[test]
fn several_files_are_joined_in_natural_order_and_joined_again_they_are_the_same() {
    let (run, graded) = (document(&fixture::past()), document(&fixture::graded()));
    let past = read(&[source("a", &graded), source("b", &run)]).unwrap();
    let names: Vec<&str> = past.plan.problems.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["ali-baba", "jsoi-game", "sum"]);
    assert_eq!(past.report.summary.planned, 7 + 9);
    assert_eq!(past.report.summary.done(), 7 + 8);
    assert_eq!(past.run.id, "a run+20261129T120000Z-1a2b");
    assert!(past.report.summary.interrupted);
    let joined = document(&past);
    assert_eq!(document(&one(&joined).unwrap()), joined);
}

#[test]
fn what_one_run_left_out_another_may_have() {
    let graded = fixture::graded();
    let mut rest = fixture::graded();
    rest.results.drain(..8);
    rest.results.push(CaseResult { index: 8, ..graded.results[7].clone() });
    rest.report = Report::new(&rest.plan);
    rest.report.add(&rest.plan, &rest.results[0]);
    let both = read(&[source("a", &document(&graded)), source("b", &document(&rest))]).unwrap();
    assert_eq!(both.report.summary.done(), 9);
}

#[test]
fn the_same_case_twice_is_an_error_that_names_both_files() {
    let text = document(&fixture::past());
    let error = read(&[source("a.json", &text), source("b.json", &text)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ali-baba/01-sample of submission core is in a.json and again in b.json"
    );
}

#[test]
fn faults_are_told_with_their_place() {
    assert_eq!(message(""), "a:1:1: EOF while parsing a value");
    assert_eq!(
        message("{\"schema\":\"jury-report/9\"}"),
        "a: schema `jury-report/9`, expected `jury-report/1`"
    );
    assert_eq!(message("id,case\n1,2\n"), "a:1:1: expected value");
    assert_eq!(
        message("{\"event\":\"case-started\"}\n"),
        "a:1:1: expected the event `run-started` first"
    );
    let whole = events(&fixture::past());
    let bad = whole.replace("\"verdict\":\"RTE\"", "\"verdict\":\"XX\"");
    let told = message(&bad);
    assert!(told.starts_with("a:3:") && told.contains("unknown variant `XX`"), "{told}");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let middle = lines[0].to_owned() + "{\"event\":\n" + lines[1];
    assert!(message(&middle).starts_with("a:2:"));
    let twice = whole.clone() + &whole;
    assert_eq!(message(&twice), "a:12:1: a second run starts in the middle of a file");
    let literal = whole.replace(r#""\"5\"""#, r#""5""#);
    assert_eq!(
        message(&literal),
        "a: result of jsoi-game/03-corridor: `got_excerpt` is not as a report writes it"
    );
}

#[test]
fn a_mark_outside_of_its_line_is_refused() {
    let text = document(&fixture::past()).replace("\"mark\":[2,3]", "\"mark\":[2,300]");
    assert!(message(&text).contains("`view`"), "{}", message(&text));
}
