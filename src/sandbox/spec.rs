//! What a run is asked to be: program, environment, input, working folder, limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::input::Input;
use crate::model::PATIENCE;

/// One run of one untrusted program.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The absolute path of the program, then its arguments. A relative path is one inside the
    /// working folder.
    pub program: Vec<OsString>,
    /// The whole environment of the run. `HOME` and `TMPDIR` are added when they are missing.
    pub environment: Vec<(OsString, OsString)>,
    /// What the program reads.
    pub stdin: Arc<Input>,
    /// The folder it works in, and what it sees of the rest.
    pub work: WorkDir,
    /// What it may use.
    pub limits: RunLimits,
    /// The one core it is kept on.
    pub core: Option<usize>,
}

impl Spec {
    /// A run with an empty environment, empty input, an empty working folder and the default limits.
    #[must_use]
    pub fn new(program: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self {
            program: program.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
            stdin: Arc::new(Input::empty()),
            work: WorkDir::default(),
            limits: RunLimits::default(),
            core: None,
        }
    }
}

/// The working folder of a run: fresh and private, gone when the run is over.
#[derive(Debug, Clone, Default)]
pub struct WorkDir {
    /// Empty folders made before the run, owned by the run: relative, without `..`.
    pub folders: Vec<PathBuf>,
    /// Files put into the folder before the run, owned by the run.
    pub copy_in: Vec<CopyIn>,
    /// Files and folders outside that the run may read and execute, at their own paths. The
    /// system's folders (`/usr`, `/bin`, `/lib*`) are visible without being named. A run under
    /// another user can use only what everybody may read.
    pub visible: Vec<PathBuf>,
    /// Files of the folder to be handed back in [`super::Ran::collected`]. Only plain files with
    /// one name, never through a link. One that is missing is left out; one that is something else
    /// is told in [`super::Ran::refused`].
    pub collect: Vec<Collect>,
    /// A folder of which everything else is handed back, too, and how much of it. What cannot be is
    /// told in [`super::Ran::refused`].
    pub collect_all: Option<CollectAll>,
}

/// All files of a folder of the working folder, and of those below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectAll {
    /// Its name in the working folder, relative.
    pub folder: PathBuf,
    /// The most files; of more, some are left out, and the folder itself is refused.
    pub most_files: usize,
    /// The most bytes that a file may have; a bigger one is refused.
    pub most_bytes: u64,
}

/// A file put into the working folder.
#[derive(Debug, Clone)]
pub struct CopyIn {
    /// What to copy.
    pub from: CopyFrom,
    /// Its name in the folder, relative, without `..`.
    pub name: PathBuf,
}

/// Where the content of a file in the working folder comes from.
#[derive(Debug, Clone)]
pub enum CopyFrom {
    /// A file outside; it may be executed inside when it may be executed there.
    Path(PathBuf),
    /// Bytes in memory.
    Memory(Arc<Input>),
}

impl From<PathBuf> for CopyFrom {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl From<Arc<Input>> for CopyFrom {
    fn from(input: Arc<Input>) -> Self {
        Self::Memory(input)
    }
}

impl CopyIn {
    /// Copies `from` to this name.
    #[must_use]
    pub fn new(from: impl Into<CopyFrom>, name: impl AsRef<Path>) -> Self {
        Self { from: from.into(), name: name.as_ref().to_owned() }
    }
}

/// A file wanted back from the working folder.
#[derive(Debug, Clone)]
pub struct Collect {
    /// Its name in the folder, relative.
    pub name: PathBuf,
    /// The most bytes it may have; a bigger one is refused.
    pub most_bytes: u64,
}

impl Collect {
    /// A file of at most `most_bytes`.
    #[must_use]
    pub fn new(name: impl AsRef<Path>, most_bytes: u64) -> Self {
        Self { name: name.as_ref().to_owned(), most_bytes }
    }
}

/// What a run may use. A run that goes past one of the first six is killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLimits {
    /// User and system time of the whole tree.
    pub cpu: Duration,
    /// User time alone of the whole tree; none means that only `cpu` counts.
    pub user: Option<Duration>,
    /// Elapsed time.
    pub wall: Duration,
    /// Time in which the run was ready and had no processor does not count as elapsed, up to so
    /// many times `wall`.
    pub patience: u32,
    /// Peak memory of the tree in bytes.
    pub memory: u64,
    /// Bytes on stdout.
    pub output: u64,
    /// How many processes besides the first: none means threads only.
    pub processes: u32,
    /// Bytes of stack of the main thread; none means as much as memory.
    pub stack: Option<u64>,
    /// Bytes kept of the beginning of stderr and again of its end; the rest is counted.
    pub stderr_kept: u32,
    /// Open descriptors of a process.
    pub open_files: u64,
    /// Bytes of a single written file.
    pub file_size: u64,
    /// How the address space is limited on top.
    pub address_space: AddressSpace,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            cpu: Duration::from_secs(10),
            user: None,
            wall: Duration::from_secs(21),
            patience: PATIENCE,
            memory: 1 << 30,
            output: 64 << 20,
            processes: 0,
            stack: None,
            stderr_kept: 32 << 10,
            open_files: 1024,
            file_size: 64 << 20,
            address_space: AddressSpace::Free,
        }
    }
}

/// How the address space of a process is limited, on top of the memory that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressSpace {
    /// Not at all: only used memory counts, and a run that uses too much is killed.
    Free,
    /// Private writable memory may not exceed the memory limit (`RLIMIT_DATA`), so that an
    /// allocation fails in the program instead of the program being killed. Reserved memory
    /// counts like used memory. The stack is then not limited unless a limit is given, since
    /// every thread reserves as much as the stack limit.
    Data,
}
