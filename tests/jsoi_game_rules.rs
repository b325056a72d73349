//! `jsoi-game` against brute-force play, slower twins and the laws of the board.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::fmt::Write as _;
use std::io::{self, Read};

use jury::random::Random;
use jury::solvers::jsoi_game::{Analysis, Strategy, analyse, analyse_by, answer, parse, verify};
use jury::solvers::{Options, Proof, Solver, jsoi_game};

#[path = "../benches/boards/jsoi_game.rs"]
mod boards;

use boards::{FAMILIES, input, make};

/// A board as a drawing without its size line.
#[derive(Clone)]
struct Drawing {
    rows: usize,
    columns: usize,
    cells: Vec<u8>,
}

impl Drawing {
    fn of_input(text: &[u8]) -> Self {
        let mut lines = text.split(|&byte| byte == b'\n');
        let size = std::str::from_utf8(lines.next().unwrap()).unwrap();
        let (rows, columns) = size.split_once(' ').unwrap();
        let cells = lines.flatten().copied().collect();
        Self { rows: rows.parse().unwrap(), columns: columns.parse().unwrap(), cells }
    }

    fn input(&self) -> Vec<u8> {
        input(self.rows, self.columns, &self.cells)
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (rows, columns) = (self.rows, self.columns);
        let (row, column) = (cell / columns, cell % columns);
        let near = [
            (row > 0).then(|| cell - columns),
            (column > 0).then(|| cell - 1),
            (column + 1 < columns).then_some(cell + 1),
            (row + 1 < rows).then_some(cell + columns),
        ];
        let free = near.map(|near| near.filter(|&near| self.cells[near] == b'.'));
        free.into_iter().flatten()
    }

    fn draw(&self) -> String {
        String::from_utf8_lossy(&self.input()).into_owned()
    }
}

/// Whether the player who must move from `cell` wins, played to the end.
fn mover_wins(drawing: &Drawing, cell: usize, visited: u64) -> bool {
    let visited = visited | 1 << cell;
    drawing
        .neighbours(cell)
        .any(|near| visited >> near & 1 == 0 && !mover_wins(drawing, near, visited))
}

/// The winning starts by playing every game.
fn played(drawing: &Drawing) -> Vec<bool> {
    (0..drawing.cells.len())
        .map(|cell| drawing.cells[cell] == b'.' && !mover_wins(drawing, cell, 0))
        .collect()
}

/// The winning starts and the number of pairs by the plainest matching: searches that start anew.
fn plain(drawing: &Drawing) -> (Vec<bool>, u64) {
    let count = drawing.cells.len();
    let mut mate = vec![usize::MAX; count];
    let mut pairs = 0;
    let even = |cell: usize| (cell / drawing.columns + cell % drawing.columns).is_multiple_of(2);
    for root in (0..count).filter(|&cell| drawing.cells[cell] == b'.' && even(cell)) {
        let mut parent = vec![usize::MAX; count];
        let mut todo = std::collections::VecDeque::from([root]);
        'search: while let Some(cell) = todo.pop_front() {
            for near in drawing.neighbours(cell) {
                if parent[near] != usize::MAX {
                    continue;
                }
                parent[near] = cell;
                if mate[near] != usize::MAX {
                    todo.push_back(mate[near]);
                    continue;
                }
                let mut end = near;
                loop {
                    let from = parent[end];
                    let next = mate[from];
                    (mate[from], mate[end]) = (end, from);
                    if from == root {
                        break;
                    }
                    end = next;
                }
                pairs += 1;
                break 'search;
            }
        }
    }
    let mut wins = vec![false; count];
    let mut todo: Vec<usize> = (0..count)
        .filter(|&cell| drawing.cells[cell] == b'.' && mate[cell] == usize::MAX)
        .collect();
    for &cell in &todo {
        wins[cell] = true;
    }
    while let Some(cell) = todo.pop() {
        for near in drawing.neighbours(cell) {
            if !std::mem::replace(&mut wins[mate[near]], true) {
                todo.push(mate[near]);
            }
        }
    }
    (wins, pairs)
}

fn solved(text: &[u8], strategy: Strategy) -> Analysis {
    let board = parse(&mut &text[..], Options::default()).unwrap();
    let analysis = analyse_by(board.clone(), strategy).unwrap();
    for (row, column) in (0..board.rows()).flat_map(|r| (0..board.columns()).map(move |c| (r, c))) {
        let kept = analysis.board().is_free(row, column) == board.is_free(row, column);
        assert!(kept, "{strategy:?} changes ({row},{column})");
    }
    analysis
}

fn wins(analysis: &Analysis) -> Vec<bool> {
    let board = analysis.board();
    (0..board.rows())
        .flat_map(|row| (0..board.columns()).map(move |column| (row, column)))
        .map(|(row, column)| analysis.wins(row, column))
        .collect()
}

