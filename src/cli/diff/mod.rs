//! `jury diff`: compares two files as the checkers do.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::Arguments;
use super::config;
use super::error::CommandError;
use super::{Exit, run};
use crate::check::{self, Checker};
use crate::model::{Judgement, TestCase, Verdict};

mod load;
mod print;

use load::Loaded;

/// Examples of the help text.
pub(super) const EXAMPLES: &str = "Examples:
  jury diff expected/1.out mine.out
  jury diff --compare icpc,float_tolerance=1e-6 1.ans mine.out
  ./solution < 1.in | jury diff --all 1.ans.gz -

Exit codes: 0 the output is right, 1 it is not, 2 usage, 3 the answer file does not fit.
The comparisons and their flags: docs/compare.md";

/// Options of `jury diff`.
#[derive(Debug, Args)]
pub(super) struct DiffOptions {
    /// The answer file; - is standard input, gzip files are unpacked
    pub(super) expected: PathBuf,
    /// The output to be judged; - is standard input, gzip files are unpacked
    pub(super) got: PathBuf,
    /// How they are compared: NAME[,FLAG[=VALUE]]...; repeatable
    #[arg(long, value_name = "NAME", env = "JURY_COMPARE")]
    pub(super) compare: Vec<String>,
    /// Show what every comparison says
    #[arg(long, conflicts_with = "compare")]
    pub(super) all: bool,
    /// How the result is printed
    #[arg(long, value_name = "HOW", default_value = "text")]
    pub(super) format: DiffFormat,
    /// Print nothing: the exit code says all
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// How the result is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// What one comparison says.
struct Said {
    compare: String,
    judgement: Judgement,
}

/// Runs the command.
pub(super) fn diff(options: &DiffOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    let checkers = checkers(options, arguments)?;
    if options.expected.as_os_str() == "-" && options.got.as_os_str() == "-" {
        return Err(CommandError::usage("standard input can be only one of the two files").into());
    }
    let expected = load::load(&options.expected)?;
    let mut got = load::load(&options.got)?;
    let case = TestCase {
        name: expected.name.clone(),
        group: String::new(),
        input: PathBuf::new(),
        answer: Some(expected.path.clone()),
        missing: None,
    };
    let said: Vec<Said> = checkers
        .iter()
        .map(|checker| judge(&**checker, &case, &expected, &mut got))
        .collect::<Result<_, CommandError>>()?;
    if !options.quiet {
        let text = print::text(options, &said, &got, arguments.display.look());
        io::stdout().lock().write_all(text.as_bytes())?;
    }
    Ok(exit(&said, options.all))
}

/// The comparisons that were asked for; else that of the configuration.
fn checkers(options: &DiffOptions, arguments: &Arguments) -> anyhow::Result<Vec<Box<dyn Checker>>> {
    let parse = |name: &str| check::parse(name).map_err(|error| run::unknown(&error));
    if options.all {
        return Ok(check::ALL.iter().map(|preset| parse(preset.name)).collect::<Result<_, _>>()?);
    }
    if options.compare.is_empty() {
        let config = config::load(arguments)?;
        return Ok(vec![run::checker(None, &config)?]);
    }
    Ok(options.compare.iter().map(|name| parse(name)).collect::<Result<_, _>>()?)
}

fn judge(
    checker: &dyn Checker,
    case: &TestCase,
    expected: &Loaded,
    got: &mut Loaded,
) -> Result<Said, CommandError> {
    let mut judgement = checker.check(case, &mut got.output).map_err(|error| {
        CommandError::usage(expected.renamed(&error.to_string())).exit(Exit::Failure)
    })?;
    judgement.message = expected.renamed(&judgement.message);
    Ok(Said { compare: checker.name().to_owned(), judgement })
}

/// One comparison decides; a table is a finding when any of them refuses the output.
fn exit(said: &[Said], all: bool) -> Exit {
    let any = |verdict| said.iter().any(|said| said.judgement.verdict == verdict);
    if any(Verdict::JudgeError) && !all {
        Exit::Failure
    } else if said.iter().all(|said| said.judgement.verdict == Verdict::Accepted) {
        Exit::Success
    } else {
        Exit::Findings
    }
}
