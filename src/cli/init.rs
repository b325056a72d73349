//! `jury init`: a new suite with one sample for each solver.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::Exit;
use super::args::InitOptions;
use super::error::CommandError;
use crate::report::shell_path;

/// Problem, input and answer of each sample.
const SAMPLES: [(&str, &str, &str); 2] = [
    ("ali-baba", "3 3\n0 2 0\n1 -1 1\n0 1 0\n", "Ali Win\n"),
    ("jsoi-game", "3 3\n.##\n...\n#.#\n", "WIN\n2 3\n3 2\n"),
];

/// Runs the command.
pub(super) fn init(options: &InitOptions) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout().lock();
    for (problem, input, answer) in SAMPLES {
        for (folder, extension, text) in [("input", "in", input), ("expected", "out", answer)] {
            let name = format!("{folder}/{problem}/01-sample.{extension}");
            let path = options.folder.join(name);
            create(&path, text)?;
            writeln!(out, "made {}", path.display())?;
        }
    }
    let here = options.folder == Path::new(".");
    let place = if here { String::new() } else { format!(" {}", shell_path(&options.folder)) };
    writeln!(out, "next: jury run{place}")?;
    Ok(Exit::Success)
}

/// Writes a new file; one that exists is never touched.
fn create(path: &Path, text: &str) -> Result<(), CommandError> {
    let write = || -> io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        File::create_new(path)?.write_all(text.as_bytes())
    };
    write().map_err(|error| {
        CommandError::usage(format!("cannot make {}: {error}", path.display()))
            .hint("`jury init FOLDER` makes the suite in another folder")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers;

    #[test]
    fn there_is_a_sample_for_each_solver_and_the_solver_agrees() {
        for (solver, (problem, input, answer)) in solvers::ALL.iter().zip(SAMPLES) {
            assert_eq!(solver.name(), problem);
            let mut got = Vec::new();
            solver.solve(&mut input.as_bytes(), &mut got, solvers::Options::default()).unwrap();
            assert_eq!(String::from_utf8(got).unwrap(), answer);
        }
    }
}
