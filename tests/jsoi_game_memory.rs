//! `jsoi-game` within a limit of memory: enough for 6 bytes a cell, and an error where it is less.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use jury::random::Random;

/// The address space that a process takes without a board, in bytes.
const BASE: usize = 24 << 20;

/// A board with walls at `percent` of its cells.
fn draw(path: &Path, rows: usize, columns: usize, percent: u64) {
    let mut random = Random::new(rows as u64);
    let mut file = BufWriter::new(File::create(path).unwrap());
    writeln!(file, "{rows} {columns}").unwrap();
    for _ in 0..rows {
        let row: Vec<u8> =
            (0..columns).map(|_| if random.percent(percent) { b'#' } else { b'.' }).collect();
        file.write_all(&row).unwrap();
        file.write_all(b"\n").unwrap();
    }
    file.flush().unwrap();
}

/// Exit code and errors of `jury solve` with so many bytes of address space.
#[expect(clippy::disallowed_methods, reason = "only a process of its own can be short of memory")]
fn solve(board: &Path, bytes: usize) -> (Option<i32>, String) {
    let limited =
        format!("ulimit -v {}; exec \"$0\" solve jsoi-game \"$1\" >/dev/null", bytes >> 10);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_jury")]).arg(board);
    let output = shell.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

const SHAPES: &[(usize, usize)] = &[
    (1, 4_000_000),
    (4_000_000, 1),
    (2, 2_000_000),
    (3, 1_400_000),
    (1_400_000, 3),
    (5, 800_000),
    (40, 100_000),
    (2000, 2000),
];

#[test]
fn boards_of_every_shape_take_at_most_6_bytes_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    for &(rows, columns) in SHAPES {
        let board = folder.path().join(format!("{rows}x{columns}"));
        draw(&board, rows, columns, 3);
        let (code, errors) = solve(&board, BASE + 6 * rows * columns);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{rows} x {columns}");
    }
}

#[test]
fn a_board_that_does_not_fit_is_an_error_wherever_memory_ends() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, columns) in [(1, 4_000_000), (3, 1_400_000), (2000, 2000)] {
        let board = folder.path().join(format!("{rows}x{columns}"));
        draw(&board, rows, columns, 3);
        let mut refused = 0;
        for eighths in (1..48).step_by(6) {
            let (code, errors) = solve(&board, (16 << 20) + eighths * rows * columns / 8);
            let place = format!("{rows} x {columns}, {eighths} eighths of a byte a cell: {errors}");
            if code != Some(0) {
                assert!(
                    errors.contains(&format!("no memory for a board of {rows} x {columns}")),
                    "{place}"
                );
                assert!(code.is_some_and(|code| code < 128), "{place}");
                refused += 1;
            }
        }
        assert!(refused >= 3, "{rows} x {columns}: {refused}");
    }
}
