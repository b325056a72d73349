//! `jury` validates contest test suites: it walks a folder of test inputs, solves each one with
//! its built-in core, compares with the expected outputs and reports timings and mismatches.
//!
//! ARCHITECTURE.md draws the whole picture; `tests/architecture.rs` holds the table of imports.

pub mod atomic;
pub mod baseline;
pub mod check;
pub mod cli;
pub mod compile;
pub mod execute;
pub mod explain;
pub mod grade;
pub mod history;
pub mod interrupt;
pub mod journal;
pub mod judge;
pub mod language;
pub mod model;
pub mod package;
pub mod plan;
pub mod pool;
pub mod random;
pub mod report;
pub mod sandbox;
#[expect(unsafe_code, reason = "vector instructions; every block states its condition")]
pub mod simd;
pub mod solvers;
