//! What judge and runner say to each other: the set-up once, then runs and answers.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::cgroup::{Part, Seat};
use super::level::{Layer, Layers, Missing};
use super::ran::{CpuSource, Ended, Limit, MemoryMetric, Refusal, Stderr};
use super::spec::{AddressSpace, Collect, CollectAll, RunLimits, Spec};
use super::wire::{Reader, Writer};

/// What a runner is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setup {
    /// The layers to try.
    pub(super) layers: Layers,
    /// The runner's own folder, which exists and is empty.
    pub(super) folder: PathBuf,
    /// The user that runs go under, when the runner may choose.
    pub(super) user: Option<u32>,
    /// Bytes of a working folder in memory.
    pub(super) box_bytes: u64,
    /// The control groups of the runner and its runs, when there is the layer.
    pub(super) seat: Seat,
}

impl Setup {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(u64::from(self.layers.0)).text(&self.folder);
        writer.optional(self.user.map(u64::from)).number(self.box_bytes);
        let seat = &self.seat;
        for list in [seat.into.as_slice(), &seat.join, &seat.remove] {
            writer.list(list, |writer, path| {
                writer.text(path);
            });
        }
        writer.number(u64::from(seat.memory));
        writer.bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader::new(bytes);
        Ok(Self {
            layers: Layers(reader.number()? as u8),
            folder: reader.text()?.into(),
            user: reader.optional()?.map(|user| user as u32),
            box_bytes: reader.number()?,
            seat: Seat {
                into: reader.list(Reader::text)?.pop().map(PathBuf::from),
                join: reader.list(|reader| Ok(reader.text()?.into()))?,
                remove: reader.list(|reader| Ok(reader.text()?.into()))?,
                memory: reader.number()? != 0,
            },
        })
    }
}

/// What a runner has become.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Ready {
    pub(super) layers: Layers,
    /// Layers, or parts of them, that are not there.
    pub(super) missing: Vec<Missing>,
    /// The version of landlock, when its layer is there.
    pub(super) landlock: Option<u32>,
}

impl Ready {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(u64::from(self.layers.0)).optional(self.landlock.map(u64::from));
        writer.list(&self.missing, |writer, missing| {
            writer.number(missing.layer as u64).text(&missing.reason);
        });
        writer.bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader::new(bytes);
        let layers = Layers(reader.number()? as u8);
        let landlock = reader.optional()?.map(|version| version as u32);
        let missing = reader.list(|reader| {
            let layer = Layer::ALL[reader.number()? as usize % Layer::ALL.len()];
            Ok(Missing { layer, reason: reader.text()?.to_string_lossy().into_owned() })
        })?;
        Ok(Self { layers, missing, landlock })
    }
}

/// One run, without its descriptors: input, output, the files of its control group, then those to
/// copy in.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) program: Vec<OsString>,
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) folders: Vec<PathBuf>,
    /// Names of the files to copy in, and whether they may be executed.
    pub(super) copy_in: Vec<(PathBuf, bool)>,
    pub(super) collect: Vec<Collect>,
    pub(super) collect_all: Option<CollectAll>,
    pub(super) limits: RunLimits,
    pub(super) core: Option<usize>,
    /// What the files of the control group are.
    pub(super) group: Vec<Part>,
}

impl Request {
    /// The bytes of a run; `executable` says so for each file to copy in.
    pub(super) fn encode(spec: &Spec, executable: &[bool], group: &[Part]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.list(&spec.program, |writer, argument| {
            writer.text(argument);
        });
        writer.list(&spec.environment, |writer, (name, value)| {
            writer.text(name).text(value);
        });
        writer.list(&spec.work.folders, |writer, folder| {
            writer.text(folder);
        });
        writer.number(executable.len() as u64);
        for (copy, &executable) in spec.work.copy_in.iter().zip(executable) {
            writer.text(&copy.name).number(u64::from(executable));
        }
        writer.list(&spec.work.collect, |writer, collect| {
            writer.text(&collect.name).number(collect.most_bytes);
        });
        writer.list(spec.work.collect_all.as_slice(), |writer, all| {
            writer.text(&all.folder).number(all.most_files as u64).number(all.most_bytes);
        });
        encode_limits(&mut writer, &spec.limits);
        writer.optional(spec.core.map(|core| core as u64));
        writer.list(group, |writer, &part| {
            writer.number(part as u64);
        });
        writer.bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader::new(bytes);
        Ok(Self {
            program: reader.list(Reader::text)?,
            environment: reader.list(|reader| Ok((reader.text()?, reader.text()?)))?,
            folders: reader.list(|reader| Ok(reader.text()?.into()))?,
            copy_in: reader.list(|reader| Ok((reader.text()?.into(), reader.number()? != 0)))?,
            collect: reader.list(|reader| {
                Ok(Collect { name: reader.text()?.into(), most_bytes: reader.number()? })
            })?,
            collect_all: reader
                .list(|reader| {
                    let folder = reader.text()?.into();
                    let most_files = reader.number()? as usize;
                    Ok(CollectAll { folder, most_files, most_bytes: reader.number()? })
                })?
                .pop(),
            limits: decode_limits(&mut reader)?,
            core: reader.optional()?.map(|core| core as usize),
            group: reader
                .list(|reader| Ok(Part::ALL[reader.number()? as usize % Part::ALL.len()]))?,
        })
    }
}

