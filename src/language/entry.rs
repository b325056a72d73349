//! Which file a run starts with, and the class that has the main method.

use super::{Entry, Language, SourceFile};

/// The place of the file that a run starts with among a language's files; `None` when it cannot
/// be told.
#[must_use]
pub fn entry_file(files: &[&SourceFile], entry: Entry, folder: &str) -> Option<usize> {
    let stem = |file: &&SourceFile| stem(&file.name).to_lowercase();
    match (files, entry) {
        ([], _) => None,
        ([_], _) | (_, Entry::Any) => Some(0),
        (_, Entry::Class) => {
            files.iter().position(|file| main_class(&file.content).is_some()).or(Some(0))
        }
        (_, Entry::Main) => {
            let wanted = ["main", "__main__", &folder.to_lowercase(), "solution"];
            wanted.iter().find_map(|name| files.iter().position(|file| stem(file) == *name))
        }
    }
}

/// The name under which a file is given to the compiler: a Java file alone is named after its
/// public class, or the one with the main method.
#[must_use]
pub fn file_name(file: &SourceFile, language: &Language) -> String {
    let renamed = language.entry == Entry::Class && language.name == "java";
    let class = renamed.then(|| class_to_name_by(&file.content)).flatten();
    class.map_or_else(|| file.name.clone(), |class| format!("{class}.java"))
}

fn stem(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.rsplit_once('.').map_or(last, |(stem, _)| stem)
}

/// The class with the main method of a Java or Scala file, with its package.
#[must_use]
pub fn main_class(content: &[u8]) -> Option<String> {
    let outline = outline(content);
    let main = outline.types.iter().find(|class| class.has_main)?;
    let package = outline.package.map(|package| package + ".").unwrap_or_default();
    Some(package + &main.name)
}

fn class_to_name_by(content: &[u8]) -> Option<String> {
    let outline = outline(content);
    let public = outline.types.iter().find(|class| class.is_public);
    public.or_else(|| outline.types.iter().find(|class| class.has_main)).map(|c| c.name.clone())
}

/// A class, interface, enum, record or object at the top of a file.
#[derive(Debug, Default)]
struct Type {
    name: String,
    is_public: bool,
    has_main: bool,
}

/// What stands at the top of a file.
#[derive(Debug, Default)]
struct Outline {
    package: Option<String>,
    types: Vec<Type>,
}

const TYPE_WORDS: [&str; 5] = ["class", "interface", "enum", "record", "object"];

/// The types at the top of a file. Reads words and braces only, skipping comments and strings.
fn outline(content: &[u8]) -> Outline {
    let text = String::from_utf8_lossy(content);
    let words = words(&text);
    let mut outline = Outline::default();
    let (mut depth, mut is_public) = (0_usize, false);
    for (index, &word) in words.iter().enumerate() {
        let next = |offset: usize| words.get(index + offset).copied().unwrap_or_default();
        match word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            ";" => is_public &= depth > 0,
            "public" if depth == 0 => is_public = true,
            "package" if depth == 0 => outline.package = Some(dotted(&words[index + 1..])),
            _ if depth == 0 && TYPE_WORDS.contains(&word) && next(1) != "object" => {
                let name = next(1).to_owned();
                outline.types.push(Type { name, is_public, has_main: false });
                is_public = false;
            }
            // Scala: an object that is an App has its main method from there.
            "App" if depth == 0 => mark(&mut outline),
            "main" if depth > 0 && next(1) == "(" && is_method(&words[..index]) => {
                mark(&mut outline);
            }
            _ => {}
        }
    }
    outline
}

fn mark(outline: &mut Outline) {
    if let Some(last) = outline.types.last_mut() {
        last.has_main = true;
    }
}

/// Whether the words before a name declare a method of it: `void main` or `def main`.
fn is_method(before: &[&str]) -> bool {
    matches!(before.last(), Some(&("void" | "def")))
}

