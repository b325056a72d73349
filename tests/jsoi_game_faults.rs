//! Every fault of a `jsoi-game` input has its own message, and no input makes the solver panic.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use jury::random::Random;
use jury::solvers::jsoi_game::{JsoiGame, parse};
use jury::solvers::{Bounds, Format, Options, SolveError, Solver};

const LENIENT: Options =
    Options { proof: jury::solvers::Proof::Verify, bounds: Bounds::Any, format: Format::Lenient };

fn solve(input: &[u8], options: Options) -> Result<String, SolveError> {
    let mut output = Vec::new();
    JsoiGame.solve(&mut &*input, &mut output, options)?;
    Ok(String::from_utf8(output).unwrap())
}

/// The message and hint of an input fault.
fn fault(input: &[u8], options: Options) -> String {
    match solve(input, options) {
        Err(SolveError::Input(error)) => match error.hint.clone() {
            Some(hint) => format!("{error} [{hint}]"),
            None => error.to_string(),
        },
        other => panic!("{:?} gives {other:?}", String::from_utf8_lossy(input)),
    }
}

const SIZE: &str = " [the first line holds the numbers of rows and columns, such as `3 4`]";
const OTHER: &str = " [numbers in place of `.` and `#` look like the game `ali-baba`]";
const ONE: &str = " [an input holds one board]";

/// Input, message, hint.
const FAULTS: &[(&str, &str, &str)] = &[
    (
        "",
        "line 1, column 1 (case 1): the input is empty: expected the numbers of rows and columns",
        SIZE,
    ),
    (
        "\n \r\n",
        "line 3, column 1 (case 1): the input is empty: expected the numbers of rows and columns",
        SIZE,
    ),
    (
        "2",
        "line 1, column 2 (case 1): expected the number of columns, found the end of the input",
        SIZE,
    ),
    ("2 x\n", "line 1, column 3 (case 1): expected the number of columns, found `x`", SIZE),
    ("x 2\n", "line 1, column 1 (case 1): expected the number of rows, found `x`", SIZE),
    ("..\n..\n", "line 1, column 1 (case 1): expected the number of rows, found `.`", SIZE),
    ("2x2\n..\n..\n", "line 1, column 2 (case 1): expected the number of columns, found `x`", SIZE),
    ("0 2\n", "line 1, column 1 (case 1): the number of rows must be at least 1, found 0", SIZE),
    (
        "2 -3\n",
        "line 1, column 3 (case 1): the number of columns must be at least 1, found -3",
        SIZE,
    ),
    ("- 3\n", "line 1, column 1 (case 1): expected the number of rows, found `-`", SIZE),
    (
        "2 2 ..\n..\n",
        "line 1, column 5 (case 1): expected the end of the line after the size, found `.`",
        "",
    ),
    (
        "2 2 1\n",
        "line 1, column 5 (case 1): expected the end of the line after the size, found `1`",
        OTHER,
    ),
    (
        "99999 99999\n..\n",
        "line 1, column 1 (case 1): a board of 99999 x 99999 cells is too large: with its border it may have at most 4294967295 cells",
        SIZE,
    ),
    (
        "99999999999999999999999 2\n",
        "line 1, column 1 (case 1): a board of more than 18446744073709551614 x 2 cells is too large: with its border it may have at most 4294967295 cells",
        SIZE,
    ),
    ("60000 60000\n..\n", "line 2, column 3 (case 1): row 1 has 2 of 60000 characters", ""),
    (
        "1000000000 1\n.\n",
        "line 3, column 1 (case 1): the input ends after 1 of 1000000000 rows",
        "",
    ),
    ("2 3\n..\n...\n", "line 2, column 3 (case 1): row 1 has 2 of 3 characters", ""),
    ("2 3\n...\n.#\n", "line 3, column 3 (case 1): row 2 has 2 of 3 characters", ""),
    ("2 3\n...\r\n.#  \r\n", "line 3, column 3 (case 1): row 2 has 2 of 3 characters", ""),
    ("2 3\n...\n.#", "line 3, column 3 (case 1): row 2 has 2 of 3 characters", ""),
    ("2 3\n.....\n...\n", "line 2, column 4 (case 1): row 1 has 5 instead of 3 characters", ""),
    ("2 3\n...\n...#", "line 3, column 4 (case 1): row 2 has 4 instead of 3 characters", ""),
    (
        "1 3\n.x.\n",
        "line 2, column 2 (case 1): expected `.` or `#` at row 1, column 2, found `x`",
        "",
    ),
    (
        "1 3\n.\u{e9}.\n",
        "line 2, column 2 (case 1): expected `.` or `#` at row 1, column 2, found the byte 0xc3",
        "",
    ),
    (
        "1 3\n.`.\n",
        "line 2, column 2 (case 1): expected `.` or `#` at row 1, column 2, found a backquote",
        "",
    ),
    (
        "1 3\n...x\n",
        "line 2, column 4 (case 1): expected the end of the line after row 1, found `x`",
        "",
    ),
    (
        "2 3\n1 0 -1\n",
        "line 2, column 1 (case 1): expected `.` or `#` at row 1, column 1, found `1`",
        OTHER,
    ),
    (
        "1 2\n. .\n",
        "line 2, column 2 (case 1): row 1 has a blank after 1 of 2 characters",
        " [cells stand side by side, without blanks]",
    ),
    (
        "1 2\n.. .\n",
        "line 2, column 4 (case 1): expected the end of the line after row 1, found `.`",
        "",
    ),
    ("3 2\n..\n..\n", "line 4, column 1 (case 1): the input ends after 2 of 3 rows", ""),
    (
        "1 2\n..\n1 1\n.\n",
        "line 3, column 1 (case 1): expected the end of the input after 1 row, found `1`",
        ONE,
    ),
    (
        "2 2\n..\n..\n..\n",
        "line 4, column 1 (case 1): expected the end of the input after 2 rows, found `.`",
        ONE,
    ),
    (
        "1 2\n..\rx\n",
        "line 2, column 3 (case 1): expected the end of the line after row 1, found a carriage return",
        "",
    ),
    ("\u{feff}x", "line 1, column 4 (case 1): expected the number of rows, found `x`", SIZE),
];

