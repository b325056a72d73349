//! The languages of a run: the table, changed by the configuration.

use std::time::Duration;

use super::table::{ALL, native};
use super::template::unknown_placeholder;
use super::{Allowances, Entry, Language, Row, RowToolchain, Toolchain};

/// What `[languages.NAME]` says; absent values leave the row as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Override {
    /// The name for people.
    pub title: Option<String>,
    /// The command that builds or checks; empty for none.
    pub compile: Option<Vec<String>>,
    /// The files that building makes and a run needs.
    pub outputs: Option<Vec<String>>,
    /// The command that runs.
    pub run: Option<Vec<String>>,
    /// The command whose output names the version.
    pub version: Option<Vec<String>>,
    /// Extensions, which no other language has then.
    pub extensions: Option<Vec<String>>,
    /// The time limit is multiplied by this.
    pub time_factor: Option<f64>,
    /// Then this is added to the time limit.
    pub time_extra: Option<Duration>,
    /// Bytes that are added to the memory limit.
    pub memory_extra: Option<u64>,
    /// Processes at a time besides the first.
    pub processes: Option<u32>,
}

/// The languages of a run, in the order of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Languages {
    all: Vec<Language>,
    executable: Language,
}

impl Default for Languages {
    fn default() -> Self {
        Self {
            all: ALL.iter().map(Language::from).collect(),
            executable: Language::from(&native::EXECUTABLE),
        }
    }
}

impl Languages {
    /// Every language.
    #[must_use]
    pub fn all(&self) -> &[Language] {
        &self.all
    }

    /// What programs that are there already are run as.
    #[must_use]
    pub fn executable(&self) -> &Language {
        &self.executable
    }

    /// The language of this short name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Language> {
        self.all.iter().find(|language| language.name == name)
    }

    pub(super) fn of_extension(&self, extension: &str) -> Option<&Language> {
        let has = |language: &&Language| language.extensions.iter().any(|name| name == extension);
        self.all.iter().find(has)
    }

    pub(super) fn of_interpreter(&self, interpreter: &str) -> Option<&Language> {
        let has = |language: &&Language| language.interpreters.iter().any(|n| n == interpreter);
        self.all.iter().find(has)
    }

    /// Changes the row of this name, or adds one.
    ///
    /// # Errors
    /// In words, when a new row has no run command or no extension, or a command has a placeholder
    /// that does not exist.
    pub fn apply(&mut self, name: &str, change: &Override) -> Result<(), String> {
        let commands = [&change.compile, &change.run, &change.version];
        for argument in commands.into_iter().flatten().flatten() {
            if let Some(unknown) = unknown_placeholder(argument) {
                return Err(format!("unknown placeholder {{{unknown}}}"));
            }
        }
        if change.run.as_ref().is_some_and(Vec::is_empty) {
            return Err("the run command is empty".to_owned());
        }
        if let Some(extensions) = &change.extensions {
            self.take_extensions(extensions);
        }
        match self.all.iter_mut().find(|language| language.name == name) {
            Some(language) => language.change(change),
            None => self.all.push(new(name, change)?),
        }
        Ok(())
    }

    /// Takes extensions away from those that have them.
    fn take_extensions(&mut self, extensions: &[String]) {
        for language in &mut self.all {
            language.extensions.retain(|name| !extensions.contains(name));
        }
    }
}

/// A language that the table does not have.
fn new(name: &str, change: &Override) -> Result<Language, String> {
    if change.run.is_none() || change.extensions.is_none() {
        return Err(format!("the new language `{name}` needs `run` and `extensions`"));
    }
    let mut language = Language { name: name.to_owned(), ..Language::from(&native::EXECUTABLE) };
    name.clone_into(&mut language.title);
    language.entry = Entry::Main;
    language.toolchains = vec![Toolchain::default()];
    language.change(change);
    Ok(language)
}

impl Language {
    fn change(&mut self, change: &Override) {
        if let Some(title) = &change.title {
            title.clone_into(&mut self.title);
        }
        if let Some(extensions) = &change.extensions {
            extensions.clone_into(&mut self.extensions);
        }
        for toolchain in &mut self.toolchains {
            toolchain.change(change.compile.as_ref(), change);
        }
        self.toolchains.dedup();
        let allowances = &mut self.allowances;
        *allowances = Allowances {
            time_factor: change.time_factor.unwrap_or(allowances.time_factor),
            time_extra: change.time_extra.unwrap_or(allowances.time_extra),
            memory_extra: change.memory_extra.unwrap_or(allowances.memory_extra),
            processes: change.processes.unwrap_or(allowances.processes),
            ..*allowances
        };
    }
}

