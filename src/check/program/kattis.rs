use super::said::number;
use super::{Fault, Feed, Opinion, Protocol, Said, points};
use crate::model::Verdict;

/// Output validators of Kattis problem packages.
///
/// `validator INPUT ANSWER FEEDBACK_DIR/ [FLAGS…] < OUTPUT`. Exit code 42 accepts, 43 refuses,
/// every other one is a judge error. In the feedback folder it may leave `judgemessage.txt` for the
/// jury, `teammessage.txt` for the contestant, `judgeerror.txt` with the reason of a judge error,
/// `score.txt` with the points of an accepted output (one number; with 43 it is a judge error), and
/// `diffposition.txt` with two places of the difference in bytes, in the answer and in the output.
/// With 42 and `nextpass.in` it asks for another pass: the submission is run again with that file as
/// its input, and then the validator, on that input and with all other files where it has left them.
/// With 43, or in the last pass that is allowed, such a file is a judge error.
///
/// Source: problem package format, "output validators".
pub(super) const KATTIS: Protocol = Protocol {
    name: "kattis",
    summary: "INPUT ANSWER FEEDBACK_DIR/ < OUTPUT, exit code 42 or 43",
    arguments: &["{input}", "{answer}", "feedback/"],
    stdin: Feed::Output,
    folder: Some("feedback"),
    files: &[JUDGE, TEAM, ERROR, SCORE, POSITION, NEXT],
    next: Some(NEXT),
    full_score: 1.0,
    read,
};

/// The same under the name of the contests.
pub(super) const ICPC: Protocol =
    Protocol { name: "icpc", summary: "the same as kattis", ..KATTIS };

const JUDGE: &str = "feedback/judgemessage.txt";
const TEAM: &str = "feedback/teammessage.txt";
const ERROR: &str = "feedback/judgeerror.txt";
const SCORE: &str = "feedback/score.txt";
const POSITION: &str = "feedback/diffposition.txt";
const NEXT: &str = "feedback/nextpass.in";

fn read(said: &Said) -> Result<Opinion, Fault> {
    let message = said.file(JUDGE).unwrap_or_default().trim_ascii();
    let another = said.file(NEXT).is_some();
    let mut opinion = match (said.code, said.file(SCORE)) {
        (43, _) if another => return Err("it refuses the output and leaves a nextpass.in".into()),
        (42, _) if another => {
            another_pass(said.passes)?;
            Opinion { another, ..Opinion::plain(Verdict::Accepted, message) }
        }
        (43, Some(_)) => return Err("it refuses the output and leaves a score.txt".into()),
        (43, None) => Opinion::plain(Verdict::WrongAnswer, message),
        (42, None) => Opinion::plain(Verdict::Accepted, message),
        (42, Some(score)) => {
            let points = number(score).ok_or("score.txt is not one number")?;
            points::opinion(points, said.full_score, message)?
        }
        _ => return Err(error(said)),
    };
    opinion.remarks.set_team(said.file(TEAM).unwrap_or_default());
    opinion.remarks.position = said.file(POSITION).map(position).transpose()?;
    Ok(opinion)
}

/// Whether there may be another pass.
fn another_pass((number, most): (u32, u32)) -> Result<(), Fault> {
    match most {
        0 | 1 => Err("it asks for another pass (nextpass.in), and one is allowed: `passes`".into()),
        most if number >= most => {
            Err(Fault(format!("it asks for another pass in the last one of {most} (nextpass.in)")))
        }
        _ => Ok(()),
    }
}

fn error(said: &Said) -> Fault {
    let fault = said.unknown_code("42 or 43");
    match said.file(ERROR).map(<[u8]>::trim_ascii).filter(|text| !text.is_empty()) {
        None => fault,
        Some(text) => Fault(format!("{}: {}", fault.0, String::from_utf8_lossy(text))),
    }
}

/// Two places: in the answer, in the output.
fn position(text: &[u8]) -> Result<(u64, u64), Fault> {
    let words: Vec<&[u8]> =
        text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let place = |word: &[u8]| std::str::from_utf8(word).ok()?.parse().ok();
    match words[..] {
        [answer, output] => place(answer).zip(place(output)),
        _ => None,
    }
    .ok_or_else(|| Fault::from("diffposition.txt is not two numbers"))
}
