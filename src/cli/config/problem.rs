//! The table `[problems]`: the solver of a problem, and how the problem is judged where it is not
//! judged as the others of its contest.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check::{self, CheckTable};
use super::{Config, Fault, compare, solver, unknown};

/// The keys of `[problems.NAME]`.
const KEYS: [&str; 4] = ["check", "compare", "interactor", "solver"];

/// How one problem is judged; what is absent is as for all.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct ProblemTable {
    check: Option<CheckTable>,
    interactor: Option<CheckTable>,
    compare: Option<String>,
}

/// Takes `name = "solver"` or `[problems.NAME]`.
pub(super) fn take(
    config: &mut Config,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        config.problems.insert(name.to_owned(), solver(value)?);
        return Ok(());
    };
    let mut own = ProblemTable::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "solver" => drop(config.problems.insert(name.to_owned(), solver(value)?)),
            "compare" => own.compare = Some(compare(value)?),
            "check" => own.check = Some(program(value, "check")?),
            "interactor" => own.interactor = Some(program(value, "interactor")?),
            other => {
                let title = format!("unknown key `{other}` in [problems.{name}]");
                return Err(unknown(&title, key, &KEYS));
            }
        }
    }
    if own.check.is_some() && own.compare.is_some() {
        let title = format!("[problems.{name}] has a checker program and a comparison");
        return Err(Fault::new(title, value.span()));
    }
    if table.keys().any(|key| key.get_ref() != "solver") {
        config.judged.insert(name.to_owned(), own);
    }
    Ok(())
}

/// A table as `[check]`, which names a program.
fn program(value: &Spanned<DeValue<'_>>, title: &str) -> Result<CheckTable, Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(Fault::new(format!("`{title}` is a table with a `program`"), value.span()));
    };
    let read = keys(table, title)?;
    if read.program.program.is_none() {
        return Err(Fault::new(format!("`{title}` needs a `program`"), value.span()));
    }
    Ok(read)
}

fn keys(table: &DeTable<'_>, title: &str) -> Result<CheckTable, Fault> {
    let mut read = CheckTable::default();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !check::KEYS.contains(&name) {
            return Err(unknown(&format!("unknown key `{name}` in `{title}`"), key, &check::KEYS));
        }
        check::take(&mut read, name, value)?;
    }
    Ok(read)
}

impl Config {
    /// What holds for a problem of its own table.
    pub(in crate::cli) fn of_problem(&self, name: &str) -> Self {
        let own = self.judged.get(name).cloned().unwrap_or_default();
        let usual = self.clone();
        // Only testlib's interactors leave something for a checker.
        let alone = own.interactor.as_ref().is_some_and(|interactor| {
            interactor.protocol.is_some_and(|protocol| protocol.name != "testlib")
        });
        let judged = own.check.is_some() || own.compare.is_some() || alone;
        let (check, compare) = if judged {
            (own.check.unwrap_or_default(), own.compare)
        } else {
            (usual.check, usual.compare)
        };
        let interactor = own.interactor.unwrap_or(usual.interactor);
        Self { check, interactor, compare, ..usual }
    }

    /// Every table that describes a program of the jury.
    pub(in crate::cli) fn jury_programs(&self) -> impl Iterator<Item = &CheckTable> {
        let own = self.judged.values().flat_map(|own| own.check.iter().chain(&own.interactor));
        [&self.check, &self.interactor].into_iter().chain(own)
    }
}
