//! The Ali and Baba solver takes no more memory than a board needs, and says so when there is none.

#![expect(clippy::disallowed_methods, reason = "the program is run within limits of memory")]

#[path = "../benches/boards/ali_baba.rs"]
mod boards;

use std::io::{Read, Write as _};
use std::process::{Command, Output, Stdio};

use boards::{ALL, make};
use jury::random::Random;
use jury::simd::Level;
use jury::solvers::ali_baba::solve_at;
use jury::solvers::{Bounds, Format, Options, Proof, SolveError, Solved};

const ANY: Options = Options { proof: Proof::Trust, bounds: Bounds::Any, format: Format::Lenient };
const VERIFY: Options = Options { proof: Proof::Verify, ..ANY };
const STRICT: Options = Options { format: Format::Strict, ..ANY };

/// Longer than every buffer.
const LENGTH: u64 = 3 << 20;

fn solve(input: &mut dyn Read, options: Options) -> (String, Result<Solved, SolveError>) {
    let mut answer = Vec::new();
    let solved = solve_at(Level::detect(), input, &mut answer, options);
    (String::from_utf8(answer).expect("plain text"), solved)
}

/// Some bytes again and again.
fn many(byte: u8, count: u64) -> impl Read {
    std::io::repeat(byte).take(count)
}

/// What is said of a board of one row, whose second number is this one and whose last one is `x`.
fn fault_behind(start: &str, byte: u8, end: &str, options: Options) -> String {
    let mut text =
        start.as_bytes().chain(many(byte, LENGTH)).chain(end.as_bytes()).chain(&b" 0\n 7"[..]);
    solve(&mut text, options).1.expect_err("a fault").to_string()
}

#[test]
fn a_number_longer_than_every_buffer_counts_by_its_last_digit() {
    let zeros = LENGTH as usize;
    for (byte, end, odd) in [
        (b'0', "", false),
        (b'0', "1", true),
        (b'0', "2", false),
        (b'7', "", true),
        (b'7', "8", false),
        (b'1', &"0".repeat(70), false),
        (b'0', &format!("1{}", "0".repeat(zeros)), false),
        (b'0', &format!("1{}3", "0".repeat(zeros)), true),
    ] {
        for options in [ANY, VERIFY, STRICT] {
            let board = b"3 4\n0 1 0 0\n1 -1 1 0\n0 1 0 ";
            let mut text = board.chain(many(byte, LENGTH)).chain(end.as_bytes()).chain(&b"\n"[..]);
            let (answer, solved) = solve(&mut text, options);
            let answer_expected = if odd { "Ali Win\n" } else { "Baba Win\n" };
            let large = solved.expect("a sound board").notes.len();
            assert_eq!(answer, answer_expected, "{byte}, {} more, {options:?}", end.len());
            let zero = byte == b'0' && end.len() < 2;
            assert_eq!(large, usize::from(!zero), "{byte}, {} more", end.len());
        }
    }
}

#[test]
fn the_place_of_a_fault_behind_a_long_number_is_exact() {
    for (start, end, what) in [
        ("1 3\n-1 ", " x", "expected a number (0, hit points, or -1), found `x`"),
        ("1 3\n-1 ", " -2", "expected 0, hit points, or -1 for the treasure, found `-2`"),
    ] {
        for byte in [b'0', b'5'] {
            let found = fault_behind(start, byte, end, ANY);
            let column = 4 + LENGTH + 1;
            assert_eq!(found, format!("line 2, column {column} (case 1): {what}"));
        }
    }
    let found = fault_behind("1 3\n-1 ", b'5', "  1", STRICT);
    let column = 4 + LENGTH;
    let what = "strict format: more than one blank";
    assert_eq!(found, format!("line 2, column {column} (case 1): {what}"));
    let found = fault_behind("1 2\n-1 ", b'5', "\nx", ANY);
    assert_eq!(found, "line 3, column 1 (case 2): expected the number of rows, found `x`");
}

