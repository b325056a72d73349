//! Pictures of inputs, embedded as images: their own styles stay their own.

use super::data::Data;
use crate::model::Job;

/// Bytes of one picture.
const MOST_BYTES: usize = 128 << 10;

/// Bytes of all pictures of a page.
const MOST_IN_ALL: usize = 512 << 10;

/// Hands out pictures until the page has enough of them. An input is drawn once.
pub(super) struct Pictures {
    left: usize,
    drawn: Vec<(usize, usize)>,
}

/// What came of an input.
pub(super) enum Drawn {
    /// It cannot be drawn.
    No,
    /// It is on the page already.
    Already,
    /// It would be too large here.
    TooLarge,
    /// The picture as the value of an `src` attribute.
    Yes(String),
}

impl Pictures {
    pub(super) fn new() -> Self {
        Self { left: MOST_IN_ALL, drawn: Vec::new() }
    }

    /// The picture of the input of a job.
    pub(super) fn draw(&mut self, data: &Data, job: Job) -> Drawn {
        if self.drawn.contains(&(job.problem, job.case)) {
            return Drawn::Already;
        }
        if self.left == 0 {
            return Drawn::No;
        }
        let picture = (data.options.picture)(data.plan.problem(job), data.plan.case(job));
        let Some(svg) = picture else { return Drawn::No };
        if svg.len() > MOST_BYTES.min(self.left) {
            return Drawn::TooLarge;
        }
        self.left -= svg.len();
        self.drawn.push((job.problem, job.case));
        Drawn::Yes(format!("data:image/svg+xml;base64,{}", base64(svg.as_bytes())))
    }
}

/// RFC 4648 with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| chunk.get(at).map_or(0, |&byte| u32::from(byte));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_vectors_of_rfc_4648() {
        let table =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, encoded) in table {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
