//! Every language of the table that is installed builds and runs a program, refuses a broken one,
//! shows a failing one, and can call deeply. What is not installed is named on stderr.
//!
//! `cargo test --release --test languages -- NAME...` tries only these languages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "without a harness the test speaks for itself")]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use jury::compile::{CompileFault, Compiler, Origin, Program};
use jury::language::{AddressSpace, Language, Languages, Source, detect};
use jury::sandbox::{self, Ended, Input, Level, Options, Ran, RunLimits, Sandbox, Spec};

use programs::Programs;

mod programs;

/// Memory and stack of every run, in bytes.
const MEMORY: u64 = 512 << 20;

/// The place where a test works.
struct Bench<'a> {
    sandbox: &'a Sandbox,
    compiler: Compiler<'a>,
    folder: &'a Path,
    languages: Languages,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let folder = open_folder();
    let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
    let sandbox = Sandbox::open(Level::Auto, 1, &options).unwrap();
    let bench = Bench {
        sandbox: &sandbox,
        compiler: Compiler::new(&sandbox, &folder.path().join("cache")).unwrap(),
        folder: folder.path(),
        languages: Languages::default(),
    };
    println!("\nsandbox: {}", sandbox.report());
    let (mut tried, mut skipped, mut failed) = (0, Vec::new(), Vec::new());
    for language in bench.languages.all() {
        if !wanted.is_empty() && !wanted.iter().any(|name| language.name.contains(*name)) {
            continue;
        }
        match bench.compiler.installed(language) {
            Err(CompileFault::NotInstalled { language, reason }) => {
                println!("skipped: {language} (not installed: {reason})");
                skipped.push(language);
            }
            Err(fault) => panic!("{fault}"),
            Ok(installed) => {
                tried += 1;
                let passed = catch_unwind(AssertUnwindSafe(|| bench.language(language)));
                let word = if passed.is_ok() { "ok" } else { "FAILED" };
                println!("{word}: {} ({})", language.title, installed.version());
                if passed.is_err() {
                    failed.push(language.title.as_str());
                }
            }
        }
    }
    println!("{tried} languages tried, {} skipped, {} failed", skipped.len(), failed.len());
    if !skipped.is_empty() {
        println!("skipped: {}", skipped.join(", "));
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A temporary folder that everybody can enter, for runs may be another user's.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

impl Bench<'_> {
    fn language(&self, language: &Language) {
        let programs = programs::ALL.iter().find(|programs| programs.name == language.name);
        let programs = programs.unwrap_or_else(|| panic!("no programs for {}", language.name));
        self.sum(language, programs);
        self.broken(language, programs);
        self.failing(language, programs);
        self.deep(language, programs);
    }

    fn sum(&self, language: &Language, programs: &Programs) {
        let source = self.source(programs.file, programs.sum);
        assert_eq!(detect(&source, &self.languages).unwrap().name, language.name);
        let program = self.compiler.compile(0, &source, language).unwrap_or_else(|fault| {
            panic!("{}: sum: {}", language.name, explain(&fault));
        });
        assert_eq!(program.origin, Origin::Built, "{}", language.name);
        let (ran, out, err) = self.run(&program);
        assert_eq!((ran.ended, out.trim()), (Ended::Exited(0), "42"), "{}: {err}", language.name);
        println!(
            "    {}: sum {:.3} s, {} MiB",
            language.name,
            ran.cpu().as_secs_f64(),
            ran.memory_peak >> 20
        );
        let again = self.compiler.compile(0, &source, language).unwrap();
        assert_eq!(again.origin, Origin::Cached, "{}", language.name);
        assert_eq!(again.folder(), program.folder());
    }

    fn broken(&self, language: &Language, programs: &Programs) {
        let source = self.source(programs.file, programs.broken);
        match self.compiler.compile(0, &source, language) {
            Err(CompileFault::Failed { log, .. }) => {
                assert!(!log.is_empty(), "{}: no message", language.name);
            }
            other => panic!("{}: a broken program gave {other:?}", language.name),
        }
    }

    fn failing(&self, language: &Language, programs: &Programs) {
        let source = self.source(programs.file, programs.failing);
        let program = self.compiler.compile(0, &source, language).unwrap();
        let (ran, out, _) = self.run(&program);
        let failed = match ran.ended {
            Ended::Exited(code) => code != 0,
            Ended::Signaled(_) => true,
            Ended::Over(_) | Ended::NotStarted(_) | Ended::NotSetUp(_) => false,
        };
        assert!(failed, "{}: {:?} {out}", language.name, ran.ended);
    }

    fn deep(&self, language: &Language, programs: &Programs) {
        if programs.deep.is_empty() {
            return;
        }
        let source = self.source(programs.file, programs.deep);
        let program = self.compiler.compile(0, &source, language).unwrap();
        let (ran, out, err) = self.run(&program);
        let end = (ran.ended, out.trim());
        assert_eq!(end, (Ended::Exited(0), "100000"), "{}: deep: {err}", language.name);
    }

    fn source(&self, file: &str, content: &str) -> Source {
        let path = self.folder.join(file);
        fs::write(&path, content).unwrap();
        Source::load(&path).unwrap()
    }

    /// One run on the numbers 40 and 2: how it ended, its output, its messages.
    fn run(&self, program: &Program) -> (Ran, String, String) {
        let mut spec = Spec::new(program.argv(MEMORY, MEMORY));
        spec.environment = program.environment(MEMORY, MEMORY);
        spec.work.visible.clone_from(&program.visible);
        spec.stdin = Arc::new(Input::from_bytes(b"40 2\n").unwrap());
        spec.limits = RunLimits {
            memory: MEMORY + program.allowances.memory_extra,
            stack: Some(MEMORY),
            processes: program.allowances.processes,
            address_space: match program.allowances.address_space {
                AddressSpace::Limited => sandbox::AddressSpace::Data,
                AddressSpace::Never => sandbox::AddressSpace::Free,
            },
            ..RunLimits::default()
        };
        let mut ran = self.sandbox.run(0, &spec).unwrap();
        let mut out = String::new();
        ran.stdout.read_to_string(&mut out).unwrap();
        let err = String::from_utf8_lossy(&ran.stderr.head).into_owned();
        (ran, out, err)
    }
}

fn explain(fault: &CompileFault) -> String {
    match fault {
        CompileFault::Failed { reason, log } => format!("{reason}\n{}", log.text),
        fault => fault.to_string(),
    }
}
