use super::{Fault, Feed, Opinion, Protocol, Said};
use crate::model::Verdict;

/// Any command: exit code 0 accepts, 1 refuses, every other one is a judge error.
///
/// `command INPUT OUTPUT ANSWER < OUTPUT`, or with `args` that name `{input}`, `{output}` or
/// `{answer}`: `diff -u {answer} {output}`. Its words are its standard output, or standard error
/// where that is empty.
///
/// Source: the custom of `diff`, `cmp` and `grep`: 0 the same, 1 different, 2 trouble.
pub(super) const EXIT: Protocol = Protocol {
    name: "exit",
    summary: "any command on INPUT OUTPUT ANSWER, exit code 0 or 1",
    arguments: &["{input}", "{output}", "{answer}"],
    stdin: Feed::Output,
    folder: None,
    files: &[],
    next: None,
    full_score: 1.0,
    read,
};

fn read(said: &Said) -> Result<Opinion, Fault> {
    let words = [&said.stdout, &said.stderr].map(|text| text.trim_ascii());
    let words = words.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    match said.code {
        0 => Ok(Opinion::plain(Verdict::Accepted, words)),
        1 => Ok(Opinion::plain(said.refusal()?, words)),
        _ => Err(said.unknown_code("0 or 1")),
    }
}
