//! This machine, as far as times hang on it, and the commit of the project.

use std::fs;
use std::path::{Path, PathBuf};

use crate::execute::calibrate;
use crate::model::Machine;

/// What the system tells of the machine.
pub(super) fn machine() -> Machine {
    let cpu = Path::new("/sys/devices/system/cpu");
    Machine {
        kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
        governor: word(&cpu.join("cpu0/cpufreq/scaling_governor")).unwrap_or_default(),
        turbo: turbo(cpu),
        memory_bytes: fs::read_to_string("/proc/meminfo").ok().and_then(|text| memory(&text)),
        calibration: None,
    }
}

/// The same with how fast it is: about 50 ms of work.
pub(super) fn calibrated(machine: Machine) -> Machine {
    Machine { calibration: Some(calibrate()), ..machine }
}

fn turbo(cpu: &Path) -> Option<bool> {
    let intel = word(&cpu.join("intel_pstate/no_turbo")).map(|off| off == "0");
    intel.or_else(|| word(&cpu.join("cpufreq/boost")).map(|on| on == "1"))
}

fn word(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// From `/proc/meminfo`.
fn memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Variables in which CI services tell the commit.
const COMMIT: [&str; 3] = ["GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"];

/// The commit of the project in the working folder; empty where it is not known.
pub(super) fn commit() -> String {
    let told = COMMIT.iter().find_map(|name| std::env::var(name).ok().and_then(|id| hash(&id)));
    let found = || {
        let folder = std::env::current_dir().ok()?;
        commit_of(folder.ancestors().find_map(|folder| git(&folder.join(".git")))?.as_path())
    };
    told.or_else(found).unwrap_or_default()
}

/// The folder of a repository: `.git` itself, or the one that it names.
fn git(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.to_owned());
    }
    let text = fs::read_to_string(path).ok()?;
    Some(path.parent()?.join(text.strip_prefix("gitdir:")?.trim()))
}

/// What HEAD stands at.
fn commit_of(git: &Path) -> Option<String> {
    let head = word(&git.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref: ") else { return hash(&head) };
    // A further work tree shares the names of the first one.
    let common = word(&git.join("commondir")).map(|common| git.join(common));
    [Some(git.to_owned()), common].into_iter().flatten().find_map(|folder| {
        let loose = word(&folder.join(name)).and_then(|id| hash(&id));
        loose.or_else(|| packed(&fs::read_to_string(folder.join("packed-refs")).ok()?, name))
    })
}

fn packed(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| hash(line.strip_suffix(name)?.strip_suffix(' ')?))
}

/// A hash of 40 or 64 hexadecimal digits.
fn hash(text: &str) -> Option<String> {
    let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    whole.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn the_commit_is_found_in_every_kind_of_repository() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let of = |path: &str| git(&folder.path().join(path)).and_then(|git| commit_of(&git));
        write("detached/.git/HEAD", &format!("{ID}\n"));
        write("loose/.git/HEAD", "ref: refs/heads/main\n");
        write("loose/.git/refs/heads/main", &format!("{ID}\n"));
        write("packed/.git/HEAD", "ref: refs/heads/a/b\n");
        write("packed/.git/packed-refs", &format!("# pack-refs\n{ID} refs/heads/a/b\n^{ID}\n"));
        write("tree/.git", "gitdir: ../loose/.git/worktrees/tree\n");
        write("loose/.git/worktrees/tree/HEAD", "ref: refs/heads/main\n");
        write("loose/.git/worktrees/tree/commondir", "../..\n");
        write("new/.git/HEAD", "ref: refs/heads/main\n");
        for kind in ["detached", "loose", "packed", "tree"] {
            assert_eq!(of(&format!("{kind}/.git")).as_deref(), Some(ID), "{kind}");
        }
        assert_eq!(of("new/.git"), None);
        assert_eq!(of("none/.git"), None);
        assert_eq!(hash("main"), None);
    }

    #[test]
    fn the_memory_is_told_in_bytes() {
        assert_eq!(memory("MemTotal:        8000 kB\nMemFree: 1 kB\n"), Some(8_192_000));
        assert_eq!(memory("MemTotal: many\n"), None);
    }
}
