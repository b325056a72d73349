//! Which checker judges the outputs: a comparison, or a program of the jury; the latter with its
//! protocol, a sandbox of its own, and what is said of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::GradeOptions;
use super::jury::{self, JuryProgram};
use super::open_sandbox;
use crate::check::Checker;
use crate::check::program::{self, Feed, ProgramChecker, Protocol};
use crate::cli::config::Config;
use crate::cli::error::{CommandError, print_note};
use crate::cli::run::checker as comparison;
use crate::execute::{Cores, Workers};
use crate::model::{Plan, TestCase};
use crate::report::{shell_path, shell_quoted};
use crate::sandbox;

/// A checker program as the command line names it: `FILE[,protocol=NAME][,full_score=N]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CheckerRequest {
    /// As it was typed.
    pub(super) text: String,
    /// The program.
    pub(super) path: PathBuf,
    protocol: Option<&'static Protocol>,
    full_score: Option<f64>,
}

/// Reads the value of `--checker`.
pub(super) fn parse_checker(text: &str) -> Result<CheckerRequest, String> {
    let mut request =
        CheckerRequest { text: text.into(), path: text.into(), protocol: None, full_score: None };
    while let Some((before, last)) = request.path.to_str().and_then(|path| path.rsplit_once(',')) {
        let Some((name, value)) = last.split_once('=') else { break };
        match name {
            "protocol" => request.protocol = Some(program::parse(value)?),
            "full_score" => {
                request.full_score = Some(crate::cli::config::parse_full_score(value)?);
            }
            _ => return Err(format!("expected protocol or full_score, found `{name}`")),
        }
        request.path = before.into();
    }
    if request.path.as_os_str().is_empty() {
        return Err("expected FILE[,protocol=NAME][,full_score=N]".into());
    }
    Ok(request)
}

/// How outputs are judged.
pub(super) enum Choice {
    /// By a built-in comparison.
    Comparison(Box<dyn Checker>),
    /// By a program of the jury.
    Program(Box<Chosen>),
}

/// A checker program that is not compiled yet.
pub(super) struct Chosen {
    program: JuryProgram,
    protocol: &'static Protocol,
    full_score: f64,
    passes: u32,
    /// Judges where the program is not built: where an interactor has judged already.
    unbuilt: Box<dyn Checker>,
}

/// The checker that the command line names, or the configuration, or the problem's folder: there
/// only a file that is a checker beyond doubt.
pub(super) fn choose(
    options: &GradeOptions,
    config: &Config,
    problem: Option<&Path>,
) -> Result<Choice, CommandError> {
    let table = &config.check;
    let compared = || comparison(options.compare.as_ref(), config).map(Choice::Comparison);
    let (path, request) = match &options.checker {
        Some(request) => (request.path.clone(), Some(request)),
        None if options.compare.is_some() => return compared(),
        None => match jury::configured(&table.program, config) {
            Some(path) => (path, None),
            None if config.compare.is_some() => return compared(),
            None => match problem.and_then(found) {
                Some(path) => (path, None),
                None => return compared(),
            },
        },
    };
    let program = JuryProgram::load("checker", &path, &table.program, config, problem)?;
    let asked = request.and_then(|request| request.protocol).or(table.protocol);
    let protocol = asked.or_else(|| spoken(&program)).ok_or_else(|| unknown_protocol(&path))?;
    let full_score = request.and_then(|request| request.full_score).or(table.full_score);
    let full_score = full_score.unwrap_or(protocol.full_score);
    let passes = jury::passes(options, table, protocol)?;
    let unbuilt = comparison(None, config)?;
    Ok(Choice::Program(Box::new(Chosen { program, protocol, full_score, passes, unbuilt })))
}

/// The protocol that a program speaks beyond doubt.
fn spoken(program: &JuryProgram) -> Option<&'static Protocol> {
    if program.includes(jury::TESTLIB) { program::parse("testlib").ok() } else { None }
}

fn unknown_protocol(path: &Path) -> CommandError {
    let known: Vec<&str> = program::ALL.iter().map(|protocol| protocol.name).collect();
    let path = shell_path(path);
    CommandError::usage(format!("nothing tells which protocol the checker {path} speaks")).hint(
        format!(
            "--checker {path},protocol=NAME, or `protocol` of [check] in jury.toml; known are {}",
            known.join(", ")
        ),
    )
}

/// Stems of the names that checkers have in a problem's folder.
const STEMS: [&str; 3] = ["check", "checker", "chk"];

/// Folders of output validators in problem packages: told, never used unasked.
const VALIDATORS: [&str; 2] = ["output_validator", "output_validators"];

/// The checker in a problem's folder, when there is one and no other, and it includes `testlib.h`.
/// What only looks like one is told.
fn found(problem: &Path) -> Option<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(problem)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_named(path))
        .collect();
    paths.extend(VALIDATORS.map(|name| problem.join(name)).into_iter().filter(|p| p.is_dir()));
    paths.sort();
    let sure = |path: &PathBuf| {
        fs::read(path).is_ok_and(|text| jury::included(&text).iter().any(|h| h == jury::TESTLIB))
    };
    if let [path] = &paths[..]
        && sure(path)
    {
        return Some(path.clone());
    }
    for path in paths {
        let path = shell_path(&path);
        print_note(&format!(
            "{path} is not used: outputs are compared; --checker {path},protocol=NAME uses it"
        ));
    }
    None
}

