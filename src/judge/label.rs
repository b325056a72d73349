//! One run, several time limits: a run that was judged under the highest of them tells the verdict
//! under each.

use super::reason;
use crate::model::{CaseResult, Limits, Status, Verdict};

/// Notes the verdict under each of these limits; the first one is the verdict that stands.
pub(super) fn label(result: &mut CaseResult, rungs: &[Limits]) {
    result.at = rungs.iter().map(|limits| result.verdict_under(limits)).collect();
    let (Some(limits), Some(&verdict)) = (rungs.first(), result.at.first()) else { return };
    if verdict == result.verdict {
        return;
    }
    let reason = reason::late_by(result, limits);
    (result.message, result.unmeasured) = (reason.message, reason.unmeasured);
    result.verdict = verdict;
    result.status = Status::Fail;
    (result.mismatch, result.hint) = (None, None);
    (result.score, result.remarks) = (None, None);
    debug_assert_eq!(verdict, Verdict::TimeLimit);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::judge;
    use crate::model::{Ran, Remarks, Times};

    fn limits(seconds: u64) -> Limits {
        let wall = Some(Duration::from_secs(2 * seconds + 1));
        Limits { time: Some(Duration::from_secs(seconds)), wall, ..Limits::NONE }
    }

    fn labelled(verdict: Verdict, cpu_ms: u64, wall_ms: u64) -> CaseResult {
        let (cpu, wall) = (Duration::from_millis(cpu_ms), Duration::from_millis(wall_ms));
        let times = Some(Times { runs: 1, cpu, wall, ..Times::default() });
        let status = Status::Pass;
        let mut result = CaseResult { verdict, status, times, ..judge::skipped(0, "x".into()) };
        label(&mut result, &[limits(2), limits(1), limits(5)]);
        result
    }

    #[test]
    fn a_run_under_the_highest_limit_tells_the_verdict_under_each() {
        use Verdict::{Accepted as AC, TimeLimit as TLE, WrongAnswer as WA};
        assert_eq!(labelled(AC, 900, 900).at, [AC, AC, AC]);
        assert_eq!(labelled(AC, 1500, 1500).at, [AC, TLE, AC]);
        assert_eq!(labelled(WA, 2001, 2001).at, [TLE, TLE, WA]);
        assert_eq!(labelled(TLE, 5100, 5100).at, [TLE, TLE, TLE]);
        let idle = labelled(AC, 10, 4000);
        assert_eq!((idle.at, idle.verdict), (vec![AC, TLE, AC], AC));
    }

    #[test]
    fn time_without_a_processor_counts_under_no_limit() {
        use Verdict::{Accepted as AC, TimeLimit as TLE};
        let queued = |ms| {
            let ran = Ran { queued: Some(Duration::from_millis(ms)), ..Ran::default() };
            let ran = Some(Box::new(ran));
            let times = Times { runs: 1, wall: Duration::from_secs(20), ..Times::default() };
            let (verdict, times) = (Verdict::Accepted, Some(times));
            let mut result = CaseResult { verdict, times, ran, ..judge::skipped(0, "x".into()) };
            label(&mut result, &[limits(1), limits(2)]);
            result.at
        };
        assert_eq!(queued(0), [TLE, TLE]);
        assert_eq!(queued(15_000), [TLE, AC], "four times three seconds are the most");
        assert_eq!(queued(3000), [TLE, TLE]);
    }

    #[test]
    fn the_first_limit_decides_the_verdict_and_the_message() {
        let late = labelled(Verdict::WrongAnswer, 2500, 2600);
        assert_eq!((late.verdict, late.status), (Verdict::TimeLimit, Status::Fail));
        assert_eq!(late.message, "2.500 s cpu time, 2.000 s allowed (2.600 s elapsed)");
        assert_eq!(labelled(Verdict::Accepted, 1500, 1500).message, "x");
    }

    #[test]
    fn a_run_that_is_late_under_the_first_limit_earns_no_points() {
        let times = Times { runs: 1, cpu: Duration::from_secs(3), ..Times::default() };
        let mut result = CaseResult {
            verdict: Verdict::PartlyCorrect,
            times: Some(times),
            score: Some(0.5),
            remarks: Some(Box::new(Remarks::of(b"half"))),
            ..judge::skipped(0, String::new())
        };
        label(&mut result, &[limits(2), limits(5)]);
        assert_eq!(result.at, [Verdict::TimeLimit, Verdict::PartlyCorrect]);
        assert_eq!((result.score, result.remarks), (None, None));
    }
}
