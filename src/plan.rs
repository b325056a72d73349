//! Which cases are run, in which order, how often. Pure.

use crate::model::{Job, Plan, Problem, TestCase};

/// The cases that `selected` accepts, in the given order, each to be run `runs` times.
#[must_use]
pub fn make(mut problems: Vec<Problem>, selected: impl Fn(&TestCase) -> bool, runs: u32) -> Plan {
    for problem in &mut problems {
        problem.cases.retain(&selected);
    }
    problems.retain(|problem| !problem.cases.is_empty());
    Plan { jobs: jobs(&problems), problems, runs }
}

fn jobs(problems: &[Problem]) -> Vec<Job> {
    let places = problems
        .iter()
        .enumerate()
        .flat_map(|(problem, p)| (0..p.cases.len()).map(move |case| (problem, case)));
    places.enumerate().map(|(index, (problem, case))| Job { index, problem, case }).collect()
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
