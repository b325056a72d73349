//! Submissions become programs: folders, executables, what compilers may see and say, the cache.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "names what is skipped")]

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jury::compile::{CompileFault, Compiler, Origin, Program};
use jury::language::{Form, Languages, Override, Source, detect};
use jury::sandbox::{Ended, Input, Layer, Level, Options, Sandbox, Spec};

/// A sandbox, and a folder that everybody can enter.
struct Place {
    sandbox: Sandbox,
    folder: tempfile::TempDir,
    languages: Languages,
}

impl Place {
    fn new(workers: usize) -> Self {
        let options = Options { runner: env!("CARGO_BIN_EXE_jury").into(), ..Options::default() };
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let sandbox = Sandbox::open(Level::Auto, workers, &options).unwrap();
        Self { sandbox, folder, languages: Languages::default() }
    }

    fn compiler(&self) -> Compiler<'_> {
        Compiler::new(&self.sandbox, &self.folder.path().join("cache")).unwrap()
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn compile(&self, path: &Path) -> Result<Program, CompileFault> {
        self.compile_on(&self.compiler(), 0, path)
    }

    fn compile_on(
        &self,
        compiler: &Compiler<'_>,
        worker: usize,
        path: &Path,
    ) -> Result<Program, CompileFault> {
        let source = Source::load(path).unwrap();
        compiler.compile(worker, &source, detect(&source, &self.languages).unwrap())
    }

    fn run(&self, program: &Program, input: &str) -> (Ended, String) {
        let mut spec = Spec::new(program.argv(256 << 20, 256 << 20));
        spec.environment = program.environment(256 << 20, 256 << 20);
        spec.work.visible.clone_from(&program.visible);
        spec.stdin = Arc::new(Input::from_bytes(input.as_bytes()).unwrap());
        spec.limits.processes = program.allowances.processes;
        let mut ran = self.sandbox.run(0, &spec).unwrap();
        let mut out = String::new();
        ran.stdout.read_to_string(&mut out).unwrap();
        (ran.ended, out)
    }

    fn cached(&self) -> usize {
        fs::read_dir(self.folder.path().join("cache/programs")).unwrap().count()
    }
}

