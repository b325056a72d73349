//! How far the run is: a bar on a terminal, sparse lines without one. The only reporters that
//! look at a clock, because people do.

use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::narrow::NarrowTerminal;
use super::text::{Look, seconds};
use super::{Order, Reporter};
use crate::model::{CaseResult, Plan, Report, Run, Status};

/// One bar that vanishes at the end:
/// `[######>....] 13/24  ali-baba/07-spiral  0.0 s  eta 0.0 s`.
pub struct Bar {
    shown: ProgressBar,
    look: Look,
    failed: usize,
    /// The case that was finished last.
    name: String,
    started: Instant,
    on_stop: OnStop,
}

impl Bar {
    /// A bar on standard error.
    #[must_use]
    pub fn new(look: Look) -> Self {
        let target = if io::stderr().is_terminal() {
            ProgressDrawTarget::term_like_with_hz(Box::new(NarrowTerminal), 20)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let template = "[{bar:12}] {pos}/{len}  {msg}";
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("#>.");
        bar.set_style(style);
        let (name, started) = (String::new(), Instant::now());
        Self { shown: bar, look, failed: 0, name, started, on_stop: OnStop::Finish }
    }

    /// The bar itself, for those who print while it is shown.
    #[must_use]
    pub fn handle(&self) -> ProgressBar {
        self.shown.clone()
    }

    /// `ali-baba/07-spiral  1 failed  660/s  0.95 s  eta 0.13 s`, in the columns that there are.
    fn say(&self, plan: &Plan) {
        let failed =
            if self.failed == 0 { String::new() } else { format!("{} failed  ", self.failed) };
        let (elapsed, eta) = (self.started.elapsed(), self.shown.eta());
        let rate = rate(self.shown.position(), elapsed);
        let rest = format!("  {failed}{rate}{}  eta {}", seconds(elapsed), seconds(eta));
        let counts = 2 * plan.jobs.len().to_string().len() + 1;
        let taken = "[######>.....]   ".len() + counts + rest.len();
        let room = usize::from(NarrowTerminal::columns()).saturating_sub(taken);
        self.shown.set_message(format!("{}{rest}", shortened(&self.name, room)));
    }
}

impl Reporter for Bar {
    fn order(&self) -> Order {
        Order::Completion
    }

    fn begin(&mut self, run: &Run, plan: &Plan) -> io::Result<()> {
        self.on_stop = OnStop::of(run);
        self.started = Instant::now();
        self.shown.set_length(plan.jobs.len() as u64);
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.failed += usize::from(matches!(result.status, Status::Fail | Status::Error));
        self.shown.inc(1);
        self.name = self.look.name(&plan.case(plan.jobs[result.index]).name);
        self.say(plan);
        Ok(())
    }

    fn tick(&mut self, plan: &Plan) -> io::Result<()> {
        self.say(plan);
        Ok(())
    }

    fn stopping(&mut self, running: usize) -> io::Result<()> {
        self.shown.suspend(|| self.on_stop.say(&mut io::stderr(), running))
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        self.shown.finish_and_clear();
        Ok(())
    }
}

/// What a stop does to the cases under way: programs are ended, built-in solvers cannot be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum OnStop {
    #[default]
    Finish,
    End,
}

impl OnStop {
    fn of(run: &Run) -> Self {
        if run.sandbox.is_empty() { Self::Finish } else { Self::End }
    }

    fn say(self, out: &mut dyn Write, running: usize) -> io::Result<()> {
        let what = match self {
            Self::Finish => format!("{running} running to their end"),
            Self::End => format!("{running} running ones ended"),
        };
        writeln!(out, "stopping: no new runs, {what} (press again to quit at once)")
    }
}

/// `660/s  `, `12.5/min  `; nothing in the first second, when it says little.
fn rate(done: u64, elapsed: Duration) -> String {
    let each_second = done as f64 / elapsed.as_secs_f64().max(1e-9);
    match each_second {
        _ if elapsed < QUIET || done == 0 => String::new(),
        rate if rate >= 10.0 => format!("{rate:.0}/s  "),
        rate if rate >= 1.0 => format!("{rate:.1}/s  "),
        rate => format!("{:.1}/min  ", 60.0 * rate),
    }
}

/// The end of a name, in so many columns.
fn shortened(name: &str, columns: usize) -> String {
    let length = name.chars().count();
    if length <= columns {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length - columns.saturating_sub(2)).collect();
    format!("..{end}")
}

/// A run shorter than this prints no progress lines: it is over before anyone reads them.
const QUIET: Duration = Duration::from_secs(1);

/// The longest time between two lines.
const LONGEST: Duration = Duration::from_secs(30);

