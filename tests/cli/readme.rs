//! Every command of the README is run, and prints what the README shows.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A command of the README and the output below it.
struct Shown {
    line: usize,
    command: String,
    output: String,
}

/// The commands in the `console` blocks.
fn shown() -> Vec<Shown> {
    let text = fs::read_to_string("README.md").unwrap();
    let mut all: Vec<Shown> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => {
                if let Some(command) = line.strip_prefix("$ ") {
                    let (line, command) = (index + 1, command.to_owned());
                    all.push(Shown { line, command, output: String::new() });
                } else {
                    let output = &mut all.last_mut().unwrap().output;
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
    }
    all
}

/// Commands that build this very binary: `.ci/run` runs them.
fn is_for_ci(command: &str) -> bool {
    command == "cargo test --release" || command == "cargo install --path ."
}

fn run(command: &str, folder: &Path) -> Output {
    let jury = env!("CARGO_BIN_EXE_jury");
    let command = command
        .strip_prefix("cargo run --release -- ")
        .or_else(|| command.strip_prefix("jury "))
        .unwrap_or_else(|| panic!("no test runs `{command}`"));
    Command::new("sh")
        .args(["-c", &format!("exec {jury} {command}")])
        .current_dir(folder)
        .envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8"), ("JURY_CI", "none")])
        .output()
        .unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn every_command_runs_and_prints_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["input", "expected"] {
        copy(Path::new(name), &folder.path().join(name));
    }
    let ci = fs::read_to_string(".ci/run").unwrap() + &fs::read_to_string("scripts/check").unwrap();
    let shown = shown();
    assert!(shown.len() >= 9, "only {} commands found", shown.len());
    for Shown { line, command, output } in &shown {
        if is_for_ci(command) {
            assert!(ci.contains(command), "README.md:{line}: CI does not run `{command}`");
            continue;
        }
        let ran = run(command, folder.path());
        let error = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "README.md:{line}: `{command}`: {error}");
        if !output.is_empty() {
            let got = String::from_utf8(ran.stdout).unwrap();
            snapbox::Assert::new().eq(got.trim_end(), output.trim_end());
        }
    }
}
