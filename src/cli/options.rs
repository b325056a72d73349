//! Values of options, checked once.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::builder::FalseyValueParser;

use crate::sandbox::CgroupChoice;

/// How many cases run at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jobs {
    /// As many as there are cores.
    Auto,
    /// This many.
    Exactly(NonZeroUsize),
    /// As many as there are cores, less this many; at least one.
    AllBut(usize),
}

impl Jobs {
    /// The number on this machine.
    pub(super) fn number(self) -> usize {
        let cores = cores();
        match self {
            Self::Auto => cores,
            Self::Exactly(number) => number.get(),
            Self::AllBut(free) => cores.saturating_sub(free).max(1),
        }
    }
}

/// Cores that this process may use.
pub(super) fn cores() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The most cases at a time; more threads than that only fail to start.
const MOST_JOBS: usize = 1024;

/// A flag that a variable may set: all but an empty text, `0`, `false`, `no` and `off` set it.
pub(super) fn flag() -> FalseyValueParser {
    FalseyValueParser::new()
}

/// Reads `auto`, `none` or the folder of a control group.
pub(super) fn parse_cgroup(text: &str) -> Result<CgroupChoice, String> {
    match text {
        "auto" => Ok(CgroupChoice::Auto),
        "none" => Ok(CgroupChoice::Off),
        path if path.starts_with('/') => Ok(CgroupChoice::In(path.into())),
        _ => Err(format!("expected auto, none or the absolute path of a group, found `{text}`")),
    }
}

/// `4`, `-1` (all cores but one) or `auto`.
pub(super) fn parse_jobs(text: &str) -> Result<Jobs, String> {
    let wrong = || format!("expected a number from 1 to {MOST_JOBS}, -N or auto, found `{text}`");
    if text == "auto" {
        return Ok(Jobs::Auto);
    }
    if let Some(free) = text.strip_prefix('-') {
        return free.parse().map(Jobs::AllBut).map_err(|_| wrong());
    }
    match text.parse::<NonZeroUsize>() {
        Ok(number) if number.get() <= MOST_JOBS => Ok(Jobs::Exactly(number)),
        _ => Err(wrong()),
    }
}

/// The most runs of one case.
const MOST_RUNS: u32 = 10_000;

/// A number of runs.
pub(super) fn parse_runs(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(runs @ 1..=MOST_RUNS) => Ok(runs),
        _ => Err(format!("expected a number from 1 to {MOST_RUNS}, found `{text}`")),
    }
}

/// The formats of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportFormat {
    Csv,
    Json,
    JsonLines,
    Html,
    HtmlContest,
    Junit,
    Markdown,
    Github,
    Gitlab,
    GitlabMetrics,
    Tap,
}

impl ReportFormat {
    /// Every format.
    pub(super) const ALL: [Self; 11] = [
        Self::Csv,
        Self::Json,
        Self::JsonLines,
        Self::Html,
        Self::HtmlContest,
        Self::Junit,
        Self::Markdown,
        Self::Github,
        Self::Gitlab,
        Self::GitlabMetrics,
        Self::Tap,
    ];

    /// The name in `--report`, and the file that is written by default.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Csv => ("csv", "report.csv"),
            Self::Json => ("json", "report.json"),
            Self::JsonLines => ("jsonl", "report.jsonl"),
            Self::Html => ("html", "report.html"),
            Self::HtmlContest => ("html-contest", "contest.html"),
            Self::Junit => ("junit", "junit.xml"),
            Self::Markdown => ("md", "report.md"),
            Self::Github => ("github", "-"),
            Self::Gitlab => ("gitlab", "gl-code-quality-report.json"),
            Self::GitlabMetrics => ("gitlab-metrics", "metrics.txt"),
            Self::Tap => ("tap", "report.tap"),
        }
    }

    /// The name in `--report`.
    pub(super) fn name(self) -> &'static str {
        self.names().0
    }
}

/// A report that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportRequest {
    pub(super) format: ReportFormat,
    /// `-` is standard output.
    pub(super) path: PathBuf,
}

impl ReportRequest {
    /// The report that a plain run writes.
    pub(super) fn by_default() -> Self {
        Self { format: ReportFormat::Csv, path: "report.csv".into() }
    }

    /// Whether it goes to standard output.
    pub(super) fn is_stdout(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// Names of standard output among the system's files.
const STDOUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// `csv`, `json=FILE`, `jsonl=-`.
pub(super) fn parse_report(text: &str) -> Result<ReportRequest, String> {
    let (name, path) = text.split_once('=').map_or((text, None), |(name, path)| (name, Some(path)));
    let format = ReportFormat::ALL.into_iter().find(|format| format.name() == name);
    let names: Vec<_> = ReportFormat::ALL.iter().map(|format| format.name()).collect();
    let format = format
        .ok_or_else(|| format!("unknown format `{name}`, expected one of {}", names.join(", ")))?;
    match path {
        Some("") => Err(format!("no path behind `{name}=`")),
        Some(path) if STDOUT.contains(&path) => Ok(ReportRequest { format, path: "-".into() }),
        Some(path) => Ok(ReportRequest { format, path: path.into() }),
        None => Ok(ReportRequest { format, path: format.names().1.into() }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn jobs_are_a_number_a_remainder_or_auto() {
        assert_eq!(parse_jobs("auto"), Ok(Jobs::Auto));
        assert_eq!(parse_jobs("3"), Ok(Jobs::Exactly(NonZeroUsize::new(3).unwrap())));
        assert_eq!(parse_jobs("-1"), Ok(Jobs::AllBut(1)));
        assert_eq!(Jobs::AllBut(10_000).number(), 1);
        for wrong in ["0", "", "-", "x", "1.5", "1025", "99999999999999999999"] {
            assert!(parse_jobs(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_report_has_a_known_format_and_perhaps_a_path() {
        let request = parse_report("json=out/a=b.json").unwrap();
        assert_eq!(request.format, ReportFormat::Json);
        assert_eq!(request.path, PathBuf::from("out/a=b.json"));
        assert_eq!(parse_report("csv"), Ok(ReportRequest::by_default()));
        assert!(parse_report("jsonl=-").unwrap().is_stdout());
        assert!(parse_report("csv=/dev/stdout").unwrap().is_stdout());
        assert!(parse_report("csv=").is_err());
        assert!(parse_report("github").unwrap().is_stdout());
        let error = parse_report("xls").unwrap_err();
        assert!(error.starts_with("unknown format `xls`, expected one of csv, json, jsonl, "));
    }

    #[test]
    fn every_format_has_a_name_and_a_file_of_its_own() {
        let names: HashSet<_> = ReportFormat::ALL.iter().map(|format| format.names().0).collect();
        let files: HashSet<_> = ReportFormat::ALL.iter().map(|format| format.names().1).collect();
        assert_eq!((names.len(), files.len()), (ReportFormat::ALL.len(), ReportFormat::ALL.len()));
    }

    #[test]
    fn runs_are_bounded() {
        assert_eq!(parse_runs("5"), Ok(5));
        assert!(parse_runs("0").is_err());
        assert!(parse_runs("10001").is_err());
    }
}
