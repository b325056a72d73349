//! Messages with descriptors over a socket pair: kind, length, bytes.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// The most descriptors that go with one message.
pub(super) const MOST_DESCRIPTORS: usize = 250;
const HEADER: usize = 5;

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Judge to runner: what to be.
    Setup = 1,
    /// Judge to runner: which paths are visible from now on.
    Configure = 2,
    /// Judge to runner: one run.
    Run = 3,
    /// Runner to judge: done.
    Done = 4,
    /// Runner to judge: the runner's own part failed, with the reason.
    Failed = 5,
    /// Judge to runner, during a run: what is the program doing?
    Look = 6,
    /// Runner to judge: the answer to that.
    Doing = 7,
    /// Judge to runner, during a run: end it now.
    End = 8,
}

impl Kind {
    fn of(byte: u8) -> io::Result<Self> {
        let all = [
            Self::Setup,
            Self::Configure,
            Self::Run,
            Self::Done,
            Self::Failed,
            Self::Look,
            Self::Doing,
            Self::End,
        ];
        all.into_iter()
            .find(|&kind| kind as u8 == byte)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "an unknown message"))
    }

    /// Whether it is about a run that goes on, and means nothing when that has just ended.
    pub(super) fn is_aside(self) -> bool {
        matches!(self, Self::Look | Self::End)
    }
}

/// A message as it came.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
    pub(super) descriptors: Vec<OwnedFd>,
}

/// Sends one message; descriptors go with its first byte.
pub(super) fn send(
    mut socket: &UnixStream,
    kind: Kind,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut message = Vec::with_capacity(HEADER + bytes.len());
    message.push(kind as u8);
    message.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    message.extend_from_slice(bytes);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("too many files for one run"));
    }
    let sent = loop {
        let slices = [IoSlice::new(&message)];
        match sendmsg(socket, &slices, &mut ancillary, SendFlags::NOSIGNAL) {
            Err(Errno::INTR) => {}
            other => break other?,
        }
    };
    socket.write_all(&message[sent..])
}

/// Receives one message; none when the other end is gone.
pub(super) fn receive(mut socket: &UnixStream) -> io::Result<Option<Message>> {
    let mut header = [0; HEADER];
    let mut descriptors = Vec::new();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let read = loop {
        let mut slices = [IoSliceMut::new(&mut header)];
        match recvmsg(socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            Err(Errno::CONNRESET) => break 0,
            other => break other?.bytes,
        }
    };
    if read == 0 {
        return Ok(None);
    }
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    socket.read_exact(&mut header[read..])?;
    let length = u32::from_le_bytes([header[1], header[2], header[3], header[4]]);
    let mut bytes = vec![0; length as usize];
    socket.read_exact(&mut bytes)?;
    Ok(Some(Message { kind: Kind::of(header[0])?, bytes, descriptors }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::AsFd;

    #[test]
    fn messages_keep_their_bounds_and_their_descriptors() {
        let (left, right) = UnixStream::pair().unwrap();
        let null = File::open("/dev/null").unwrap();
        send(&left, Kind::Configure, b"first", &[]).unwrap();
        send(&left, Kind::Run, b"", &[null.as_fd(), null.as_fd()]).unwrap();
        let first = receive(&right).unwrap().unwrap();
        assert_eq!((first.kind, &first.bytes[..]), (Kind::Configure, &b"first"[..]));
        assert_eq!(first.descriptors.len(), 0);
        let second = receive(&right).unwrap().unwrap();
        assert_eq!((second.kind, second.bytes.len()), (Kind::Run, 0));
        assert_eq!(second.descriptors.len(), 2);
        drop(left);
        assert!(receive(&right).unwrap().is_none());
    }
}
