//! Programs that read and write files, arguments and further files of a case.

use crate::grade::{column, grade, row, sums};
use crate::support::Suite;

/// The layout of a contest: students' sources that read and write files named after the task.
fn contest() -> Suite {
    Suite::new()
        .file("c/input/sum/1.in", "1 2\n")
        .file("c/expected/sum/1.out", "3\n")
        .file("c/jury.toml", "[files]\ninput = \"{problem}.in\"\noutput = \"{problem}.out\"\n")
}

#[test]
fn students_read_and_write_files_named_after_the_task() {
    let suite = contest()
        .file(
            "c/source/anna/sum.sh",
            "read -r a b < sum.in\necho noise\necho $((a + b)) > sum.out\n",
        )
        .file("c/source/ben/sum.sh", "read -r a b\necho $((a + b))\n")
        .file("c/source/cleo/sum.sh", "ln -s sum.in sum.out\n")
        .file("c/source/dan/sum.sh", "echo 3 > sum.out\nexit 1\n")
        .file("c/source/eva/sum.sh", "mkdir sum.out\n")
        .file("c/source/fay/sum.sh", "echo 4 > sum.out\n");
    let ran = grade(&suite, &["c"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let told = |name: &str| {
        let row = row(&suite, name);
        (column(&row, "verdict"), column(&row, "message"))
    };
    let plain = |verdict: &str, message: &str| (verdict.to_owned(), message.to_owned());
    assert_eq!(told("anna"), plain("AC", ""));
    assert_eq!(told("ben"), plain("WA", "the program wrote no sum.out"));
    assert_eq!(told("cleo"), plain("WA", "sum.out is no plain file"));
    assert_eq!(told("dan"), plain("RTE", "exit code 1"));
    assert_eq!(told("eva"), plain("WA", "sum.out is no plain file"));
    assert_eq!(told("fay"), plain("WA", "line 1, token 1: expected 3, got 4"));
}

#[test]
fn an_output_file_has_the_limit_of_output() {
    let suite = contest().file("c/source/anna/sum.sh", "head -c 3000000 /dev/zero > sum.out\n");
    let ran = grade(&suite, &["c", "--output", "1MiB"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert_eq!(column(&row(&suite, "anna"), "verdict"), "OLE");
}

#[test]
fn names_of_files_stay_inside_the_folder() {
    for name in ["../x", "/etc/passwd", "", "a/"] {
        let suite = contest()
            .file("c/jury.toml", format!("[files]\ninput = \"{name}\"\n"))
            .file("c/source/anna/sum.sh", "");
        let ran = grade(&suite, &["c"]);
        assert_eq!(ran.code, Some(2), "{name}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("expected the name of a file"), "{}", ran.err);
    }
}

#[test]
fn an_unknown_word_in_braces_is_no_name_of_a_file() {
    let suite = contest()
        .file("c/jury.toml", "[files]\ninput = \"{probem}.in\"\n")
        .file("c/source/anna/sum.sh", "");
    let ran = grade(&suite, &["c"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("the only word in braces is {problem}, found `{probem}.in`"));
}

#[test]
fn a_case_brings_arguments_and_files_of_its_own() {
    let suite = sums()
        .file("sum/input/1.args", "-k\na b\n\n")
        .file("sum/input/2.files/maps/a.txt", "30\n")
        .file("sum/expected/1.out", "3 -k a b  .\n")
        .file("sum/expected/3.out", "0\n")
        .file("show.sh", "echo \"$#\" \"$@\" .\n")
        .file("map.sh", "cat maps/a.txt\n");
    let ran = grade(&suite, &["sum", "show.sh", "--case", "1"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(ran.err, "", "the files are no inputs of their own");
    let ran = grade(&suite, &["sum", "map.sh", "--case", "2"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}
