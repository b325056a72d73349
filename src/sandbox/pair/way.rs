//! The pipe from one program of a pair to the other, with the judge's copies of its ends.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionread};
use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};

use super::transcript::{Speaker, Transcript};

/// The size that pipes get where the system allows it, its own default for the most.
const PIPE: usize = 1 << 20;
/// Bytes that are taken at once.
pub(super) const BLOCK: usize = 64 << 10;

/// One direction of a talk.
#[derive(Debug)]
pub(super) struct Way {
    from: Speaker,
    /// The end that the writer has, and the end that reads from it.
    write: Option<OwnedFd>,
    read: Option<OwnedFd>,
    /// The second pipe, when the judge passes everything on.
    relay: Option<Relay>,
    /// Whether what is written is thrown away.
    swallows: bool,
    /// Bytes that were on the way when its reader was seen to read no more.
    never_read: u64,
}

/// The judge between two pipes.
#[derive(Debug)]
struct Relay {
    write: Option<OwnedFd>,
    read: OwnedFd,
    /// What was taken and did not fit into the second pipe yet.
    left: Vec<u8>,
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    // A smaller pipe does as well.
    let _ = fcntl_setpipe_size(&write, PIPE);
    Ok((read, write))
}

fn is_empty(read: &OwnedFd) -> bool {
    ioctl_fionread(read).is_ok_and(|bytes| bytes == 0)
}

fn bytes_in(read: &OwnedFd) -> u64 {
    ioctl_fionread(read).unwrap_or(0)
}

/// What a pipe is ready for at this moment.
fn state(end: &OwnedFd, flags: PollFlags) -> PollFlags {
    let mut polled = [PollFd::new(end, flags)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    match poll(&mut polled, Some(&now)) {
        Ok(_) => polled[0].revents(),
        Err(_) => PollFlags::empty(),
    }
}

impl Way {
    /// A direct way, or one through the judge.
    pub(super) fn new(from: Speaker, through_judge: bool) -> io::Result<Self> {
        let (read, write) = pipe()?;
        let relay = if through_judge {
            // Both ends that the judge alone has never make it wait.
            rustix::io::ioctl_fionbio(&read, true)?;
            let (read, write) = pipe()?;
            rustix::io::ioctl_fionbio(&write, true)?;
            Some(Relay { write: Some(write), read, left: Vec::new() })
        } else {
            None
        };
        Ok(Self {
            from,
            write: Some(write),
            read: Some(read),
            relay,
            swallows: false,
            never_read: 0,
        })
    }

    /// The end for the program that writes.
    pub(super) fn for_writer(&self) -> Option<BorrowedFd<'_>> {
        self.write.as_ref().map(AsFd::as_fd)
    }

    /// The end for the program that reads.
    pub(super) fn for_reader(&self) -> Option<BorrowedFd<'_>> {
        match &self.relay {
            Some(relay) => Some(relay.read.as_fd()),
            None => self.read.as_ref().map(AsFd::as_fd),
        }
    }

    /// Whether there is nothing on the way.
    pub(super) fn is_empty(&self) -> bool {
        let relayed = self.relay.as_ref();
        self.read.as_ref().is_none_or(is_empty)
            && relayed.is_none_or(|relay| relay.left.is_empty() && is_empty(&relay.read))
    }

    /// Bytes that were written and that nobody has taken; of those that are thrown away it does not
    /// matter how far that has come.
    pub(super) fn untaken(&self) -> u64 {
        if self.swallows {
            return 0;
        }
        let relayed = self.relay.as_ref();
        let relayed = relayed.map_or(0, |relay| relay.left.len() as u64 + bytes_in(&relay.read));
        self.never_read + self.read.as_ref().map_or(0, bytes_in) + relayed
    }

    /// Whether nothing more can be written.
    pub(super) fn is_full(&self) -> bool {
        self.write.as_ref().is_some_and(|write| state(write, PollFlags::OUT).is_empty())
    }

    /// Lets the reader see that nothing more will come.
    pub(super) fn show_end(&mut self) {
        self.write = None;
        if let Some(relay) = &mut self.relay {
            relay.write = None;
        }
    }

    /// Frees the writer: the interactor by reading what it writes, the solution by telling it that
    /// nobody reads.
    pub(super) fn free_writer(&mut self) {
        match self.from {
            Speaker::Interactor => self.swallows = true,
            Speaker::Solution => {
                self.never_read += self.read.take().as_ref().map_or(0, bytes_in);
            }
        }
    }

    /// What the judge has to wait for on this way.
    pub(super) fn polled(&self) -> Option<PollFd<'_>> {
        let relay = self.relay.as_ref().filter(|_| !self.swallows);
        match relay {
            Some(Relay { write: Some(write), left, .. }) if !left.is_empty() => {
                Some(PollFd::new(write, PollFlags::OUT))
            }
            None if !self.swallows => None,
            _ => self.read.as_ref().map(|read| PollFd::new(read, PollFlags::IN)),
        }
    }

    /// Passes on, or throws away, what is there, without waiting. `block` is room to work with.
    pub(super) fn pump(
        &mut self,
        at: Duration,
        transcript: Option<&mut Transcript>,
        block: &mut [u8],
    ) -> io::Result<()> {
        if self.polled().is_none() || self.is_stuck()? {
            return Ok(());
        }
        let Some(taken) = self.take(block)? else { return Ok(()) };
        let taken = &block[..taken];
        if let Some(transcript) = transcript {
            transcript.add(at, self.from, taken);
        }
        match &mut self.relay {
            Some(relay) if !self.swallows => relay.pass_on(taken),
            _ => Ok(()),
        }
    }

    /// Whether something still waits for room in the second pipe.
    fn is_stuck(&mut self) -> io::Result<bool> {
        let Some(relay) = self.relay.as_mut().filter(|relay| !relay.left.is_empty()) else {
            return Ok(false);
        };
        let left = std::mem::take(&mut relay.left);
        relay.pass_on(&left)?;
        Ok(!relay.left.is_empty() && !self.swallows)
    }

    /// Reads what there is; none when that is nothing.
    fn take(&mut self, block: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(read) = &self.read else { return Ok(None) };
        if self.relay.is_none() {
            // The end of a direct way is also that of a program: reading must not make it wait.
            let state = state(read, PollFlags::IN);
            if !state.contains(PollFlags::IN) {
                if state.contains(PollFlags::HUP) {
                    self.read = None;
                }
                return Ok(None);
            }
        }
        match rustix::io::read(read, &mut *block) {
            Ok(0) => {
                // At the end of a way there is nothing to be waited for.
                self.read = None;
                Ok(None)
            }
            Ok(taken) => Ok(Some(taken)),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Relay {
    /// Writes to the second pipe as far as there is room, and remembers the rest.
    fn pass_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(write) = &self.write else { return Ok(()) };
        let written = match rustix::io::write(write, bytes) {
            Ok(written) => written,
            Err(Errno::AGAIN | Errno::INTR) => 0,
            Err(error) => return Err(error.into()),
        };
        self.left.extend_from_slice(&bytes[written..]);
        Ok(())
    }
}
