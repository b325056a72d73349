use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::model::TestCase;

/// A folder with these files in it, each holding its own name.
fn folder(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    folder
}

fn loaded(root: &Path) -> Suite {
    let layout = Layout::of_suite(root).unwrap();
    load(&layout, None, |problem| Some(problem.to_owned())).unwrap()
}

fn cases(suite: &Suite) -> Vec<&TestCase> {
    suite.problems.iter().flat_map(|problem| &problem.cases).collect()
}

/// `name -> answer` of each case, paths relative to the root.
fn pairs(root: &Path, suite: &Suite) -> Vec<String> {
    let relative = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    cases(suite)
        .iter()
        .map(|case| {
            let answer = case.answer.as_deref().map_or("-".to_owned(), relative);
            format!("{} -> {answer}", case.name)
        })
        .collect()
}

fn findings(root: &Path, suite: &Suite) -> Vec<(FindingKind, String)> {
    let relative = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    suite.findings.iter().map(|finding| (finding.kind, relative(&finding.path))).collect()
}

#[test]
fn the_same_relative_path_pairs_whatever_the_extension() {
    let root = folder(&[
        "input/p/2.in",
        "input/p/10.txt",
        "input/p/1",
        "input/p/g/1.in",
        "expected/p/2.ans",
        "expected/p/10.txt",
        "expected/p/1",
        "expected/p/g/1.OUT",
    ]);
    let suite = loaded(root.path());
    assert_eq!(
        pairs(root.path(), &suite),
        [
            "p/1 -> expected/p/1",
            "p/2 -> expected/p/2.ans",
            "p/10 -> expected/p/10.txt",
            "p/g/1 -> expected/p/g/1.OUT",
        ]
    );
    assert_eq!(suite.findings, []);
    assert_eq!(suite.answers, 4);
    assert_eq!(cases(&suite)[3].group, "g");
}

#[test]
fn in_and_out_folders_and_input_output_names_pair() {
    let root = folder(&["in/p/a", "out/p/a"]);
    assert_eq!(pairs(root.path(), &loaded(root.path())), ["p/a -> out/p/a"]);
    let root = folder(&["input/p/input01.txt", "output/p/output01.txt"]);
    assert_eq!(pairs(root.path(), &loaded(root.path())), ["p/input01 -> output/p/output01.txt"]);
}

#[test]
fn one_folder_may_hold_both_sides() {
    let root = folder(&["p/1.in", "p/1.ans", "p/2.in", "p/2.a", "p/input3.txt", "p/output3.txt"]);
    let layout = Layout::of_folders(root.path().into(), root.path().into()).unwrap();
    let suite = load(&layout, None, |problem| Some(problem.to_owned())).unwrap();
    assert_eq!(
        pairs(root.path(), &suite),
        ["p/1 -> p/1.ans", "p/2 -> p/2.a", "p/input3 -> p/output3.txt"]
    );
    assert_eq!(suite.findings, []);
}

#[test]
fn answers_beside_the_inputs_are_found_too() {
    let root = folder(&["input/p/1.in", "input/p/1.out"]);
    assert_eq!(pairs(root.path(), &loaded(root.path())), ["p/1 -> input/p/1.out"]);
}

#[test]
fn a_missing_answer_names_what_was_looked_for_and_a_close_name() {
    let root = folder(&[
        "input/p/09-ring.in",
        "input/p/A.in",
        "input/p/z.in",
        "expected/p/9-ring.out",
        "expected/p/a.out",
        "expected/p/y.out",
    ]);
    let suite = loaded(root.path());
    assert_eq!(
        findings(root.path(), &suite),
        [
            (FindingKind::OrphanedAnswer, "expected/p/y.out".into()),
            (FindingKind::MissingAnswer, "input/p/09-ring.in".into()),
            (FindingKind::CaseOnly, "input/p/A.in".into()),
            (FindingKind::MissingAnswer, "input/p/z.in".into()),
        ]
    );
    let missing = cases(&suite)[0].missing.as_ref().unwrap();
    assert_eq!(missing.close.as_deref(), Some(&*root.path().join("expected/p/9-ring.out")));
    let ends = ["expected/p/09-ring.{out,ans,a}", "input/p/09-ring.{out,ans,a}"];
    assert!(missing.looked_for.iter().zip(ends).all(|(looked, end)| looked.ends_with(end)));
    assert_eq!(missing.home, root.path().join("expected/p/09-ring.out"));
    assert!(cases(&suite)[2].missing.as_ref().unwrap().close.is_none());
}