fn is_named(path: &Path) -> bool {
    let text =
        |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
    let extension = text(path.extension()).unwrap_or_default();
    let noise = ["", "md", "txt", "o", "exe", "class", "json", "toml", "yaml"];
    path.is_file()
        && text(path.file_stem()).is_some_and(|stem| STEMS.contains(&&*stem))
        && !noise.contains(&&*extension)
}

impl Choice {
    /// What the reports call it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Comparison(checker) => checker.name().to_owned(),
            Self::Program(chosen) => chosen.name(),
        }
    }

    /// What the first line says of it; nothing of a comparison.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Comparison(_) => String::new(),
            Self::Program(chosen) => chosen.name(),
        }
    }

    /// Equal for the same way to judge.
    pub(super) fn fingerprint(&self) -> String {
        match self {
            Self::Comparison(checker) => checker.name().to_owned(),
            Self::Program(chosen) => {
                let (full, passes) = (chosen.full_score, chosen.passes);
                format!("{} {full} {passes} {}", chosen.name(), chosen.program.fingerprint())
            }
        }
    }

    /// The lines that tell of it before a run: command and limits.
    pub(super) fn lines(&self) -> Vec<String> {
        match self {
            Self::Comparison(checker) => vec![format!("compare: {}", checker.name())],
            Self::Program(chosen) => chosen.lines(),
        }
    }

    /// The sandbox of a checker program; none for a comparison.
    pub(super) fn workers(
        &self,
        options: &GradeOptions,
        config: &Config,
        jobs: usize,
        plan: &Plan,
    ) -> Result<Option<Arc<Workers>>, CommandError> {
        match self {
            Self::Comparison(_) => Ok(None),
            Self::Program(_) => {
                let usual = sandbox::Options::default();
                let box_bytes = usual.box_bytes + most_bytes(plan);
                let first_user = usual.first_user - OTHER_USERS;
                let choices = sandbox::Options { first_user, box_bytes, ..usual };
                let sandbox = open_sandbox(options, config, jobs, choices)?;
                Ok(Some(Arc::new(Workers::new(sandbox, Cores::anywhere()))))
            }
        }
    }

    /// The checker program, compiled; none for a comparison.
    pub(super) fn build(
        &self,
        workers: Option<&Arc<Workers>>,
        cache: Option<&Path>,
    ) -> Result<Option<Arc<ProgramChecker>>, CommandError> {
        match (self, workers.zip(cache)) {
            (Self::Program(chosen), Some((workers, cache))) => {
                chosen.build(workers, cache).map(|built| Some(Arc::new(built)))
            }
            _ => Ok(None),
        }
    }

    /// What judges: the comparison, or the program that was built.
    pub(super) fn checker<'a>(&'a self, built: Option<&'a ProgramChecker>) -> &'a dyn Checker {
        match (self, built) {
            (_, Some(program)) => program,
            (Self::Comparison(checker), None) => checker.as_ref(),
            (Self::Program(chosen), None) => chosen.unbuilt.as_ref(),
        }
    }
}

/// How far below the users of submissions those of checkers are: a submission must not be able to
/// reach a checker that runs at the same time.
const OTHER_USERS: u32 = 4096;

/// Bytes of the files of one case and of the output, at most.
pub(super) fn most_bytes(plan: &Plan) -> u64 {
    let size = |path: &Path| path.metadata().map_or(0, |data| data.len());
    let given = |case: &TestCase| size(&case.input) + case.answer.as_deref().map_or(0, size);
    let cases = plan.problems.iter().flat_map(|problem| &problem.cases);
    let output = plan.jobs.iter().filter_map(|job| job.limits.output).max();
    cases.map(given).max().unwrap_or(0).saturating_add(output.unwrap_or(1 << 30))
}

impl Chosen {
    fn name(&self) -> String {
        format!("{} ({}{})", self.program.name, self.protocol.name, jury::told(self.passes))
    }

    fn lines(&self) -> Vec<String> {
        let limits = self.program.limits();
        let arguments = program::arguments(self.protocol, self.program.args(), self.full_score);
        let stdin = match self.protocol.stdin {
            Feed::Output => " < output",
            Feed::Nothing => "",
        };
        let words: Vec<String> = arguments.iter().map(|word| shell_quoted(word)).collect();
        vec![
            format!("checker: {}: {}", self.name(), self.program.language()),
            format!("  run: {} {}{stdin}", shell_quoted(&self.program.name), words.join(" ")),
            format!(
                "  time {:.3} s (cpu), wall {:.3} s, memory {} MiB, output {} MiB, processes {}, \
                 full score {}",
                limits.cpu.as_secs_f64(),
                limits.wall.as_secs_f64(),
                limits.memory >> 20,
                limits.output >> 20,
                limits.processes,
                self.full_score,
            ),
        ]
    }

    fn build(&self, workers: &Arc<Workers>, cache: &Path) -> Result<ProgramChecker, CommandError> {
        self.program.build(workers, cache, self.protocol, self.full_score, self.passes)
    }
}
