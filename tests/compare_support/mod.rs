//! A case with an answer file in a temporary folder, and an output in memory.

use std::io::Cursor;

use jury::check::{self, CheckError};
use jury::model::{Judgement, Mismatch, Output, TestCase};
use jury::report::mismatch::{Charset, block, headline};

/// A case without an answer file.
pub fn case() -> TestCase {
    TestCase {
        name: "x/1".into(),
        group: String::new(),
        input: "x/1.in".into(),
        answer: None,
        answer_home: "x/1.out".into(),
    }
}

/// An output in memory.
pub fn output(bytes: &[u8]) -> Output {
    Output { stream: Box::new(Cursor::new(bytes.to_vec())), bytes: bytes.len() as u64 }
}

/// What a checker says of an output.
pub fn judge(checker: &str, answer: &[u8], got: &[u8]) -> Result<Judgement, CheckError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.out");
    std::fs::write(&path, answer).unwrap();
    let case = TestCase { answer: Some(path), ..case() };
    check::find(checker).unwrap().check(&case, &mut output(got))
}

/// The mismatch of an output that differs.
#[allow(dead_code, reason = "not every test file that shares this module needs it")]
pub fn mismatch(checker: &str, answer: &[u8], got: &[u8]) -> Mismatch {
    let judgement = judge(checker, answer, got).unwrap();
    *judgement.mismatch.unwrap_or_else(|| {
        panic!("{checker} accepts {:?} for {:?}", got.escape_ascii(), answer.escape_ascii())
    })
}

/// Headline and block as one text.
#[allow(dead_code, reason = "not every test file that shares this module needs it")]
pub fn text(mismatch: &Mismatch, charset: Charset) -> String {
    let mut lines = vec![headline(mismatch, charset)];
    lines.extend(block(mismatch, charset));
    lines.join("\n")
}
