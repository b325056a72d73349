//! Checker and interactor together: what is said of them, and what tells them from others.

use std::path::Path;
use std::sync::Arc;

use super::args::GradeOptions;
use super::checker::Choice;
use super::interactor;
use crate::cli::error::CommandError;
use crate::execute::Workers;
use crate::model::Run;

/// The lines that tell how outputs and talks are judged.
pub(super) fn lines(choice: &Choice, talk: Option<&interactor::Chosen>) -> Vec<String> {
    let mut lines = talk.map(interactor::Chosen::lines).unwrap_or_default();
    if talk.is_none_or(interactor::Chosen::is_checked) {
        lines.extend(choice.lines());
    }
    lines
}

/// Equal for the same way to judge.
pub(super) fn fingerprint(choice: &Choice, talk: Option<&interactor::Chosen>) -> String {
    let talk = talk.map(interactor::Chosen::fingerprint).unwrap_or_default();
    format!("{}{talk}", choice.fingerprint())
}

/// The run with what the reports say of its interactor.
pub(super) fn with_interactor(run: Run, talk: Option<&interactor::Chosen>) -> Run {
    let Some(talk) = talk else { return run };
    let interactor = talk.title();
    if talk.is_checked() {
        return Run { interactor, ..run };
    }
    Run { interactor, compare: "interactor".into(), checker: String::new(), ..run }
}

/// Refuses `--passes` where nobody can ask for one.
pub(super) fn refuse_passes(
    options: &GradeOptions,
    choice: &Choice,
    talk: Option<&interactor::Chosen>,
) -> Result<(), CommandError> {
    if options.passes.is_some() && talk.is_none() && matches!(choice, Choice::Comparison(_)) {
        let message = "--passes: there is no checker program and no interactor to ask for one";
        return Err(CommandError::usage(message));
    }
    Ok(())
}

/// The interactor, compiled where there is one and something to run it.
pub(super) fn talks(
    talk: Option<&interactor::Chosen>,
    place: Option<(&Arc<Workers>, &Path)>,
) -> Result<Option<interactor::Talks>, CommandError> {
    talk.zip(place).map(|(talk, (workers, cache))| talk.build(workers, cache)).transpose()
}
