//! Submissions that talk to an interactor, as a user meets them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Ran, Suite, ran};

/// Greater and less, one question a line; the number is the input.
const INTERACTOR: &str = r#"read -r secret < "$1"
while read -r guess; do
  case $guess in *[!0-9]*|'') printf 'no number: %s' "$guess" > "$3judgemessage.txt"; exit 43;; esac
  if [ "$guess" -eq "$secret" ]; then echo '='; exit 42; fi
  if [ "$guess" -gt "$secret" ]; then echo '<'; else echo '>'; fi
done
exit 43
"#;

const RIGHT: &str = "low=1; high=100
while :; do
  m=$(((low + high) / 2)); echo $m
  read -r answer
  case $answer in '=') exit 0;; '<') high=$((m - 1));; *) low=$((m + 1));; esac
done
";

fn guess() -> Suite {
    Suite::new()
        .file("guess/jury.toml", "[interactor]\nprogram = \"talk.sh\"\nprotocol = \"kattis\"\n")
        .file("guess/talk.sh", INTERACTOR)
        .file("guess/input/1.in", "42\n")
        .file("guess/expected/1.out", "")
        .file("guess/input/2.in", "99\n")
        .file("guess/expected/2.out", "")
}

fn command(suite: &Suite, arguments: &[&str]) -> Command {
    let mut command = suite.command(&[&["grade"], arguments].concat());
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

fn grade(suite: &Suite, arguments: &[&str]) -> Ran {
    ran(command(suite, arguments).output().unwrap())
}

#[test]
fn the_matrix_shows_talks_like_other_runs() {
    let wait = "read -r word\necho 50\n";
    let suite = guess()
        .file("guess/submissions/accepted/right.sh", RIGHT)
        .file("guess/submissions/wrong_answer/words.sh", "echo what\nread -r x\n")
        .file("guess/submissions/run_time_error/late.sh", RIGHT.replace("exit 0", "exit 3"))
        .file("guess/submissions/time_limit_exceeded/wait.sh", wait)
        .file("guess/submissions/accepted/waits.sh", wait);
    let ran = grade(&suite, &["guess", "-v"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("interactor: talk.sh (kattis)"), "{ran:?}");
    assert!(ran.out.contains("interactor: no number: what"), "{ran:?}");
    let told = "idle: both wait: solution reads, interactor reads; ";
    assert!(ran.out.contains(told), "{ran:?}");
    assert!(ran.out.contains("4 submissions as promised, 1 not"), "{ran:?}");
    let again = grade(&suite, &["guess", "--resume"]);
    assert!(again.err.contains("resuming: 6 of 10 runs are done"), "{again:?}");
    assert!(again.out.contains("4 submissions as promised, 1 not"), "{again:?}");
}

#[test]
fn an_interactor_that_fails_is_to_blame() {
    let suite = guess()
        .file("guess/talk.sh", "read -r x\necho oh no >&2\nexit 5\n")
        .file("right.sh", RIGHT);
    let ran = grade(&suite, &["guess", "right.sh"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let told = "interactor talk.sh: exit code 5, expected 42 or 43; stderr: oh no";
    assert!(ran.out.contains(told), "{ran:?}");
}

#[test]
fn a_transcript_shows_who_said_what() {
    let suite = guess().file("right.sh", RIGHT);
    let arguments = ["guess", "right.sh", "--transcript", "--case", "1", "--report", "json=r.json"];
    let ran = grade(&suite, &arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("transcript: times are changed by it"), "{ran:?}");
    assert!(suite.read("r.json").contains("transcript: times are changed by it"));
    let text = suite.read(".jury/last/right.sh/guess/1.transcript");
    let words = |line: &str| line.split_ascii_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    let said: Vec<String> = text.lines().skip(2).map(words).collect();
    assert_eq!(said[..3], ["50", "| <", "25"], "{text}");
    assert_eq!(said.last().unwrap(), "| =", "{text}");
}

#[test]
fn a_checker_judges_what_an_interactor_of_testlib_writes() {
    let interactor = "read -r word; echo \"$word\" > \"$2\"; echo ok fine >&2\n";
    let checker = "if [ \"$(cat \"$2\")\" = \"$(cat \"$3\")\" ]; then echo ok >&2; else \
                   echo wrong answer not the same >&2; exit 1; fi\n";
    let toml = "[interactor]\nprogram = \"talk.sh\"\nprotocol = \"testlib\"\n\
                [check]\nprogram = \"check.sh\"\nprotocol = \"testlib\"\n";
    let suite = Suite::new()
        .file("p/jury.toml", toml)
        .file("p/talk.sh", interactor)
        .file("p/check.sh", checker)
        .file("p/input/1.in", "1\n")
        .file("p/expected/1.out", "yes\n")
        .file("p/submissions/accepted/yes.sh", "echo yes\n")
        .file("p/submissions/wrong_answer/no.sh", "echo no\n");
    let ran = grade(&suite, &["p", "-v"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("checker: not the same"), "{ran:?}");
    let alone = toml.split("[check]").next().unwrap();
    let suite = suite.file("p/jury.toml", alone);
    let ran = grade(&suite, &["p", "-v"]);
    assert_eq!(ran.code, Some(1), "the interactor alone accepts both: {ran:?}");
}

#[test]
fn what_does_not_fit_an_interactor_is_refused() {
    let suite =
        guess().file("right.sh", RIGHT).file("none/input/1.in", "").file("none/expected/1.out", "");
    let ran = grade(&suite, &["none", "right.sh", "--transcript"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("there is no interactor"), "{ran:?}");
    let with = |toml: &str| {
        fs::write(suite.path("guess/jury.toml"), format!("[interactor]\n{toml}")).unwrap();
        let ran = grade(&suite, &["guess", "right.sh"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        ran.err
    };
    let program = "program = \"talk.sh\"\n";
    assert!(with(program).contains("nothing tells which protocol the interactor"));
    assert!(with(&format!("{program}protocol = \"cms\"\n")).contains("which protocol"));
    assert!(
        with("program = \"gone.sh\"\nprotocol = \"kattis\"\n").contains("interactor not found")
    );
    let files = format!("{program}protocol = \"kattis\"\n[files]\ninput = \"x.in\"\n");
    assert!(with(&files).contains("[files] has no meaning"));
    let check = format!(
        "{program}protocol = \"kattis\"\n[check]\nprogram = \"talk.sh\"\nprotocol = \"exit\"\n"
    );
    assert!(with(&check).contains("judges alone"));
}

#[test]
fn a_signal_ends_talks_at_once_and_leaves_nothing() {
    let mark = format!("jury-talk-{}", std::process::id());
    let suite = guess().file("slow.sh", format!("echo 1 # {mark}\nsleep 50\n"));
    let mut command = command(&suite, &["guess", "slow.sh", "--wall", "60", "--all-cases"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let running = || {
        fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            words.windows(7).any(|part| part == b"slow.sh") && words.starts_with(b"/bin/sh")
                || words.windows(8).any(|part| part == b"sleep\x0050")
        })
    };
    let deadline = Instant::now() + Duration::from_mins(1);
    while !running() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!running(), "a program is left");
}
