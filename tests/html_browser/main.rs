//! The HTML report in a real browser: what the script filters and sorts, that every link has its
//! target, that nothing is asked from the network, that a narrow page is not wider than it is.
//! Without Chromium the tests say that they are skipped; `scripts/install-browser` installs it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]
#![expect(clippy::disallowed_methods, reason = "the browser and the program are run")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use browser::{Browser, Seen, View};

mod browser;

/// Pages of one run, in a folder of their own.
struct Pages {
    folder: TempDir,
    browser: Browser,
}

impl Pages {
    /// The pages of the suite of five submissions; none without a browser.
    fn make(test: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let Some(browser) = Browser::find(folder.path()) else {
            eprintln!("skipped: {test} (chromium is not installed)");
            return None;
        };
        suite(folder.path());
        let ran = Command::new(env!("CARGO_BIN_EXE_jury"))
            .args(["grade", "sum", "--all-cases", "--time", "5", "--wall", "20", "-q"])
            .args(["--report", "html=report.html", "--report", "html-contest=contest.html"])
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
        Some(Self { folder, browser })
    }

    /// Opens a page with the probe behind it; the page has no fault of its own then.
    fn probe(&self, name: &str, fragment: &str, view: View) -> Value {
        let page = fs::read_to_string(self.folder.path().join(name)).unwrap();
        let probe = format!("<script>{}</script></body>", include_str!("probe.js"));
        let path = self.folder.path().join("probe.html");
        fs::write(&path, page.replace("</body>", &probe)).unwrap();
        let seen = self.browser.open(&path, fragment, view);
        assert_eq!(seen.console, [] as [String; 0], "{name}{fragment}");
        assert_eq!(seen.requests, [] as [String; 0], "{name}{fragment}");
        found(&seen)
    }

    /// The same in a frame that is as narrow as a phone: windows cannot be.
    fn probe_narrow(&self, name: &str, width: u32) -> (i64, i64) {
        let page = fs::read_to_string(self.folder.path().join(name)).unwrap();
        let inner = self.folder.path().join("inner.html");
        fs::write(&inner, page).unwrap();
        let outer = format!(
            "<iframe id=f src=inner.html style='width:{width}px;height:900px;border:0'></iframe>\
             <script>addEventListener('load',()=>{{const d=document.getElementById('f').contentDocument;\
             d.querySelectorAll('details').forEach(one=>{{one.open=true}});\
             document.title=d.documentElement.clientWidth+' '+d.documentElement.scrollWidth}})</script>"
        );
        let path = self.folder.path().join("outer.html");
        fs::write(&path, outer).unwrap();
        let seen = self.browser.open(&path, "", View::LAPTOP);
        let title =
            seen.document.split("<title>").nth(1).unwrap_or_else(|| panic!("{}", seen.document));
        let (has, needs) = title.split('<').next().unwrap().split_once(' ').unwrap();
        (has.parse().unwrap(), needs.parse().unwrap())
    }
}

/// What the probe has left.
fn found(seen: &Seen) -> Value {
    let start = seen
        .document
        .find("id=\"probe\">")
        .unwrap_or_else(|| panic!("no probe in {}", seen.document));
    let json = &seen.document[start + "id=\"probe\">".len()..];
    serde_json::from_str(json.split("</script>").next().unwrap()).unwrap()
}

/// A problem with two groups and five submissions: right, wrong, wrong against its promise,
/// crashing, and one with a name that means something in HTML.
fn suite(folder: &Path) {
    let write = |path: PathBuf, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let problem = folder.join("sum");
    for (group, cases) in [("sample", 1..3), ("secret", 1..12)] {
        for case in cases {
            write(problem.join(format!("input/{group}/{case}.in")), &format!("{case} {case}\n"));
            write(problem.join(format!("expected/{group}/{case}.out")), &format!("{}\n", 2 * case));
        }
    }
    let programs = [
        ("accepted/fast.sh", "read a b; echo $((a+b))"),
        ("accepted/narrow.sh", "read a b; echo $(((a+b)%16))"),
        ("wrong_answer/off.sh", "read a b; [ $a = 3 ] && a=4; echo $((a+b))"),
        ("run_time_error/crash.sh", "read a b; [ $a = 5 ] && exit 3; echo $((a+b))"),
        ("wrong_answer/<b>&.sh", "read a b; echo '</script><script>alert(1)</script>'"),
    ];
    for (name, program) in programs {
        write(problem.join("submissions").join(name), &format!("#!/bin/sh\n{program}\n"));
    }
}

