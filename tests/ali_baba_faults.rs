//! What the Ali and Baba solver says about broken inputs, word by word, and that all levels and
//! all ways of reading say the same.

#[path = "../benches/boards/ali_baba.rs"]
mod boards;

use std::io::Read;

use boards::{ALL, make};
use jury::random::Random;
use jury::simd::Level;
use jury::solvers::ali_baba::solve_at;
use jury::solvers::{Bounds, Format, Options, Proof, SolveError, Solved};

const ANY: Options = Options { proof: Proof::Trust, bounds: Bounds::Any, format: Format::Lenient };
const CONTEST: Options = Options { bounds: Bounds::Contest, ..ANY };
const STRICT: Options = Options { format: Format::Strict, ..ANY };

fn solve(
    level: Level,
    input: &mut dyn Read,
    options: Options,
) -> (String, Result<Solved, SolveError>) {
    let mut answer = Vec::new();
    let solved = solve_at(level, input, &mut answer, options);
    (String::from_utf8(answer).expect("plain text"), solved)
}

/// The error as it is shown, its hint behind an arrow.
fn shown(solved: &Result<Solved, SolveError>) -> String {
    match solved {
        Ok(solved) => format!("{solved:?}"),
        Err(SolveError::Input(fault)) => match &fault.hint {
            Some(hint) => format!("{fault} -> {hint}"),
            None => fault.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

/// One byte at a time.
struct Bytes<'t>(&'t [u8]);

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

/// The one thing that all levels and both ways of reading say.
fn agreed(text: &[u8], options: Options, what: &str) -> (String, String) {
    let mut first = None;
    for level in Level::available() {
        for mut input in [Box::new(text) as Box<dyn Read>, Box::new(Bytes(text))] {
            let (answer, solved) = solve(level, &mut *input, options);
            let now = (answer, shown(&solved));
            let known = first.get_or_insert_with(|| now.clone());
            assert_eq!(*known, now, "{what}, {level:?}");
        }
    }
    first.expect("at least one level")
}

fn check(text: &str, options: Options, answer: &str, message: &str) {
    let what = format!("{text:?}");
    let found = agreed(text.as_bytes(), options, &what);
    assert_eq!(found, (answer.to_owned(), message.to_owned()), "{what}");
}

#[test]
fn each_fault_has_its_place_and_its_words() {
    const LONG: &str = "99999999999999999999999999999999999";
    let cut = format!("`{}...`", &LONG[..24]);
    let shift =
        " -> a board has one treasure; a missing or an additional number above shifts the rest";
    let minus = " -> -1 is the only number with a minus sign";
    let behind = " -> nothing but boards may follow the first board";
    let zeros = " -> no `0 0` ends this input: it just ends behind the last board";
    let other = " -> this looks like a board of jsoi-game, not of ali-baba";
    let empty =
        "expected a board, found an empty input -> a board is `N M` and then N rows of M numbers";
    let cell = "expected a number (0, hit points, or -1), found";
    let negative = "expected 0, hit points, or -1 for the treasure, found";
    for (text, answer, message) in [
        ("", "", format!("line 1, column 1 (case 1): {empty}")),
        (" \n\n", "", format!("line 3, column 1 (case 1): {empty}")),
        ("\u{feff}", "", format!("line 1, column 4 (case 1): {empty}")),
        ("1", "", "line 1, column 2 (case 1): expected the number of columns, found the end of the input".into()),
        ("1 2\n0 0\n", "", "line 1, column 1 (case 1): no treasure (-1) on this board of 1 x 2".into()),
        ("1 1\n-1\n\n1 2\n0 7\n", "Ali Win\n", "line 4, column 1 (case 2): no treasure (-1) on this board of 1 x 2".into()),
        ("2 2\n0 -1\n-1 0\n", "", format!("line 3, column 1 (case 1): a second treasure in row 2, column 1; the first is in row 1, column 2{shift}")),
        ("2 2\n0 -1\n-5 0\n", "", format!("line 3, column 1 (case 1): {negative} `-5`{minus}")),
        ("1 2\n-1 -0\n", "", format!("line 2, column 4 (case 1): {negative} `-0`{minus}")),
        ("1 2\n-1 -10\n", "", format!("line 2, column 4 (case 1): {negative} `-10`{minus}")),
        ("1 2\n-1 +5\n", "", format!("line 2, column 4 (case 1): {cell} `+5`")),
        ("1 2\n-1 1-\n", "", format!("line 2, column 4 (case 1): {cell} `1-`")),
        ("1 2\n--1 1\n", "", format!("line 2, column 1 (case 1): {cell} `--1`")),
        ("1 2\n-1 -\n", "", format!("line 2, column 4 (case 1): {cell} `-`")),
        ("1 2\n-1 1.5\n", "", format!("line 2, column 4 (case 1): {cell} `1.5`")),
        ("1 2\n-1-1 1\n", "", format!("line 2, column 1 (case 1): {cell} `-1-1`")),
        ("1 2\n-1 \u{e4}\n", "", format!("line 2, column 4 (case 1): {cell} `\\xc3\\xa4`")),
        ("2 2\n.#\n#.\n", "", format!("line 2, column 1 (case 1): {cell} `.#`{other}")),
        (".#\n#.\n", "", format!("line 1, column 1 (case 1): expected the number of rows, found `.#`{other}")),
        ("3 2\n-1 1\n1 1\n1\n", "", "line 5, column 1 (case 1): case 1 ends after 2 rows, 1 number; expected 3 rows of 2 numbers".into()),
        ("1 1\n-1\n2 1\n-1", "Ali Win\n", "line 4, column 3 (case 2): case 2 ends after 1 row, 0 numbers; expected 2 rows of 1 number".into()),
        ("1 1\n-1\nEND\n", "Ali Win\n", format!("line 3, column 1 (case 2): expected the number of rows, found `END`{behind}")),
        ("1 1\n-1\n0 0\n", "Ali Win\n", format!("line 3, column 1 (case 2): the number of rows must be at least 1, found `0`{zeros}")),
        ("1 0\n", "", format!("line 1, column 3 (case 1): the number of columns must be at least 1, found `0`{zeros}")),
        ("-3 4\n", "", "line 1, column 1 (case 1): the number of rows must be at least 1, found `-3`".into()),
        ("4294967296 1\n-1\n", "", "line 1, column 1 (case 1): the number of rows must be below 2^32, found `4294967296`".into()),
        (&format!("1 {LONG}\n-1\n"), "", format!("line 1, column 3 (case 1): the number of columns must be below 2^32, found {cut}")),
        ("4294967295 4294967295\n-1 2\n", "", "line 3, column 1 (case 1): case 1 ends after 0 rows, 2 numbers; expected 4294967295 rows of 4294967295 numbers".into()),
        ("2 2\n1 2 3 -1 9\n", "Ali Win\n", "line 3, column 1 (case 2): expected the number of columns, found the end of the input".into()),
    ] {
        check(text, ANY, answer, &message);
    }
}

#[test]
fn the_contest_bounds_refuse_what_the_contest_does_not_allow() {
    for (text, answer, message) in [
        ("301 1\n", "", "line 1, column 1 (case 1): 301 rows: the contest allows at most 300"),
        ("1 301\n", "", "line 1, column 3 (case 1): 301 columns: the contest allows at most 300"),
        (
            "1 1\n-1\n1 4\n100 0100 101 -1\n",
            "Ali Win\n",
            "line 4, column 10 (case 2): `101` hit points: the contest allows at most 100",
        ),
    ] {
        check(text, CONTEST, answer, message);
    }
    let (answer, solved) = solve(Level::detect(), &mut "1 2\n100 -1\n".as_bytes(), CONTEST);
    assert_eq!(answer, "Ali Win\n");
    assert_eq!(solved.unwrap().notes, []);
}

#[test]
fn the_strict_format_refuses_each_deviation_at_its_place() {
    for (text, answer, place, what) in [
        ("1 1\r\n-1\r\n", "", "line 1, column 4 (case 1)", "a carriage return"),
        ("\u{feff}1 1\n-1\n", "", "line 1, column 1 (case 1)", "a byte order mark"),
        ("1 1\n\n-1\n", "", "line 2, column 1 (case 1)", "a blank line"),
        ("\n1 1\n-1\n", "", "line 1, column 1 (case 1)", "a blank line"),
        ("1 1\n-1\n\n", "Ali Win\n", "line 2, column 3 (case 1)", "blanks behind the last number"),
        ("1 2\n-1  1\n", "", "line 2, column 3 (case 1)", "more than one blank"),
        ("1 2\n-1\t1\n", "", "line 2, column 3 (case 1)", "a tab"),
        ("1 2\n-1\u{c}1\n", "", "line 2, column 3 (case 1)", "a control character"),
        ("1 2 \n-1 1\n", "", "line 1, column 4 (case 1)", "a blank at the end of a line"),
        ("1 2\n -1 1\n", "", "line 2, column 1 (case 1)", "a blank at the start of a line"),
        (" 1 1\n-1\n", "", "line 1, column 1 (case 1)", "a blank at the start of a line"),
        ("1 1\n-1", "Ali Win\n", "line 2, column 3 (case 1)", "no line feed at the end"),
        ("1 2\n-1\n1\n", "", "line 2, column 3 (case 1)", "only 1 of 2 numbers on a line"),
        ("1\n2\n-1 1\n", "", "line 1, column 2 (case 1)", "only 1 of 2 numbers on a line"),
        ("2 1\n-1 1\n", "", "line 2, column 4 (case 1)", "more than 1 number on a line"),
        (
            "1 1\n-1 1 1\n-1\n",
            "Ali Win\n",
            "line 2, column 4 (case 2)",
            "more than 1 number on a line",
        ),
    ] {
        let hint = "without the strict format this is accepted";
        check(text, STRICT, answer, &format!("{place}: strict format: {what} -> {hint}"));
        if !text.contains("1 1\n-1 1 1") {
            let (_, lenient) = solve(Level::detect(), &mut text.as_bytes(), ANY);
            assert!(lenient.is_ok(), "{text:?}: {lenient:?}");
        }
    }
    check(
        "1 2\n-1 x\r\n",
        STRICT,
        "",
        "line 2, column 4 (case 1): expected a number (0, hit points, or -1), found `x`",
    );
    let sound = solve(Level::detect(), &mut "1 2\n-1 1\n2 1\n-1\n01\n".as_bytes(), STRICT);
    assert_eq!(sound.0, "Ali Win\nAli Win\n");
    assert!(sound.1.is_ok(), "{:?}", sound.1);
}

#[test]
fn harmless_deviations_are_accepted() {
    for text in [
        "\u{feff}3 3\r\n0 1 0\r\n1 -1 1\r\n0 1 0\r\n",
        "3 3\n\n\n0\t1 0   1\n-1 1 0 1 0",
        "\n 3\n3\n0\n1\n0\n1\n-1\n1\n0\n1\n0\n\n\n",
        "3 3 000 01 0 1 -001 1 0 1 00",
    ] {
        let (answer, solved) = agreed(text.as_bytes(), ANY, text);
        assert_eq!(answer, "Baba Win\n", "{text:?}: {solved}");
    }
}

#[test]
fn hit_points_of_100_and_more_are_noted_once_with_their_number_and_first_place() {
    let text = "1 3\n0099 -1 99\n1 4\n7 100 -1 12345\n1 2\n-1 00100\n";
    let (answer, solved) = solve(Level::detect(), &mut text.as_bytes(), ANY);
    assert_eq!(answer, "Ali Win\n".repeat(3));
    let notes = solved.unwrap().notes;
    let shown: Vec<_> = notes.iter().map(|note| format!("{}: {}", note.place, note.text)).collect();
    let expected = "case 2, line 4, column 3: \
        3 stones have 100 hit points or more; the statement says less than 100";
    assert_eq!(shown, [expected]);
    agreed(text.as_bytes(), ANY, "notes");
}

#[test]
fn a_fault_far_behind_has_its_exact_line_and_column() {
    const SEED: u64 = 23;
    let mut random = Random::new(SEED);
    for turn in 0..40 {
        let side = random.between(300, 700) as usize;
        let board = make(ALL[turn % ALL.len()].1, side, side, 99, &mut random);
        let mut text = b"1 1\n-1\n".to_vec();
        board.write(&mut text);
        let at = random.between(text.len() as u64 / 2, text.len() as u64 - 2) as usize;
        if !text[at].is_ascii_digit() || text[at - 1] == b'-' {
            continue;
        }
        text[at] = b'x';
        let line = text[..at].split(|&byte| byte == b'\n').count();
        let start = text[..at].iter().rposition(u8::is_ascii_whitespace).unwrap() + 1;
        let line_start = text[..at].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        let place = format!("line {line}, column {} (case 2)", start - line_start + 1);
        for level in Level::available() {
            let (answer, solved) = solve(level, &mut text.as_slice(), ANY);
            assert_eq!(answer, "Ali Win\n");
            let shown = shown(&solved);
            assert!(shown.starts_with(&place), "seed {SEED}, turn {turn}: {shown}, not {place}");
        }
    }
}

#[test]
fn a_long_token_of_garbage_does_not_fill_the_memory() {
    let mut endless = "1 2\n-1 ".as_bytes().chain(std::io::repeat(b'x'));
    let (_, solved) = solve(Level::detect(), &mut endless, ANY);
    let message = shown(&solved);
    assert!(message.starts_with("line 2, column 4 (case 1): expected a number"), "{message}");
}

#[test]
fn broken_texts_are_treated_alike_at_every_level() {
    const SEED: u64 = 29;
    let mut random = Random::new(SEED);
    let (mut refused, mut accepted) = (0, 0);
    for turn in 0..20_000 {
        let mut text = Vec::new();
        for part in 0..random.between(1, 4) as usize {
            let (rows, columns) = (random.between(1, 9) as usize, random.between(1, 40) as usize);
            let most = [1, 9, 99, 300][part % 4];
            make(ALL[turn % ALL.len()].1, rows, columns, most, &mut random).write(&mut text);
        }
        for _ in 0..random.between(0, 4) {
            mutate(&mut text, &mut random);
        }
        let options = Options {
            proof: [Proof::Trust, Proof::Verify][turn % 2],
            bounds: [Bounds::Any, Bounds::Contest][usize::from(turn % 7 == 0)],
            format: [Format::Lenient, Format::Strict][usize::from(turn % 5 == 0)],
        };
        let (_, message) = agreed(&text, options, &format!("seed {SEED}, turn {turn}"));
        assert!(
            !message.contains("proof") && !message.contains("memory"),
            "turn {turn}: {message}"
        );
        *if message.starts_with("Solved") { &mut accepted } else { &mut refused } += 1;
    }
    assert!(refused > 500 && accepted > 500, "{refused} refused, {accepted} accepted");
}

/// Changes one thing.
fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"0123456789-- \n\t\r.x+\xff\0";
    let at = random.below(text.len() as u64 + 1) as usize;
    let byte = BYTES[random.below(BYTES.len() as u64) as usize];
    match random.below(5) {
        0 => text.insert(at, byte),
        1 if at < text.len() => text[at] = byte,
        2 if at < text.len() => drop(text.remove(at)),
        3 => text.truncate(at.max(1)),
        _ => {
            let copy = text[at..text.len().min(at + 70)].to_vec();
            text.splice(at..at, copy);
        }
    }
}
