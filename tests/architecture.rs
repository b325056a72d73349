//! The structure of the crate: ARCHITECTURE.md names the modules and what each may import, and
//! the sources keep to it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Module name to the modules it may import, from the table in ARCHITECTURE.md.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let imports = cells[3].split(", ").map(|name| name.trim_matches('`').to_owned());
        (cells[1].trim_matches('`').to_owned(), imports.filter(|name| name != "–").collect())
    })
    .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The module at the top of the crate that a source file belongs to.
fn module(path: &Path) -> String {
    let first = path.strip_prefix("src").unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The code of a file without comments and without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

fn is_test_file(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.ends_with("fixture.rs")
}

/// Modules that the code names behind `crate::`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (position, _) in code.match_indices("crate::") {
        let rest = &code[position + "crate::".len()..];
        let listed = rest.strip_prefix('{').map(|list| list.split('}').next().unwrap());
        for name in listed.unwrap_or(rest).split(',').take(if listed.is_some() { 99 } else { 1 }) {
            let end = |c: char| !c.is_alphanumeric() && c != '_';
            found.insert(name.trim().split(end).next().unwrap().to_owned());
        }
    }
    found
}

#[test]
fn every_module_stands_in_the_table_and_the_other_way_round() {
    let modules: BTreeSet<String> = sources(Path::new("src"))
        .iter()
        .map(|path| module(path))
        .filter(|name| name != "lib" && name != "main")
        .collect();
    assert_eq!(table().into_keys().collect::<BTreeSet<_>>(), modules);
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table = table();
    let mut faults = Vec::new();
    for path in sources(Path::new("src")) {
        let module = module(&path);
        let Some(allowed) = table.get(&module) else { continue };
        if is_test_file(&path) || allowed.contains("all") {
            continue;
        }
        for import in imports(&code(&path)) {
            if import != module && !allowed.contains(&import) {
                faults.push(format!("{}: crate::{import}", path.display()));
            }
        }
    }
    assert_eq!(faults, [] as [String; 0]);
}

#[test]
fn the_table_has_no_cycles() {
    let mut left = table();
    while !left.is_empty() {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|name, imports| {
            imports.contains("all") && names.len() > 1
                || imports.iter().any(|import| names.contains(import) && import != name)
        });
        assert!(left.len() < before, "cycle among {names:?}");
    }
}

#[test]
fn imports_are_found_in_every_form() {
    let code =
        "use crate::model::Plan;\nuse crate::{check, plan as p};\nlet x = crate::pool::run();";
    let found: Vec<String> = imports(code).into_iter().collect();
    assert_eq!(found, ["check", "model", "plan", "pool"]);
}

#[test]
fn files_are_short_and_unsafe_code_and_threads_have_one_place() {
    let mut faults = Vec::new();
    for path in sources(Path::new("src")) {
        let code = code(&path);
        let module = module(&path);
        if code.lines().count() > 400 && !is_test_file(&path) {
            faults.push(format!("{} has {} lines", path.display(), code.lines().count()));
        }
        let mut only = |word: &str, home: &str| {
            if module != home && code.contains(word) {
                faults.push(format!("{} has `{word}`", path.display()));
            }
        };
        if !path.starts_with("src/sandbox/sys") && path != Path::new("src/sandbox/sys.rs") {
            only("unsafe ", "simd");
        }
        only("rayon::", "pool");
        only("thread::scope", "pool");
        only("thread::spawn", "pool");
        only("thread::Builder", "interrupt");
        only("Stdio", "sandbox");
    }
    assert_eq!(faults, [] as [String; 0]);
}
