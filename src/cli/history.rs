//! `jury history`: a file with one line for each run, and what it tells.

use std::fs::File;
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::Exit;
use super::args::Arguments;
use super::compare::past;
use super::error::{CommandError, print_note};
use super::suite::{NameGlob, parse_glob};
use crate::history;
use crate::model::{HistoryEntry, HistorySubmission};
use crate::report::{Look, count, duration};

pub(super) const EXAMPLES: &str = "Examples:
  jury history add history.jsonl report.json
  jury history show history.jsonl
  jury history show history.jsonl --case '*max*'";

/// What is done with a history.
#[derive(Debug, Subcommand)]
pub(super) enum HistoryCommand {
    /// Append a line for each report
    #[command(after_help = EXAMPLES)]
    Add(AddOptions),
    /// Print the CPU times of all runs
    #[command(after_help = EXAMPLES)]
    Show(ShowOptions),
}

/// Options of `jury history add`.
#[derive(Debug, Args)]
pub(super) struct AddOptions {
    /// The history; made if it is not there
    pub(super) file: PathBuf,
    /// Reports in json or jsonl; a run that is in the history is not added again
    #[arg(required = true, value_name = "REPORT")]
    pub(super) reports: Vec<PathBuf>,
}

/// Options of `jury history show`.
#[derive(Debug, Args)]
pub(super) struct ShowOptions {
    /// The history
    pub(super) file: PathBuf,
    /// Only cases whose name (or its last part) matches; repeatable
    #[arg(long = "case", value_name = "GLOB", value_parser = parse_glob, allow_hyphen_values = true)]
    pub(super) cases: Vec<NameGlob>,
}

/// Runs the command.
pub(super) fn history(command: &HistoryCommand, arguments: &Arguments) -> anyhow::Result<Exit> {
    match command {
        HistoryCommand::Add(options) => add(options),
        HistoryCommand::Show(options) => show(options, arguments.display.look()),
    }
}

fn add(options: &AddOptions) -> anyhow::Result<Exit> {
    let mut new = Vec::new();
    for path in &options.reports {
        let past = past(path)?.past;
        new.push(history::entry(&past.run, &past.plan, &past.report, past.results.iter()));
    }
    let added = append(&options.file, new)?;
    let (runs, file) = (count(added, "run"), options.file.display());
    writeln!(anstream::stdout(), "{runs} added to {file}")?;
    Ok(Exit::Success)
}

/// Appends lines, one writer at a time, all in one piece, in the place of a line that was torn. Tells
/// how many runs were new.
fn append(path: &Path, new: Vec<HistoryEntry>) -> Result<usize, CommandError> {
    let failed =
        |error: io::Error| CommandError::usage(format!("cannot write {}: {error}", path.display()));
    let mut file =
        File::options().read(true).append(true).create(true).open(path).map_err(failed)?;
    file.lock().map_err(failed)?;
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text)).map_err(failed)?;
    let known = parse(path, &text)?;
    let mut lines = Vec::new();
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let torn = serde_json::from_slice::<HistoryEntry>(&text[whole..]).is_err();
    if !torn {
        lines.push(b'\n');
    }
    let mut ids: Vec<String> = known.into_iter().map(|entry| entry.id).collect();
    let mut added = 0;
    for entry in new {
        if !entry.id.is_empty() && ids.contains(&entry.id) {
            print_note(&format!("run {} is in {} already", entry.id, path.display()));
            continue;
        }
        let line = serde_json::to_vec(&entry).map_err(|error| failed(error.into()))?;
        lines.extend(line);
        lines.push(b'\n');
        ids.push(entry.id);
        added += 1;
    }
    if added > 0 && torn {
        file.set_len(whole as u64).map_err(failed)?;
    }
    if added > 0 {
        file.write_all(&lines).and_then(|()| file.sync_data()).map_err(failed)?;
    }
    Ok(added)
}

fn parse(path: &Path, text: &[u8]) -> Result<Vec<HistoryEntry>, CommandError> {
    history::read(text).map_err(|error| {
        CommandError::usage(format!("{}: {error}", path.display()))
            .hint("expected a file of `jury history add`")
    })
}

