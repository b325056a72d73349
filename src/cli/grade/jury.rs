//! Programs of the jury: found, completed with the headers that they ask for, compiled as any
//! submission, started under limits of their own.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::args::GradeOptions;
use super::programs::{spec, with_log};
use crate::check::program::{ProgramChecker, Protocol};
use crate::cli::Exit;
use crate::cli::config::{CheckTable, Config, ProgramTable};
use crate::cli::error::CommandError;
use crate::compile::{self, CompileFault, Compiler};
use crate::execute::Workers;
use crate::language::{self, Form, Language, Source, SourceFile};
use crate::sandbox::{RunLimits, Spec};

/// CPU time of a program of the jury when nothing else is said.
const TIME: Duration = Duration::from_secs(10);

/// Its memory when nothing else is said.
const MEMORY: u64 = 1 << 30;

/// Bytes that it may write when nothing else is said.
const OUTPUT: u64 = 64 << 20;

/// A program of the jury that is ready to be compiled.
#[derive(Debug)]
pub(super) struct JuryProgram {
    /// What it is for: `checker`.
    role: &'static str,
    /// What people call it.
    pub(super) name: String,
    source: Source,
    language: Language,
    table: ProgramTable,
}

impl JuryProgram {
    /// The program at `path`. Headers that it includes are taken from its own folder, from
    /// `include` of the table, and from `problem`, the first that has them.
    pub(super) fn load(
        role: &'static str,
        path: &Path,
        table: &ProgramTable,
        config: &Config,
        problem: Option<&Path>,
    ) -> Result<Self, CommandError> {
        let fault = |reason: String| CommandError::usage(format!("{role} {reason}"));
        if !path.exists() {
            return Err(fault(format!("not found: {}", path.display())));
        }
        let mut source = Source::load(path).map_err(|error| fault(error.to_string()))?;
        let include = table.include.as_deref().map(|folder| config.resolve(folder));
        if let Some(folder) = include.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(fault(format!("headers: no folder {}", folder.display())));
        }
        let own = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
        let folders = [Some(own), include.as_deref(), problem];
        add_headers(&mut source, &folders.into_iter().flatten().collect::<Vec<_>>())?;
        let language = language::detect(&source, &config.languages)
            .map_err(|error| fault(error.to_string()).hint("`jury doctor` lists the languages"))?;
        let language = language.clone();
        Ok(Self { role, name: source.name.clone(), source, language, table: table.clone() })
    }

    /// Builds it.
    fn compile(
        &self,
        compiler: &Compiler,
        worker: usize,
    ) -> Result<compile::Program, CommandError> {
        let what = format!("{} {}", self.role, self.name);
        let failed = |text: String| CommandError::usage(text).exit(Exit::Failure);
        compiler.compile(worker, &self.source, &self.language).map_err(|fault| match fault {
            CompileFault::Failed { reason, log } => {
                failed(format!("{what} does not compile: {}", with_log(&reason, &log.text)))
            }
            fault => failed(format!("{what}: {fault}")),
        })
    }

    /// Builds it with a runner of these workers, to be run by them and to speak this protocol.
    pub(super) fn build(
        &self,
        workers: &Arc<Workers>,
        cache: &Path,
        protocol: &'static Protocol,
        full_score: f64,
        passes: u32,
    ) -> Result<ProgramChecker, CommandError> {
        let unusable =
            |error| CommandError::usage(format!("cannot use {}: {error}", cache.display()));
        let compiler = Compiler::new(workers.sandbox(), cache).map_err(unusable)?;
        let program = workers.with(|worker| self.compile(&compiler, worker))?;
        let spec = self.spec(&program);
        let workers = Arc::clone(workers);
        // The files of the program stay as long as it lives.
        let run = move |spec: &Spec| {
            let _program = &program;
            workers.run(spec.clone())
        };
        let (name, args) = (self.name.clone(), self.args().to_vec());
        let run = Box::new(run);
        Ok(ProgramChecker { name, protocol, spec, args, full_score, passes, run })
    }

    /// What it may use.
    pub(super) fn limits(&self) -> RunLimits {
        let time = self.table.time.unwrap_or(TIME);
        let output = self.table.output.unwrap_or(OUTPUT);
        RunLimits {
            cpu: time,
            wall: self.table.wall.unwrap_or(time * 2 + Duration::from_secs(1)),
            memory: self.table.memory.unwrap_or(MEMORY),
            output,
            file_size: output,
            processes: self.table.processes.unwrap_or(self.language.allowances.processes),
            ..RunLimits::default()
        }
    }

    /// Whether one of its files includes this header.
    pub(super) fn includes(&self, header: &str) -> bool {
        self.source.files.iter().any(|file| included(&file.content).iter().any(|h| h == header))
    }

    /// Its arguments behind those that its task gives it.
    pub(super) fn args(&self) -> &[String] {
        &self.table.args
    }

    /// The title of its language.
    pub(super) fn language(&self) -> &str {
        &self.language.title
    }

    /// A run of it, without arguments and files.
    fn spec(&self, program: &compile::Program) -> Spec {
        let limits = self.limits();
        let mut spec = spec(program, limits.memory, limits.memory);
        spec.limits = RunLimits { address_space: spec.limits.address_space, ..limits };
        spec
    }

    /// Equal for equal files, way to build them, arguments and limits.
    pub(super) fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(self.source.path.as_os_str().as_encoded_bytes());
        add(format!("{:?} {:?}", self.language, self.table).as_bytes());
        if self.source.form == Form::Executable {
            add(&fs::read(&self.source.path).unwrap_or_default());
        }
        for file in &self.source.files {
            add(file.name.as_bytes());
            add(&file.content);
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// How many passes a case may have with a program of this protocol.
pub(super) fn passes(
    options: &GradeOptions,
    table: &CheckTable,
    protocol: &Protocol,
) -> Result<u32, CommandError> {
    let passes = options.passes.or(table.passes).unwrap_or(1);
    if passes > 1 && protocol.next.is_none() {
        let name = protocol.name;
        let message = format!("passes = {passes}: a program of protocol {name} cannot ask for one");
        return Err(CommandError::usage(message).hint("kattis and icpc know further passes"));
    }
    Ok(passes)
}

/// Further passes, as they are told behind the protocol.
pub(super) fn told(passes: u32) -> String {
    if passes > 1 { format!(", up to {passes} passes") } else { String::new() }
}

/// The most headers that are added.
const MOST_HEADERS: usize = 100;

/// Adds the headers that the files include by name and that lie in one of the folders. Others are
/// left to the compiler, but for the one that everybody knows.
fn add_headers(source: &mut Source, folders: &[&Path]) -> Result<(), CommandError> {
    let mut open: VecDeque<String> =
        source.files.iter().flat_map(|file| included(&file.content)).collect();
    while let Some(name) = open.pop_front() {
        if source.files.iter().any(|file| file.name == name) || source.files.len() > MOST_HEADERS {
            continue;
        }
        let found = folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file());
        let Some(path) = found else {
            if name == TESTLIB {
                return Err(no_testlib(&source.name, folders));
            }
            continue;
        };
        let content = fs::read(&path).map_err(|error| {
            CommandError::usage(format!("cannot read {}: {error}", path.display()))
        })?;
        open.extend(included(&content));
        source.files.push(SourceFile { name, content });
    }
    Ok(())
}

