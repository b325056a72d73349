//! Facts that hold for every report: examples, hostile names, what is read back.

use std::collections::HashSet;

use super::*;

/// A report of a run in each format, under the name of its example.
fn render(name: &str, past: &Past) -> String {
    let mut place = Vec::new();
    let timings = past.timings;
    let root = Root::default;
    let mut reporter: Box<dyn Reporter + '_> = match name {
        "report.csv" => Box::new(CsvReporter::new(&mut place, timings)),
        "report.json" => Box::new(JsonReporter::new(&mut place, timings)),
        "report.jsonl" => Box::new(JsonLinesReporter::new(&mut place, timings)),
        "junit.xml" => {
            let more: MoreFiles = Box::new(|_| Ok(None));
            Box::new(JunitReporter::new(Box::new(&mut place), more, root(), timings))
        }
        "report.md" => Box::new(MarkdownReporter::new(&mut place, timings, MARKDOWN_BYTES)),
        "github.txt" => Box::new(GithubReporter::new(&mut place, root())),
        "gl-code-quality-report.json" => Box::new(GitlabReporter::new(&mut place, root())),
        "metrics.txt" => Box::new(MetricsReporter::new(&mut place, timings)),
        "report.tap" => Box::new(TapReporter::new(&mut place)),
        "report.html" => {
            let repeat = Repeat::Case(Rerun { command: past.run.rerun.clone() });
            let (style, picture) = (HtmlStyle::Report, |_: &_, _: &_| None);
            Box::new(HtmlReporter::new(&mut place, HtmlOptions { style, timings, repeat, picture }))
        }
        other => panic!("no format writes {other}"),
    };
    past.tell(reporter.as_mut()).unwrap();
    drop(reporter);
    String::from_utf8(place).unwrap()
}

const ALL: [&str; 9] = [
    "report.csv",
    "report.json",
    "report.jsonl",
    "junit.xml",
    "report.md",
    "github.txt",
    "gl-code-quality-report.json",
    "metrics.txt",
    "report.tap",
];

fn read_text(text: &str) -> Result<Past, ReadError> {
    read(&[Source { name: "a.json".into(), bytes: text.into() }])
}

fn without_timings(past: Past) -> Past {
    Past { timings: Timings::None, ..past }
}

#[test]
fn the_examples_are_what_the_reporters_write() {
    let past = fixture::past();
    for name in ALL {
        let path = format!("{}/docs/examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let expected = snapbox::Data::read_from(std::path::Path::new(&path), None).raw();
        snapbox::assert_data_eq!(render(name, &past), expected);
    }
}

#[test]
fn what_is_read_back_gives_the_same_bytes_in_every_format() {
    for make in [fixture::past, fixture::graded, || without_timings(fixture::graded()), hostile] {
        let past = make();
        for from in ["report.json", "report.jsonl"] {
            let again = read_text(&render(from, &past)).unwrap();
            assert_eq!(again.timings, past.timings);
            for name in ALL {
                let (first, second) = (render(name, &past), render(name, &again));
                assert!(first == second, "{name} from {from}:\n{first:.3000}\n{second:.3000}");
            }
        }
    }
}

#[test]
fn the_page_of_a_run_that_is_read_back_is_the_same() {
    let past = fixture::past();
    let again = read_text(&render("report.jsonl", &past)).unwrap();
    assert!(render("report.html", &past) == render("report.html", &again));
}

#[test]
fn results_are_read_back_whole() {
    for past in [fixture::past(), fixture::graded()] {
        let again = read_text(&render("report.json", &past)).unwrap();
        assert_eq!(again.results, past.results);
        // Of a job that was not run, the limits are not told.
        let done = past.results.len();
        assert_eq!(again.plan.jobs[..done], past.plan.jobs[..done]);
        assert_eq!(again.plan.jobs.len(), past.plan.jobs.len());
        assert_eq!(again.plan.submissions, past.plan.submissions);
        assert_eq!(again.plan.ladder.typed, past.plan.ladder.typed);
    }
}

/// A text with everything that ends, begins or hides something in one format or another.
fn nasty(text: &str) -> String {
    let nasty = "\u{1b}[31mred\u{1b}[0m]]>\"'<script>&amp; ::error file=a::b ##[error]x %0A%0D| a`b```c \
                 # SKIP # TODO ../ @all [x](http://y.z) *b* {a=\"b\"} \0\u{7}\u{7f}\u{85}\u{202e}\
                 \u{2028}\u{feff}\u{fffe}\u{ffff}\t\\";
    format!("=1+1 {nasty}\r\n::error::{text}\n...\n1..1\nnot ok 7\n# EOF\n----\n```\n{text}")
}

/// The graded run with hostile texts in all places, and two messages of 10 MB.
fn hostile() -> Past {
    let mut past = fixture::graded_with(nasty);
    past.results[1].message = "x\u{1b}|".repeat(10_000_000 / 3);
    past.results[2].message = "\n".repeat(10_000_000);
    past
}

/// Characters that move a cursor, hide, or are no characters.
fn raw_control(text: &str) -> Option<char> {
    let bad = |letter: &char| *letter != '\n' && excerpt::is_invisible(*letter) && *letter != ' ';
    text.chars().find(bad)
}

#[test]
fn hostile_texts_break_out_of_no_format() {
    let past = hostile();
    for name in ALL {
        let text = render(name, &past);
        assert!(text.len() < 400_000, "{name} has {} bytes", text.len());
        // JSON has escapes of its own for the control characters below the blank.
        match name {
            "report.csv" => {}
            "report.json" | "report.jsonl" | "gl-code-quality-report.json" => {
                assert!(text.bytes().all(|byte| byte >= b' ' || byte == b'\n'), "{name}");
            }
            _ => assert_eq!(raw_control(&text), None, "{name}"),
        }
        match name {
            "report.csv" => check_csv(&text, past.results.len()),
            "report.json" => check_json(&text, ""),
            "report.jsonl" => text.lines().for_each(|line| check_json(line, "#/$defs/event")),
            "junit.xml" => check_junit(&text, past.results.len() + 2),
            "report.md" => check_markdown(&text),
            "github.txt" => check_github(&text),
            "gl-code-quality-report.json" => check_gitlab(&text),
            "metrics.txt" => check_metrics(&text),
            "report.tap" => check_tap(&text),
            other => panic!("no check for {other}"),
        }
    }
}

fn check_csv(text: &str, rows: usize) {
    let mut reader = csv_reader(text);
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), rows);
    for cell in records.iter().flatten() {
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
    }
}