/// The program, or nothing and a line that says which language is missing.
fn unless_missing(result: Result<Program, CompileFault>) -> Option<Program> {
    match result {
        Err(fault @ CompileFault::NotInstalled { .. }) => {
            println!("skipped: {fault}");
            None
        }
        other => Some(other.unwrap()),
    }
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n";

#[test]
fn a_folder_is_built_as_a_whole() {
    let place = Place::new(1);
    place.file("sum/sum.h", "int sum(int a, int b);\n");
    place.file("sum/lib/sum.c", "#include \"../sum.h\"\nint sum(int a, int b) { return a + b; }\n");
    place.file(
        "sum/start.c",
        "#include <stdio.h>\n#include \"sum.h\"\nint main(void) { printf(\"%d\\n\", sum(2, 3)); }\n",
    );
    let Some(program) = unless_missing(place.compile(&place.folder.path().join("sum"))) else {
        return;
    };
    assert_eq!(place.run(&program, ""), (Ended::Exited(0), "5\n".to_owned()));
}

#[test]
fn a_folder_of_modules_starts_with_main() {
    let place = Place::new(1);
    place.file("two/tools/add.py", "def add(a, b): return a + b\n");
    place.file("two/main.py", "from tools.add import add\nprint(add(2, 3))\n");
    let Some(program) = unless_missing(place.compile(&place.folder.path().join("two"))) else {
        return;
    };
    assert_eq!(place.run(&program, ""), (Ended::Exited(0), "5\n".to_owned()));
}

#[test]
fn an_executable_is_run_as_it_is() {
    let place = Place::new(1);
    let Some(built) = unless_missing(place.compile(&place.file("a.c", HELLO))) else { return };
    let path = place.folder.path().join("given");
    fs::copy(built.folder().unwrap().join("program"), &path).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(Source::load(&path).unwrap().form, Form::Executable);
    let program = place.compile(&path).unwrap();
    assert_eq!(program.origin, Origin::Given);
    assert_eq!(place.run(&program, ""), (Ended::Exited(0), "hello\n".to_owned()));
}

#[test]
fn a_compiler_sees_no_file_beside_its_sources() {
    let place = Place::new(1);
    if !place.sandbox.report().layers.has(Layer::Namespaces) {
        println!("skipped: no namespaces here");
        return;
    }
    let answer = place.file("data/secret.ans", "CANARY 4711\n");
    let include = format!("#include \"{}\"\nint main(void) {{}}\n", answer.display());
    match place.compile(&place.file("spy/spy.c", &include)) {
        Err(CompileFault::Failed { log, .. }) => {
            assert!(!log.text.contains("CANARY"), "{}", log.text);
            assert!(log.text.contains("No such file"), "{}", log.text);
        }
        other => assert!(unless_missing(other).is_none(), "it was built"),
    }
}

#[test]
fn a_flood_of_messages_is_cut_and_counted() {
    let place = Place::new(1);
    let source = "#error some text that is repeated\n".repeat(5000);
    match place.compile(&place.file("flood.c", &source)) {
        Err(CompileFault::Failed { log, reason }) => {
            assert!(log.text.len() < 70 << 10, "{} bytes kept", log.text.len());
            assert!(log.total > 256 << 10, "{} bytes in all", log.total);
            assert!(reason.starts_with("the compiler "), "{reason}");
        }
        other => assert!(unless_missing(other).is_none(), "it was built"),
    }
}

#[test]
fn a_program_is_built_once_by_content_and_command() {
    let mut place = Place::new(1);
    let path = place.file("a.c", HELLO);
    let Some(first) = unless_missing(place.compile(&path)) else { return };
    assert_eq!((first.origin, place.cached()), (Origin::Built, 1));
    assert_eq!(place.compile(&path).unwrap().origin, Origin::Cached);
    let other = place.compile(&place.file("a.c", &(HELLO.to_owned() + "\n"))).unwrap();
    assert_eq!((other.origin, place.cached()), (Origin::Built, 2));
    let compile = ["gcc", "-O1", "-o", "{binary}", "{sources}"].map(str::to_owned).to_vec();
    let change = Override { compile: Some(compile), ..Override::default() };
    place.languages.apply("c", &change).unwrap();
    assert_eq!(place.compile(&path).unwrap().origin, Origin::Built);
    assert_eq!(place.cached(), 3);
}

#[test]
fn a_submission_that_fails_to_compile_leaves_nothing_in_the_cache() {
    let place = Place::new(1);
    let path = place.file("a.c", "int main(void) { return x; }\n");
    match place.compile(&path) {
        Err(CompileFault::Failed { .. }) => assert_eq!(place.cached(), 0),
        other => assert!(unless_missing(other).is_none(), "it was built"),
    }
}

#[test]
fn two_that_build_the_same_at_once_share_one_entry() {
    let place = Place::new(2);
    let path = place.file("a.c", HELLO);
    let build = |worker| place.compile_on(&place.compiler(), worker, &path);
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(|| build(1));
        (build(0), other.join().unwrap())
    });
    let Some(first) = unless_missing(first) else { return };
    let second = second.unwrap();
    assert_eq!(first.folder(), second.folder());
    assert_eq!(place.cached(), 1);
    assert_eq!(place.run(&second, "").1, "hello\n");
}

#[test]
fn a_program_of_a_cache_that_is_too_small_stays_while_it_is_used() {
    let place = Place::new(1);
    let cache = place.folder.path().join("cache");
    let compiler = Compiler::bounded(&place.sandbox, &cache, 1).unwrap();
    let path = place.file("a.c", HELLO);
    let Some(first) = unless_missing(place.compile_on(&compiler, 0, &path)) else { return };
    let path = place.file("b.c", HELLO);
    let second = place.compile_on(&compiler, 0, &path).unwrap();
    assert_eq!(
        (place.run(&first, "").1, place.run(&second, "").1.as_str()),
        ("hello\n".to_owned(), "hello\n")
    );
    drop((first, second));
    Compiler::bounded(&place.sandbox, &cache, 1).unwrap();
    assert_eq!(place.cached(), 0);
}

#[test]
fn a_language_that_is_not_installed_names_what_was_looked_for() {
    let mut place = Place::new(1);
    let words = |text: &str| Some(text.split(' ').map(str::to_owned).collect());
    let change = Override {
        compile: words("no-such-compiler {source}"),
        run: words("{binary}"),
        extensions: words("nsc"),
        title: Some("Nonesuch".to_owned()),
        ..Override::default()
    };
    place.languages.apply("nsc", &change).unwrap();
    let fault = place.compile(&place.file("a.nsc", "x")).unwrap_err();
    let text = "Nonesuch is not installed: looked for no-such-compiler";
    assert_eq!(fault.to_string(), text);
}
