//! The toolchain of a language that this machine has.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::tools::{self, Tool, Tools};
use crate::language::{Language, Toolchain};

/// A toolchain whose tools are all there.
#[derive(Debug, Clone)]
pub struct Installed {
    /// The toolchain.
    pub toolchain: Toolchain,
    /// Its tools by the names in the commands.
    pub tools: Vec<(String, Tool)>,
    /// What the version command printed, or nothing.
    pub version_text: String,
}

impl Installed {
    /// The line of the version command that names the version.
    #[must_use]
    pub fn version(&self) -> &str {
        tools::version_line(&self.version_text)
    }

    /// The compiler, or the interpreter where there is no compiler.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        let named = |name: &String| self.tool(name).map(|tool| tool.path.as_path());
        let version = self.toolchain.version.first().and_then(named);
        version.or_else(|| self.tools.first().map(|(_, tool)| tool.path.as_path()))
    }

    fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|(tool, _)| tool == name).map(|(_, tool)| tool)
    }

    /// The command with the absolute path of its program.
    pub(super) fn absolute(&self, command: &[String]) -> Vec<String> {
        let mut command = command.to_vec();
        if let Some(first) = command.first_mut()
            && let Some(tool) = self.tool(first)
        {
            *first = tool.path.display().to_string();
        }
        command
    }

    /// `tool:NAME` and `home:NAME`.
    pub(super) fn values(&self) -> Vec<(String, String)> {
        let mut values = Vec::new();
        for (name, tool) in &self.tools {
            values.push((format!("tool:{name}"), tool.path.display().to_string()));
            values.push((format!("home:{name}"), tool.home.display().to_string()));
        }
        values
    }

    /// What a process with these tools has to see besides the system's own folders.
    pub(super) fn visible(&self) -> Vec<PathBuf> {
        let mut visible: Vec<PathBuf> =
            self.tools.iter().flat_map(|(_, tool)| tools::roots(tool)).collect();
        visible.extend(tools::settings());
        visible.sort();
        visible.dedup();
        visible
    }

    /// The folders of the tools, then the system's.
    pub(super) fn search_path(&self) -> String {
        let mut path = String::new();
        for (_, tool) in &self.tools {
            let folder = tool.path.parent().unwrap_or(&tool.path).display().to_string();
            if !path.split(':').any(|part| part == folder) {
                let _ = write!(path, "{folder}:");
            }
        }
        path + "/usr/local/bin:/usr/bin:/bin"
    }
}

/// The first toolchain of a language whose tools are all there. `version` is asked for what a
/// version command prints.
///
/// # Errors
/// In words, `looked for g++, clang++`, when there is none.
pub fn find(
    language: &Language,
    tools: &mut Tools,
    version: impl Fn(&Path, &[String]) -> Option<String>,
) -> Result<Installed, String> {
    let mut missing: Vec<String> = Vec::new();
    for toolchain in &language.toolchains {
        let mut found: Vec<(String, Tool)> = Vec::new();
        let mut complete = true;
        for name in toolchain.tools() {
            match tools.find(name) {
                Ok(tool) if found.iter().all(|(other, _)| other != name) => {
                    found.push((name.to_owned(), tool));
                }
                Ok(_) => {}
                Err(fault) => {
                    complete = false;
                    if !missing.contains(&fault) {
                        missing.push(fault);
                    }
                }
            }
        }
        if complete {
            return Ok(installed(toolchain, found, version));
        }
    }
    Err(format!("looked for {}", missing.join(", ")))
}

fn installed(
    toolchain: &Toolchain,
    tools: Vec<(String, Tool)>,
    version: impl Fn(&Path, &[String]) -> Option<String>,
) -> Installed {
    let mut installed =
        Installed { toolchain: toolchain.clone(), tools, version_text: String::new() };
    let command = installed.absolute(&toolchain.version);
    if let Some((program, arguments)) = command.split_first() {
        installed.version_text = version(Path::new(program), arguments).unwrap_or_default();
    }
    installed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::User;
    use crate::language::{Languages, Override};

    #[test]
    fn a_language_without_tools_names_those_that_were_looked_for() {
        let mut languages = Languages::default();
        let words = |text: &str| Some(text.split(' ').map(str::to_owned).collect());
        let change = Override {
            compile: words("no-such-compiler {source}"),
            run: words("no-such-machine {binary}"),
            extensions: words("nsc"),
            ..Override::default()
        };
        languages.apply("nsc", &change).unwrap();
        let language = languages.find("nsc").unwrap();
        let fault = find(language, &mut Tools::new(User::Judge), |_, _| None).unwrap_err();
        assert_eq!(fault, "looked for no-such-compiler, no-such-machine");
    }

    #[test]
    fn commands_get_the_absolute_paths_of_their_tools() {
        let languages = Languages::default();
        let bash = languages.find("bash").unwrap();
        let told = |path: &Path, _: &[String]| Some(format!("{} 5.0", path.display()));
        let installed = find(bash, &mut Tools::new(User::Judge), told).unwrap();
        let command = installed.absolute(&["bash".to_owned(), "-n".to_owned()]);
        assert!(command[0].starts_with('/') && command[0].ends_with("/bash"), "{command:?}");
        assert!(installed.version().ends_with("/bash 5.0"));
    }
}
