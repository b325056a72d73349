//! The surroundings of hostile programs: data to steal, a place to compile, and a look at
//! everything that may not change.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use jury::sandbox::{
    CgroupKind, Collect, CopyIn, Ended, Input, Level, Limit, Options, Ran, RunLimits, Sandbox, Spec,
};
use tempfile::TempDir;

const CANARY: &str = "CANARY-7f3a91";
const MIB: u64 = 1 << 20;
const PYTHON: &str = "/usr/bin/python3";

/// What a run is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Accepted,
    Wrong,
    Time,
    Memory,
    Output,
    Runtime,
    CompileError,
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Wrong => "WA",
            Self::Time => "TLE",
            Self::Memory => "MLE",
            Self::Output => "OLE",
            Self::Runtime => "RTE",
            Self::CompileError => "CE",
        }
    }
}

/// A run and what it printed.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) ran: Ran,
    pub(super) verdict: Verdict,
    pub(super) output: Vec<u8>,
    took: Duration,
    wall: Duration,
}

pub(super) enum NotBuilt {
    Skipped(String),
    Refused(Box<Judged>),
}

/// The command that runs a program, and the folder it needs.
pub(super) struct Program {
    command: Vec<PathBuf>,
    folder: PathBuf,
}

pub(super) struct World {
    pub(super) sandbox: Sandbox,
    place: TempDir,
    inputs: Vec<(String, Arc<Input>, Vec<u8>)>,
    count: u32,
    honest: Option<Program>,
}

/// Everything that may not change.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(super) struct State {
    data: Vec<(PathBuf, Vec<u8>, u32, i64, u64, u64)>,
    outside: BTreeSet<PathBuf>,
    descriptors: usize,
    limits: String,
    nice: String,
    host: String,
    clock: u64,
    ipc: usize,
    mounts: usize,
}

impl World {
    pub(super) fn new(level: Level) -> Option<Self> {
        let place = tempfile::Builder::new().prefix("jury-hostile-").tempdir().unwrap();
        open_to_all(place.path());
        let options = Options {
            runner: env!("CARGO_BIN_EXE_jury").into(),
            scratch: place.path().to_owned(),
            // Other levels run at the same time, and users tell the runs apart.
            first_user: 61_000 + level as u32 * 21,
            ..Options::default()
        };
        let sandbox = match Sandbox::open(level, 1, &options) {
            Ok(sandbox) => sandbox,
            Err(error) => {
                println!("skipped: level {level:?}: {error}");
                return None;
            }
        };
        let data = place.path().join("data");
        fs::create_dir(&data).unwrap();
        open_to_all(&data);
        let mut big = b"21\n".to_vec();
        big.extend(std::iter::repeat_n(b"123456789\n", 1 << 20).flatten());
        let texts: [(&str, Vec<u8>, String); 3] = [
            ("1", b"21\n".to_vec(), "42\n".to_owned()),
            ("big", big, "42\n".to_owned()),
            ("secret", b"1000\n".to_vec(), format!("2000 {CANARY}\n")),
        ];
        let mut inputs = Vec::new();
        for (name, input, answer) in texts {
            fs::write(data.join(format!("{name}.in")), &input).unwrap();
            fs::write(data.join(format!("{name}.ans")), &answer).unwrap();
            let input = Arc::new(Input::from_bytes(&input).unwrap());
            inputs.push((name.to_owned(), input, answer.into_bytes()));
        }
        Some(Self { sandbox, place, inputs, count: 0, honest: None })
    }

    /// Whether the memory of a whole run is counted.
    pub(super) fn counts_memory(&self) -> bool {
        matches!(self.sandbox.report().cgroup, CgroupKind::V2 | CgroupKind::V1)
    }

    pub(super) fn name(&self) -> String {
        self.sandbox.report().short()
    }

    /// Makes a program ready: compiled outside by a trusted compiler, or inside for programs that
    /// attack the compiler.
    pub(super) fn build(&mut self, source: &Path, inside: bool) -> Result<Program, NotBuilt> {
        self.count += 1;
        let folder = self.place.path().join(format!("program{}", self.count));
        fs::create_dir(&folder).unwrap();
        open_to_all(&folder);
        let name = source.file_name().unwrap();
        fs::copy(source, folder.join(name)).unwrap();
        let source = folder.join(name);
        fs::set_permissions(&source, fs::Permissions::from_mode(0o644)).unwrap();
        let program = folder.join("program");
        let compiler = match source.extension().unwrap().to_str().unwrap() {
            "py" if Path::new(PYTHON).exists() => {
                return Ok(Program { command: vec![PYTHON.into(), source], folder });
            }
            "sh" => return Ok(Program { command: vec!["/bin/sh".into(), source], folder }),
            "c" => "/usr/bin/gcc",
            "cpp" => "/usr/bin/g++",
            other => return Err(NotBuilt::Skipped(format!("no language for .{other}"))),
        };
        if !Path::new(compiler).exists() {
            return Err(NotBuilt::Skipped(format!("no {compiler}")));
        }
        if inside {
            return self.build_inside(compiler, &source, folder);
        }
        let mut command = Command::new(compiler);
        command.args(["-O1", "-pthread", "-w", "-o"]).arg(&program).arg(&source);
        #[expect(clippy::disallowed_methods, reason = "a trusted compiler of the tests")]
        let built = command.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        open_to_all(&program);
        Ok(Program { command: vec![program], folder })
    }

