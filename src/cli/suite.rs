//! The suite that the arguments name, with its configuration.

use std::collections::HashSet;

use globset::{GlobBuilder, GlobMatcher};

use super::Exit;
use super::args::SuiteOptions;
use super::config::Config;
use super::error::CommandError;
use crate::model::{Finding, FindingKind, Plan, Problem, Suite, TestCase};
use crate::package::{self, Layout, LoadError};
use crate::report::count;
use crate::{plan, solvers};

/// A suite and where it was found.
#[derive(Debug)]
pub(super) struct LoadedSuite {
    pub(super) layout: Layout,
    pub(super) suite: Suite,
    /// How many cases there are.
    pub(super) cases: usize,
}

/// What is done about a problem that no built-in solver answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsolved {
    /// It is an error.
    Refused,
    /// It has no solver.
    Taken,
}

/// Finds and pairs the files.
pub(super) fn load(
    options: &SuiteOptions,
    config: &Config,
    unsolved: Unsolved,
) -> Result<LoadedSuite, CommandError> {
    if let Some(solver) = options.solver.as_deref().filter(|name| solvers::find(name).is_none()) {
        return Err(CommandError::usage(unknown_solver(solver)));
    }
    let layout = layout(options).map_err(|error| load_error(&error))?;
    let forced = options.solver.as_deref();
    let solver = |problem: &str| {
        let mapped = config.problems.get(problem).map(String::as_str);
        let name = forced.or(mapped).unwrap_or(problem);
        let none = (unsolved == Unsolved::Taken).then(String::new);
        solvers::find(name).map(|solver| solver.name().to_owned()).or(none)
    };
    let suite = package::load(&layout, forced, solver).map_err(|error| load_error(&error))?;
    let cases = suite.problems.iter().map(|problem| problem.cases.len()).sum();
    Ok(LoadedSuite { layout, suite, cases })
}

fn layout(options: &SuiteOptions) -> Result<Layout, LoadError> {
    match (&options.input, &options.expected) {
        (Some(input), Some(expected)) => Layout::of_folders(input.clone(), expected.clone()),
        _ => Layout::of_suite(&options.suite),
    }
}

pub(super) fn load_error(error: &LoadError) -> CommandError {
    let hint = match error {
        LoadError::NoFolder { .. } => {
            "expected a layout such as input/PROBLEM/CASE.in and expected/PROBLEM/CASE.out; \
             `jury init` makes one"
                .to_owned()
        }
        LoadError::NoProblem { .. } => {
            format!("put it into input/PROBLEM/, or name a solver: --solver {}", names())
        }
        LoadError::NoSolver { problem, .. } => format!(
            "solvers: {}; rename the folder, map it in jury.toml ([problems] {} = \"…\"), \
             or use --solver",
            names(),
            toml_key(problem),
        ),
    };
    CommandError::usage(error.to_string()).hint(hint)
}

/// A name as a key of a TOML file.
fn toml_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.chars().all(bare) { name.to_owned() } else { format!("{name:?}") }
}

fn names() -> String {
    let names: Vec<&str> = solvers::ALL.iter().map(|solver| solver.name()).collect();
    names.join(", ")
}

/// What is said of a solver that does not exist.
pub(super) fn unknown_solver(name: &str) -> String {
    format!("unknown solver `{name}`, expected one of {}", names())
}

/// The plan of the selected cases, which are moved into it; perhaps an empty one.
pub(super) fn select(problems: Vec<Problem>, options: &SuiteOptions, runs: u32) -> Plan {
    let globs = &options.cases;
    let selected =
        |case: &TestCase| globs.is_empty() || globs.iter().any(|glob| glob.matches(&case.name));
    plan::make(problems, selected, runs)
}

/// That no case was selected.
pub(super) fn nothing(loaded: &LoadedSuite, options: &SuiteOptions) -> CommandError {
    let unreadable = |finding: &&Finding| finding.kind == FindingKind::Unreadable;
    if let Some(finding) = loaded.suite.findings.iter().find(unreadable) {
        let message = format!("cannot read {}: {}", finding.path.display(), finding.message);
        return CommandError::usage(message).exit(Exit::Failure).maybe_hint(finding.hint.clone());
    }
    let globs: Vec<String> = options.cases.iter().map(|glob| format!("'{}'", glob.text)).collect();
    let message = if options.cases.is_empty() {
        format!("no test inputs found in {}", loaded.layout.input.display())
    } else {
        let cases = count(loaded.cases, "case");
        let exist = if loaded.cases == 1 { "exists" } else { "exist" };
        format!("no case matches {} ({cases} {exist}; see `jury list`)", globs.join(" or "))
    };
    CommandError::usage(message).exit(Exit::NothingSelected)
}

/// Drops the findings that are about none of the selected cases.
pub(super) fn keep_findings_of(plan: &Plan, findings: &mut Vec<Finding>) {
    let selected: HashSet<&str> =
        plan.jobs.iter().map(|&job| plan.case(job).name.as_str()).collect();
    findings.retain(|finding| finding.case.as_deref().is_some_and(|case| selected.contains(case)));
}

/// A pattern over whole names, or over their last part when it has no `/`.
#[derive(Debug, Clone)]
pub(super) struct NameGlob {
    /// As it was typed.
    pub(super) text: String,
    glob: GlobMatcher,
}

/// Reads the pattern of `--case`. A backslash stands for itself.
pub(super) fn parse_glob(pattern: &str) -> Result<NameGlob, String> {
    let glob = GlobBuilder::new(pattern).backslash_escape(false).build();
    let glob = glob.map_err(|error| error.kind().to_string())?;
    Ok(NameGlob { text: pattern.to_owned(), glob: glob.compile_matcher() })
}

impl NameGlob {
    /// Whether it fits the name.
    pub(super) fn matches(&self, name: &str) -> bool {
        let last = name.rsplit('/').next().unwrap_or(name);
        self.glob.is_match(name) || (!self.text.contains('/') && self.glob.is_match(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_the_whole_name_or_its_last_part() {
        let matches = |pattern: &str, name: &str| parse_glob(pattern).unwrap().matches(name);
        assert!(matches("jsoi-game/03-corridor", "jsoi-game/03-corridor"));
        assert!(matches("03-corridor", "jsoi-game/03-corridor"));
        assert!(matches("jsoi*", "jsoi-game/03-corridor"));
        assert!(matches("jsoi-game/0?-*", "jsoi-game/03-corridor"));
        assert!(!matches("03", "jsoi-game/03-corridor"));
        assert!(!matches("x/03-corridor", "jsoi-game/03-corridor"));
        assert!(matches(&globset::escape("p/[1] *"), "p/[1] *"));
        assert!(!matches(&globset::escape("p/[1] *"), "p/1 x"));
        assert!(matches(&globset::escape(r"p/a\b{c}?!"), r"p/a\b{c}?!"));
    }

    #[test]
    fn a_broken_pattern_is_a_usage_error() {
        assert!(parse_glob("a[").is_err());
    }
}
