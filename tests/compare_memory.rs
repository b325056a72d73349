//! Memory of a comparison does not grow with the files: here with one token of 200 MB, the worst
//! that can be, as it is longer than every buffer and window.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use jury::check;
use jury::model::{MismatchKind, Output, TestCase, Verdict};

const LENGTH: u64 = 200 << 20;

/// What a comparison may take for itself, in KiB.
const MOST: u64 = 24 << 10;

/// The same byte again and again, with another one near the end.
struct Endless {
    byte: u8,
    last: u8,
    at: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = (LENGTH - self.at).min(buffer.len() as u64);
        buffer[..count as usize].fill(self.byte);
        let other = LENGTH - 10;
        if (self.at..self.at + count).contains(&other) {
            buffer[(other - self.at) as usize] = self.last;
        }
        self.at += count;
        Ok(count as usize)
    }
}

impl Seek for Endless {
    fn seek(&mut self, place: SeekFrom) -> std::io::Result<u64> {
        let SeekFrom::Start(at) = place else { unreachable!("only absolute places are used") };
        self.at = at;
        Ok(at)
    }
}

fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A file of zeros that takes no room on the disk.
fn zeros(path: &Path) {
    File::create(path).and_then(|file| file.set_len(LENGTH)).expect("room for a name");
}

/// Rules of every engine that compares bytes.
const CHECKERS: [&str; 5] = ["tokens", "lines", "exact", "icpc", "kattis,case_sensitive"];

#[test]
fn memory_stays_small_for_a_token_of_200_mb() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.out");
    zeros(&path);
    let case = TestCase {
        name: "x/1".into(),
        group: String::new(),
        input: "x/1.in".into(),
        answer: Some(path),
        missing: None,
    };
    let outputs = [(0, 0, None), (0, b'x', Some(LENGTH - 10)), (b' ', b'x', None)];
    let before = peak();
    for (byte, last, place) in outputs {
        for checker in CHECKERS.map(|name| check::parse(name).unwrap()) {
            let stream = Box::new(Endless { byte, last, at: 0 });
            let mut output = Output { stream, bytes: LENGTH };
            let judgement = checker.check(&case, &mut output).unwrap();
            let accepted = judgement.verdict == Verdict::Accepted;
            assert_eq!(accepted, byte == last, "{}", checker.name());
            let Some(mismatch) = judgement.mismatch else { continue };
            assert_eq!(mismatch.line, 1, "{}", checker.name());
            assert!(place.is_none_or(|place| mismatch.byte == place), "{}", checker.name());
            assert_eq!(mismatch.kind, MismatchKind::Value, "{}", checker.name());
        }
    }
    let grown = peak().zip(before).map(|(after, before)| after - before);
    assert!(grown.is_none_or(|grown| grown < MOST), "grown by {grown:?} KiB");
}
