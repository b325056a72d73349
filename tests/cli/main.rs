//! The program as people and scripts meet it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "the program is tested from outside")]

mod diff;
mod doctor;
mod grade;
mod missing;
mod readme;
mod run;
mod signals;
mod support;
