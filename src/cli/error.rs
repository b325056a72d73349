//! Errors of commands: what is wrong, what to do about it, and the exit code that follows.

use std::io::{self, Write};

use anstream::eprintln;
use anstyle::{AnsiColor, Style};

use super::Exit;
use crate::report::{Charset, Look};

/// An error that ends a command.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct CommandError {
    message: String,
    hint: Option<String>,
    exit: Exit,
    /// Already in its final form, with places and snippets.
    rendered: bool,
}

impl CommandError {
    /// Wrong usage: nothing was run.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: Exit::Usage, rendered: false }
    }

    /// The same with another exit code.
    pub(super) fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The same with a hint.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same with a hint, if there is one.
    pub(super) fn maybe_hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }

    /// A usage error that is printed as it is.
    pub(super) fn rendered(text: String) -> Self {
        Self { message: text, hint: None, exit: Exit::Usage, rendered: true }
    }
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Prints an error with its hint and says which exit code it deserves.
pub(super) fn print_error(error: &anyhow::Error) -> Exit {
    let Some(error) = error.downcast_ref::<CommandError>() else {
        if is_broken_pipe(error) {
            return Exit::Success;
        }
        let what = if error.is::<io::Error>() { "cannot write standard output: " } else { "" };
        print("error", ERROR, &format!("{what}{error:#}"));
        return Exit::Failure;
    };
    if error.rendered {
        eprintln!("{}", error.message.trim_end());
    } else {
        print("error", ERROR, &error.message);
    }
    if let Some(hint) = &error.hint {
        print("hint", HINT, hint);
    }
    error.exit
}

/// A reader that closed our output early has seen what it wanted.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Prints an error that does not end the command, and perhaps a hint.
pub(super) fn print_fault(message: &str, hint: Option<&str>) {
    print("error", ERROR, message);
    if let Some(hint) = hint {
        print("hint", HINT, hint);
    }
}

/// Prints a warning and perhaps a hint.
pub(super) fn print_warning(message: &str, hint: Option<&str>) {
    print("warning", WARNING, message);
    if let Some(hint) = hint {
        print("hint", HINT, hint);
    }
}

/// Prints a remark.
pub(super) fn print_note(message: &str) {
    print("note", HINT, message);
}

fn print(word: &str, style: Style, message: &str) {
    let mut out = anstream::stderr().lock();
    let _ = writeln!(out, "{style}{word}:{style:#} {}", tame(message));
}

/// A message as it may be printed, whatever names and texts are in it: nothing moves the cursor or
/// hides, and no further line is a command for a CI service.
fn tame(message: &str) -> String {
    let tame = |(number, line): (usize, &str)| {
        let command = ["::", "##["].iter().any(|start| line.trim_start().starts_with(start));
        let bar = if number > 0 && command { "| " } else { "" };
        format!("{bar}{}", Look { charset: Charset::Unicode }.name(line))
    };
    message.split('\n').enumerate().map(tame).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_neither_moves_the_cursor_nor_gives_commands() {
        let hostile = "a \u{1b}[2J\n  ::error::x\né\u{202e}";
        assert_eq!(tame(hostile), "a \\x1b[2J\n|   ::error::x\né\\u{202e}");
        assert_eq!(tame("two\n  lines: ::"), "two\n  lines: ::");
    }
}
