//! Which tools are installed, where they really are, and of what version.
//!
//! These are the judge's own tools, found on its own `PATH` and asked by its own hand; nothing of
//! a submission takes part.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// A tool that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The absolute path by which it is started.
    pub path: PathBuf,
    /// The folder above its `bin` folder, links followed.
    pub home: PathBuf,
}

/// Who will use the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// The user of the judge, or one that sees the tools wherever they are.
    Judge,
    /// Another user, who can enter only folders that are open to everybody.
    Other,
}

/// Finds tools and remembers them.
#[derive(Debug)]
pub struct Tools {
    user: User,
    path: Vec<PathBuf>,
    found: BTreeMap<String, Result<Tool, String>>,
}

/// Tools that can tell where the real one is, when what is on `PATH` only hands on to it.
const ASK: [(&str, &[&str], &str); 8] = [
    ("python3", &["-c", "import sys; print(sys.executable)"], ""),
    ("pypy3", &["-c", "import sys; print(sys.executable)"], ""),
    ("ruby", &["-e", "puts RbConfig.ruby"], ""),
    ("node", &["-p", "process.execPath"], ""),
    ("perl", &["-e", "print $^X"], ""),
    ("php", &["-r", "echo PHP_BINARY;"], ""),
    ("rustc", &["--print", "sysroot"], "bin/rustc"),
    ("go", &["env", "GOROOT"], "bin/go"),
];

impl Tools {
    /// For this user, on the process's `PATH`.
    #[must_use]
    pub fn new(user: User) -> Self {
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        Self { user, path, found: BTreeMap::new() }
    }

    /// The tool of this name or absolute path.
    ///
    /// # Errors
    /// In words, when there is none that the user can start.
    pub fn find(&mut self, name: &str) -> Result<Tool, String> {
        if let Some(found) = self.found.get(name) {
            return found.clone();
        }
        let found = self.look(name);
        self.found.insert(name.to_owned(), found.clone());
        found
    }

    fn look(&self, name: &str) -> Result<Tool, String> {
        let candidates: Vec<PathBuf> = if name.contains('/') {
            vec![PathBuf::from(name)]
        } else {
            self.path.iter().map(|folder| folder.join(name)).collect()
        };
        let mut closed = None;
        for candidate in candidates.into_iter().filter(|path| is_program(path)) {
            let Some(path) = real(name, &candidate) else { continue };
            if self.user == User::Other && !is_open(&path) {
                closed.get_or_insert(path);
                continue;
            }
            let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            return Ok(Tool { home: home(&target), path });
        }
        Err(match closed {
            None => name.to_owned(),
            Some(path) => {
                format!("{name}, which is only where other users cannot go: {}", path.display())
            }
        })
    }
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Whether everybody may start a program, all links followed.
fn is_open(path: &Path) -> bool {
    let Ok(target) = fs::canonicalize(path) else { return false };
    let enters = |folder: &Path| {
        fs::metadata(folder).is_ok_and(|data| data.permissions().mode() & 0o001 != 0)
    };
    path.ancestors().chain(target.ancestors()).all(enters)
}

/// The program that is really started: a script or a multiplexer on `PATH` is asked.
fn real(name: &str, path: &Path) -> Option<PathBuf> {
    let Some((_, arguments, below)) = ASK.iter().find(|(tool, ..)| *tool == name) else {
        return Some(path.to_owned());
    };
    let target = fs::canonicalize(path).ok()?;
    let stem = target.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if is_elf(&target) && !matches!(stem, "rustup" | "rustup-init" | "volta-shim" | "mise") {
        return Some(path.to_owned());
    }
    let said = ask(path, arguments)?;
    let said = PathBuf::from(said.lines().next()?.trim());
    let told = if below.is_empty() { said } else { said.join(below) };
    (told.is_absolute() && is_program(&told)).then_some(told)
}

fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"\x7fELF"
}

/// What an installed tool prints, if it ends well and in time.
#[expect(clippy::disallowed_methods, reason = "an installed tool tells its place or version")]
fn ask(tool: &Path, arguments: &[&str]) -> Option<String> {
    let (mut stdout, mut stderr) = (tempfile::tempfile().ok()?, tempfile::tempfile().ok()?);
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(File::open("/dev/null").ok()?)
        .stdout(stdout.try_clone().ok()?)
        .stderr(stderr.try_clone().ok()?)
        .process_group(0)
        .spawn()
        .ok()?;
    let ended = wait(&mut child);
    // What a tool leaves running would hold its files and this machine.
    if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    if ended.is_none() {
        let _ = child.wait();
    }
    let status = ended?;
    let mut text = read(&mut stdout)?;
    if text.trim_ascii().is_empty() {
        text = read(&mut stderr)?;
    }
    status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}

