//! `jury grade` on cases without an answer: they say nothing of a submission where they may be
//! missing.

use crate::support::{Ran, Suite, ran};

/// Three cases, the first one without an answer; a right and a wrong program.
fn problem() -> Suite {
    let mut suite = Suite::new()
        .file("submissions/accepted/right.sh", "cat\n")
        .file("submissions/accepted/wrong.sh", "echo 0\n");
    for number in ["1", "2", "3"] {
        suite = suite.file(&format!("input/{number}.in"), number);
        if number != "1" {
            suite = suite.file(&format!("expected/{number}.out"), number);
        }
    }
    suite
}

fn grade(suite: &Suite, arguments: &[&str]) -> Ran {
    let mut command = suite.command(&[&["grade", ".", "--no-report"], arguments].concat());
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.env("XDG_CACHE_HOME", suite.path(".cache"));
    ran(command.output().unwrap())
}

#[test]
fn a_case_that_may_be_missing_ends_no_submission() {
    for (missing, right, wrong) in [("skip", "-..", "-W-"), ("warn", "?..", "?W-")] {
        let ran = grade(&problem(), &["--missing", missing]);
        let row = |name: &str, cells: &str, verdict: &str| {
            let mut lines = ran.out.lines().filter(|line| line.starts_with(name));
            let line = lines.next().unwrap_or_default();
            assert!(line.contains(cells) && line.contains(verdict), "{missing}: {ran:?}");
        };
        row("right.sh", right, "AC    ok");
        row("wrong.sh", wrong, "WA    FAIL");
        assert_eq!(ran.code, Some(1), "{ran:?}");
    }
}

#[test]
fn a_missing_answer_fails_otherwise() {
    let ran = grade(&problem(), &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("?--   NA    FAIL"), "{}", ran.out);
}