/// The runs of a history.
fn entries(path: &Path) -> Result<Vec<HistoryEntry>, CommandError> {
    let source = super::report::source(path)?;
    parse(path, &source.bytes)
}

/// What `--history` names; one that is not there yet is empty.
pub(super) fn earlier(path: Option<&Path>) -> Result<Arc<[HistoryEntry]>, CommandError> {
    let Some(path) = path else { return Ok(Arc::default()) };
    if !path.exists() {
        print_note(&format!("no history yet: {}", path.display()));
        return Ok(Arc::default());
    }
    Ok(entries(path)?.into())
}

/// The CPU time of one submission in one run.
struct Row<'a> {
    entry: &'a HistoryEntry,
    submission: &'a HistorySubmission,
    cases: usize,
    cpu_ns: u64,
}

fn show(options: &ShowOptions, look: Look) -> anyhow::Result<Exit> {
    let entries = entries(&options.file)?;
    let globs = &options.cases;
    let selected = |name: &str| globs.is_empty() || globs.iter().any(|glob| glob.matches(name));
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let mut names: Vec<(&str, &str)> = Vec::new();
    for submission in entries.iter().flat_map(|entry| &entry.submissions) {
        let name = (submission.problem.as_str(), submission.name.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort_by(|a, b| alphanumeric_sort::compare_str(a.0, b.0));
    let mut shown = false;
    for (problem, name) in names {
        let rows: Vec<Row> =
            entries.iter().filter_map(|entry| row(entry, problem, name, &selected)).collect();
        if !rows.is_empty() {
            shown = true;
            writeln!(out, "{}, {}", look.name(problem), look.name(name))?;
            table(&mut out, &rows, look)?;
        }
    }
    out.flush()?;
    if shown || globs.is_empty() {
        return Ok(Exit::Success);
    }
    let texts: Vec<String> = globs.iter().map(|glob| format!("'{}'", glob.text)).collect();
    let message = format!("no case of the history matches {}", texts.join(" or "));
    Err(CommandError::usage(message).exit(Exit::NothingSelected).into())
}

fn row<'a>(
    entry: &'a HistoryEntry,
    problem: &str,
    name: &str,
    selected: &impl Fn(&str) -> bool,
) -> Option<Row<'a>> {
    let mut all = entry.submissions.iter();
    let submission = all.find(|one| one.problem == problem && one.name == name)?;
    let cases = submission.medians_ns.iter().filter(|(case, _)| selected(case));
    let (cases, cpu_ns) =
        cases.fold((0, 0_u64), |(cases, sum), (_, ns)| (cases + 1, sum.saturating_add(*ns)));
    (cases > 0).then_some(Row { entry, submission, cases, cpu_ns })
}

/// The width of the longest bar.
const BAR: usize = 20;

/// One line a run: when, commit, cases, CPU time, its ratio to the run before, and a bar.
fn table(out: &mut impl Write, rows: &[Row], look: Look) -> io::Result<()> {
    let most = rows.iter().map(|row| row.cpu_ns).max().unwrap_or(1).max(1);
    let mut before: Option<&Row> = None;
    for row in rows {
        let day = row.entry.started_at.get(..16).unwrap_or("-").replace('T', " ");
        let commit = row.entry.commit.get(..7).unwrap_or("-");
        let time = duration(Duration::from_nanos(row.cpu_ns));
        let cases = count(row.cases, "case");
        let bar = "#".repeat((u128::from(row.cpu_ns) * BAR as u128 / u128::from(most)) as usize);
        let line = format!(
            "  {:16}  {:7}  {cases:>10}  {time:>10}  {:>12}  {bar}",
            look.name(&day),
            look.name(commit),
            ratio(before, row),
        );
        writeln!(out, "{}", line.trim_end())?;
        before = Some(row);
    }
    Ok(())
}

/// The ratio to the run before, if that was on the same machine and had the same cases.
fn ratio(before: Option<&Row>, row: &Row) -> String {
    let Some(before) = before else { return String::new() };
    if before.entry.host.cpu != row.entry.host.cpu {
        "other CPU".into()
    } else if !before.submission.medians_ns.keys().eq(row.submission.medians_ns.keys()) {
        "other cases".into()
    } else {
        format!("{:.2}", row.cpu_ns as f64 / before.cpu_ns.max(1) as f64)
    }
}
