//! Standard error as a terminal that is a few columns narrower than it is: the drawing library
//! fills its line with blanks, and Ctrl-C, which the terminal echoes behind them, must not break
//! the line.

use std::io::{self, Write};

use indicatif::TermLike;

/// Columns that stay free.
const FREE: u16 = 4;

/// Columns of a terminal that does not tell.
const USUAL: u16 = 80;

/// Standard error, narrower than it is.
#[derive(Debug)]
pub(super) struct NarrowTerminal;

impl NarrowTerminal {
    /// Columns that may be used.
    pub(super) fn columns() -> u16 {
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(USUAL, |(w, _)| w.0);
        width.saturating_sub(FREE).max(1)
    }
}

fn write(text: &str) -> io::Result<()> {
    io::stderr().lock().write_all(text.as_bytes())
}

/// A movement of the cursor by so many places.
fn move_cursor(places: usize, direction: char) -> io::Result<()> {
    if places == 0 { Ok(()) } else { write(&format!("\x1b[{places}{direction}")) }
}

impl TermLike for NarrowTerminal {
    fn width(&self) -> u16 {
        Self::columns()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        move_cursor(n, 'D')
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        write(s).and_then(|()| write("\n"))
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        write(s)
    }

    fn clear_line(&self) -> io::Result<()> {
        write("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
