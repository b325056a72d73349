//! `jury diff`: two files, one verdict.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Suite, ran};

fn suite() -> Suite {
    Suite::new().file("a", "1 2\n3\n").file("same", "1  2\r\n3").file("other", "1 2\n4\n")
}

#[test]
fn the_exit_code_says_whether_the_output_is_right() {
    let suite = suite();
    let code = |arguments: &[&str]| suite.run(&[&["diff"], arguments].concat()).code;
    assert_eq!(code(&["a", "same"]), Some(0));
    assert_eq!(code(&["a", "other"]), Some(1));
    assert_eq!(code(&["--compare", "exact", "a", "same"]), Some(1));
    assert_eq!(code(&["--compare", "icpcc", "a", "same"]), Some(2));
    assert_eq!(code(&["a", "gone"]), Some(2));
    assert_eq!(code(&["-", "-"]), Some(2));
    assert_eq!(code(&["--compare", "icmp", "a", "same"]), Some(1));
    assert_eq!(code(&["--compare", "yesno", "a", "same"]), Some(3));
}

#[test]
fn the_first_difference_is_shown_with_a_hint() {
    let suite = Suite::new().file("a", "1\nx 0.5\n").file("b", "1\nX 0.5000001\n");
    let ran = suite.run(&["diff", "a", "b"]);
    assert_eq!(
        ran.out,
        "WA  b: line 2, token 1: differs only in case: expected \"x\", got \"X\"\n       \
         line | expected | got\n          \
         1 | 1        | 1\n    \
         >     2 | x 0.5    | X 0.5000001\n            \
         | ^        | ^\n    \
         2 lines expected, 2 lines got, 1 line differs\n    \
         hint: would be AC under --compare icpc,float_tolerance=1e-6\n"
    );
    assert_eq!(ran.err, "");
}

#[test]
fn files_that_are_equal_say_so_unless_nothing_is_wanted() {
    let suite = suite();
    assert_eq!(suite.run(&["diff", "a", "same"]).out, "AC  same: right under tokens, 7 bytes\n");
    let ran = suite.run(&["diff", "-q", "a", "other"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", ""));
}

#[test]
fn standard_input_and_gzip_files_are_read() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"1 2\n3\n").unwrap();
    let suite = suite().file("a.gz", packed.finish().unwrap());
    assert_eq!(suite.run(&["diff", "a.gz", "same"]).code, Some(0));
    let mut child = suite.command(&["diff", "a.gz", "-"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"1 2 4").unwrap();
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("WA  standard input: line 2, token 1"), "{}", ran.out);
    let suite = suite.file("broken.gz", b"\x1f\x8b broken");
    let ran = suite.run(&["diff", "broken.gz", "same"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot read broken.gz: "), "{}", ran.err);
}

#[test]
fn every_comparison_is_asked_for_a_table() {
    let suite = suite();
    let ran = suite.run(&["diff", "--all", "a", "same"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let row = |name: &str| {
        let row = ran.out.lines().find(|line| line.split(' ').next() == Some(name));
        row.unwrap_or_else(|| panic!("{name}: {}", ran.out)).to_owned()
    };
    assert!(row("tokens").ends_with("AC"));
    assert!(row("exact").contains("WA  line 1"));
    assert!(row("yesno").contains("JE  a: line 1: YES or NO was expected"));
    let ran = suite.run(&[
        "diff",
        "--format",
        "json",
        "--compare",
        "icpc",
        "--compare",
        "lines",
        "a",
        "same",
    ]);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found[0]["verdict"], "AC");
    assert_eq!(found[1]["compare"], "lines");
    assert_eq!(found[1]["mismatch"]["kind"], "whitespace");
}

#[test]
fn the_configuration_names_the_comparison_and_its_flags_are_checked() {
    let suite = suite().file("jury.toml", "[run]\ncompare = \"dmoj-sorted,split_on=whitespace\"\n");
    let suite = suite.file("mixed", "3 2\n1\n");
    assert_eq!(suite.run(&["diff", "a", "mixed"]).code, Some(0));
    let suite = suite.file("jury.toml", "[run]\ncompare = \"dmoj-sorted,split=lines\"\n");
    let ran = suite.run(&["diff", "a", "mixed"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no flag `split` (did you mean `split_on`?)"), "{}", ran.err);
}
