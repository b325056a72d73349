//! Random pairs: the verdict is that of splitting whole texts, and every mismatch has a text that
//! is short, printable and in place.

use jury::check;
use jury::model::{TestCase, Verdict};
use jury::random::Random;
use jury::report::mismatch::{Charset, block, headline};

use crate::support::{case, output};

const ALPHABET: &[&[u8]] = &[
    b"1",
    b"2",
    b"a",
    b"A",
    b" ",
    b" ",
    b"\n",
    b"\n",
    b"\t",
    b"\r",
    b"\r\n",
    b"\x0b",
    b"\0",
    b"\\",
    b"\"",
    b"\xff",
    b"\xc3",
    b"\x1b[1m",
    b"e",
    b"longer",
    b"1234567890123456789012345678901234567890",
    "é".as_bytes(),
    "世".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{202e}".as_bytes(),
];

fn text(random: &mut Random, pieces: u64) -> Vec<u8> {
    let letters = if random.percent(50) { 8 } else { ALPHABET.len() as u64 };
    (0..random.below(pieces))
        .flat_map(|_| ALPHABET[random.below(letters) as usize])
        .copied()
        .collect()
}

/// A text and one that is mostly the same.
fn pair(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    let pieces = [6, 30, 3000][random.below(3) as usize];
    let start = text(random, pieces);
    let end = text(random, 6);
    let answer = [&start[..], &text(random, 3), &end].concat();
    let got = [&start[..], &text(random, 3), &end].concat();
    (answer, got)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

fn same(checker: &str, answer: &[u8], got: &[u8]) -> bool {
    let tokens = |text: &[u8]| -> Vec<Vec<u8>> {
        let all = text.split(|&byte| is_blank(byte));
        all.filter(|token| !token.is_empty()).map(<[u8]>::to_vec).collect()
    };
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let all = text.split(|&byte| byte == b'\n');
        let mut lines: Vec<Vec<u8>> = all.map(<[u8]>::to_vec).collect();
        for line in &mut lines {
            while line.pop_if(|&mut byte| is_blank(byte)).is_some() {}
        }
        while lines.pop_if(|line| line.is_empty()).is_some() {}
        lines
    };
    match checker {
        "tokens" => tokens(answer) == tokens(got),
        "icpc" => tokens(&answer.to_ascii_lowercase()) == tokens(&got.to_ascii_lowercase()),
        "lines" => lines(answer) == lines(got),
        _ => answer == got,
    }
}

#[test]
fn verdicts_are_those_of_plain_code_and_every_mismatch_can_be_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.out");
    let case = TestCase { answer: Some(path.clone()), ..case() };
    for seed in 0..5000 {
        let (answer, got) = pair(&mut Random::new(seed));
        std::fs::write(&path, &answer).unwrap();
        for name in ["tokens", "lines", "exact", "icpc"] {
            let checker = check::parse(name).unwrap();
            let judgement = checker.check(&case, &mut output(&got)).unwrap();
            let accepted = judgement.verdict == Verdict::Accepted;
            let place = format!("{}, seed {seed}", checker.name());
            assert_eq!(accepted, same(checker.name(), &answer, &got), "{place}");
            let Some(mismatch) = judgement.mismatch else { continue };
            assert!(mismatch.view.len() <= 5, "{place}");
            assert_eq!(mismatch.view.iter().filter(|row| row.differs).count(), 1, "{place}");
            assert!(mismatch.byte <= got.len() as u64, "{place}");
            for charset in [Charset::Unicode, Charset::Ascii] {
                let rows = block(&mismatch, charset);
                for row in rows.iter().chain([&headline(&mismatch, charset)]) {
                    assert!(!row.contains(|letter: char| letter.is_control()), "{place}: {row}");
                    assert!(charset == Charset::Unicode || row.is_ascii(), "{place}: {row}");
                    assert!(row.len() < 1500, "{place}: {row}");
                }
                let columns = rows.iter().map(|row| row.chars().count()).max();
                assert!(columns <= Some(160), "{place}: {rows:?}");
            }
        }
    }
}
