//! Verdict, kind and place for small pairs, checker by checker.

use crate::support::{case, judge, output};
use jury::check::{self, CheckError};
use jury::model::{MismatchKind, TestCase, Verdict};

use MismatchKind::{
    Case, EmptyOutput, Encoding, ExtraOutput, LineEnding, MissingOutput, Order, Value, Whitespace,
};

type Row<'a> = (&'a [u8], &'a [u8], Option<(MismatchKind, u64, Option<u64>, u64)>);

fn check_all(checker: &str, rows: &[Row]) {
    for (answer, got, expected) in rows {
        let judgement = judge(checker, answer, got).expect("readable files");
        let place = format!("{checker}: {} | {}", answer.escape_ascii(), got.escape_ascii());
        let found = judgement.mismatch.map(|m| (m.kind, m.line, m.token, m.byte));
        assert_eq!(found, *expected, "{place}");
        let accepted = judgement.verdict == Verdict::Accepted;
        assert_eq!(accepted, expected.is_none(), "{place}");
        assert_eq!(judgement.expected_bytes, answer.len() as u64);
    }
}

#[test]
fn tokens() {
    check_all(
        "tokens",
        &[
            (b"", b"", None),
            (b"", b" \n\r\n", None),
            (b"\n", b"", None),
            (b"1 2\n3\n", b"1\n2\t3", None),
            (b"1 2\n3\n", b"\x0b 1\x0c2\r\n\r\n3 \n\n", None),
            (b"a\0b\n", b"a\0b", None),
            (b"12\n", b"1 2\n", Some((Value, 1, Some(1), 1))),
            (b"1 2\n", b"12\n", Some((Value, 1, Some(1), 1))),
            (b"1 2\n3 4\n", b"1 2\n3 5\n", Some((Value, 2, Some(2), 6))),
            (b"1 2\n3 4\n", b"1 2 3 5\n", Some((Value, 2, Some(2), 6))),
            (b"12\n", b"123\n", Some((Value, 1, Some(1), 2))),
            (b"123", b"12", Some((Value, 1, Some(1), 2))),
            (b"1\n2\n", b"", Some((EmptyOutput, 1, None, 0))),
            (b"1\n2\n", b"1\n", Some((MissingOutput, 1, None, 1))),
            (b"1 2\n", b"1\n", Some((MissingOutput, 1, Some(2), 1))),
            (b"1\n", b"1\n2\n", Some((ExtraOutput, 2, None, 2))),
            (b"1\n", b"1 2\n", Some((ExtraOutput, 1, Some(2), 2))),
            (b"", b"0", Some((ExtraOutput, 1, None, 0))),
            (b"a\nb\n", b"b\na\n", Some((Order, 1, Some(1), 0))),
            (b"a\nb\n", b"b\nb\n", Some((Value, 1, Some(1), 0))),
            (b"Win\n", b"WIN\n", Some((Case, 1, Some(1), 1))),
            (b"ab 1\n", b"ab \xff\n", Some((Encoding, 1, Some(2), 3))),
            (b"1\xc2\xa02\n", b"1 2\n", Some((Value, 1, Some(1), 1))),
            (b"1\n", b"\xef\xbb\xbf1\n", Some((Value, 1, Some(1), 0))),
        ],
    );
}

#[test]
fn lines() {
    check_all(
        "lines",
        &[
            (b"", b"", None),
            (b"", b" \n\r\n", None),
            (b"1 2\n3\n", b"1 2\r\n3", None),
            (b"1 2\n3", b"1 2 \t\n3\x0b\x0c \n\n \n", None),
            (b"1  \n\n3\n", b"1\n \t\n3\n", None),
            (b" 1\n", b" 1 \n", None),
            (b" 1\n", b"1\n", Some((Whitespace, 1, None, 0))),
            (b"1 2\n", b"1  2\n", Some((Whitespace, 1, None, 2))),
            (b"1 \t2\n", b"1 2\n", Some((Whitespace, 1, None, 2))),
            (b"1\r2\n", b"1\n2\n", Some((Value, 1, None, 1))),
            (b"1\n\n2\n", b"1\n2\n", Some((Value, 2, None, 2))),
            (b"1\n2\n", b"1\n3\n", Some((Value, 2, None, 2))),
            (b"1 2\n", b"1 \n", Some((Value, 1, None, 2))),
            (b"1\n2\n", b"1", Some((MissingOutput, 1, None, 1))),
            (b"1\n", b"1\n\n2", Some((ExtraOutput, 3, None, 3))),
            (b"1\n", b"\n", Some((EmptyOutput, 1, None, 0))),
            (b"a\nb\n", b"b\na\n", Some((Order, 1, None, 0))),
            (b"a b\n", b"A b\n", Some((Case, 1, None, 0))),
        ],
    );
}

#[test]
fn exact() {
    check_all(
        "exact",
        &[
            (b"", b"", None),
            (b"1 \r\n", b"1 \r\n", None),
            (b"1\n", b"1\r\n", Some((LineEnding, 1, None, 1))),
            (b"1\r\n", b"1\n", Some((LineEnding, 1, None, 1))),
            (b"1\n", b"1", Some((LineEnding, 1, None, 1))),
            (b"1", b"1\n", Some((LineEnding, 1, None, 1))),
            (b"1\n", b"1 \n", Some((Whitespace, 1, None, 1))),
            (b"1\n2\n", b"1\n2\n3\n", Some((ExtraOutput, 3, None, 4))),
            (b"1\n2\n", b"1\n", Some((MissingOutput, 1, None, 1))),
            (b"1\n", b"2\n", Some((Value, 1, None, 0))),
            (b"1\n", b"", Some((EmptyOutput, 1, None, 0))),
        ],
    );
}

#[test]
fn a_case_without_an_answer_is_never_accepted() {
    for preset in check::ALL.iter().filter(|preset| preset.name != "dmoj-linematches") {
        let checker = check::parse(preset.name).unwrap();
        let judgement = checker.check(&case(), &mut output(b"")).unwrap();
        assert_eq!(judgement.verdict, Verdict::NoAnswer);
        assert!(judgement.mismatch.is_none());
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("gone.out"), folder.path().to_owned()] {
        let case = TestCase { answer: Some(path.clone()), ..case() };
        for preset in check::ALL {
            let Ok(checker) = check::parse(preset.name) else { continue };
            let error = checker.check(&case, &mut output(b"1\n")).unwrap_err();
            assert!(matches!(error, CheckError::Answer { .. }));
            let start = format!("cannot read {}: ", path.display());
            assert!(error.to_string().starts_with(&start), "{error}");
        }
    }
}

#[test]
fn an_output_is_read_from_its_start_wherever_its_stream_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.out");
    std::fs::write(&path, "1 2\n").unwrap();
    let case = TestCase { answer: Some(path), ..case() };
    let mut output = output(b"1 2\n");
    for _ in 0..2 {
        let judgement = check::parse("tokens").unwrap().check(&case, &mut output).unwrap();
        assert_eq!(judgement.verdict, Verdict::Accepted);
    }
}
