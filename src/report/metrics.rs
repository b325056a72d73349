//! `OpenMetrics` text: how many cases of each submission ended how, and what they used. GitLab
//! compares the numbers of a merge request with those of its target.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use super::fault::name;
use super::{Place, Reporter, Timings};
use crate::model::{CaseResult, Plan, Report, Run, Status};

/// Writes the metrics when the run is over.
pub struct MetricsReporter<P> {
    place: P,
    timings: Timings,
    used: Vec<Used>,
}

/// What the cases of a submission used.
#[derive(Debug, Clone, Default)]
struct Used {
    cpu: Duration,
    slowest: Duration,
    memory: Option<u64>,
}

impl<P: Place> MetricsReporter<P> {
    /// Writes to `place`.
    pub fn new(place: P, timings: Timings) -> Self {
        Self { place, timings, used: Vec::new() }
    }

    fn text(&self, plan: &Plan, report: &Report) -> String {
        let labels: Vec<String> = plan.submissions.iter().map(|one| labels(plan, one)).collect();
        let mut text = cases(&labels, report);
        if self.timings == Timings::Measured {
            let seconds = |time: Duration| format!("{:.6}", time.as_secs_f64());
            let of = |what: &dyn Fn(&Used) -> Option<String>| -> Vec<Option<String>> {
                self.used.iter().map(what).collect()
            };
            let total = of(&|used| Some(seconds(used.cpu)));
            let slowest = of(&|used| Some(seconds(used.slowest)));
            let memory = of(&|used| used.memory.map(|bytes| bytes.to_string()));
            let unit = "seconds";
            text += &family("jury_cpu", unit, "CPU time of all cases.", &labels, &total);
            text += &family("jury_slowest_case", unit, "Greatest CPU time.", &labels, &slowest);
            text += &family("jury_peak_memory", "bytes", "Greatest memory.", &labels, &memory);
            let wall = [Some(seconds(report.wall))];
            text += &family("jury_run", unit, "Elapsed time of the run.", &[String::new()], &wall);
        }
        let interrupted = u8::from(report.summary.interrupted);
        let help = "Whether the run was stopped.";
        let _ = write!(text, "# TYPE jury_interrupted gauge\n# HELP jury_interrupted {help}\n");
        text + &format!("jury_interrupted {interrupted}\n# EOF\n")
    }
}

fn labels(plan: &Plan, submission: &crate::model::Submission) -> String {
    let problem = value(&name(&plan.problems[submission.problem].name));
    format!("problem=\"{problem}\",submission=\"{}\"", value(&name(&submission.name)))
}

/// The value of a label.
fn value(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn cases(labels: &[String], report: &Report) -> String {
    let mut text = "# TYPE jury_cases gauge\n# HELP jury_cases Cases by status.\n".to_owned();
    for (labels, submission) in labels.iter().zip(&report.submissions) {
        let counts = &submission.summary;
        let numbers = [
            (Status::Pass, counts.passed),
            (Status::Fail, counts.failed),
            (Status::Error, counts.errors),
            (Status::Skip, counts.skipped),
        ];
        for (status, number) in numbers {
            let _ = writeln!(text, "jury_cases{{{labels},status=\"{}\"}} {number}", status.word());
        }
    }
    text
}

/// One family of gauges with a unit.
fn family(
    name: &str,
    unit: &str,
    help: &str,
    labels: &[String],
    values: &[Option<String>],
) -> String {
    let name = format!("{name}_{unit}");
    let mut text = format!("# TYPE {name} gauge\n# UNIT {name} {unit}\n# HELP {name} {help}\n");
    for (labels, value) in labels.iter().zip(values) {
        let Some(value) = value else { continue };
        let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let _ = writeln!(text, "{name}{labels} {value}");
    }
    text
}

impl<P: Place> Reporter for MetricsReporter<P> {
    fn begin(&mut self, _run: &Run, plan: &Plan) -> io::Result<()> {
        self.used = vec![Used::default(); plan.submissions.len()];
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let used = &mut self.used[plan.jobs[result.index].submission];
        let cpu = result.times.map_or(Duration::ZERO, |times| times.cpu);
        used.cpu = used.cpu.saturating_add(cpu);
        used.slowest = used.slowest.max(cpu);
        let memory = result.ran.as_ref().and_then(|ran| ran.memory.as_ref());
        used.memory = used.memory.max(memory.map(|memory| memory.bytes));
        Ok(())
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        let text = self.text(plan, report);
        self.place.write_all(text.as_bytes())?;
        self.place.complete()
    }
}
