//! The interactor of a problem: the program of the jury that submissions talk to.

use std::path::Path;
use std::sync::Arc;

use super::args::GradeOptions;
use super::checker::Choice;
use super::jury::{self, JuryProgram};
use crate::check::program::{self, Protocol};
use crate::cli::config::{Config, FilesTable};
use crate::cli::error::CommandError;
use crate::execute::{Executor, Interactive, Interactor, Start, Workers};
use crate::report::{shell_path, shell_quoted};

/// The protocols that interactors speak.
const SPOKEN: [&str; 3] = ["kattis", "icpc", "testlib"];

/// An interactor that is not compiled yet.
pub(super) struct Chosen {
    program: JuryProgram,
    protocol: &'static Protocol,
    full_score: f64,
    passes: u32,
    /// Whether a checker judges what it writes.
    checked: bool,
    transcript: bool,
}

/// The interactor that the configuration names.
pub(super) fn choose(
    options: &GradeOptions,
    config: &Config,
    problem: Option<&Path>,
    choice: &Choice,
) -> Result<Option<Chosen>, CommandError> {
    let table = &config.interactor;
    let Some(path) = jury::configured(&table.program, config) else {
        return Ok(None);
    };
    if config.files != FilesTable::default() {
        let message = "[files] has no meaning for submissions that talk to an interactor";
        return Err(CommandError::usage(message));
    }
    let program = JuryProgram::load("interactor", &path, &table.program, config, problem)?;
    let by_header = || program.includes(jury::TESTLIB).then(|| program::parse("testlib").ok());
    let protocol = table.protocol.or_else(|| by_header().flatten());
    let protocol = protocol.filter(|protocol| SPOKEN.contains(&protocol.name));
    let protocol = protocol.ok_or_else(|| {
        let path = shell_path(&path);
        CommandError::usage(format!("nothing tells which protocol the interactor {path} speaks"))
            .hint(format!("`protocol` of [interactor] in jury.toml: {}", SPOKEN.join(", ")))
    })?;
    let by_program = matches!(choice, Choice::Program(_));
    let checked = by_program && protocol.name == "testlib";
    if by_program
        && !checked
        && (options.checker.is_some() || config.check.program.program.is_some())
    {
        let message = format!("an interactor of protocol {} judges alone", protocol.name);
        return Err(CommandError::usage(message).hint("leave out the checker program"));
    }
    let full_score = table.full_score.unwrap_or(protocol.full_score);
    let passes = jury::passes(options, table, protocol)?;
    let transcript = options.transcript;
    Ok(Some(Chosen { program, protocol, full_score, passes, checked, transcript }))
}

impl Chosen {
    /// Whether a checker judges what it writes.
    pub(super) fn is_checked(&self) -> bool {
        self.checked
    }

    /// What the first line and the reports say of it.
    pub(super) fn title(&self) -> String {
        let passes = jury::told(self.passes);
        let name = format!("{} ({}{passes})", self.program.name, self.protocol.name);
        if self.transcript { format!("{name}, transcript: times are changed by it") } else { name }
    }

    /// Equal for the same way to judge.
    pub(super) fn fingerprint(&self) -> String {
        format!("{} {} {}", self.title(), self.full_score, self.program.fingerprint())
    }

    /// The lines that tell of it before a run: command and limits.
    pub(super) fn lines(&self) -> Vec<String> {
        let limits = self.program.limits();
        let arguments = program::arguments(self.protocol, self.program.args(), self.full_score);
        let words: Vec<String> = arguments.iter().map(|word| shell_quoted(word)).collect();
        vec![
            format!("interactor: {}: {}", self.title(), self.program.language()),
            format!("  run: {} {}", shell_quoted(&self.program.name), words.join(" ")),
            format!(
                "  time {:.3} s (cpu), wall {:.3} s after the submission's, memory {} MiB, \
                 processes {}",
                limits.cpu.as_secs_f64(),
                limits.wall.as_secs_f64(),
                limits.memory >> 20,
                limits.processes,
            ),
        ]
    }

    /// Compiles it.
    pub(super) fn build(
        &self,
        workers: &Arc<Workers>,
        cache: &Path,
    ) -> Result<Talks, CommandError> {
        let (protocol, full_score) = (self.protocol, self.full_score);
        let program = self.program.build(workers, cache, protocol, full_score, self.passes)?;
        let interactor = Arc::new(Interactor { program, checked: self.checked });
        Ok(Talks { interactor, transcript: self.transcript })
    }
}

/// An interactor that is ready to talk.
pub(super) struct Talks {
    interactor: Arc<Interactor>,
    transcript: bool,
}

impl Talks {
    /// A submission that talks to it.
    pub(super) fn executor(&self, workers: &Arc<Workers>, start: Start) -> Box<dyn Executor> {
        let interactor = Arc::clone(&self.interactor);
        Box::new(Interactive::new(Arc::clone(workers), start, interactor, self.transcript))
    }
}
