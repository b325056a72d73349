//! `JUnit` XML as Jenkins, GitLab and others read it: one `testsuite` for each problem and
//! submission. What would be too large for its readers goes on in further files.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::time::Duration;

use quick_junit::{
    NonSuccessKind, Property, Report as Xml, TestCase, TestCaseStatus, TestSuite, XmlString,
};

use super::excerpt::escape;
use super::fault::{BLOCK, Fault, Root, bounded, is_fault, name, what};
use super::record::nanoseconds;
use super::text::Look;
use super::{Place, Reporter, Timings};
use crate::model::{CaseResult, Plan, Report, Run, Status, Times, Verdict};

/// Opens the file with this number, from 2; none where everything has to go to one place.
pub type MoreFiles<'a> = Box<dyn FnMut(usize) -> io::Result<Option<Box<dyn Place>>> + 'a>;

/// What one file may hold.
#[derive(Debug, Clone, Copy)]
struct Room {
    bytes: usize,
    nodes: usize,
}

/// Below the limits of the readers, 25 MB and 200,000 nodes, with room for what is only estimated.
const ROOM: Room = Room { bytes: 24_000_000, nodes: 190_000 };

/// Writes one file, or several.
pub struct JunitReporter<'a> {
    place: Box<dyn Place + 'a>,
    more: MoreFiles<'a>,
    files: usize,
    room: Room,
    used: Room,
    timings: Timings,
    root: Root,
    run: Run,
    xml: Xml,
    /// The suite that is being filled, and its submission.
    suite: Option<(usize, TestSuite)>,
    /// Hashes of class name and name, each there once.
    names: HashSet<u64>,
}

impl<'a> JunitReporter<'a> {
    /// Writes to `place`, and to what `more` opens when that is full.
    #[must_use]
    pub fn new(
        place: Box<dyn Place + 'a>,
        more: MoreFiles<'a>,
        root: Root,
        timings: Timings,
    ) -> Self {
        Self {
            place,
            more,
            files: 1,
            room: ROOM,
            used: NOTHING,
            timings,
            root,
            run: Run::default(),
            xml: Xml::new("jury"),
            suite: None,
            names: HashSet::new(),
        }
    }

    /// Adds a case to the suite of its class, in a new file where this one is full.
    fn add(&mut self, class: &str, suite: usize, mut case: TestCase) -> io::Result<()> {
        case.set_classname(class);
        case.name = self.unique(class, &case.name);
        let size = size(&case);
        if self.used.with(size).exceeds(self.room) {
            self.next_file()?;
        }
        self.used = self.used.with(size);
        if self.suite.as_ref().is_none_or(|(open, _)| *open != suite) {
            self.close_suite();
        }
        let (run, timings) = (&self.run, self.timings);
        let (_, open) = self.suite.get_or_insert_with(|| (suite, new_suite(run, class, timings)));
        let time = case.time.unwrap_or_default();
        open.time = open.time.map(|sum| sum.saturating_add(time));
        open.add_test_case(case);
        Ok(())
    }

    /// The name, with a number behind it where the same class has it already.
    fn unique(&mut self, class: &str, name: &XmlString) -> XmlString {
        let mut unique = name.clone();
        let mut number = 1;
        while !self.names.insert(hash(class, unique.as_str())) {
            number += 1;
            unique = format!("{} ({number})", name.as_str()).into();
        }
        unique
    }

    /// Completes this file and starts the next one, where there may be one.
    fn next_file(&mut self) -> io::Result<()> {
        if self.used.nodes == 0 {
            return Ok(());
        }
        self.used = NOTHING;
        match (self.more)(self.files + 1)? {
            None => self.room = Room { bytes: usize::MAX, nodes: usize::MAX },
            Some(next) => {
                self.write()?;
                self.files += 1;
                self.place = next;
            }
        }
        Ok(())
    }