pub(super) const TESTLIB: &str = "testlib.h";

fn no_testlib(name: &str, folders: &[&Path]) -> CommandError {
    let mut shown: Vec<String> = Vec::new();
    for folder in folders {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let path = folder.join(TESTLIB).display().to_string();
        if !shown.contains(&path) {
            shown.push(path);
        }
    }
    CommandError::usage(format!("{name} includes {TESTLIB}, which is not there")).hint(format!(
        "looked for {}; put it beside the program, or name its folder: include = \"DIR\" in \
             jury.toml. It is never downloaded",
        shown.join(", ")
    ))
}

/// The names in `#include "NAME"`, without those that lead out of the folder.
pub(super) fn included(content: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(content);
    let names = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let (name, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        (inside && !name.is_empty() && !name.starts_with(['-', '@'])).then(|| name.to_owned())
    });
    names.collect()
}

/// The path that the configuration names, relative to its folder.
pub(super) fn configured(table: &ProgramTable, config: &Config) -> Option<PathBuf> {
    table.program.as_deref().map(|path| config.resolve(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_by_their_names_and_never_outside() {
        let text = b"#include \"testlib.h\"\n # include \"a/b.h\" // c\n#include <vector>\n\
                     #include \"../x.h\"\n#include \"/etc/passwd\"\n";
        assert_eq!(included(text), ["testlib.h", "a/b.h"]);
    }

    #[test]
    fn headers_of_headers_are_added_once_and_a_missing_testlib_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("check.cpp", "#include \"testlib.h\"\n");
        let path = folder.path().join("check.cpp");
        let mut source = Source::load(&path).unwrap();
        let fault = add_headers(&mut source, &[folder.path()]).unwrap_err().to_string();
        assert!(fault.contains("includes testlib.h, which is not there"), "{fault}");
        write("testlib.h", "#include \"more.h\"\n#include \"none.h\"\n");
        write("more.h", "#include \"testlib.h\"\n");
        add_headers(&mut source, &[folder.path()]).unwrap();
        let names: Vec<&str> = source.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["check.cpp", "testlib.h", "more.h"]);
    }
}
