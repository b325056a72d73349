//! Checker programs of `jury grade`, as a user meets them: right ones, broken ones, hostile ones.

use std::fs;

use crate::grade::{column, command, grade, has, row, sums};
use crate::support::{Suite, ran};

/// Accepts the sum; says what is wrong to the jury and to the contestant.
const SUM: &str = "read -r a b < \"$1\"\nread -r got\nif [ \"$got\" = $((a + b)) ]; then exit 42; fi\n\
                   echo \"a sum of $got? \u{1b}[31m\" > \"$3judgemessage.txt\"\n\
                   echo 'try again' > \"$3teammessage.txt\"\necho 0 0 > \"$3diffposition.txt\"\n\
                   exit 43\n";

/// Three sums, a right and a wrong submission, and a checker in this protocol.
fn checked(script: &str, table: &str) -> Suite {
    sums()
        .file("sum/judge.sh", script)
        .file("sum/jury.toml", format!("[check]\nprogram = \"judge.sh\"\n{table}\n"))
        .file("sum/submissions/accepted/good.sh", "read -r a b\necho $((a + b))\n")
        .file("sum/submissions/wrong_answer/bad.sh", "read -r a b\necho $((a * b))\n")
}

#[test]
fn a_checker_decides_and_its_words_are_in_every_report() {
    let suite = checked(SUM, "protocol = \"kattis\"");
    let ran = grade(&suite, &["sum", "--report", "csv", "--report", "json=report.json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("checker: judge.sh (kattis), sandbox"), "{}", ran.out);
    let bad = row(&suite, "bad.sh");
    let cells = ["verdict", "score", "mismatch", "line", "byte"].map(|name| column(&bad, name));
    assert_eq!(cells, ["WA", "0", "checker", "", "0"]);
    let message = column(&bad, "message");
    assert!(message.starts_with("checker: a sum of 2? \\x1b[31m (at byte 0 "), "{message}");
    assert_eq!(column(&row(&suite, "good.sh"), "score"), "1");
    let report: serde_json::Value = serde_json::from_str(&suite.read("report.json")).unwrap();
    assert_eq!(report["config"]["checker"], "judge.sh (kattis)");
    let results = report["results"].as_array().unwrap();
    let refused = results.iter().find(|result| result["verdict"] == "WA").unwrap();
    assert_eq!(refused["team_message"], "try again");
    assert_eq!(refused["checker_files"][1], "feedback/teammessage.txt");
    let schema = fs::read_to_string("docs/schema/jury-report-1.json").unwrap();
    let schema = serde_json::from_str(&schema).unwrap();
    jsonschema::validate(&schema, &report).unwrap();
}

#[test]
fn points_are_a_verdict_of_their_own_that_can_be_promised() {
    let script = "echo 40 > \"$5\"\necho 'four of ten' > \"$6\"\n";
    let suite = checked(script, "protocol = \"lemon\"\n[submissions]\n\"bad*\" = \"PC\"");
    let ran = grade(&suite, &["sum"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("promised AC, got PC on 1: checker: four of ten"), "{}", ran.out);
    let good = row(&suite, "good.sh");
    let cells = ["status", "verdict", "score"].map(|name| column(&good, name));
    assert_eq!(cells, ["fail", "PC", "0.4"]);
    assert_eq!(column(&row(&suite, "bad.sh"), "status"), "pass");

    let suite = checked(script, "protocol = \"lemon\"\nfull_score = 20");
    let ran = grade(&suite, &["sum", "good.sh", "-v"]);
    assert_eq!(ran.code, Some(2), "a name is a path: {}", ran.err);
    let ran = grade(&suite, &["sum", "--submission", "good*", "-v"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("gave 40 of 20 points"), "{}", ran.out);
}

#[test]
fn every_fault_of_a_checker_is_a_judge_error_that_names_it() {
    let table = [
        ("exit 9", "kattis", "exit code 9, expected 42 or 43; stderr: here"),
        ("kill -SEGV $$", "kattis", "ended by signal 11; stderr: here"),
        ("while :; do :; done", "kattis", "more than 200ms of CPU time"),
        ("read -r x < /dev/zero", "kattis", "more than"),
        ("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxx; done", "kattis", "more than"),
        ("exec sleep 100", "kattis", "not done after 1.5s"),
        ("x=x; while :; do x=$x$x; done", "exit", "exit code 2, expected 0 or 1"),
        ("exit 0", "lemon", "it has written no score file"),
        ("echo many > \"$5\"", "lemon", "score file does not start with a number"),
        ("ln -s /etc/passwd feedback/judgemessage.txt; exit 43", "kattis", "is no plain file"),
        ("rm -r feedback; ln -s /etc feedback; exit 42", "kattis", "is no plain file"),
        ("mkdir feedback/score.txt; exit 42", "kattis", "is no plain file"),
        (
            "head -c 20000000 /dev/zero > feedback/teammessage.txt; exit 42",
            "kattis",
            "20000000 bytes",
        ),
        ("echo 1 > feedback/score.txt; exit 43", "kattis", "leaves a score.txt"),
        ("echo half", "cms", "no score from 0 to 1"),
    ];
    for (script, protocol, words) in table {
        let script = format!("echo here >&2\n{script}\n");
        let table = format!(
            "protocol = \"{protocol}\"\ntime = 0.2\nwall = 1.5\nmemory = \"64MiB\"\noutput = \"32MiB\""
        );
        let suite = checked(&script, &table).file("sum/other.sh", "exit 3\n");
        let ran = grade(&suite, &["sum", "sum/submissions/accepted/good.sh", "sum/other.sh"]);
        assert_eq!(ran.code, Some(3), "{script}{}{}", ran.out, ran.err);
        let good = row(&suite, "good.sh");
        let (verdict, message) = (column(&good, "verdict"), column(&good, "message"));
        assert_eq!(verdict, "JE", "{script}{message}");
        assert!(message.starts_with("checker judge.sh: "), "{message}");
        assert!(message.contains(words), "{script}{message}");
        assert_eq!(column(&row(&suite, "other.sh"), "verdict"), "RTE", "others go on");
    }
}

#[test]
fn a_checker_cannot_change_files_nor_stay_behind() {
    let script = "echo 1 > \"$1\"; echo 1 > \"$2\"; cat > /dev/null\n\
                  for i in 1 2 3 4 5 6 7 8 9; do (sleep 50 &) ; done\n\
                  rm -rf feedback ./* ../* /tmp/* \"$HOME\" 2>/dev/null\necho x > left\nexit 43\n";
    let suite = checked(script, "protocol = \"kattis\"\nprocesses = 100");
    let ran = grade(&suite, &["sum", "--all-cases", "--submission", "bad*"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(suite.read("sum/input/1.in"), "1 2\n");
    assert_eq!(suite.read("sum/expected/1.out"), "3\n");
    assert_eq!(suite.read(".jury/last/bad.sh/sum/2.out"), "200\n");
    assert!(ran.out.contains("WWW"), "{}", ran.out);
}

#[test]
fn a_checker_sees_only_its_three_files_where_the_sandbox_is_strict() {
    let script = "for f in PATHS; do if [ -e $f ]; then echo \"$f\" >&2; exit 3; fi; done\n\
                  exit 42\n";
    let suite = checked("", "protocol = \"kattis\"");
    let folder = suite.path("sum");
    let script =
        script.replace("PATHS", &format!("{0} {0}/input/1.in /etc/shadow", folder.display()));
    let suite = suite.file("sum/judge.sh", script);
    let ran = grade(&suite, &["sum", "--submission", "good*", "--sandbox", "strict"]);
    if ran.err.contains("cannot isolate") {
        println!("skipped: no strict sandbox");
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn wrong_descriptions_of_a_checker_are_told_before_anything_runs() {
    let missing = checked(SUM, "protocol = \"kattis\"\n");
    let fault = |suite: &Suite, arguments: &[&str], words: &str| {
        let ran = grade(suite, arguments);
        assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    };
    fault(&missing, &["sum", "--checker", "none.cpp"], "checker not found: none.cpp");
    fault(&missing, &["sum", "--checker", "x.cpp,protocol=kattys"], "unknown protocol `kattys`");
    fault(&missing, &["sum", "--checker", "x.cpp,speed=1"], "expected protocol or full_score");
    fault(&checked(SUM, ""), &["sum"], "nothing tells which protocol the checker");
    fault(&checked(SUM, "protocol = \"kattys\""), &["sum"], "known are testlib, kattis");
    fault(&checked(SUM, "full_score = 0"), &["sum"], "expected the points of a whole case");
    fault(&checked(SUM, "protocl = \"kattis\""), &["sum"], "did you mean `protocol`?");
    let header = checked(SUM, "").file("sum/judge.cpp", "#include \"testlib.h\"\n");
    fault(&header, &["sum", "--checker", "sum/judge.cpp"], "testlib.h, which is not there");
    fault(&header, &["sum", "--checker", "sum/judge.cpp"], "never downloaded");
    fault(&header, &["sum", "--checker", "sum/judge.cpp", "--compare", "exact"], "cannot be used");
}

#[test]
fn the_command_line_wins_over_the_configuration() {
    let suite = checked("exit 9\n", "protocol = \"kattis\"").file("own.sh", "exit 1\n");
    let ran = grade(&suite, &["sum", "--compare", "tokens"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let own = "own.sh,protocol=exit";
    let ran = grade(&suite, &["sum", "--checker", own, "--submission", "good*"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(&format!("--checker {own} --submission")), "{}", ran.out);
    let ran = grade(&suite, &["sum", "--checker", own, "--dry-run"]);
    assert!(ran.out.contains("checker: own.sh (exit): Bash"), "{}", ran.out);
    assert!(ran.out.contains("run: own.sh input output answer < output"), "{}", ran.out);
    assert!(ran.out.contains("time 10.000 s (cpu), wall 21.000 s"), "{}", ran.out);
}

#[test]
fn a_file_that_only_looks_like_a_checker_is_told_and_not_used() {
    let suite = sums().file("sum/check.py", "").file("good.sh", "read -r a b\necho $((a + b))\n");
    let ran = grade(&suite, &["sum", "good.sh"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("note: sum/check.py is not used"), "{}", ran.err);
}

/// A header with the name that everybody knows, and with as much of it as the checker needs.
const HEADER: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
                      static void quit(int code, const char *words) {\n\
                      fprintf(stderr, \"%s\\n\", words);\nexit(code);\n}\n";

#[test]
fn a_checker_with_a_well_known_header_is_found_compiled_and_spoken_to() {
    if !has("gcc") {
        return;
    }
    let checker = "#include \"testlib.h\"\nint main(int n, char **a) {\nint x, y, got;\n\
                   FILE *in = fopen(a[1], \"r\"), *out = fopen(a[2], \"r\");\n\
                   if (n != 4 || fscanf(in, \"%d%d\", &x, &y) != 2) quit(3, \"FAIL input\");\n\
                   if (fscanf(out, \"%d\", &got) != 1) quit(2, \"wrong output format no number\");\n\
                   if (got == x + y + 1) quit(1, \"partially correct (1) nearly\");\n\
                   if (got != x + y) quit(1, \"wrong answer other sum\");\n\
                   quit(0, \"ok\");\n}\n";
    let suite = sums()
        .file("sum/checker.c", checker)
        .file("lib/testlib.h", HEADER)
        .file("sum/jury.toml", "[check]\ninclude = \"../lib\"\n")
        .file("sum/submissions/accepted/good.sh", "read -r a b\necho $((a + b))\n")
        .file("sum/submissions/wrong_answer/word.sh", "echo none\n")
        .file("sum/submissions/mixed/near.sh", "read -r a b\necho $((a + b + 1))\n");
    let ran = grade(&suite, &["sum"]);
    assert!(ran.out.contains("checker: checker.c (testlib)"), "{}{}", ran.out, ran.err);
    let verdict = |name: &str| column(&row(&suite, name), "verdict");
    assert_eq!(["good.sh", "word.sh", "near.sh"].map(verdict), ["AC", "PE", "PC"]);
    assert_eq!(column(&row(&suite, "word.sh"), "status"), "pass", "a wrong form is a wrong answer");
    assert_eq!(column(&row(&suite, "near.sh"), "score"), "0.01");
    let broken = suite.file("sum/checker.c", "#include \"testlib.h\"\nint main(void) { oops }\n");
    let ran = grade(&broken, &["sum"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("checker checker.c does not compile"), "{}", ran.err);
}

#[test]
fn another_checker_makes_earlier_results_worthless() {
    let suite = checked(SUM, "protocol = \"kattis\"");
    grade(&suite, &["sum"]);
    let again = |suite: &Suite| ran(command(suite, &["sum", "--resume"]).output().unwrap()).err;
    assert!(again(&suite).contains("resuming: 4 of 6 runs are done"), "{}", again(&suite));
    let suite = suite.file("sum/judge.sh", format!("# changed\n{SUM}"));
    let told = again(&suite);
    assert!(told.contains("resuming: 0 of 6 runs are done"), "{told}");
}

/// Adds one to the number that it is given; counts its passes in a file that it leaves.
const COUNTS: &str = r#"read -r number < "$1"; read -r got
echo x >> "$3count"
[ "$got" -eq $((number + 1)) ] || { echo "got $got" > "$3judgemessage.txt"; exit 43; }
if [ "$(wc -l < "$3count")" -lt 3 ]; then echo "$got" > "$3nextpass.in"; fi
exit 42
"#;

fn counting(table: &str) -> Suite {
    let table = format!("[check]\nprogram = \"check.sh\"\nprotocol = \"kattis\"\n{table}");
    Suite::new()
        .file("p/jury.toml", table)
        .file("p/check.sh", COUNTS)
        .file("p/input/1.in", "5\n")
        .file("p/expected/1.out", "")
        .file("p/submissions/accepted/add.sh", "read -r n; echo $((n + 1))\n")
        .file("p/submissions/wrong_answer/seven.sh", "read -r n; [ $n = 7 ]; echo $((n + $?))\n")
        .file("p/submissions/run_time_error/six.sh", "read -r n; [ $n = 6 ] && exit 4; echo 6\n")
}

#[test]
fn a_checker_asks_for_passes_with_its_folder_as_it_was() {
    let suite = counting("passes = 3\n");
    let ran = grade(&suite, &["p", "-v"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("check.sh (kattis, up to 3 passes)"), "{ran:?}");
    let csv = suite.read("report.csv");
    for part in ["3 passes", "pass 3: checker: got 7", "pass 2: exit code 4"] {
        assert!(csv.contains(part), "{part}: {csv}");
    }
}

#[test]
fn a_pass_too_many_is_a_judge_error() {
    let suite = counting("passes = 2\n");
    let ran = grade(&suite, &["p", "--submission", "add.sh", "--report", "json"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let report = suite.read("report.json");
    let fault = "pass 2: checker check.sh: it asks for another pass in the last one of 2";
    assert!(report.contains(fault), "{report}");
    assert!(report.contains(".jury/last/add.sh/p/1.feedback"), "{report}");
    let ran = grade(&suite, &["p", "--submission", "add.sh", "--passes", "3", "--no-report"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = grade(&suite, &["p", "--submission", "add.sh", "--passes", "1", "--no-report"]);
    assert!(ran.code == Some(3) && ran.out.contains("one is allowed: `passes`"), "{ran:?}");
    let ran = grade(&suite, &["p", "--compare", "tokens", "--passes", "2"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let other = "[check]\nprogram = \"check.sh\"\nprotocol = \"exit\"\npasses = 2\n";
    let ran = grade(&counting("").file("p/jury.toml", other), &["p"]);
    assert!(ran.code == Some(2) && ran.err.contains("protocol exit cannot ask"), "{ran:?}");
}

#[test]
fn what_a_checker_leaves_is_kept_and_told() {
    let script = "mkdir \"$3a\"; echo picture > \"$3a/team image.png\"; echo why > \
                  \"$3judgemessage.txt\"\nread -r x; [ $x = 1 ] && exit 42; exit 43\n";
    let suite = Suite::new()
        .file("p/jury.toml", "[check]\nprogram = \"check.sh\"\nprotocol = \"kattis\"\n")
        .file("p/check.sh", script)
        .file("p/input/1.in", "5\n")
        .file("p/expected/1.out", "")
        .file("p/submissions/accepted/one.sh", "echo 1\n")
        .file("p/submissions/accepted/two.sh", "echo 2\n");
    let ran = grade(&suite, &["p", "--report", "json", "--report", "md"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let folder = ".jury/last/two.sh/p/1.feedback";
    assert_eq!(suite.read(&format!("{folder}/a/team%20image.png")), "picture\n");
    for text in [suite.read("report.json"), suite.read("report.md"), ran.out] {
        assert!(text.contains(folder), "{text}");
    }
    assert!(!suite.path(".jury/last/one.sh").exists());
    grade(&suite, &["p", "--keep-feedback", "--no-report"]);
    assert_eq!(suite.read(".jury/last/one.sh/p/1.feedback/judgemessage.txt"), "why\n");
}

/// A contest of two problems with students' sources.
fn contest(jury: &str) -> Suite {
    Suite::new()
        .file("c/jury.toml", jury)
        .file("c/odd.sh", "read -r x\n[ $((x % 2)) = 1 ] && exit 42; exit 43\n")
        .file("c/talk.sh", "echo hello; read -r word; [ \"$word\" = hello ] && exit 42; exit 43\n")
        .file("c/input/odd/1.in", "")
        .file("c/expected/odd/1.out", "1\n")
        .file("c/input/same/1.in", "")
        .file("c/expected/same/1.out", "1\n")
        .file("c/input/talk/1.in", "")
        .file("c/expected/talk/1.out", "")
        .file("c/source/ann/odd.sh", "echo 7\n")
        .file("c/source/ann/same.sh", "echo 7\n")
        .file("c/source/ann/talk.sh", "read -r word; echo $word\n")
}

#[test]
fn each_problem_of_a_contest_may_have_a_judge_of_its_own() {
    let suite = contest(
        "[problems.odd.check]\nprogram = \"odd.sh\"\nprotocol = \"kattis\"\n\
         [problems.talk.interactor]\nprogram = \"talk.sh\"\nprotocol = \"kattis\"\n",
    );
    let ran = grade(&suite, &["c", "--report", "json", "--report", "csv"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let verdicts: Vec<String> = suite.read("report.csv").lines().skip(1).map(verdict).collect();
    assert_eq!(verdicts, ["odd AC", "same WA", "talk AC"], "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&suite.read("report.json")).unwrap();
    let config = &report["config"];
    assert_eq!(config["compare"], "tokens; odd: odd.sh (kattis); talk: interactor");
    assert_eq!(config["checker"], "odd: odd.sh (kattis)");
    assert_eq!(config["interactor"], "talk: talk.sh (kattis)");
    let ran = grade(&suite, &["c", "--compare", "tokens", "--case", "odd/*", "--no-report"]);
    assert_eq!(ran.code, Some(1), "the command line wins: {ran:?}");
    let ran = grade(&suite, &["c", "--dry-run"]);
    assert!(ran.out.contains("problem odd:\nchecker: odd.sh (kattis)"), "{ran:?}");
}

#[test]
fn an_interactor_that_judges_alone_needs_no_checker_of_all_problems() {
    let suite = contest(
        "[check]\nprogram = \"odd.sh\"\nprotocol = \"kattis\"\n\
         [problems.talk.interactor]\nprogram = \"talk.sh\"\nprotocol = \"kattis\"\n",
    );
    let ran = grade(&suite, &["c", "--report", "csv"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let verdicts: Vec<String> = suite.read("report.csv").lines().skip(1).map(verdict).collect();
    assert_eq!(verdicts, ["odd AC", "same AC", "talk AC"], "{ran:?}");
}

fn verdict(row: &str) -> String {
    let cells: Vec<&str> = row.split(',').collect();
    format!("{} {}", cells[2], cells[8])
}

#[test]
fn a_judge_for_a_problem_that_is_not_there_is_an_error() {
    let check = "check]\nprogram = \"odd.sh\"\nprotocol = \"kattis\"\n";
    let ran = grade(&contest(&format!("[problems.od.{check}")), &["c"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("[problems.od] in jury.toml: there is no such problem"), "{ran:?}");
    assert!(ran.err.contains("did you mean `odd`? problems: odd, same, talk"), "{ran:?}");
    let table = format!("[problems.other.{check}[problems.sums]\ncompare = \"exact\"\n");
    let suite = checked(SUM, "protocol = \"kattis\"");
    let more = suite.read("sum/jury.toml") + &table;
    let ran = grade(&suite.file("sum/jury.toml", more.replace("odd.sh", "judge.sh")), &["sum"]);
    assert!(ran.code == Some(2) && ran.err.contains("did you mean `sum`?"), "{ran:?}");
}
