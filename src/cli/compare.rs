//! `jury compare`: the times of two runs beside each other.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};

use super::args::Arguments;
use super::error::CommandError;
use super::options::flag;
use super::report::source;
use super::run_reports::{FileId, file_id, place_of};
use super::{Exit, OnFindings};
use crate::atomic::AtomicFile;
use crate::baseline::{Base, Baseline, Source, Timed};
use crate::grade::Selected;
use crate::model::{Comparison, Report};
use crate::report::{self, ComparisonFormat, Look, Past, Timings, comparison};

pub(super) const EXAMPLES: &str = "Examples:
  jury compare base.json head.json
  jury compare base.json head.jsonl --strict --format text --format json=comparison.json
  jury compare interleaved.json --format md";

/// Options of `jury compare`.
#[derive(Debug, Args)]
pub(super) struct CompareOptions {
    /// The report of the earlier run, in json or jsonl; - is standard input
    pub(super) base: PathBuf,
    /// The report of the later run [default: BASE, if it was made with --interleave]
    pub(super) head: Option<PathBuf>,
    /// How the comparison is printed: text, json or md, to standard output or a file; repeatable
    #[arg(long = "format", value_name = "FORMAT[=PATH]", value_parser = parse_format,
          default_value = "text")]
    pub(super) formats: Vec<FormatRequest>,
    /// Fail, too, when the runs are not comparable
    #[arg(long)]
    pub(super) strict: bool,
    /// Exit with 0 even when a case is slower
    #[arg(long, env = "JURY_EXIT_ZERO",
          value_parser = flag(), action = ArgAction::SetTrue)]
    pub(super) exit_zero: bool,
}

/// A form in which the comparison was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FormatRequest {
    format: ComparisonFormat,
    /// None is standard output.
    path: Option<PathBuf>,
}

/// `text`, `json=FILE`, `md=-`.
fn parse_format(text: &str) -> Result<FormatRequest, String> {
    let (name, path) = text.split_once('=').map_or((text, None), |(name, path)| (name, Some(path)));
    let format = ComparisonFormat::ALL.into_iter().find(|(_, known)| *known == name);
    let (format, _) =
        format.ok_or_else(|| format!("unknown format `{name}`, expected one of text, json, md"))?;
    match path {
        Some("") => Err(format!("no path behind `{name}=`")),
        None | Some("-") => Ok(FormatRequest { format, path: None }),
        Some(path) => Ok(FormatRequest { format, path: Some(path.into()) }),
    }
}

/// Runs the command.
pub(super) fn compare(options: &CompareOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    refuse_two_stdins(options)?;
    refuse_places(options)?;
    let base = past(&options.base)?;
    let compared = match &options.head {
        Some(head) => two(&base, &past(head)?),
        None => one(&base)?,
    };
    for request in &options.formats {
        write(request, &compared, arguments.display.look())?;
    }
    let on_findings = if options.exit_zero { OnFindings::Zero } else { OnFindings::Tell };
    let refused = options.strict && !compared.is_comparable();
    let findings = compared.regressions() > 0 || refused;
    Ok(if findings { Exit::findings(on_findings) } else { Exit::Success })
}

fn refuse_two_stdins(options: &CompareOptions) -> Result<(), CommandError> {
    let stdin = Path::new("-");
    if options.base == stdin && options.head.as_deref() == Some(stdin) {
        return Err(CommandError::usage("BASE and HEAD are both standard input"));
    }
    Ok(())
}

/// No comparison takes the place of another one, or of a report that it reads.
fn refuse_places(options: &CompareOptions) -> Result<(), CommandError> {
    let read = [Some(&options.base), options.head.as_ref()].into_iter().flatten();
    let read: Vec<FileId> = read.filter_map(|path| file_id(path)).collect();
    let mut seen = HashSet::new();
    for request in &options.formats {
        let Some(path) = &request.path else {
            if seen.insert(PathBuf::from("-")) {
                continue;
            }
            return Err(CommandError::usage("two comparisons go to standard output"));
        };
        if file_id(path).is_some_and(|id| read.contains(&id)) {
            let message = format!("{} is a file that is compared", path.display());
            return Err(CommandError::usage(message).hint("name another file"));
        }
        if !seen.insert(place_of(path)) {
            return Err(CommandError::usage(format!("two comparisons go to {}", path.display())));
        }
    }
    Ok(())
}

