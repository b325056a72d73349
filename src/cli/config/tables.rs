//! The tables about submissions: `[limits]` and `[submissions]`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, Fault, LIMITS, NameGlob, checked, parse_count, unknown};
use crate::cli::grade::{LimitSet, parse_size, parse_time};
use crate::cli::suite::parse_glob;
use crate::model::{Promise, Sets, Verdict};

/// Takes a key of `[limits]`; false when the key is unknown.
pub(super) fn limits(
    config: &mut Config,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<bool, Fault> {
    match value.get_ref() {
        DeValue::Array(cases) if name == "case" => {
            for case in cases {
                let (pattern, set) = case_limits(case)?;
                config.limits.cases.push((pattern, set));
            }
            Ok(true)
        }
        DeValue::Table(table) if name != "case" => {
            let set = limit_set(table, &format!("limits.{name}"), &[])?;
            config.limits.languages.push((name.to_owned(), set));
            Ok(true)
        }
        _ => limit(&mut config.limits.all, name, value),
    }
}

/// Refuses `[limits.NAME]` where no language has this name; asked for when all languages are known.
pub(super) fn known_languages(
    config: &Config,
    document: &Spanned<DeTable<'_>>,
) -> Result<(), Fault> {
    let Some(DeValue::Table(limits)) = document.get_ref().get("limits").map(Spanned::get_ref)
    else {
        return Ok(());
    };
    for (key, value) in limits {
        let name = key.get_ref().as_ref();
        let of_language = matches!(value.get_ref(), DeValue::Table(_));
        if of_language && config.languages.find(name).is_none() {
            let known: Vec<&str> =
                config.languages.all().iter().map(|language| language.name.as_str()).collect();
            let fault = unknown(&format!("unknown language `{name}` in [limits]"), key, &known);
            let note = Some(format!("known languages: {}", known.join(", ")));
            return Err(Fault { note, ..fault });
        }
    }
    Ok(())
}

fn limit_set(table: &DeTable<'_>, title: &str, more: &[&str]) -> Result<LimitSet, Fault> {
    let mut set = LimitSet::default();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !more.contains(&name) && !limit(&mut set, name, value)? {
            let known: Vec<&str> = LIMITS.iter().chain(more).copied().collect();
            return Err(unknown(&format!("unknown key `{name}` in [{title}]"), key, &known));
        }
    }
    Ok(set)
}

/// Takes one limit; false when there is none of this name.
fn limit(set: &mut LimitSet, name: &str, value: &Spanned<DeValue<'_>>) -> Result<bool, Fault> {
    match name {
        "time" => set.time = Some(checked(value, parse_time)?),
        "wall" => set.wall = Some(checked(value, parse_time)?),
        "memory" => set.memory = Some(checked(value, parse_size)?),
        "stack" => set.stack = Some(checked(value, parse_size)?),
        "output" => set.output = Some(checked(value, parse_size)?),
        "processes" => set.processes = Some(checked(value, parse_count)?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// One `[[limits.case]]`.
fn case_limits(case: &Spanned<DeValue<'_>>) -> Result<(NameGlob, LimitSet), Fault> {
    let DeValue::Table(table) = case.get_ref() else {
        return Err(Fault::new("`case` holds tables: [[limits.case]]", case.span()));
    };
    let pattern = table.iter().find(|(key, _)| key.get_ref() == "pattern");
    let Some((_, pattern)) = pattern else {
        return Err(Fault::new("[[limits.case]] needs a `pattern` of case names", case.span()));
    };
    let glob = checked(pattern, parse_glob)?;
    Ok((glob, limit_set(table, "[limits.case]", &["pattern"])?))
}

/// Takes a line of `[submissions]`: `name = "AC"` or `name = ["WA", "TLE"]`.
pub(super) fn promise(
    config: &mut Config,
    name: &str,
    span: Range<usize>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    let glob = parse_glob(name).map_err(|error| Fault::new(error, span))?;
    let promise = match value.get_ref() {
        DeValue::Table(table) => Promise::Sets(sets(table, value.span())?),
        _ => Promise::First(verdicts(value)?),
    };
    config.submissions.push((glob, promise));
    Ok(())
}

/// One verdict, or several.
fn verdicts(value: &Spanned<DeValue<'_>>) -> Result<Vec<Verdict>, Fault> {
    match value.get_ref() {
        DeValue::Array(values) if values.is_empty() => {
            Err(Fault::new("expected at least one verdict", value.span()))
        }
        DeValue::Array(values) => values.iter().map(verdict).collect(),
        _ => Ok(vec![verdict(value)?]),
    }
}

/// The keys of a promise in sets.
const SETS: [&str; 3] = ["groups", "permitted", "required"];

/// `{ permitted = [..], required = [..], groups.NAME = [..] }`.
fn sets(table: &DeTable<'_>, span: Range<usize>) -> Result<Sets, Fault> {
    let mut sets = Sets::default();
    for (key, value) in table {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("permitted", _) => sets.permitted = verdicts(value)?,
            ("required", _) => sets.required = required(value, table)?,
            ("groups", DeValue::Table(groups)) => {
                for (group, value) in groups {
                    sets.groups.push((group.get_ref().to_string(), verdicts(value)?));
                }
            }
            ("groups", _) => {
                return Err(Fault::new("expected a table of test groups", value.span()));
            }
            (name, _) => {
                let title = format!("unknown key `{name}` in a promise");
                return Err(unknown(&title, key, &SETS));
            }
        }
    }
    if sets == Sets::default() {
        return Err(Fault::new("expected permitted, required or groups", span));
    }
    Ok(sets)
}

/// What is required has to be permitted, in general or in a group.
fn required(value: &Spanned<DeValue<'_>>, table: &DeTable<'_>) -> Result<Vec<Verdict>, Fault> {
    let required = verdicts(value)?;
    if let Some(permitted) = table.get("permitted").filter(|_| table.get("groups").is_none()) {
        let permitted = verdicts(permitted)?;
        if let Some(never) = required.iter().find(|verdict| !permitted.contains(verdict)) {
            let message = format!("`{}` is required and not permitted", never.code());
            return Err(Fault::new(message, value.span()));
        }
    }
    Ok(required)
}

/// Verdicts that can be promised.
const PROMISES: [Verdict; 9] = [
    Verdict::Accepted,
    Verdict::WrongAnswer,
    Verdict::PresentationError,
    Verdict::PartlyCorrect,
    Verdict::TimeLimit,
    Verdict::MemoryLimit,
    Verdict::OutputLimit,
    Verdict::RuntimeError,
    Verdict::CompileError,
];

fn verdict(value: &Spanned<DeValue<'_>>) -> Result<Verdict, Fault> {
    checked(value, |text| {
        let found = PROMISES.iter().find(|verdict| verdict.code().eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = PROMISES.iter().map(|verdict| verdict.code()).collect();
            format!("expected one of {}, found `{text}`", known.join(", "))
        })
    })
}
