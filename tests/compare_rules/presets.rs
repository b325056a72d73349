//! Small pairs and what the real judges say of them.

use jury::check;
use jury::model::{MismatchKind, Verdict};

use crate::support::{judge, mismatch, text};
use jury::report::mismatch::Charset;

/// What is said of an output: right, wrong, or that the answer does not fit.
fn says(compare: &str, answer: &str, got: &str) -> &'static str {
    judge(compare, answer.as_bytes(), got.as_bytes()).expect("readable files").verdict.code()
}

/// Each row: a comparison, an answer, outputs that are right, outputs that are wrong.
type Row = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const ROWS: &[Row] = &[
    ("icpc", "A B", &["a b", " A  B\t\n", "A\nB"], &["A C", "A B X", "A", "AB", ""]),
    ("icpc,case_sensitive", "A B", &["A\n\nB"], &["a B"]),
    (
        "icpc,space_change_sensitive",
        "A B\n",
        &["A B\n", "a b\n"],
        &["A  B\n", "A B", " A B\n", "A\tB\n"],
    ),
    ("icpc,space_change_sensitive", "", &[""], &[" ", "\n"]),
    (
        "icpc,float_absolute_tolerance=1",
        "10 11",
        &["10.1 11.9", "11 12", "9 1.0e1"],
        &["8.9 11", "x 11", "inf 11"],
    ),
    (
        "icpc,float_relative_tolerance=0.5",
        "1000 0.001",
        &["500 0.00149"],
        &["499 0.001", "1000 0.00151"],
    ),
    ("icpc,float_relative_tolerance=1", "0", &["0", "0.0", "-0e5"], &["1e-300", "1e-9999"]),
    ("icpc,float_relative_tolerance=1", "-0.0", &["+0", ".0e7"], &["1", "-1e-9"]),
    (
        "icpc,float_tolerance=0",
        "0",
        &["00", "0.", "-.0", "+0.00E-01", "0e+007", "0.0e99999999999999999999"],
        &["1e-4900", "1e-20000", ".", "-.e1", "0e", "0e+", "0e1.", "0..", "--0", "0x0"],
    ),
    (
        "icpc,float_tolerance=0",
        "-100",
        &["-1e2", "-.1e003", "-0100.0", "-1000.0e-1", "-100.00000000000000000000000000001"],
        &["100", "-100e", "-100.0.0", "-e2", "-100e0.0", "-1 00"],
    ),
    ("icpc,float_tolerance=0.5", "1000A X7", &["1000a x7"], &["1000.0A X7", "1000A X7.0"]),
    ("icpc,float_tolerance=0.5,case_sensitive", "1e1 A", &["1E1 A", "10.4 A"], &["10 a"]),
    ("icpc,float_tolerance=0.5", "1e5000", &["1E5000"], &["1.0e5000", "1e4999"]),
    ("icpc", "a -1 -1", &["A -1\n-1"], &["a\0 -1 -1", "a -1-1", "a -1 -1.0"]),
    (
        "icpc,float_tolerance=0.5",
        "nan inf 0x10",
        &["NAN INF 0X10"],
        &["nan 1e9 0x10", "nan inf 16"],
    ),
    ("icpc,float_tolerance=1e-6", "1", &["1.0000005", "0.9999995"], &["1.0000011", "1x", "one"]),
    (
        "kattis,float_tolerance=1e-6",
        "16 inf",
        &["0x10 INF", "1.6e1 inf"],
        &["16 infinity", "17 inf"],
    ),
    ("kattis", "a\0b", &["A\0c"], &["b\0b"]),
    ("domjudge", "a\0b", &["A\0B"], &["a\0c"]),
    ("domjudge,float_tolerance=1e-6", "nan -inf", &["NaN -Infinity"], &["nan inf", "1 -inf"]),
    ("domjudge,float_relative_tolerance=1e-6", "0", &["0"], &["1e-9"]),
    (
        "dmoj-standard",
        "1 2\n3\n",
        &["1  2\r\n\n3", "\n1\t2\r3\n\n"],
        &["1\n2\n3", "1 2 3", "1 2\n3 4", "12\n3"],
    ),
    (
        "dmoj-floats",
        "a 1\n2\n",
        &["a 1.0000001\n\n2", "a 1\r\n1.9999999"],
        &["a 1 2", "a 1.1\n2", "b 1\n2", "a x\n2", "a 1\n \n2"],
    ),
    ("dmoj-floats", "nan", &[], &["nan", "1"]),
    ("dmoj-floats,precision=1", "10 1000", &["10.05 1099"], &["11.1 1000", "10 1101"]),
    ("dmoj-floatsabs", "1000", &["1000.0000009"], &["1000.00001"]),
    ("dmoj-floatsrel", "1000", &["1000.0009"], &["1000.002"]),
    ("dmoj-floatsrel", "0", &["0"], &["1e-9"]),
    (
        "dmoj-sorted",
        "1 2\n3\n3\n",
        &["3\n1  2\n\n3", "3\n3\n1 2"],
        &["3\n1 2", "3\n2 1\n3", "1 2 3 3"],
    ),
    ("dmoj-sorted,split_on=whitespace", "1 2\n3\n", &["3 2 1"], &["1 2", "1 2 2"]),
    ("dmoj-identical", "1\r\n2", &["1\n2\n"], &["1\r\n2", "1\n2", "1 \n2\n"]),
    ("dmoj-identical,binary_data", "1\r\n2", &["1\r\n2"], &["1\n2\n"]),
    ("dmoj-rstripped", "1\r\n 2", &["1 \n 2\t\n"], &["1\n2\n", "1\n 2", "1\r\n 2\n", "1\n 2\n\n"]),
    ("dmoj-rstripped,filter_new_line", "1\n2\n", &["1\r\n\r\n2"], &["1\n \n2"]),
    ("dmoj-linecount", "1\n2\n", &["1\n\n2", " 1\n2 "], &["1\n3", "1\n2\n3", "1"]),
    ("dmoj-linematches,point_distribution=1:1", "1\n2\n", &["1\n2"], &["1\n3", "1", "1 \n2"]),
    ("dmoj-easy", "Ab c\n", &["cba", "C\nB\nA"], &["ab", "abcc"]),
    (
        "lemon",
        "1 2\n3\n",
        &["1\t2\r\n3", "1 2\r3\n\n"],
        &["1\n2\n3", "1 2\n\n3", "1 2 3", "1 2", "1 2\n3 4"],
    ),
    ("lemon,lines", "1 2\n", &["1 2\r\n", "1 2\n\n\n"], &["1 2", "1  2\n", "1 2 \n"]),
    (
        "lemon,real=3",
        "1 1000",
        &["1.0009 1000.9", "1\n1001"],
        &["1.0011 1000", "1", "1 1000 1", "1 x", "1 1000\x00"],
    ),
    (
        "cms-white-diff",
        "1 2\n\n3\n",
        &["1  2 \n\t\n 3\n\n", "1 2\r\n\r\n3"],
        &["1 2\n3", "1\n2\n\n3", "\n1 2\n\n3"],
    ),
    ("oicompare", "1 2\n", &["1\x002"], &["1\x0c2"]),
    ("cms-white-diff", "1 2\n", &["1\x0c2"], &["1\x002"]),
    (
        "hydro",
        "1 2\n\n3\n",
        &["1 2 \n\r\n3\t\n\n", "1 2\n\n3"],
        &["1  2\n\n3", " 1 2\n\n3", "1 2\n3", "1 2\n\n3\n  \n"],
    ),
    ("hydro", "\n", &["", "\n\n"], &[" \n", " "]),
    ("hydro", "1\n \n", &["1\n\t\n\n"], &["1\n\n", "1\n"]),
    ("hydro", "1\n \n\n2", &["1\n\n\t\n2\n\n"], &["1\n\n2"]),
    ("hydro,strict", "1\n2\n", &["1\r\n2", "1\n2\r\r\n"], &["1 \n2\n", "1\n2\n\n"]),
    ("oj", "1\r\n2\n", &["1\n2\r\n"], &["1\n2", "1 \n2\n", "1\n2\n\n", "1\r2\n"]),
    ("oj,exact", "1\n", &["1\n"], &["1\r\n"]),
    (
        "oj,ignore_spaces",
        "1 2\n3\n",
        &["1  2 \n3\n\n\n", "1 2\r\n3"],
        &["1 2 3", "1 2\n3\n \n", "1 2\n\n3"],
    ),
    ("oj,ignore_spaces_and_newlines", "1 2\n3\n", &["1\n2 3"], &["1 2"]),
    ("oj,error=1e-3", "1000 x\n", &["1000.9 x"], &["1002 x", "1000\nx", "1000 y"]),
    ("wcmp", "1 a\n", &["1\na", "\u{feff}1 a"], &["1 A", "1", "1 a a", "1\x0ba"]),
    ("lcmp", "1 2\n\n3\n", &["1\x0b2 \n \n3\n\n\n"], &["1 2\n3", "1 2\n\n3\n4", "1 2\n\n3\n\x0b"]),
    (
        "fcmp",
        "1 2\n3\n",
        &["1 2\r\n3", "1 2\n3\n \n\n", "\u{feff}1 2\n3"],
        &["1  2\n3", "1 2\n3 \n", "1 2", "1 2\n3\n4"],
    ),
    ("ncmp", "1 -2", &["1\n-2\n"], &["1 -2 3", "1", "1 02", "1 x", "1 -3"]),
    ("icmp", "7", &["7\n"], &["8", "07", "7 7", "", "3000000000"]),
    (
        "hcmp",
        "-123456789012345678901234567890",
        &["-123456789012345678901234567890 "],
        &["1", "-0", "x", "1 2"],
    ),
    ("rcmp", "1", &["1.0000015", "1e0"], &["1.0000016", "1 1", "nan", "0x1"]),
    ("dcmp", "1000000", &["1000000.9"], &["1000002"]),
    ("acmp", "1000000", &["1000000.000001"], &["1000000.9"]),
    ("rcmp4", "1 1e9", &["1.0001 1.00009e9"], &["1.0002 1e9", "1", "1 1e9 1"]),
    ("rcmp6", "-5 0", &["-5.000004 1e-6"], &["-5.00001 0", "5 0"]),
    ("rcmp9", "1", &["1.000000001"], &["1.000000003"]),
    ("rncmp", "1 2", &["1.000015 2"], &["1.00002 2"]),
    ("yesno", "YES", &["yes", "Yes\n"], &["no", "YES YES", "maybe", ""]),
    ("nyesno", "YES no", &["yes NO"], &["yes yes", "yes", "yes no no"]),
    ("uncmp", "3 1 2 2", &["2 2 1 3"], &["1 2 3", "1 1 2 3", "1 2 2 x"]),
    (
        "caseicmp",
        "Case 1: 5\nCase 2: 6\n",
        &["Case 1: 5 Case 2: 6"],
        &["Case 1: 5", "Case 1: 5\nCase 2: 7", "case 1: 5"],
    ),
    (
        "casencmp",
        "Case 1: 5 6\nCase 2:\n",
        &["Case 1: 5\n6 Case 2:", "Case 1: 5\0x 6\0 Case 2:"],
        &["Case 1: 5\0 \x006 Case 2:", "Case 1: 5\nCase 2:", "Case 1: 5 6\nCase 3:", "Case 1: 5 6"],
    ),
    (
        "casewcmp",
        "Case 1: a b\n",
        &["Case 1: a b\nCase"],
        &["Case 1: a B", "Case 1: a", "Case 1: a b\nCase 2:"],
    ),
];