#[test]
fn every_fault_has_its_message() {
    for (input, message, hint) in FAULTS {
        assert_eq!(fault(input.as_bytes(), LENIENT), format!("{message}{hint}"), "{input:?}");
    }
    let utf16 = b"\xff\xfe1\0 \x001\0";
    let message = "line 1, column 1 (case 1): expected the number of rows, found the byte 0xff";
    assert_eq!(fault(utf16, LENIENT), format!("{message}{SIZE}"));
}

#[test]
fn the_contest_has_at_most_100_rows_and_columns() {
    let options = Options { bounds: Bounds::Contest, ..LENIENT };
    let hint = " [the limits of the contest are enforced]";
    let expected = "line 1, column 1 (case 1): expected at most 100 rows, found 101";
    assert_eq!(fault(b"101 1\n", options), format!("{expected}{hint}"));
    let expected = "line 1, column 5 (case 1): expected at most 100 columns, found 101";
    assert_eq!(fault(b"100 101\n", options), format!("{expected}{hint}"));
    let board = format!("100 100\n{}", format!("{}\n", ".".repeat(100)).repeat(100));
    assert_eq!(solve(board.as_bytes(), options).unwrap(), "LOSE\n");
}

#[test]
fn harmless_deviations_are_accepted_unless_the_format_is_strict() {
    let strict = Options { format: Format::Strict, ..LENIENT };
    let table: &[(&str, &str)] = &[
        (
            "\u{feff}1 2\n..\n",
            "line 1, column 1 (case 1): the strict format does not allow a byte order mark here",
        ),
        (
            "1 2\r\n..\r\n",
            "line 1, column 4 (case 1): the strict format does not allow a carriage return here",
        ),
        (
            "\n1 2\n..\n",
            "line 1, column 1 (case 1): the strict format does not allow a blank line here",
        ),
        (
            "1 2\n\n..\n",
            "line 2, column 1 (case 1): the strict format does not allow a blank line here",
        ),
        (
            "1 2\n..\n\n",
            "line 3, column 1 (case 1): the strict format does not allow a blank line here",
        ),
        (
            "1 2\n..",
            "line 2, column 3 (case 1): the strict format does not allow a last line without a newline here",
        ),
        ("  1 2\n..\n", "line 1, column 1 (case 1): the strict format does not allow a blank here"),
        (
            "1 2 \t\n..\n",
            "line 1, column 4 (case 1): the strict format does not allow a blank here",
        ),
        ("1 2\n.. \n", "line 2, column 3 (case 1): the strict format does not allow a blank here"),
    ];
    for (input, message) in table {
        assert_eq!(solve(input.as_bytes(), LENIENT).unwrap(), "LOSE\n", "{input:?}");
        assert_eq!(&fault(input.as_bytes(), strict), message, "{input:?}");
    }
    for input in ["1   2\n..\n", "1\n2\n..\n", " 1\t2 \r\n\r\n .. \r\n\r\n", "0001 002\n..\n"] {
        assert_eq!(solve(input.as_bytes(), LENIENT).unwrap(), "LOSE\n", "{input:?}");
    }
    assert_eq!(solve(b"1 2\n..\n", strict).unwrap(), "LOSE\n");
}

#[test]
fn changed_inputs_never_panic_and_never_pass_unseen() {
    let seed_board = b"3 4\n.#..\n....\n#..#\n";
    for seed in 0..60_000 {
        let mut random = Random::new(seed);
        let mut input = seed_board.to_vec();
        for _ in 0..random.between(1, 4) {
            if input.is_empty() {
                break;
            }
            let at = random.below(input.len() as u64) as usize;
            let pool = b".#.# \n\r\t0123459-x\xef\xbb\xbf\0\xff";
            let byte = pool[random.below(pool.len() as u64) as usize];
            match random.below(4) {
                0 => input[at] = byte,
                1 => input.insert(at, byte),
                2 => drop(input.remove(at)),
                _ => input.truncate(at.max(1)),
            }
        }
        if let Ok(board) = parse(&mut &input[..], LENIENT) {
            let cells = input.iter().filter(|byte| matches!(byte, b'.' | b'#')).count();
            assert_eq!(board.rows() as usize * board.columns() as usize, cells, "seed {seed}");
        }
        let _ = solve(&input, LENIENT);
    }
}

/// A stream that fails, and a sink that is full.
struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("gone"))
    }
}

impl std::io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("full"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn broken_streams_are_errors_of_their_own() {
    let error = JsoiGame.solve(&mut Broken, &mut Vec::new(), LENIENT).unwrap_err();
    assert_eq!(error.to_string(), "cannot read the input: gone");
    for input in ["1 1\n.\n", "1 1\n#\n"] {
        let error = JsoiGame.solve(&mut input.as_bytes(), &mut Broken, LENIENT).unwrap_err();
        assert_eq!(error.to_string(), "cannot write the answer: full");
    }
}