fn encode_limits(writer: &mut Writer, limits: &RunLimits) {
    writer.optional(limits.user.map(|user| user.as_nanos() as u64));
    writer.duration(limits.cpu).duration(limits.wall).number(limits.memory).number(limits.output);
    writer.number(u64::from(limits.patience));
    writer.number(u64::from(limits.processes)).optional(limits.stack);
    writer.number(u64::from(limits.stderr_kept)).number(limits.open_files);
    writer.number(limits.file_size);
    writer.number(u64::from(limits.address_space == AddressSpace::Data));
}

fn decode_limits(reader: &mut Reader<'_>) -> io::Result<RunLimits> {
    Ok(RunLimits {
        user: reader.optional()?.map(Duration::from_nanos),
        cpu: reader.duration()?,
        wall: reader.duration()?,
        memory: reader.number()?,
        output: reader.number()?,
        patience: reader.number()? as u32,
        processes: reader.number()? as u32,
        stack: reader.optional()?,
        stderr_kept: reader.number()? as u32,
        open_files: reader.number()?,
        file_size: reader.number()?,
        address_space: match reader.number()? {
            0 => AddressSpace::Free,
            _ => AddressSpace::Data,
        },
    })
}

/// What the runner knows after a run; the collected files go along as descriptors.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) ended: Ended,
    pub(super) cpu_user: Duration,
    pub(super) cpu_system: Duration,
    pub(super) cpu_source: CpuSource,
    pub(super) wall: Duration,
    /// The part of it that does not count: no processor was free.
    pub(super) queued: Duration,
    pub(super) memory_peak: u64,
    pub(super) memory_metric: MemoryMetric,
    pub(super) involuntary: u64,
    pub(super) stderr: Stderr,
    pub(super) written: u64,
    /// The names of the collected files.
    pub(super) collected: Vec<PathBuf>,
    pub(super) refused: Vec<(PathBuf, Refusal)>,
    /// Whether its control group cannot be used again.
    pub(super) spent: bool,
}

