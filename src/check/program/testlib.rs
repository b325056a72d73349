use super::said::number;
use super::{Fault, Feed, Opinion, Protocol, Said, points};
use crate::model::Verdict;

/// Checkers that are written with `testlib.h`.
///
/// `checker INPUT OUTPUT ANSWER`. The first words on standard error tell the verdict; the exit code
/// only where there are none of them, for `quitf(_pc(N), …)` ends with code N and so looks like any
/// other verdict.
///
/// | words | code | verdict |
/// |---|---|---|
/// | `ok` | 0 | AC |
/// | `wrong answer` | 1 | WA |
/// | `wrong output format`, `unexpected eof` | 2 (and 4), 8 | PE |
/// | `FAIL` | 3 | judge error |
/// | `points X` | 7 | X of the full score, which is 1 unless set |
/// | `partially correct (N)` | N, or 50 + N | N of 100 |
///
/// Source: `testlib.h`, functions `InStream::quit` and `resultExitCode`.
pub(super) const TESTLIB: Protocol = Protocol {
    name: "testlib",
    summary: "testlib.h: INPUT OUTPUT ANSWER, verdict on stderr",
    arguments: &["{input}", "{output}", "{answer}"],
    stdin: Feed::Nothing,
    folder: None,
    files: &[],
    next: None,
    full_score: 1.0,
    read,
};

/// The most bytes of a file that `testlib.h` reads.
const MOST_BYTES: u64 = 128 << 20;

/// What the first words mean.
#[derive(Debug, Clone, Copy)]
enum Word {
    Accepted,
    Wrong,
    Form,
    Fail,
    Points,
    Partly,
}

const WORDS: [(&str, Word); 7] = [
    ("ok", Word::Accepted),
    ("wrong answer", Word::Wrong),
    ("wrong output format", Word::Form),
    ("unexpected eof", Word::Form),
    ("FAIL", Word::Fail),
    ("points", Word::Points),
    ("partially correct", Word::Partly),
];

fn read(said: &Said) -> Result<Opinion, Fault> {
    let text = said.stderr.trim_ascii();
    let (word, rest) = first_words(text).map_or_else(
        || by_code(said).map(|word| (word, text)),
        |(word, rest)| if fits(word, said.code) { Ok((word, rest)) } else { Err(torn(said)) },
    )?;
    match word {
        Word::Accepted => Ok(Opinion::plain(Verdict::Accepted, rest)),
        Word::Wrong => Ok(Opinion::plain(Verdict::WrongAnswer, rest)),
        Word::Form | Word::Fail if said.greatest > MOST_BYTES => Err(too_big(said)),
        Word::Form => Ok(Opinion::plain(Verdict::PresentationError, rest)),
        Word::Fail => Err("it says FAIL: the test data, or the checker, is wrong".into()),
        Word::Points => by_points(rest, said.full_score),
        Word::Partly => by_percent(rest),
    }
}

/// The first words, and what follows them.
fn first_words(text: &[u8]) -> Option<(Word, &[u8])> {
    WORDS.iter().find_map(|(words, meaning)| {
        let rest = text.strip_prefix(words.as_bytes())?;
        let ends = rest.first().is_none_or(u8::is_ascii_whitespace);
        ends.then(|| (*meaning, rest.trim_ascii()))
    })
}

fn by_code(said: &Said) -> Result<Word, Fault> {
    match said.code {
        0 => Ok(Word::Accepted),
        1 => said.refusal().map(|_| Word::Wrong),
        2 | 4 | 8 => Ok(Word::Form),
        3 => Ok(Word::Fail),
        _ => Err(said.unknown_code("a verdict of testlib on stderr")),
    }
}

/// Whether words and code can come from the same end. Codes can be changed when a checker is
/// compiled, but accepted is 0 or the code of another judge, and nothing else is 0 but points.
fn fits(word: Word, code: i32) -> bool {
    match word {
        Word::Accepted => matches!(code, 0 | 0xAC),
        Word::Points | Word::Partly => true,
        Word::Wrong | Word::Form | Word::Fail => code != 0,
    }
}

fn torn(said: &Said) -> Fault {
    Fault(format!("its words on stderr do not fit to exit code {}", said.code))
}

/// The library refuses to read such files, whatever is in them.
fn too_big(said: &Said) -> Fault {
    Fault(format!(
        "limit of testlib: it reads files of at most {MOST_BYTES} bytes, here is one of {}",
        said.greatest
    ))
}

fn by_points(rest: &[u8], full: f64) -> Result<Opinion, Fault> {
    let (first, rest) = split_word(rest);
    let points = number(first).ok_or("no number behind `points` on stderr")?;
    points::opinion(points, full, rest)
}

/// `(40) four of ten`.
fn by_percent(rest: &[u8]) -> Result<Opinion, Fault> {
    let fault = || Fault::from("no `(N)` behind `partially correct` on stderr");
    let inside = rest.strip_prefix(b"(").ok_or_else(fault)?;
    let end = inside.iter().position(|&byte| byte == b')').ok_or_else(fault)?;
    let percent = number(&inside[..end]).ok_or_else(fault)?;
    points::opinion(percent, 100.0, inside[end + 1..].trim_ascii())
}

fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}