#[test]
fn a_second_answer_and_a_second_input_of_one_name_are_findings() {
    let root = folder(&["input/p/1.in", "input/p/1.txt", "expected/p/1.out", "expected/p/1.ans"]);
    let suite = loaded(root.path());
    assert_eq!(pairs(root.path(), &suite), ["p/1 -> expected/p/1.out"]);
    assert_eq!(
        findings(root.path(), &suite),
        [
            (FindingKind::DuplicateAnswer, "expected/p/1.ans".into()),
            (FindingKind::DuplicateInput, "input/p/1.txt".into()),
        ]
    );
}

#[test]
fn litter_is_passed_over_and_strange_files_are_findings() {
    let root = folder(&[
        "input/p/1.in",
        "input/p/.1.in.swp",
        "input/p/1.in~",
        "input/p/#1.in#",
        "input/__MACOSX/p/1.in",
        "input/p/README.md",
        "expected/p/1.out",
        "expected/p/.DS_Store",
    ]);
    std::os::unix::fs::symlink("nowhere", root.path().join("input/p/2.in")).unwrap();
    std::os::unix::fs::symlink("..", root.path().join("input/p/up")).unwrap();
    std::os::unix::fs::symlink("1.in", root.path().join("input/p/link.in")).unwrap();
    fs::copy(root.path().join("expected/p/1.out"), root.path().join("expected/p/link.out"))
        .unwrap();
    let suite = loaded(root.path());
    assert_eq!(
        pairs(root.path(), &suite),
        ["p/1 -> expected/p/1.out", "p/link -> expected/p/link.out"]
    );
    assert_eq!(
        findings(root.path(), &suite),
        [
            (FindingKind::Unreadable, "input/p/2.in".into()),
            (FindingKind::Ignored, "input/p/README.md".into()),
            (FindingKind::Ignored, "input/p/up".into()),
        ]
    );
}

#[test]
fn a_file_outside_any_problem_needs_a_default_problem() {
    let root = folder(&["input/1.in", "expected/1.out"]);
    let layout = Layout::of_suite(root.path()).unwrap();
    let same = |problem: &str| Some(problem.to_owned());
    assert!(matches!(load(&layout, None, same), Err(LoadError::NoProblem { .. })));
    let suite = load(&layout, Some("q"), same).unwrap();
    assert_eq!(pairs(root.path(), &suite), ["q/1 -> expected/1.out"]);
    let error = load(&layout, Some("q"), |_| None).unwrap_err();
    assert!(matches!(error, LoadError::NoSolver { .. }));
}

#[test]
fn an_expected_folder_inside_the_input_folder_holds_no_inputs() {
    let root = folder(&["p/1.in", "expected/p/1.txt"]);
    let layout = Layout::of_folders(root.path().into(), root.path().join("expected")).unwrap();
    let suite = load(&layout, None, |problem| Some(problem.to_owned())).unwrap();
    assert_eq!(pairs(root.path(), &suite), ["p/1 -> expected/p/1.txt"]);
}

#[test]
fn a_missing_folder_is_named() {
    let error = Layout::of_suite(Path::new("no-such-folder")).unwrap_err();
    assert_eq!(error.to_string(), "input folder not found: no-such-folder");
}
