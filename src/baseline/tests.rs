use std::time::{Duration, SystemTime};

use super::*;
use crate::model::{Change, Comparison, Machine, Run, Verdict};

const MS: u64 = 1_000_000;

/// A case that takes about so many milliseconds in each of ten runs.
fn timed(case: &str, ms: u64) -> Timed {
    Timed {
        problem: "p".into(),
        submission: "core".into(),
        case: format!("p/{case}"),
        verdict: Verdict::Accepted,
        cpu_ns: (0..10).map(|run| ms * MS + 1000 * run + ms).collect(),
        input: Some("same".into()),
    }
}

fn run(cpu: &str) -> Run {
    let started_at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_953_600_123);
    Run { cpu: Some(cpu.into()), started_at, ..Run::default() }
}

fn compared(base: &[Timed], head: &[Timed]) -> Comparison {
    between(&run("a"), base, &run("a"), head)
}

fn between(first: &Run, base: &[Timed], second: &Run, head: &[Timed]) -> Comparison {
    let base = Base::new(Source::new("base.json", first), base.to_vec());
    base.compare(&Source::new("head.json", second), head)
}

fn changes(comparison: &Comparison) -> Vec<(&str, Change)> {
    comparison.cases.iter().map(|case| (case.case.as_str(), case.change)).collect()
}

#[test]
fn every_case_has_its_change_in_the_order_of_the_head() {
    let ended = |case| Timed { verdict: Verdict::TimeLimit, ..timed(case, 9) };
    let base = [
        timed("slow", 20),
        timed("fast", 20),
        timed("same", 20),
        timed("small", 1),
        timed("gone", 20),
        timed("input", 20),
        timed("wrong", 20),
        ended("late"),
    ];
    let head = [
        timed("late", 9),
        timed("slow", 25),
        timed("fast", 15),
        timed("same", 21),
        timed("small", 1),
        timed("new", 20),
        Timed { input: Some("other".into()), ..timed("input", 40) },
        Timed { verdict: Verdict::WrongAnswer, ..timed("wrong", 40) },
    ];
    let head = [&[ended("late")], &head[1..]].concat();
    let comparison = compared(&base, &head);
    assert_eq!(
        changes(&comparison),
        [
            ("p/late", Change::Ended),
            ("p/slow", Change::Slower),
            ("p/fast", Change::Faster),
            ("p/same", Change::Same),
            ("p/small", Change::Small),
            ("p/new", Change::New),
            ("p/input", Change::Input),
            ("p/wrong", Change::Verdict),
            ("p/gone", Change::Removed),
        ]
    );
    assert_eq!(comparison.cases[7].remark, "AC, then WA");
    assert_eq!(comparison.not_comparable, [] as [String; 0]);
    assert_eq!((comparison.regressions(), comparison.small.unwrap().cases), (1, 1));
    assert_eq!(comparison.head.runs, (10, 10));
}

#[test]
fn many_small_cases_are_one_sum_that_counts() {
    let cases = |us: u64| -> Vec<Timed> {
        let times = |run| us * 1000 + run;
        let one = |number| Timed {
            cpu_ns: (0..10).map(times).collect(),
            ..timed(&format!("{number}"), 1)
        };
        (0..20).map(one).collect()
    };
    let comparison = compared(&cases(1000), &cases(1300));
    let sum = comparison.small.clone().unwrap();
    assert_eq!((sum.cases, sum.change, comparison.regressions()), (20, Change::Slower, 1));
    assert_eq!(sum.weighed.head_cpu_ns, 26 * MS + 90);
    let same = compared(&cases(1000), &cases(1050)).small.unwrap();
    assert_eq!(same.change, Change::Same);
}

#[test]
fn what_makes_times_incomparable_is_said_and_is_no_regression() {
    let (base, head) = ([timed("1", 20)], [timed("1", 40)]);
    let reason = |first: &Run, second: &Run| {
        let comparison = between(first, &base, second, &head);
        assert_eq!((comparison.regressions(), comparison.slower()), (0, 1));
        comparison.not_comparable.join("; ")
    };
    assert_eq!(reason(&run("a"), &run("b")), "other CPU model: a, then b");
    let machine =
        |ms| Machine { calibration: Some(Duration::from_millis(ms)), ..Machine::default() };
    let with = |machine| Run { machine, ..run("a") };
    assert_eq!(
        reason(&with(machine(10)), &with(machine(16))),
        "the calibration took 10.0 ms, then 16.0 ms"
    );
    let governor = |word: &str| Machine { governor: word.into(), ..Machine::default() };
    assert_eq!(
        reason(&with(governor("powersave")), &with(governor("performance"))),
        "other governor: powersave, then performance"
    );
    let sandbox = |text: &str| Run { sandbox: text.into(), ..run("a") };
    assert_eq!(
        reason(&sandbox("strict (x)"), &sandbox("none (y)")),
        "other sandbox: strict, then none"
    );
    let same = between(&with(machine(10)), &base, &with(machine(14)), &head);
    assert_eq!(same.regressions(), 1);
}

#[test]
fn few_runs_and_missing_cpu_times_are_not_comparable() {
    let few = |ms| [Timed { cpu_ns: timed("1", ms).cpu_ns[..4].to_vec(), ..timed("1", ms) }];
    let comparison = compared(&few(20), &few(40));
    assert_eq!(comparison.not_comparable, ["fewer than 5 runs: 4, then 4"]);
    assert_eq!(changes(&comparison), [("p/1", Change::Unclear)]);
    let none = [Timed { cpu_ns: vec![0; 10], ..timed("1", 20) }];
    let reasons = compared(&none, &none).not_comparable;
    assert_eq!(reasons, ["wall time only: there is no CPU time"]);
}

#[test]
fn other_inputs_are_left_out_and_the_rest_still_counts() {
    let other = |case| Timed { input: Some("other".into()), ..timed(case, 40) };
    let comparison = compared(&[timed("1", 20), timed("2", 20)], &[other("1"), timed("2", 40)]);
    assert_eq!(changes(&comparison), [("p/1", Change::Input), ("p/2", Change::Slower)]);
    assert_eq!(comparison.regressions(), 1);
    let comparison = compared(&[timed("1", 20)], &[other("1")]);
    assert_eq!(comparison.not_comparable, ["every input is another one"]);
}

#[test]
fn single_submissions_are_compared_whatever_their_names_are() {
    let of = |name: &str, ms| Timed { submission: name.into(), ..timed("1", ms) };
    let comparison = compared(&[of("old.c", 20)], &[of("new.c", 40)]);
    assert_eq!(changes(&comparison), [("p/1", Change::Slower)]);
    let comparison = compared(&[of("old.c", 20)], &[of("new.c", 40), of("b.c", 20)]);
    assert_eq!(
        changes(&comparison),
        [("p/1", Change::New), ("p/1", Change::New), ("p/1", Change::Removed)]
    );
}

#[test]
fn parts_of_one_run_share_their_machine() {
    let run = Run { id: "x".into(), interleaved: "old.c".into(), ..run("a") };
    let other = Run { jobs: 7, ..run.clone() };
    let comparison = between(&run, &[timed("1", 20)], &other, &[timed("1", 40)]);
    assert!(comparison.interleaved && comparison.is_comparable());
}
