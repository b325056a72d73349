//! One fixed run, for the snapshots of all reporters.

use std::time::{Duration, SystemTime};

use crate::model::{
    CaseResult, Compiled, Kept, Line, Mismatch, MismatchKind, MissingAnswer, Plan, Problem, Report,
    Run, Status, TestCase, Times, Totals, Verdict, ViewRow,
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
        input_bytes: 120,
        expected_bytes: Some(8),
        output_bytes: Some(8),
        mismatch: None,
        score: None,
        remarks: None,
        settled: false,
        message: String::new(),
        hint: None,
        kept: None,
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
    let plan = plan();
    let mut report = Report { wall: Duration::from_millis(31), ..Report::new(&plan) };
    for result in all() {
        report.add(&plan, &result);
    }
    report
}

/// A report without what depends on the machine and the version.
pub(super) fn masked(report: &str) -> String {
    let member = |name: &str, value: &str| format!("\"{name}\":\"{value}\"");
    report
        .replace(&member("version", env!("CARGO_PKG_VERSION")), &member("version", "VERSION"))
        .replace(&member("os", std::env::consts::OS), &member("os", "OS"))
        .replace(&member("arch", std::env::consts::ARCH), &member("arch", "ARCH"))
}
