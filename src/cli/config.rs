//! `jury.toml`: the nearest one upwards from the working folder, up to the root of the repository.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Display;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstream::adapter::strip_str;
use clap::ValueEnum;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::args::{Arguments, MissingChoice};
use super::error::CommandError;
use super::grade::LimitRules;
use super::options::{Jobs, parse_cgroup, parse_jobs, parse_runs};
use super::suite::NameGlob;
use crate::language::Languages;
use crate::model::Promise;
use crate::sandbox::CgroupChoice;

mod check;
mod files;
mod languages;
mod problem;
mod program;
mod tables;

pub(super) use check::{CheckTable, parse_full_score, parse_passes};
pub(super) use files::FilesTable;
pub(super) use problem::ProblemTable;
pub(super) use program::ProgramTable;

/// The name of the file.
const FILE: &str = "jury.toml";

/// The keys of `[limits]`.
const LIMITS: [&str; 6] = ["memory", "output", "processes", "stack", "time", "wall"];

/// The tables and their keys; a table without keys takes any name.
const KNOWN: [(&str, &[&str]); 9] = [
    ("check", &check::KEYS),
    ("files", &files::KEYS),
    ("interactor", &check::KEYS),
    ("languages", &[]),
    ("limits", &LIMITS),
    ("problems", &[]),
    ("run", &["compare", "jobs", "max_fail", "missing", "runs"]),
    ("sandbox", &["cgroup"]),
    ("submissions", &[]),
];

/// What a configuration says; absent values leave the choice to others.
#[derive(Debug, Clone, Default)]
pub(super) struct Config {
    /// The file, if there is one.
    pub(super) path: Option<PathBuf>,
    /// Problem name to solver name.
    pub(super) problems: BTreeMap<String, String>,
    /// `[problems.NAME]`: problems that are judged in a way of their own.
    pub(super) judged: BTreeMap<String, ProblemTable>,
    /// The table of languages with the changes of `[languages.NAME]`.
    pub(super) languages: Languages,
    /// `[check]`: the checker program.
    pub(super) check: CheckTable,
    /// `[interactor]`: the program that submissions talk to.
    pub(super) interactor: CheckTable,
    /// `[files]`: the names under which programs read and write.
    pub(super) files: FilesTable,
    /// `[run] compare`.
    pub(super) compare: Option<String>,
    /// `[run] jobs`.
    pub(super) jobs: Option<Jobs>,
    /// `[run] max_fail`.
    pub(super) max_fail: Option<u32>,
    /// `[run] missing`.
    pub(super) missing: Option<MissingChoice>,
    /// `[run] runs`.
    pub(super) runs: Option<u32>,
    /// `[sandbox] cgroup`.
    pub(super) cgroup: Option<CgroupChoice>,
    /// Whether there is a `[limits]` table, which only submissions obey.
    pub(super) has_limits: bool,
    /// `[limits]`, `[limits.LANGUAGE]`, `[[limits.case]]`.
    pub(super) limits: LimitRules,
    /// `[submissions]`: what the submissions with matching names promise.
    pub(super) submissions: Vec<(NameGlob, Promise)>,
}

impl Config {
    /// A path that the file names, which is relative to the folder of the file.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.map_or_else(|| path.to_owned(), |folder| folder.join(path))
    }
}

/// Reads the configuration that the arguments name, or the nearest one, or none.
pub(super) fn load(arguments: &Arguments) -> Result<Config, CommandError> {
    load_for(arguments, None)
}

/// The same, but one in this folder is nearer than all others.
pub(super) fn load_for(
    arguments: &Arguments,
    folder: Option<&Path>,
) -> Result<Config, CommandError> {
    let own = folder.map(|folder| folder.join(FILE)).filter(|path| path.is_file());
    let path = match (&arguments.config, arguments.no_config) {
        (_, true) => None,
        (Some(path), false) => Some(path.clone()),
        (None, false) => own.or_else(nearest),
    };
    let Some(path) = path else { return Ok(Config::default()) };
    let unreadable =
        |why: &dyn Display| CommandError::usage(format!("cannot read {}: {why}", path.display()));
    if !fs::metadata(&path).map_err(|error| unreadable(&error))?.is_file() {
        return Err(unreadable(&"it is no regular file"));
    }
    let text = fs::read_to_string(&path).map_err(|error| unreadable(&error))?;
    let config = parse(&text).map_err(|fault| fault.render(&path, &text))?;
    Ok(Config { path: Some(path), ..config })
}

