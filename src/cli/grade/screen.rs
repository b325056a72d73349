//! What is shown of a run of submissions, and the reports that are written.

use std::path::Path;

use super::args::GradeOptions;
use super::target::problem_folder;
use crate::cli::error::CommandError;
use crate::cli::options::ReportRequest;
use crate::cli::run_reports::{
    NoReport, People, open_reports, output, progress, refuse_suite_files, requests, verbosity,
};
use crate::cli::screen::Display;
use crate::grade::{Named, WhenLeft};
use crate::model::Plan;
use crate::report::{Cases, Matrix, MatrixOptions, MatrixRerun as Rerun, RerunBy, shell_quoted};

/// Opens every report and sets up the terminal.
pub(super) fn open<'a>(
    options: &GradeOptions,
    display: &Display,
    plan: &Plan,
) -> Result<Vec<Named<'a>>, CommandError> {
    let requests = requests(&options.reports, NoReport(options.no_report));
    refuse_suite_files(&requests, plan)?;
    let mut reporters = open_reports(&requests, options.timings)?;
    let matrix = matrix(options, display, &requests);
    let (progress, bar) = progress(options.progress.resolved(), matrix.verbosity, matrix.look);
    let People { out, name, when_left } = output(&requests);
    let matrix = Box::new(Matrix::new(out, matrix, bar));
    let when = WhenLeft::GoOn;
    reporters.push(Named { name: "progress".into(), when_left: when, reporter: progress });
    reporters.push(Named { name: name.into(), when_left, reporter: matrix });
    Ok(reporters)
}

fn matrix(options: &GradeOptions, display: &Display, requests: &[ReportRequest]) -> MatrixOptions {
    MatrixOptions {
        look: display.look(),
        verbosity: verbosity(options.quiet, options.verbose),
        width: width(),
        rerun: Rerun {
            command: rerun(options),
            by: if is_named(options) { RerunBy::Path } else { RerunBy::Name },
        },
        reports: requests.iter().map(|report| report.path.display().to_string()).collect(),
        cases: if options.all_cases { Cases::All } else { Cases::ToFirstFailure },
    }
}

/// Whether the submissions stand on the command line.
fn is_named(options: &GradeOptions) -> bool {
    options.targets.len() > usize::from(options.input.is_none())
}

/// The width of the terminal: `COLUMNS`, or what the terminal says; none when there is none.
fn width() -> Option<usize> {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    told.or_else(|| {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
    })
}

/// The command that runs the same problem in the same way, without submission and case.
fn rerun(options: &GradeOptions) -> String {
    let mut words = vec!["jury grade".to_owned()];
    let path = |path: &Path| shell_quoted(&path.display().to_string());
    if let (Some(input), Some(expected)) = (&options.input, &options.expected) {
        words.push(format!("--input {} --expected {}", path(input), path(expected)));
    }
    words.extend(problem_folder(options).map(path));
    if let Some(compare) = &options.compare {
        words.push(format!("--compare {}", shell_quoted(compare)));
    }
    if let Some(time) = options.limits.time {
        words.push(format!("--time {}", time.as_secs_f64()));
    }
    if let Some(memory) = options.limits.memory {
        words.push(format!("--memory {}", memory as f64 / f64::from(1 << 20)));
    }
    words.join(" ")
}
