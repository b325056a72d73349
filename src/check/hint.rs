//! What may help someone whose output differs: what is odd about the answer file, and which other
//! comparison would accept the output. Bounded: other comparisons are tried only on small files.

use super::preset;
use super::source::Source;
use super::{CheckError, compare::Comparison};
use crate::model::{Mismatch, MismatchKind};
use crate::simd::Level;

/// The largest file on which other comparisons are tried.
const SMALL: u64 = 128 << 10;

/// Bytes of the answer that are searched for oddities.
const HEAD: usize = 4 << 10;

/// Comparisons that forgive more, the strictest first.
const LENIENT: [&str; 6] = [
    "tokens",
    "icpc",
    "icpc,float_tolerance=1e-9",
    "icpc,float_tolerance=1e-6",
    "dmoj-sorted",
    "dmoj-sorted,split_on=whitespace",
];

/// The hint on a wrong output; none when there is nothing to say.
pub(super) fn of<'s>(
    mismatch: &Mismatch,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<Option<String>, CheckError> {
    let mut parts = Vec::new();
    parts.extend(odd(&answer.read_at(0, HEAD)?, mismatch, &output.read_at(0, HEAD)?));
    let told = mismatch.kind == MismatchKind::Whitespace && !mismatch.remark.is_empty();
    let small = |source: &mut Source| source.read_at(0, SMALL as usize + 1);
    if !told && small(answer)?.len() as u64 <= SMALL && small(output)?.len() as u64 <= SMALL {
        parts.extend(accepting(answer, output)?);
    }
    Ok((!parts.is_empty()).then(|| parts.join("; ")))
}

/// What is odd about the answer file and may be the cause.
fn odd(answer: &[u8], mismatch: &Mismatch, output: &[u8]) -> Option<String> {
    let what = match answer {
        [0xef, 0xbb, 0xbf, ..] if !output.starts_with(&[0xef, 0xbb, 0xbf]) => {
            "starts with a UTF-8 byte order mark"
        }
        [0xff, 0xfe, ..] => "is UTF-16 (little endian), not UTF-8",
        [0xfe, 0xff, ..] => "is UTF-16 (big endian), not UTF-8",
        _ if is_about_blanks(mismatch) && has_crlf(answer) && !has_crlf(output) => {
            "has CRLF line ends"
        }
        _ => return None,
    };
    Some(format!("the expected file {what}"))
}

fn is_about_blanks(mismatch: &Mismatch) -> bool {
    matches!(mismatch.kind, MismatchKind::Whitespace | MismatchKind::LineEnding)
}

fn has_crlf(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"\r\n").is_some()
}

/// The strictest of the lenient comparisons that accepts the output.
fn accepting<'s>(
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<Option<String>, CheckError> {
    for name in LENIENT {
        let Ok(lenient) = preset::comparison(name) else { continue };
        if accepts(&*lenient, answer, output)? {
            return Ok(Some(format!("would be AC under --compare {name}")));
        }
    }
    Ok(None)
}

fn accepts<'s>(
    comparison: &dyn Comparison,
    answer: &mut Source<'s>,
    output: &mut Source<'s>,
) -> Result<bool, CheckError> {
    answer.rewind()?;
    output.rewind()?;
    Ok(comparison.compare(Level::detect(), answer, output)?.is_none())
}