#[test]
fn every_comparison_says_what_its_judge_says() {
    for &(compare, answer, right, wrong) in ROWS {
        for got in right {
            assert_eq!(says(compare, answer, got), "AC", "{compare}: {answer:?} {got:?}");
        }
        for got in wrong {
            let said = says(compare, answer, got);
            let scored = compare.starts_with("dmoj-line") && said == "PC";
            assert!(said == "WA" || scored, "{compare}: {answer:?} {got:?}: {said}");
        }
    }
}

#[test]
fn every_comparison_stands_in_the_table() {
    let rows: Vec<&str> = ROWS.iter().map(|row| row.0.split(',').next().unwrap()).collect();
    for preset in check::ALL {
        let plain = ["tokens", "lines", "exact"].contains(&preset.name);
        assert!(plain || rows.contains(&preset.name), "{}", preset.name);
    }
}

#[test]
fn an_answer_that_the_checker_does_not_take_is_a_judge_error() {
    for (compare, answer) in [
        ("ncmp", "1 x"),
        ("icmp", "3000000000"),
        ("hcmp", "1 2"),
        ("rcmp6", "1 nan"),
        ("yesno", "maybe"),
        ("uncmp", "1 02"),
        ("caseicmp", "Case 2: 1"),
        ("lemon,real=3", "x"),
        ("dmoj-linematches,point_distribution=1:1", "1"),
    ] {
        let judgement = judge(compare, answer.as_bytes(), answer.as_bytes()).unwrap();
        assert_eq!(judgement.verdict, Verdict::JudgeError, "{compare}");
        assert!(judgement.message.contains("1.out: line 1: "), "{}", judgement.message);
    }
}

