//! A case with an answer file in a temporary folder, and an output in memory.

use std::io::Cursor;

use jury::check::{self, CheckError};
use jury::model::{Judgement, Mismatch, Output, TestCase};
use jury::report::mismatch::{Charset, block, headline};

/// A case without an answer file.
pub(crate) fn case() -> TestCase {
    TestCase {
        name: "x/1".into(),
        group: String::new(),
        input: "x/1.in".into(),
        answer: None,
        missing: None,
    }
}

/// An output in memory.
pub(crate) fn output(bytes: &[u8]) -> Output {
    Output { stream: Box::new(Cursor::new(bytes.to_vec())), bytes: bytes.len() as u64 }
}

/// What a checker says of an output.
pub(crate) fn judge(checker: &str, answer: &[u8], got: &[u8]) -> Result<Judgement, CheckError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("1.out");
    std::fs::write(&path, answer).expect("room for a file");
    let case = TestCase { answer: Some(path), ..case() };
    check::parse(checker).expect("a checker").check(&case, &mut output(got))
}

/// The mismatch of an output that differs.
pub(crate) fn mismatch(checker: &str, answer: &[u8], got: &[u8]) -> Mismatch {
    let judgement = judge(checker, answer, got).expect("readable files");
    *judgement.mismatch.unwrap_or_else(|| {
        panic!("{checker} accepts {:?} for {:?}", got.escape_ascii(), answer.escape_ascii())
    })
}

/// Headline and block as one text.
pub(crate) fn text(mismatch: &Mismatch, charset: Charset) -> String {
    let mut lines = vec![headline(mismatch, charset)];
    lines.extend(block(mismatch, charset));
    lines.join("\n")
}
