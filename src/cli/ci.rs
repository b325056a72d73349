//! What CI services want beside the reports: where the repository is, annotations and a summary
//! for GitHub Actions, further files of a report that is too large for its readers.

use std::env;
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::error::print_note;
use super::options::{ReportFormat, ReportRequest};
use super::screen::in_github_actions;
use crate::atomic::AtomicFile;
use crate::grade::{Named, WhenLeft};
use crate::report::{
    CommandsOff, GithubReporter, MARKDOWN_BYTES, MarkdownReporter, MoreFiles, Place, Reporter,
    Root, Timings,
};

/// Where GitHub Actions takes the summary of a step from.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Variables that name the root of the repository: of GitHub, GitLab and Jenkins.
const ROOTS: [&str; 3] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"];

/// Adds what GitHub Actions is told without being asked for: annotations, and the summary of the
/// step. Between the start of the run and the annotations, nothing that is printed is a command.
pub(super) fn add(reporters: &mut Vec<Named<'_>>, requests: &[ReportRequest], timings: Timings) {
    if !in_github_actions() {
        return;
    }
    reporters.extend(summary(timings));
    if requests.iter().any(|request| request.format == ReportFormat::Github) {
        return;
    }
    let token = format!("jury-{:016x}", RandomState::new().build_hasher().finish());
    let annotations = GithubReporter::new(place(requests), root()).resuming(&token);
    reporters.push(named(Box::new(annotations)));
    reporters.insert(0, named(Box::new(CommandsOff::new(place(requests), token))));
}

fn named<'a>(reporter: Box<dyn Reporter + 'a>) -> Named<'a> {
    Named { name: "annotations".into(), when_left: WhenLeft::GoOn, reporter }
}

/// Standard output, unless a report goes there.
fn place(requests: &[ReportRequest]) -> Box<dyn Place> {
    let taken = requests.iter().any(ReportRequest::is_stdout);
    if taken { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
}

/// The summary is added to what the step has written already, as far as GitHub takes it.
fn summary<'a>(timings: Timings) -> Option<Named<'a>> {
    let path = PathBuf::from(env::var_os(SUMMARY).filter(|path| !path.is_empty())?);
    let file = File::options().append(true).create(true).open(&path);
    let file = match file {
        Ok(file) => file,
        Err(error) => {
            print_note(&format!("no step summary: cannot write {}: {error}", path.display()));
            return None;
        }
    };
    let written = file.metadata().map_or(0, |data| data.len());
    let room = MARKDOWN_BYTES.saturating_sub(usize::try_from(written).unwrap_or(usize::MAX));
    let reporter = Box::new(MarkdownReporter::new(file, timings, room));
    Some(Named { name: SUMMARY.into(), when_left: WhenLeft::Lost, reporter })
}

/// The root of the repository: as the CI service names it, or the nearest folder with `.git`.
pub(super) fn root() -> Root {
    let here = env::current_dir().unwrap_or_default();
    let named = ROOTS.iter().find_map(|name| env::var_os(name).filter(|path| !path.is_empty()));
    let named = named.map(PathBuf::from).filter(|root| here.starts_with(root));
    let nearest = || here.ancestors().find(|folder| folder.join(".git").exists());
    let root = named.or_else(|| nearest().map(Path::to_owned)).unwrap_or_else(|| here.clone());
    Root { root, here }
}

/// `junit-2.xml` and so on beside the file of the request; nothing beside standard output.
pub(super) fn more_files<'a>(request: &ReportRequest) -> MoreFiles<'a> {
    let request = request.clone();
    Box::new(move |number| {
        if request.is_stdout() {
            return Ok(None);
        }
        let path = sibling(&request.path, number);
        print_note(&format!(
            "{} would be too large for its readers: it goes on in {}",
            request.path.display(),
            path.display()
        ));
        Ok(Some(Box::new(AtomicFile::create(&path)?) as Box<dyn Place>))
    })
}

fn sibling(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| extension.to_string_lossy());
    let end = extension.map_or_else(String::new, |extension| format!(".{extension}"));
    path.with_file_name(format!("{stem}-{number}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_files_are_numbered_before_their_extension() {
        assert_eq!(sibling(Path::new("out/junit.xml"), 2), Path::new("out/junit-2.xml"));
        assert_eq!(sibling(Path::new("junit"), 3), Path::new("junit-3"));
    }
}