impl Toolchain {
    /// A command that is changed brings its own needs.
    fn change(&mut self, compile: Option<&Vec<String>>, change: &Override) {
        if let Some(compile) = compile {
            self.compile = Some(compile.clone()).filter(|command| !command.is_empty());
            self.needs.clear();
        }
        if let Some(run) = &change.run {
            run.clone_into(&mut self.run);
        }
        if let Some(version) = &change.version {
            version.clone_into(&mut self.version);
        } else if compile.is_some() && change.run.is_some() {
            self.version.clear();
        }
        let asks_binary =
            compile.is_some() && self.run.iter().any(|word| word.contains("{binary}"));
        match &change.outputs {
            Some(outputs) => outputs.clone_into(&mut self.outputs),
            None if asks_binary && self.outputs.is_empty() => {
                self.outputs = vec!["program".to_owned()];
            }
            None => {}
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

impl From<&Row> for Language {
    fn from(row: &Row) -> Self {
        Self {
            name: row.name.to_owned(),
            title: row.title.to_owned(),
            extensions: owned(row.extensions),
            interpreters: owned(row.interpreters),
            toolchains: row.toolchains.iter().map(Toolchain::from).collect(),
            allowances: row.allowances,
            entry: row.entry,
        }
    }
}

impl From<&RowToolchain> for Toolchain {
    fn from(row: &RowToolchain) -> Self {
        let pair = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        Self {
            compile: (!row.compile.is_empty()).then(|| owned(row.compile)),
            outputs: owned(row.outputs),
            run: owned(row.run),
            version: owned(row.version),
            needs: owned(row.needs),
            environment: row.environment.iter().map(pair).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_of_the_table_are_unique_and_every_row_is_whole() {
        let mut names = std::collections::BTreeSet::new();
        let mut extensions = std::collections::BTreeSet::new();
        for row in ALL {
            assert!(names.insert(row.name), "{}", row.name);
            assert!(!row.title.is_empty() && !row.toolchains.is_empty(), "{}", row.name);
            for extension in row.extensions {
                assert!(extensions.insert(extension), "{extension}");
                assert_eq!(*extension, extension.to_lowercase());
            }
            for chain in row.toolchains {
                assert!(!chain.run.is_empty() && !chain.version.is_empty(), "{}", row.name);
                for word in chain.compile.iter().chain(chain.run) {
                    assert_eq!(unknown_placeholder(word), None, "{}: {word}", row.name);
                }
            }
        }
        assert_eq!(names.len(), 28);
    }

    #[test]
    fn a_runtime_that_reserves_memory_is_never_limited_by_address_space() {
        for name in ["java", "kotlin", "scala", "go", "javascript", "typescript", "csharp"] {
            let row = ALL.iter().find(|row| row.name == name).unwrap();
            assert_eq!(row.allowances.address_space, super::super::AddressSpace::Never, "{name}");
        }
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_row_is_changed_and_takes_its_extensions_from_others() {
        let mut languages = Languages::default();
        let change = Override {
            extensions: Some(words("py")),
            time_factor: Some(2.0),
            run: Some(words("pypy3 {source}")),
            ..Override::default()
        };
        languages.apply("pypy3", &change).unwrap();
        assert_eq!(languages.of_extension("py").unwrap().name, "pypy3");
        let row = languages.find("pypy3").unwrap();
        assert!((row.allowances.time_factor - 2.0).abs() < 1e-9);
        assert_eq!(row.toolchains[0].run, words("pypy3 {source}"));
        assert!(row.toolchains[0].compile.is_some());
    }

    #[test]
    fn a_new_row_needs_a_run_command_and_an_extension() {
        let mut languages = Languages::default();
        let change = Override {
            compile: Some(words("nimc -o:{binary} {source}")),
            run: Some(words("{binary}")),
            extensions: Some(words("nim")),
            ..Override::default()
        };
        assert!(languages.apply("nim", &Override { run: None, ..change.clone() }).is_err());
        languages.apply("nim", &change).unwrap();
        let nim = languages.of_extension("nim").unwrap();
        assert_eq!(nim.tools(), ["nimc"]);
        assert_eq!(nim.toolchains[0].outputs, ["program"]);
        let wrong = Override { run: Some(words("{binray}")), ..Override::default() };
        assert_eq!(languages.apply("c", &wrong).unwrap_err(), "unknown placeholder {binray}");
    }

    #[test]
    fn a_compile_command_of_ones_own_needs_no_other_compiler() {
        let mut languages = Languages::default();
        let change = Override {
            compile: Some(words("clang++ -O3 -o {binary} {sources}")),
            version: Some(words("clang++ --version")),
            ..Override::default()
        };
        languages.apply("cpp", &change).unwrap();
        let row = languages.find("cpp").unwrap();
        assert_eq!((row.toolchains.len(), row.tools()), (1, vec!["clang++"]));
    }
}
