//! Words and numbers as people read them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::excerpt::{Charset, is_invisible};
use crate::model::{Status, Summary, Verdict};

/// `4.1 ms`, `1.25 s`, `82 s`: three digits at most where that is enough.
#[must_use]
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.99995 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

/// `0.03 s`, `5.2 s`.
pub(super) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.995 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

/// `1 case`, `2 cases`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `23 passed, 1 failed`, and the rarer counts where there are any.
pub(super) fn summary(summary: &Summary) -> String {
    let mut parts =
        vec![format!("{} passed", summary.passed), format!("{} failed", summary.failed)];
    if summary.errors > 0 {
        parts.push(count(summary.errors, "error"));
    }
    if summary.skipped > 0 {
        parts.push(format!("{} skipped", summary.skipped));
    }
    parts.join(", ")
}

/// Which characters are printed, and in which colours.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// The characters that may be printed.
    pub charset: Charset,
}

impl Look {
    /// A name or message as it may be printed: nothing in it moves the cursor or hides.
    #[must_use]
    pub fn name(self, name: &str) -> String {
        name.chars().map(|letter| printable(letter, self.charset)).collect()
    }
}

fn printable(letter: char, charset: Charset) -> String {
    match letter {
        ' '..='~' => letter.to_string(),
        _ if letter.is_ascii() => format!("\\x{:02x}", u32::from(letter)),
        _ if charset == Charset::Unicode && !is_invisible(letter) => letter.to_string(),
        _ => format!("\\u{{{:x}}}", u32::from(letter)),
    }
}

/// Bytes of a message in any report; the same in all, so that they can be made from one another.
pub(super) const MESSAGE: usize = 64 << 10;

/// A text of at most so many bytes: a longer one says how much of it is missing.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    const NOTE: usize = 40;
    if text.len() <= most {
        return text.into();
    }
    let end = text.floor_char_boundary(most.saturating_sub(NOTE));
    format!("{} ... ({} bytes more)", &text[..end], text.len() - end).into()
}

/// The first line of a text as it may be printed, in at most so many bytes before it is escaped.
pub(super) fn first_line(text: &str, most: usize) -> String {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    Look::default().name(&cut(first.trim_end(), most))
}

/// Columns of a table for texts of at most so many letters; longer ones stick out.
pub(super) fn columns(letters: Option<usize>) -> usize {
    const WIDEST: usize = 200;
    letters.unwrap_or(0).min(WIDEST)
}

/// The colour of a result; it only repeats what the word says.
pub(super) fn style(status: Status) -> anstyle::Style {
    let colour = match status {
        Status::Pass => anstyle::AnsiColor::Green,
        Status::Fail => anstyle::AnsiColor::Red,
        Status::Error => anstyle::AnsiColor::Magenta,
        Status::Skip => anstyle::AnsiColor::Yellow,
    };
    anstyle::Style::new().fg_color(Some(colour.into())).bold()
}

/// A word in the colour of a result.
pub(super) fn styled(word: &str, status: Status) -> String {
    let style = style(status);
    format!("{style}{word}{style:#}")
}

/// The verdict's code in the colour of the status.
pub(super) fn verdict(verdict: Verdict, status: Status) -> String {
    styled(verdict.code(), status)
}

/// An argument as a shell takes it.
#[must_use]
pub fn shell_quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    if argument.chars().any(hides) {
        return format!("$'{}'", argument.chars().map(ansi_c).collect::<String>());
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// Whether a letter would not be seen in a command.
fn hides(letter: char) -> bool {
    letter != ' ' && is_invisible(letter)
}

/// A path as a shell and an option parser take it: never mistaken for an option.
#[must_use]
pub fn shell_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let start = if bytes.starts_with(b"-") { "./" } else { "" };
    if let Some(text) = path.to_str() {
        return shell_quoted(&format!("{start}{text}"));
    }
    let mut word = format!("$'{start}");
    for chunk in bytes.utf8_chunks() {
        word.extend(chunk.valid().chars().map(ansi_c));
        for byte in chunk.invalid() {
            let _ = write!(word, "\\{byte:03o}");
        }
    }
    word + "'"
}

/// A letter as it stands in a `$'…'` word of bash, ksh, zsh and POSIX 2024 shells.
fn ansi_c(letter: char) -> String {
    match letter {
        '\n' => r"\n".to_owned(),
        '\t' => r"\t".to_owned(),
        '\r' => r"\r".to_owned(),
        '\'' | '\\' => format!("\\{letter}"),
        _ if letter.is_ascii_control() => format!("\\{:03o}", u32::from(letter)),
        _ if hides(letter) => match u32::from(letter) {
            code @ 0..0x1_0000 => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        },
        _ => letter.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn times_have_a_unit_that_fits() {
        assert_eq!(duration(Duration::from_micros(4120)), "4.1 ms");
        assert_eq!(duration(Duration::from_micros(999_960)), "1.00 s");
        assert_eq!(seconds(Duration::from_millis(31)), "0.03 s");
        assert_eq!(seconds(Duration::from_millis(5218)), "5.2 s");
    }

    #[test]
    fn rare_counts_are_told_only_when_there_are_any() {
        let mut counts = Summary { passed: 3, ..Summary::default() };
        assert_eq!(summary(&counts), "3 passed, 0 failed");
        counts.errors = 1;
        counts.skipped = 2;
        assert_eq!(summary(&counts), "3 passed, 0 failed, 1 error, 2 skipped");
    }

    #[test]
    fn names_never_move_the_cursor() {
        let unicode = Look { charset: Charset::Unicode };
        assert_eq!(unicode.name("é\u{1b}[2J\n\u{202e}\\"), "é\\x1b[2J\\x0a\\u{202e}\\");
        assert_eq!(Look { charset: Charset::Ascii }.name("é"), "\\u{e9}");
    }

    #[test]
    fn arguments_survive_a_shell() {
        assert_eq!(shell_quoted("input/a-b_1.in"), "input/a-b_1.in");
        assert_eq!(shell_quoted("a b"), "'a b'");
        assert_eq!(shell_quoted("it's"), r"'it'\''s'");
        assert_eq!(shell_path(Path::new("-x/a b")), "'./-x/a b'");
        assert_eq!(shell_quoted("a\u{202e}b"), r"$'a\u202eb'");
        let path = std::ffi::OsStr::from_bytes(b"-\xff'.in");
        assert_eq!(shell_path(Path::new(path)), r"$'./-\377\'.in'");
        assert_eq!(shell_quoted(""), "''");
        assert_eq!(shell_quoted("a\nb"), r"$'a\nb'");
        assert_eq!(shell_quoted("\u{1b}1'\\é"), r"$'\0331\'\\é'");
    }
}
