//! `--dry-run`: the commands and limits, nothing run.

use std::io::{self, Write};

use super::programs::{Kind, Prepared};
use crate::model::{Limits, Plan};

/// Prints what would run.
pub(super) fn print(plan: &Plan, prepared: &[Prepared]) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    for (position, (submission, prepared)) in plan.submissions.iter().zip(prepared).enumerate() {
        let problem = &plan.problems[submission.problem].name;
        writeln!(out, "{problem}: {}: {}", submission.name, what(prepared))?;
        let jobs = plan.jobs.iter().filter(|job| job.submission == position);
        let mut sets: Vec<(Limits, usize)> = Vec::new();
        for job in jobs {
            match sets.iter_mut().find(|(limits, _)| *limits == job.limits) {
                Some((_, number)) => *number += 1,
                None => sets.push((job.limits, 1)),
            }
        }
        for (limits, number) in sets {
            let cases = crate::report::count(number, "case");
            writeln!(out, "  {cases}: {}", words(&limits))?;
        }
    }
    Ok(())
}

fn what(prepared: &Prepared) -> String {
    match &prepared.kind {
        Kind::Core => "built-in solver".into(),
        Kind::Absent(reason) => format!("not run: {reason}"),
        Kind::Program(_, language) => language.title.clone(),
    }
}

/// Every limit in force.
pub(super) fn words(limits: &Limits) -> String {
    let mut parts = Vec::new();
    let seconds = |time: std::time::Duration| format!("{:.3} s", time.as_secs_f64());
    let size = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
    let time = limits.time.map(|time| format!("time {} ({})", seconds(time), limits.clock.word()));
    parts.extend(time);
    parts.extend(limits.wall.map(|wall| format!("wall {}", seconds(wall))));
    parts.extend(limits.memory.map(|memory| format!("memory {}", size(memory))));
    let stack = limits.stack.or(limits.memory);
    parts.extend(stack.map(|stack| format!("stack {}", size(stack))));
    parts.extend(limits.output.map(|output| format!("output {}", size(output))));
    parts.extend(limits.processes.map(|number| format!("processes {number}")));
    if parts.is_empty() { "no limits".into() } else { parts.join(", ") }
}
