//! Families of boards for tests and benches of `jsoi-game`, each fixed by its seed.

use jury::random::Random;

/// A family: its name, whether the share of walls matters, and its maker.
pub(crate) struct Family {
    /// The name by which it is chosen.
    pub(crate) name: &'static str,
    /// The shares of walls in percent for which it is measured; of `charged-serpentine` the width.
    pub(crate) walls: &'static [u64],
    make: fn(&mut Draft, u64),
}

/// Every family.
pub(crate) const FAMILIES: &[Family] = &[
    Family {
        name: "random",
        walls: &[0, 1, 2, 5, 10, 15, 20, 30, 35, 40, 41, 45, 50],
        make: random,
    },
    Family { name: "one-colour-thinned", walls: &[1, 10], make: one_colour },
    Family { name: "blocks", walls: &[1, 2, 5], make: |draft, walls| blocks(draft, walls, 5) },
    Family {
        name: "small-blocks",
        walls: &[1, 5, 10],
        make: |draft, walls| blocks(draft, walls, 25),
    },
    Family { name: "halves", walls: &[1, 5], make: |draft, walls| blocks(draft, walls, 2) },
    Family { name: "stripes", walls: &[10], make: stripes },
    Family { name: "snake", walls: &[50], make: snake },
    Family { name: "wide-snake", walls: &[33], make: wide_snake },
    Family { name: "comb", walls: &[50], make: comb },
    Family { name: "maze", walls: &[50], make: maze },
    Family { name: "spiral", walls: &[50], make: spiral },
    Family { name: "diamond", walls: &[50], make: |draft, _| diamonds(draft, 1) },
    Family { name: "diamonds", walls: &[50], make: |draft, _| diamonds(draft, 10) },
    Family { name: "dead-ends", walls: &[30], make: dead_ends },
    Family { name: "corridors", walls: &[33], make: corridors },
    Family { name: "far-surplus", walls: &[1], make: far_surplus },
    Family { name: "charged-serpentine", walls: &[10, 30, 60, 150], make: charged_serpentine },
];

/// The board of a family as an input of the solver.
pub(crate) fn make(family: &Family, rows: usize, columns: usize, walls: u64, seed: u64) -> Vec<u8> {
    let random = Random::new(seed ^ (rows as u64) << 40 ^ (columns as u64) << 20 ^ walls);
    let mut draft = Draft { rows, columns, cells: vec![b'.'; rows * columns], random };
    (family.make)(&mut draft, walls);
    input(rows, columns, &draft.cells)
}

/// Cells, row after row, as an input of the solver.
pub(crate) fn input(rows: usize, columns: usize, cells: &[u8]) -> Vec<u8> {
    let mut text = format!("{rows} {columns}\n").into_bytes();
    for row in cells.chunks(columns) {
        text.extend_from_slice(row);
        text.push(b'\n');
    }
    text
}

struct Draft {
    rows: usize,
    columns: usize,
    cells: Vec<u8>,
    random: Random,
}

impl Draft {
    fn each(&mut self, mut cell: impl FnMut(usize, usize, &mut Random) -> Option<u8>) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                if let Some(byte) = cell(row, column, &mut self.random) {
                    self.cells[row * self.columns + column] = byte;
                }
            }
        }
    }

    fn set(&mut self, row: usize, column: usize, byte: u8) {
        if row < self.rows && column < self.columns {
            self.cells[row * self.columns + column] = byte;
        }
    }
}

fn wall(yes: bool) -> Option<u8> {
    yes.then_some(b'#')
}

fn random(draft: &mut Draft, walls: u64) {
    draft.each(|_, _, random| wall(random.percent(walls)));
}

fn one_colour(draft: &mut Draft, walls: u64) {
    draft.each(|r, c, random| wall((r + c) % 2 == 0 && random.percent(walls)));
}

