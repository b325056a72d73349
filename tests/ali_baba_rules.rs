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

/// The game as the rules tell it, on a board in a frame of empty cells.
struct Game {
    width: usize,
    cells: Vec<i32>,
    /// Two bits of each stone's place in a state, by cell.
    place: Vec<usize>,
    /// Who moves wins, by state: the hit points of all stones.
    known: HashMap<u128, bool>,
    most: usize,
    /// The last walk that has come to a cell.
    seen: Vec<usize>,
    walks: usize,
    walk: Vec<usize>,
    /// What can be touched in each state on the way to the current one.
    touched: Vec<usize>,
}

impl Game {
    /// The game on a board, with its state; none if the state has too many stones.
    fn new(board: &Numbers, most: usize) -> Option<(Self, u128)> {
        let width = board.columns + 2;
        let mut cells = vec![0; (board.rows + 2) * width];
        for (row, numbers) in board.cells.chunks(board.columns).enumerate() {
            cells[(row + 1) * width + 1..][..board.columns].copy_from_slice(numbers);
        }
        let mut place = vec![0; cells.len()];
        let (mut state, mut next) = (0, 0);
        for (place, &number) in place.iter_mut().zip(&cells).filter(|(_, number)| **number > 0) {
            assert!(number < 4, "two bits hold at most 3 hit points");
            if next == 128 {
                return None;
            }
            state |= u128::from(number.unsigned_abs()) << next;
            *place = next;
            next += 2;
        }
        let seen = vec![0; cells.len()];
        let (walks, walk, touched, known) = (0, Vec::new(), Vec::new(), HashMap::new());
        Some((Self { width, cells, place, known, most, seen, walks, walk, touched }, state))
    }

    /// Whether the player to move wins; nothing if that needs too many states.
    fn wins(&mut self, state: u128) -> Option<bool> {
        if let Some(&known) = self.known.get(&state) {
            return Some(known);
        }
        let start = self.touched.len();
        let mut wins = self.touch();
        let end = self.touched.len();
        assert!(wins || end > start, "there is always a move: {:?}", self.cells);
        for index in start..end {
            if wins {
                break;
            }
            let cell = self.touched[index];
            self.cells[cell] -= 1;
            let answer = self.wins(state - (1 << self.place[cell]));
            self.cells[cell] += 1;
            wins = !answer?;
        }
        self.touched.truncate(start);
        if self.known.len() >= self.most {
            return None;
        }
        self.known.insert(state, wins);
        Some(wins)
    }

    /// Appends the stones that can be touched from outside; whether the treasure can be touched.
    fn touch(&mut self) -> bool {
        self.walks += 1;
        self.walk.push(0);
        let mut treasure = false;
        while let Some(at) = self.walk.pop() {
            let (up, down) = (at.wrapping_sub(self.width), at + self.width);
            for next in [at + 1, down, at.wrapping_sub(1), up] {
                if next >= self.cells.len()
                    || std::mem::replace(&mut self.seen[next], self.walks) == self.walks
                {
                    continue;
                }
                match self.cells[next] {
                    0 => self.walk.push(next),
                    -1 => treasure = true,
                    _ => self.touched.push(next),
                }
            }
        }
        treasure
    }
}

/// Who wins by play; nothing if that needs too many states.
fn play(board: &Numbers, most: usize) -> Option<String> {
    let (mut game, state) = Game::new(board, most)?;
    let wins = game.wins(state)?;
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
    /// Boards of each family that are played to the end: at least 20 000 in all.
    const PLAYED: usize = 1_300;
    let mut random = Random::new(SEED);
    for &(name, family) in ALL {
        let (mut played, mut made) = (0, 0);
        while played < PLAYED {
            let boards: Vec<_> = (made..made + 200)
                .map(|turn| {
                    let longest = if turn % 8 == 0 { 9 } else { 6 };
                    let (rows, columns) = (random.between(1, longest), random.between(1, longest));
                    let most = random.between(1, 3);
                    make(family, rows as usize, columns as usize, most, &mut random)
                })
                .collect();
            made += boards.len();
            played += compare(&boards, 3_000, &format!("{name}, seed {SEED}"));
            assert!(made < 20_000, "{name}: only {played} boards were small enough");
        }
    }
    assert!(ALL.len() * PLAYED >= 20_000);
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

#[test]
fn the_picture_tells_the_story_of_the_answer() {
    const SEED: u64 = 37;
    let picture = jury::explain::find("ali-baba").expect("a picture");
    let mut random = Random::new(SEED);
    for turn in 0..800 {
        let (rows, columns) = (random.between(1, 45) as usize, random.between(1, 45) as usize);
        let board = make(ALL[turn % ALL.len()].1, rows, columns, 150, &mut random);
        let text = text_of(&board);
        let story = picture.text(&mut text.as_slice()).unwrap();
        let [answer] = &answers(Level::detect(), &text, Options::default())[..] else { panic!() };
        let what = format!("seed {SEED}, turn {turn}: {story}");
        assert!(story.contains(&format!("\n{answer}\n")), "{what}");
        let ali_opens = story.contains(", even, so Ali must open the room first.\n");
        let baba_opens = story.contains(", odd, so Baba must open the room first.\n");
        let open = story.contains("The room is open to the outside: Ali walks in");
        assert_eq!(ali_opens, answer == "Baba Win", "{what}");
        assert_eq!(baba_opens || open, answer == "Ali Win", "{what}");
        assert!(picture.svg(&mut text.as_slice()).unwrap().ends_with("</svg>\n"), "{what}");
    }
}
