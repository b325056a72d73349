use super::*;
use crate::model::Verdict::{
    Accepted as AC, PartlyCorrect as PC, PresentationError as PE, WrongAnswer as WA,
};

/// What a checker said; the full score is the default of the protocol.
struct Case {
    code: i32,
    stdout: &'static str,
    stderr: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const fn code(code: i32) -> Case {
    Case { code, stdout: "", stderr: "", files: &[] }
}

const fn out(code: i32, stdout: &'static str) -> Case {
    Case { code, stdout, stderr: "", files: &[] }
}

const fn err(code: i32, stderr: &'static str) -> Case {
    Case { code, stdout: "", stderr, files: &[] }
}

const fn files(code: i32, files: &'static [(&'static str, &'static str)]) -> Case {
    Case { code, stdout: "", stderr: "", files }
}

fn said(protocol: &Protocol, case: &Case) -> Said {
    let file = |(name, text): &(&'static str, &str)| (*name, text.as_bytes().to_vec());
    Said {
        code: case.code,
        stdout: case.stdout.into(),
        stderr: case.stderr.into(),
        files: case.files.iter().map(file).collect(),
        full_score: protocol.full_score,
        passes: (1, 1),
        greatest: 10,
    }
}

fn read(protocol: &str, case: &Case) -> Result<Opinion, String> {
    let protocol = parse(protocol).unwrap();
    (protocol.read)(&said(protocol, case)).map_err(|fault| fault.0)
}

/// Verdict, score and message, or a part of the fault.
type Expected = Result<(Verdict, f64, &'static str), &'static str>;

fn table(protocol: &str, rows: &[(Case, Expected)]) {
    for (case, expected) in rows {
        let what = format!(
            "{protocol}: {} {:?} {:?} {:?}",
            case.code, case.stdout, case.stderr, case.files
        );
        match (read(protocol, case), expected) {
            (Ok(opinion), Ok((verdict, score, message))) => {
                assert_eq!(opinion.verdict, *verdict, "{what}");
                assert!((opinion.score - score).abs() < 1e-9, "{what}: {}", opinion.score);
                assert_eq!(String::from_utf8(opinion.remarks.message).unwrap(), *message, "{what}");
            }
            (Err(fault), Err(part)) => assert!(fault.contains(part), "{what}: {fault}"),
            (got, _) => panic!("{what}: {got:?}"),
        }
    }
}

#[test]
fn testlib_is_read_from_its_words_and_only_without_them_from_its_code() {
    table(
        "testlib",
        &[
            (err(0, "ok 3 numbers\n"), Ok((AC, 1.0, "3 numbers"))),
            (err(0, "ok"), Ok((AC, 1.0, ""))),
            (err(0xAC, "ok for Contester"), Ok((AC, 1.0, "for Contester"))),
            (err(1, "wrong answer 1st differs\n"), Ok((WA, 0.0, "1st differs"))),
            (err(5, "wrong answer for EJUDGE\n"), Ok((WA, 0.0, "for EJUDGE"))),
            (err(2, "wrong output format Extra\n"), Ok((PE, 0.0, "Extra"))),
            (err(8, "unexpected eof in line 2"), Ok((PE, 0.0, "in line 2"))),
            (err(3, "FAIL no answer\n"), Err("FAIL")),
            (err(7, "points 0.25 a quarter"), Ok((PC, 0.25, "a quarter"))),
            (err(7, "points 1 all"), Ok((AC, 1.0, "all"))),
            (err(7, "points 0 none"), Ok((WA, 0.0, "none"))),
            (err(7, "points none"), Err("no number")),
            (err(7, "points 50 of 100"), Err("50 points, expected 0 to 1; `full_score`")),
            (err(7, "points nan"), Err("no number")),
            (err(7, "points -1"), Err("-1 points")),
            // quitf(_pc(N)) ends with code N.
            (err(1, "partially correct (1) a bit"), Ok((PC, 0.01, "a bit"))),
            (err(3, "partially correct (3)"), Ok((PC, 0.03, ""))),
            (err(50, "partially correct (50) half"), Ok((PC, 0.5, "half"))),
            (err(0, "partially correct (0)"), Ok((WA, 0.0, ""))),
            (err(16, "partially correct"), Err("no `(N)`")),
            (err(16, "partially correct (x)"), Err("no `(N)`")),
            (code(0), Ok((AC, 1.0, ""))),
            (code(1), Ok((WA, 0.0, ""))),
            (code(2), Ok((PE, 0.0, ""))),
            (code(4), Ok((PE, 0.0, ""))),
            (code(8), Ok((PE, 0.0, ""))),
            (code(3), Err("FAIL")),
            (code(7), Err("exit code 7")),
            (code(42), Err("exit code 42")),
            (code(139), Err("exit code 139")),
            (err(1, "okay?"), Ok((WA, 0.0, "okay?"))),
            (err(1, "ok"), Err("do not fit")),
            (err(0, "wrong answer"), Err("do not fit")),
        ],
    );
}

#[test]
fn files_that_testlib_refuses_to_read_are_its_limit_and_no_wrong_form() {
    let protocol = parse("testlib").unwrap();
    for (code, words) in [(2, "wrong output format too big"), (3, "FAIL too big"), (2, "")] {
        let mut said = said(protocol, &err(code, words));
        said.greatest = (128 << 20) + 1;
        let fault = (protocol.read)(&said).unwrap_err().0;
        assert!(fault.contains("limit of testlib") && fault.contains("134217729"), "{fault}");
    }
    let mut wrong = said(protocol, &err(1, "wrong answer"));
    wrong.greatest = 1 << 30;
    assert_eq!((protocol.read)(&wrong).unwrap().verdict, WA);
}

#[test]
fn kattis_is_read_from_its_code_and_its_feedback() {
    let judge = "feedback/judgemessage.txt";
    assert_eq!(judge, parse("kattis").unwrap().files[0]);
    let rows = [
        (code(42), Ok((AC, 1.0, ""))),
        (code(43), Ok((WA, 0.0, ""))),
        (files(43, &[("feedback/judgemessage.txt", " edge\n")]), Ok((WA, 0.0, "edge"))),
        (files(42, &[("feedback/score.txt", "0.5\n")]), Ok((PC, 0.5, ""))),
        (files(42, &[("feedback/score.txt", "0")]), Ok((WA, 0.0, ""))),
        (files(42, &[("feedback/score.txt", "57")]), Err("57 points, expected 0 to 1")),
        (files(42, &[("feedback/score.txt", "1 2")]), Err("not one number")),
        (files(42, &[("feedback/score.txt", "-1")]), Err("-1 points")),
        (files(43, &[("feedback/score.txt", "0")]), Err("leaves a score.txt")),
        (files(42, &[("feedback/diffposition.txt", "3")]), Err("not two numbers")),
        (files(42, &[("feedback/nextpass.in", "")]), Err("one is allowed: `passes`")),
        (files(43, &[("feedback/nextpass.in", "")]), Err("refuses the output and leaves a next")),
        (files(1, &[("feedback/judgeerror.txt", "no answer")]), Err("exit code 1, expected 42")),
        (files(1, &[("feedback/judgeerror.txt", "no answer")]), Err("no answer")),
        (code(0), Err("expected 42 or 43")),
    ];
    table("kattis", &rows);
    table("icpc", &rows);
    let words = files(
        43,
        &[("feedback/teammessage.txt", "look again"), ("feedback/diffposition.txt", "3 4\n")],
    );
    let remarks = read("kattis", &words).unwrap().remarks;
    assert_eq!((remarks.team, remarks.position), (b"look again".to_vec(), Some((3, 4))));
}

#[test]
fn cms_gives_a_score_and_words() {
    table(
        "cms",
        &[
            (out(0, "1.0\n"), Ok((AC, 1.0, ""))),
            (out(0, "0.3\nmore\n"), Ok((PC, 0.3, ""))),
            (out(0, "0\n"), Ok((WA, 0.0, ""))),
            (
                Case { stderr: "translate:wrong\n", ..out(0, "0\n") },
                Ok((WA, 0.0, "translate:wrong")),
            ),
            (
                Case { stderr: "sorry\nADMIN_MESSAGE: edge 3\n", ..out(0, "0") },
                Ok((WA, 0.0, "edge 3")),
            ),
            (out(0, "1.5\n"), Err("expected 0 to 1")),
            (out(0, "-0.5\n"), Err("-0.5 points")),
            (out(0, "good\n"), Err("no score")),
            (out(0, ""), Err("no score")),
            (out(0, "nan\n"), Err("no score")),
            (out(0, "inf\n"), Err("no score")),
            (out(0, "0x1\n"), Err("no score")),
            (out(1, "1.0\n"), Err("exit code 1")),
        ],
    );
}

#[test]
fn lemon_gives_points_of_the_full_score_in_a_file() {
    table(
        "lemon",
        &[
            (files(0, &[("score", "100\n"), ("message", "good\n")]), Ok((AC, 1.0, "good"))),
            (files(0, &[("score", "30")]), Ok((PC, 0.3, ""))),
            (files(0, &[("score", "0")]), Ok((WA, 0.0, ""))),
            (files(0, &[("score", "2100")]), Ok((AC, 1.0, ""))),
            (files(0, &[("score", "-1")]), Err("-1 points")),
            (files(0, &[("score", "all")]), Err("does not start with a number")),
            (files(0, &[("score", "")]), Err("does not start with a number")),
            (code(0), Err("no score file")),
            (files(1, &[("score", "100")]), Err("exit code 1")),
        ],
    );
    let warned = read("lemon", &files(0, &[("score", "2100")])).unwrap().remarks.warning.unwrap();
    assert!(warned.contains("2100 of 100 points"), "{warned}");
}

#[test]
fn sinol_gives_three_lines() {
    table(
        "sinol",
        &[
            (out(0, "OK\n"), Ok((AC, 1.0, ""))),
            (out(0, "OK\nfine\n37.5\n"), Ok((PC, 0.375, "fine"))),
            (out(0, "OK\n\n75/2\n"), Ok((PC, 0.375, ""))),
            (out(1, "WRONG\nline 3\n"), Ok((WA, 0.0, "line 3"))),
            (out(0, "OK\n\n0"), Ok((WA, 0.0, ""))),
            (out(0, "OK\n\n101"), Err("101 points")),
            (out(0, "OK\n\n1/0"), Err("no fraction")),
            (out(0, "OK\n\nmany"), Err("no fraction")),
            (out(0, ""), Err("nothing on stdout")),
            (out(3, "OK\n"), Err("exit code 3")),
        ],
    );
}

#[test]
fn plain_codes_accept_and_refuse() {
    let trouble = || (code(2), Err("expected 0 or 1"));
    table(
        "exit",
        &[
            (out(0, ""), Ok((AC, 1.0, ""))),
            (out(1, "1c1\n"), Ok((WA, 0.0, "1c1"))),
            (err(1, "differs"), Ok((WA, 0.0, "differs"))),
            trouble(),
        ],
    );
    table(
        "peg",
        &[
            (out(0, ""), Ok((AC, 1.0, ""))),
            (out(1, "bad"), Ok((WA, 0.0, "bad"))),
            (out(0, "3\n10\n"), Ok((PC, 0.3, ""))),
            (out(1, "words\n10\n10\n"), Ok((AC, 1.0, ""))),
            (out(1, "0\n10\n"), Ok((WA, 0.0, "0\n10"))),
            (out(0, "5\n0\n"), Ok((AC, 1.0, "5\n0"))),
            trouble(),
        ],
    );
    table(
        "hustoj",
        &[
            (out(0, ""), Ok((AC, 1.0, ""))),
            (out(1, "no"), Ok((WA, 0.0, "no"))),
            (out(7, ""), Ok((WA, 0.0, ""))),
            (code(127), Err("exit code 127")),
        ],
    );
}

#[test]
fn an_uncaught_exception_is_no_refusal() {
    for protocol in ["exit", "peg", "hustoj", "testlib"] {
        let fault = || Err("uncaught exception");
        table(
            protocol,
            &[
                (err(1, "Traceback (most recent call last):\n  File \"c.py\", line 3\n"), fault()),
                (
                    err(1, "hm\nException in thread \"main\" java.lang.Error\n\tat C.main\n"),
                    fault(),
                ),
                (err(1, "c.js:1\nError: no\n\nNode.js v20.20.2\n"), fault()),
            ],
        );
    }
    let words = "wrong answer no\nTraceback (most recent call last):";
    let told = Ok((WA, 0.0, "no\nTraceback (most recent call last):"));
    table("testlib", &[(err(1, words), told)]);
}

#[test]
fn names_are_unique_and_every_protocol_has_a_summary() {
    for (index, protocol) in ALL.iter().enumerate() {
        assert!(!protocol.summary.is_empty());
        assert!(ALL[index + 1..].iter().all(|other| other.name != protocol.name));
        assert_eq!(parse(protocol.name).unwrap(), *protocol);
        for file in protocol.files {
            let folder = std::path::Path::new(file).parent().and_then(|folder| folder.to_str());
            assert_eq!(folder.filter(|folder| !folder.is_empty()), protocol.folder);
        }
    }
    assert!(parse("testlip").unwrap_err().contains("known are testlib, kattis"));
}

#[test]
fn arguments_stand_behind_those_of_the_protocol_or_in_their_place() {
    let words = |protocol: &str, args: &[&str]| {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        arguments(parse(protocol).unwrap(), &args, 100.0).join(" ")
    };
    assert_eq!(words("testlib", &[]), "input output answer");
    assert_eq!(
        words("kattis", &["float_tolerance", "1e-6"]),
        "input answer feedback/ float_tolerance 1e-6"
    );
    assert_eq!(words("lemon", &[]), "input output answer 100 score message");
    assert_eq!(words("exit", &["-u", "{answer}", "{output}"]), "-u answer output");
}

#[test]
fn no_text_makes_a_protocol_fail_to_answer() {
    let texts =
        ["", "ok", "points", "points ", "partially correct (", "OK\n\n/", "/", "1\n", "\u{0}"];
    for protocol in ALL {
        for text in texts {
            for code in [-1, 0, 1, 7, 42, 43, 255] {
                let file = |name: &&'static str| (*name, text.as_bytes().to_vec());
                let said = Said {
                    code,
                    stdout: text.into(),
                    stderr: text.into(),
                    files: protocol.files.iter().map(file).collect(),
                    full_score: protocol.full_score,
                    passes: (1, 1),
                    greatest: 0,
                };
                if let Ok(opinion) = (protocol.read)(&said) {
                    assert!((0.0..=1.0).contains(&opinion.score), "{} {text:?}", protocol.name);
                }
            }
        }
    }
}

#[test]
fn another_pass_is_asked_for_by_a_file_and_never_in_the_last_one() {
    let kattis = parse("kattis").unwrap();
    let asked = |code, number, most| {
        let case = files(code, &[("feedback/nextpass.in", "2\n"), ("feedback/score.txt", "x")]);
        let said = Said { passes: (number, most), ..said(kattis, &case) };
        (kattis.read)(&said).map(|opinion| (opinion.verdict, opinion.another))
    };
    assert_eq!(asked(42, 1, 2), Ok((AC, true)));
    assert_eq!(asked(42, 2, 3), Ok((AC, true)));
    let fault = asked(42, 3, 3).unwrap_err().0;
    assert!(fault.contains("in the last one of 3"), "{fault}");
    assert!(asked(43, 1, 2).is_err());
    assert!(asked(0, 1, 2).is_err());
}
