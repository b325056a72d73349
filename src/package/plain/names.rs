//! What the name of a file says: its stem, and whether it is an input or an answer.

use std::ffi::OsStr;
use std::path::Path;

use crate::model::INPUT_EXTENSIONS;

/// Extensions of answer files, the first one preferred.
pub(super) const ANSWERS: [&str; 5] = ["out", "ans", "a", "expected", "output"];

/// The role of a file, as its extension tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Answer,
    Either,
    Unknown,
}

/// A file name taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name without a known extension.
    pub(super) stem: String,
    /// The known extension in lower case, else empty.
    pub(super) extension: String,
    pub(super) role: Role,
}

/// A file name as text: different names give different texts. A byte that is not UTF-8 becomes
/// `\xff`, and a backslash `\\`.
pub(super) fn text(name: &OsStr) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text += &chunk.valid().replace('\\', r"\\");
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// Takes the file name of a path apart.
pub(super) fn name(path: &Path) -> Name {
    let whole = text(path.file_name().unwrap_or_default());
    let (stem, extension) = match whole.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_lowercase()),
        _ => return Name { stem: whole, extension: String::new(), role: Role::Either },
    };
    let role = match extension.as_str() {
        "txt" => Role::Either,
        known if INPUT_EXTENSIONS.contains(&known) => Role::Input,
        known if ANSWERS.contains(&known) => Role::Answer,
        _ => return Name { stem: whole, extension: String::new(), role: Role::Unknown },
    };
    Name { stem: stem.to_owned(), extension, role }
}

/// The stem under which an answer is looked for when none has the input's own stem:
/// `input01` is answered by `output01`.
pub(super) fn answer_stem(input_stem: &str) -> Option<String> {
    input_stem.contains("input").then(|| input_stem.replacen("input", "output", 1))
}

/// How well an answer with this extension fits, less is better: the order of [`ANSWERS`].
pub(super) fn preference(extension: &str) -> usize {
    ANSWERS.iter().position(|&known| known == extension).unwrap_or(ANSWERS.len())
}

/// A form that is equal for names that people mistake for one another: lower case, numbers
/// without leading zeros.
pub(super) fn folded(stem: &str) -> String {
    let mut folded = String::with_capacity(stem.len());
    let mut in_number = false;
    let characters: Vec<char> = stem.to_lowercase().chars().collect();
    for (index, &character) in characters.iter().enumerate() {
        let digit_follows = characters.get(index + 1).is_some_and(char::is_ascii_digit);
        let leading_zero = character == '0' && !in_number && digit_follows;
        if !leading_zero {
            in_number = character.is_ascii_digit();
            folded.push(character);
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> (String, String, Role) {
        let name = name(Path::new(path));
        (name.stem, name.extension, name.role)
    }

    #[test]
    fn a_known_extension_is_taken_off_and_tells_the_role() {
        assert_eq!(parts("p/01-a.in"), ("01-a".into(), "in".into(), Role::Input));
        assert_eq!(parts("p/01.ANS"), ("01".into(), "ans".into(), Role::Answer));
        assert_eq!(parts("p/01.txt"), ("01".into(), "txt".into(), Role::Either));
        assert_eq!(parts("p/01"), ("01".into(), String::new(), Role::Either));
        assert_eq!(parts("p/notes.md"), ("notes.md".into(), String::new(), Role::Unknown));
        assert_eq!(parts("p/1.5.in"), ("1.5".into(), "in".into(), Role::Input));
    }

    #[test]
    fn names_that_people_mistake_for_one_another_fold_to_one() {
        assert_eq!(folded("09-Ring"), folded("9-ring"));
        assert_eq!(folded("case007"), "case7");
        assert_eq!(folded("0"), "0");
        assert_eq!(folded("100"), "100");
        assert_ne!(folded("10"), folded("1"));
    }

    #[test]
    fn different_names_have_different_texts() {
        use std::os::unix::ffi::OsStrExt as _;
        assert_eq!(text(OsStr::from_bytes(b"a\xff")), r"a\xff");
        assert_eq!(text(OsStr::from_bytes(b"a\xfe")), r"a\xfe");
        assert_eq!(text(OsStr::new(r"a\xff")), r"a\\xff");
        assert_eq!(text(OsStr::new("é 1")), "é 1");
    }

    #[test]
    fn the_word_input_becomes_output() {
        assert_eq!(answer_stem("input01").as_deref(), Some("output01"));
        assert_eq!(answer_stem("01"), None);
    }
}