#[test]
fn partial_scores_stand_beside_the_verdict() {
    let score = |compare, got: &str| judge(compare, b"1\n2\n3\n4\n", got.as_bytes()).unwrap().score;
    assert_eq!(score("dmoj-linecount", "1\n2\n0\n4\n"), Some(0.75));
    assert_eq!(score("dmoj-linecount", "1\n2\n3\n4\n5\n"), Some(0.0));
    assert_eq!(score("dmoj-linecount", "1\n2\n3\n4\n"), None);
    let matches = "dmoj-linematches,point_distribution=1:1:1:5";
    assert_eq!(score(matches, "1\n2\n0\n4\n"), Some(0.875));
    assert_eq!(score(matches, "1\n2\n"), Some(0.0));
    let loose = "dmoj-linematches,point_distribution=1:1:1:5,filler_lines_required=false";
    assert_eq!(score(loose, "1\n2\n"), Some(0.25));
}

#[test]
fn a_nul_ends_an_integer_only_where_testlib_reads_a_string_of_c() {
    let both =
        |compare, text: &str, nul: &str| [says(compare, text, nul), says(compare, nul, text)];
    for value in ["7\0", "7\x008", "7\0x"] {
        let case = format!("Case 1: {value}");
        assert_eq!(both("casencmp", "Case 1: 7", &case), ["AC", "AC"], "{value:?}");
        assert_eq!(both("caseicmp", "Case 1: 7", &case), ["WA", "JE"], "{value:?}");
        for compare in ["ncmp", "uncmp", "icmp", "hcmp", "rcmp", "dcmp", "acmp", "rcmp6", "rncmp"] {
            assert_eq!(both(compare, "7", value), ["WA", "JE"], "{compare}: {value:?}");
        }
    }
    assert_eq!(both("casencmp", "Case 1: 7", "Case 1: \x007"), ["WA", "JE"]);
    assert_eq!(both("casewcmp", "Case 1: 7", "Case 1: 7\0"), ["WA", "WA"]);
    assert_eq!(both("yesno", "YES", "YES\0"), ["WA", "JE"]);
    assert_eq!(both("nyesno", "YES", "YES\0"), ["WA", "JE"]);
}

