use std::path::PathBuf;

use super::Finding;

/// The problems found in a folder, and what is odd about their files.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// In natural order of their names.
    pub problems: Vec<Problem>,
    /// Answer files found, used or not.
    pub answers: usize,
    /// Faults of the pairing, in natural order of their paths.
    pub findings: Vec<Finding>,
}

/// A task with its test cases.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The folder's name; the first part of every case name.
    pub name: String,
    /// The name of the solver that answers it.
    pub solver: String,
    /// In natural order of their names.
    pub cases: Vec<TestCase>,
}

/// One input and, if there is one, its answer file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// `problem/stem`, with `/` on every system.
    pub name: String,
    /// The test group: the folders between the problem and the file, `/` between them; often empty.
    pub group: String,
    /// The input file.
    pub input: PathBuf,
    /// The answer file, if one was found.
    pub answer: Option<PathBuf>,
    /// What was tried, when no answer file was found.
    pub missing: Option<Box<MissingAnswer>>,
}

/// The search for an answer file that was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingAnswer {
    /// Where the answer file belongs: beside the others, under the input's relative path.
    pub home: PathBuf,
    /// The names that would have been taken, extensions in braces.
    pub looked_for: Vec<String>,
    /// An unused answer file whose name is nearly right.
    pub close: Option<PathBuf>,
}
