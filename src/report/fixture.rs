//! One fixed run, for the snapshots of all reporters.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{Past, Timings};
use crate::model::{
    CaseResult, Compiled, Confirmed, Kept, Ladder, Limits, Line, Machine, Memory, Mismatch,
    MismatchKind, MissingAnswer, Plan, Problem, Promise, Ran, Remarks, Report, RerunBy, Run, Sets,
    Status, Submission, TestCase, Times, Totals, Verdict, ViewRow,
};

/// CPU time of every case.
const CPU: Duration = Duration::from_nanos(4_123_456);

/// Seven cases of two problems.
pub(super) fn plan() -> Plan {
    let case = |problem: &str, stem: &str, answered: bool| TestCase {
        name: format!("{problem}/{stem}"),
        group: String::new(),
        input: format!("input/{problem}/{stem}.in").into(),
        answer: answered.then(|| format!("expected/{problem}/{stem}.out").into()),
        missing: (!answered).then(|| {
            Box::new(MissingAnswer {
                home: format!("expected/{problem}/{stem}.out").into(),
                looked_for: vec![
                    format!("expected/{problem}/{stem}.{{out,ans,a}}"),
                    format!("input/{problem}/{stem}.{{out,ans,a}}"),
                ],
                close: Some(format!("expected/{problem}/9-ring.out").into()),
            })
        }),
    };
    let problem = |name: &str, stems: &[(&str, bool)]| Problem {
        name: name.into(),
        solver: name.into(),
        cases: stems.iter().map(|&(stem, answered)| case(name, stem, answered)).collect(),
    };
    let problems = vec![
        problem("ali-baba", &[("01-sample", true), ("02-bad", true), ("03-fault", true)]),
        problem(
            "jsoi-game",
            &[("01-sample", true), ("03-corridor", true), ("09-ring", false), ("10", true)],
        ),
    ];
    crate::plan::make(problems, |_| true, 1)
}

pub(super) fn run() -> Run {
    Run {
        id: "20261129T120000Z-1a2b".into(),
        started_at: SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_953_600_123),
        jobs: 2,
        compare: "tokens".into(),
        checker: String::new(),
        interactor: String::new(),
        missing: "fail".into(),
        command: "jury run".into(),
        cpu: Some("Fast CPU".into()),
        cores: 2,
        answers: 6,
        sandbox: String::new(),
        version: "1.0.0".into(),
        os: "linux".into(),
        arch: "x86_64".into(),
        hostname: "runner".into(),
        machine: Machine::default(),
        commit: String::new(),
        interleaved: String::new(),
        history: Arc::default(),
        folders: ("input/".into(), "expected/".into()),
        rerun: "jury run".into(),
        rerun_by: RerunBy::Name,
    }
}

fn passed(index: usize) -> CaseResult {
    CaseResult {
        index,
        verdict: Verdict::Accepted,
        status: Status::Pass,
        at: Vec::new(),
        times: Some(Times {
            runs: 1,
            cpu: CPU,
            cpu_min: CPU,
            cpu_max: CPU,
            wall: Duration::from_micros(4300),
            compare_cpu: Duration::from_micros(20),
            compare_wall: Duration::from_micros(21),
        }),
        ran: None,
        confirmed: None,
        samples: None,
        change: None,
        input_bytes: 120,
        expected_bytes: Some(8),
        output_bytes: Some(8),
        mismatch: None,
        score: None,
        remarks: None,
        settled: false,
        message: String::new(),
        unmeasured: None,
        hint: None,
        kept: None,
        feedback: None,
        started_at: run().started_at,
    }
}

pub(super) fn accepted() -> CaseResult {
    passed(0)
}

/// An input that the solver refuses.
pub(super) fn refused() -> CaseResult {
    CaseResult {
        verdict: Verdict::RuntimeError,
        status: Status::Fail,
        expected_bytes: None,
        output_bytes: None,
        message: "input/ali-baba/02-bad.in: line 3, column 5 (case 2): expected a number".into(),
        hint: Some("remove it".into()),
        ..passed(1)
    }
}

