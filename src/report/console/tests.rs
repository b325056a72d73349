use super::super::fixture;
use super::*;
use crate::report::Charset;

fn options() -> ConsoleOptions {
    ConsoleOptions {
        look: Look { charset: Charset::Ascii },
        verbosity: Verbosity::Normal,
        failures: Failures::AtTheEnd,
        rerun: Rerun { command: "jury run".into() },
        folders: ("input/".into(), "expected/".into()),
        reports: vec!["report.csv".into()],
    }
}

fn printed(options: ConsoleOptions) -> String {
    let plan = fixture::plan();
    let mut out = anstream::StripStream::new(Vec::new());
    let mut console = Console::new(&mut out, options, None);
    console.begin(&fixture::run(), &plan).unwrap();
    for result in fixture::all() {
        console.case(&plan, &result).unwrap();
    }
    console.end(&plan, &fixture::report()).unwrap();
    drop(console);
    String::from_utf8(out.into_inner()).unwrap()
}

#[test]
fn problems_then_failures_then_the_summary() {
    snapbox::assert_data_eq!(printed(options()), snapbox::file!["../snapshots/console.txt"].raw());
}

#[test]
fn quiet_prints_the_summary_only_and_quieter_nothing() {
    let quiet = |verbosity| printed(ConsoleOptions { verbosity, ..options() });
    assert_eq!(
        quiet(Verbosity::SummaryOnly),
        "3 passed, 3 failed, 1 error\ntotal 0.03 s   report: report.csv\n"
    );
    assert_eq!(quiet(Verbosity::ErrorsOnly), "");
}

#[test]
fn verbose_prints_a_line_for_each_case() {
    let text = printed(ConsoleOptions { verbosity: Verbosity::All, ..options() });
    let line = "AC  ali-baba/01-sample   4.1 ms (wall 4.3 ms, compare 0.0 ms, 1 run)\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\nJE  ali-baba/03-fault   \n"), "{text}");
}

#[test]
fn failures_at_once_come_before_the_problems() {
    let text = printed(ConsoleOptions { failures: Failures::AtOnce, ..options() });
    let place = |what: &str| text.find(what).unwrap();
    assert!(place("WA  jsoi-game/03-corridor") < place("FAIL  jsoi-game"));
}

#[test]
fn a_flood_of_failures_is_cut() {
    let plan = fixture::plan();
    let mut out = anstream::StripStream::new(Vec::new());
    let mut console = Console::new(&mut out, options(), None);
    for _ in 0..IN_FULL + IN_SHORT + 5 {
        console.case(&plan, &fixture::wrong()).unwrap();
    }
    console.end(&plan, &fixture::report()).unwrap();
    drop(console);
    let text = String::from_utf8(out.into_inner()).unwrap();
    assert_eq!(text.matches("rerun:").count(), IN_FULL);
    assert_eq!(text.matches("WA  ").count(), IN_FULL + IN_SHORT);
    assert!(text.contains("\nand 5 more: see the report\n"));
}