fn csv_reader(text: &str) -> ::csv::Reader<&[u8]> {
    ::csv::Reader::from_reader(text.as_bytes())
}

fn check_json(text: &str, part: &str) {
    let schema = include_str!("../../docs/schema/jury-report-1.json");
    let mut schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    if !part.is_empty() {
        schema = serde_json::json!({"$defs": schema["$defs"], "$ref": part});
    }
    follows(&schema, text);
}

fn follows(schema: &serde_json::Value, text: &str) {
    let schema = jsonschema::validator_for(schema).unwrap();
    let document = serde_json::from_str(text).unwrap();
    let faults: Vec<String> =
        schema.iter_errors(&document).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, [] as [String; 0]);
}

fn check_gitlab(text: &str) {
    let schema = include_str!("../../docs/schema/gitlab-code-quality.json");
    follows(&serde_json::from_str(schema).unwrap(), text);
    let issues: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
    let prints: HashSet<_> = issues.iter().map(|issue| issue["fingerprint"].clone()).collect();
    assert_eq!(prints.len(), issues.len());
}

/// The structure that the readers of `JUnit` XML agree on.
fn check_junit(text: &str, cases: usize) {
    let xml = roxmltree::Document::parse(text).unwrap();
    let root = xml.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let suites: Vec<_> = root.children().filter(roxmltree::Node::is_element).collect();
    assert!(suites.iter().all(|suite| suite.has_tag_name("testsuite")));
    let mut names = HashSet::new();
    for case in xml.descendants().filter(|node| node.has_tag_name("testcase")) {
        let attribute = |name| case.attribute(name).unwrap();
        assert!(names.insert((attribute("classname"), attribute("name"))));
        for part in case.children().filter(roxmltree::Node::is_element) {
            let name = part.tag_name().name();
            assert!(["properties", "failure", "error", "skipped", "system-err"].contains(&name));
            assert!(part.text().unwrap_or_default().len() <= 8 << 10, "{name}");
            assert!(!part.attribute("message").unwrap_or_default().contains('\n'));
        }
    }
    assert_eq!(names.len(), cases);
    for suite in suites {
        let count = |name: &str| suite.descendants().filter(|node| node.has_tag_name(name)).count();
        for (attribute, name) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            assert_eq!(suite.attribute(attribute).unwrap(), count(name).to_string());
        }
    }
}

fn check_markdown(text: &str) {
    let mut fence = None;
    for line in text.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = line.strip_suffix("text"),
            None => {
                let bare = line.replace("\\|", "").replace("\\`", "").replace("\\[", "");
                assert!(!bare.contains(['`', '[', '<', '@']), "{line}");
                let cells = bare.matches('|').count();
                assert!(cells == 0 || cells == 4 || cells == 5, "{line}");
            }
        }
    }
    assert_eq!(fence, None);
}

fn check_github(text: &str) {
    for line in text.lines() {
        let (command, _) = line.strip_prefix("::error ").unwrap().split_once("::").unwrap();
        for property in command.split(',') {
            let (name, value) = property.split_once('=').unwrap();
            assert!(["file", "line", "title"].contains(&name), "{line}");
            assert!(!value.contains(':'), "{line}");
        }
    }
    assert_eq!(text.lines().count(), 4);
}

fn check_metrics(text: &str) {
    assert!(text.ends_with("\n# EOF\n"));
    assert_eq!(text.matches("\n# EOF").count(), 1);
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        let (name, number) = line.rsplit_once(' ').unwrap();
        assert!(number.parse::<f64>().is_ok(), "{line}");
        let Some((_, labels)) = name.split_once('{') else { continue };
        let bare = labels.strip_suffix('}').unwrap().replace("\\\\", "").replace("\\\"", "");
        assert_eq!(bare.matches('"').count() % 2, 0, "{line}");
        assert!(bare.matches('"').count() <= 6, "{line}");
    }
}

fn check_tap(text: &str) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 13"));
    let mut points = 0;
    let mut inside = false;
    for line in lines {
        match line {
            "  ---" => inside = true,
            "  ..." => inside = false,
            _ if inside => assert!(line.starts_with("  "), "{line}"),
            _ if line.starts_with("1..") || line.starts_with("Bail out! ") => {}
            _ => {
                points += 1;
                let (number, words) = line.split_once(" - ").unwrap();
                assert!(number == format!("ok {points}") || number.starts_with("not ok "));
                let bare = words.replace("\\\\", "").replace("\\#", "");
                assert!(bare.matches('#').count() <= usize::from(number == "ok 3"), "{line}");
            }
        }
    }
    assert_eq!(points, 8 + 1);
    assert_eq!(text.lines().filter(|line| line.starts_with("1..")).count(), 1);
}

#[test]
fn a_run_of_programs_has_the_structure_of_each_format() {
    let past = fixture::graded();
    check_junit(&render("junit.xml", &past), past.results.len() + 2);
    check_json(&render("report.json", &past), "");
    check_tap(&render("report.tap", &past));
}
