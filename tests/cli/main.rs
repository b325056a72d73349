//! The program as people and scripts meet it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "what a test leaves out is told")]
#![expect(clippy::disallowed_methods, reason = "the program is tested from outside")]

mod baseline;
mod checkers;
mod ci;
mod diff;
mod doctor;
mod files;
mod grade;
mod interactive;
mod killed;
mod missing;
mod readers;
mod readme;
mod report;
mod run;
mod signals;
mod support;
