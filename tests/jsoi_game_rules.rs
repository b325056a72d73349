//! `jsoi-game` against brute-force play, slower twins and the laws of the board.

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
    let even = |cell: usize| (cell / drawing.columns + cell % drawing.columns) % 2 == 0;
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
    let mut todo: Vec<usize> =
        (0..count).filter(|&cell| drawing.cells[cell] == b'.' && mate[cell] == usize::MAX).collect();
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
    analyse_by(parse(&mut &text[..], Options::default()).unwrap(), strategy)
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
    let mut count = 0;
    for seed in 0..220 {
        let mut random = Random::new(seed);
        for family in FAMILIES {
            for &walls in family.walls.iter().chain(&[60, 70, 80, 90, 97, 100]) {
                let rows = random.between(1, 6) as usize;
                let columns = random.between(1, (28 / rows as u64).min(9)) as usize;
                let text = make(family, rows, columns, walls, seed);
                let drawing = Drawing::of_input(&text);
                let strategy = Strategy::ALL[random.below(Strategy::ALL.len() as u64) as usize];
                let analysis = solved(&text, strategy);
                let name = family.name;
                assert_eq!(
                    wins(&analysis),
                    played(&drawing),
                    "{name} {walls} % seed {seed} {strategy:?}\n{}",
                    drawing.draw()
                );
                assert_eq!(verify(&analysis), Ok(()), "{name} {walls} % seed {seed}");
                count += 1;
            }
        }
    }
    assert!(count >= 20_000, "{count}");
}
