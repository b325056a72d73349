//! Languages whose source is run as it is.

use std::time::Duration;

use super::{MIB, PLAIN, RESERVING, ROW, interprets};
use crate::language::{Allowances, Entry, Row, RowToolchain};

/// Compiles every file in memory and writes nothing.
const PYTHON_CHECK: &str =
    "import sys\nfor f in sys.argv[1:]: compile(open(f, 'rb').read(), f, 'exec')";

pub(super) const PYTHON3: Row = Row {
    name: "python3",
    title: "Python 3",
    extensions: &["py", "py3"],
    interpreters: &["python"],
    toolchains: &[interprets(
        &["python3", "-B", "-s", "-c", PYTHON_CHECK, "{sources}"],
        &["python3", "-B", "-s", "{source}"],
        &["python3", "--version"],
    )],
    entry: Entry::Main,
    ..ROW
};

pub(super) const PYPY3: Row = Row {
    name: "pypy3",
    title: "PyPy 3",
    extensions: &["pypy"],
    interpreters: &["pypy"],
    toolchains: &[interprets(
        &["pypy3", "-B", "-s", "-c", PYTHON_CHECK, "{sources}"],
        &["pypy3", "-B", "-s", "{source}"],
        &["pypy3", "--version"],
    )],
    allowances: Allowances { memory_extra: 64 * MIB, ..PLAIN },
    entry: Entry::Main,
};

pub(super) const RUBY: Row = Row {
    name: "ruby",
    title: "Ruby",
    extensions: &["rb"],
    interpreters: &["ruby"],
    toolchains: &[RowToolchain {
        environment: &[("RUBY_THREAD_VM_STACK_SIZE", "{stack_bytes}")],
        ..interprets(&["ruby", "-c", "{source}"], &["ruby", "{source}"], &["ruby", "--version"])
    }],
    allowances: RESERVING,
    entry: Entry::Main,
};

pub(super) const LUA: Row = Row {
    name: "lua",
    title: "Lua",
    extensions: &["lua"],
    interpreters: &["lua", "luajit"],
    toolchains: &[lua54(), lua()],
    entry: Entry::Main,
    ..ROW
};

const fn lua54() -> RowToolchain {
    interprets(&["luac5.4", "-p", "{sources}"], &["lua5.4", "{source}"], &["lua5.4", "-v"])
}

const fn lua() -> RowToolchain {
    interprets(&["luac", "-p", "{sources}"], &["lua", "{source}"], &["lua", "-v"])
}

pub(super) const PHP: Row = Row {
    name: "php",
    title: "PHP",
    extensions: &["php"],
    interpreters: &["php"],
    toolchains: &[interprets(
        &["php", "-n", "-d", "display_errors=stderr", "-l", "{source}"],
        &["php", "-n", "-d", "memory_limit=-1", "-d", "display_errors=stderr", "{source}"],
        &["php", "--version"],
    )],
    entry: Entry::Main,
    ..ROW
};

pub(super) const PERL: Row = Row {
    name: "perl",
    title: "Perl",
    extensions: &["pl", "perl"],
    interpreters: &["perl"],
    toolchains: &[interprets(
        &["perl", "-c", "{source}"],
        &["perl", "{source}"],
        &["perl", "-e", "print \"perl $^V\\n\""],
    )],
    entry: Entry::Main,
    ..ROW
};

pub(super) const BASH: Row = Row {
    name: "bash",
    title: "Bash",
    extensions: &["sh", "bash"],
    interpreters: &["bash", "sh", "dash"],
    toolchains: &[interprets(
        &["bash", "-n", "{source}"],
        &["bash", "{source}"],
        &["bash", "--version"],
    )],
    allowances: Allowances { processes: 32, ..PLAIN },
    entry: Entry::Main,
};

pub(super) const JULIA: Row = Row {
    name: "julia",
    title: "Julia",
    extensions: &["jl"],
    interpreters: &["julia"],
    toolchains: &[interprets(
        &[
            "julia",
            "--startup-file=no",
            "-e",
            "for f in ARGS; Meta.parseall(read(f, String)); end",
            "{sources}",
        ],
        &["julia", "--startup-file=no", "{source}"],
        &["julia", "--version"],
    )],
    allowances: Allowances {
        time_extra: Duration::from_millis(500),
        memory_extra: 192 * MIB,
        ..RESERVING
    },
    entry: Entry::Main,
};

/// A shell script starts the interpreter, with helpers.
pub(super) const R: Row = Row {
    name: "r",
    title: "R",
    extensions: &["r"],
    interpreters: &["rscript"],
    toolchains: &[interprets(
        &[
            "Rscript",
            "--vanilla",
            "-e",
            "for (f in commandArgs(TRUE)) invisible(parse(f))",
            "{sources}",
        ],
        &["Rscript", "--vanilla", "{source}"],
        &["Rscript", "--version"],
    )],
    allowances: Allowances { memory_extra: 32 * MIB, processes: 16, ..RESERVING },
    entry: Entry::Main,
};
