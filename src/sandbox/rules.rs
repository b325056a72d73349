//! Landlock: which files may be read and written, no TCP, no signals to others.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::namespaces::{DEVICES, SYSTEM};
use super::work::FOLDERS;

/// The newest version whose rights are known here; older kernels enforce what they know.
const KNOWN: ABI = ABI::V7;

/// Puts this process and all that it starts inside the rules. In a root folder of its own
/// everything there may be read; else the system's folders and the visible paths. Only the folders of a
/// run, inside `home`, may be written to. The answer is the version that the system has.
pub(super) fn enter(own_root: bool, visible: &[PathBuf], home: &Path) -> io::Result<u32> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(KNOWN)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(KNOWN)))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    let mut readable: Vec<PathBuf> = Vec::new();
    if own_root {
        readable.push("/".into());
    } else {
        readable.extend(SYSTEM.iter().chain(&["/proc", "/etc/passwd"]).map(PathBuf::from));
        readable.extend(visible.iter().cloned());
    }
    let mut rules = Vec::new();
    for path in readable {
        rules.push((path, AccessFs::from_read(KNOWN)));
    }
    for (name, _) in FOLDERS {
        rules.push((home.join(name), AccessFs::from_all(KNOWN)));
    }
    for device in DEVICES {
        let access = AccessFs::ReadFile | AccessFs::WriteFile;
        rules.push((Path::new("/dev").join(device), access));
    }
    let mut created = ruleset;
    for (path, access) in rules {
        // What is not there needs no rule.
        let Ok(file) = PathFd::new(&path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
        created = created.add_rule(PathBeneath::new(file, access)).map_err(io::Error::other)?;
    }
    let status = created.restrict_self().map_err(io::Error::other)?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(io::Error::other("not in this kernel, or switched off"));
    }
    Ok(match status.landlock {
        LandlockStatus::Available { effective_abi, kernel_abi } => {
            kernel_abi.unwrap_or(effective_abi as i32).unsigned_abs()
        }
        _ => 0,
    })
}

/// What a version does not know of what is wanted here.
pub(super) fn lacks(version: u32) -> Option<String> {
    let parts = [
        (2, "moves of files"),
        (3, "truncation of files"),
        (4, "rules for TCP"),
        (5, "requests to devices"),
        (6, "signals to others"),
    ];
    let newer: Vec<&str> =
        parts.into_iter().filter(|&(since, _)| version < since).map(|(_, part)| part).collect();
    (!newer.is_empty()).then(|| format!("version {version} knows no {}", newer.join(", no ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_version_says_what_it_does_not_know() {
        assert_eq!(lacks(7), None);
        assert_eq!(lacks(6), None);
        assert_eq!(lacks(5).unwrap(), "version 5 knows no signals to others");
        let old = lacks(2).unwrap();
        assert!(old.contains("version 2") && old.contains("no rules for TCP"), "{old}");
        assert!(!old.contains("moves"), "{old}");
    }
}
