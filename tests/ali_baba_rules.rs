//! The solver against the rules themselves, played out with real hit points.

#[path = "../benches/boards/ali_baba.rs"]
mod boards;

use std::collections::HashMap;
use std::io::Read;

use boards::{ALL, Family, Numbers, make};
use jury::random::Random;
use jury::simd::Level;
use jury::solvers::ali_baba::solve_at;
use jury::solvers::{Options, Proof};

const VERIFY: Options = Options {
    proof: Proof::Verify,
    bounds: jury::solvers::Bounds::Any,
    format: jury::solvers::Format::Lenient,
};

fn text_of(board: &Numbers) -> Vec<u8> {
    let mut text = Vec::new();
    board.write(&mut text);
    text
}

/// The answers to a text at one level, one for each board.
fn answers(level: Level, text: &[u8], options: Options) -> Vec<String> {
    read_answers(level, &mut { text }, options)
}

fn read_answers(level: Level, input: &mut dyn Read, options: Options) -> Vec<String> {
    let mut answer = Vec::new();
    solve_at(level, input, &mut answer, options).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(answer).expect("plain text").lines().map(str::to_owned).collect()
}

/// The game as the rules tell it.
struct Game<'b> {
    board: &'b Numbers,
    known: HashMap<Vec<i32>, bool>,
    most: usize,
}

impl Game<'_> {
    /// Whether the player to move wins; nothing if that needs too many states.
    fn wins(&mut self, cells: &[i32]) -> Option<bool> {
        if let Some(&known) = self.known.get(cells) {
            return Some(known);
        }
        let touched = self.touched(cells);
        let mut wins = touched.iter().any(|&cell| cells[cell] == -1);
        assert!(!touched.is_empty(), "there is always a move: {cells:?}");
        for cell in touched {
            if wins {
                break;
            }
            let mut next = cells.to_vec();
            next[cell] -= 1;
            wins = !self.wins(&next)?;
        }
        if self.known.len() >= self.most {
            return None;
        }
        self.known.insert(cells.to_vec(), wins);
        Some(wins)
    }

    /// Stones and treasure that can be touched from outside.
    fn touched(&self, cells: &[i32]) -> Vec<usize> {
        // With a frame of empty cells around the board, walked from its corner.
        let (columns, width) = (self.board.columns, self.board.columns + 2);
        let mut framed = vec![0; (self.board.rows + 2) * width];
        for (row, numbers) in cells.chunks(columns).enumerate() {
            framed[(row + 1) * width + 1..][..columns].copy_from_slice(numbers);
        }
        let mut seen = vec![false; framed.len()];
        let mut walk = vec![0];
        let mut touched = Vec::new();
        while let Some(at) = walk.pop() {
            for next in [at + 1, at + width, at.wrapping_sub(1), at.wrapping_sub(width)] {
                if next >= framed.len() || std::mem::replace(&mut seen[next], true) {
                    continue;
                }
                if framed[next] == 0 {
                    walk.push(next);
                } else {
                    touched.push((next / width - 1) * columns + next % width - 1);
                }
            }
        }
        touched
    }
}

/// Who wins by play; nothing if that needs too many states.
fn play(board: &Numbers, most: usize) -> Option<String> {
    let mut game = Game { board, known: HashMap::new(), most };
    let wins = game.wins(&board.cells)?;
    Some(if wins { "Ali Win" } else { "Baba Win" }.to_owned())
}

/// Compares many boards, given as one text, with play; gives the number of boards played.
fn compare(boards: &[Numbers], most: usize, what: &str) -> usize {
    let mut text = Vec::new();
    for board in boards {
        board.write(&mut text);
    }
    let answers = answers(Level::detect(), &text, VERIFY);
    assert_eq!(answers.len(), boards.len());
    let mut played = 0;
    for (board, answer) in boards.iter().zip(&answers) {
        if let Some(by_play) = play(board, most) {
            played += 1;
            assert_eq!(*answer, by_play, "{what}:\n{}", String::from_utf8_lossy(&text_of(board)));
        }
    }
    played
}

