use std::io::{Cursor, Read};
use std::time::Duration;

use super::repeat::median;
use super::*;
use crate::model::{Mismatch, MismatchKind, MissingAnswer, Usage};

struct Prints(&'static str);

impl Executor for Prints {
    fn execute(&self, _case: &TestCase, _limits: &Limits) -> Execution {
        assert_ne!(self.0, "panic", "as ordered");
        let termination = match self.0 {
            "refuse" => Termination::Refused("1.in: line 1: no".into(), Some("mend it".into())),
            "fail" => Termination::Failed("disk gone".into(), None),
            _ => Termination::Finished,
        };
        let stream = Box::new(Cursor::new(self.0.as_bytes()));
        let output = Output { stream, bytes: self.0.len() as u64 };
        Execution { termination, usage: Usage::default(), output, stderr: Vec::new(), talk: None }
    }
}

/// Accepts an output that is the path of the answer file.
struct SameAsPath;

impl Checker for SameAsPath {
    fn name(&self) -> &'static str {
        "same-as-path"
    }

    fn check(&self, case: &TestCase, output: &mut Output) -> Result<Judgement, CheckError> {
        let Some(answer) = &case.answer else {
            return Ok(Judgement::of(Verdict::NoAnswer, 0));
        };
        let mut got = String::new();
        output.stream.read_to_string(&mut got).map_err(CheckError::Output)?;
        let mismatch = (got != answer.to_str().unwrap()).then(|| {
            Box::new(Mismatch {
                kind: MismatchKind::Value,
                line: 1,
                token: Some(1),
                byte: 0,
                expected: None,
                got: None,
                remark: String::new(),
                view: Vec::new(),
                totals: None,
            })
        });
        let verdict = if mismatch.is_some() { Verdict::WrongAnswer } else { Verdict::Accepted };
        Ok(Judgement { mismatch, ..Judgement::of(verdict, 5) })
    }
}

fn case(answer: Option<&str>) -> TestCase {
    TestCase {
        name: "p/1".into(),
        group: String::new(),
        input: "p/1.in".into(),
        answer: answer.map(PathBuf::from),
        missing: None,
    }
}

fn settings() -> Settings<'static> {
    Settings {
        checker: &SameAsPath,
        runs: 3,
        missing: Missing::Fail,
        bless: Bless::No,
        stop: &|| false,
        keep: None,
    }
}

fn judged(answer: Option<&str>, prints: &'static str, settings: &Settings) -> CaseResult {
    let task = Task {
        index: 0,
        case: &case(answer),
        limits: &Limits::NONE,
        rungs: &[],
        base: None,
        owner: "",
    };
    judge(&task, &Prints(prints), settings).unwrap()
}

#[test]
fn the_output_decides_when_the_program_has_finished() {
    let right = judged(Some("right"), "right", &settings());
    assert_eq!((right.verdict, right.status), (Verdict::Accepted, Status::Pass));
    assert_eq!(right.times.unwrap().runs, 3);
    let wrong = judged(Some("right"), "wrong", &settings());
    assert_eq!((wrong.verdict, wrong.status), (Verdict::WrongAnswer, Status::Fail));
    assert_eq!(wrong.output_bytes, Some(5));
}

#[test]
fn a_refused_input_fails_the_case_and_runs_once() {
    let result = judged(Some("refuse"), "refuse", &settings());
    assert_eq!((result.verdict, result.status), (Verdict::RuntimeError, Status::Fail));
    assert_eq!(result.message, "1.in: line 1: no");
    assert_eq!(result.hint.as_deref(), Some("mend it"));
    assert_eq!(result.times.unwrap().runs, 1);
}

#[test]
fn our_own_failure_is_a_judge_error_even_when_the_output_would_be_right() {
    for prints in ["fail", "panic"] {
        let result = judged(Some(prints), prints, &settings());
        assert_eq!((result.verdict, result.status), (Verdict::JudgeError, Status::Error));
    }
    let message = judged(Some("panic"), "panic", &settings()).message;
    assert!(message.starts_with("internal error: ") && message.contains("as ordered"), "{message}");
}

#[test]
fn no_further_run_is_started_after_a_stop() {
    let result = judged(Some("right"), "right", &Settings { stop: &|| true, ..settings() });
    assert_eq!(result.verdict, Verdict::Accepted);
    assert_eq!(result.times.unwrap().runs, 1);
}

#[test]
fn a_missing_answer_is_never_accepted() {
    let with = |missing| judged(None, "right", &Settings { missing, ..settings() });
    let fail = with(Missing::Fail);
    assert_eq!((fail.verdict, fail.status), (Verdict::NoAnswer, Status::Fail));
    let warn = with(Missing::Warn);
    assert_eq!((warn.verdict, warn.status), (Verdict::NoAnswer, Status::Skip));
    let skip = with(Missing::Skip);
    assert_eq!((skip.verdict, skip.status), (Verdict::Skipped, Status::Skip));
    assert!(skip.times.is_none());
}

#[test]
fn a_wrong_output_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let keep = Some(Keep::below(folder.path()));
    let result = judged(Some("right"), "wrong", &Settings { keep, ..settings() });
    let kept = result.kept.unwrap();
    assert_eq!(kept.path, folder.path().join("p/1.out"));
    assert!(!kept.cut);
    assert_eq!(std::fs::read_to_string(kept.path).unwrap(), "wrong");
}

#[test]
fn blessing_writes_what_is_missing_and_overwrites_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("new/1.out");
    let blessed = |answer: Option<PathBuf>, bless| {
        let missing = MissingAnswer { home: home.clone(), looked_for: Vec::new(), close: None };
        let case = TestCase { answer, missing: Some(Box::new(missing)), ..case(None) };
        let task = Task {
            index: 0,
            case: &case,
            limits: &Limits::NONE,
            rungs: &[],
            base: None,
            owner: "",
        };
        judge(&task, &Prints("text"), &Settings { bless, ..settings() }).unwrap()
    };
    let result = blessed(None, Bless::Missing);
    assert_eq!((result.verdict, result.status), (Verdict::Accepted, Status::Pass));
    assert_eq!(std::fs::read_to_string(&home).unwrap(), "text");

    std::fs::write(&home, "old").unwrap();
    let result = blessed(Some(home.clone()), Bless::Missing);
    assert_eq!(result.verdict, Verdict::WrongAnswer);
    assert_eq!(std::fs::read_to_string(&home).unwrap(), "old");

    let result = blessed(Some(home.clone()), Bless::Force);
    assert_eq!(result.verdict, Verdict::Accepted);
    assert!(result.message.starts_with("overwritten: "), "{}", result.message);
    assert_eq!(std::fs::read_to_string(&home).unwrap(), "text");
}

#[test]
fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
    let ms = Duration::from_millis;
    assert_eq!(median(&[ms(1), ms(2), ms(9)]), ms(2));
    assert_eq!(median(&[ms(1), ms(2), ms(4), ms(9)]), ms(3));
    assert_eq!(median(&[]), ms(0));
}
