//! A program that is run again as long as the checker asks for another pass.

use std::sync::Arc;
use std::time::Duration;

use super::{Executor, Program};
use crate::check::CheckError;
use crate::check::program::{Pass, ProgramChecker};
use crate::model::{Execution, Limits, Talk, Teller, Termination, TestCase, Usage};

/// Runs a program and the checker of its problem in turns.
pub struct MultiPass {
    program: Program,
    checker: Arc<ProgramChecker>,
}

impl MultiPass {
    /// This program, judged by this checker, which says how many passes there may be.
    #[must_use]
    pub fn new(program: Program, checker: Arc<ProgramChecker>) -> Self {
        Self { program, checker }
    }

    /// One pass; the next one, when there is to be one.
    fn run(&self, case: &TestCase, pass: &Pass, limits: &Limits) -> After {
        let mut execution = self.program.run_pass(case, pass, limits);
        let mut talk = Talk { teller: Teller::Checker, pass: pass.told(), ..Talk::default() };
        if execution.limit_verdict(limits).is_none() {
            match self.checker.check_pass(case, pass, &mut execution.output) {
                Ok((_, Some(next))) => return After::Another(execution.usage, next),
                Ok((judgement, None)) => talk.said = Some(judgement),
                Err(CheckError::Stopped) => execution.termination = Termination::Stopped,
                Err(mut error) => {
                    execution.termination = Termination::Failed(error.to_string(), None);
                    talk.feedback = error.take_feedback();
                }
            }
        }
        execution.talk = Some(Box::new(talk));
        After::end(execution)
    }
}

impl Executor for MultiPass {
    fn execute(&self, case: &TestCase, limits: &Limits) -> Execution {
        if case.answer.is_none() {
            // There is nothing to be judged by, in whatever pass.
            return self.program.execute(case, limits);
        }
        let first = Pass::first(self.checker.passes);
        in_passes(first, |pass| self.run(case, pass, limits))
    }

    fn on_one_core(&self, work: &mut dyn FnMut()) {
        self.program.on_one_core(work);
    }
}

/// What comes after a pass.
pub(super) enum After {
    /// Another one; what was used by this one.
    Another(Usage, Pass),
    /// Nothing: this was the last one.
    End(Box<Execution>),
}

impl After {
    pub(super) fn end(execution: Execution) -> Self {
        Self::End(Box::new(execution))
    }
}

/// Goes from pass to pass to the execution of the last one, which then has used what was used the
/// most of in any.
pub(super) fn in_passes(first: Pass, mut run: impl FnMut(&Pass) -> After) -> Execution {
    let (mut pass, mut used) = (first, None::<Usage>);
    loop {
        match run(&pass) {
            After::Another(usage, next) => {
                used = Some(most(used, usage));
                pass = next;
            }
            After::End(mut last) => {
                last.usage = most(used, last.usage);
                return *last;
            }
        }
    }
}

/// What was used the most of, in the passes before and in one more.
fn most(before: Option<Usage>, usage: Usage) -> Usage {
    let Some(before) = before else { return usage };
    let memory = match (before.memory.clone(), usage.memory.clone()) {
        (Some(a), Some(b)) => Some(if a.bytes > b.bytes { a } else { b }),
        (a, b) => a.or(b),
    };
    let counted = |usage: &(Duration, Duration)| usage.0.saturating_sub(usage.1);
    let walls = [(before.wall, before.queued), (usage.wall, usage.queued)];
    let (wall, queued) = walls.into_iter().max_by_key(counted).unwrap_or_default();
    Usage {
        cpu: before.cpu.max(usage.cpu),
        user: before.user.max(usage.user),
        wall,
        queued,
        input_bytes: before.input_bytes,
        memory,
        switches: before.switches.max(usage.switches),
        cpu_source: usage.cpu_source.or(before.cpu_source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Memory;

    #[test]
    fn the_dearest_pass_is_what_is_told_of_each_thing_that_is_used() {
        let usage = |cpu, bytes| Usage {
            cpu: Duration::from_millis(cpu),
            memory: Some(Memory { bytes, metric: "test".into() }),
            input_bytes: cpu,
            ..Usage::default()
        };
        let mut passes = [usage(1, 9), usage(5, 2), usage(3, 4)].into_iter();
        let last = in_passes(Pass::first(3), |pass| {
            let used = passes.next().unwrap();
            if passes.len() > 0 {
                return After::Another(used, pass.clone());
            }
            let execution = Execution::without_run(Termination::Finished);
            After::end(Execution { usage: used, ..execution })
        });
        assert_eq!(last.usage.cpu, Duration::from_millis(5));
        assert_eq!(last.usage.memory.unwrap().bytes, 9);
        assert_eq!(last.usage.input_bytes, 1, "the input of the case");
    }
}
