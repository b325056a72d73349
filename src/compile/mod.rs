//! From a submission and its language to a program that can be run.
//!
//! A compiler is as little trusted as what it compiles: it runs in the sandbox, with limits of its
//! own, and sees neither test data nor other submissions. Programs are kept by content: the same
//! sources, commands and compiler give the same program without another build.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::language::{self, Entry, Form, Language, Source, SourceFile, Values};
use crate::sandbox::{Layer, LevelReport, Sandbox};

pub use folder::CacheFolder;
pub use installed::{Installed, find};
pub use program::{Log, Origin, Program};
pub use tools::{Tool, Tools, User, version_of};

use build::Build;
use cache::{Cache, Draft};

mod build;
mod cache;
mod folder;
mod installed;
mod program;
mod tools;

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum CompileFault {
    /// This machine lacks the language's tools: `looked for g++, clang++`.
    #[error("{language} is not installed: {reason}")]
    NotInstalled {
        /// The title of the language.
        language: String,
        /// What was looked for.
        reason: String,
    },
    /// The compiler refused the submission, or went past its limits: `CE`.
    #[error("{reason}")]
    Failed {
        /// Why, in one line.
        reason: String,
        /// What the compiler said.
        log: Log,
    },
    /// The judge's own part failed: `JE`.
    #[error("cannot compile: {reason}")]
    Broken {
        /// Why, in one line.
        reason: String,
    },
    /// The sandbox was stopped.
    #[error("stopped")]
    Stopped,
}

impl CompileFault {
    fn io(error: &io::Error) -> Self {
        Self::Broken { reason: error.to_string() }
    }
}

/// Bytes of built programs that are kept.
const CACHE_BYTES: u64 = 1 << 30;

/// Builds programs and keeps them. Threads may share one.
#[derive(Debug)]
pub struct Compiler<'a> {
    sandbox: &'a Sandbox,
    cache: Cache,
    tools: Mutex<Tools>,
}

impl<'a> Compiler<'a> {
    /// A compiler that works in this sandbox and keeps programs in this folder, which is made
    /// where it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(sandbox: &'a Sandbox, cache: &Path) -> io::Result<Self> {
        Self::bounded(sandbox, cache, CACHE_BYTES)
    }

    /// The same with another bound of the bytes that are kept.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn bounded(sandbox: &'a Sandbox, cache: &Path, most_bytes: u64) -> io::Result<Self> {
        let cache = Cache::open(cache, most_bytes)?;
        Ok(Self { sandbox, cache, tools: Mutex::new(Tools::new(User::of(sandbox.report()))) })
    }

    /// The tools of a language on this machine.
    ///
    /// # Errors
    /// [`CompileFault::NotInstalled`].
    pub fn installed(&self, language: &Language) -> Result<Installed, CompileFault> {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let version = |tool: &Path, arguments: &[String]| self.version(tool, arguments);
        find(language, &mut tools, version).map_err(|reason| CompileFault::NotInstalled {
            language: language.title.clone(),
            reason,
        })
    }

    /// What the version command prints, remembered as long as the tool stays the same.
    fn version(&self, tool: &Path, arguments: &[String]) -> Option<String> {
        let stamp = format!("{} {arguments:?}", tools::stamp(tool));
        if let Some(known) = self.cache.version(&stamp) {
            return Some(known);
        }
        let version = version_of(tool, arguments)?;
        // Not being able to remember it only costs time.
        let _ = self.cache.remember(&stamp, &version);
        Some(version)
    }

    /// The program of a submission, built on the runner of this worker unless it is there already.
    ///
    /// # Errors
    /// When the language is not installed, the compiler refuses, or the judge's own part fails.
    pub fn compile(
        &self,
        worker: usize,
        source: &Source,
        language: &Language,
    ) -> Result<Program, CompileFault> {
        if source.form == Form::Executable {
            return given(source, language);
        }
        let installed = self.installed(language)?;
        let layout = Layout::new(source, language, &installed)?;
        let key = key(&layout, language, &installed);
        if let Some(entry) = self.cache.get(&key) {
            return layout.program(language, &installed, entry, Origin::Cached);
        }
        let draft = self.cache.draft().map_err(|error| CompileFault::io(&error))?;
        layout.write(&draft).map_err(|error| CompileFault::io(&error))?;
        let log = layout.build(&installed).run(self.sandbox, worker, &draft)?;
        finish(&draft, &log).map_err(|error| CompileFault::io(&error))?;
        let entry = self.cache.keep(draft, &key).map_err(|error| CompileFault::io(&error))?;
        layout.program(language, &installed, entry, Origin::Built)
    }
}

