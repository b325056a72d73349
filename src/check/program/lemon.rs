use super::said::number;
use super::{Fault, Feed, Opinion, Protocol, Said, points};

/// Special judges of Lemon and `LemonLime`.
///
/// `checker INPUT OUTPUT ANSWER FULL_SCORE SCORE_FILE MESSAGE_FILE`. It writes its points, from 0
/// to the full score, into the score file and may write words into the message file. More points
/// than the full score count as the full score, with a warning; an exit code other than 0, a
/// missing or torn score file and negative points are judge errors.
///
/// Source: `LemonLime`, `JudgingThread::lemonSpecialJudge`.
pub(super) const LEMON: Protocol = Protocol {
    name: "lemon",
    summary: "INPUT OUTPUT ANSWER FULL SCORE_FILE MESSAGE_FILE",
    arguments: &["{input}", "{output}", "{answer}", "{full_score}", SCORE, MESSAGE],
    stdin: Feed::Nothing,
    folder: None,
    files: &[SCORE, MESSAGE],
    next: None,
    full_score: 100.0,
    read,
};

const SCORE: &str = "score";
const MESSAGE: &str = "message";

fn read(said: &Said) -> Result<Opinion, Fault> {
    if said.code != 0 {
        return Err(said.unknown_code("0"));
    }
    let score = said.file(SCORE).ok_or("it has written no score file")?;
    let first = score.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    let points = first.and_then(number).ok_or("its score file does not start with a number")?;
    points::clamped(points, said.full_score, said.file(MESSAGE).unwrap_or_default().trim_ascii())
}
