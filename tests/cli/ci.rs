//! What CI services see, and the recipes for them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Suite, ran};

fn failing() -> Suite {
    Suite::with_samples().file("expected/ali-baba/1.out", "Baba Win\n")
}

/// The program as GitHub Actions runs it.
fn in_actions(suite: &Suite, arguments: &[&str]) -> Command {
    let mut command = suite.command(arguments);
    command.env_remove("JURY_CI").envs([("CI", "true"), ("GITHUB_ACTIONS", "true")]);
    command.env("GITHUB_WORKSPACE", suite.path(""));
    command.env("GITHUB_STEP_SUMMARY", suite.path("summary.md"));
    command
}

const ANNOTATION: &str = "::error file=expected/ali-baba/1.out,line=1,title=WA ali-baba/1::line 1, \
                          token 1: expected \"Baba\", got \"Ali\"\n";

#[test]
fn github_gets_annotations_and_a_summary_without_being_asked() {
    let suite = failing().file("summary.md", "from before\n");
    let seen = ran(in_actions(&suite, &["run", "--no-report"]).output().unwrap());
    assert_eq!(seen.code, Some(1));
    assert!(seen.out.ends_with(ANNOTATION), "{}", seen.out);
    let stop = seen.out.lines().next().unwrap().strip_prefix("::stop-commands::").unwrap();
    assert!(seen.out.contains(&format!("\n::{stop}::\n::error ")), "{}", seen.out);
    let summary = suite.read("summary.md");
    assert!(summary.starts_with("from before\n# jury: 1 passed, 1 failed\n"), "{summary}");
}

#[test]
fn annotations_leave_standard_output_to_a_report() {
    let suite = failing();
    let seen = ran(in_actions(&suite, &["run", "--report", "csv=-"]).output().unwrap());
    assert!(!seen.out.contains("::error"), "{}", seen.out);
    assert!(seen.err.contains(ANNOTATION), "{}", seen.err);
}

#[test]
fn annotations_that_are_asked_for_are_written_once() {
    let suite = failing();
    let seen = ran(in_actions(&suite, &["run", "--report", "github"]).output().unwrap());
    let mut lines = seen.out.lines();
    let token = lines.next().unwrap().strip_prefix("::stop-commands::").unwrap();
    assert_eq!(lines.next(), Some(format!("::{token}::").as_str()), "{}", seen.out);
    assert!(seen.out.ends_with(&format!("::\n{ANNOTATION}")), "{}", seen.out);
    assert!(!seen.err.contains("::error"), "{}", seen.err);
}

#[test]
fn it_can_be_switched_off() {
    let suite = failing();
    let mut command = in_actions(&suite, &["run"]);
    let seen = ran(command.env("JURY_CI", "none").output().unwrap());
    assert!(!seen.out.contains("::error"));
    assert!(!suite.path("summary.md").exists());
}

#[test]
fn a_summary_that_is_full_is_left_as_it_is() {
    let full = "x".repeat(900 << 10);
    let suite = failing().file("summary.md", &full);
    ran(in_actions(&suite, &["run"]).output().unwrap());
    assert_eq!(suite.read("summary.md"), full);
}

/// The blocks of `docs/ci.md` in one language.
fn recipes(language: &str) -> Vec<String> {
    let text = fs::read_to_string("docs/ci.md").unwrap();
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// A script run in the folder, with the program under its name in the path.
fn script(suite: &Suite, shell: &str, script: &str, variables: &[(&str, &str)]) -> Output {
    let bin = suite.path("runner/jury/bin");
    fs::create_dir_all(&bin).unwrap();
    let _ = symlink(env!("CARGO_BIN_EXE_jury"), bin.join("jury"));
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let mut command = Command::new(shell);
    command.args(["-c", script]).current_dir(suite.path("")).env_clear().env("PATH", path);
    command.env("LC_ALL", "C.UTF-8").envs(variables.iter().copied());
    command.output().unwrap()
}

#[test]
fn the_recipe_for_cron_is_silent_while_all_is_well() {
    let recipe = recipes("sh").into_iter().find(|text| text.contains("SUITE")).unwrap();
    let good = ran(script(&Suite::with_samples(), "sh", &recipe, &[]));
    assert_eq!((good.code, good.out.as_str(), good.err.as_str()), (Some(0), "", ""));
    let bad = ran(script(&failing(), "sh", &recipe, &[]));
    assert_eq!(bad.code, Some(1));
    assert!(bad.out.contains("WA  ali-baba/1: "), "{}", bad.out);
}

#[test]
fn the_recipe_for_several_machines_joins_their_reports() {
    let suite = failing();
    for (part, case) in [("part-1", "ali-baba/*"), ("part-2", "jsoi-game/*")] {
        fs::create_dir_all(suite.path(part)).unwrap();
        let report = format!("jsonl={part}/report.jsonl");
        suite.run(&["run", "--case", case, "--report", &report]);
    }
    let recipe = recipes("sh").into_iter().find(|text| text.contains("part-*")).unwrap();
    let joined = ran(script(&suite, "sh", &recipe, &[]));
    assert_eq!(joined.code, Some(1), "{}", joined.err);
    assert!(suite.read("junit.xml").contains("tests=\"2\""));
    assert!(suite.read("summary.md").starts_with("# jury: 1 passed, 1 failed\n"));
}

/// A YAML text as JSON, by Python where it is installed.
fn yaml(text: &str) -> Option<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.yml");
    fs::write(&file, text).unwrap();
    let program =
        "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1])), default=str))";
    let python = Command::new("python3").args(["-c", "import yaml"]).output();
    if !python.is_ok_and(|output| output.status.success()) {
        println!("skipped: YAML is not read (python3 with yaml is not installed)");
        return None;
    }
    let output = Command::new("python3").args(["-c", program]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_yaml_of_all_recipes_can_be_read() {
    for recipe in recipes("yaml") {
        yaml(&recipe);
    }
    let Some(hooks) = yaml(&fs::read_to_string(".pre-commit-hooks.yaml").unwrap()) else { return };
    let suite = Suite::with_samples();
    for hook in hooks.as_array().unwrap() {
        let entry = hook["entry"].as_str().unwrap();
        let seen = ran(script(&suite, "sh", entry, &[]));
        assert_eq!(seen.code, Some(0), "{entry}: {}", seen.err);
    }
}

#[test]
fn the_action_runs_what_it_is_told_and_tells_the_exit_code() {
    if !Path::new("/bin/bash").exists() {
        println!("skipped: the action is not run (bash is not installed)");
        return;
    }
    let Some(action) = yaml(&fs::read_to_string("action.yml").unwrap()) else { return };
    let step = &action["runs"]["steps"][1];
    let suite = failing();
    let (runner, output) = (suite.path("runner"), suite.path("output"));
    let variables = [
        ("ARGUMENTS", "run --case ali-baba/* --no-report $(touch broken)"),
        ("RUNNER_TEMP", runner.to_str().unwrap()),
        ("GITHUB_OUTPUT", output.to_str().unwrap()),
    ];
    let seen = ran(script(&suite, "bash", step["run"].as_str().unwrap(), &variables));
    assert_eq!(seen.code, Some(2), "{}", seen.err);
    assert!(!suite.path("broken").exists());
    let variables = [("ARGUMENTS", "run --no-report"), variables[1], variables[2]];
    let seen = ran(script(&suite, "bash", step["run"].as_str().unwrap(), &variables));
    assert_eq!(seen.code, Some(1), "{}", seen.err);
    assert_eq!(suite.read("output"), "code=2\ncode=1\n");
}
