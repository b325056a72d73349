//! Plain data that goes down the line: what a suite is, what is to be run, what came out. Knows no
//! files, clock, terminal or threads, and imports nothing of this crate.

mod execution;
mod finding;
mod judgement;
mod plan;
mod report;
mod result;
mod suite;
mod verdict;

pub use execution::{Execution, Output, ReadSeek, Termination, Usage};
pub use finding::{Finding, FindingKind, Severity};
pub use judgement::{Judgement, Line, Mismatch, MismatchKind, Totals, ViewRow};
pub use plan::{Job, Plan};
pub use report::{ProblemSummary, Report, Run, Summary};
pub use result::{CaseResult, Kept, Times};
pub use suite::{MissingAnswer, Problem, Suite, TestCase};
pub use verdict::{Status, Verdict};