#[test]
fn winners_are_those_of_played_games_on_all_tiny_boards() {
    for (rows, columns) in (1..=4).flat_map(|r| (1..=4).map(move |c| (r, c))) {
        if rows * columns > 12 {
            continue;
        }
        for bits in 0..1_u32 << (rows * columns) {
            let cells = (0..rows * columns).map(|i| if bits >> i & 1 == 1 { b'#' } else { b'.' });
            let drawing = Drawing { rows, columns, cells: cells.collect() };
            let analysis = solved(&drawing.input(), Strategy::Adaptive);
            assert_eq!(wins(&analysis), played(&drawing), "{}", drawing.draw());
            assert_eq!(verify(&analysis), Ok(()), "{}", drawing.draw());
        }
    }
}

#[test]
fn winners_are_those_of_played_games_on_random_boards_of_every_family() {
    let mut total = 0;
    for (index, family) in FAMILIES.iter().enumerate() {
        let mut count = 0;
        for seed in (index as u64) << 32.. {
            if count >= 1500 {
                break;
            }
            let mut random = Random::new(seed);
            for &walls in family.walls.iter().chain(&[60, 70, 80, 90, 97, 100]) {
                let rows = random.between(1, 6) as usize;
                let columns = random.between(1, (28 / rows as u64).min(9)) as usize;
                // Some families are fixed: a cell more or less makes other boards of them.
                let mut drawing = Drawing::of_input(&make(family, rows, columns, walls, seed));
                if random.percent(50) {
                    let cell = random.below(drawing.cells.len() as u64) as usize;
                    drawing.cells[cell] = if drawing.cells[cell] == b'#' { b'.' } else { b'#' };
                }
                let strategy = Strategy::ALL[random.below(Strategy::ALL.len() as u64) as usize];
                let analysis = solved(&drawing.input(), strategy);
                let place =
                    format!("{} {walls} seed {seed} {strategy:?}\n{}", family.name, drawing.draw());
                assert_eq!(wins(&analysis), played(&drawing), "{place}");
                assert_eq!(verify(&analysis), Ok(()), "{place}");
                count += 1;
            }
        }
        total += count;
    }
    assert!(total >= 20_000, "{total}");
}

/// A size whose sides are between `low` and `high`.
fn size(random: &mut Random, low: u64, high: u64) -> (usize, usize) {
    (random.between(low, high) as usize, random.between(low, high) as usize)
}

#[test]
fn all_strategies_agree_with_the_plain_twin_on_medium_boards_of_every_family() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        for family in FAMILIES {
            for &walls in family.walls {
                let (rows, columns) = size(&mut random, 20, 90);
                let text = make(family, rows, columns, walls, seed);
                let (expected, pairs) = plain(&Drawing::of_input(&text));
                for strategy in Strategy::ALL {
                    let place = format!(
                        "{} {walls} % {rows}x{columns} seed {seed} {strategy:?}",
                        family.name
                    );
                    let analysis = solved(&text, strategy);
                    assert_eq!(analysis.pairs(), pairs, "{place}");
                    assert!(wins(&analysis) == expected, "{place}");
                    assert_eq!(verify(&analysis), Ok(()), "{place}");
                }
            }
        }
    }
}

#[test]
fn all_strategies_agree_on_larger_boards_of_every_family() {
    for family in FAMILIES {
        for &walls in family.walls {
            let text = make(family, 311, 400, walls, 5);
            let first = solved(&text, Strategy::ALL[0]);
            assert_eq!(verify(&first), Ok(()), "{} {walls} %", family.name);
            for &strategy in &Strategy::ALL[1..] {
                let other = solved(&text, strategy);
                assert_eq!(other.pairs(), first.pairs(), "{} {walls} % {strategy:?}", family.name);
                assert!(wins(&other) == wins(&first), "{} {walls} % {strategy:?}", family.name);
            }
        }
    }
}

#[test]
fn boards_that_are_solved_strip_by_strip_have_a_proof() {
    for (name, rows, columns, walls) in [
        ("random", 1450, 1460, 5),
        ("random", 60_001, 40, 3),
        ("random", 40, 60_001, 2),
        ("small-blocks", 1500, 1450, 1),
    ] {
        let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
        let text = make(family, rows, columns, walls, 1);
        let analysis = solved(&text, Strategy::PushRelabel);
        assert_eq!(verify(&analysis), Ok(()), "{name} {rows}x{columns} {walls} %");
    }
}

/// The board seen in a mirror (`r`, `-c`) or turned (`c`, `r`).
fn moved(rows: usize, columns: usize, turn: bool, cells: &[u8]) -> Vec<u8> {
    let at = |row: usize, column: usize| cells[row * columns + column];
    if turn {
        (0..columns).flat_map(|column| (0..rows).map(move |row| at(row, column))).collect()
    } else {
        (0..rows).flat_map(|row| (0..columns).rev().map(move |column| at(row, column))).collect()
    }
}

