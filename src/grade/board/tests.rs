//! Submissions graded with a fake executor: no process, no clock.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use super::super::{Grading, Named, Outcome, Selected, grade};
use super::*;
use crate::check::{CheckError, Checker};
use crate::execute::Executor;
use crate::interrupt::Interrupt;
use crate::judge::{Bless, Missing, Settings};
use crate::model::Submission;
use crate::model::{
    Execution, Judgement, Limits, Output, Problem, Report, Run, Termination, TestCase, Usage,
};
use crate::report::Reporter;

const LIMITS: Limits = Limits {
    time: Some(Duration::from_secs(1)),
    wall: Some(Duration::from_secs(3)),
    ..Limits::NONE
};

/// What each case does, a letter each: `.` right, `W` wrong, `T` late, `t` late in the first run
/// and in time afterwards, `R` crashes, `J` our own fault, `S` told to stop.
struct Script {
    letters: &'static str,
    runs: Vec<AtomicUsize>,
}

impl Executor for &Script {
    fn execute(&self, case: &TestCase, _limits: &Limits) -> Execution {
        let number: usize = case.name.rsplit('/').next().unwrap().parse().unwrap();
        let before = self.runs[number - 1].fetch_add(1, Ordering::SeqCst);
        let letter = char::from(self.letters.as_bytes()[number - 1]);
        let late = letter == 'T' || letter == 't' && before == 0;
        let termination = match letter {
            'R' => Termination::Exited(1),
            'J' => Termination::Failed("disk gone".into(), None),
            'S' => Termination::Stopped,
            _ => Termination::Finished,
        };
        let cpu = Duration::from_millis(if late { 1010 } else { 10 });
        let output = Output { bytes: u64::from(letter == 'W'), ..Output::empty() };
        let usage = Usage { cpu, wall: cpu, ..Usage::default() };
        Execution { termination, usage, output, stderr: Vec::new(), talk: None }
    }
}

/// Accepts empty outputs.
struct Empty;

impl Checker for Empty {
    fn name(&self) -> &'static str {
        "empty"
    }

    fn check(&self, _case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        let verdict = if output.bytes > 0 { Verdict::WrongAnswer } else { Verdict::Accepted };
        Ok(Judgement::of(verdict, 0))
    }
}

#[derive(Clone, Default)]
struct Seen(Rc<RefCell<Vec<Option<CaseResult>>>>);

impl Reporter for Seen {
    fn case(&mut self, _plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let mut seen = self.0.borrow_mut();
        let length = seen.len().max(result.index + 1);
        seen.resize(length, None);
        assert!(seen[result.index].is_none(), "reported twice");
        seen[result.index] = Some(result.clone());
        Ok(())
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        Ok(())
    }
}

struct Graded {
    /// A letter for each case of each submission, `-` for one that was not run.
    letters: Vec<String>,
    results: Vec<Option<CaseResult>>,
    outcome: Outcome,
    plan: Plan,
    /// Runs of each case of the first submission.
    runs: Vec<usize>,
}

fn plan(scripts: &[&str], promised: Option<&[Verdict]>) -> Plan {
    let case = |number: usize| TestCase {
        name: format!("p/{number}"),
        group: String::new(),
        input: "1.in".into(),
        answer: Some("1.out".into()),
        missing: None,
    };
    let cases = (1..=scripts[0].len()).map(case).collect();
    let problem = Problem { name: "p".into(), solver: String::new(), cases };
    let submission = |(number, _)| Submission {
        name: format!("s{number}"),
        problem: 0,
        path: Some("s".into()),
        language: "c".into(),
        promised: promised.map(|verdicts| verdicts.to_vec().into()),
    };
    let submissions = scripts.iter().enumerate().map(submission).collect();
    crate::plan::of(vec![problem], submissions, |_, _| LIMITS, 1)
}

