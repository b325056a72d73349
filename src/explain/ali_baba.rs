//! The picture of an Ali and Baba board: room, wall, outside, and the count of safe hits.

use std::fmt::Write as _;
use std::io::Read;

use super::svg::Svg;
use super::{Explainer, MAX_TEXT_SIDE};
use crate::solvers::ali_baba::{Case, Cell, HitPoints, visit};
use crate::solvers::{SolveError, counted};

/// The picture.
pub(super) struct AliBabaPicture;

impl Explainer for AliBabaPicture {
    fn solver(&self) -> &'static str {
        "ali-baba"
    }

    fn text(&self, input: &mut dyn Read) -> Result<String, SolveError> {
        let mut text = String::new();
        visit(input, |case| {
            if case.number > 1 {
                text.push('\n');
            }
            let picture = Picture::new(case);
            text.push_str(&picture.title());
            text.push('\n');
            text.push_str(&picture.body());
            for line in picture.reasoning() {
                let _ = writeln!(text, "{line}");
            }
            Ok(())
        })?;
        Ok(text)
    }

    fn svg(&self, input: &mut dyn Read) -> Result<String, SolveError> {
        let mut svg = Svg::new();
        let mut top = 8.0;
        visit(input, |case| {
            top = Picture::new(case).draw(&mut svg, top);
            Ok(())
        })?;
        Ok(svg.finish("Ali and Baba", STYLE))
    }
}

/// Where the legend starts, if the board leaves room for it.
const LEGEND_COLUMN: usize = 23;

/// A grid with more characters in a line has the legend below.
const WIDE: usize = 40;

const LEGEND_CLOSED: &[&str] = &[
    "T treasure         o empty, same room as the treasure",
    "# wall of the room (a stone; breaking it opens the room)",
    "s stone outside    . empty outside",
    "i stone inside: nobody can reach it before the room opens",
];

const LEGEND_OPEN: &[&str] =
    &["T treasure         o empty, same room as the treasure", "s stone            . empty"];

/// Boards with a longer side are not drawn at all.
const MAX_SVG_SIDE: usize = 2000;

/// Pixels of a cell: with its number, and without.
const WITH_NUMBER: f64 = 26.0;
const WITHOUT_NUMBER: f64 = 6.0;

const STYLE: &str = "\
text{font:13px sans-serif;fill:#222}.n{font-size:11px;text-anchor:middle}.h{font-weight:bold}\
rect{stroke:#fff;stroke-width:1}.room{fill:#ffe9a8}.treasure{fill:#e0a100}.wall{fill:#b5462f}\
.outside{fill:#8fa3b5}.inside{fill:#7b8f4e}.empty{fill:#eef1f4}text.wall{fill:#fff}\
@media(prefers-color-scheme:dark){svg{background:#15181c}text{fill:#e6e6e6}rect{stroke:#15181c}\
.room{fill:#6b5a1e}.treasure{fill:#e0a100}.wall{fill:#c4573f}.outside{fill:#52667a}\
.inside{fill:#5f7038}.empty{fill:#262c33}}";

/// A case with the kind of each of its cells.
struct Picture<'c> {
    case: Case<'c>,
    cells: Vec<Cell>,
}

impl<'c> Picture<'c> {
    fn new(case: Case<'c>) -> Self {
        let (rows, columns) = (case.board.rows(), case.board.columns());
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells = all.map(|(row, column)| case.analysis.cell(case.board, row, column)).collect();
        Self { case, cells }
    }

    fn title(&self) -> String {
        let (rows, columns) = self.size();
        format!("Ali and Baba, {rows} x {columns}, case {}", self.case.number)
    }

    fn size(&self) -> (usize, usize) {
        (self.case.board.rows(), self.case.board.columns())
    }