pub(super) fn judge_error() -> CaseResult {
    CaseResult {
        verdict: Verdict::JudgeError,
        status: Status::Error,
        times: None,
        input_bytes: 0,
        expected_bytes: None,
        output_bytes: None,
        message: "cannot read expected/ali-baba/03-fault.out: permission denied".into(),
        ..passed(2)
    }
}

pub(super) fn wrong() -> CaseResult {
    let line =
        |text: &str, mark| Line { bytes: text.into(), terminated: true, mark, ..Line::default() };
    let row = |number, expected: &str, got: &str, mark| ViewRow {
        number,
        got_number: number,
        differs: expected != got,
        expected: Some(line(expected, mark)),
        got: Some(line(got, mark)),
    };
    let mismatch = Mismatch {
        kind: MismatchKind::Value,
        line: 3,
        token: Some(2),
        byte: 10,
        expected: Some(b"4".to_vec()),
        got: Some(b"5".to_vec()),
        remark: String::new(),
        view: vec![
            row(1, "WIN", "WIN", None),
            row(2, "1 2", "1 2", None),
            row(3, "3 4", "3 5", Some((2, 3))),
            row(4, "5 2", "5 2", None),
        ],
        totals: Some(Totals { expected_lines: 7, got_lines: 7, differing_lines: Some(1) }),
    };
    CaseResult {
        verdict: Verdict::WrongAnswer,
        status: Status::Fail,
        mismatch: Some(Box::new(mismatch)),
        kept: Some(Kept { path: ".jury/last/jsoi-game/03-corridor.out".into(), cut: false }),
        feedback: None,
        ..passed(4)
    }
}

pub(super) fn unanswered() -> CaseResult {
    CaseResult {
        verdict: Verdict::NoAnswer,
        status: Status::Fail,
        expected_bytes: None,
        message: "no expected file".into(),
        ..passed(5)
    }
}

/// A result for each case of the plan.
pub(super) fn all() -> Vec<CaseResult> {
    vec![accepted(), refused(), judge_error(), passed(3), wrong(), unanswered(), passed(6)]
}

/// A submission that was built and one that could not be.
pub(super) fn compiled() -> [Compiled; 2] {
    let built = Compiled {
        submission: 0,
        language: "C".into(),
        version: "gcc 12".into(),
        command: vec!["/usr/bin/gcc".into(), "a.c".into()],
        outcome: Ok(()),
        cached: true,
        wall: Duration::from_millis(7),
        log: "unused\n".into(),
        log_bytes: 9000,
    };
    let refused = Compiled {
        submission: 1,
        outcome: Err("the compiler ended with exit code 1".into()),
        cached: false,
        ..built.clone()
    };
    [built, refused]
}

/// The report on [`all`].
pub(super) fn report() -> Report {
    report_on(&plan(), &all())
}

/// The report on these results.
pub(super) fn report_on(plan: &Plan, results: &[CaseResult]) -> Report {
    let mut report = Report { wall: Duration::from_millis(31), ..Report::new(plan) };
    for result in results {
        report.add(plan, result);
    }
    report.summary.interrupted = results.len() < plan.jobs.len();
    report
}

/// The run of [`all`], as it is read back.
pub(super) fn past() -> Past {
    past_of(run(), plan(), all())
}

fn past_of(run: Run, plan: Plan, results: Vec<CaseResult>) -> Past {
    let report = report_on(&plan, &results);
    let programs = plan.submissions.iter().all(|submission| submission.path.is_some());
    let compiled = if programs { compiled().into() } else { Vec::new() };
    let timings = Timings::Measured;
    Past { run, plan, results, compiled, report, timings, torn: Vec::new() }
}

/// Two programs on three cases: with limits, promises, memory, stderr, a score, doubts that were
/// settled, and a case that was not run.
pub(super) fn graded() -> Past {
    graded_with(str::to_owned)
}

