use std::path::{Path, PathBuf};

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

/// Extensions of input files.
pub const INPUT_EXTENSIONS: [&str; 4] = ["in", "txt", "input", "dat"];

impl TestCase {
    /// Where the arguments of the case would be: `CASE.args` beside the input, one a line.
    #[must_use]
    pub fn arguments(&self) -> PathBuf {
        self.companion(ARGUMENTS)
    }

    /// Where further files of the case would be: the folder `CASE.files` beside the input.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.companion(FILES)
    }

    fn companion(&self, extension: &str) -> PathBuf {
        let known = self.input.extension().and_then(|extension| extension.to_str());
        let known = known.is_some_and(|known| {
            INPUT_EXTENSIONS.iter().any(|input| input.eq_ignore_ascii_case(known))
        });
        if known {
            return self.input.with_extension(extension);
        }
        let mut name = self.input.clone().into_os_string();
        name.push(".");
        name.push(extension);
        name.into()
    }

    /// The inputs that a file or folder may belong to, by its name; none for most names.
    #[must_use]
    pub fn inputs_of(companion: &Path) -> Vec<PathBuf> {
        let extension = companion.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some(ARGUMENTS | FILES)) {
            return Vec::new();
        }
        let bare = companion.with_extension("");
        let with = INPUT_EXTENSIONS.iter().map(|input| companion.with_extension(input));
        with.chain([bare]).collect()
    }
}

const ARGUMENTS: &str = "args";
const FILES: &str = "files";

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_case_has_its_name() {
        let case = |input: &str| TestCase {
            name: "p/1".into(),
            group: String::new(),
            input: input.into(),
            answer: None,
            missing: None,
        };
        assert_eq!(case("p/1.5.in").arguments(), Path::new("p/1.5.args"));
        assert_eq!(case("p/1.5").folder(), Path::new("p/1.5.files"));
        let inputs = TestCase::inputs_of(Path::new("p/1.5.args"));
        assert!(inputs.contains(&"p/1.5.in".into()) && inputs.contains(&"p/1.5".into()));
        assert!(TestCase::inputs_of(Path::new("p/1.in")).is_empty());
    }
}
