//! The JSON report: the whole model `jury-report/1` as one document, one result a line.

use std::io;

use serde::Serialize;

use super::head::{Config, Host, RunHead, SummaryTail, Tool, cases, problems, submissions};
use super::record::{Record, SCHEMA};
use super::submission::CompiledHead;
use super::{Place, Reporter, Timings};
use crate::model::{CaseResult, Compiled, Plan, Report, Run};

/// Writes the document as the run goes on.
pub struct JsonReporter<P: Place> {
    place: io::BufWriter<P>,
    timings: Timings,
    results: usize,
    compiled: Vec<Compiled>,
}

impl<P: Place> JsonReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, timings: Timings) -> Self {
        Self { place: io::BufWriter::new(place), timings, results: 0, compiled: Vec::new() }
    }

    fn member(&mut self, name: &str, value: &impl Serialize, end: &str) -> io::Result<()> {
        use io::Write as _;
        write!(self.place, "  \"{name}\": ")?;
        serde_json::to_writer(&mut self.place, value)?;
        writeln!(self.place, "{end}")
    }

    fn elements<T: Serialize>(&mut self, values: impl Iterator<Item = T>) -> io::Result<()> {
        for (index, value) in values.enumerate() {
            self.element(index, &value)?;
        }
        Ok(())
    }

    fn element(&mut self, index: usize, value: &impl Serialize) -> io::Result<()> {
        use io::Write as _;
        let separator = if index == 0 { "\n    " } else { ",\n    " };
        self.place.write_all(separator.as_bytes())?;
        Ok(serde_json::to_writer(&mut self.place, value)?)
    }
}

impl<P: Place> Reporter for JsonReporter<P> {
    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        use io::Write as _;
        writeln!(self.place, "{{")?;
        self.member("schema", &SCHEMA, ",")?;
        self.member("tool", &Tool::new(run), ",")?;
        self.member("run", &RunHead::new(run, self.timings), ",")?;
        self.member("host", &Host::new(run, self.timings), ",")?;
        self.member("config", &Config::new(run, plan), ",")?;
        self.member("problems", &problems(plan), ",")?;
        self.member("submissions", &submissions(plan), ",")?;
        write!(self.place, "  \"cases\": [")?;
        self.elements(cases(plan))?;
        write!(self.place, "\n  ],\n  \"results\": [")
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.results += 1;
        self.element(self.results - 1, &Record::new(plan, result, self.timings))
    }

    fn compiled(&mut self, _plan: &Plan, compiled: &Compiled) -> io::Result<()> {
        self.compiled.push(compiled.clone());
        Ok(())
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        use io::Write as _;
        writeln!(self.place, "\n  ],")?;
        if !self.compiled.is_empty() {
            let (compiled, timings) = (std::mem::take(&mut self.compiled), self.timings);
            write!(self.place, "  \"compiled\": [")?;
            self.elements(compiled.iter().map(|one| CompiledHead::new(plan, one, timings)))?;
            writeln!(self.place, "\n  ],")?;
        }
        if let Some(comparison) = report.comparison.as_ref().filter(|_| self.timings.measured()) {
            self.member("comparison", comparison, ",")?;
        }
        self.member("summary", &SummaryTail::new(report, self.timings), "")?;
        writeln!(self.place, "}}")?;
        self.place.flush()?;
        self.place.get_mut().complete()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Source, fixture, read};
    use super::*;
    use crate::model::{Change, Machine, Samples, SinceBase};

    fn report(results: &[CaseResult], timings: Timings) -> String {
        let plan = fixture::plan();
        let mut place = Vec::new();
        let mut reporter = JsonReporter::new(&mut place, timings);
        reporter.begin(&fixture::run(), &plan).unwrap();
        for compiled in fixture::compiled() {
            reporter.compiled(&plan, &compiled).unwrap();
        }
        for result in results {
            reporter.case(&plan, result).unwrap();
        }
        reporter.end(&plan, &fixture::report()).unwrap();
        drop(reporter);
        String::from_utf8(place).unwrap()
    }

    #[test]
    fn documents_follow_the_schema() {
        let schema = include_str!("../../docs/schema/jury-report-1.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        for timings in [Timings::Measured, Timings::None] {
            for results in [vec![], vec![fixture::accepted()], fixture::all()] {
                let document = serde_json::from_str(&report(&results, timings)).unwrap();
                let faults: Vec<String> =
                    schema.iter_errors(&document).map(|fault| fault.to_string()).collect();
                assert_eq!(faults, [] as [String; 0]);
            }
        }
    }

    #[test]
    fn a_run_with_a_baseline_follows_the_schema_and_is_read_back() {
        let since = SinceBase { change: Change::Same, base_cpu_ns: Some(7), cpu_ratio: Some(1.0) };
        let input = Some(blake3::hash(b"1").to_hex().to_string());
        let samples = Samples { cpu_ns: vec![5, 7], base_cpu_ns: vec![6, 8], input };
        let result = CaseResult {
            samples: Some(Box::new(samples)),
            change: Some(since),
            ..fixture::accepted()
        };
        let compared = super::super::comparison::tests::every_kind();
        let report = Report { comparison: Some(Box::new(compared.clone())), ..fixture::report() };
        let machine = Machine {
            kernel: "6.12".into(),
            governor: "powersave".into(),
            turbo: Some(true),
            memory_bytes: Some(1 << 33),
            calibration: Some(std::time::Duration::from_nanos(5_000_001)),
        };
        let commit = "0".repeat(40);
        let run = Run { machine, commit, interleaved: "old.c".into(), ..fixture::run() };
        let mut place = Vec::new();
        let mut reporter = JsonReporter::new(&mut place, Timings::Measured);
        reporter.begin(&run, &fixture::plan()).unwrap();
        let others = fixture::all().into_iter().filter(|one| one.index != result.index);
        for one in others.chain([result.clone()]) {
            reporter.case(&fixture::plan(), &one).unwrap();
        }
        reporter.end(&fixture::plan(), &report).unwrap();
        drop(reporter);
        let schema = include_str!("../../docs/schema/jury-report-1.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let document = serde_json::from_slice(&place).unwrap();
        let faults: Vec<String> =
            schema.iter_errors(&document).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, [] as [String; 0]);
        let source = Source { name: "a.json".into(), bytes: place };
        let past = read(&[source]).unwrap();
        assert!(past.results.contains(&result));
        assert_eq!(past.report.comparison.as_deref(), Some(&compared));
        assert_eq!((past.run.machine, past.run.commit), (run.machine, run.commit));
        assert_eq!(past.run.interleaved, run.interleaved);
    }

    #[test]
    fn without_timings_nothing_of_clock_or_machine_is_left() {
        let text = report(&fixture::all(), Timings::None);
        for word in ["_ns", "started_at", "cpu", "\"id\""] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
}
