//! `jury explain`: the picture of a solved grid.

use std::io::{self, Read, Write};
use std::path::{Component, Path};

use super::Exit;
use super::args::ExplainOptions;
use super::error::CommandError;
use super::solve::{input_name, open_input, solve_error};
use super::suite::unknown_solver;
use crate::atomic::AtomicFile;
use crate::explain::{self, Explainer};
use crate::solvers;

/// Bytes that are enough to tell the games apart.
const HEAD: u64 = 4096;

/// Runs the command.
pub(super) fn explain(options: &ExplainOptions) -> anyhow::Result<Exit> {
    let mut input = open_input(&options.file)?;
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head).map_err(|error| {
        let name = input_name(&options.file);
        CommandError::usage(format!("cannot read {name}: {error}")).exit(Exit::Failure)
    })?;
    let explainer = explainer(options, &head)?;
    let mut input = head.as_slice().chain(input);
    let name = input_name(&options.file);
    match &options.svg {
        None => {
            let text = explainer.text(&mut input).map_err(|error| solve_error(&name, error))?;
            anstream::stdout().lock().write_all(text.as_bytes())?;
        }
        Some(path) => {
            refuse_own_input(path, &options.file)?;
            let svg = explainer.svg(&mut input).map_err(|error| solve_error(&name, error))?;
            write_svg(path, &svg)?;
        }
    }
    Ok(Exit::Success)
}

fn write_svg(path: &Path, svg: &str) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        return Ok(io::stdout().lock().write_all(svg.as_bytes())?);
    }
    let write = || {
        let mut file = AtomicFile::create(path)?;
        file.write_all(svg.as_bytes())?;
        file.commit()
    };
    write().map_err(|error: io::Error| {
        let message = format!("cannot write {}: {error}", path.display());
        CommandError::usage(message).exit(Exit::Failure).into()
    })
}

/// A picture never takes the place of the board it shows.
fn refuse_own_input(svg: &Path, input: &Path) -> Result<(), CommandError> {
    match (svg.canonicalize(), input.canonicalize()) {
        (Ok(svg), Ok(input)) if svg == input => {
            Err(CommandError::usage(format!("{} is the input itself", input.display())))
        }
        _ => Ok(()),
    }
}

/// The picture that was asked for, or the one that folder, file name or content tell.
fn explainer(
    options: &ExplainOptions,
    head: &[u8],
) -> Result<&'static dyn Explainer, CommandError> {
    let name = match &options.solver {
        Some(name) => Some(name.as_str()),
        None => by_path(&options.file).or_else(|| by_content(head)),
    };
    let unclear = || {
        let message = format!("cannot tell which game {} is of", input_name(&options.file));
        CommandError::usage(message).hint("name its solver: --solver ali-baba or jsoi-game")
    };
    let name = name.ok_or_else(unclear)?;
    explain::find(name).ok_or_else(|| CommandError::usage(unknown_solver(name)))
}

/// The solver that is named by a folder of the path, or that the file name starts with.
fn by_path(path: &Path) -> Option<&'static str> {
    let names = || solvers::ALL.iter().map(|solver| solver.name());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parts: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    names()
        .find(|name| stem.starts_with(name))
        .or_else(|| names().find(|name| parts.iter().rev().any(|part| part == name)))
}

/// Boards of one game are drawn with `.` and `#`, those of the other consist of numbers.
fn by_content(head: &[u8]) -> Option<&'static str> {
    let known =
        |byte: &u8| byte.is_ascii_whitespace() || b"0123456789-+.#\xef\xbb\xbf".contains(byte);
    if !head.iter().all(known) {
        return None;
    }
    let drawn = head.iter().any(|byte| matches!(byte, b'.' | b'#'));
    let numbers = head.iter().any(u8::is_ascii_digit);
    match (drawn, numbers) {
        (true, _) => Some("jsoi-game"),
        (false, true) => Some("ali-baba"),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_told_by_the_path_or_by_the_content() {
        assert_eq!(by_path(Path::new("input/jsoi-game/01.in")), Some("jsoi-game"));
        assert_eq!(by_path(Path::new(".jury/stress/ali-baba-7-412.in")), Some("ali-baba"));
        assert_eq!(by_path(Path::new("x/y.in")), None);
        assert_eq!(by_content(b"2 2\n.#\n..\n"), Some("jsoi-game"));
        assert_eq!(by_content(b"1 1\n-1\n"), Some("ali-baba"));
        assert_eq!(by_content(b""), None);
        assert_eq!(by_content(b"# Title 1\n"), None);
    }

    #[test]
    fn every_solver_can_be_told_by_its_name() {
        for solver in solvers::ALL {
            let path = format!("input/{}/1.in", solver.name());
            assert_eq!(by_path(Path::new(&path)), Some(solver.name()));
        }
    }
}
