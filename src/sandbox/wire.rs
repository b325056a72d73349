//! Requests and answers between judge and runner as bytes: numbers of eight bytes, lists and byte
//! strings with their length in front. Both ends are the same program.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

/// Bytes under construction.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.bytes.extend_from_slice(&number.to_le_bytes());
        self
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(super) fn text(&mut self, text: impl AsRef<OsStr>) -> &mut Self {
        self.bytes(text.as_ref().as_bytes())
    }

    pub(super) fn duration(&mut self, duration: Duration) -> &mut Self {
        self.number(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }

    pub(super) fn optional(&mut self, number: Option<u64>) -> &mut Self {
        self.number(u64::from(number.is_some())).number(number.unwrap_or(0))
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for one in items {
            item(self, one);
        }
    }
}

/// Bytes being taken apart.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn number(&mut self) -> io::Result<u64> {
        let (number, rest) = self.rest.split_first_chunk::<8>().ok_or_else(torn)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*number))
    }

    pub(super) fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = self.number()? as usize;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or_else(torn)?;
        self.rest = rest;
        Ok(bytes)
    }

    pub(super) fn text(&mut self) -> io::Result<OsString> {
        Ok(OsString::from_vec(self.bytes()?.to_vec()))
    }

    pub(super) fn duration(&mut self) -> io::Result<Duration> {
        Ok(Duration::from_nanos(self.number()?))
    }

    pub(super) fn optional(&mut self) -> io::Result<Option<u64>> {
        let some = self.number()? != 0;
        let number = self.number()?;
        Ok(some.then_some(number))
    }

    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> io::Result<T>,
    ) -> io::Result<Vec<T>> {
        let length = self.number()?;
        (0..length).map(|_| item(self)).collect()
    }
}

fn torn() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a torn message between judge and runner")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut writer = Writer::default();
        writer.number(7).bytes(b"").text("a b").duration(Duration::from_millis(3)).optional(None);
        writer.list(&[1_u64, 2], |writer, &number| {
            writer.optional(Some(number));
        });
        let mut reader = Reader::new(&writer.bytes);
        assert_eq!(reader.number().unwrap(), 7);
        assert_eq!(reader.bytes().unwrap(), b"");
        assert_eq!(reader.text().unwrap(), "a b");
        assert_eq!(reader.duration().unwrap(), Duration::from_millis(3));
        assert_eq!(reader.optional().unwrap(), None);
        assert_eq!(reader.list(Reader::optional).unwrap(), [Some(1), Some(2)]);
        assert!(reader.number().is_err(), "nothing is left");
    }

    #[test]
    fn a_torn_message_is_an_error() {
        let mut writer = Writer::default();
        writer.bytes(b"hello");
        for length in 0..writer.bytes.len() {
            assert!(Reader::new(&writer.bytes[..length]).bytes().is_err(), "{length} bytes");
        }
    }
}
