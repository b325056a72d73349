use super::said::number;
use super::{Fault, Feed, Opinion, Protocol, Said, points};
use crate::model::Verdict;

/// Checkers of the PEG Judge.
///
/// `checker ANSWER OUTPUT INPUT`. Exit code 0 accepts and 1 refuses, every other one is a judge
/// error. Two numbers in lines one below the other on standard output are points and full points,
/// and count where they give more than nothing, with either code.
///
/// Source: DMOJ, `dmoj/contrib/peg.py`.
pub(super) const PEG: Protocol = Protocol {
    name: "peg",
    summary: "ANSWER OUTPUT INPUT, exit code 0 or 1, or points and full points on stdout",
    arguments: &["{answer}", "{output}", "{input}"],
    stdin: Feed::Nothing,
    folder: None,
    files: &[],
    next: None,
    full_score: 1.0,
    read,
};

fn read(said: &Said) -> Result<Opinion, Fault> {
    let verdict = match said.code {
        0 => Verdict::Accepted,
        1 => said.refusal()?,
        _ => return Err(said.unknown_code("0 or 1")),
    };
    let lines: Vec<&[u8]> = said.stdout.split(|&byte| byte == b'\n').collect();
    let pairs = lines.windows(2).filter_map(|pair| number(pair[0]).zip(number(pair[1])));
    let mut points = pairs.filter(|(points, full)| *full != 0.0 && points / full > 0.0);
    match points.next() {
        Some((points, full)) => points::opinion(points / full, 1.0, said.stderr.trim_ascii()),
        None => Ok(Opinion::plain(verdict, said.stdout.trim_ascii())),
    }
}