    fn close_suite(&mut self) {
        if let Some((_, suite)) = self.suite.take() {
            self.xml.add_test_suite(suite);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        self.close_suite();
        let mut xml = std::mem::replace(&mut self.xml, Xml::new("jury"));
        if self.timings == Timings::Measured {
            xml.set_time(xml.test_suites.iter().filter_map(|suite| suite.time).sum());
        }
        let mut buffered = io::BufWriter::new(&mut self.place);
        xml.serialize(&mut buffered).map_err(io::Error::other)?;
        buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.place.complete()
    }

    fn test_case(&self, plan: &Plan, result: &CaseResult) -> TestCase {
        let case = plan.case(plan.jobs[result.index]);
        let mut test = TestCase::new(name(&case.name), self.status(plan, result));
        if !case.input.as_os_str().is_empty() {
            test.extra.insert("file".into(), text(&self.root.relative(&case.input)));
        }
        if result.status == Status::Pass && result.verdict != Verdict::Accepted {
            test.add_property(Property::new("verdict", result.verdict.code()));
        }
        if self.timings == Timings::Measured {
            measure(&mut test, result);
        }
        let stderr = result.ran.as_ref().map(|ran| ran.stderr.as_slice()).unwrap_or_default();
        if is_fault(result) && !stderr.is_empty() && self.timings == Timings::Measured {
            test.set_system_err(shown(stderr));
        }
        test
    }

    fn status(&self, plan: &Plan, result: &CaseResult) -> TestCaseStatus {
        match result.status {
            Status::Pass => TestCaseStatus::success(),
            Status::Skip => {
                let mut status = TestCaseStatus::skipped();
                status.set_type(result.verdict.code()).set_message(what(result));
                status
            }
            Status::Fail | Status::Error => failure(&Fault::new(&self.run, plan, result)),
        }
    }
}

impl Reporter for JunitReporter<'_> {
    fn begin(&mut self, run: &Run, _plan: &Plan) -> io::Result<()> {
        self.run = run.clone();
        Ok(())
    }

    fn case(&mut self, plan: &Plan, result: &CaseResult) -> io::Result<()> {
        let submission = plan.jobs[result.index].submission;
        let test = self.test_case(plan, result);
        self.add(&class(plan, submission), submission, test)
    }

    fn end(&mut self, plan: &Plan, report: &Report) -> io::Result<()> {
        for fault in Fault::of_run(plan, report) {
            let test = TestCase::new(fault.headline(), failure(&fault));
            self.add("jury", usize::MAX, test)?;
        }
        self.write()
    }
}

const NOTHING: Room = Room { bytes: 0, nodes: 0 };

impl Room {
    fn with(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, nodes: self.nodes + other.nodes }
    }

    fn exceeds(self, most: Self) -> bool {
        self.bytes > most.bytes || self.nodes > most.nodes
    }
}

/// `sum.Main.java`.
fn class(plan: &Plan, submission: usize) -> String {
    let submission = &plan.submissions[submission];
    format!("{}.{}", name(&plan.problems[submission.problem].name), name(&submission.name))
}

fn new_suite(run: &Run, class: &str, timings: Timings) -> TestSuite {
    let mut suite = TestSuite::new(class);
    for (name, value) in [("compare", &run.compare), ("sandbox", &run.sandbox)] {
        if !value.is_empty() {
            suite.add_property(Property::new(name, text(value)));
        }
    }
    if timings == Timings::Measured {
        suite.set_timestamp(chrono::DateTime::<chrono::Utc>::from(run.started_at));
        suite.set_time(Duration::ZERO);
        suite.add_property(Property::new("run_id", text(&run.id)));
        if !run.hostname.is_empty() {
            suite.extra.insert("hostname".into(), text(&run.hostname));
        }
    }
    suite
}

/// The exact numbers beside the seconds with three decimals.
fn measure(test: &mut TestCase, result: &CaseResult) {
    if let Some(Times { cpu, wall, .. }) = result.times {
        test.set_time(wall);
        since(test, result);
        test.add_property(Property::new("cpu_ns", nanoseconds(cpu).to_string()));
        test.add_property(Property::new("wall_ns", nanoseconds(wall).to_string()));
    }
    if let Some(memory) = result.ran.as_ref().and_then(|ran| ran.memory.as_ref()) {
        test.add_property(Property::new("memory_bytes", memory.bytes.to_string()));
    }
}

/// What became of the case since the baseline.
fn since(test: &mut TestCase, result: &CaseResult) {
    let Some(since) = result.change else { return };
    test.add_property(Property::new("change", since.change.word()));
    if let Some(base) = since.base_cpu_ns {
        test.add_property(Property::new("base_cpu_ns", base.to_string()));
    }
}

/// A failure is the submission's, an error the judge's or the suite's.
fn failure(fault: &Fault) -> TestCaseStatus {
    let kind = match fault.kind {
        "CE" | "JE" | "NA" | "interrupted" => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut status = TestCaseStatus::non_success(kind);
    let message = if fault.what.is_empty() { fault.kind } else { &fault.what };
    status.set_type(fault.kind).set_message(message).set_description(fault.block.as_str());
    status
}

fn text(value: &str) -> XmlString {
    name(value).into()
}

/// The end of what a program wrote for people, everything invisible escaped.
fn shown(stderr: &[u8]) -> String {
    let end = &stderr[stderr.len().saturating_sub(BLOCK / 4)..];
    let lines = end.split_inclusive(|&byte| byte == b'\n');
    let shown = lines.map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        escape(line, Look::default().charset) + "\n"
    });
    bounded(&shown.collect::<String>())
}