    /// The grid, or the counts if it is too large.
    fn body(&self) -> String {
        let (rows, columns) = self.size();
        if rows.max(columns) > MAX_TEXT_SIDE {
            return format!(
                "{}\nnot drawn: more than {MAX_TEXT_SIDE} rows or columns; --svg FILE draws it\n",
                self.counts()
            );
        }
        let legend = if self.case.analysis.is_open() { LEGEND_OPEN } else { LEGEND_CLOSED };
        beside(self.grid(), legend)
    }

    fn grid(&self) -> Vec<String> {
        let columns = self.size().1;
        let width = if columns < 10 { 2 } else { 3 };
        let mut head = "   ".to_owned();
        for column in 1..=columns {
            let _ = write!(head, "{column:>width$}");
        }
        let mut lines = vec![head];
        for (row, cells) in self.cells.chunks(columns).enumerate() {
            let mut line = format!("{:>2} ", row + 1);
            for &cell in cells {
                let _ = write!(line, "{:>width$}", letter(cell, self.case.analysis.is_open()));
            }
            lines.push(line);
        }
        lines
    }

    fn counts(&self) -> String {
        let count = |kind: Cell| self.places(kind).count();
        let room = count(Cell::Room) + 1;
        let stones = count(Cell::Outside);
        if self.case.analysis.is_open() {
            return format!("{room} cells in the room, {}", counted(stones as u64, "stone"));
        }
        format!(
            "{room} cells in the room, {} around it, {} outside, {} inside",
            counted(count(Cell::Wall) as u64, "wall"),
            counted(stones as u64, "stone"),
            counted(self.inside().count() as u64, "stone")
        )
    }

    fn places(&self, kind: Cell) -> impl Iterator<Item = usize> {
        self.cells.iter().enumerate().filter(move |(_, cell)| **cell == kind).map(|(at, _)| at)
    }

    /// Stones that nobody can reach.
    fn inside(&self) -> impl Iterator<Item = usize> {
        self.places(Cell::Inside).chain(self.places(Cell::HiddenWall))
    }

    /// Why it ends as it ends.
    fn reasoning(&self) -> Vec<String> {
        let winner = self.case.analysis.winner().line().to_owned();
        if self.case.analysis.is_open() {
            let why = "The room is open to the outside: Ali walks in and hits the treasure.";
            return vec![why.to_owned(), winner];
        }
        let numbers = self.case.numbers;
        let outside = numbers.sum(self.places(Cell::Outside), 0);
        let walls = numbers.sum(self.places(Cell::Wall), 1);
        let mut lines = vec![
            "Whoever opens the room loses: the other player walks to the treasure.".to_owned(),
            safe_hits(&outside, &walls),
            winner,
        ];
        let inside = self.inside().count();
        if inside > 0 {
            let verb = if inside == 1 { "is" } else { "are" };
            let sum = numbers.sum(self.inside(), 0);
            let stones = counted(inside as u64, "stone");
            lines.push(format!("note: {stones} inside ({sum} HP) {verb} not counted"));
        }
        lines
    }

    /// Draws title, board and reasoning below `top`; where the next picture may start.
    fn draw(&self, svg: &mut Svg, top: f64) -> f64 {
        let (rows, columns) = self.size();
        let mut y = top + 12.0;
        svg.text((8.0, y), &self.title(), "h");
        y += 10.0;
        if rows.max(columns) > MAX_SVG_SIDE {
            y += 12.0;
            let why = format!("not drawn: more than {MAX_SVG_SIDE} rows or columns");
            svg.text((8.0, y), &format!("{}; {why}", self.counts()), "");
        } else if rows.max(columns) > MAX_TEXT_SIDE {
            self.draw_runs(svg, y);
            y += rows as f64 * WITHOUT_NUMBER;
        } else {
            self.draw_cells(svg, y);
            y += rows as f64 * WITH_NUMBER;
        }
        y = self.draw_legend(svg, y + 8.0);
        for line in self.reasoning() {
            y += 18.0;
            svg.text((8.0, y), &line, "");
            svg.grow(8.0 + 7.0 * line.len() as f64, y);
        }
        y + 24.0
    }

