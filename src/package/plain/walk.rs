//! The files of a folder, in natural order.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::model::{Finding, FindingKind, Severity, TestCase};

/// A file, with its path below the folder that was walked.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// How many folders below the root of the walk it lies; at least 1.
    depth: usize,
}

impl Found {
    /// The path below the root.
    pub(super) fn relative(&self) -> &Path {
        let mut components = self.path.components();
        let above = components.clone().count().saturating_sub(self.depth);
        components.by_ref().take(above).for_each(drop);
        components.as_path()
    }

    /// The folder below the root; empty for a file in the root itself.
    pub(super) fn folder(&self) -> &Path {
        self.relative().parent().unwrap_or(Path::new(""))
    }
}

/// All regular files below `root`, links to files among them; what is passed over for a reason
/// that the user should know is a finding. Folder links are not entered, so no walk is endless.
pub(super) fn files(root: &Path, findings: &mut Vec<Finding>) -> Vec<Found> {
    let mut files = Vec::new();
    let entries = WalkDir::new(root)
        .follow_root_links(true)
        .sort_by(|a, b| natural(Path::new(a.file_name()), Path::new(b.file_name())))
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !is_litter(entry) && !is_companion(entry));
    for entry in entries {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => match regular(&entry) {
                Ok(()) => files.push(Found { depth: entry.depth(), path: entry.into_path() }),
                Err(finding) => findings.push(finding),
            },
            Err(error) => findings.push(unreadable(root, &error)),
        }
    }
    files
}

/// Natural order of paths (2 before 10), a total order.
pub(in crate::package) fn natural(a: &Path, b: &Path) -> Ordering {
    alphanumeric_sort::compare_path(a, b).then_with(|| a.cmp(b))
}

/// Files that systems and editors leave behind.
fn is_litter(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    name.starts_with('.')
        || name.ends_with('~')
        || name == "__MACOSX"
        || (name.starts_with('#') && name.ends_with('#'))
}

/// Whether it is the arguments or the further files of a case.
fn is_companion(entry: &DirEntry) -> bool {
    TestCase::inputs_of(entry.path()).iter().any(|input| input.is_file())
}

fn regular(entry: &DirEntry) -> Result<(), Finding> {
    if entry.file_type().is_file() {
        return Ok(());
    }
    let finding = |kind, severity, message: &str| Finding {
        kind,
        severity,
        path: entry.path().to_owned(),
        case: None,
        message: message.to_owned(),
        hint: Some("replace it by a regular file, or remove it".into()),
    };
    match entry.path().metadata() {
        Ok(data) if data.is_file() => Ok(()),
        Ok(data) if data.is_dir() => Err(finding(
            FindingKind::Ignored,
            Severity::Warning,
            "a link to a folder is not entered",
        )),
        Ok(_) => Err(finding(FindingKind::Ignored, Severity::Warning, "not a regular file")),
        Err(_) => {
            Err(finding(FindingKind::Unreadable, Severity::Error, "a link that leads nowhere"))
        }
    }
}

fn unreadable(root: &Path, error: &walkdir::Error) -> Finding {
    Finding {
        kind: FindingKind::Unreadable,
        severity: Severity::Error,
        path: error.path().unwrap_or(root).to_owned(),
        case: None,
        message: error.io_error().map_or_else(|| error.to_string(), ToString::to_string),
        hint: Some("check its permissions".into()),
    }
}
