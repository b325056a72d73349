//! What the system has counted of the processes that this one has collected. What a process has
//! written cannot be asked of itself for certain: its account is hidden while it is started, and
//! again when it has ended. When it is collected, its account is added to that of its parent.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The accounts of this process: with all that it has collected, and without.
#[derive(Debug)]
pub(super) struct Account {
    whole: File,
    own: File,
}

impl Account {
    /// None where the system does not count. A process that has given up its rights cannot open
    /// its own account any more, but read it. It has to have one thread.
    pub(super) fn open() -> Option<Self> {
        let open = |path| File::open(path).ok();
        Some(Self { whole: open("/proc/self/io")?, own: open("/proc/thread-self/io")? })
    }

    /// Bytes that all processes have written to anything that this one has collected, and those
    /// that they had collected.
    pub(super) fn written(&self) -> u64 {
        written(&self.whole).saturating_sub(written(&self.own))
    }
}

/// Bytes that the process of this account has written to anything.
pub(super) fn written(account: &File) -> u64 {
    let mut text = [0; 512];
    let read = account.read_at(&mut text, 0).unwrap_or(0);
    let text = String::from_utf8_lossy(&text[..read]);
    let field = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    field.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}