    fn build_inside(
        &self,
        compiler: &str,
        source: &Path,
        folder: PathBuf,
    ) -> Result<Program, NotBuilt> {
        let name = source.file_name().unwrap();
        let mut spec = Spec::new([compiler, "-O1", "-o", "program", name.to_str().unwrap()]);
        spec.environment.push(("PATH".into(), "/usr/bin:/bin".into()));
        spec.work.copy_in.push(CopyIn::new(source.to_owned(), name));
        spec.work.collect.push(Collect::new("program", 64 * MIB));
        spec.limits.processes = 64;
        spec.limits.cpu = Duration::from_secs(3);
        spec.limits.wall = Duration::from_secs(6);
        let judged = self.judge(&spec, b"");
        let [(_, file)] = &judged.ran.collected[..] else {
            return Err(NotBuilt::Refused(Box::new(judged)));
        };
        if judged.ran.ended != Ended::Exited(0) {
            return Err(NotBuilt::Refused(Box::new(judged)));
        }
        let program = folder.join("compiled");
        let mut bytes = Vec::new();
        (&mut &*file).read_to_end(&mut bytes).unwrap();
        fs::write(&program, bytes).unwrap();
        open_to_all(&program);
        Ok(Program { command: vec![program], folder })
    }

    pub(super) fn run(&self, program: &Program, test: &str, processes: u32) -> Judged {
        let (_, input, answer) = self.inputs.iter().find(|input| input.0 == test).unwrap();
        let mut spec = Spec::new(&program.command);
        spec.environment = vec![
            ("PATH".into(), "/usr/bin:/bin".into()),
            ("JURY_RUN_MARK".into(), self.mark().into()),
        ];
        spec.stdin = Arc::clone(input);
        spec.work.visible.push(program.folder.clone());
        // Programs from elsewhere reckon with a second.
        let cpu = if std::env::var_os("JURY_HOSTILE").is_some() { 1000 } else { 500 };
        spec.limits = RunLimits {
            cpu: Duration::from_millis(cpu),
            wall: Duration::from_millis(3 * cpu + 500),
            memory: 64 * MIB,
            output: 8 * MIB,
            file_size: 16 * MIB,
            processes,
            ..RunLimits::default()
        };
        self.judge(&spec, answer)
    }

    fn mark(&self) -> String {
        format!("mark-{}-{}", std::process::id(), self.place.path().display())
    }

    fn judge(&self, spec: &Spec, answer: &[u8]) -> Judged {
        let start = Instant::now();
        let mut ran = self.sandbox.run(0, spec).unwrap();
        let took = start.elapsed();
        let mut output = Vec::new();
        ran.stdout.read_to_end(&mut output).unwrap();
        let words = |bytes: &[u8]| -> Vec<Vec<u8>> {
            let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            words.map(<[u8]>::to_vec).collect()
        };
        let verdict = match ran.ended {
            Ended::Over(Limit::Cpu | Limit::Wall) => Verdict::Time,
            Ended::Over(Limit::Output) => Verdict::Output,
            Ended::Over(Limit::Memory) => Verdict::Memory,
            Ended::Exited(0) if words(&output) == words(answer) => Verdict::Accepted,
            Ended::Exited(0) => Verdict::Wrong,
            Ended::Exited(_) | Ended::Signaled(_) | Ended::NotStarted(_) | Ended::NotSetUp(_) => {
                Verdict::Runtime
            }
        };
        Judged { ran, verdict, output, took, wall: spec.limits.wall }
    }

    /// An honest program after a hostile one.
    pub(super) fn honest(&mut self) -> Judged {
        if self.honest.is_none() {
            let source = self.place.path().join("honest.sh");
            fs::write(&source, "read n; echo $((2 * n))\n").unwrap();
            self.honest = self.build(&source, false).ok();
        }
        self.run(self.honest.as_ref().unwrap(), "1", 0)
    }