#[test]
fn kinds_and_words_tell_what_is_wrong() {
    let told = |compare, answer: &[u8], got: &[u8]| {
        let mismatch = mismatch(compare, answer, got);
        let text = text(&mismatch, Charset::Unicode);
        (mismatch.kind, text.lines().next().unwrap().to_owned())
    };
    assert_eq!(
        told("icpc,float_tolerance=1e-6", b"x\n1 0.333333333\n", b"x\n1 0.3333\n"),
        (
            MismatchKind::Tolerance,
            "line 2, token 2: expected 0.333333333, got 0.3333; \
             off by 3.3e-5 (relative 1e-4), allowed 1e-6"
                .into()
        )
    );
    assert_eq!(
        told("ncmp", b"1 2\n", b"1 x\n"),
        (
            MismatchKind::Presentation,
            "line 1, token 2: presentation error: an integer of 64 bits was expected: got \"x\""
                .into()
        )
    );
    assert_eq!(told("dmoj-standard", b"1 2\n", b"1\n2\n").0, MismatchKind::Whitespace);
    assert_eq!(told("rcmp6", b"1 2\n", b"1\n").0, MismatchKind::Presentation);
    assert_eq!(told("wcmp", b"1 2\n", b"1\n").0, MismatchKind::MissingOutput);
    assert_eq!(told("icpc", b"1\n", b"1 2\n").0, MismatchKind::ExtraOutput);
}

