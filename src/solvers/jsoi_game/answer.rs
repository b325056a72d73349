//! The answer: `WIN` and the winning cells, or `LOSE`.

use std::io::{self, Write};

use super::analyse::Analysis;
use super::board::WIN;

/// Text is handed to the writer in pieces of about this size.
const PIECE: usize = 1 << 16;
/// The longest line: two numbers of ten digits, a blank, a newline; and room for a wide store.
const LINE: usize = 32;
/// Columns up to this one are written from a table.
const TABLE: u32 = 1 << 16;

/// Writes the answer, every line ended.
///
/// # Errors
/// Those of the writer.
pub fn answer(analysis: &Analysis, output: &mut dyn Write) -> io::Result<()> {
    if analysis.winners() == 0 {
        return output.write_all(b"LOSE\n");
    }
    output.write_all(b"WIN\n")?;
    let board = analysis.board();
    let table: Vec<u64> = (1..=board.columns().min(TABLE)).map(column_text).collect();
    let size = (analysis.winners().saturating_mul(LINE as u64)).min(PIECE as u64) as usize;
    let mut text = Text { bytes: vec![0; size + LINE], used: 0 };
    for row in 0..board.rows() {
        let prefix = row_text(row + 1);
        for (block, cells) in board.row(row).chunks(8).enumerate() {
            let mut bits = win_bits(cells);
            while bits != 0 {
                let column = block * 8 + (bits.trailing_zeros() / 8) as usize;
                bits &= bits - 1;
                text.push(prefix.0, prefix.1);
                match table.get(column) {
                    Some(&entry) => text.push(u128::from(entry), (entry >> 56) as usize),
                    None => text.push_number(column as u64 + 1),
                }
                if text.used >= PIECE {
                    output.write_all(&text.bytes[..text.used])?;
                    text.used = 0;
                }
            }
        }
    }
    output.write_all(&text.bytes[..text.used])
}

/// The highest bit of each byte that belongs to a winning cell.
fn win_bits(cells: &[u8]) -> u64 {
    let mut word = [0; 8];
    match <[u8; 8]>::try_from(cells) {
        Ok(whole) => word = whole,
        Err(_) => word[..cells.len()].copy_from_slice(cells),
    }
    u64::from_le_bytes(word) & u64::from_le_bytes([WIN; 8])
}

/// Bytes that wait for the writer.
struct Text {
    bytes: Vec<u8>,
    used: usize,
}

impl Text {
    /// Appends the low `length` bytes of `text`.
    fn push(&mut self, text: u128, length: usize) {
        let Some(room) = self.bytes.get_mut(self.used..self.used + 16) else { return };
        room.copy_from_slice(&text.to_le_bytes());
        self.used += length;
    }

    /// Appends a number and a newline.
    fn push_number(&mut self, number: u64) {
        let (text, length) = digits(number);
        self.push(text | u128::from(b'\n') << (8 * length), length + 1);
    }
}

/// The digits of a number below 10^15, first one lowest, and their count.
fn digits(mut number: u64) -> (u128, usize) {
    let (mut text, mut length) = (0, 0);
    loop {
        text = text << 8 | u128::from(b'0' + (number % 10) as u8);
        length += 1;
        number /= 10;
        if number == 0 {
            return (text, length);
        }
    }
}

/// A row number and a blank.
fn row_text(row: u32) -> (u128, usize) {
    let (text, length) = digits(u64::from(row));
    (text | u128::from(b' ') << (8 * length), length + 1)
}

/// A column number of at most six digits and a newline; the count of bytes stands on top.
fn column_text(column: u32) -> u64 {
    let (text, length) = digits(u64::from(column));
    text as u64 | u64::from(b'\n') << (8 * length) | (length as u64 + 1) << 56
}