#[test]
fn winners_move_with_a_mirrored_or_transposed_board() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let family = &FAMILIES[random.below(FAMILIES.len() as u64) as usize];
        let walls = family.walls[random.below(family.walls.len() as u64) as usize];
        let (rows, columns) = size(&mut random, 1, 70);
        let drawing = Drawing::of_input(&make(family, rows, columns, walls, seed));
        let to_bytes = |wins: Vec<bool>| wins.into_iter().map(u8::from).collect::<Vec<_>>();
        let expected = to_bytes(wins(&solved(&drawing.input(), Strategy::Adaptive)));
        for turn in [false, true] {
            let cells = moved(rows, columns, turn, &drawing.cells);
            let (high, wide) = if turn { (columns, rows) } else { (rows, columns) };
            let other = Drawing { rows: high, columns: wide, cells };
            let found = to_bytes(wins(&solved(&other.input(), Strategy::Adaptive)));
            let expected = moved(rows, columns, turn, &expected);
            assert!(found == expected, "{} {walls} % seed {seed} turn {turn}", family.name);
        }
    }
}

/// A stream that hands out random small pieces.
struct Pieces<'a> {
    bytes: &'a [u8],
    random: Random,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.random.percent(10) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = self.random.between(1, 7) as usize;
        let count = count.min(buffer.len()).min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

#[test]
fn the_answer_does_not_depend_on_how_the_input_arrives() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let family = &FAMILIES[random.below(FAMILIES.len() as u64) as usize];
        let (rows, columns) = size(&mut random, 1, 60);
        let text = make(family, rows, columns, 30, seed);
        let options = Options { proof: Proof::Verify, ..Options::default() };
        let (mut whole, mut pieces) = (Vec::new(), Vec::new());
        jsoi_game::JsoiGame.solve(&mut &text[..], &mut whole, options).unwrap();
        let mut input = Pieces { bytes: &text, random };
        let solved = jsoi_game::JsoiGame.solve(&mut input, &mut pieces, options).unwrap();
        assert_eq!(whole, pieces, "seed {seed}");
        assert_eq!((solved.cases, solved.cells), (1, (rows * columns) as u64));
        let wins = plain(&Drawing::of_input(&text)).0;
        assert_eq!(String::from_utf8(whole).unwrap(), listed(&wins, columns), "seed {seed}");
    }
}

/// The answer as a plain loop writes it.
fn listed(wins: &[bool], columns: usize) -> String {
    let mut lines = String::new();
    for cell in (0..wins.len()).filter(|&cell| wins[cell]) {
        let (row, column) = (cell / columns + 1, cell % columns + 1);
        let _ = writeln!(lines, "{row} {column}");
    }
    if lines.is_empty() { "LOSE\n".to_owned() } else { format!("WIN\n{lines}") }
}

#[test]
fn wide_and_high_boards_list_numbers_of_every_length() {
    for (rows, columns) in [(1, 120_001), (120_001, 1), (3, 70_001), (1, 1_000_003)] {
        let text = input(rows, columns, &vec![b'.'; rows * columns]);
        let mut output = Vec::new();
        let analysis = analyse(parse(&mut &text[..], Options::default()).unwrap()).unwrap();
        answer(&analysis, &mut output).unwrap();
        let wins: Vec<bool> =
            (0..rows * columns).map(|cell| (cell / columns + cell % columns) % 2 == 0).collect();
        assert!(output == listed(&wins, columns).as_bytes(), "{rows} x {columns}");
    }
}

#[test]
fn a_path_longer_than_labels_of_16_bits_is_found() {
    for (rows, columns, gap) in [(500, 530, false), (530, 501, false), (500, 531, true)] {
        let family = FAMILIES.iter().find(|family| family.name == "snake").unwrap();
        let text = make(family, rows, columns, 0, 0);
        let mut drawing = Drawing::of_input(&text);
        let length = (0..drawing.cells.len()).filter(|&cell| drawing.cells[cell] == b'.').count();
        if gap {
            // Two blind corridors at the ends, so that the pairs must shift all the way.
            drawing.cells[columns - 1] = b'.';
        }
        let text = drawing.input();
        for strategy in Strategy::ALL {
            let analysis = solved(&text, strategy);
            assert_eq!(analysis.pairs(), (length / 2) as u64, "{rows}x{columns} {strategy:?}");
            assert_eq!(verify(&analysis), Ok(()), "{rows}x{columns} {strategy:?}");
        }
    }
}

/// Cells of one colour are missing at one end of a long corridor, those of the other at its far
/// end: every pair shifts, over more pairs than labels of 16 bits count.
#[test]
fn charges_at_the_ends_of_a_long_corridor_meet() {
    let family = FAMILIES.iter().find(|family| family.name == "charged-serpentine").unwrap();
    for (rows, columns, width) in [(1200, 1201, 5), (1203, 1100, 3), (1100, 1280, 10)] {
        let text = make(family, rows, columns, width, 1);
        let expected = solved(&text, Strategy::Search);
        for strategy in [Strategy::Adaptive, Strategy::PushRelabel, Strategy::Both] {
            let analysis = solved(&text, strategy);
            let place = format!("{rows}x{columns} width {width} {strategy:?}");
            assert_eq!(analysis.pairs(), expected.pairs(), "{place}");
            assert!(wins(&analysis) == wins(&expected), "{place}");
            assert_eq!(verify(&analysis), Ok(()), "{place}");
        }
    }
}