/// The nearest file, named relative to the working folder where it lies in it.
fn nearest() -> Option<PathBuf> {
    let working = env::current_dir().ok()?;
    for folder in working.ancestors() {
        let path = folder.join(FILE);
        if path.symlink_metadata().is_ok() {
            return Some(path.strip_prefix(&working).map_or(path.clone(), Path::to_owned));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// What is wrong in a configuration, and where.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    title: String,
    span: Range<usize>,
    label: String,
    note: Option<String>,
}

impl Fault {
    fn new(title: impl Into<String>, span: Range<usize>) -> Self {
        Self { title: title.into(), span, label: String::new(), note: None }
    }

    fn render(self, path: &Path, text: &str) -> CommandError {
        let end = self.span.end.min(text.len());
        let annotation = AnnotationKind::Primary.span(self.span.start.min(end)..end);
        let label = (!self.label.is_empty()).then_some(self.label.as_str());
        let snippet = Snippet::source(text)
            .path(path.display().to_string())
            .annotation(annotation.label(label));
        let mut group = Level::ERROR.primary_title(self.title.as_str()).element(snippet);
        if let Some(note) = &self.note {
            group = group.element(Level::NOTE.no_name().message(note.as_str()));
        }
        CommandError::rendered(without_empty_rule(&Renderer::styled().render(&[group])))
    }
}

/// The text without the empty rule between a snippet and its note.
fn without_empty_rule(text: &str) -> String {
    let plain: Vec<String> = text.lines().map(|line| strip_str(line).to_string()).collect();
    let is_rule = |index: usize| plain[index].trim() == "|";
    let note_follows =
        |index: usize| plain.get(index + 1).is_some_and(|line| line.trim_start().starts_with('='));
    let kept =
        text.lines().enumerate().filter(|&(index, _)| !(is_rule(index) && note_follows(index)));
    kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

fn parse(text: &str) -> Result<Config, Fault> {
    let document = DeTable::parse(text)
        .map_err(|error| Fault::new(error.message(), error.span().unwrap_or(0..0)))?;
    let mut config = Config::default();
    for (name, value) in document.get_ref() {
        let table = table(name, value)?;
        for (key, value) in table {
            take(&mut config, name.get_ref(), key, value)?;
        }
    }
    tables::known_languages(&config, &document)?;
    Ok(config)
}

fn table<'a>(
    name: &Spanned<std::borrow::Cow<'_, str>>,
    value: &'a Spanned<DeValue<'a>>,
) -> Result<&'a DeTable<'a>, Fault> {
    let tables: Vec<&str> = KNOWN.iter().map(|(table, _)| *table).collect();
    if !tables.contains(&name.get_ref().as_ref()) {
        return Err(unknown(&format!("unknown key `{}`", name.get_ref()), name, &tables));
    }
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        _ => Err(Fault::new(format!("`{}` is a table: [{0}]", name.get_ref()), value.span())),
    }
}

fn unknown(title: &str, key: &Spanned<std::borrow::Cow<'_, str>>, known: &[&str]) -> Fault {
    let close = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(known, key.get_ref()), known))
        .min()
        .filter(|(distance, _)| *distance <= 2);
    Fault {
        title: title.to_owned(),
        span: key.span(),
        label: close.map_or_else(String::new, |(_, close)| format!("did you mean `{close}`?")),
        note: Some(format!("known keys: {}", known.join(", "))),
    }
}

fn take(
    config: &mut Config,
    table: &str,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    let known = KNOWN.iter().find(|(name, _)| *name == table).map_or(&[][..], |(_, keys)| keys);
    let name = key.get_ref().as_ref();
    if table == "limits" && tables::limits(config, name, value)? {
        config.has_limits = true;
        return Ok(());
    }
    if !known.is_empty() && !known.contains(&name) {
        return Err(unknown(&format!("unknown key `{name}` in [{table}]"), key, known));
    }
    match (table, name) {
        ("files", name) => files::take(&mut config.files, name, value)?,
        ("check", name) => check::take(&mut config.check, name, value)?,
        ("interactor", name) => check::take(&mut config.interactor, name, value)?,
        ("problems", name) => problem::take(config, name, value)?,
        ("languages", language) => languages::take(&mut config.languages, language, value)?,
        ("run", "compare") => config.compare = Some(compare(value)?),
        ("run", "jobs") => config.jobs = Some(checked(value, parse_jobs)?),
        ("run", "max_fail") => config.max_fail = Some(checked(value, parse_count)?),
        ("run", "missing") => config.missing = Some(checked(value, parse_missing)?),
        ("run", "runs") => config.runs = Some(checked(value, parse_runs)?),
        ("sandbox", "cgroup") => config.cgroup = Some(checked(value, parse_cgroup)?),
        ("submissions", submission) => tables::promise(config, submission, key.span(), value)?,
        _ => {}
    }
    Ok(())
}