fn number(value: &Value) -> usize {
    value.as_array().unwrap().len()
}

#[test]
fn all_results_are_there_sorted_filtered_and_linked() {
    let Some(pages) = Pages::make("all_results_are_there_sorted_filtered_and_linked") else {
        return;
    };
    let found = pages.probe("report.html", "", View::LAPTOP);
    assert_eq!(number(&found["rows"]), 5 * 13);
    assert_eq!(found["count"], "65 results");
    assert_eq!(found["broken"], serde_json::json!([]));
    assert_eq!(found["unnamed"], 0);
    assert_eq!(found["asked"]["slowest"]["sorted"], "descending");
    assert_eq!(found["asked"]["slowest"]["fragment"], "#sort=ms&down=1");
    let column = usize::try_from(found["asked"]["slowest"]["column"].as_u64().unwrap()).unwrap();
    let slowest = found["asked"]["slowest"]["first"].as_array().unwrap();
    let times: Vec<f64> =
        slowest.iter().map(|row| row[column].as_str().unwrap().parse().unwrap()).collect();
    assert!(times.windows(2).all(|pair| pair[0] >= pair[1]), "{times:?}");
    assert_eq!(found["asked"]["cases"]["sorted"], "descending");
    let column = usize::try_from(found["asked"]["cases"]["column"].as_u64().unwrap()).unwrap();
    assert_eq!(found["asked"]["cases"]["first"][0][column], "11", "10 and 11 stand behind 9");
    let wrong = 4 + 1 + 13;
    assert_eq!(found["asked"]["filtered"]["count"], format!("{wrong} of 65 results"));
    assert_eq!(found["asked"]["filtered"]["fragment"], "#sort=case&down=1&verdict=WA");
    assert_eq!(found["asked"]["reset"]["rows"], 65);
    let headings: Vec<u64> =
        found["headings"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    assert!(
        headings.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "a level is left out: {headings:?}"
    );
}

#[test]
fn a_fragment_brings_its_filters_back() {
    let Some(pages) = Pages::make("a_fragment_brings_its_filters_back") else { return };
    let open = |fragment| pages.probe("report.html", fragment, View::LAPTOP);
    let found = open("#verdict=RTE");
    assert_eq!((number(&found["rows"]), number(&found["blocks"])), (1, 1));
    let found = open("#unexpected=1");
    assert_eq!((number(&found["rows"]), number(&found["blocks"])), (4, 4), "{found}");
    let found = open("#submission=narrow.sh&group=secret");
    assert_eq!(number(&found["rows"]), 11);
    assert_eq!(found["lines"], serde_json::json!(["narrow.sh"]));
    let found = open("#text=off.sh+expected&sort=case&down=1");
    assert_eq!(number(&found["rows"]), 1, "{found}");
    let found = open("#submission=no-such");
    assert_eq!(number(&found["rows"]), 0);
    assert_eq!(found["count"], "0 of 65 results");
    let found = open("#all");
    assert_eq!(number(&found["rows"]), 65);
}

#[test]
fn the_ranking_is_sortable_and_its_links_lead_to_people() {
    let Some(pages) = Pages::make("the_ranking_is_sortable_and_its_links_lead_to_people") else {
        return;
    };
    let found = pages.probe("contest.html", "", View::LAPTOP);
    assert_eq!(found["broken"], serde_json::json!([]));
    let sorted = pages.probe("contest.html", "#sort=name&down=1", View::LAPTOP);
    assert_eq!(sorted["broken"], serde_json::json!([]));
}

#[test]
fn a_page_is_as_wide_as_a_phone_and_dark_where_that_is_preferred() {
    let Some(pages) = Pages::make("a_page_is_as_wide_as_a_phone_and_dark_where_that_is_preferred")
    else {
        return;
    };
    for page in ["report.html", "contest.html"] {
        for width in [320, 390] {
            let (has, needs) = pages.probe_narrow(page, width);
            assert!(needs <= has, "{page} needs {needs} of {has} pixels at {width}");
        }
        let ground = |dark| pages.probe(page, "", View { width: 1280, dark })["ground"].clone();
        assert_eq!(ground(false), "rgb(255, 255, 255)");
        assert_eq!(ground(true), "rgb(19, 23, 27)");
    }
}