/// The same with every name, path and message of the run changed.
pub(super) fn graded_with(change: impl Fn(&str) -> String) -> Past {
    let case = |number: usize| TestCase {
        name: format!("{}/{number}", change("sum/secret")),
        group: change("secret"),
        input: change(&format!("input/{number}.in")).into(),
        answer: Some(change(&format!("expected/{number}.out")).into()),
        missing: None,
    };
    let cases = (1..=3).map(case).collect();
    let problem = Problem { name: change("sum"), solver: String::new(), cases };
    let submission = |name: &str, promised: Option<Promise>| Submission {
        name: change(name),
        problem: 0,
        path: Some(change(&format!("submissions/{name}")).into()),
        language: change("C++"),
        promised,
    };
    let sets = Sets { required: vec![Verdict::TimeLimit], ..Sets::default() };
    let submissions = vec![
        submission("wrong.cpp", None),
        submission("never-late.cpp", Some(Promise::Sets(sets))),
        submission("right.cpp", Some(vec![Verdict::WrongAnswer].into())),
    ];
    let limits = |_: &Submission, _: &TestCase| Limits {
        time: Some(Duration::from_secs(2)),
        wall: Some(Duration::from_secs(5)),
        memory: Some(256 << 20),
        processes: Some(1),
        ..Limits::NONE
    };
    let mut plan = crate::plan::of(vec![problem], submissions, limits, 1);
    let typed = vec![Duration::from_secs(2), Duration::from_secs(1)];
    let rungs = plan
        .jobs
        .iter()
        .map(|job| typed.iter().map(|&time| Limits { time: Some(time), ..job.limits }).collect());
    plan.ladder = Ladder { rungs: rungs.collect(), typed };
    let run = Run {
        id: change("a run"),
        command: change("jury grade problems/sum"),
        checker: change("a checker"),
        sandbox: change("strict"),
        hostname: change("host"),
        rerun: "jury grade problems/sum".into(),
        cpu: Some(change("CPU")),
        ..run()
    };
    let results = (0..8).map(|index| program_result(index, &change)).collect();
    past_of(run, plan, results)
}

fn program_result(index: usize, change: &impl Fn(&str) -> String) -> CaseResult {
    let ran = Ran {
        exit_code: Some(0),
        user: Some(CPU / 2),
        memory: Some(Memory { bytes: 3 << 20, metric: "max_rss".into() }),
        switches: Some(2),
        cpu_source: Some("rusage".into()),
        stderr: change("trace\n").into_bytes(),
        ..Ran::default()
    };
    let confirmed =
        Confirmed { first: Verdict::TimeLimit, runs: 2, agreed: 2, least: CPU, greatest: 2 * CPU };
    let right = CaseResult {
        at: vec![Verdict::Accepted, Verdict::TimeLimit],
        settled: index == 7,
        ran: Some(Box::new(ran)),
        confirmed: (index == 6).then_some(confirmed),
        score: Some(0.1 + 0.2),
        remarks: (index == 7).then(|| Box::new(Remarks::of(change("fine").as_bytes()))),
        ..passed(index)
    };
    match index {
        0 => {
            let mut wrong = CaseResult { status: Status::Fail, ..wrong() };
            wrong.index = 0;
            let mismatch = wrong.mismatch.as_mut().map(Box::as_mut);
            if let Some(mismatch) = mismatch {
                mismatch.got = Some(change("5").into_bytes());
                mismatch.view[0].got_number = 2;
            }
            CaseResult { ran: right.ran, at: vec![Verdict::WrongAnswer; 2], ..wrong }
        }
        1 => CaseResult {
            verdict: Verdict::RuntimeError,
            status: Status::Fail,
            message: change("exit code 3: no such thing\nsecond line"),
            hint: Some(change("look at it")),
            ..right
        },
        2 => CaseResult {
            verdict: Verdict::Skipped,
            status: Status::Skip,
            times: None,
            ran: None,
            input_bytes: 0,
            message: change("not run"),
            ..right
        },
        _ => right,
    }
}
