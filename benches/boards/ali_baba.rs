//! Families of boards for tests and benchmarks, fixed by the seed.

use jury::random::Random;

/// A board as numbers.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) cells: Vec<i32>,
}

/// A kind of board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Stones in so many of 100 cells.
    Random(u64),
    /// A closed ring with islands of stones inside and stones outside.
    Islands,
    /// Rings in rings, with gaps in some of the inner ones.
    Rings,
    /// Closed pockets of all sizes.
    Pockets,
    /// One corridor, winding inwards.
    Spiral,
    /// A perfect maze.
    Maze,
    /// Vertical corridors from one horizontal one.
    Comb,
    /// One corridor, row by row.
    Snake,
    /// One corridor, column by column.
    Ladder,
    /// Nothing but the treasure inside a closed border.
    Hall,
    /// Nothing but the treasure.
    Open,
}

/// Every family.
pub(crate) const ALL: &[(&str, Family)] = &[
    ("random-95", Family::Random(95)),
    ("random-70", Family::Random(70)),
    ("random-50", Family::Random(50)),
    ("random-42", Family::Random(42)),
    ("random-30", Family::Random(30)),
    ("random-5", Family::Random(5)),
    ("islands", Family::Islands),
    ("rings", Family::Rings),
    ("pockets", Family::Pockets),
    ("spiral", Family::Spiral),
    ("maze", Family::Maze),
    ("comb", Family::Comb),
    ("snake", Family::Snake),
    ("ladder", Family::Ladder),
    ("hall", Family::Hall),
    ("open", Family::Open),
];

/// A board of a family with hit points up to `most`.
pub(crate) fn make(
    family: Family,
    rows: usize,
    columns: usize,
    most: u64,
    random: &mut Random,
) -> Numbers {
    let mut board = Numbers { rows, columns, cells: vec![0; rows * columns] };
    match family {
        Family::Random(percent) => board.fill(|_, _| random.percent(percent)),
        Family::Islands => board.islands(random),
        Family::Rings => board.fill(|row, column| {
            let ring = row.min(column).min(rows - 1 - row).min(columns - 1 - column);
            ring % 2 == 1 && (ring < 3 || !random.percent(1))
        }),
        Family::Pockets => {
            board.fill(|row, column| row % 4 == 1 || column % 5 == 1 || random.percent(20));
        }
        Family::Spiral => board.spiral(),
        Family::Maze => board.maze(random),
        Family::Comb => board
            .fill(|row, column| border(row, column, rows, columns) || row != 1 && column % 2 == 0),
        Family::Snake => board.fill(|row, column| {
            let gap = if row % 4 == 0 { 1 } else { columns.saturating_sub(2) };
            border(row, column, rows, columns) || row % 2 == 0 && column != gap
        }),
        Family::Ladder => board.fill(|row, column| {
            let gap = if column % 4 == 0 { 1 } else { rows.saturating_sub(2) };
            border(row, column, rows, columns) || column % 2 == 0 && row != gap
        }),
        Family::Hall => board.fill(|row, column| border(row, column, rows, columns)),
        Family::Open => {}
    }
    for cell in board.cells.iter_mut().filter(|cell| **cell != 0) {
        *cell = random.between(1, most) as i32;
    }
    board.put_treasure(family, random);
    board
}

fn border(row: usize, column: usize, rows: usize, columns: usize) -> bool {
    row == 0 || column == 0 || row + 1 == rows || column + 1 == columns
}

impl Numbers {
    fn fill(&mut self, mut stone: impl FnMut(usize, usize) -> bool) {
        for (index, cell) in self.cells.iter_mut().enumerate() {
            *cell = i32::from(stone(index / self.columns, index % self.columns));
        }
    }