/// A line at each fifth of the cases, and at least each 30 s:
/// `  480/2400  20 %    0 failed   1.1 s`.
pub struct Lines<W> {
    out: W,
    done: usize,
    failed: usize,
    fifth: usize,
    started: Instant,
    last: Instant,
    on_stop: OnStop,
}

impl<W: Write> Lines<W> {
    /// Lines on this writer.
    pub fn new(out: W) -> Self {
        let now = Instant::now();
        Self { out, done: 0, failed: 0, fifth: 0, started: now, last: now, on_stop: OnStop::Finish }
    }

    fn line(&mut self, plan: &Plan) -> io::Result<()> {
        self.last = Instant::now();
        let (planned, done, failed) = (plan.jobs.len(), self.done, self.failed);
        let width = planned.to_string().len();
        let percent = done * 100 / planned.max(1);
        let elapsed = seconds(self.started.elapsed());
        writeln!(
            self.out,
            " {done:>width$}/{planned}  {percent:>2} %  {failed:>3} failed   {elapsed}"
        )?;
        self.out.flush()
    }
}

impl<W: Write> Reporter for Lines<W> {
    fn order(&self) -> Order {
        Order::Completion
    }

    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        self.on_stop = OnStop::of(run);
        self.started = Instant::now();
        self.last = self.started;
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        self.done += 1;
        self.failed += usize::from(matches!(result.status, Status::Fail | Status::Error));
        let fifth = self.done * 5 / plan.jobs.len().max(1);
        let step = fifth > self.fifth && fifth < 5;
        self.fifth = fifth;
        if step && self.started.elapsed() >= QUIET { self.line(plan) } else { Ok(()) }
    }

    fn tick(&mut self, plan: &Plan) -> io::Result<()> {
        if self.last.elapsed() >= LONGEST { self.line(plan) } else { Ok(()) }
    }

    fn stopping(&mut self, running: usize) -> io::Result<()> {
        self.on_stop.say(&mut self.out, running)
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        Ok(())
    }
}

/// Says nothing of the progress, only that a stop has begun.
pub struct Silent<W>(W, OnStop);

impl<W: Write> Silent<W> {
    /// Speaks on this writer.
    pub fn new(out: W) -> Self {
        Self(out, OnStop::Finish)
    }
}

impl<W: Write> Reporter for Silent<W> {
    fn order(&self) -> Order {
        Order::Completion
    }

    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        self.1 = OnStop::of(run);
        Ok(())
    }

    fn case(&mut self, _plan: &Plan, _result: &CaseResult) -> io::Result<()> {
        Ok(())
    }

    fn stopping(&mut self, running: usize) -> io::Result<()> {
        self.1.say(&mut self.0, running)
    }

    fn end(&mut self, _plan: &Plan, _report: &Report) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn lines(elapsed: Duration) -> String {
        let (plan, results) = (fixture::plan(), fixture::all());
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        lines.begin(&fixture::run(), &plan).unwrap();
        lines.started -= elapsed;
        for result in &results {
            lines.case(&plan, result).unwrap();
        }
        lines.tick(&plan).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(shortened("jsoi-game/01", 12), "jsoi-game/01");
        assert_eq!(shortened("jsoi-game/01", 10), "..-game/01");
        assert_eq!(shortened("jsoi-game/01", 1), "..");
    }

    #[test]
    fn the_rate_is_told_in_the_unit_that_fits() {
        let rate = |done, seconds| rate(done, Duration::from_secs(seconds));
        assert_eq!([rate(660, 1), rate(5, 2), rate(1, 4)], ["660/s  ", "2.5/s  ", "15.0/min  "]);
        assert_eq!([rate(660, 0), rate(0, 9)], ["", ""]);
    }

    #[test]
    fn a_short_run_prints_no_lines() {
        assert_eq!(lines(Duration::ZERO), "");
    }

    #[test]
    fn a_longer_run_prints_a_line_at_each_fifth_of_its_cases() {
        let text = lines(Duration::from_millis(2040));
        assert_eq!(
            text,
            " 2/7  28 %    1 failed   2.0 s\n 3/7  42 %    2 failed   2.0 s\n \
             5/7  71 %    3 failed   2.0 s\n 6/7  85 %    4 failed   2.0 s\n"
        );
    }

    #[test]
    fn a_long_case_does_not_silence_the_lines() {
        let plan = fixture::plan();
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        lines.begin(&fixture::run(), &plan).unwrap();
        lines.last -= LONGEST;
        lines.tick(&plan).unwrap();
        lines.tick(&plan).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), " 0/7   0 %    0 failed   0.00 s\n");
    }
}
