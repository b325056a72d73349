//! Bytes of programs as escaped literals, and back: no byte is lost, none can break out of a
//! report.

use bstr::BStr;

/// Bytes as an escaped literal with its quotes, such as `"1 2\n"`.
pub(in crate::report) fn literal(bytes: &[u8]) -> String {
    format!("{:?}", BStr::new(bytes))
}

/// The bytes of a literal; none if it is not one.
pub(in crate::report) fn bytes(literal: &str) -> Option<Vec<u8>> {
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some(position) = rest.find(['\\', '"']) {
        bytes.extend_from_slice(&rest.as_bytes()[..position]);
        let escape = rest[position..].strip_prefix('\\')?;
        rest = escaped(escape, &mut bytes)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

/// Adds what an escape stands for; returns what follows it.
fn escaped<'a>(escape: &'a str, bytes: &mut Vec<u8>) -> Option<&'a str> {
    let letter = escape.chars().next()?;
    let rest = &escape[letter.len_utf8()..];
    match letter {
        '0' => bytes.push(0),
        'n' => bytes.push(b'\n'),
        'r' => bytes.push(b'\r'),
        't' => bytes.push(b'\t'),
        '\\' | '"' | '\'' => bytes.push(letter as u8),
        'x' => {
            bytes.push(u8::from_str_radix(rest.get(..2)?, 16).ok()?);
            return rest.get(2..);
        }
        'u' => {
            let (number, rest) = rest.strip_prefix('{')?.split_once('}')?;
            let letter = char::from_u32(u32::from_str_radix(number, 16).ok()?)?;
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(rest);
        }
        _ => return None,
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn every_byte_and_many_random_strings_come_back() {
        let mut random = Random::new(7);
        let pieces =
            ["é", "\u{301}", "\u{fffd}", "\u{202e}", "\u{1f600}", "\\x", "\"", "'", "\u{85}"];
        for length in 0..600_u64 {
            let mut all = vec![length as u8];
            for _ in 0..random.below(12) {
                if random.percent(50) {
                    all.push(random.below(256) as u8);
                } else {
                    let piece = pieces[random.below(pieces.len() as u64) as usize];
                    all.extend_from_slice(piece.as_bytes());
                }
            }
            assert_eq!(bytes(&literal(&all)), Some(all));
        }
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        for text in ["", "\"", "a", "\"a\"b\"", r#""\"#, r#""\x4""#, r#""\xzz""#, r#""\u{d800}""#] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