/// A number or a text, read as on the command line.
fn checked<T>(
    value: &Spanned<DeValue<'_>>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Fault> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        _ => return Err(Fault::new("expected a number or a text", value.span())),
    };
    parse(&text).map_err(|message| Fault::new(message, value.span()))
}

fn parse_count(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|&count| count > 0)
        .ok_or(format!("expected a number from 1, found `{text}`"))
}

/// How many processes a run may have beside the first.
fn parse_processes(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= 10_000);
    number.ok_or_else(|| format!("expected a number from 0 to 10000, found `{text}`"))
}

/// A list of texts: a command is never split by a shell.
fn words(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Fault> {
    let DeValue::Array(words) = value.get_ref() else {
        return Err(Fault::new("expected a list of texts: [\"tool\", \"{source}\"]", value.span()));
    };
    words
        .iter()
        .map(|word| match word.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(Fault::new("expected a text", word.span())),
        })
        .collect()
}

fn parse_missing(text: &str) -> Result<MissingChoice, String> {
    MissingChoice::from_str(text, false)
        .map_err(|_| format!("expected fail, warn or skip, found `{text}`"))
}

fn solver(value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
    checked(value, |text| match crate::solvers::find(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(super::suite::unknown_solver(text)),
    })
}

fn compare(value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
    checked(value, |text| match crate::check::parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Sets, Verdict};

    fn fault(text: &str) -> String {
        let error = parse(text).unwrap_err().render(Path::new("jury.toml"), text);
        strip_str(&error.to_string()).to_string()
    }

    #[test]
    fn an_unknown_key_is_shown_in_its_place_with_the_known_ones() {
        assert_eq!(
            fault("# limits\n[limits]\ntiem = 2.0\n"),
            "error: unknown key `tiem` in [limits]
 --> jury.toml:3:1
  |
3 | tiem = 2.0
  | ^^^^ did you mean `time`?
  = known keys: memory, output, processes, stack, time, wall"
        );
        assert!(fault("[rnu]\n").contains("did you mean `run`?"));
    }

    #[test]
    fn values_are_read_as_on_the_command_line() {
        let config = parse("[run]\njobs = \"auto\"\nmissing = \"skip\"\nruns = 3\nmax_fail = 2\n");
        let config = config.unwrap();
        assert_eq!(config.jobs, Some(Jobs::Auto));
        assert_eq!(config.missing, Some(MissingChoice::Skip));
        assert_eq!((config.runs, config.max_fail), (Some(3), Some(2)));
        let group = |text: &str| parse(text).unwrap().cgroup;
        assert_eq!(group("[sandbox]\ncgroup = \"none\"\n"), Some(CgroupChoice::Off));
        assert_eq!(group("[sandbox]\ncgroup = \"/a\"\n"), Some(CgroupChoice::In("/a".into())));
        assert!(fault("[sandbox]\ncgroup = \"v2\"\n").contains("absolute path"));
        for wrong in [
            "jobs = 0",
            "runs = 0",
            "missing = \"no\"",
            "max_fail = 0",
            "jobs = []",
            "compare = \"diff\"",
        ] {
            let text = format!("[run]\n{wrong}\n");
            assert!(fault(&text).contains("jury.toml:2:"), "{}", fault(&text));
        }
    }

    #[test]
    fn problems_map_to_solvers_that_exist() {
        let config = parse("[problems]\ntreasure = \"ali-baba\"\n").unwrap();
        assert_eq!(config.problems["treasure"], "ali-baba");
        assert!(fault("[problems]\nx = \"chess\"\n").contains("unknown solver `chess`"));
    }

    #[test]
    fn a_problem_may_be_judged_in_a_way_of_its_own() {
        let text = "[check]\nprogram = \"a.sh\"\nprotocol = \"exit\"\n[problems]\nx = \"ali-baba\"\n\
                    [problems.b]\ncompare = \"exact\"\n[problems.c.check]\nprogram = \"c.sh\"\n\
                    [problems.d]\nsolver = \"jsoi-game\"\n\
                    [problems.e.interactor]\nprogram = \"e.sh\"\n";
        let config = parse(text).unwrap();
        let own = |name: &str| {
            let own = config.of_problem(name);
            let path = |table: &CheckTable| {
                table.program.program.as_ref().map(|path| path.display().to_string())
            };
            (path(&own.check), own.compare, path(&own.interactor))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(own("x"), (some("a.sh"), None, None));
        assert_eq!(own("b"), (None, some("exact"), None));
        assert_eq!(own("c"), (some("c.sh"), None, None));
        assert_eq!(own("e"), (some("a.sh"), None, some("e.sh")));
        assert_eq!(config.judged.keys().collect::<Vec<_>>(), ["b", "c", "e"]);
        assert_eq!(config.problems["d"], "jsoi-game");
        for (text, part) in [
            ("[problems.a]\ncheck = 1\n", "`check` is a table"),
            ("[problems.a.check]\nprotocol = \"exit\"\n", "needs a `program`"),
            ("[problems.a.check]\nprogam = \"x\"\n", "did you mean `program`?"),
            ("[problems.a]\nchek = 1\n", "did you mean `check`?"),
            ("[problems.a]\ncompare = \"exact\"\ncheck.program = \"x\"\n", "and a comparison"),
        ] {
            assert!(fault(text).contains(part), "{}", fault(text));
        }
    }

    #[test]
    fn broken_syntax_is_shown_in_its_place() {
        assert!(fault("[run\n").contains("jury.toml:1:"), "{}", fault("[run\n"));
        assert!(fault("run = 3\n").contains("`run` is a table"));
    }

    #[test]
    fn limits_hold_for_all_for_a_language_and_for_cases() {
        let config = parse(
            "[limits]\ntime = 1.5\n[limits.java]\nmemory = \"1GiB\"\n\
             [[limits.case]]\npattern = \"secret/*\"\ntime = \"3s\"\n",
        );
        let limits = config.unwrap().limits;
        assert_eq!(limits.all.time.unwrap().as_millis(), 1500);
        assert_eq!(limits.languages[0].0, "java");
        assert_eq!(limits.languages[0].1.memory, Some(1 << 30));
        assert_eq!(limits.cases[0].1.time.unwrap().as_secs(), 3);
        assert!(fault("[limits.c]\ntmie = 1\n").contains("did you mean `time`?"));
        assert!(fault("[[limits.case]]\ntime = 1\n").contains("needs a `pattern`"));
    }

    #[test]
    fn limits_are_for_languages_that_exist() {
        let fault = fault("[limits.pyton]\ntime = 1\n");
        assert!(fault.contains("unknown language `pyton` in [limits]"), "{fault}");
        assert!(fault.contains("jury.toml:1:9"), "{fault}");
        assert!(fault.contains("did you mean `python3`?"), "{fault}");
        let own = "[limits.nim]\ntime = 1\n[languages.nim]\nrun = [\"nim\", \"{source}\"]\n\
                   extensions = [\"nim\"]\n";
        assert_eq!(parse(own).unwrap().limits.languages[0].0, "nim");
    }

    #[test]
    fn promises_are_one_verdict_or_several() {
        let config = parse("[submissions]\n\"a*.c\" = \"ac\"\nslow = [\"WA\", \"TLE\"]\n");
        let submissions = config.unwrap().submissions;
        assert!(submissions[0].0.matches("ab.c"));
        assert_eq!(submissions[0].1, Promise::First(vec![Verdict::Accepted]));
        let several = vec![Verdict::WrongAnswer, Verdict::TimeLimit];
        assert_eq!(submissions[1].1, Promise::First(several));
        assert!(fault("[submissions]\nx = \"OK\"\n").contains("expected one of AC, WA"));
        assert!(fault("[submissions]\nx = []\n").contains("expected at least one verdict"));
    }

    #[test]
    fn promises_are_sets_of_permitted_and_required_verdicts_by_group() {
        let text = "[submissions]\na = { permitted = [\"AC\", \"TLE\"], required = \"TLE\" }\n\
                    [submissions.b]\ngroups.secret = [\"WA\"]\ngroups.\"a/b\" = \"RTE\"\n";
        let submissions = parse(text).unwrap().submissions;
        let first = Sets {
            permitted: vec![Verdict::Accepted, Verdict::TimeLimit],
            required: vec![Verdict::TimeLimit],
            groups: Vec::new(),
        };
        assert_eq!(submissions[0].1, Promise::Sets(first));
        let Promise::Sets(second) = &submissions[1].1 else { panic!("no sets") };
        let groups = [("a/b", vec![Verdict::RuntimeError]), ("secret", vec![Verdict::WrongAnswer])];
        assert_eq!(second.groups, groups.map(|(name, verdicts)| (name.to_owned(), verdicts)));
        let set = |text: &str| fault(&format!("[submissions]\nx = {text}\n"));
        assert!(set("{ permited = [\"AC\"] }").contains("did you mean `permitted`?"));
        assert!(set("{}").contains("expected permitted, required or groups"));
        let never = set("{ permitted = [\"AC\"], required = [\"WA\"] }");
        assert!(never.contains("`WA` is required and not permitted"), "{never}");
        assert!(set("{ groups = [\"AC\"] }").contains("expected a table of test groups"));
    }

    #[test]
    fn limits_are_known_but_only_noted() {
        assert!(parse("[limits]\ntime = 2.0\nmemory = \"256MiB\"\n").unwrap().has_limits);
    }
}