impl Answer {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let (kind, detail) = match self.ended {
            Ended::Exited(code) => (0, code as u32),
            Ended::Signaled(signal) => (1, signal as u32),
            Ended::Over(limit) => (2, limit as u32),
            Ended::NotStarted(error) => (3, error as u32),
            Ended::NotSetUp(error) => (4, error as u32),
        };
        writer.number(kind).number(u64::from(detail));
        writer.duration(self.cpu_user).duration(self.cpu_system).duration(self.wall);
        writer.duration(self.queued);
        writer.number(self.cpu_source as u64).number(self.memory_metric as u64);
        writer.number(self.memory_peak).number(self.involuntary);
        writer.bytes(&self.stderr.head).bytes(&self.stderr.tail).number(self.stderr.total);
        writer.list(&self.collected, |writer, name| {
            writer.text(name);
        });
        writer.list(&self.refused, |writer, (name, refusal)| {
            let (kind, bytes) = match refusal {
                Refusal::NotPlain => (0, 0),
                Refusal::TooBig(bytes) => (1, *bytes),
                Refusal::TooMany => (2, 0),
            };
            writer.text(name).number(kind).number(bytes);
        });
        writer.number(u64::from(self.spent)).number(self.written);
        writer.bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader::new(bytes);
        let ended = decode_ended(&mut reader)?;
        let (cpu_user, cpu_system) = (reader.duration()?, reader.duration()?);
        let (wall, queued) = (reader.duration()?, reader.duration()?);
        let sources =
            [CpuSource::Rusage, CpuSource::Polled, CpuSource::Cgroup2, CpuSource::Cgroup1];
        let metrics = [
            MemoryMetric::MaxRss,
            MemoryMetric::PolledSum,
            MemoryMetric::Cgroup2,
            MemoryMetric::Cgroup1,
        ];
        let cpu_source = sources[reader.number()? as usize % sources.len()];
        let memory_metric = metrics[reader.number()? as usize % metrics.len()];
        let (memory_peak, involuntary) = (reader.number()?, reader.number()?);
        let stderr = Stderr {
            head: reader.bytes()?.to_vec(),
            tail: reader.bytes()?.to_vec(),
            total: reader.number()?,
        };
        let collected = reader.list(|reader| Ok(reader.text()?.into()))?;
        let refused = reader.list(|reader| {
            let name = reader.text()?.into();
            let refusal = match (reader.number()?, reader.number()?) {
                (0, _) => Refusal::NotPlain,
                (1, bytes) => Refusal::TooBig(bytes),
                _ => Refusal::TooMany,
            };
            Ok((name, refusal))
        })?;
        Ok(Self {
            ended,
            cpu_user,
            cpu_system,
            cpu_source,
            wall,
            queued,
            memory_peak,
            memory_metric,
            involuntary,
            stderr,
            collected,
            refused,
            spent: reader.number()? != 0,
            written: reader.number()?,
        })
    }
}

fn decode_ended(reader: &mut Reader<'_>) -> io::Result<Ended> {
    let (kind, detail) = (reader.number()?, reader.number()? as u32);
    let limits = [Limit::Cpu, Limit::Wall, Limit::Output, Limit::Memory];
    Ok(match kind {
        0 => Ended::Exited(detail as i32),
        1 => Ended::Signaled(detail as i32),
        2 => Ended::Over(limits[detail as usize % limits.len()]),
        3 => Ended::NotStarted(detail as i32),
        _ => Ended::NotSetUp(detail as i32),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_back_as_they_were_written() {
        let endings = [
            Ended::Exited(255),
            Ended::Signaled(11),
            Ended::Over(Limit::Memory),
            Ended::Over(Limit::Cpu),
            Ended::NotStarted(2),
            Ended::NotSetUp(11),
        ];
        for ended in endings {
            let answer = Answer {
                ended,
                cpu_user: Duration::from_micros(7),
                cpu_system: Duration::from_micros(9),
                cpu_source: CpuSource::Polled,
                wall: Duration::from_secs(2),
                queued: Duration::from_millis(3),
                memory_peak: 1 << 40,
                memory_metric: MemoryMetric::Cgroup1,
                involuntary: 3,
                stderr: Stderr { head: b"ab".to_vec(), tail: b"yz".to_vec(), total: 9 },
                collected: vec!["a/b".into()],
                written: 1 << 33,
                refused: vec![
                    ("c".into(), Refusal::TooBig(7)),
                    ("d".into(), Refusal::NotPlain),
                    ("e".into(), Refusal::TooMany),
                ],
                spent: true,
            };
            assert_eq!(Answer::decode(&answer.encode()).unwrap(), answer);
        }
    }

    #[test]
    fn runs_are_read_back_as_they_were_written() {
        let mut spec = Spec::new(["/bin/true", "x"]);
        spec.environment.push(("A".into(), "b c".into()));
        spec.core = Some(1);
        spec.limits.stack = Some(5);
        spec.limits.user = Some(Duration::from_millis(7));
        spec.limits.address_space = AddressSpace::Free;
        spec.work.collect.push(Collect::new("out", 10));
        spec.work.folders.push("kept".into());
        let all = CollectAll { folder: "kept".into(), most_files: 3, most_bytes: 9 };
        spec.work.collect_all = Some(all);
        let parts = [Part::Kill, Part::OldPeak];
        let request = Request::decode(&Request::encode(&spec, &[], &parts)).unwrap();
        assert_eq!(request.program, spec.program);
        assert_eq!(request.environment, spec.environment);
        assert_eq!(request.limits, spec.limits);
        assert_eq!((request.core, request.collect.len()), (Some(1), 1));
        assert_eq!(request.folders, spec.work.folders);
        assert_eq!(request.collect_all, spec.work.collect_all);
        assert_eq!(request.group, parts);
    }
}
