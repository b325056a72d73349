//! Which language a submission is in.

use std::path::Path;

use super::{Form, Language, Languages, Source, SourceFile};

/// Why no language can be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectFault {
    /// No row claims the extension, and there is no `#!` line of a known interpreter.
    #[error("{name}: no known language")]
    Unknown {
        /// The submission.
        name: String,
    },
    /// A folder holds files of several languages.
    #[error("{name}: files of several languages: {}", languages.join(", "))]
    Mixed {
        /// The submission.
        name: String,
        /// Their titles.
        languages: Vec<String>,
    },
    /// The `#!` line asks for Python 2.
    #[error("{name}: written for Python 2, which is no language of the table")]
    Python2 {
        /// The submission.
        name: String,
    },
}

/// The language of a submission: by the `#!` line where the file has no extension or the extension
/// leaves a choice, by the extension else. All files of a folder that belong to a language must
/// belong to the same one; others (headers, data) are carried along.
///
/// # Errors
/// When no language claims it, or several do.
pub fn detect<'a>(source: &Source, languages: &'a Languages) -> Result<&'a Language, DetectFault> {
    let name = || source.name.clone();
    if source.form == Form::Executable {
        return Ok(languages.executable());
    }
    let mut found: Vec<&Language> = Vec::new();
    for file in &source.files {
        let language = of_file(file, languages, source.form);
        let language = language.map_err(|Python2| DetectFault::Python2 { name: name() })?;
        if let Some(language) = language
            && !found.iter().any(|other| other.name == language.name)
        {
            found.push(language);
        }
    }
    match found[..] {
        [] => Err(DetectFault::Unknown { name: name() }),
        [language] => Ok(language),
        _ => {
            let languages = found.iter().map(|language| language.title.clone()).collect();
            Err(DetectFault::Mixed { name: name(), languages })
        }
    }
}

/// The file asks for Python 2.
struct Python2;

fn of_file<'a>(
    file: &SourceFile,
    languages: &'a Languages,
    form: Form,
) -> Result<Option<&'a Language>, Python2> {
    let by_extension = extension(&file.name).and_then(|name| languages.of_extension(&name));
    let interpreter = shebang(&file.content);
    if interpreter.as_deref() == Some("python2") {
        return Err(Python2);
    }
    let by_line = interpreter.and_then(|name| languages.of_interpreter(&name));
    Ok(match by_extension {
        // `#!/usr/bin/env pypy3` in a file that is called x.py.
        Some(language) if language.name == "python3" => by_line.or(Some(language)),
        Some(language) => Some(language),
        None if form == Form::File => by_line,
        None => None,
    })
}

/// The extension in small letters.
pub(super) fn extension(name: &str) -> Option<String> {
    Path::new(name).extension()?.to_str().map(str::to_lowercase)
}

/// The interpreter that a `#!` line names, in small letters and without its version, except
/// `python2`; none when it is none that this program knows languages of.
pub(super) fn shebang(content: &[u8]) -> Option<String> {
    let line = content.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line.get(..line.len().min(200))?).ok()?;
    let mut words = line.split_whitespace();
    let mut word = words.next()?;
    if word.ends_with("/env") {
        word = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let name = word.rsplit('/').next()?.to_lowercase();
    if name == "python2" || name.starts_with("python2.") {
        return Some("python2".to_owned());
    }
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let known = |row: &super::Row| row.interpreters.contains(&name);
    super::ALL.iter().any(known).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(files: &[(&str, &str)]) -> Source {
        let files: Vec<SourceFile> = files
            .iter()
            .map(|&(name, content)| SourceFile { name: name.into(), content: content.into() })
            .collect();
        let form = if files.len() == 1 { Form::File } else { Form::Folder };
        Source { path: "s".into(), name: "s".into(), form, files }
    }

    fn name(files: &[(&str, &str)]) -> Result<String, String> {
        let languages = Languages::default();
        let language = detect(&source(files), &languages);
        language.map(|language| language.name.clone()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn the_extension_decides_whatever_its_case() {
        for (file, language) in [
            ("a.cpp", "cpp"),
            ("a.CC", "cpp"),
            ("A.java", "java"),
            ("a.b.py", "python3"),
            ("a.pas", "pascal"),
            ("a.R", "r"),
        ] {
            assert_eq!(name(&[(file, "")]).as_deref(), Ok(language), "{file}");
        }
        assert!(name(&[("a.xyz", "")]).unwrap_err().contains("no known language"));
        assert!(name(&[("Makefile", "all:\n")]).is_err());
    }

    #[test]
    fn the_first_line_decides_without_an_extension_and_among_pythons() {
        for (file, line, language) in [
            ("sol", "#!/usr/bin/env python3\n", "python3"),
            ("sol", "#!/usr/bin/env -S pypy3 -u\n", "pypy3"),
            ("sol", "#!/bin/sh\n", "bash"),
            ("sol", "#! /usr/bin/ruby3.1", "ruby"),
            ("sol.py", "#!/usr/bin/pypy3\n", "pypy3"),
            ("sol.py", "#!/bin/bash\n", "bash"),
            ("sol.rb", "#!/usr/bin/env python3\n", "ruby"),
        ] {
            assert_eq!(name(&[(file, line)]).as_deref(), Ok(language), "{file} {line}");
        }
        let fault = name(&[("a.py", "#!/usr/bin/env python2.7\n")]).unwrap_err();
        assert!(fault.contains("Python 2"), "{fault}");
    }

    #[test]
    fn a_folder_is_of_one_language_and_carries_the_rest_along() {
        assert_eq!(name(&[("a.cpp", ""), ("a.h", ""), ("notes.txt", "")]).as_deref(), Ok("cpp"));
        let fault = name(&[("a.c", ""), ("b.cpp", ""), ("c.c", "")]).unwrap_err();
        assert_eq!(fault, "s: files of several languages: C, C++");
    }
}
