//! `jury list`: what would run, and every fault of the pairing.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::Exit;
use super::args::{Arguments, ListFormat, ListOptions};
use super::suite::Unsolved;
use super::{config, suite};
use crate::model::{Finding, FindingKind, Plan, Problem, Severity};
use crate::report::{Look, count};

/// Runs the command.
pub(super) fn list(options: &ListOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    let config = config::load(arguments)?;
    let mut loaded = suite::load(&options.suite, &config, Unsolved::Taken)?;
    let plan = suite::select(std::mem::take(&mut loaded.suite.problems), &options.suite, 1);
    if !options.suite.cases.is_empty() {
        suite::keep_findings_of(&plan, &mut loaded.suite.findings);
    }
    if plan.jobs.is_empty() && loaded.suite.findings.is_empty() {
        return Err(suite::nothing(&loaded, &options.suite).into());
    }
    let findings = &loaded.suite.findings;
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    match options.format {
        ListFormat::Json => json(&mut out, &plan, findings)?,
        ListFormat::Text => text(&mut out, &plan, findings, arguments.display.look())?,
    }
    out.flush()?;
    Ok(exit(findings))
}

fn exit(findings: &[Finding]) -> Exit {
    let any = |wanted: fn(&Finding) -> bool| findings.iter().any(wanted);
    if any(|finding| finding.kind == FindingKind::Unreadable) {
        Exit::Failure
    } else if any(|finding| finding.severity == Severity::Error) {
        Exit::Findings
    } else {
        Exit::Success
    }
}

fn text(out: &mut impl Write, plan: &Plan, findings: &[Finding], look: Look) -> io::Result<()> {
    for problem in &plan.problems {
        let name = look.name(&problem.name);
        let cases = count(problem.cases.len(), "case");
        match problem.solver.as_str() {
            "" => writeln!(out, "{name}: {cases}, no built-in solver")?,
            solver => writeln!(out, "{name}: {cases}, solver {solver}")?,
        }
        table(out, problem, look)?;
    }
    for finding in findings {
        let word = if finding.severity == Severity::Error { "error" } else { "warning" };
        let path = look.name(&finding.path.display().to_string());
        writeln!(out, "{word}: {path}: {}", look.name(&finding.message))?;
        if let Some(hint) = &finding.hint {
            writeln!(out, "  hint: {}", look.name(hint))?;
        }
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let answered = plan.jobs.iter().filter(|&&job| plan.case(job).answer.is_some()).count();
    writeln!(
        out,
        "{}, {answered} with expected files; {}, {}",
        count(plan.jobs.len(), "case"),
        count(errors, "error"),
        count(findings.len() - errors, "warning"),
    )
}

/// Name, input and answer of each case, in columns.
fn table(out: &mut impl Write, problem: &Problem, look: Look) -> io::Result<()> {
    let show = |path: &Path| look.name(&path.display().to_string());
    let rows: Vec<[String; 3]> = problem
        .cases
        .iter()
        .map(|case| {
            let answer = case.answer.as_deref().map_or_else(|| "-".to_owned(), show);
            [look.name(&case.name), show(&case.input), answer]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let (names, inputs) = (width(0).unwrap_or_default(), width(1).unwrap_or_default());
    for [name, input, answer] in &rows {
        writeln!(out, "  {name:names$}  {input:inputs$}  {answer}")?;
    }
    Ok(())
}

/// The list for programs.
#[derive(Serialize)]
struct Listing<'a> {
    schema: &'static str,
    cases: Vec<Listed<'a>>,
    findings: &'a [Finding],
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    problem: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    solver: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: &'a str,
    input_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_path: Option<String>,
}

fn json(out: &mut impl Write, plan: &Plan, findings: &[Finding]) -> anyhow::Result<()> {
    let cases = plan
        .jobs
        .iter()
        .map(|&job| {
            let (problem, case) = (plan.problem(job), plan.case(job));
            Listed {
                name: &case.name,
                problem: &problem.name,
                solver: &problem.solver,
                group: &case.group,
                input_path: case.input.display().to_string(),
                expected_path: case.answer.as_ref().map(|path| path.display().to_string()),
            }
        })
        .collect();
    let listing = Listing { schema: "jury-list/1", cases, findings };
    serde_json::to_writer_pretty(&mut *out, &listing).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
