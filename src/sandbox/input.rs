//! Input of a run: bytes in memory that no run can change and that have no name of a file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;

use rustix::fs::{MemfdFlags, Mode, SealFlags, fchmod, fcntl_add_seals, memfd_create};

/// What a program reads on stdin. Made once per test case, used by any number of runs at once;
/// each run has a position of its own.
#[derive(Debug)]
pub struct Input {
    /// A sealed file in memory; none means `/dev/null`.
    memory: Option<File>,
    bytes: u64,
}

impl Input {
    /// No input.
    #[must_use]
    pub fn empty() -> Self {
        Self { memory: None, bytes: 0 }
    }

    /// The given bytes.
    ///
    /// # Errors
    /// When memory is short.
    pub fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        Self::from_reader(bytes)
    }

    /// Everything that the reader gives.
    ///
    /// # Errors
    /// When reading fails or memory is short.
    pub fn from_reader(mut reader: impl Read) -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let mut memory = File::from(memfd_create("stdin", flags)?);
        let bytes = io::copy(&mut reader, &mut memory)?;
        Self::seal(memory, bytes)
    }

    /// The contents of a file, from its start.
    ///
    /// # Errors
    /// When reading fails or memory is short.
    pub fn from_file(file: &File) -> io::Result<Self> {
        let mut file = file;
        file.rewind()?;
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let mut memory = File::from(memfd_create("stdin", flags)?);
        let mut block = vec![0; 64 << 10];
        let mut bytes = 0;
        loop {
            let read = file.read(&mut block)?;
            if read == 0 {
                return Self::seal(memory, bytes);
            }
            memory.write_all(&block[..read])?;
            bytes += read as u64;
        }
    }

    /// How many bytes there are.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn seal(memory: File, bytes: u64) -> io::Result<Self> {
        let seals = SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
        fcntl_add_seals(&memory, seals)?;
        Ok(Self { memory: Some(memory), bytes })
    }

    /// A fresh description for one run, read-only, at the start.
    pub(super) fn open(&self) -> io::Result<File> {
        match &self.memory {
            None => File::open("/dev/null"),
            Some(memory) => {
                let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
                File::open(&path).or_else(|_| {
                    // A run of the same user can change the mode, but nothing else.
                    fchmod(memory, Mode::from_raw_mode(0o444))?;
                    File::open(&path)
                })
            }
        }
    }
}
