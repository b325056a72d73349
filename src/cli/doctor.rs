//! `jury doctor`: which languages are installed, what the sandbox can do here, and what of the
//! machine disturbs measurements.

use std::io::{self, Write};
use std::ops::ControlFlow;

use serde::Serialize;

use super::Exit;
use super::args::{Arguments, DoctorOptions, ListFormat};
use super::{config, options};
use crate::compile::{Tools, User, find, version_of};
use crate::language::Language;
use crate::pool::{self, Event};
use crate::report::Look;
use crate::sandbox::{CgroupKind, Layer, Level, LevelReport, Options, Sandbox};

use environment::Check;

mod environment;

/// Runs the command.
pub(super) fn doctor(options: &DoctorOptions, arguments: &Arguments) -> anyhow::Result<Exit> {
    let config = config::load(arguments)?;
    let cgroup = options.cgroup.as_ref().or(config.cgroup.as_ref()).cloned().unwrap_or_default();
    let sandbox = Sandbox::open(Level::Auto, 1, &Options { cgroup, ..Options::default() });
    let report = sandbox.as_ref().map(Sandbox::report);
    let found = Findings {
        schema: "jury-doctor/1",
        version: env!("CARGO_PKG_VERSION"),
        sandbox: Protection::new(report.map_err(ToString::to_string)),
        languages: languages(config.languages.all(), report.ok())?,
        environment: environment::checks(),
    };
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    match options.format {
        ListFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &found).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        ListFormat::Text => found.print(&mut out, arguments.display.look())?,
    }
    out.flush()?;
    Ok(if found.sandbox.level == "nothing" { Exit::Failure } else { Exit::Success })
}

/// All that was found.
#[derive(Debug, Serialize)]
struct Findings {
    schema: &'static str,
    version: &'static str,
    sandbox: Protection,
    languages: Vec<Row>,
    environment: Vec<Check>,
}

