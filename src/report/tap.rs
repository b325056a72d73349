//! The Test Anything Protocol, version 13: one test point for each case, written as the run goes
//! on, with a YAML block below those that failed.

use std::fmt::Write as _;
use std::io;

use super::fault::{Fault, is_fault, name, what};
use super::{Place, Reporter};
use crate::model::{CaseResult, Plan, Report, Run, Status};

/// Writes one test point for each case.
pub struct TapReporter<P: Place> {
    place: io::BufWriter<P>,
    run: Run,
}

impl<P: Place> TapReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P) -> Self {
        Self { place: io::BufWriter::new(place), run: Run::default() }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        io::Write::write_all(&mut self.place, text.as_bytes())
    }

    fn fault(&mut self, fault: &Fault) -> io::Result<()> {
        let severity = if fault.status == Status::Error { "error" } else { "fail" };
        let file = fault.path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let mut yaml = format!(
            "  ---\n  message: {}\n  severity: {severity}\n  verdict: {}\n",
            scalar(&fault.what),
            fault.kind
        );
        if let Some(file) = file {
            let _ = writeln!(yaml, "  file: {}", scalar(&name(&file)));
        }
        if let Some(line) = fault.line {
            let _ = writeln!(yaml, "  line: {line}");
        }
        self.write(&(yaml + "  ...\n"))
    }
}

impl<P: Place> Reporter for TapReporter<P> {
    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        self.run = run.clone();
        self.write("TAP version 13\n")
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let job = plan.jobs[result.index];
        let (case, submission) = (plan.case(job), plan.submission(job));
        let bad = is_fault(result);
        let word = if bad { "not ok" } else { "ok" };
        let number = result.index + 1;
        let of = match submission.path {
            None => name(&case.name),
            Some(_) => format!("{} ({})", name(&case.name), name(&submission.name)),
        };
        let skip = if result.status == Status::Skip {
            format!(" # SKIP {}", description(&what(result)))
        } else {
            String::new()
        };
        self.write(&format!("{word} {number} - {}{}\n", description(&of), skip.trim_end()))?;
        if bad { self.fault(&Fault::new(&self.run, plan, result)) } else { Ok(()) }
    }

    /// The plan comes last, since a promise that no case breaks is a test point of its own.
    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        let mut points = plan.jobs.len();
        let mut last = String::new();
        for fault in Fault::of_run(plan, report) {
            let text = description(&fault.headline());
            if fault.kind == "interrupted" {
                last = format!("Bail out! {}\n", description(&fault.what));
            } else {
                points += 1;
                self.write(&format!("not ok {points} - {text}\n"))?;
                self.fault(&fault)?;
            }
        }
        self.write(&format!("1..{points}\n{last}"))?;
        io::Write::flush(&mut self.place)?;
        self.place.get_mut().complete()
    }
}

/// Text in which no `#` begins a directive.
fn description(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#")
}

/// A double-quoted YAML scalar: JSON is one, and nothing in it needs an escape that YAML lacks.
fn scalar(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