/// Every board of a size with one treasure and otherwise numbers up to `most`.
fn every(rows: usize, columns: usize, most: i32) -> Vec<Numbers> {
    let mut boards = Vec::new();
    for treasure in 0..rows * columns {
        let mut cells = vec![0; rows * columns];
        cells[treasure] = -1;
        loop {
            boards.push(Numbers { rows, columns, cells: cells.clone() });
            let next = (0..cells.len()).filter(|&cell| cell != treasure).find(|&cell| {
                cells[cell] = (cells[cell] + 1) % (most + 1);
                cells[cell] != 0
            });
            if next.is_none() {
                break;
            }
        }
    }
    boards
}

#[test]
fn every_tiny_board_has_the_winner_of_perfect_play() {
    for (rows, columns, most) in [
        (1, 1, 2),
        (1, 4, 3),
        (4, 1, 3),
        (2, 2, 3),
        (2, 3, 2),
        (3, 2, 2),
        (3, 3, 2),
        (3, 4, 1),
        (4, 3, 1),
    ] {
        let boards = every(rows, columns, most);
        let played = compare(&boards, usize::MAX, "every board");
        assert_eq!(played, boards.len());
    }
}

#[test]
fn random_boards_of_every_family_have_the_winner_of_perfect_play() {
    const SEED: u64 = 20_111;
    let mut random = Random::new(SEED);
    let mut all_played = 0;
    for &(name, family) in ALL {
        let boards: Vec<_> = (0..2_500)
            .map(|turn| {
                let longest = if turn % 8 == 0 { 9 } else { 6 };
                let (rows, columns) = (random.between(1, longest), random.between(1, longest));
                let most = random.between(1, 3);
                make(family, rows as usize, columns as usize, most, &mut random)
            })
            .collect();
        let played = compare(&boards, 3_000, &format!("{name}, seed {SEED}"));
        assert!(played > 900, "{name}: only {played} boards were small enough");
        all_played += played;
    }
    assert!(all_played >= 20_000, "only {all_played} boards were small enough");
}

#[test]
fn small_rooms_with_islands_and_pockets_have_the_winner_of_perfect_play() {
    const SEED: u64 = 7;
    let mut random = Random::new(SEED);
    let boards: Vec<_> = (0..6_000).map(|_| ring(&mut random)).collect();
    let played = compare(&boards, 20_000, &format!("rings, seed {SEED}"));
    assert!(played > 3_000, "only {played} boards were small enough");
}

/// A closed ring of stones around a small room with islands, few stones elsewhere.
fn ring(random: &mut Random) -> Numbers {
    let (rows, columns) = (random.between(4, 7) as usize, random.between(4, 7) as usize);
    let mut cells = vec![0; rows * columns];
    let (top, left) = (random.below(2) as usize, random.below(2) as usize);
    for row in 0..rows {
        for column in 0..columns {
            let inner = row > top && row + 1 < rows && column > left && column + 1 < columns;
            let ring = row >= top && column >= left && !inner;
            let corner =
                (row == top || row + 1 == rows) && (column == left || column + 1 == columns);
            let percent = if ring && !corner {
                100
            } else if inner {
                25
            } else {
                10
            };
            if random.percent(percent) {
                cells[row * columns + column] = if random.percent(85) { 1 } else { 2 };
            }
        }
    }
    let treasure = (top + 1) * columns + left + 1;
    cells[treasure] = -1;
    Numbers { rows, columns, cells }
}

/// A board of some family that is too large to be played.
fn medium(random: &mut Random, turn: usize) -> Numbers {
    let (rows, columns) = (random.between(1, 150) as usize, random.between(1, 200) as usize);
    let most = [1, 9, 99, 150][random.below(4) as usize];
    make(ALL[turn % ALL.len()].1, rows, columns, most, random)
}

