//! Plain data that goes down the line: what a suite is, what is to be run, what came out. Knows no
//! files, clock, terminal or threads, and imports nothing of this crate.

mod comparison;
mod compiled;
mod execution;
mod finding;
mod history;
mod judgement;
mod limits;
mod plan;
mod promise;
mod report;
mod result;
mod submission;
mod suite;
mod talk;
mod verdict;

pub use comparison::{
    CaseChange, Change, ComparedRun, Comparison, Samples, SinceBase, SmallSum, Weighed,
};
pub use compiled::Compiled;
pub use execution::{Bound, Execution, Late, Memory, Output, ReadSeek, Termination, Usage};
pub use finding::{Finding, FindingKind, Severity};
pub use history::{HistoryEntry, HistoryHost, HistorySubmission};
pub use judgement::{Feedback, Judgement, Line, Mismatch, MismatchKind, Remarks, Totals, ViewRow};
pub use limits::{Clock, Limits, PATIENCE};
pub use plan::{Job, Ladder, Plan};
pub use promise::{Promise, Sets};
pub use report::{
    Machine, Noise, ProblemSummary, Report, RerunBy, Run, SubmissionSummary, Summary,
};
pub use result::{CaseResult, Confirmed, Kept, Ran, Times};
pub use submission::{CORE, Submission};
pub use suite::{INPUT_EXTENSIONS, MissingAnswer, Problem, Suite, TestCase};
pub use talk::{Talk, Teller};
pub use verdict::{Status, Verdict};
