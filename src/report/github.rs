//! Annotations of GitHub Actions: workflow commands that show a fault beside the file it is about.
//! GitHub keeps ten of each kind for a step, so the last one counts the rest.

use std::fmt::Write as _;
use std::io;

use super::fault::{Fault, Root, is_fault, name};
use super::text::count;
use super::{Place, Reporter};
use crate::model::{CaseResult, Plan, Report, Run, Verdict};

/// Annotations of one kind.
const MOST: usize = 10;

/// Writes annotations when the run is over.
pub struct GithubReporter<P> {
    place: P,
    root: Root,
    run: Run,
    errors: Kind,
    warnings: Kind,
}

/// Annotations of one kind: the first ones, and how many there are.
#[derive(Debug, Default)]
struct Kind {
    first: Vec<Fault>,
    all: usize,
}

impl Kind {
    fn add(&mut self, fault: impl FnOnce() -> Fault) {
        self.all += 1;
        if self.first.len() < MOST {
            self.first.push(fault());
        }
    }

    /// The lines; the last one counts what does not fit.
    fn lines(&self, command: &str, noun: &str, root: &Root) -> String {
        let whole = if self.all > MOST { MOST - 1 } else { self.first.len() };
        let mut lines: String =
            self.first.iter().take(whole).map(|fault| annotation(command, fault, root)).collect();
        if self.all > MOST {
            let more = count(self.all - whole, noun);
            let _ = writeln!(lines, "::{command} title=jury::{} more", data(&more));
        }
        lines
    }
}

impl<P: Place> GithubReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, root: Root) -> Self {
        let (errors, warnings) = (Kind::default(), Kind::default());
        Self { place, root, run: Run::default(), errors, warnings }
    }
}

/// Switches workflow commands off when the run starts, or on when it ends, so that no message of a
/// compiler that is printed for people between the two is taken for one.
pub struct Commands<P> {
    place: P,
    at_begin: String,
    at_end: String,
}

impl<P: Place> Commands<P> {
    /// Switches them off. Nobody who is judged may know the token.
    pub fn off(place: P, token: &str) -> Self {
        Self { place, at_begin: format!("::stop-commands::{token}\n"), at_end: String::new() }
    }

    /// Switches them on again.
    pub fn on(place: P, token: &str) -> Self {
        Self { place, at_begin: String::new(), at_end: format!("::{token}::\n") }
    }
}

impl<P: Place> Reporter for Commands<P> {
    fn begin(&mut self, _run: &Run, _plan: &Plan) -> io::Result<()> {
        self.place.write_all(self.at_begin.as_bytes())?;
        self.place.flush()
    }

    fn case(&mut self, _plan: &Plan, _result: &CaseResult) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        self.place.write_all(self.at_end.as_bytes())?;
        self.place.flush()
    }
}

impl<P: Place> Reporter for GithubReporter<P> {
    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        self.run = run.clone();
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let fault = || Fault::new(&self.run, plan, result);
        if is_fault(result) {
            self.errors.add(fault);
        } else if result.verdict == Verdict::NoAnswer {
            self.warnings.add(fault);
        }
        Ok(())
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        for fault in Fault::of_run(plan, report) {
            self.errors.add(|| fault);
        }
        let errors = self.errors.lines("error", "failure", &self.root);
        let warnings = self.warnings.lines("warning", "warning", &self.root);
        self.place.write_all(errors.as_bytes())?;
        self.place.write_all(warnings.as_bytes())?;
        self.place.complete()
    }
}

/// `::error file=F,line=3,title=WA x/1::line 3: ...`.
fn annotation(command: &str, fault: &Fault, root: &Root) -> String {
    let mut properties = Vec::new();
    if let Some(path) = &fault.path {
        properties.push(format!("file={}", property(&name(&root.relative(path)))));
    }
    properties.extend(fault.line.map(|line| format!("line={line}")));
    properties.push(format!("title={}", property(&fault.headline())));
    format!("::{command} {}::{}\n", properties.join(","), data(&fault.what))
}

/// Text behind the last `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn values_cannot_end_their_property_or_the_command() {
        assert_eq!(property("a%0A,b: c\r\n"), "a%250A%2Cb%3A c%0D%0A");
        assert_eq!(data("a,b: c%\n::error::"), "a,b: c%25%0A::error::");
    }

    #[test]
    fn the_last_annotation_of_a_kind_counts_the_rest() {
        let (plan, wrong) = (fixture::plan(), fixture::wrong());
        let lines = |number: usize| {
            let mut reporter = GithubReporter::new(Vec::new(), Root::default());
            for _ in 0..number {
                reporter.case(&plan, &wrong).unwrap();
            }
            reporter.end(&plan, &Report::default()).unwrap();
            String::from_utf8(reporter.place).unwrap()
        };
        assert_eq!(lines(10).lines().count(), 10);
        assert!(!lines(10).contains("more"));
        assert_eq!(lines(30).lines().count(), 10);
        assert!(lines(30).ends_with("::error title=jury::21 failures more\n"));
    }
}
