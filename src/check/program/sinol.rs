use super::said::number;
use super::{Fault, Feed, Opinion, Protocol, Said, points};
use crate::model::Verdict;

/// Checkers of sinol packages (SIO2, the Polish olympiad).
///
/// `checker INPUT OUTPUT ANSWER`. Three lines on standard output: `OK` or `WRONG`, words, and the
/// percentage of the points of an `OK` (`37.5`, or a fraction such as `75/2`; 100 where it is
/// missing). Any other first line is `WRONG`, as sinol takes it. An exit code above 2 is a judge
/// error.
///
/// Source: sinol-make, `BaseTaskType._parse_checker_output` and `_run_checker`.
pub(super) const SINOL: Protocol = Protocol {
    name: "sinol",
    summary: "INPUT OUTPUT ANSWER, OK or WRONG, words, percentage on stdout",
    arguments: &["{input}", "{output}", "{answer}"],
    stdin: Feed::Nothing,
    folder: None,
    files: &[],
    next: None,
    full_score: 100.0,
    read,
};

fn read(said: &Said) -> Result<Opinion, Fault> {
    if said.code > 2 {
        return Err(said.unknown_code("0, 1 or 2"));
    }
    let mut lines = said.stdout.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut next = || lines.next().unwrap_or_default();
    let (word, message, percent) = (next(), next(), next());
    match word {
        b"OK" => points::opinion(percentage(percent)?, said.full_score, message),
        b"" => Err("it has written nothing on stdout, expected OK or WRONG".into()),
        _ => Ok(Opinion::plain(Verdict::WrongAnswer, message)),
    }
}

fn percentage(text: &[u8]) -> Result<f64, Fault> {
    let fault = || Fault::from("the third line on stdout is no number and no fraction");
    if text.is_empty() {
        return Ok(100.0);
    }
    match text.iter().position(|&byte| byte == b'/') {
        None => number(text).ok_or_else(fault),
        Some(slash) => {
            let below = number(&text[slash + 1..]).filter(|&below| below != 0.0);
            let parts = number(&text[..slash]).zip(below);
            parts.map(|(above, below)| above / below).ok_or_else(fault)
        }
    }
}
