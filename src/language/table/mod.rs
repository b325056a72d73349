//! The built-in table of languages.

use std::time::Duration;

use super::{AddressSpace, Allowances, Entry, Row, RowToolchain};

mod managed;
pub(super) mod native;
mod scripts;

/// Every language, in the order of listings. A new one is one row and one line here.
pub const ALL: &[Row] = &[
    native::C,
    native::CPP,
    native::RUST,
    managed::JAVA,
    managed::KOTLIN,
    scripts::PYTHON3,
    scripts::PYPY3,
    native::GO,
    managed::JAVASCRIPT,
    managed::TYPESCRIPT,
    managed::CSHARP,
    native::HASKELL,
    native::OCAML,
    native::PASCAL,
    scripts::RUBY,
    scripts::LUA,
    scripts::PHP,
    scripts::PERL,
    scripts::BASH,
    native::SWIFT,
    native::ZIG,
    native::D,
    scripts::JULIA,
    scripts::R,
    native::FORTRAN,
    native::ADA,
    native::COBOL,
    managed::SCALA,
];

const MIB: u64 = 1 << 20;

/// Nothing on top; memory may be limited in any way.
const PLAIN: Allowances = Allowances {
    time_factor: 1.0,
    time_extra: Duration::ZERO,
    memory_extra: 0,
    processes: 0,
    address_space: AddressSpace::Limited,
    stack_most: None,
};

/// Nothing on top; the runtime reserves address space that it does not use.
const RESERVING: Allowances = Allowances { address_space: AddressSpace::Never, ..PLAIN };

/// A row that others are written as changes of.
const ROW: Row = Row {
    name: "",
    title: "",
    extensions: &[],
    interpreters: &[],
    toolchains: &[],
    allowances: PLAIN,
    entry: Entry::Any,
};

/// A toolchain that others are written as changes of.
const CHAIN: RowToolchain = RowToolchain {
    compile: &[],
    outputs: &[],
    run: &["{binary}"],
    version: &[],
    needs: &[],
    environment: &[],
};

/// A toolchain that makes one executable.
const fn builds(
    compile: &'static [&'static str],
    version: &'static [&'static str],
) -> RowToolchain {
    RowToolchain { compile, outputs: &["program"], version, ..CHAIN }
}

/// A toolchain that runs its source, after a cheap check of the syntax if there is one.
const fn interprets(
    compile: &'static [&'static str],
    run: &'static [&'static str],
    version: &'static [&'static str],
) -> RowToolchain {
    RowToolchain { compile, run, version, ..CHAIN }
}
