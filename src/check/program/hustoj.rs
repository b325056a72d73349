use super::{Fault, Feed, Opinion, Protocol, Said};
use crate::model::Verdict;

/// Special judges of HUSTOJ.
///
/// `checker INPUT ANSWER OUTPUT`. Exit code 0 accepts, every other one refuses; its standard output
/// is its words. A code from 126 on, with which shells tell that a program could not be run, is a
/// judge error.
///
/// Source: HUSTOJ, `special_judge` of `judge_client`.
pub(super) const HUSTOJ: Protocol = Protocol {
    name: "hustoj",
    summary: "INPUT ANSWER OUTPUT, exit code 0 accepts",
    arguments: &["{input}", "{answer}", "{output}"],
    stdin: Feed::Nothing,
    folder: None,
    files: &[],
    next: None,
    full_score: 1.0,
    read,
};

fn read(said: &Said) -> Result<Opinion, Fault> {
    match said.code {
        0 => Ok(Opinion::plain(Verdict::Accepted, said.stdout.trim_ascii())),
        1 => Ok(Opinion::plain(said.refusal()?, said.stdout.trim_ascii())),
        126.. => Err(said.unknown_code("0 to 125")),
        _ => Ok(Opinion::plain(Verdict::WrongAnswer, said.stdout.trim_ascii())),
    }
}