    fn islands(&mut self, random: &mut Random) {
        let (rows, columns) = (self.rows, self.columns);
        let edge = |length: usize| (length / 5, length - 1 - length / 5);
        let ((top, bottom), (left, right)) = (edge(rows), edge(columns));
        self.fill(|row, column| {
            let inside = row > top && row < bottom && column > left && column < right;
            let outside = row < top || row > bottom || column < left || column > right;
            if inside { random.percent(25) } else { !outside || random.percent(50) }
        });
    }

    fn spiral(&mut self) {
        self.fill(|_, _| true);
        let (mut row, mut column, mut turn) = (1, 1, 0);
        let free = |this: &Self, row: usize, column: usize| {
            !border(row, column, this.rows, this.columns)
                && this.cells[row * this.columns + column] == 1
        };
        if self.rows < 3 || self.columns < 3 {
            return;
        }
        let mut turned = 0;
        self.cells[self.columns + 1] = 0;
        while turned < 2 {
            let (down, right) = [(0, 1), (1, 0), (0, -1), (-1, 0)][turn];
            let step = |place: usize, by: i32| place.wrapping_add_signed(by as isize);
            let next = (step(row, down), step(column, right));
            let after = (step(next.0, down), step(next.1, right));
            let inside = after.0 < self.rows && after.1 < self.columns;
            let hits_corridor = inside && self.cells[after.0 * self.columns + after.1] == 0;
            if free(self, next.0, next.1) && !hits_corridor {
                (row, column) = next;
                self.cells[row * self.columns + column] = 0;
                turned = 0;
            } else {
                turn = (turn + 1) % 4;
                turned += 1;
            }
        }
    }

    fn maze(&mut self, random: &mut Random) {
        self.fill(|_, _| true);
        if self.rows < 3 || self.columns < 3 {
            return;
        }
        let columns = self.columns;
        let mut stack = vec![(1, 1)];
        self.cells[columns + 1] = 0;
        while let Some(&(row, column)) = stack.last() {
            let mut ways: Vec<(usize, usize, usize)> = Vec::new();
            for (down, right) in [(0, 2), (2, 0), (0, -2), (-2, 0)] {
                let (Some(to_row), Some(to_column)) = (
                    usize::checked_add_signed(row, down),
                    usize::checked_add_signed(column, right),
                ) else {
                    continue;
                };
                if border(to_row, to_column, self.rows, columns)
                    || to_row >= self.rows
                    || to_column >= columns
                    || self.cells[to_row * columns + to_column] == 0
                {
                    continue;
                }
                ways.push((
                    to_row,
                    to_column,
                    usize::midpoint(row, to_row) * columns + usize::midpoint(column, to_column),
                ));
            }
            if ways.is_empty() {
                stack.pop();
                continue;
            }
            let (row, column, between) = ways[random.below(ways.len() as u64) as usize];
            self.cells[between] = 0;
            self.cells[row * columns + column] = 0;
            stack.push((row, column));
        }
    }

    /// In an empty cell if there is one; for rings and islands in the middle.
    fn put_treasure(&mut self, family: Family, random: &mut Random) {
        let any = random.below(self.cells.len() as u64) as usize;
        let middle = self.rows / 2 * self.columns + self.columns / 2;
        let start = if matches!(family, Family::Rings | Family::Islands) { middle } else { any };
        let empty = (start..self.cells.len()).chain(0..start).find(|&cell| self.cells[cell] == 0);
        let at = if matches!(family, Family::Random(_)) { start } else { empty.unwrap_or(start) };
        self.cells[at] = -1;
    }

    /// Appends the board as text.
    pub(crate) fn write(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(format!("{} {}\n", self.rows, self.columns).as_bytes());
        for row in self.cells.chunks(self.columns) {
            for (index, cell) in row.iter().enumerate() {
                if index > 0 {
                    text.push(b' ');
                }
                match u8::try_from(*cell) {
                    Ok(digit @ 0..=9) => text.push(b'0' + digit),
                    _ => text.extend_from_slice(cell.to_string().as_bytes()),
                }
            }
            text.push(b'\n');
        }
    }
}