/// How long a tool may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes of an answer that are read.
const ANSWER: u64 = 64 << 10;

/// Waits for the end, but not for ever.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    while started.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => sleep(pause),
            Err(_) => return None,
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    None
}

fn read(file: &mut File) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    file.rewind().ok()?;
    file.take(ANSWER).read_to_end(&mut text).ok()?;
    Some(text)
}

/// What a version command prints, if it ends well.
#[must_use]
pub fn version_of(tool: &Path, arguments: &[String]) -> Option<String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    ask(tool, &arguments)
}

/// The line of a version text that names the version.
#[must_use]
pub(super) fn version_line(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_noise = |line: &&str| line.contains("warning") || line.starts_with("Picked up");
    let has_digit = |line: &&str| line.contains(|c: char| c.is_ascii_digit());
    let found = lines().filter(|line| !is_noise(line)).find(has_digit);
    found.or_else(|| lines().next()).unwrap_or_default()
}

/// A tool's path, size and time of change: while they stay, so does its version.
pub(super) fn stamp(path: &Path) -> String {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let data = fs::metadata(&target);
    let data = data.map(|data| (data.len(), data.mtime(), data.mtime_nsec(), data.ino()));
    format!("{} {} {data:?}", path.display(), target.display())
}

fn home(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(path);
    match folder.parent() {
        Some(above) if folder.file_name().is_some_and(|name| name == "bin") => above.to_owned(),
        _ => folder.to_owned(),
    }
}

/// Folders that every run sees without being told.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"];

/// Beginnings of names in `/etc` that compilers and interpreters read.
const ETC: [&str; 14] = [
    "alternatives",
    "fpc",
    "ghc",
    "gnucobol",
    "java",
    "ld.so",
    "ldc2",
    "lua",
    "mono",
    "perl",
    "php",
    "python",
    "ruby",
    "R",
];

/// The folders outside the system's own ones that a tool needs.
pub(super) fn roots(tool: &Tool) -> Vec<PathBuf> {
    let mut roots = vec![home(&tool.path), tool.home.clone()];
    roots.retain(|root| !SYSTEM.iter().any(|system| root.starts_with(system)));
    roots.dedup();
    roots
}

/// Folders outside the system's own that distributions keep parts of tools in.
const ELSEWHERE: [&str; 1] = ["/var/lib/ghc"];

/// What of `/etc` and of other places a tool may need.
pub(super) fn settings() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let wanted = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        ETC.iter().any(|start| name.starts_with(start) && (name.len() > 1 || *start == name))
    };
    let mut settings: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(wanted).collect();
    settings.extend(ELSEWHERE.iter().map(PathBuf::from).filter(|path| path.is_dir()));
    settings.sort();
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_with_the_number_is_the_version() {
        assert_eq!(version_line("\ng++ (Debian) 12.2.0\nCopyright"), "g++ (Debian) 12.2.0");
        assert_eq!(version_line("VM warning: 13\ninfo: kotlinc 1.3"), "info: kotlinc 1.3");
        assert_eq!(version_line("tool"), "tool");
        assert_eq!(version_line(""), "");
    }

    #[test]
    fn a_script_before_the_real_tool_is_asked_where_that_is() {
        let folder = tempfile::tempdir().unwrap();
        let (shim, tool) = (folder.path().join("ruby"), folder.path().join("real-ruby"));
        let write = |path: &Path, text: String| {
            fs::write(path, text).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        };
        write(&tool, "#!/bin/sh\n".to_owned());
        write(&shim, format!("#!/bin/sh\necho {}\n", tool.display()));
        assert_eq!(real("ruby", &shim), Some(tool));
        write(&shim, "#!/bin/sh\nexit 1\n".to_owned());
        assert_eq!(real("ruby", &shim), None);
        assert_eq!(real("other", &shim), Some(shim));
    }

    #[test]
    fn a_tool_in_a_closed_folder_is_none_for_another_user() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let tool = folder.path().join("tool");
        fs::write(&tool, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
        let name = tool.to_str().unwrap();
        assert!(Tools::new(User::Judge).find(name).is_ok());
        let fault = Tools::new(User::Other).find(name).unwrap_err();
        assert!(fault.contains("where other users cannot go"), "{fault}");
        assert_eq!(Tools::new(User::Judge).find("no-such-tool").unwrap_err(), "no-such-tool");
    }

    #[test]
    fn the_home_of_a_tool_is_above_its_bin_folder() {
        assert_eq!(home(Path::new("/opt/go/bin/go")), Path::new("/opt/go"));
        assert_eq!(home(Path::new("/opt/tool/run")), Path::new("/opt/tool"));
        let tool = Tool { path: "/usr/bin/x".into(), home: "/opt/x".into() };
        assert_eq!(roots(&tool), [Path::new("/opt/x")]);
    }
}