/// `count` x `count` blocks, the colours thinned in turn.
fn blocks(draft: &mut Draft, walls: u64, count: usize) {
    let (high, wide) = (draft.rows.div_ceil(count), draft.columns.div_ceil(count));
    draft
        .each(|r, c, random| wall((r + c + r / high + c / wide) % 2 == 0 && random.percent(walls)));
}

/// Stripes of three rows, joined by few bridges.
fn stripes(draft: &mut Draft, walls: u64) {
    draft.each(|r, _, random| wall(r % 4 == 3 && !random.percent(walls)));
}

fn snake(draft: &mut Draft, _: u64) {
    let columns = draft.columns;
    draft.each(|r, c, _| wall(r % 2 == 1 && c != if r % 4 == 1 { columns - 1 } else { 0 }));
}

fn wide_snake(draft: &mut Draft, _: u64) {
    let columns = draft.columns;
    draft.each(|r, c, _| wall(r % 3 == 2 && if r % 6 == 2 { c + 2 < columns } else { c > 1 }));
}

fn comb(draft: &mut Draft, _: u64) {
    draft.each(|r, c, _| wall(r > 0 && c % 2 == 1));
}

/// A maze whose rooms are joined by a random tree: each to its upper or left neighbour.
fn maze(draft: &mut Draft, _: u64) {
    draft.each(|r, c, _| wall(r % 2 == 1 || c % 2 == 1));
    for row in (0..draft.rows).step_by(2) {
        for column in (0..draft.columns).step_by(2) {
            let up = draft.random.percent(50);
            if row > 0 && (up || column == 0) {
                draft.set(row - 1, column, b'.');
            } else if column > 0 {
                draft.set(row, column - 1, b'.');
            }
        }
    }
}

fn spiral(draft: &mut Draft, _: u64) {
    let (rows, columns) = (draft.rows, draft.columns);
    draft.each(|r, c, _| {
        let ring = r.min(c).min(rows - 1 - r).min(columns - 1 - c);
        let gate = r == ring + 1 && c == ring;
        wall((ring % 2 == 1) != gate)
    });
}

fn diamonds(draft: &mut Draft, count: usize) {
    let side = (draft.rows.min(draft.columns) / count).max(2);
    draft.each(|r, c, _| {
        let (r, c) = (r % side, c % side);
        wall((2 * r).abs_diff(side) + (2 * c).abs_diff(side) > side)
    });
}

/// Single cells on stalks.
fn dead_ends(draft: &mut Draft, _: u64) {
    draft.each(|r, c, random| wall(r % 3 != 0 && (c % 2 == 1 || random.percent(20))));
}

/// Corridors two cells wide with few walls in them.
fn corridors(draft: &mut Draft, _: u64) {
    draft.each(|r, _, random| wall(r % 3 == 2 && !random.percent(1) || random.percent(1)));
}

/// One colour thinned at the left end, the other one at the right end.
fn far_surplus(draft: &mut Draft, walls: u64) {
    let columns = draft.columns;
    draft.each(|r, c, random| {
        let left = c < columns / 10 && (r + c) % 2 == 0;
        let right = c >= columns - columns / 10 && (r + c) % 2 == 1;
        wall((left || right) && random.percent(10 * walls))
    });
}

/// One corridor of the given width through the whole board. Cells of one colour are missing at
/// its start, as many of the other one at its end.
fn charged_serpentine(draft: &mut Draft, width: u64) {
    let (rows, columns) = (draft.rows, draft.columns);
    let width = (width as usize).min(rows / 3).max(1);
    let corridors = (rows + 1) / (width + 1);
    draft.each(|r, c, _| {
        let (corridor, row) = (r / (width + 1), r % (width + 1));
        let forth = corridor % 2 == 0;
        let place = if forth { c } else { columns - 1 - c };
        let start = corridor == 0 && place == 0 && (r + c) % 2 == 0;
        let end =
            corridor + 1 == corridors && place + 1 == columns && (r + c) % 2 == 1 && row < width;
        let divides = row == width && place + width < columns;
        wall(corridor >= corridors || start || end || divides)
    });
}