impl User {
    /// Who uses the tools in a sandbox.
    #[must_use]
    pub fn of(report: &LevelReport) -> Self {
        let other = report.user.is_some() && !report.layers.has(Layer::Namespaces);
        if other { Self::Other } else { Self::Judge }
    }
}

/// A program that is there already.
fn given(source: &Source, language: &Language) -> Result<Program, CompileFault> {
    let path = fs::canonicalize(&source.path).map_err(|error| CompileFault::io(&error))?;
    let binary = path.to_str().map(str::to_owned);
    let reason = || format!("{}: the name is no UTF-8", path.display());
    let binary = binary.ok_or_else(|| CompileFault::Broken { reason: reason() })?;
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Ok(Program {
        language: language.title.clone(),
        version: String::new(),
        command: Vec::new(),
        visible: vec![path],
        allowances: language.allowances,
        log: Log::default(),
        origin: Origin::Given,
        run: vec!["{binary}".to_owned()],
        environment: vec![
            variable("PATH", "/usr/local/bin:/usr/bin:/bin"),
            variable("LANG", "C.UTF-8"),
        ],
        values: Values { binary, ..Values::default() },
        entry: None,
    })
}

/// The files of a submission under the names that the tools get, and what comes out.
struct Layout<'a> {
    /// All files, with their names.
    files: Vec<(String, &'a SourceFile)>,
    /// The names of the language's own files, the entry last.
    sources: Vec<String>,
    /// The name of the entry file.
    source: String,
    /// The names of the files that building makes.
    outputs: Vec<String>,
    /// The class with the main method, where a language needs one.
    main_class: String,
}

impl<'a> Layout<'a> {
    fn new(
        source: &'a Source,
        language: &Language,
        installed: &Installed,
    ) -> Result<Self, CompileFault> {
        let alone = source.files.len() == 1;
        let mine = |file: &&SourceFile| alone || language.claims(&file.name);
        let own: Vec<&SourceFile> = source.files.iter().filter(mine).collect();
        let entry = language::entry_file(&own, language.entry, &source.name);
        let entry = entry.ok_or_else(|| no_entry(&own, &language.title))?;
        let name = |file: &SourceFile| {
            if alone { language::file_name(file, language) } else { file.name.clone() }
        };
        let mut sources: Vec<String> = own.iter().map(|&file| name(file)).collect();
        let start = sources.remove(entry);
        sources.push(start.clone());
        let files = source.files.iter().map(|file| (name(file), file)).collect();
        let outputs = outputs(&installed.toolchain.outputs, &sources);
        let main_class = main_class(own[entry], language)?;
        Ok(Self { files, sources, source: start, outputs, main_class })
    }

    fn write(&self, draft: &Draft) -> io::Result<()> {
        let targets = [draft.sources(), draft.files()];
        let targets = if self.outputs.is_empty() { &targets[..] } else { &targets[..1] };
        for target in targets {
            for (name, file) in &self.files {
                let path = target.join(name);
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(&path, &file.content)?;
                fs::set_permissions(&path, Permissions::from_mode(0o644))?;
            }
        }
        Ok(())
    }