/// What the sandbox can do here.
#[derive(Debug, Serialize)]
struct Protection {
    level: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<u32>,
    layers: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// One layer of the sandbox.
#[derive(Debug, Serialize)]
struct Part {
    name: &'static str,
    in_force: bool,
    /// Which one it is, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Why it is missing, or what it lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What it gives, or what its absence means.
    meaning: &'static str,
}

impl Protection {
    fn new(report: Result<&LevelReport, String>) -> Self {
        match report {
            Ok(report) => Self {
                level: report.short(),
                user: report.user,
                layers: Layer::ALL.iter().map(|&layer| Part::new(layer, report)).collect(),
                fault: None,
            },
            Err(fault) => Self {
                level: "nothing".to_owned(),
                user: None,
                layers: Vec::new(),
                fault: Some(fault),
            },
        }
    }
}

impl Part {
    fn new(layer: Layer, report: &LevelReport) -> Self {
        let in_force = report.layers.has(layer);
        let missing = report.missing.iter().filter(|missing| missing.layer == layer);
        let reasons: Vec<&str> = missing.map(|missing| missing.reason.as_str()).collect();
        let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
        let reason = reason.or_else(|| (!in_force).then(|| "not there".to_owned()));
        let (with, without) = meaning(layer, report.cgroup);
        let meaning = if in_force { with } else { without };
        Self { name: layer.name(), in_force, version: version(layer, report), reason, meaning }
    }
}

/// Which landlock and which control groups there are.
fn version(layer: Layer, report: &LevelReport) -> Option<String> {
    let text = match (layer, report.cgroup) {
        (Layer::Landlock, _) => return report.landlock.map(|number| format!("version {number}")),
        (Layer::Cgroup, CgroupKind::V2) => "version 2",
        (Layer::Cgroup, CgroupKind::V2Bare) => "version 2 without controllers",
        (Layer::Cgroup, CgroupKind::V1) => "version 1",
        _ => return None,
    };
    Some(text.to_owned())
}

/// What a layer gives, and what its absence means.
fn meaning(layer: Layer, cgroup: CgroupKind) -> (&'static str, &'static str) {
    match layer {
        Layer::Seccomp => (
            "processes, network and the kernel's side doors are closed",
            "submissions may start processes, use the network and leave some behind",
        ),
        Layer::Landlock => (
            "files outside the working folder cannot be opened",
            "submissions may read what their user may, answers included",
        ),
        Layer::Namespaces => (
            "nothing outside is visible, and ending a run ends all of it",
            "submissions see files and processes of others; a run of several processes may escape \
             its end",
        ),
        Layer::Cgroup => (
            if cgroup == CgroupKind::V2Bare {
                "CPU time is that of the whole run, and ending a run ends all of it"
            } else {
                "memory, CPU time and number of processes are those of the whole run"
            },
            "memory is that of the biggest process, or a sum looked at now and then; short-lived \
             children may be missed",
        ),
    }
}

/// One language.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    title: String,
    installed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Asks all languages at once: some version commands take a second.
fn languages(languages: &[Language], report: Option<&LevelReport>) -> anyhow::Result<Vec<Row>> {
    let user = report.map_or(User::Judge, User::of);
    let mut rows: Vec<Option<Row>> = languages.iter().map(|_| None).collect();
    let ask = |language: &Language| (row(language, user), ControlFlow::Continue(()));
    pool::run(languages, options::cores(), ask, |event| {
        if let Event::Done(index, row) = event {
            rows[index] = Some(row);
        }
        ControlFlow::Continue(())
    })?;
    Ok(rows.into_iter().flatten().collect())
}

fn row(language: &Language, user: User) -> Row {
    let found = find(language, &mut Tools::new(user), version_of);
    let (name, title) = (language.name.clone(), language.title.clone());
    let row =
        Row { name, title, installed: found.is_ok(), version: None, path: None, reason: None };
    match found {
        Ok(installed) => Row {
            version: Some(installed.version().to_owned()),
            path: installed.path().map(|path| path.display().to_string()),
            ..row
        },
        Err(reason) => Row { reason: Some(reason), ..row },
    }
}

impl Findings {
    fn print(&self, out: &mut impl Write, look: Look) -> io::Result<()> {
        self.sandbox.print(out, look)?;
        writeln!(out, "\nlanguages")?;
        let width = self.languages.iter().map(|row| row.title.chars().count()).max();
        let width = width.unwrap_or_default();
        for row in &self.languages {
            let title = look.name(&row.title);
            match (&row.version, &row.reason) {
                (Some(version), _) => {
                    let path = row.path.as_deref().unwrap_or_default();
                    let version = look.name(version);
                    writeln!(out, "  {title:width$}  {version}  {}", look.name(path))?;
                }
                (None, reason) => {
                    let reason = look.name(reason.as_deref().unwrap_or_default());
                    writeln!(out, "  {title:width$}  not installed: {reason}")?;
                }
            }
        }
        let installed = self.languages.iter().filter(|row| row.installed).count();
        writeln!(out, "  {installed} of {} installed", self.languages.len())?;
        writeln!(out, "\nenvironment")?;
        self.environment.iter().try_for_each(|check| check.print(out, look))
    }
}

impl Protection {
    fn print(&self, out: &mut impl Write, look: Look) -> io::Result<()> {
        writeln!(out, "sandbox: {}", self.level)?;
        if let Some(fault) = &self.fault {
            writeln!(out, "  cannot run anything: {}", look.name(fault))?;
        }
        for part in &self.layers {
            let word = if part.in_force { "yes" } else { "no" };
            let version = part.version.as_ref().map(|version| format!("{version}: "));
            let version = version.unwrap_or_default();
            writeln!(out, "  {:10}  {word:3}  {version}{}", part.name, part.meaning)?;
            if let Some(reason) = &part.reason {
                let word = if part.in_force { "but" } else { "because" };
                writeln!(out, "  {:10}       {word}: {}", "", look.name(reason))?;
            }
        }
        if let Some(user) = self.user {
            writeln!(out, "  submissions run as user {user} and above, never as root")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_that_does_not_open_is_told_and_named() {
        let protection = Protection::new(Err("no place for working folders".to_owned()));
        let mut out = Vec::new();
        let look = Look { charset: crate::report::Charset::Ascii };
        protection.print(&mut out, look).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "sandbox: nothing\n  cannot run anything: no place for working folders\n");
    }

    #[test]
    fn every_layer_says_what_it_gives_and_what_its_absence_means() {
        for layer in Layer::ALL {
            for kind in [CgroupKind::V1, CgroupKind::V2Bare] {
                let (with, without) = meaning(layer, kind);
                assert!(!with.is_empty() && !without.is_empty() && with != without);
            }
        }
    }
}
