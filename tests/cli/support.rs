//! A small suite in a temporary folder, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A temporary folder.
pub(crate) struct Suite(TempDir);

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Suite {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one right case for each game.
    pub(crate) fn with_samples() -> Self {
        Self::new()
            .file("input/ali-baba/1.in", "1 3\n1 -1 0\n")
            .file("expected/ali-baba/1.out", "Ali Win\n")
            .file("input/jsoi-game/1.in", "3 3\n.##\n...\n#.#\n")
            .file("expected/jsoi-game/1.out", "WIN\n2 3\n3 2\n")
    }

    /// The same folder with a file of this content.
    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// A path in the folder.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// The content of a file in the folder.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The program, to be run in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        command(self.0.path(), arguments)
    }

    /// Runs the program in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }
}

/// The program in a neutral environment.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(arguments).current_dir(folder).env_clear();
    command.envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8"), ("JURY_CI", "none")]);
    command
}

/// What an ended process gave.
pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