/// A report with times, and the name by which messages call it.
pub(super) struct Named {
    name: String,
    pub(super) past: Past,
}

/// Reads a report that is to be compared.
pub(super) fn past(path: &Path) -> Result<Named, CommandError> {
    let source = source(path)?;
    let name = source.name.clone();
    let past = report::read(&[source])
        .map_err(|error| CommandError::usage(error.to_string()).hint(error.hint()))?;
    if past.timings == Timings::None {
        return Err(CommandError::usage(format!("{name} has no times"))
            .hint("it was made with --timings none"));
    }
    Ok(Named { name, past })
}

impl Named {
    fn source(&self) -> Source {
        let partial = self.past.report.summary.interrupted;
        Source { partial, ..Source::new(&self.name, &self.past.run) }
    }

    /// The cases in the order of the plan.
    fn timed(&self) -> Vec<Timed> {
        let mut results: Vec<_> = self.past.results.iter().collect();
        results.sort_by_key(|result| result.index);
        results.into_iter().map(|result| Timed::of(&self.past.plan, result)).collect()
    }

    /// What later runs are compared with.
    pub(super) fn base(&self) -> Base {
        Base::new(self.source(), self.timed())
    }
}

/// Whether a base program runs alternately with the submissions.
#[derive(Clone, Copy)]
pub(super) struct Interleaved(pub(super) bool);

/// What `--baseline` names, or the base program.
pub(super) fn baseline(
    path: Option<&Path>,
    interleaved: Interleaved,
) -> Result<Option<Baseline>, CommandError> {
    match path {
        Some(path) => Ok(Some(Baseline::Past(Box::new(past(path)?.base())))),
        None => Ok(interleaved.0.then_some(Baseline::Interleaved)),
    }
}

/// Whether only some of the cases were asked for.
pub(super) fn selected<T>(filters: impl IntoIterator<Item = T>) -> Selected {
    if filters.into_iter().next().is_some() { Selected::Some } else { Selected::All }
}

/// Shows a run beside its baseline, if it has one: with `-q` only the last line, with more nothing.
pub(super) fn show(
    mut out: impl Write,
    report: &Report,
    look: Look,
    quiet: u8,
) -> anyhow::Result<()> {
    let Some(compared) = report.comparison.as_deref().filter(|_| quiet < 2) else { return Ok(()) };
    let mut text = Vec::new();
    comparison(&mut text, compared, ComparisonFormat::Text, look)?;
    let last =
        || text.trim_ascii_end().iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let from = if quiet == 1 { last() } else { 0 };
    // A reader who has left has seen enough.
    match out.write_all(&text[from..]).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn two(base: &Named, head: &Named) -> Comparison {
    base.base().compare(&head.source(), &head.timed())
}

/// The base program and the submissions of one run.
fn one(run: &Named) -> Result<Comparison, CommandError> {
    let plan = &run.past.plan;
    if run.past.run.interleaved.is_empty() {
        let message = format!("{} has no base program, so a second report is needed", run.name);
        return Err(CommandError::usage(message)
            .hint("jury compare BASE HEAD, or make the report with jury grade --interleave"));
    }
    let base = run.past.results.iter().map(|result| Timed::of_base(plan, result));
    let base = Base::new(Source::new(&run.past.run.interleaved, &run.past.run), base.collect());
    Ok(base.compare(&Source::beside_base(&run.past.run, plan), &run.timed()))
}

fn write(request: &FormatRequest, compared: &Comparison, look: Look) -> anyhow::Result<()> {
    let Some(path) = &request.path else {
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        comparison(&mut out, compared, request.format, look)?;
        return Ok(out.flush()?);
    };
    let fault = |error: io::Error, exit| {
        CommandError::usage(format!("cannot write {}: {error}", path.display())).exit(exit)
    };
    let mut file = AtomicFile::create(path).map_err(|error| fault(error, Exit::Usage))?;
    comparison(&mut file, compared, request.format, look)
        .and_then(|()| file.commit())
        .map_err(|error| fault(error, Exit::Failure).into())
}
