//! Which cases are run, in which order, how often. Pure.

use crate::model::{Job, Ladder, Limits, Plan, Problem, Submission, TestCase};

/// The cases that `selected` accepts, in the given order, each to be run `runs` times by the
/// built-in solver of its problem.
#[must_use]
pub fn make(problems: Vec<Problem>, selected: impl Fn(&TestCase) -> bool, runs: u32) -> Plan {
    let problems = select(problems, selected);
    let submissions = (0..problems.len()).map(Submission::core).collect();
    of(problems, submissions, |_, _| Limits::NONE, runs)
}

/// The problems that have selected cases, with these cases only.
#[must_use]
pub fn select(mut problems: Vec<Problem>, selected: impl Fn(&TestCase) -> bool) -> Vec<Problem> {
    for problem in &mut problems {
        problem.cases.retain(&selected);
    }
    problems.retain(|problem| !problem.cases.is_empty());
    problems
}

/// Every case of its problem for each submission, each under its limits.
#[must_use]
pub fn of(
    problems: Vec<Problem>,
    submissions: Vec<Submission>,
    limits: impl Fn(&Submission, &TestCase) -> Limits,
    runs: u32,
) -> Plan {
    let places = submissions.iter().enumerate().flat_map(|(position, submission)| {
        let cases = &problems[submission.problem].cases;
        let limits = &limits;
        cases.iter().enumerate().map(move |(number, case)| Job {
            index: 0,
            problem: submission.problem,
            case: number,
            submission: position,
            limits: limits(submission, case),
        })
    });
    let jobs = places.enumerate().map(|(index, job)| Job { index, ..job }).collect();
    Plan { problems, submissions, jobs, runs, ladder: Ladder::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str) -> TestCase {
        TestCase {
            name: name.into(),
            group: String::new(),
            input: name.into(),
            answer: None,
            missing: None,
        }
    }

    fn suite() -> Vec<Problem> {
        let problem = |name: &str, cases: &[&str]| Problem {
            name: name.into(),
            solver: name.into(),
            cases: cases.iter().map(|stem| case(&format!("{name}/{stem}"))).collect(),
        };
        vec![problem("a", &["1", "2"]), problem("b", &["1"])]
    }

    #[test]
    fn the_index_of_a_job_is_its_position_and_leads_to_its_case() {
        let plan = make(suite(), |_| true, 3);
        let names: Vec<_> = plan.jobs.iter().map(|&job| plan.case(job).name.as_str()).collect();
        assert_eq!(names, ["a/1", "a/2", "b/1"]);
        assert!(plan.jobs.iter().enumerate().all(|(position, job)| job.index == position));
        assert_eq!(plan.runs, 3);
    }

    #[test]
    fn a_problem_without_selected_cases_is_left_out() {
        let plan = make(suite(), |case| case.name.starts_with('b'), 1);
        assert_eq!(plan.problems.len(), 1);
        assert_eq!(plan.problem(plan.jobs[0]).name, "b");
    }
}
