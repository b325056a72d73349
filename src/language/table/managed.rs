//! Languages that are compiled for a virtual machine.

use super::{CHAIN, MIB, RESERVING, ROW, interprets};
use crate::language::{Allowances, Entry, Row, RowToolchain};

/// The machine keeps its own memory beside the heap, and takes no bigger stack than this.
const JVM: Allowances =
    Allowances { memory_extra: 64 * MIB, stack_most: Some(1024 * MIB), ..RESERVING };

const JAVA_VERSION: &[&str] = &["javac", "-version"];

/// The classes are packed into one file, for a run needs all of them and nothing names them.
const JAVAC: &str = "javac=$1; shift; mkdir .classes && \"$javac\" -J-Xmx1g \
    -J-XX:+UseSerialGC -J-XX:-UsePerfData -encoding UTF-8 -nowarn -d .classes \"$@\" && \
    exec \"$0\" -J-XX:+UseSerialGC -J-XX:-UsePerfData -J-XX:TieredStopAtLevel=1 \
    --create --no-compress --file program.jar -C .classes .";

pub(super) const JAVA: Row = Row {
    name: "java",
    title: "Java",
    extensions: &["java"],
    toolchains: &[RowToolchain {
        compile: &["sh", "-c", JAVAC, "{tool:jar}", "{tool:javac}", "{sources}"],
        outputs: &["program.jar"],
        run: &[
            "java",
            "-Xmx{memory_mib}m",
            "-Xss{stack_kib}k",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-cp",
            "{binary}",
            "{main_class}",
        ],
        version: JAVA_VERSION,
        ..CHAIN
    }],
    allowances: JVM,
    entry: Entry::Class,
    ..ROW
};

pub(super) const KOTLIN: Row = Row {
    name: "kotlin",
    title: "Kotlin",
    extensions: &["kt"],
    toolchains: &[RowToolchain {
        compile: &[
            "kotlinc",
            "-J-Xmx1g",
            "-nowarn",
            "-include-runtime",
            "-d",
            "program.jar",
            "{sources}",
        ],
        outputs: &["program.jar"],
        run: &[
            "java",
            "-Xmx{memory_mib}m",
            "-Xss{stack_kib}k",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-jar",
            "{binary}",
        ],
        version: &["kotlinc", "-version"],
        ..CHAIN
    }],
    allowances: JVM,
    ..ROW
};

pub(super) const SCALA: Row = Row {
    name: "scala",
    title: "Scala",
    extensions: &["scala"],
    toolchains: &[RowToolchain {
        compile: &["scalac", "-J-Xmx1g", "-nowarn", "-d", "program.jar", "{sources}"],
        outputs: &["program.jar"],
        run: &[
            "java",
            "-Xmx{memory_mib}m",
            "-Xss{stack_kib}k",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-cp",
            "{binary}:{home:scalac}/lib/*",
            "{main_class}",
        ],
        version: &["scalac", "-version"],
        ..CHAIN
    }],
    allowances: JVM,
    entry: Entry::Class,
    ..ROW
};

/// V8 keeps its own memory beside the heap.
const NODE: Allowances = Allowances { memory_extra: 64 * MIB, ..RESERVING };

pub(super) const JAVASCRIPT: Row = Row {
    name: "javascript",
    title: "JavaScript",
    extensions: &["js", "mjs", "cjs"],
    interpreters: &["node", "nodejs"],
    toolchains: &[interprets(
        &["node", "--check", "{source}"],
        &["node", "--max-old-space-size={memory_mib}", "--stack-size={stack_kib}", "{source}"],
        &["node", "--version"],
    )],
    allowances: NODE,
    entry: Entry::Main,
};

pub(super) const TYPESCRIPT: Row = Row {
    name: "typescript",
    title: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    interpreters: &["ts-node", "tsx"],
    toolchains: &[RowToolchain {
        compile: &[
            "tsc",
            "--target",
            "es2020",
            "--module",
            "commonjs",
            "--pretty",
            "false",
            "--rootDir",
            "{dir}",
            "--outDir",
            "{dir}",
            "{sources}",
        ],
        outputs: &["*.js"],
        run: &["node", "--max-old-space-size={memory_mib}", "--stack-size={stack_kib}", "{source}"],
        version: &["tsc", "--version"],
        ..CHAIN
    }],
    allowances: NODE,
    entry: Entry::Main,
};

/// The .NET runtime keeps its own memory beside the heap.
const DOTNET: Allowances = Allowances { memory_extra: 64 * MIB, ..RESERVING };

pub(super) const CSHARP: Row = Row {
    name: "csharp",
    title: "C#",
    extensions: &["cs"],
    toolchains: &[RowToolchain {
        compile: &["mcs", "-optimize+", "-out:program.exe", "{sources}"],
        outputs: &["program.exe"],
        run: &["mono", "{binary}"],
        // Its warnings would come on stdout, in the middle of an answer.
        environment: &[("MONO_LOG_DEST", "/dev/null")],
        version: &["mcs", "--version"],
        ..CHAIN
    }],
    allowances: DOTNET,
    ..ROW
};