    pub(super) fn state(&self) -> State {
        let mut data = Vec::new();
        let mut paths: Vec<PathBuf> = fs::read_dir(self.place.path().join("data"))
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            let meta = fs::metadata(&path).unwrap();
            let head = fs::read(&path).unwrap_or_default().into_iter().take(1000).collect();
            data.push((path, head, meta.mode(), meta.mtime(), meta.size(), meta.nlink()));
        }
        let since = |clock: &str| clock.split('.').next().unwrap().parse::<u64>().unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let uptime = since(&fs::read_to_string("/proc/uptime").unwrap());
        let stat = fs::read_to_string("/proc/self/stat").unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        State {
            data,
            outside: self.outside(),
            descriptors: fs::read_dir("/proc/self/fd").unwrap().count(),
            limits: fs::read_to_string("/proc/self/limits").unwrap(),
            nice: format!("{} {}", fields[15], fields[16]),
            host: fs::read_to_string("/proc/sys/kernel/hostname").unwrap(),
            clock: (now - uptime) / 10,
            ipc: self.ipc(),
            mounts: fs::read_to_string("/proc/self/mounts").unwrap().matches("jury").count(),
        }
    }

    /// Files outside that belong to the user of the runs or have a telling name.
    fn outside(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let home = std::env::var_os("HOME").map_or_else(|| "/root".into(), PathBuf::from);
        let place = self.place.path();
        let folders = ["/", "/tmp", "/var/tmp", "/dev/shm", "/run"].map(PathBuf::from).into_iter();
        for folder in folders.chain([home, place.to_owned(), place.join("data")]) {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                let owner = entry.metadata().map_or(0, |meta| meta.uid());
                let telling = entry.file_name().to_string_lossy().contains("jury_escaped");
                if telling || self.sandbox.report().user == Some(owner) {
                    found.insert(entry.path());
                }
            }
        }
        found
    }

    fn ipc(&self) -> usize {
        let user = self.sandbox.report().user.map(|user| format!(" {user} "));
        let Some(user) = user else { return 0 };
        let lists = ["shm", "sem", "msg"].map(|name| format!("/proc/sysvipc/{name}"));
        let lists = lists.iter().map(|path| fs::read_to_string(path).unwrap_or_default());
        lists.map(|list| list.lines().filter(|line| line.contains(&user)).count()).sum()
    }

    /// Every promise that was broken, by number.
    pub(super) fn check(&self, before: &State, judged: &Judged) -> Vec<String> {
        let mut broken = Vec::new();
        let deadline = Instant::now() + Duration::from_secs(1);
        while self.alive() > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut expect = |holds: bool, what: &str| {
            if !holds {
                broken.push(what.to_owned());
            }
        };
        expect(self.alive() == 0, "I1: a process is left");
        let now = self.state();
        expect(now.limits == before.limits && now.nice == before.nice, "I2: limits of the judge");
        expect(judged.took < judged.wall + Duration::from_secs(1), "I3: it took too long");
        expect(now.data == before.data, "I4: data changed");
        expect(now.outside == before.outside, "I5: files outside");
        expect(now.ipc == before.ipc, "I5: objects of IPC");
        expect(judged.output.len() as u64 <= 8 * MIB.max(judged.ran.stdout_bytes), "I6: output");
        expect(
            judged.ran.stderr.head.len() + judged.ran.stderr.tail.len() <= 64 << 10,
            "I6: stderr",
        );
        // The run's stdout is one of ours.
        expect(now.descriptors <= before.descriptors + 2 + judged.ran.collected.len(), "I8: fds");
        expect(!Self::zombies(), "I9: zombies");
        let told = [&judged.output, &judged.ran.stderr.head, &judged.ran.stderr.tail];
        let leak = told.iter().any(|text| contains(text, CANARY.as_bytes()));
        expect(!leak, "I13: the secret was told");
        let escaped = told.iter().any(|text| contains(text, b"ESCAPED"));
        expect(!escaped, "it says that it escaped");
        expect(now.clock.abs_diff(before.clock) <= 1 && now.host == before.host, "I14: clock");
        expect(now.mounts == before.mounts, "I15: mounts");
        if judged.ran.ended == Ended::Over(Limit::Cpu) {
            expect(judged.ran.cpu() < judged.ran.cpu().max(judged.wall), "I11: CPU time");
        }
        broken
    }

    /// Processes that carry the mark of a run or belong to the user of the runs.
    fn alive(&self) -> usize {
        let mark = self.mark();
        let user = self.sandbox.report().user;
        let pids = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            let Ok(environ) = fs::read(entry.path().join("environ")) else { return false };
            contains(&environ, mark.as_bytes())
                || contains(&environ, b"JURY_RUN_MARK")
                    && user.is_some()
                    && entry.metadata().is_ok_and(|meta| Some(meta.uid()) == user)
        });
        pids.count()
    }

    fn zombies() -> bool {
        let own = std::process::id().to_string();
        fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
            fields.next() == Some("Z") && fields.next() == Some(&own)
        })
    }

    /// Removes what programs have left that were not contained.
    pub(super) fn tidy(&self) {
        for path in self.outside() {
            let telling = path.to_string_lossy().contains("jury_escaped");
            if telling {
                let _ = fs::remove_file(&path);
            }
        }
    }

    /// Ends the sandbox; what it has left.
    pub(super) fn end(self) -> Vec<String> {
        drop(self.sandbox);
        let left = fs::read_dir(self.place.path()).unwrap().flatten();
        left.map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with("jury-box"))
            .map(|name| format!("left: {name}"))
            .collect()
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