    fn build<'b>(&self, installed: &'b Installed) -> Build<'b> {
        let values = Values {
            source: self.source.clone(),
            sources: self.sources.clone(),
            dir: ".".to_owned(),
            binary: self.outputs.first().cloned().unwrap_or_else(|| "program".to_owned()),
            main_class: self.main_class.clone(),
            tools: installed.values(),
            ..Values::default()
        };
        Build {
            installed,
            values,
            names: self.files.iter().map(|(name, _)| name.clone()).collect(),
            outputs: self.outputs.clone(),
        }
    }

    fn program(
        &self,
        language: &Language,
        installed: &Installed,
        entry: cache::Entry,
        origin: Origin,
    ) -> Result<Program, CompileFault> {
        let folder = entry.folder.join(cache::FILES);
        let log = fs::read_to_string(entry.folder.join(cache::LOG))
            .map_err(|error| CompileFault::io(&error))?;
        let (total, text) = log.split_once('\n').unwrap_or(("0", ""));
        let mut visible = installed.visible();
        visible.push(folder.clone());
        Ok(Program {
            language: language.title.clone(),
            version: installed.version().to_owned(),
            command: self.build(installed).command(),
            visible,
            allowances: language.allowances,
            log: Log { text: text.to_owned(), total: total.parse().unwrap_or_default() },
            origin,
            run: installed.absolute(&installed.toolchain.run),
            environment: build::environment(installed),
            values: self.run_values(&folder, installed),
            entry: Some(Arc::new(entry)),
        })
    }

    fn run_values(&self, folder: &Path, installed: &Installed) -> Values {
        let path = |name: &String| folder.join(name).display().to_string();
        let built = !self.outputs.is_empty() && self.outputs.len() == self.sources.len();
        let by_source = built && installed.toolchain.outputs.iter().any(|name| name == "*.js");
        let sources = if by_source { &self.outputs } else { &self.sources };
        Values {
            source: sources.last().map(path).unwrap_or_default(),
            sources: sources.iter().map(path).collect(),
            dir: folder.display().to_string(),
            binary: self.outputs.first().map(path).unwrap_or_default(),
            main_class: self.main_class.clone(),
            tools: installed.values(),
            ..Values::default()
        }
    }
}

/// Writes what the compiler said into the draft: an entry without it is none.
fn finish(draft: &Draft, log: &Log) -> io::Result<()> {
    fs::write(draft.log(), format!("{}\n{}", log.total, log.text))
}

fn no_entry(files: &[&SourceFile], language: &str) -> CompileFault {
    let reason = if files.is_empty() {
        format!("no source file of {language}")
    } else {
        let number = files.len();
        format!("{number} files of {language}, and none is named main or as the folder")
    };
    CompileFault::Failed { reason, log: Log::default() }
}

/// The names of the files that building makes; `*.js` is one for each source.
fn outputs(templates: &[String], sources: &[String]) -> Vec<String> {
    let mut outputs = Vec::new();
    for template in templates {
        match template.strip_prefix("*.") {
            None => outputs.push(template.clone()),
            Some(extension) => outputs.extend(sources.iter().map(|source| {
                let path = Path::new(source).with_extension(extension);
                path.display().to_string()
            })),
        }
    }
    outputs
}

fn main_class(entry: &SourceFile, language: &Language) -> Result<String, CompileFault> {
    if language.entry != Entry::Class {
        return Ok(String::new());
    }
    language::main_class(&entry.content).ok_or_else(|| CompileFault::Failed {
        reason: "no class with a main method".to_owned(),
        log: Log::default(),
    })
}

/// The hash of all that a program is made from.
fn key(layout: &Layout<'_>, language: &Language, installed: &Installed) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(b"jury program 1");
    add(language.name.as_bytes());
    let toolchain = &installed.toolchain;
    let tools: Vec<&PathBuf> = installed.tools.iter().map(|(_, tool)| &tool.path).collect();
    add(format!("{:?} {tools:?}", (&toolchain.compile, &layout.outputs, &toolchain.environment))
        .as_bytes());
    add(installed.version_text.as_bytes());
    add(layout.source.as_bytes());
    for (name, file) in &layout.files {
        add(name.as_bytes());
        add(&file.content);
    }
    hasher.finalize().to_hex().to_string()
}
