//! The comparisons against what the real programs say of a file of pairs.
//!
//! `JURY_PAIRS=FILE cargo test --test compare_judges` reads one JSON object a line: `ans` and `out`,
//! both in base64, and `v`: the name of a real comparer, perhaps with flags behind blanks, to its
//! exit code; or the word `preset` and a comparison to the code that it should have: 0 for accepted, 1
//! for wrong, 3 for an answer that it does not take. `scripts/compare-against` writes such files.
//! Without the variable the test is skipped.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::Cursor;

use jury::check;
use jury::model::{Output, TestCase, Verdict};
use serde_json::Value;

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|&letter| letter != b'=') {
        bits = bits << 6 | LETTERS.iter().position(|&known| known == letter).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// The comparison that stands for a real comparer.
fn preset(comparer: &str) -> String {
    let mut words = comparer.split(' ');
    if comparer.starts_with("preset ") {
        return words.nth(1).unwrap().to_owned();
    }
    let mut name = words.next().unwrap().to_owned();
    if matches!(name.as_str(), "dmoj-identical" | "dmoj-rstripped") {
        name += ",binary_data";
    }
    if name == "cms-white-diff" {
        name = "oicompare".into();
    }
    for word in words {
        let value = word.starts_with(|letter: char| letter.is_ascii_digit());
        name += if value { "=" } else { "," };
        name += word;
    }
    name
}

/// The verdict behind an exit code; none for a comparer that fails by itself.
fn verdict(comparer: &str, code: &Value) -> Option<Verdict> {
    let validator = comparer.starts_with("kattis") || comparer.starts_with("domjudge");
    match code.as_i64()? {
        42 if validator => Some(Verdict::Accepted),
        43 if validator => Some(Verdict::WrongAnswer),
        0 => Some(Verdict::Accepted),
        1 | 2 => Some(Verdict::WrongAnswer),
        3 => Some(Verdict::JudgeError),
        _ => None,
    }
}

#[test]
fn every_comparison_agrees_with_the_real_one() {
    let Some(file) = std::env::var_os("JURY_PAIRS") else {
        println!("skipped: JURY_PAIRS names no file of pairs");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.ans");
    let mut faults = Vec::new();
    let mut counts = BTreeMap::<String, [u64; 2]>::new();
    for (number, line) in std::fs::read_to_string(file).unwrap().lines().enumerate() {
        let pair: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| base64(pair[key].as_str().unwrap());
        let (answer, output) = (text("ans"), text("out"));
        std::fs::write(&path, &answer).unwrap();
        let case = TestCase {
            name: "x/1".into(),
            group: String::new(),
            input: "x/1.in".into(),
            answer: Some(path.clone()),
            missing: None,
        };
        for (comparer, code) in pair["v"].as_object().unwrap() {
            let Some(expected) = verdict(comparer, code) else { continue };
            let checker = check::parse(&preset(comparer)).unwrap();
            let stream = Box::new(Cursor::new(output.clone()));
            let mut got = Output { stream, bytes: output.len() as u64 };
            let judgement = checker.check(&case, &mut got).unwrap();
            let count = counts.entry(comparer.clone()).or_default();
            count[0] += 1;
            // The codes do not tell a part of the points from none.
            let partly = judgement.verdict == Verdict::PartlyCorrect;
            let found = if partly { Verdict::WrongAnswer } else { judgement.verdict };
            if found != expected {
                count[1] += 1;
                faults.push(format!(
                    "pair {}: {comparer}: {} instead of {}: {:?} {:?}",
                    number + 1,
                    judgement.verdict.code(),
                    expected.code(),
                    answer.escape_ascii().to_string(),
                    output.escape_ascii().to_string(),
                ));
            }
        }
    }
    for (comparer, [compared, disagree]) in &counts {
        println!("{comparer}: {compared} compared, {disagree} disagree");
    }
    assert!(faults.is_empty(), "{} disagree:\n{}", faults.len(), faults.join("\n"));
}
