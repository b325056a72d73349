//! A program of the jury as a checker: how it is asked and what its answer means is its protocol,
//! one small file each.
//!
//! ```text
//! input, answer, output -> copies in a fresh folder -> the program in the sandbox -> Said
//!     Said -> Protocol::read -> Opinion (verdict, score, words), or a fault of the program
//! ```
//!
//! The program is trusted less than the jury and more than submissions: it runs under limits, sees
//! copies of three files, and whatever it does wrong is a judge error that names it. A new protocol
//! is one file and one line in [`ALL`].

use crate::model::{Judgement, Remarks, Verdict};

mod checker;
mod cms;
mod exit;
mod hustoj;
mod kattis;
mod lemon;
mod pass;
mod peg;
mod points;
mod said;
mod sinol;
mod testlib;

pub use checker::{OUTPUT, ProgramChecker, Run, arguments, last_words};
pub use pass::{MOST_PASSES, Pass};
pub use said::Said;

/// Every protocol, in the order of the help text.
pub const ALL: &[&Protocol] = &[
    &testlib::TESTLIB,
    &kattis::KATTIS,
    &kattis::ICPC,
    &cms::CMS,
    &lemon::LEMON,
    &sinol::SINOL,
    &hustoj::HUSTOJ,
    &peg::PEG,
    &exit::EXIT,
];

/// How a checker is asked, and what its answer means.
#[derive(Debug)]
pub struct Protocol {
    /// The name by which the configuration refers to it.
    pub name: &'static str,
    /// One line for the help text.
    pub summary: &'static str,
    /// Its arguments; `{input}`, `{output}`, `{answer}`, `{full_score}` and the names of files in
    /// its folder.
    pub arguments: &'static [&'static str],
    /// What it reads on standard input.
    pub stdin: Feed,
    /// A folder that is there for it to write to.
    pub folder: Option<&'static str>,
    /// The files that are read when it has ended.
    pub files: &'static [&'static str],
    /// The file with which it asks for another pass, and which is the input of that pass.
    pub next: Option<&'static str>,
    /// The points of a whole case when the configuration does not say.
    pub full_score: f64,
    /// What it meant.
    pub read: fn(&Said) -> Result<Opinion, Fault>,
}

impl PartialEq for Protocol {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What a checker reads on standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// Nothing.
    Nothing,
    /// The output to be checked.
    Output,
}

/// What a checker means.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// Accepted, partly correct, wrong answer or presentation error.
    pub verdict: Verdict,
    /// The part of the case's points, from 0 to 1.
    pub score: f64,
    /// Its words.
    pub remarks: Remarks,
    /// Whether it asks for another pass.
    pub another: bool,
}

/// Why an answer of a checker means nothing, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(pub String);

impl Opinion {
    /// A right or wrong output.
    fn plain(verdict: Verdict, message: &[u8]) -> Self {
        let score = if verdict == Verdict::Accepted { 1.0 } else { 0.0 };
        Self { verdict, score, remarks: Remarks::of(message), another: false }
    }

    /// The same for a case whose answer has so many bytes.
    #[must_use]
    pub fn judgement(self, expected_bytes: u64) -> Judgement {
        let (score, remarks) = (Some(self.score), Some(Box::new(self.remarks)));
        Judgement { score, remarks, ..Judgement::of(self.verdict, expected_bytes) }
    }
}

impl From<&str> for Fault {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// The protocol with this name.
///
/// # Errors
/// In words, when there is none.
pub fn parse(name: &str) -> Result<&'static Protocol, String> {
    ALL.iter().copied().find(|protocol| protocol.name == name).ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|protocol| protocol.name).collect();
        format!("unknown protocol `{name}`: known are {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests;
