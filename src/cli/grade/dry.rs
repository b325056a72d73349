//! `--dry-run`: the commands and limits, nothing run.

use std::io::{self, Write};

use super::programs::{Built, Kind, Prepared};
use crate::cli::config::Config;
use crate::cli::error::print_note;
use crate::model::{Limits, Plan};
use crate::report::{Look, shell_quoted};

/// Prints the checker, and the command and the limits of each submission.
pub(super) fn print_programs(
    config: &Config,
    plan: &Plan,
    built: &[Built],
    checker: &[String],
) -> io::Result<()> {
    if let Some(path) = &config.path {
        print_note(&format!("configuration: {}", path.display()));
    }
    let mut out = anstream::stdout().lock();
    for line in checker {
        writeln!(out, "{line}")?;
    }
    for (position, (submission, built)) in plan.submissions.iter().zip(built).enumerate() {
        let Some(program) = &built.program else { continue };
        let language = format!("{} {}", program.language, program.version);
        writeln!(out, "{}: {}", name(&submission.name), name(language.trim_end()))?;
        for (limits, number) in limit_sets(plan, position) {
            let memory = limits.memory.unwrap_or(u64::MAX >> 1);
            let argv = program.argv(memory, limits.stack.unwrap_or(memory));
            let words: Vec<String> =
                argv.iter().map(|word| shell_quoted(&word.to_string_lossy())).collect();
            let cases = crate::report::count(number, "case");
            writeln!(out, "  {cases}: {}\n    {}", words.join(" "), words_limits(&limits))?;
        }
    }
    Ok(())
}

/// A name as it may be printed.
fn name(text: &str) -> String {
    Look::default().name(text)
}

/// The different limits of a submission, with the number of their cases.
fn limit_sets(plan: &Plan, submission: usize) -> Vec<(Limits, usize)> {
    let mut sets: Vec<(Limits, usize)> = Vec::new();
    for job in plan.jobs.iter().filter(|job| job.submission == submission) {
        match sets.iter_mut().find(|(limits, _)| *limits == job.limits) {
            Some((_, number)) => *number += 1,
            None => sets.push((job.limits, 1)),
        }
    }
    sets
}

/// Prints what would run.
pub(super) fn print(plan: &Plan, prepared: &[Prepared], checker: &[String]) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    for line in checker {
        writeln!(out, "{line}")?;
    }
    for (position, (submission, prepared)) in plan.submissions.iter().zip(prepared).enumerate() {
        let problem = &plan.problems[submission.problem].name;
        writeln!(out, "{}: {}: {}", name(problem), name(&submission.name), what(prepared))?;
        for (limits, number) in limit_sets(plan, position) {
            let cases = crate::report::count(number, "case");
            writeln!(out, "  {cases}: {}", words_limits(&limits))?;
        }
    }
    if let [_, also @ ..] = plan.ladder.typed.as_slice() {
        let also: Vec<String> =
            also.iter().map(|time| format!("{:.3} s", time.as_secs_f64())).collect();
        writeln!(out, "also judged under {}; each run is made under the highest", also.join(", "))?;
    }
    Ok(())
}

fn what(prepared: &Prepared) -> String {
    match &prepared.kind {
        Kind::Core => "built-in solver".into(),
        Kind::Absent(reason) | Kind::Refused(reason) => format!("not run: {reason}"),
        Kind::Program(_, language) => {
            let toolchain = language.toolchains.first();
            let compile = toolchain.and_then(|toolchain| toolchain.compile.as_ref());
            let compile = compile.map(|words| format!("\n  compile: {}", words.join(" ")));
            let run = toolchain.map(|toolchain| format!("\n  run: {}", toolchain.run.join(" ")));
            format!("{}{}{}", language.title, compile.unwrap_or_default(), run.unwrap_or_default())
        }
    }
}

/// Every limit in force.
fn words_limits(limits: &Limits) -> String {
    let mut parts = Vec::new();
    let seconds = |time: std::time::Duration| format!("{:.3} s", time.as_secs_f64());
    let size = crate::report::mebibytes;
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
