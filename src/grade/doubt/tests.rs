use std::time::Duration;

use super::*;
use crate::judge;
use crate::model::Times;

const LIMITS: Limits = Limits {
    time: Some(Duration::from_secs(1)),
    wall: Some(Duration::from_secs(3)),
    ..Limits::NONE
};

fn ran(verdict: Verdict, cpu_ms: u64) -> CaseResult {
    let cpu = Duration::from_millis(cpu_ms);
    let times = Times { runs: 1, cpu, cpu_min: cpu, cpu_max: cpu, wall: cpu, ..Times::default() };
    CaseResult { verdict, times: Some(times), ..judge::skipped(0, "why".into()) }
}

#[test]
fn only_results_near_the_limit_are_in_doubt() {
    use Verdict as V;
    let table = [
        (V::Accepted, 799, false),
        (V::Accepted, 801, true),
        (V::TimeLimit, 1001, true),
        (V::TimeLimit, 1139, true),
        (V::TimeLimit, 1300, false),
        (V::WrongAnswer, 950, false),
        (V::RuntimeError, 950, false),
        (V::JudgeError, 1000, false),
    ];
    for (verdict, cpu, doubtful) in table {
        assert_eq!(is_there(&ran(verdict, cpu), &[LIMITS]), doubtful, "{verdict:?} {cpu}");
    }
    assert!(!is_there(&ran(V::Accepted, 900), &[Limits::NONE]));
}

#[test]
fn a_program_stopped_a_tenth_behind_its_limit_on_a_quiet_machine_is_late_for_sure() {
    let stopped = ran(Verdict::TimeLimit, 1141);
    assert!(!is_there(&stopped, &[LIMITS]));
    let times = stopped.times.map(|times| Times { wall: times.wall * 2, ..times });
    assert!(is_there(&CaseResult { times, ..stopped }, &[LIMITS]));
    assert!(is_there(&ran(Verdict::TimeLimit, 1120), &[LIMITS]));
    let long = Limits { time: Some(Duration::from_secs(10)), ..LIMITS };
    assert!(is_there(&ran(Verdict::TimeLimit, 10_141), &[long]));
}

#[test]
fn a_program_that_waits_is_not_run_again_but_one_that_was_kept_waiting_is() {
    let idle = |cpu| ran(Verdict::TimeLimit, cpu);
    assert!(!is_there(&idle(5), &[LIMITS]));
    assert!(is_there(&idle(400), &[LIMITS]));
}

#[test]
fn a_late_result_needs_every_run_to_be_late_and_an_accepted_one_a_single_run() {
    let (late, good) = (ran(Verdict::TimeLimit, 1010), ran(Verdict::Accepted, 900));
    assert!(remains(&late, &[], &[LIMITS], 3));
    assert!(remains(&late, &[late.clone(), late.clone()], &[LIMITS], 3));
    assert!(!remains(&late, &[late.clone(), late.clone(), late.clone()], &[LIMITS], 3));
    assert!(!remains(&late, std::slice::from_ref(&good), &[LIMITS], 3));
    assert!(remains(&good, &[], &[LIMITS], 3));
    assert!(!remains(&good, std::slice::from_ref(&good), &[LIMITS], 3));
    assert!(!remains(&late, &[], &[LIMITS], 0));
}

#[test]
fn the_verdict_says_how_it_was_confirmed() {
    let late = |cpu| ran(Verdict::TimeLimit, cpu);
    let stands = settled(late(1010), vec![late(1030), late(1002), late(1020)], &LIMITS);
    assert_eq!(stands.verdict, Verdict::TimeLimit);
    assert_eq!(stands.message, "why; confirmed 3 of 3, 1.002 to 1.030 s");
    let confirmed = stands.confirmed.unwrap();
    assert_eq!((confirmed.runs, confirmed.agreed), (3, 3));
    assert_eq!(stands.times.unwrap().runs, 4);
}

#[test]
fn one_run_in_time_overturns_a_late_one() {
    let (late, good) = (ran(Verdict::TimeLimit, 1010), ran(Verdict::Accepted, 700));
    let stands = settled(late.clone(), vec![late, good], &LIMITS);
    assert_eq!(stands.verdict, Verdict::Accepted);
    let confirmed = stands.confirmed.unwrap();
    assert_eq!((confirmed.first, confirmed.runs, confirmed.agreed), (Verdict::TimeLimit, 2, 1));
    assert!(
        stands.message.contains("TLE at first, not when run alone (1 of 2)"),
        "{}",
        stands.message
    );
}

#[test]
fn a_doubt_under_a_lower_limit_is_settled_as_well() {
    let limits = |ms| Limits { time: Some(Duration::from_millis(ms)), ..LIMITS };
    let rungs = [limits(5000), limits(1000)];
    let ran =
        |cpu, low| CaseResult { at: vec![Verdict::Accepted, low], ..ran(Verdict::Accepted, cpu) };
    let late = ran(1010, Verdict::TimeLimit);
    assert!(is_there(&late, &rungs));
    assert!(!is_there(&ran(2000, Verdict::TimeLimit), &rungs));
    assert!(remains(&late, std::slice::from_ref(&late), &rungs, 3));
    let good = ran(990, Verdict::Accepted);
    assert!(!remains(&late, std::slice::from_ref(&good), &rungs, 3));
    let stands = settled(late, vec![good.clone()], &rungs[0]);
    assert_eq!(stands.at, good.at);
}
