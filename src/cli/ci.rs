//! What CI services want beside the reports: where the repository is, annotations and a summary
//! for GitHub Actions, further files of a report that is too large for its readers.

use std::env;
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;

use super::error::print_note;
use super::options::{ReportFormat, ReportRequest};
use super::screen::in_github_actions;
use crate::atomic::AtomicFile;
use crate::grade::{Named, WhenLeft};
use crate::report::{
    Commands, GithubReporter, MARKDOWN_BYTES, MarkdownReporter, MoreFiles, Place, Reporter, Root,
    Timings, unmeasured,
};

/// Where GitHub Actions takes the summary of a step from.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Variables that name the root of the repository: of GitHub, GitLab and Jenkins.
const ROOTS: [&str; 3] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"];

/// Adds what GitHub Actions is told without being asked for: annotations, unless a report has them,
/// and the summary of the step. Between the start of the run and the annotations, nothing that is
/// printed is a command.
pub(super) fn add(reporters: &mut Vec<Named<'_>>, requests: &[ReportRequest], timings: Timings) {
    if !in_github_actions() {
        return;
    }
    reporters.extend(summary(timings));
    let token = format!("jury-{:016x}", RandomState::new().build_hasher().finish());
    let asked = |request: &ReportRequest| request.format == ReportFormat::Github;
    let printed = requests.iter().position(|request| asked(request) && request.is_stdout());
    let last = match printed.filter(|&position| position < reporters.len()) {
        Some(position) => Some(reporters.remove(position)),
        None if requests.iter().any(asked) => None,
        None => Some(annotations(requests, timings)),
    };
    reporters.push(named(Box::new(Commands::on(place(requests), &token))));
    reporters.extend(last);
    reporters.insert(0, named(Box::new(Commands::off(place(requests), &token))));
}

fn annotations<'a>(requests: &[ReportRequest], timings: Timings) -> Named<'a> {
    let annotations = Box::new(GithubReporter::new(place(requests), root()));
    named(unmeasured(annotations, timings))
}

fn named<'a>(reporter: Box<dyn Reporter + 'a>) -> Named<'a> {
    Named { name: "annotations".into(), when_left: WhenLeft::GoOn, reporter }
}

/// Standard output, unless another report goes there: commands count in the order of one stream.
fn place(requests: &[ReportRequest]) -> Box<dyn Place> {
    let other = |request: &ReportRequest| request.format != ReportFormat::Github;
    let taken = requests.iter().any(|request| request.is_stdout() && other(request));
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
    let reporter = unmeasured(Box::new(MarkdownReporter::new(file, timings, room)), timings);
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
        Ok(Some(Box::new(Part::create(&request.path, number)?) as Box<dyn Place>))
    })
}

/// One of the numbered files of a report. When it is there, those behind it that an earlier report
/// has left are removed: readers that take all of them would count old cases.
pub(super) struct Part {
    file: AtomicFile,
    first: PathBuf,
    number: usize,
}

impl Part {
    /// The file with this number of the report whose first file is `first`.
    pub(super) fn create(first: &Path, number: usize) -> io::Result<Self> {
        let path = if number == 1 { first.to_owned() } else { sibling(first, number) };
        Ok(Self { file: AtomicFile::create(&path)?, first: first.to_owned(), number })
    }
}

impl io::Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Place for Part {
    fn complete(&mut self) -> io::Result<()> {
        self.file.complete()?;
        let behind = (self.number + 1..).map(|number| sibling(&self.first, number));
        for path in behind.take_while(|path| is_ours(path)) {
            std::fs::remove_file(&path)?;
        }
        Ok(())
    }
}

/// Whether a file is a `JUnit` report of this program.
fn is_ours(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(OURS as u64).read_to_end(&mut head));
    read.is_ok() && head.contains_str("<testsuites name=\"jury\"")
}

/// Bytes at the beginning of a file that tell whose it is.
const OURS: usize = 200;

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
    fn files_that_a_longer_report_has_left_are_removed_but_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let old = "<?xml version=\"1.0\"?>\n<testsuites name=\"jury\" tests=\"1\"/>";
        for name in ["j-2.xml", "j-3.xml", "j-5.xml"] {
            std::fs::write(path(name), old).unwrap();
        }
        std::fs::write(path("j-4.xml"), "<testsuites name=\"other\"/>").unwrap();
        let mut part = Part::create(&path("j.xml"), 1).unwrap();
        io::Write::write_all(&mut part, old.as_bytes()).unwrap();
        part.complete().unwrap();
        let there = |name: &str| path(name).exists();
        assert!(there("j.xml") && there("j-4.xml") && there("j-5.xml"));
        assert!(!there("j-2.xml") && !there("j-3.xml"));
    }

    #[test]
    fn further_files_are_numbered_before_their_extension() {
        assert_eq!(sibling(Path::new("out/junit.xml"), 2), Path::new("out/junit-2.xml"));
        assert_eq!(sibling(Path::new("junit"), 3), Path::new("junit-3"));
    }
}
