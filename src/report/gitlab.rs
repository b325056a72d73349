//! GitLab's code quality report: one JSON object for each fault, shown beside the changes of a
//! merge request.

use std::collections::HashMap;
use std::io;

use serde::Serialize;

use super::fault::{Fault, Root, is_fault};
use super::{Place, Reporter};
use crate::model::{CaseResult, Plan, Report, Run};

/// Writes the array as the run goes on.
pub struct GitlabReporter<P: Place> {
    place: io::BufWriter<P>,
    root: Root,
    run: Run,
    written: usize,
    /// How often a fingerprint was used, so that each is there once.
    used: HashMap<[u8; 32], usize>,
}

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u64,
}

impl<P: Place> GitlabReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, root: Root) -> Self {
        let (run, used) = (Run::default(), HashMap::new());
        Self { place: io::BufWriter::new(place), root, run, written: 0, used }
    }

    fn issue(&mut self, fault: &Fault) -> io::Result<()> {
        use io::Write as _;
        let path = fault.path.as_ref().map_or_else(|| ".".into(), |path| self.root.relative(path));
        let issue = Issue {
            description: format!("{}: {}", fault.headline(), fault.what),
            check_name: format!("jury/{}", fault.kind),
            fingerprint: self.fingerprint(fault, &path),
            severity: severity(fault.kind),
            location: Location { path: &path, lines: Lines { begin: fault.line.unwrap_or(1) } },
        };
        self.place.write_all(if self.written == 0 { b"[\n" } else { b",\n" })?;
        self.written += 1;
        Ok(serde_json::to_writer(&mut self.place, &issue)?)
    }

    /// The same for the same check, file and case, whatever the line: so that GitLab knows a fault
    /// again that has moved.
    fn fingerprint(&mut self, fault: &Fault, path: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [fault.kind, path, &fault.title] {
            hasher.update(part.as_bytes()).update(b"\0");
        }
        let hash = hasher.finalize();
        let times = self.used.entry(*hash.as_bytes()).or_default();
        *times += 1;
        let hash = hash.to_hex();
        if *times == 1 { hash.to_string() } else { format!("{hash}-{times}") }
    }
}

/// How bad GitLab shows it.
fn severity(kind: &str) -> &'static str {
    match kind {
        "JE" | "interrupted" => "blocker",
        "CE" => "critical",
        "NA" => "minor",
        _ => "major",
    }
}

impl<P: Place> Reporter for GitlabReporter<P> {
    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        self.run = run.clone();
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        if !is_fault(result) {
            return Ok(());
        }
        let fault = Fault::new(&self.run, plan, result);
        self.issue(&fault)
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        use io::Write as _;
        for fault in Fault::of_run(plan, report) {
            self.issue(&fault)?;
        }
        self.place.write_all(if self.written == 0 { b"[]\n" } else { b"\n]\n" })?;
        self.place.flush()?;
        self.place.get_mut().complete()
    }
}