    /// Each cell with its number.
    fn draw_cells(&self, svg: &mut Svg, top: f64) {
        let columns = self.size().1;
        for (at, &cell) in self.cells.iter().enumerate() {
            let (row, column) = ((at / columns) as f64, (at % columns) as f64);
            let (x, y) = (8.0 + column * WITH_NUMBER, top + row * WITH_NUMBER);
            svg.rect(x, y, WITH_NUMBER, WITH_NUMBER, class(cell));
            let number = self.case.numbers.digits(at);
            let label = match number.len() {
                _ if cell == Cell::Treasure => "T".to_owned(),
                0 => continue,
                1..=3 => number,
                _ => format!("..{}", &number[number.len() - 1..]),
            };
            let style = if cell == Cell::Wall { "n wall" } else { "n" };
            svg.text((x + WITH_NUMBER / 2.0, y + 17.0), &label, style);
        }
    }

    /// Equal neighbours of a row as one rectangle.
    fn draw_runs(&self, svg: &mut Svg, top: f64) {
        for (row, cells) in self.cells.chunks(self.size().1).enumerate() {
            let mut column = 0;
            for run in cells.chunk_by(|left, right| class(*left) == class(*right)) {
                let x = 8.0 + column as f64 * WITHOUT_NUMBER;
                let y = top + row as f64 * WITHOUT_NUMBER;
                let width = run.len() as f64 * WITHOUT_NUMBER;
                svg.rect(x, y, width, WITHOUT_NUMBER, class(run[0]));
                column += run.len();
            }
        }
    }

    fn draw_legend(&self, svg: &mut Svg, top: f64) -> f64 {
        let stone = if self.case.analysis.is_open() { "stone" } else { "stone outside" };
        let closed: &[(&str, &str)] = &[("wall", "wall of the room"), ("inside", "stone inside")];
        let both = [("treasure", "treasure"), ("room", "room"), ("outside", stone)];
        let shown = if self.case.analysis.is_open() { &[] } else { closed };
        let mut x = 8.0;
        for (class, name) in both.iter().chain(shown) {
            svg.rect(x, top, 14.0, 14.0, class);
            svg.text((x + 19.0, top + 12.0), name, "");
            x += 36.0 + 7.5 * name.len() as f64;
        }
        svg.grow(x, top + 14.0);
        top + 14.0
    }
}

/// The legend beside the grid, or below a wide one.
fn beside(mut grid: Vec<String>, legend: &[&str]) -> String {
    let widest = grid.iter().map(String::len).max().unwrap_or(0);
    if widest > WIDE {
        grid.extend(legend.iter().map(|line| format!("    {line}")));
        return grid.join("\n") + "\n";
    }
    grid.resize(grid.len().max(legend.len()), String::new());
    let column = LEGEND_COLUMN.max(widest + 4);
    let mut body = String::new();
    for (index, line) in grid.iter().enumerate() {
        let line = format!("{line:column$}{}", legend.get(index).unwrap_or(&""));
        let _ = writeln!(body, "{}", line.trim_end());
    }
    body
}

fn safe_hits(outside: &HitPoints, walls: &HitPoints) -> String {
    let all = outside.plus(walls);
    let (parity, player) = if all.is_odd() { ("odd", "Baba") } else { ("even", "Ali") };
    format!(
        "Safe hits: outside stones {outside} + walls down to 1 HP {walls} = {all}, {parity}, \
         so {player} must open the room first."
    )
}

fn letter(cell: Cell, open: bool) -> char {
    match cell {
        Cell::Treasure => 'T',
        Cell::Room => 'o',
        Cell::Wall if !open => '#',
        Cell::HiddenWall | Cell::Inside if !open => 'i',
        Cell::Empty => '.',
        _ => 's',
    }
}

