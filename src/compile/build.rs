//! One run of a compiler in the sandbox.

use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::cache::Draft;
use super::program::Log;
use super::{CompileFault, installed::Installed};
use crate::language::{Values, expand};
use crate::sandbox::{
    AddressSpace, Collect, CopyIn, Ended, Limit, Ran, RunLimits, Sandbox, SandboxError, Spec,
};

/// Memory that a compiler may use.
const MEMORY: u64 = 2 << 30;

/// CPU time that a compiler may use.
const CPU: Duration = Duration::from_mins(1);

/// Bytes of what a compiler says that are kept.
const LOG_BYTES: u64 = 64 << 10;

/// Bytes that one file of a built program may have.
const FILE_BYTES: u64 = 256 << 20;

/// The limits of a compiler.
fn limits() -> RunLimits {
    RunLimits {
        cpu: CPU,
        wall: CPU * 3,
        memory: MEMORY,
        output: 16 << 20,
        processes: 64,
        stderr_kept: (LOG_BYTES / 2) as u32,
        file_size: FILE_BYTES,
        address_space: AddressSpace::Free,
        ..RunLimits::default()
    }
}

/// What is to be built.
pub(super) struct Build<'a> {
    /// With these tools.
    pub(super) installed: &'a Installed,
    /// The placeholders, relative to the folder of the sources.
    pub(super) values: Values,
    /// The names of all files to copy in.
    pub(super) names: Vec<String>,
    /// The names of the files that are to come out.
    pub(super) outputs: Vec<String>,
}

impl Build<'_> {
    /// Runs the compiler on the sources of the draft and puts what it makes into the draft.
    pub(super) fn run(
        &self,
        sandbox: &Sandbox,
        worker: usize,
        draft: &Draft,
    ) -> Result<Log, CompileFault> {
        if self.installed.toolchain.compile.is_none() {
            return Ok(Log::default());
        }
        let spec = self.spec(draft);
        let mut ran = sandbox.run(worker, &spec).map_err(broken)?;
        let log = log(&mut ran).map_err(|error| CompileFault::io(&error))?;
        if let Some(reason) = refusal(ran.ended) {
            return Err(reason.with(log));
        }
        self.take(ran.collected, draft, log)
    }

    /// The command; empty where nothing is built.
    pub(super) fn command(&self) -> Vec<String> {
        let command = self.installed.toolchain.compile.as_deref().unwrap_or_default();
        expand(&self.installed.absolute(command), &self.compiling())
    }

    /// The placeholders as they are for a compiler.
    fn compiling(&self) -> Values {
        Values { memory: MEMORY, stack: MEMORY, ..self.values.clone() }
    }

    fn spec(&self, draft: &Draft) -> Spec {
        let values = self.compiling();
        let mut spec = Spec::new(self.command());
        let copy = |name: &String| CopyIn::new(draft.sources().join(name), name);
        spec.work.copy_in = self.names.iter().map(copy).collect();
        spec.work.visible = self.installed.visible();
        let collect = |name: &String| Collect::new(name, FILE_BYTES);
        spec.work.collect = self.outputs.iter().map(collect).collect();
        let environment = environment(self.installed);
        let fill = |(name, value): (String, String)| (name.into(), values.fill(&value).into());
        spec.environment = environment.into_iter().map(fill).collect();
        spec.limits = limits();
        spec
    }

    /// Puts the collected files into the draft. A compiler that succeeds and makes no program
    /// fails the submission: only the submission can have led it astray.
    fn take(
        &self,
        collected: Vec<(PathBuf, File)>,
        draft: &Draft,
        log: Log,
    ) -> Result<Log, CompileFault> {
        for output in &self.outputs {
            if !collected.iter().any(|(name, _)| name == Path::new(output)) {
                let reason = format!("the compiler ended well and made no file `{output}`");
                return Err(CompileFault::Failed { reason, log });
            }
        }
        for (name, file) in collected {
            store(file, &draft.files().join(name)).map_err(|error| CompileFault::io(&error))?;
        }
        Ok(log)
    }
}

/// The environment of a compiler and of a program, with placeholders.
pub(super) fn environment(installed: &Installed) -> Vec<(String, String)> {
    let mut environment = vec![
        ("PATH".to_owned(), installed.search_path()),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
    ];
    environment.extend(installed.toolchain.environment.iter().cloned());
    environment
}

fn store(mut from: File, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    from.rewind()?;
    let mut file = File::create(to)?;
    io::copy(&mut from, &mut file)?;
    file.set_permissions(Permissions::from_mode(0o755))
}

fn broken(error: SandboxError) -> CompileFault {
    match error {
        SandboxError::Stopped => CompileFault::Stopped,
        error => CompileFault::Broken { reason: error.to_string() },
    }
}

/// Why a compiler has not done its work.
enum Refusal {
    Compiler(String),
    Judge(String),
}

impl Refusal {
    fn with(self, log: Log) -> CompileFault {
        match self {
            Self::Compiler(reason) => CompileFault::Failed { reason, log },
            Self::Judge(reason) => CompileFault::Broken { reason },
        }
    }
}

fn refusal(ended: Ended) -> Option<Refusal> {
    let over = |what: String| Some(Refusal::Compiler(format!("the compiler {what}")));
    match ended {
        Ended::Exited(0) => None,
        Ended::Exited(code) => over(format!("ended with exit code {code}")),
        Ended::Signaled(signal) => over(format!("was ended by signal {signal}")),
        Ended::Over(Limit::Cpu) => over(format!("used more than {} s of CPU time", CPU.as_secs())),
        Ended::Over(Limit::Wall) => over(format!("took longer than {} s", (CPU * 3).as_secs())),
        Ended::Over(Limit::Memory) => over(format!("used more than {} MiB", MEMORY >> 20)),
        Ended::Over(Limit::Output) => over("wrote without end".to_owned()),
        Ended::NotStarted(errno) | Ended::NotSetUp(errno) => {
            let error = io::Error::from_raw_os_error(errno);
            Some(Refusal::Judge(format!("the compiler does not start: {error}")))
        }
    }
}

/// What the compiler wrote: stderr first, then stdout, for some use that for errors.
fn log(ran: &mut Ran) -> io::Result<Log> {
    let stderr = &ran.stderr;
    let mut bytes = stderr.head.clone();
    if stderr.dropped() > 0 {
        bytes.extend(format!("\n[{} bytes left out]\n", stderr.dropped()).into_bytes());
    }
    bytes.extend_from_slice(&stderr.tail);
    ran.stdout.rewind()?;
    let left = LOG_BYTES.saturating_sub(bytes.len() as u64);
    (&ran.stdout).take(left).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Log { text, total: stderr.total + ran.stdout_bytes })
}
