//! What a program of the jury said, as the message of a result.

use std::fmt::Write as _;

use crate::model::{CaseResult, Remarks, Verdict};

/// `checker: edge 3-7 used twice`; the words for the contestant where there are none for the jury.
/// A right output without words has no message.
pub(super) fn message(who: &str, remarks: &Remarks, verdict: Verdict) -> String {
    let words = [&remarks.message, &remarks.team].into_iter().find(|words| !words.is_empty());
    let mut text = match words {
        Some(words) => escaped(words),
        None if verdict == Verdict::Accepted => String::new(),
        None => "no words".to_owned(),
    };
    if let Some((answer, output)) = remarks.position {
        let _ = write!(text, " (at byte {output} of the output, {answer} of the answer)");
    }
    if let Some(warning) = &remarks.warning {
        let separator = if text.is_empty() { "" } else { "; " };
        let _ = write!(text, "{separator}{warning}");
    }
    if text.is_empty() { text } else { format!("{who}: {}", text.trim_start()) }
}

/// A message that tells the pass in which it came to a failure, or how many there were.
pub(super) fn in_pass(pass: u32, result: &CaseResult) -> String {
    let message = &result.message;
    match (result.verdict, pass) {
        (Verdict::Accepted, 1) => message.clone(),
        (Verdict::Accepted, _) if message.is_empty() => format!("{pass} passes"),
        (Verdict::Accepted, _) => format!("{pass} passes; {message}"),
        _ => format!("pass {pass}: {message}"),
    }
}

/// The text, with bytes that are no UTF-8 as `\xff`.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_checker_are_told_with_their_place_and_their_odd_bytes() {
        let mut remarks = Remarks::of(b"edge 3-7 \xff used twice\n");
        assert_eq!(
            message("checker", &remarks, Verdict::WrongAnswer),
            "checker: edge 3-7 \\xff used twice"
        );
        remarks.position = Some((4, 5));
        let told = message("checker", &remarks, Verdict::WrongAnswer);
        assert!(told.ends_with(" (at byte 5 of the output, 4 of the answer)"), "{told}");
    }

    #[test]
    fn a_silent_checker_is_told_only_where_it_refuses() {
        let silent = Remarks::default();
        assert_eq!(message("checker", &silent, Verdict::Accepted), "");
        assert_eq!(message("checker", &silent, Verdict::WrongAnswer), "checker: no words");
        let mut team = silent;
        team.set_team(b" for you ");
        assert_eq!(message("checker", &team, Verdict::WrongAnswer), "checker: for you");
    }
}
