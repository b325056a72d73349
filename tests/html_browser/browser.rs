//! Chromium without a window: opens a page and tells what became of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which Chromium is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with a profile of its own.
pub(crate) struct Browser {
    program: PathBuf,
    folder: PathBuf,
}

/// What became of a page.
pub(crate) struct Seen {
    /// The document after its scripts have run.
    pub(crate) document: String,
    /// What the page, or the browser about it, wrote to the console.
    pub(crate) console: Vec<String>,
    /// Addresses that the page asked for, beside the page itself.
    pub(crate) requests: Vec<String>,
}

/// How a page is looked at.
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// CSS pixels of the page's width.
    pub(crate) width: u32,
    /// Whether the reader prefers a dark page.
    pub(crate) dark: bool,
}

impl View {
    pub(crate) const LAPTOP: Self = Self { width: 1280, dark: false };
}

impl Browser {
    /// The installed browser, if there is one.
    pub(crate) fn find(folder: &Path) -> Option<Self> {
        let path = std::env::var_os("PATH")?;
        let all = std::env::split_paths(&path).flat_map(|place| NAMES.map(|name| place.join(name)));
        let program = all.into_iter().find(|program| program.is_file())?;
        Some(Self { program, folder: folder.to_owned() })
    }

    /// Opens a page at a fragment.
    pub(crate) fn open(&self, page: &Path, fragment: &str, view: View) -> Seen {
        let log = self.folder.join("net.json");
        let scheme = u8::from(!view.dark);
        let address = format!("file://{}{fragment}", page.display());
        let output = Command::new(&self.program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-dev-shm-usage", "--disable-extensions", "--disable-sync"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr"])
            .arg("--allow-file-access-from-files")
            .arg(format!("--user-data-dir={}", self.folder.join("profile").display()))
            .arg(format!("--log-net-log={}", log.display()))
            .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
            .arg(format!("--window-size={},900", view.width))
            .args(["--virtual-time-budget=5000", "--dump-dom", &address])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let console = said.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned);
        Seen {
            document: String::from_utf8(output.stdout).unwrap(),
            console: console.collect(),
            requests: requests(&fs::read_to_string(&log).unwrap_or_default()),
        }
    }
}

/// Addresses in a log of the network that are none of the browser's own services.
fn requests(log: &str) -> Vec<String> {
    let addresses = log.split("\"url\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let own = |address: &&str| {
        !["google", "gvt1", "chrome", "chromium"].iter().any(|name| address.contains(name))
    };
    addresses
        .filter(|address| address.starts_with("http") || address.starts_with("ws"))
        .filter(own)
        .map(str::to_owned)
        .collect()
}