fn graded(
    scripts: &[&'static str],
    plan: Plan,
    jobs: usize,
    rules: Rules,
    finished: Vec<CaseResult>,
) -> Graded {
    let scripts: Vec<Script> = scripts
        .iter()
        .map(|letters| Script {
            letters,
            runs: letters.chars().map(|_| AtomicUsize::new(0)).collect(),
        })
        .collect();
    let run = Run {
        id: "test".into(),
        started_at: SystemTime::UNIX_EPOCH,
        jobs,
        compare: "empty".into(),
        missing: "fail".into(),
        cores: 2,
        sandbox: "none".into(),
        ..Run::default()
    };
    let settings = Settings {
        checker: &Empty,
        runs: 1,
        missing: Missing::Fail,
        bless: Bless::No,
        stop: &|| false,
        keep: None,
    };
    let executors: Vec<Box<dyn Executor + '_>> =
        scripts.iter().map(|script| Box::new(script) as Box<dyn Executor + '_>).collect();
    let grading = Grading {
        plan: &plan,
        run: &run,
        executors: &executors,
        settings: &settings,
        rules,
        finished,
        compiled: &[],
        noise: &|| None,
        base: None,
        baseline: None,
        selected: Selected::All,
        max_fail: None,
        interrupt: &Interrupt::never(),
        give_up: &|| {},
        quit: |_, _| panic!("no signal was sent"),
    };
    let seen = Seen::default();
    let reporter = Named {
        name: "seen".into(),
        when_left: super::super::WhenLeft::GoOn,
        reporter: Box::new(seen.clone()),
    };
    let outcome = grade(&grading, vec![reporter]).unwrap();
    drop(executors);
    let mut results = seen.0.borrow().clone();
    results.resize(plan.jobs.len(), None);
    let letter = |result: &Option<CaseResult>| result.as_ref().map_or(' ', |r| r.verdict.letter());
    let cases = plan.problems[0].cases.len();
    let letters = results.chunks(cases).map(|row| row.iter().map(letter).collect()).collect();
    let runs = scripts[0].runs.iter().map(|runs| runs.load(Ordering::SeqCst)).collect();
    Graded { letters, results, outcome, plan, runs }
}

const STOPS: Rules = Rules { stop: Stop::AtFirst, confirm: 3 };

fn stops(scripts: &[&'static str], jobs: usize) -> Graded {
    graded(scripts, plan(scripts, None), jobs, STOPS, Vec::new())
}

#[test]
fn a_submission_stops_after_its_first_failure_with_any_number_of_jobs() {
    for jobs in [1, 2, 3, 16] {
        let graded = stops(&["..W.R.", "......", "R.....", ".....W"], jobs);
        assert_eq!(graded.letters, ["..W---", "......", "R-----", ".....W"], "{jobs} jobs");
        assert_eq!(graded.outcome.report.broken(&graded.plan), 3);
        let summary = graded.outcome.report.summary;
        assert_eq!((summary.passed, summary.failed, summary.skipped), (13, 3, 8));
        assert!(!summary.interrupted);
    }
}

#[test]
fn with_one_job_nothing_is_run_behind_a_failure() {
    assert_eq!(stops(&["..W.R."], 1).runs, [1, 1, 1, 0, 0, 0]);
}

#[test]
fn all_cases_are_run_when_nothing_stops_them() {
    let rules = Rules { stop: Stop::Never, confirm: 0 };
    let scripts = ["..W.R.", "JT...."];
    for jobs in [1, 3] {
        let graded = graded(&scripts, plan(&scripts, None), jobs, rules, Vec::new());
        assert_eq!(graded.letters, ["..W.R.", "JT...."]);
    }
}

#[test]
fn a_late_result_is_confirmed_by_runs_alone() {
    let graded = stops(&[".T...."], 2);
    assert_eq!(graded.letters, [".T----"]);
    let late = graded.results[1].as_ref().unwrap();
    assert!(late.message.contains("confirmed 3 of 3"), "{}", late.message);
    assert_eq!(graded.runs[1], 4);
}

#[test]
fn a_submission_goes_on_when_its_late_result_was_an_accident() {
    for jobs in [1, 2, 5] {
        let graded = stops(&[".t..W.", "t.t..."], jobs);
        assert_eq!(graded.letters, ["....W-", "......"]);
        let confirmed = graded.results[1].as_ref().unwrap().confirmed.unwrap();
        assert_eq!((confirmed.first, confirmed.runs), (Verdict::TimeLimit, 1));
    }
}

#[test]
fn a_promise_decides_which_results_are_as_expected() {
    let wrong = Some(&[Verdict::WrongAnswer][..]);
    let scripts = ["..W...", "......", "..R..."];
    let graded = graded(&scripts, plan(&scripts, wrong), 1, STOPS, Vec::new());
    let summary = graded.outcome.report.summary;
    assert_eq!((summary.failed, summary.errors), (1, 0));
    let kept: Vec<Option<bool>> = graded
        .outcome
        .report
        .submissions
        .iter()
        .zip(&graded.plan.submissions)
        .map(|(summary, submission)| summary.kept(submission))
        .collect();
    assert_eq!(kept, [Some(true), Some(false), Some(false)]);
}

#[test]
fn our_own_fault_is_no_broken_promise() {
    let graded = stops(&[".J...."], 1);
    assert_eq!(graded.letters, [".J----"]);
    assert_eq!(graded.outcome.report.broken(&graded.plan), 0);
    assert_eq!(graded.outcome.report.summary.errors, 1);
}

#[test]
fn a_run_that_is_given_up_has_no_result_and_stops_the_rest() {
    let graded = stops(&["..S..."], 1);
    assert_eq!(graded.letters[0].trim_end(), "..");
    assert!(graded.outcome.report.summary.interrupted);
}

#[test]
fn results_of_an_earlier_run_are_taken_as_they_are_and_give_the_same_report() {
    let scripts = ["..W...", ".....T"];
    let whole = stops(&scripts, 2);
    for taken in 0..12 {
        let earlier: Vec<CaseResult> = whole
            .results
            .iter()
            .flatten()
            .filter(|result| result.times.is_some())
            .take(taken)
            .cloned()
            .collect();
        let again = graded(&scripts, plan(&scripts, None), 2, STOPS, earlier.clone());
        assert_eq!(again.letters, whole.letters, "{taken} taken");
        assert_eq!(again.outcome.report.summary, whole.outcome.report.summary);
        for result in earlier.iter().filter(|result| result.index < 6) {
            assert_eq!(again.runs[result.index], 0);
        }
    }
}