fn class(cell: Cell) -> &'static str {
    match cell {
        Cell::Treasure => "treasure",
        Cell::Room => "room",
        Cell::Wall => "wall",
        Cell::HiddenWall | Cell::Inside => "inside",
        Cell::Outside => "outside",
        Cell::Empty => "empty",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(input: &str) -> String {
        AliBabaPicture.text(&mut input.as_bytes()).unwrap()
    }

    const CLOSED: &str = "5 5\n0 1 0 1 0\n1 0 1 0 1\n1 0 2 0 1\n1 -1 0 0 1\n0 1 1 1 0\n";

    #[test]
    fn a_closed_room_is_drawn_with_its_legend_and_its_sum() {
        let expected = "\
Ali and Baba, 5 x 5, case 1
    1 2 3 4 5          T treasure         o empty, same room as the treasure
 1  . # . # .          # wall of the room (a stone; breaking it opens the room)
 2  # o # o #          s stone outside    . empty outside
 3  # o i o #          i stone inside: nobody can reach it before the room opens
 4  # T o o #
 5  . # # # .
Whoever opens the room loses: the other player walks to the treasure.
Safe hits: outside stones 0 + walls down to 1 HP 0 = 0, even, so Ali must open the room first.
Baba Win
note: 1 stone inside (2 HP) is not counted
";
        assert_eq!(text(CLOSED), expected);
    }

    #[test]
    fn an_open_room_and_a_second_board_are_drawn() {
        let expected = "\
Ali and Baba, 1 x 3, case 1
    1 2 3              T treasure         o empty, same room as the treasure
 1  s T o              s stone            . empty
The room is open to the outside: Ali walks in and hits the treasure.
Ali Win

Ali and Baba, 3 x 4, case 2
    1 2 3 4            T treasure         o empty, same room as the treasure
 1  . # s .            # wall of the room (a stone; breaking it opens the room)
 2  # T # .            s stone outside    . empty outside
 3  . # . .            i stone inside: nobody can reach it before the room opens
Whoever opens the room loses: the other player walks to the treasure.
Safe hits: outside stones 1000000000000000000000000 + walls down to 1 HP 99 = \
1000000000000000000000099, odd, so Baba must open the room first.
Ali Win
";
        let second = "3 4\n0 1 1000000000000000000000000 0\n1 -1 100 0\n0 1 0 0\n";
        assert_eq!(text(&format!("1 3\n5 -1 0\n{second}")), expected);
    }

    #[test]
    fn a_large_board_is_told_by_its_counts() {
        let mut board = "41 41\n".to_owned();
        for row in 0..41 {
            for column in 0..41 {
                let wall = row == 0 || column == 0 || row == 40 || column == 40;
                let cell = if (row, column) == (20, 20) { "-1 " } else { "0 " };
                board.push_str(if wall { "3 " } else { cell });
            }
        }
        let expected = "\
Ali and Baba, 41 x 41, case 1
1521 cells in the room, 156 walls around it, 4 stones outside, 0 stones inside
not drawn: more than 40 rows or columns; --svg FILE draws it
Whoever opens the room loses: the other player walks to the treasure.
Safe hits: outside stones 12 + walls down to 1 HP 312 = 324, even, so Ali must open the room first.
Baba Win
";
        assert_eq!(text(&board), expected);
        let svg = AliBabaPicture.svg(&mut board.as_bytes()).unwrap();
        assert!(svg.contains("class=\"wall\""), "{svg}");
    }

    #[test]
    fn an_svg_labels_cells_and_repeats_the_reasoning() {
        let svg = AliBabaPicture.svg(&mut CLOSED.as_bytes()).unwrap();
        assert!(svg.starts_with("<svg "), "{svg}");
        assert!(svg.contains(">T</text>") && svg.contains("Safe hits: outside stones 0"), "{svg}");
        assert_eq!(svg.matches("class=\"wall\"").count(), 12 + 1, "12 walls and the legend");
    }
}