#[test]
fn mirrored_and_turned_boards_have_the_same_winner() {
    const SEED: u64 = 5;
    let mut random = Random::new(SEED);
    for turn in 0..400 {
        let board = medium(&mut random, turn);
        let (rows, columns) = (board.rows, board.columns);
        let pick = |rows: usize, columns: usize, from: &dyn Fn(usize, usize) -> usize| {
            let cells =
                (0..rows * columns).map(|cell| board.cells[from(cell / columns, cell % columns)]);
            Numbers { rows, columns, cells: cells.collect() }
        };
        let mirrored = pick(rows, columns, &|row, column| row * columns + columns - 1 - column);
        let flipped = pick(rows, columns, &|row, column| (rows - 1 - row) * columns + column);
        let turned = pick(columns, rows, &|row, column| (rows - 1 - column) * columns + row);
        let mut text = text_of(&board);
        for board in [mirrored, flipped, turned] {
            board.write(&mut text);
        }
        let answers = answers(Level::detect(), &text, VERIFY);
        assert!(answers.iter().all(|answer| *answer == answers[0]), "seed {SEED}, turn {turn}");
    }
}

/// Gives at most a few bytes at a time.
struct Trickle<'t>(&'t [u8], Random, u64);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = self.1.between(1, self.2).min(buffer.len() as u64) as usize;
        self.0.read(&mut buffer[..most])
    }
}

#[test]
fn levels_chunks_and_the_simple_check_agree_on_every_family() {
    const SEED: u64 = 11;
    let mut random = Random::new(SEED);
    for turn in 0..320 {
        let mut text = Vec::new();
        for part in 0..random.between(1, 4) as usize {
            medium(&mut random, turn + part).write(&mut text);
        }
        let expected = answers(Level::Portable, &text, VERIFY);
        for level in Level::available() {
            let what = format!("seed {SEED}, turn {turn}, {level:?}");
            assert_eq!(answers(level, &text, Options::default()), expected, "{what}");
            let most = [1, 3, 70, 5_000, 70_000][turn % 5];
            let mut trickle = Trickle(&text, random.clone(), most);
            assert_eq!(read_answers(level, &mut trickle, Options::default()), expected, "{what}");
        }
    }
}

#[test]
fn many_tiny_boards_in_one_text_are_kept_apart() {
    const SEED: u64 = 13;
    let mut random = Random::new(SEED);
    let boards: Vec<_> = (0..30_000)
        .map(|turn| {
            let (rows, columns) = (random.between(1, 4) as usize, random.between(1, 5) as usize);
            make(ALL[turn % ALL.len()].1, rows, columns, 120, &mut random)
        })
        .collect();
    let mut text = Vec::new();
    for board in &boards {
        board.write(&mut text);
    }
    let expected: Vec<_> =
        boards.iter().flat_map(|board| answers(Level::Portable, &text_of(board), VERIFY)).collect();
    for level in Level::available() {
        assert_eq!(answers(level, &text, Options::default()), expected, "seed {SEED}, {level:?}");
        assert_eq!(answers(level, &text, VERIFY), expected, "seed {SEED}, {level:?}");
    }
}

#[test]
fn long_numbers_count_by_their_last_digit_and_leading_zeros_do_not() {
    let long = |digit: &str| "9".repeat(100_000) + digit;
    for (stone, answer) in [
        (long("1"), "Ali Win"),
        (long("2"), "Baba Win"),
        ("0".repeat(70_000), "Baba Win"),
        ("0".repeat(70_000) + "3", "Ali Win"),
    ] {
        let text = format!("3 4\n0 1 0 {stone}\n1 -01 001 0\n0 01 0 0\n");
        for level in Level::available() {
            assert_eq!(answers(level, text.as_bytes(), VERIFY), [answer], "{level:?}");
        }
    }
}

#[test]
fn boards_with_a_side_of_a_multiple_of_64_have_no_seam() {
    const SEED: u64 = 17;
    let mut random = Random::new(SEED);
    for side in [63, 64, 65, 127, 128, 129, 191, 192, 193] {
        for family in [Family::Hall, Family::Maze, Family::Islands, Family::Rings, Family::Snake] {
            let board = make(family, 129, side, 9, &mut random);
            answers(Level::detect(), &text_of(&board), VERIFY);
        }
    }
}
