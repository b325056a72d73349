//! `jury completions` and `jury man`: what shells and readers of manuals want to know of the
//! command line, made from the very definition of it.

use std::fs;
use std::io::Write as _;

use clap::{Command, CommandFactory as _};
use clap_complete::Shell as Target;

use super::Exit;
use super::args::{Arguments, CompletionsOptions, ManOptions, Shell};
use super::error::CommandError;
use crate::atomic::AtomicFile;

/// Prints a completion script.
pub(super) fn completions(options: &CompletionsOptions) -> anyhow::Result<Exit> {
    let target = match options.shell {
        Shell::Bash => Target::Bash,
        Shell::Zsh => Target::Zsh,
        Shell::Fish => Target::Fish,
        Shell::Powershell => Target::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(target, &mut Arguments::command(), "jury", &mut script);
    let mut out = anstream::stdout().lock();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Success)
}

/// Writes a page for the program and one for each command.
pub(super) fn man(options: &ManOptions) -> anyhow::Result<Exit> {
    let folder = &options.folder;
    let lost = |error: std::io::Error| {
        CommandError::usage(format!("cannot write {}: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(lost)?;
    for (name, page) in pages()? {
        let mut file = AtomicFile::create(&folder.join(&name)).map_err(lost)?;
        file.write_all(&page).map_err(lost)?;
        file.commit().map_err(lost)?;
        writeln!(anstream::stdout(), "{}", folder.join(name).display())?;
    }
    Ok(Exit::Success)
}

/// The names of all pages with their text.
fn pages() -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut program = Arguments::command();
    program.build();
    let commands: Vec<Command> = program.get_subcommands().cloned().collect();
    let mut pages = vec![("jury.1".to_owned(), page(program)?)];
    for command in commands {
        pages.push((format!("jury-{}.1", command.get_name()), page(command)?));
    }
    Ok(pages)
}

fn page(command: Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
