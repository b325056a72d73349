use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use super::*;
use crate::check::{CheckError, Checker};
use crate::judge::{Bless, Missing};
use crate::model::{
    Execution, Judgement, Limits, Output, Problem, Termination, TestCase, Usage, Verdict,
};

struct Nothing;

impl Executor for Nothing {
    fn execute(&self, case: &TestCase, _limits: &Limits) -> Execution {
        assert!(!case.name.ends_with("panic"), "ordered");
        if case.name.ends_with("slow") {
            std::thread::sleep(Duration::from_millis(1));
        }
        let termination = Termination::Finished;
        Execution {
            termination,
            usage: Usage::default(),
            output: Output::empty(),
            stderr: Vec::new(),
            talk: None,
        }
    }
}

/// Accepts every case but those whose name ends in `wrong`.
struct ByName;

impl Checker for ByName {
    fn name(&self) -> &'static str {
        "by-name"
    }

    fn check(&self, case: &TestCase, _output: &mut Output) -> Result<Judgement, CheckError> {
        let wrong = case.name.ends_with("wrong");
        let verdict = if wrong { Verdict::WrongAnswer } else { Verdict::Accepted };
        Ok(Judgement::of(verdict, 0))
    }
}

#[derive(Clone, Default)]
struct Log(Rc<RefCell<Vec<usize>>>);

impl Reporter for Log {
    fn case(&mut self, _plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.0.borrow_mut().push(result.index);
        Ok(())
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        Ok(())
    }
}

struct Broken(io::ErrorKind);

impl Reporter for Broken {
    fn case(&mut self, _plan: &Plan, _result: &CaseResult) -> io::Result<()> {
        Err(self.0.into())
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        Ok(())
    }
}

fn plan(names: &[&str]) -> Plan {
    let cases = names
        .iter()
        .map(|name| TestCase {
            name: format!("p/{name}"),
            group: String::new(),
            input: "1.in".into(),
            answer: Some("1.out".into()),
            missing: None,
        })
        .collect();
    let problem = Problem { name: "p".into(), solver: "p".into(), cases };
    crate::plan::make(vec![problem], |_| true, 1)
}

fn graded(names: &[&str], jobs: usize, max_fail: Option<usize>, reporters: Vec<Named>) -> Outcome {
    let plan = plan(names);
    let run = Run {
        id: "test".into(),
        started_at: SystemTime::UNIX_EPOCH,
        jobs,
        compare: "by-name".into(),
        missing: "fail".into(),
        cores: 2,
        answers: names.len(),
        sandbox: String::new(),
        ..Run::default()
    };
    let settings = Settings {
        checker: &ByName,
        runs: 1,
        missing: Missing::Fail,
        bless: Bless::No,
        stop: &|| false,
        keep: None,
    };
    let grading = Grading {
        plan: &plan,
        run: &run,
        executors: &[Box::new(Nothing)],
        settings: &settings,
        rules: Rules::default(),
        finished: Vec::new(),

        compiled: &[],
        noise: &|| None,
        base: None,
        baseline: None,
        selected: Selected::All,
        max_fail,
        interrupt: &Interrupt::never(),
        give_up: &|| {},
        quit: |_, _| panic!("no signal was sent"),
    };
    grade(&grading, reporters).unwrap()
}

fn named<'a>(reporter: impl Reporter + 'a) -> Named<'a> {
    Named { name: "log".into(), when_left: WhenLeft::EndTheRun, reporter: Box::new(reporter) }
}

#[test]
fn every_case_is_reported_once_and_counted_with_any_number_of_jobs() {
    let names = ["1", "2-wrong", "3", "4-panic", "5"];
    for jobs in [1, 2, 5] {
        let log = Log::default();
        let outcome = graded(&names, jobs, None, vec![named(log.clone())]);
        let seen: BTreeSet<usize> = log.0.borrow().iter().copied().collect();
        assert_eq!(seen, (0..5).collect());
        let summary = outcome.report.summary;
        assert_eq!((summary.passed, summary.failed, summary.errors), (3, 1, 1));
        assert!(!summary.interrupted);
    }
}

#[test]
fn no_case_is_started_after_the_greatest_number_of_failures() {
    let names: Vec<String> = (0..500).map(|number| format!("{number}-wrong")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let summary = graded(&names, 1, Some(2), vec![]).report.summary;
    assert!(summary.interrupted);
    assert_eq!(summary.failed, 2);
}

#[test]
fn a_reporter_that_fails_is_named_and_does_not_stop_the_others() {
    let log = Log::default();
    let broken = named(Broken(io::ErrorKind::StorageFull));
    let outcome = graded(&["1", "2"], 1, None, vec![broken, named(log.clone())]);
    assert_eq!(log.0.borrow().len(), 2);
    assert_eq!(outcome.lost.len(), 1);
    assert_eq!(outcome.lost[0].0, "log");
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let names: Vec<String> = (0..2000).map(|number| format!("{number}-slow")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let broken = named(Broken(io::ErrorKind::BrokenPipe));
    let outcome = graded(&names, 1, None, vec![broken]);
    assert!(outcome.lost.is_empty());
    assert!(outcome.report.summary.interrupted);
}