#[test]
fn a_fault_inside_a_long_number_is_found() {
    let zeros = "0".repeat(24);
    let fives = "5".repeat(24);
    let cell = "expected a number (0, hit points, or -1), found";
    let negative = "expected 0, hit points, or -1 for the treasure, found";
    for (start, byte, end, message) in [
        ("1 3\n-1 ", b'5', "x", format!("{cell} `{fives}...`")),
        ("1 3\n-1 ", b'5', "-5", format!("{cell} `{fives}...`")),
        ("1 3\n-1 -", b'0', "2", format!("{negative} `-{}...`", &zeros[1..])),
        ("1 3\n-1 -", b'0', "10", format!("{negative} `-{}...`", &zeros[1..])),
        ("1 3\n-1 -", b'5', "", format!("{negative} `-{}...`", &fives[1..])),
    ] {
        for tail in ["", &"0".repeat(LENGTH as usize)] {
            let found = fault_behind(start, byte, &format!("{end}{tail}"), ANY);
            assert_eq!(found, format!("line 2, column 4 (case 1): {message}"), "{end}");
        }
    }
    let second = fault_behind("1 3\n-1 -", b'0', "1", ANY);
    let start = "line 2, column 4 (case 1): a second treasure in row 1, column 2";
    assert!(second.starts_with(start), "{second}");
}

#[test]
fn a_long_size_is_a_fault_or_what_its_digits_say() {
    let zeros = "0".repeat(24);
    let fives = "5".repeat(24);
    for (start, byte, end, message) in [
        (
            "",
            b'5',
            "",
            format!(
                "line 1, column 1 (case 1): the number of rows must be below 2^32, found `{fives}...`"
            ),
        ),
        (
            "1 ",
            b'5',
            "",
            format!(
                "line 1, column 3 (case 1): the number of columns must be below 2^32, found `{fives}...`"
            ),
        ),
        (
            "1 ",
            b'0',
            "",
            format!(
                "line 1, column 3 (case 1): the number of columns must be at least 1, found `{zeros}...`"
            ),
        ),
    ] {
        assert_eq!(fault_behind(start, byte, end, ANY), message);
    }
    let mut text = b"1 ".chain(many(b'0', LENGTH)).chain(&b"2\n-1 1\n"[..]);
    assert_eq!(solve(&mut text, ANY).0, "Ali Win\n");
}

/// `jury solve ali-baba` within so many KiB of address space.
fn within(kibibytes: u64, options: &str, input: &mut dyn Read) -> Output {
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" solve ali-baba {options} -");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_jury")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut pipe = child.stdin.take().expect("a pipe");
    let mut block = vec![0; 1 << 16];
    while let Ok(count @ 1..) = input.read(&mut block) {
        if pipe.write_all(&block[..count]).is_err() {
            break;
        }
    }
    drop(pipe);
    child.wait_with_output().expect("a process that ends")
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_run_of_digits_needs_no_memory() {
    const MANY: u64 = 300 << 20;
    for (options, start) in [("", ""), ("", "1 2\n-1 "), ("--verify", "1 2\n-1 ")] {
        let output = within(200_000, options, &mut start.as_bytes().chain(many(b'1', MANY)));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        if start.is_empty() {
            assert!(message.contains("must be below 2^32"), "{message}");
            assert!(output.stdout.is_empty());
        } else {
            assert_eq!(output.stdout, b"Ali Win\n", "{options}: {message}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_board_beyond_the_memory_is_a_message_and_no_crash() {
    let mut random = Random::new(41);
    let mut refused = 0;
    let least = (4_000..)
        .step_by(1_000)
        .find(|&kibibytes| within(kibibytes, "", &mut &b"1 1\n-1\n"[..]).status.success());
    let least = least.expect("enough memory for one cell");
    for (turn, options) in ["", "", "--verify", "--verify"].into_iter().enumerate() {
        let name = ["hall", "maze"][turn % 2];
        let &(_, family) = ALL.iter().find(|family| family.0 == name).expect("a family");
        let mut text = Vec::new();
        make(family, 1501, 1501, 9, &mut random).write(&mut text);
        for more in (0..60_000).step_by(1_500) {
            let output = within(least + more, options, &mut &text[..]);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let what = format!("{more} KiB, {options}, {:?}: {message}", output.status);
            assert!(output.status.code().is_some(), "{what}");
            let no_memory = message.contains("case 1: no memory for a board of 1501 x 1501");
            assert!(output.status.success() || no_memory, "{what}");
            refused += usize::from(no_memory);
        }
    }
    assert!(refused > 0, "there was always enough memory");
}