#[test]
fn a_hint_names_a_comparison_that_accepts_and_oddities_of_the_answer() {
    let hint = |compare, answer: &[u8], got: &[u8]| judge(compare, answer, got).unwrap().hint;
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(hint("tokens", b"Yes\n", b"YES\n"), some("would be AC under --compare icpc"));
    assert_eq!(
        hint("tokens", b"0.5\n", b"0.5000001\n"),
        some("would be AC under --compare icpc,float_tolerance=1e-6")
    );
    assert_eq!(
        hint("tokens", b"1\n2\n", b"2\n1\n"),
        some("would be AC under --compare dmoj-sorted")
    );
    assert_eq!(hint("tokens", b"1\n", b"2\n"), None);
    assert_eq!(
        hint("tokens", b"\xef\xbb\xbf1\n", b"1\n"),
        some("the expected file starts with a UTF-8 byte order mark")
    );
    assert_eq!(
        hint("tokens", b"\xff\xfe1\0\n\0", b"1\n"),
        some("the expected file is UTF-16 (little endian), not UTF-8")
    );
    assert_eq!(
        hint("exact", b"1\r\n", b"1\n"),
        some("the expected file has CRLF line ends; would be AC under --compare tokens")
    );
}

#[test]
fn names_and_flags_are_checked() {
    let error = |text: &str| check::parse(text).map(|_| ()).unwrap_err().to_string();
    assert!(
        error("icpcc").starts_with("unknown comparison `icpcc` (did you mean `icpc`?), expected")
    );
    assert_eq!(
        error("hydro,strikt"),
        "comparison `hydro` has no flag `strikt` (did you mean `strict`?), known flags: strict"
    );
    assert_eq!(error("tokens,x"), "comparison `tokens` has no flag `x`, known flags: none");
    assert_eq!(
        error("icpc,float_tolerance"),
        "comparison `icpc`: `float_tolerance` needs a value: a number from 0 on"
    );
    for text in [
        "icpc,float_tolerance=-1",
        "icpc,float_tolerance=nan",
        "icpc,float_tolerance=1,float_relative_tolerance=1",
        "icpc,case_sensitive=1",
        "icpc,case_sensitive,case_sensitive",
        "dmoj-floats,precision=301",
        "dmoj-sorted,split_on=words",
        "dmoj-linematches,point_distribution=1:x",
        "lemon,lines,real=3",
        "oj,exact,ignore_spaces",
        "",
    ] {
        assert!(check::parse(text).is_err(), "{text}");
    }
}
