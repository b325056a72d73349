//! The page on submissions and cases.

use askama::Template;

use super::super::Look;
use super::super::matrix::caseless;
use super::baseline::Baseline;
use super::blocks::Blocks;
use super::compilation::{Build, builds};
use super::data::Data;
use super::head::{Allowed, Head, configuration, limits};
use super::kills::Kills;
use super::ladder::{Ladder, ladder};
use super::matrix::{Form, Matrix};
use super::table::Table;
use super::timing::{Sizes, Slow, Strips, sizes, slowest, strips};
use super::trend::{Trend, trends};

/// The style sheet and the script of both pages.
pub(super) const STYLE: &str = include_str!("../../../templates/report.css");
pub(super) const SCRIPT: &str = include_str!("../../../templates/report.js");

/// All that the page shows.
#[derive(Template)]
#[template(path = "report.html")]
pub(super) struct Page {
    head: Head,
    style: &'static str,
    script: &'static str,
    problems: bool,
    programs: bool,
    matrices: Vec<Matrix>,
    ladder: Option<Ladder>,
    broken: Vec<String>,
    blocks: Blocks,
    strips: Vec<Strips>,
    sizes: Vec<Sizes>,
    kills: Vec<Kills>,
    slowest: Vec<Slow>,
    baseline: Option<Baseline>,
    trends: Vec<Trend>,
    table: Table,
    builds: Vec<Build>,
    configuration: Vec<(&'static str, String)>,
    limits: Vec<Allowed>,
}

impl Page {
    /// The page of a finished run.
    pub(super) fn new(data: &Data) -> Self {
        let blocks = Blocks::new(data);
        let problems = data.plan.problems.len();
        let measured = data.is_measured();
        let all = || 0..problems;
        Self {
            head: Head::new(data),
            style: STYLE,
            script: SCRIPT,
            problems: problems > 1,
            programs: data.has_programs(),
            matrices: all().map(|problem| Matrix::new(data, problem, &blocks)).collect(),
            ladder: ladder(data),
            broken: broken(data),
            strips: if measured { strips(data) } else { Vec::new() },
            sizes: if measured { sizes(data) } else { Vec::new() },
            kills: all().filter_map(|problem| Kills::new(data, problem)).collect(),
            slowest: if measured { slowest(data) } else { Vec::new() },
            baseline: Baseline::new(data),
            trends: trends(data),
            table: Table::new(data, &blocks),
            builds: builds(data),
            configuration: configuration(data),
            limits: limits(data),
            blocks,
        }
    }
}

/// Promises that are broken without a case that shows it.
fn broken(data: &Data) -> Vec<String> {
    let pairs = data.report.submissions.iter().zip(&data.plan.submissions).enumerate();
    pairs
        .filter(|(_, (summary, of))| summary.kept(of) == Some(false))
        .filter_map(|(place, (summary, of))| {
            let why = caseless(of, summary, data.cells(place).count(), Look::default())?;
            Some(format!("{}: {why}", data.submission_name(place)))
        })
        .collect()
}