/// A name with dots at the start of these words.
fn dotted(words: &[&str]) -> String {
    let is_part = |word: &&&str| **word == "." || word.starts_with(char::is_alphabetic);
    let mut parts = Vec::new();
    let mut expects_name = true;
    for word in words.iter().take_while(is_part) {
        if (*word == ".") == expects_name {
            break;
        }
        expects_name = !expects_name;
        parts.push(*word);
    }
    parts.concat()
}

/// Words and signs outside comments and strings.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(inside) = rest.strip_prefix("\"\"\"") {
            inside.find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if first == '"' || first == '\'' {
            literal(rest, first)
        } else {
            0
        };
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = match rest.find(|c| !is_word(c)) {
            Some(0) => first.len_utf8(),
            Some(length) => length,
            None => rest.len(),
        };
        if !first.is_whitespace() {
            words.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    words
}

/// The length of a string or character that starts here and ends on its line.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (position, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return position,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return position + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Languages;

    fn file(name: &str, content: &str) -> SourceFile {
        SourceFile { name: name.into(), content: content.into() }
    }

    fn main_of(content: &str) -> Option<String> {
        main_class(content.as_bytes())
    }

    #[test]
    fn the_class_with_the_main_method_is_found_behind_others() {
        let java = "import java.util.*;\n// class Fake { void main( }\nclass Node { int main; }\n\
                    /* public class Other */ public class Solution {\n  String s = \"} class X {\";\n\
                    char c = '{'; int main() { return 1; }\n\
                    public static void main(String[] args) {} }";
        assert_eq!(main_of(java).as_deref(), Some("Solution"));
        assert_eq!(
            main_of("package a.b;\nclass M { static void main (String... a) {} }").as_deref(),
            Some("a.b.M")
        );
        assert_eq!(main_of("class M { }"), None);
        assert_eq!(main_of(""), None);
    }

    #[test]
    fn scala_objects_have_main_methods_or_are_apps() {
        assert_eq!(main_of("object Hello extends App { println(1) }").as_deref(), Some("Hello"));
        let scala =
            "case class P(x: Int)\nobject Main {\n def main(args: Array[String]): Unit = {} }";
        assert_eq!(main_of(scala).as_deref(), Some("Main"));
        assert_eq!(main_of("case object A\nobject B extends App").as_deref(), Some("B"));
    }

    #[test]
    fn a_java_file_is_named_after_its_public_class() {
        let languages = Languages::default();
        let java = languages.find("java").unwrap();
        let name = |content: &str| file_name(&file("sol.java", content), java);
        assert_eq!(name("interface A {} public class Main { }"), "Main.java");
        assert_eq!(name("class A {} class B { public static void main(String[] a) {} }"), "B.java");
        assert_eq!(name("public final class F { public static class G {} }"), "F.java");
        assert_eq!(name("not java"), "sol.java");
        let other = languages.find("cpp").unwrap();
        assert_eq!(file_name(&file("x.cpp", "class A { }"), other), "x.cpp");
    }

    #[test]
    fn among_several_files_main_or_the_folders_name_comes_first() {
        let (a, b, c) = (file("util.py", ""), file("Main.py", ""), file("lib/sum.py", ""));
        assert_eq!(entry_file(&[&a, &b, &c], Entry::Main, "sum"), Some(1));
        assert_eq!(entry_file(&[&a, &c], Entry::Main, "sum"), Some(1));
        assert_eq!(entry_file(&[&a, &c], Entry::Main, "x"), None);
        assert_eq!(entry_file(&[&a], Entry::Main, "x"), Some(0));
        let main = file("B.java", "class B { static void main(String[] a) {} }");
        assert_eq!(entry_file(&[&file("A.java", "class A {}"), &main], Entry::Class, "x"), Some(1));
    }

    #[test]
    fn broken_text_ends_the_search_quietly() {
        for text in ["\"", "/*", "'\\", "\"\"\"", "class", "package", "public static void main("] {
            assert_eq!(main_of(text), None, "{text}");
        }
    }
}
