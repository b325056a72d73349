//! Languages that are compiled to an executable.

use super::{CHAIN, RESERVING, ROW, builds};
use crate::language::{Entry, Row, RowToolchain};

pub(super) const C: Row = Row {
    name: "c",
    title: "C",
    extensions: &["c"],
    toolchains: &[
        builds(
            &["gcc", "-std=gnu17", "-O2", "-pipe", "-o", "{binary}", "{sources}", "-lm"],
            &["gcc", "--version"],
        ),
        builds(
            &["clang", "-std=gnu17", "-O2", "-pipe", "-o", "{binary}", "{sources}", "-lm"],
            &["clang", "--version"],
        ),
        builds(&["cc", "-O2", "-o", "{binary}", "{sources}", "-lm"], &["cc", "--version"]),
    ],
    ..ROW
};

pub(super) const CPP: Row = Row {
    name: "cpp",
    title: "C++",
    extensions: &["cpp", "cc", "cxx", "c++", "cp"],
    toolchains: &[
        builds(
            &["g++", "-std=gnu++20", "-O2", "-pipe", "-o", "{binary}", "{sources}"],
            &["g++", "--version"],
        ),
        builds(
            &["clang++", "-std=gnu++20", "-O2", "-pipe", "-o", "{binary}", "{sources}"],
            &["clang++", "--version"],
        ),
    ],
    ..ROW
};

pub(super) const RUST: Row = Row {
    name: "rust",
    title: "Rust",
    extensions: &["rs"],
    toolchains: &[RowToolchain {
        needs: &["cc"],
        ..builds(
            &["rustc", "--edition=2021", "-Copt-level=3", "-o", "{binary}", "{source}"],
            &["rustc", "--version"],
        )
    }],
    entry: Entry::Main,
    ..ROW
};

pub(super) const GO: Row = Row {
    name: "go",
    title: "Go",
    extensions: &["go"],
    toolchains: &[RowToolchain {
        environment: &[
            ("GOFLAGS", "-p=2"),
            ("GO111MODULE", "off"),
            ("GOTOOLCHAIN", "local"),
            ("CGO_ENABLED", "0"),
        ],
        ..builds(&["go", "build", "-o", "{binary}", "{sources}"], &["go", "version"])
    }],
    allowances: RESERVING,
    ..ROW
};

pub(super) const HASKELL: Row = Row {
    name: "haskell",
    title: "Haskell",
    extensions: &["hs", "lhs"],
    toolchains: &[builds(
        &["ghc", "-O2", "-v0", "-o", "{binary}", "{source}"],
        &["ghc", "--version"],
    )],
    allowances: RESERVING,
    entry: Entry::Main,
    ..ROW
};

pub(super) const OCAML: Row = Row {
    name: "ocaml",
    title: "OCaml",
    extensions: &["ml"],
    toolchains: &[
        builds(
            &[
                "ocamlfind",
                "ocamlopt",
                "-package",
                "str,unix",
                "-linkpkg",
                "-O3",
                "-o",
                "{binary}",
                "{sources}",
            ],
            &["ocamlfind", "ocamlopt", "-version"],
        ),
        builds(
            &[
                "ocamlopt",
                "-I",
                "+unix",
                "-I",
                "+str",
                "unix.cmxa",
                "str.cmxa",
                "-o",
                "{binary}",
                "{sources}",
            ],
            &["ocamlopt", "-version"],
        ),
    ],
    entry: Entry::Main,
    ..ROW
};

pub(super) const PASCAL: Row = Row {
    name: "pascal",
    title: "Pascal",
    extensions: &["pas", "pp", "dpr", "lpr"],
    toolchains: &[builds(&["fpc", "-O2", "-l-", "-vw", "-o{binary}", "{source}"], &["fpc", "-iV"])],
    entry: Entry::Main,
    ..ROW
};

pub(super) const SWIFT: Row = Row {
    name: "swift",
    title: "Swift",
    extensions: &["swift"],
    toolchains: &[builds(
        &["swiftc", "-O", "-o", "{binary}", "{sources}"],
        &["swiftc", "--version"],
    )],
    ..ROW
};

pub(super) const ZIG: Row = Row {
    name: "zig",
    title: "Zig",
    extensions: &["zig"],
    toolchains: &[builds(
        &["zig", "build-exe", "-O", "ReleaseSafe", "-femit-bin={binary}", "{source}"],
        &["zig", "version"],
    )],
    entry: Entry::Main,
    ..ROW
};

pub(super) const D: Row = Row {
    name: "d",
    title: "D",
    extensions: &["d"],
    toolchains: &[
        builds(&["ldc2", "-O2", "-of={binary}", "{sources}"], &["ldc2", "--version"]),
        builds(&["gdc", "-O2", "-o", "{binary}", "{sources}"], &["gdc", "--version"]),
        builds(&["dmd", "-O", "-of={binary}", "{sources}"], &["dmd", "--version"]),
    ],
    ..ROW
};

pub(super) const FORTRAN: Row = Row {
    name: "fortran",
    title: "Fortran",
    extensions: &["f90", "f95", "f03", "f08", "f", "for"],
    toolchains: &[builds(
        &["gfortran", "-O2", "-o", "{binary}", "{sources}"],
        &["gfortran", "--version"],
    )],
    ..ROW
};

pub(super) const ADA: Row = Row {
    name: "ada",
    title: "Ada",
    extensions: &["adb"],
    toolchains: &[builds(
        &["gnatmake", "-q", "-O2", "-o", "{binary}", "{source}"],
        &["gnatmake", "--version"],
    )],
    entry: Entry::Main,
    ..ROW
};

pub(super) const COBOL: Row = Row {
    name: "cobol",
    title: "COBOL",
    extensions: &["cob", "cbl", "cobol"],
    toolchains: &[RowToolchain {
        needs: &["gcc"],
        ..builds(&["cobc", "-x", "-free", "-o", "{binary}", "{sources}"], &["cobc", "--version"])
    }],
    ..ROW
};

/// Programs that are there already: no row of the table, and no language.
pub(in crate::language) const EXECUTABLE: Row = Row {
    name: "executable",
    title: "executable",
    toolchains: &[CHAIN],
    allowances: RESERVING,
    ..ROW
};
