//! The CPU time of each submission from run to run, of a history and this run.

use std::fmt::Write as _;
use std::time::Duration;

use super::super::text::{count, duration};
use super::charts::{escape, time_label};
use super::data::{Data, clean, shown};
use crate::history;
use crate::model::HistoryEntry;

/// The chart of one submission.
pub(super) struct Trend {
    pub(super) name: String,
    pub(super) cases: String,
    pub(super) svg: String,
}

/// Charts on a page, and the last runs that each shows.
const MOST: usize = 24;
const RUNS: usize = 100;

/// One chart for each submission that was in an earlier run.
pub(super) fn trends(data: &Data) -> Vec<Trend> {
    if data.run.history.is_empty() || !data.is_measured() {
        return Vec::new();
    }
    let results = data.results.iter().flatten();
    let now = history::entry(data.run, data.plan, data.report, results);
    let earlier = data.run.history.iter().filter(|entry| entry.id != now.id).cloned();
    let mut entries: Vec<HistoryEntry> = earlier.collect();
    entries.push(now);
    let submissions = data.plan.submissions.iter().enumerate();
    let charts = submissions.filter_map(|(place, submission)| {
        let problem = &data.plan.problems[submission.problem].name;
        let (cases, mut runs) = history::trend(&entries, problem, &submission.name);
        runs.drain(..runs.len().saturating_sub(RUNS));
        let named = if data.has_programs() {
            format!("{}, {}", shown(problem), data.submission_name(place))
        } else {
            shown(problem)
        };
        (runs.len() > 1).then(|| Trend {
            svg: chart(&runs, &named),
            name: named,
            cases: count(cases, "case"),
        })
    });
    charts.take(MOST).collect()
}

/// Pixels of the chart, and of its margins.
const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 170.0;
const LEFT: f64 = 56.0;
const BELOW: f64 = 24.0;
const ROOM: f64 = 12.0;

/// Times from zero upwards, one dot a run; a line across where the processor is another one.
fn chart(runs: &[(&HistoryEntry, u64)], name: &str) -> String {
    let most = runs.iter().map(|(_, ns)| *ns).max().unwrap_or(1).max(1) as f64;
    let step = step(most);
    let top = (most / step).ceil() * step;
    let at = |place: usize, ns: f64| {
        let share = place as f64 / (runs.len() - 1).max(1) as f64;
        let x = LEFT + share * (WIDTH - LEFT - ROOM);
        (x.round(), (HEIGHT - BELOW - ns / top * (HEIGHT - BELOW - ROOM)).round())
    };
    let label = escape(&format!("CPU time of {name} in {}", count(runs.len(), "run")));
    let mut svg = format!(
        r#"<svg class="trend" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{label}">"#
    );
    grid(&mut svg, step, top, |ns| at(0, ns).1);
    days(&mut svg, runs);
    for (place, pair) in runs.windows(2).enumerate() {
        if pair[0].0.host.cpu != pair[1].0.host.cpu {
            let x = f64::midpoint(at(place, 0.0).0, at(place + 1, 0.0).0).round();
            let bottom = HEIGHT - BELOW;
            let _ =
                write!(svg, r#"<line class="fit" x1="{x}" x2="{x}" y1="{ROOM}" y2="{bottom}"/>"#);
        }
    }
    let points: Vec<String> = runs
        .iter()
        .enumerate()
        .map(|(place, (_, ns))| {
            let (x, y) = at(place, *ns as f64);
            format!("{x},{y}")
        })
        .collect();
    let _ = write!(svg, r#"<polyline class="trend" points="{}"/>"#, points.join(" "));
    for (place, (entry, ns)) in runs.iter().enumerate() {
        let (x, y) = at(place, *ns as f64);
        let title = escape(&title(entry, *ns));
        let _ = write!(svg, r#"<circle cx="{x}" cy="{y}" r="4"><title>{title}</title></circle>"#);
    }
    svg + "</svg>"
}

fn grid(svg: &mut String, step: f64, top: f64, place: impl Fn(f64) -> f64) {
    let mut tick = 0.0;
    while tick <= top + step / 2.0 {
        let (y, x, end) = (place(tick), LEFT - 6.0, WIDTH - ROOM);
        let label = if tick > 0.0 { time_label(tick / 1e9) } else { "0".into() };
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{LEFT}" x2="{end}" y1="{y}" y2="{y}"/><text class="tick" x="{x}" y="{}" style="text-anchor:end">{label}</text>"#,
            y + 4.0
        );
        tick += step;
    }
}

/// The days of the first and the last run.
fn days(svg: &mut String, runs: &[(&HistoryEntry, u64)]) {
    let ends = [(runs.first(), LEFT, "start"), (runs.last(), WIDTH - ROOM, "end")];
    for (run, x, anchor) in ends {
        let day = run.and_then(|(entry, _)| entry.started_at.get(..10)).unwrap_or_default();
        let (y, day) = (HEIGHT - 6.0, escape(&clean(day)));
        let _ = write!(
            svg,
            r#"<text class="tick" x="{x}" y="{y}" style="text-anchor:{anchor}">{day}</text>"#
        );
    }
}

/// `2026-11-29T12:00:00Z e4f5a6b: 41.0 ms, Fast CPU`.
fn title(entry: &HistoryEntry, ns: u64) -> String {
    let commit = entry.commit.get(..7).unwrap_or_default();
    let time = duration(Duration::from_nanos(ns));
    let words = [entry.started_at.as_str(), commit].map(clean).join(" ");
    format!("{}: {time}, {}", words.trim(), clean(&entry.host.cpu))
}

/// A round step that divides up to this number into two to five parts.
fn step(most: f64) -> f64 {
    let power = 10.0_f64.powf(most.log10().floor());
    let parts = [0.2, 0.5, 1.0, 2.0, 5.0].map(|part| part * power);
    parts.into_iter().find(|step| most / step <= 5.0).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::HistoryHost;

    #[test]
    fn steps_are_round_and_few() {
        for (most, expected) in [(1.0, 0.2), (1.2, 0.5), (3.0, 1.0), (9.0, 2.0), (41e6, 10e6)] {
            assert!((step(most) / expected - 1.0).abs() < 1e-9, "{most}: {}", step(most));
        }
    }

    #[test]
    fn a_chart_has_a_dot_for_each_run_and_a_line_where_the_processor_changes() {
        let entry = |day: &str, cpu: &str| HistoryEntry {
            started_at: format!("{day}T12:00:00Z"),
            commit: "\"><script>".into(),
            host: HistoryHost { cpu: cpu.into(), ..HistoryHost::default() },
            ..HistoryEntry::default()
        };
        let runs = [entry("2026-11-01", "a"), entry("2026-11-02", "a"), entry("2026-11-03", "b")];
        let runs: Vec<_> = runs.iter().zip([40_000_000, 41_000_000, 20_000_000]).collect();
        let svg = chart(&runs, "x<y");
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("class=\"fit\"").count(), 1);
        assert!(!svg.contains("<script>") && svg.contains("CPU time of x&lt;y in 3 runs"), "{svg}");
        assert!(svg.contains(">2026-11-01<") && svg.contains(">2026-11-03<"), "{svg}");
    }
}
