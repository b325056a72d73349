//! Text from files with everything invisible escaped, so that no byte of a file reaches a terminal
//! or a report as it is.

use std::fmt::Write as _;

/// Which characters may be used for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Charset {
    /// Any letter, and signs for blanks.
    #[default]
    Unicode,
    /// ASCII only; all else is escaped.
    Ascii,
}

/// Text from a file between quotes.
#[must_use]
pub fn quoted(bytes: &[u8], charset: Charset) -> String {
    format!("\"{}\"", excerpt(bytes, charset).replace('"', "\\\""))
}

/// Text from a file with everything invisible made visible: blanks at the end, tabs, line ends,
/// control characters, bytes that are not UTF-8, characters without width or that turn the
/// direction of text, and backslashes, so that an escape cannot be mistaken for text.
#[must_use]
pub fn excerpt(bytes: &[u8], charset: Charset) -> String {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c);
    let end = bytes.iter().rposition(|byte| !blank(byte)).map_or(0, |last| last + 1);
    let mut text = escape(&bytes[..end], charset);
    let trailing = escape(&bytes[end..], charset);
    text += &trailing.replace(' ', if charset == Charset::Ascii { "\\s" } else { "·" });
    text
}

/// The same with blanks at the end left as they are.
pub(super) fn escape(bytes: &[u8], charset: Charset) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            escape_char(&mut text, letter, charset);
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

fn escape_char(text: &mut String, letter: char, charset: Charset) {
    let unicode = charset == Charset::Unicode;
    match letter {
        '\\' => text.push_str("\\\\"),
        '\t' => text.push_str(if unicode { "→" } else { "\\t" }),
        '\r' => text.push_str(if unicode { "␍" } else { "\\r" }),
        '\n' => text.push_str(if unicode { "␊" } else { "\\n" }),
        ' '..='~' => text.push(letter),
        '\0'..='\x7f' => {
            let _ = write!(text, "\\x{:02x}", u32::from(letter));
        }
        _ if unicode && !is_invisible(letter) => text.push(letter),
        _ => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(letter));
        }
    }
}

/// Characters that cannot be seen, look like a plain space, or turn the direction of text.
pub(super) fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || letter.is_whitespace()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{fffe}'..='\u{ffff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}