fn hash(class: &str, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (class, name).hash(&mut hasher);
    hasher.finish()
}

/// What a case will take, rather too much than too little.
fn size(case: &TestCase) -> Room {
    let (mut texts, mut nodes) = (vec![case.name.as_str()], 2);
    texts.extend(case.classname.as_ref().map(XmlString::as_str));
    texts.extend(case.extra.values().map(XmlString::as_str));
    if let Some(stderr) = &case.system_err {
        texts.push(stderr.as_str());
        nodes += 2;
    }
    if let TestCaseStatus::NonSuccess { message, description, .. } = &case.status {
        texts.extend(message.iter().chain(description).map(XmlString::as_str));
        nodes += 2;
    }
    if let TestCaseStatus::Skipped { message, .. } = &case.status {
        texts.extend(message.iter().map(XmlString::as_str));
        nodes += 1;
    }
    let special = |byte: &u8| b"<>&'\"".contains(byte);
    let text =
        |text: &&str| text.len() + 5 * text.as_bytes().iter().filter(|byte| special(byte)).count();
    let bytes = 300 + 80 * case.properties.len() + texts.iter().map(text).sum::<usize>();
    Room { bytes, nodes: nodes + case.properties.len() + 1 }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::super::fixture;
    use super::*;

    /// A place that is looked at from outside.
    #[derive(Clone, Default)]
    struct Shared(Rc<RefCell<Vec<u8>>>);

    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Place for Shared {}

    fn files(room: Room, results: &[CaseResult]) -> Vec<String> {
        let all: Rc<RefCell<Vec<Shared>>> = Rc::default();
        let first = Shared::default();
        all.borrow_mut().push(first.clone());
        let opened = Rc::clone(&all);
        let more: MoreFiles = Box::new(move |_| {
            let next = Shared::default();
            opened.borrow_mut().push(next.clone());
            Ok(Some(Box::new(next)))
        });
        let plan = fixture::plan();
        let mut reporter =
            JunitReporter::new(Box::new(first), more, Root::default(), Timings::Measured);
        reporter.room = room;
        reporter.begin(&fixture::run(), &plan).unwrap();
        for result in results {
            reporter.case(&plan, result).unwrap();
        }
        reporter.end(&plan, &Report::default()).unwrap();
        let all = all.borrow();
        all.iter().map(|file| String::from_utf8(file.0.borrow().clone()).unwrap()).collect()
    }

    fn names(text: &str) -> Vec<String> {
        let xml = roxmltree::Document::parse(text).unwrap();
        let cases = xml.descendants().filter(|node| node.has_tag_name("testcase"));
        cases.map(|case| case.attribute("name").unwrap().to_owned()).collect()
    }

    #[test]
    fn what_does_not_fit_goes_on_in_further_files_of_which_each_is_whole() {
        let results = fixture::all();
        let files = files(Room { bytes: 4000, ..ROOM }, &results);
        assert!(files.len() > 1);
        let all: Vec<String> = files.iter().flat_map(|file| names(file)).collect();
        let plan = fixture::plan();
        let planned: Vec<&String> = plan.jobs.iter().map(|&job| &plan.case(job).name).collect();
        assert_eq!(all.iter().collect::<Vec<_>>(), planned);
        assert!(files.iter().all(|file| file.len() < 5000), "{}", files[0].len());
    }

    #[test]
    fn no_file_has_more_nodes_than_its_readers_take() {
        let most = Room { nodes: 60, ..ROOM };
        for file in files(most, &fixture::all()) {
            let xml = roxmltree::Document::parse(&file).unwrap();
            let blank = |node: &roxmltree::Node| {
                node.is_text() && node.text().is_none_or(|text| text.trim().is_empty())
            };
            let nodes = xml.descendants().filter(|node| !blank(node)).count();
            assert!(nodes < 70, "{nodes}");
        }
    }

    #[test]
    fn one_name_is_there_once_in_each_class() {
        let result = fixture::accepted();
        let files = files(ROOM, &[result.clone(), result.clone(), result]);
        let name = "ali-baba/01-sample";
        assert_eq!(names(&files[0]), [name.into(), format!("{name} (2)"), format!("{name} (3)")]);
    }
}
