//! The tables `[languages.NAME]`: changed and new rows of the table of languages.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Fault, checked, parse_processes, unknown, words};
use crate::language::{Languages, Override};

/// The keys of a row.
const KEYS: [&str; 10] = [
    "compile",
    "extensions",
    "memory_extra",
    "outputs",
    "processes",
    "run",
    "time_extra",
    "time_factor",
    "title",
    "version",
];

/// Takes one `[languages.NAME]`.
pub(super) fn take(
    languages: &mut Languages,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        let title = format!("`{name}` is a table: [languages.{name}]");
        return Err(Fault::new(title, value.span()));
    };
    let change = row(name, table)?;
    languages.apply(name, &change).map_err(|message| {
        let title = format!("[languages.{name}]: {message}");
        let first = table.iter().next().map_or(value.span(), |(key, _)| key.span());
        Fault { note: close_name(languages, name), ..Fault::new(title, first) }
    })
}

/// The known language that was perhaps meant.
fn close_name(languages: &Languages, name: &str) -> Option<String> {
    let known = languages.all().iter().map(|language| language.name.as_str());
    let close = known.map(|known| (strsim::damerau_levenshtein(known, name), known)).min()?;
    (1..=2).contains(&close.0).then(|| format!("did you mean `{}`?", close.1))
}

fn row(name: &str, table: &DeTable<'_>) -> Result<Override, Fault> {
    let mut change = Override::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "compile" => change.compile = Some(words(value)?),
            "outputs" => change.outputs = Some(words(value)?),
            "run" => change.run = Some(words(value)?),
            "version" => change.version = Some(words(value)?),
            "extensions" => change.extensions = Some(extensions(value)?),
            "title" => change.title = Some(checked(value, |text| Ok(text.to_owned()))?),
            "time_factor" => change.time_factor = Some(checked(value, factor)?),
            "time_extra" => change.time_extra = Some(checked(value, time)?),
            "memory_extra" => change.memory_extra = Some(checked(value, size)?),
            "processes" => change.processes = Some(checked(value, parse_processes)?),
            other => {
                let title = format!("unknown key `{other}` in [languages.{name}]");
                return Err(unknown(&title, key, &KEYS));
            }
        }
    }
    Ok(change)
}

fn extensions(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Fault> {
    let words = words(value)?;
    Ok(words.iter().map(|word| word.trim_start_matches('.').to_lowercase()).collect())
}

fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse::<f64>().ok().filter(|factor| (0.01..=1000.0).contains(factor));
    factor.ok_or_else(|| format!("expected a factor from 0.01 to 1000, found `{text}`"))
}

/// Seconds, or `250ms`, `1.5s`.
fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.0..=1e6).contains(seconds));
    let time = seconds.map(Duration::from_secs_f64);
    time.ok_or_else(|| format!("expected seconds, `250ms` or `1.5s`, found `{text}`"))
}

/// Mebibytes, or `64MiB`, `1GiB`, `512KiB`.
fn size(text: &str) -> Result<u64, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1_u64 << 30)];
    let unit = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = unit.unwrap_or((text, 1 << 20));
    let bytes = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes
        .filter(|bytes| *bytes <= 1 << 50)
        .ok_or_else(|| format!("expected a size in MiB, or such as `64MiB`, found `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::super::{Config, parse};
    use super::*;

    fn message(text: &str) -> String {
        let fault = parse(text).unwrap_err();
        format!("{} {} {}", fault.title, fault.label, fault.note.unwrap_or_default())
    }

    fn config(text: &str) -> Config {
        parse(text).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    #[test]
    fn a_row_is_changed() {
        let config = config(
            "[languages.cpp]\ncompile = [\"g++\", \"-O3\", \"-o\", \"{binary}\", \"{sources}\"]\n\
             extensions = [\".CPP\"]\ntime_factor = 1.5\ntime_extra = \"250ms\"\n\
             memory_extra = \"1GiB\"\nprocesses = 4\n",
        );
        let cpp = config.languages.find("cpp").unwrap();
        assert_eq!(cpp.extensions, ["cpp"]);
        assert_eq!(cpp.toolchains[0].compile.as_ref().unwrap()[1], "-O3");
        assert_eq!(cpp.allowances.time_extra, Duration::from_millis(250));
        assert_eq!((cpp.allowances.memory_extra, cpp.allowances.processes), (1 << 30, 4));
    }

    #[test]
    fn a_new_row_is_added() {
        let text =
            "[languages.nim]\nrun = [\"nim\", \"r\", \"{source}\"]\nextensions = [\"nim\"]\n";
        let config = config(text);
        assert_eq!(config.languages.find("nim").unwrap().toolchains[0].run.len(), 3);
        let incomplete = message("[languages.pyhton3]\ntime_factor = 2\n");
        assert!(incomplete.contains("needs `run` and `extensions`"), "{incomplete}");
        assert!(incomplete.contains("did you mean `python3`?"), "{incomplete}");
    }

    #[test]
    fn faults_are_named() {
        assert!(message("[languages.c]\nrum = []\n").contains("did you mean `run`?"));
        assert!(message("[languages]\nc = 3\n").contains("`c` is a table: [languages.c]"));
        for (line, words) in [
            ("run = \"a b\"", "expected a list of texts"),
            ("run = [1]", "expected a text"),
            ("run = []", "the run command is empty"),
            ("run = [\"{binray}\"]", "unknown placeholder {binray}"),
            ("time_factor = 0", "expected a factor"),
            ("time_extra = \"1h\"", "expected seconds"),
            ("memory_extra = \"1TB\"", "expected a size"),
            ("processes = -1", "expected a number from 0"),
        ] {
            let message = message(&format!("[languages.c]\n{line}\n"));
            assert!(message.contains(words), "{line}: {message}");
        }
    }
}
