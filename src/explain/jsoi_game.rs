//! The picture of a board of `jsoi-game`: the pairs of the matching, the winning starts, and one
//! alternating path that says why a matched cell wins.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Read;

use super::svg::Svg;
use super::{Explainer, MAX_TEXT_SIDE};
use crate::solvers::jsoi_game::{Analysis, analyse, answer, parse};
use crate::solvers::{Options, SolveError, counted};

/// The most cells of a list or path that are told.
const MAX_TOLD: usize = 12;
/// Spaces between the board and the legend.
const LEGEND_GAP: usize = 5;
/// The side of a cell in the SVG picture.
const SIDE: f64 = 24.0;
const STYLE: &str = "text{font:12px sans-serif;fill:#222}\
    .number{text-anchor:middle;fill:#777}\
    .board{fill:#fff;stroke:#888}\
    .wall{fill:#555;stroke:#555}\
    .win{fill:#ffd75e;stroke:none}\
    .pair{stroke:#2a6fb0;stroke-width:4;stroke-linecap:round}\
    .path{stroke:#c0392b;stroke-width:2;stroke-dasharray:4 3}\
    .single{fill:#c0392b;stroke:none}";

/// The picture.
pub(super) struct JsoiGamePicture;

impl Explainer for JsoiGamePicture {
    fn solver(&self) -> &'static str {
        "jsoi-game"
    }

    fn text(&self, input: &mut dyn Read) -> Result<String, SolveError> {
        let analysis = analyse(parse(input, Options::default())?)?;
        let facts = Facts::of(&analysis);
        let mut text = format!("{}\n", facts.title());
        if facts.rows.max(facts.columns) as usize > MAX_TEXT_SIDE {
            text.push_str(&facts.counts());
            return Ok(text);
        }
        facts.grid(&mut text);
        text.push_str(&facts.reason());
        text.push('\n');
        let mut list = Vec::new();
        answer(&analysis, &mut list).map_err(SolveError::Write)?;
        text.push_str(&String::from_utf8_lossy(&list));
        Ok(text)
    }

    fn svg(&self, input: &mut dyn Read) -> Result<String, SolveError> {
        let analysis = analyse(parse(input, Options::default())?)?;
        Ok(Facts::of(&analysis).draw())
    }
}

/// Row and column, from 0.
type Cell = (u32, u32);

/// An analysis and what is told of it.
struct Facts<'a> {
    analysis: &'a Analysis,
    rows: u32,
    columns: u32,
    free: u64,
    /// The cells without a mate, the first few.
    singles: Vec<Cell>,
}

impl<'a> Facts<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let board = analysis.board();
        let mut facts = Self {
            analysis,
            rows: board.rows(),
            columns: board.columns(),
            free: analysis.free(),
            singles: Vec::new(),
        };
        for cell in facts.cells().filter(|&(row, column)| board.is_free(row, column)) {
            if analysis.mate(cell.0, cell.1).is_none() && facts.singles.len() < MAX_TOLD {
                facts.singles.push(cell);
            }
        }
        facts
    }

    /// All cells in reading order.
    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (rows, columns) = (self.rows, self.columns);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    fn is_free(&self, (row, column): Cell) -> bool {
        self.analysis.board().is_free(row, column)
    }

    fn mate(&self, (row, column): Cell) -> Option<Cell> {
        self.analysis.mate(row, column)
    }

    fn wins(&self, (row, column): Cell) -> bool {
        self.analysis.wins(row, column)
    }

    fn left_over(&self) -> u64 {
        self.free - 2 * self.analysis.pairs()
    }

    fn title(&self) -> String {
        let free = counted(self.free, "free cell");
        format!("JSOI 2009 Game, {} x {}, {free}", self.rows, self.columns)
    }

    fn verdict(&self) -> &'static str {
        if self.analysis.winners() == 0 { "LOSE" } else { "WIN" }
    }

    /// What is told instead of a large picture.
    fn counts(&self) -> String {
        format!(
            "{} of one maximum matching, {} left over, {}\n\
             The board is above {MAX_TEXT_SIDE} x {MAX_TEXT_SIDE}: `--svg FILE` draws it.\n{}\n",
            counted(self.analysis.pairs(), "pair"),
            counted(self.left_over(), "cell"),
            counted(self.analysis.winners(), "winning start"),
            self.verdict(),
        )
    }

    /// The board with letters for pairs, and the legend beside it.
    fn grid(&self, text: &mut String) {
        let names = self.names();
        let letters = letters(0, self.analysis.pairs()).len();
        let width = letters.max(self.columns.to_string().len()) + 1;
        let pairs = counted(self.analysis.pairs(), "pair");
        let legend = [
            format!("letters: pairs of one maximum matching ({pairs})"),
            "* a start that wins for the player who places the piece".to_owned(),
        ];
        let mut header = String::new();
        for column in 1..=self.columns {
            let _ = write!(header, "{column:<width$}");
        }
        let _ = writeln!(text, "    {}", header.trim_end());
        let board_width = self.columns as usize * width + LEGEND_GAP;
        for row in 0..(self.rows as usize).max(legend.len()) {
            let label =
                if row < self.rows as usize { format!("{:>2}", row + 1) } else { String::new() };
            let from = row * self.columns as usize;
            let mut cells = String::new();
            for name in names.iter().skip(from).take(self.columns as usize) {
                let _ = write!(cells, "{name:<width$}");
            }
            let legend = legend.get(row).map_or("", String::as_str);
            let line = format!("{label:<2}  {cells:<board_width$}{legend}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }

    /// What stands in each cell: a wall, or the letters of its pair and a star.
    fn names(&self) -> Vec<String> {
        let columns = self.columns as usize;
        let index = |cell: Cell| cell.0 as usize * columns + cell.1 as usize;
        let mut names = vec![String::new(); self.rows as usize * columns];
        let mut pair = 0;
        for cell in self.cells() {
            if !self.is_free(cell) {
                names[index(cell)].push('#');
                continue;
            }
            if let Some(mate) = self.mate(cell).filter(|&mate| mate > cell) {
                let letters = letters(pair, self.analysis.pairs());
                names[index(cell)].clone_from(&letters);
                names[index(mate)] = letters;
                pair += 1;
            }
            if self.wins(cell) {
                names[index(cell)].push('*');
            }
        }
        names
    }

    /// Why the board is won or lost.
    fn reason(&self) -> String {
        if self.free == 0 {
            return "No cell is free: the piece cannot be placed.".to_owned();
        }
        if self.singles.is_empty() {
            return "Left over: none. Every free cell is matched: wherever the piece is placed, \
                    the mover always answers along the pair."
                .to_owned();
        }
        let mut told = self.singles.iter().map(|&cell| name(cell)).collect::<Vec<_>>().join(", ");
        let more = self.left_over() - self.singles.len() as u64;
        if more > 0 {
            let _ = write!(told, " and {more} more");
        }
        let path = self.path();
        match path.last() {
            Some(&end) => format!(
                "Left over: {told}. Alternating path {}: so {} can be left over too.",
                told_path(&path),
                name(end)
            ),
            None => format!("Left over: {told}. No alternating path leads on to another cell."),
        }
    }

    /// A shortest alternating path from a told single cell to the first matched winning cell that
    /// has one; empty if there is none.
    fn path(&self) -> Vec<Cell> {
        let columns = self.columns as usize;
        let index = |cell: Cell| cell.0 as usize * columns + cell.1 as usize;
        let mut came: Vec<Option<(Cell, Cell)>> = vec![None; self.rows as usize * columns];
        let mut todo: VecDeque<Cell> = self.singles.iter().copied().collect();
        while let Some(cell) = todo.pop_front() {
            for near in neighbours(cell).into_iter().filter(|&near| self.is_free(near)) {
                let Some(mate) = self.mate(near) else { continue };
                if mate != cell && came[index(mate)].is_none() {
                    came[index(mate)] = Some((near, cell));
                    todo.push_back(mate);
                }
            }
        }
        let Some(end) = self.cells().find(|&cell| came[index(cell)].is_some()) else {
            return Vec::new();
        };
        let mut path = vec![end];
        let mut cell = end;
        while let Some((near, before)) = came[index(cell)] {
            path.extend([near, before]);
            cell = before;
        }
        path.reverse();
        path
    }

    fn draw(&self) -> String {
        let mut svg = Svg::new();
        let (width, height) = (f64::from(self.columns) * SIDE, f64::from(self.rows) * SIDE);
        svg.text((SIDE, 16.0), &format!("{}: {}", self.title(), self.verdict()), "title");
        self.draw_numbers(&mut svg);
        svg.rect(SIDE, 2.0 * SIDE, width, height, "board");
        self.draw_cells(&mut svg);
        self.draw_pairs(&mut svg);
        let below = height + 3.0 * SIDE;
        let lines = [
            format!("blue: {} of one maximum matching", counted(self.analysis.pairs(), "pair")),
            format!("red: {} left over", counted(self.left_over(), "cell")),
            format!("yellow: {}", counted(self.analysis.winners(), "winning start")),
        ];
        for (line, at) in lines.iter().zip([0.0, 16.0, 32.0]) {
            svg.text((SIDE, below + at), line, "legend");
        }
        svg.grow(SIDE + 240.0, below + 40.0);
        svg.finish(&self.title(), STYLE)
    }

    fn draw_numbers(&self, svg: &mut Svg) {
        // Numbers of four digits still fit beside a cell.
        if self.rows.max(self.columns) > 999 {
            return;
        }
        for column in 0..self.columns {
            let (x, _) = centre((0, column));
            svg.text((x, 2.0 * SIDE - 5.0), &(column + 1).to_string(), "number");
        }
        for row in 0..self.rows {
            let (_, y) = centre((row, 0));
            svg.text((SIDE / 2.0, y + 4.0), &(row + 1).to_string(), "number");
        }
    }

    /// Walls, runs of them as one shape, and winning cells.
    fn draw_cells(&self, svg: &mut Svg) {
        for row in 0..self.rows {
            let mut column = 0;
            while column < self.columns {
                let start = column;
                while column < self.columns && !self.is_free((row, column)) {
                    column += 1;
                }
                let (x, y) = corner((row, start));
                if column > start {
                    svg.rect(x, y, f64::from(column - start) * SIDE, SIDE, "wall");
                    continue;
                }
                if self.wins((row, column)) {
                    svg.rect(x + 1.0, y + 1.0, SIDE - 2.0, SIDE - 2.0, "win");
                }
                column += 1;
            }
        }
    }

    /// Pairs as lines, single cells as dots, and the told path over them.
    fn draw_pairs(&self, svg: &mut Svg) {
        for cell in self.cells().filter(|&cell| self.is_free(cell)) {
            match self.mate(cell) {
                Some(mate) if mate > cell => svg.line(centre(cell), centre(mate), "pair"),
                Some(_) => {}
                None => svg.circle(centre(cell), SIDE / 4.0, "single"),
            }
        }
        for step in self.path().windows(2) {
            svg.line(centre(step[0]), centre(step[1]), "path");
        }
    }
}

/// The neighbours by an edge; some of them may lie outside the board.
fn neighbours((row, column): Cell) -> [Cell; 4] {
    [
        (row.wrapping_sub(1), column),
        (row, column.wrapping_sub(1)),
        (row, column + 1),
        (row + 1, column),
    ]
}

fn corner((row, column): Cell) -> (f64, f64) {
    (f64::from(column + 1) * SIDE, f64::from(row + 2) * SIDE)
}

fn centre(cell: Cell) -> (f64, f64) {
    let (x, y) = corner(cell);
    (x + SIDE / 2.0, y + SIDE / 2.0)
}

/// A cell as players count, from 1.
fn name((row, column): Cell) -> String {
    format!("({},{})", row + 1, column + 1)
}

/// A path with `-` for steps between pairs and `=` for pairs; a long one without its middle.
fn told_path(path: &[Cell]) -> String {
    let mut told = String::new();
    let hidden = if path.len() > MAX_TOLD { MAX_TOLD / 2..path.len() - MAX_TOLD / 2 } else { 0..0 };
    for (index, &cell) in path.iter().enumerate() {
        if hidden.contains(&index) {
            if index == hidden.start {
                let _ = write!(told, " ... {} ...", counted(hidden.len() as u64, "more cell"));
            }
            continue;
        }
        told.push_str(match index {
            0 => "",
            _ if index % 2 == 1 => " - ",
            _ => " = ",
        });
        told.push_str(&name(cell));
    }
    told
}

/// The letters of a pair: one lower-case letter if that is enough for all, else two of 52.
fn letters(pair: u64, pairs: u64) -> String {
    const ALPHABET: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let letter = |index: u64| char::from(ALPHABET[(index % 52) as usize]);
    if pairs <= 26 {
        return letter(pair).to_string();
    }
    [letter(pair / 52), letter(pair)].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(input: &str) -> String {
        JsoiGamePicture.text(&mut input.as_bytes()).unwrap()
    }

    #[test]
    fn a_won_board_shows_its_pairs_its_stars_and_a_path() {
        let expected = "\
JSOI 2009 Game, 3 x 3, 5 free cells
    1 2 3
 1  a # #      letters: pairs of one maximum matching (2 pairs)
 2  a b b*     * a start that wins for the player who places the piece
 3  # * #
Left over: (3,2). Alternating path (3,2) - (2,2) = (2,3): so (2,3) can be left over too.
WIN
2 3
3 2
";
        assert_eq!(text("3 3\n.##\n...\n#.#\n"), expected);
    }

    #[test]
    fn a_lost_board_says_how_the_mover_answers() {
        let expected = "\
JSOI 2009 Game, 1 x 2, 2 free cells
    1 2
 1  a a      letters: pairs of one maximum matching (1 pair)
             * a start that wins for the player who places the piece
Left over: none. Every free cell is matched: wherever the piece is placed, \
the mover always answers along the pair.
LOSE
";
        assert_eq!(text("1 2\n..\n"), expected);
        assert!(text("1 1\n#\n").contains("No cell is free: the piece cannot be placed.\nLOSE\n"));
        let alone = "Left over: (1,1), (1,3). No alternating path leads on to another cell.\nWIN\n";
        assert!(text("1 3\n.#.\n").contains(alone));
    }

    #[test]
    fn many_pairs_get_names_of_two_letters_that_are_unique() {
        let input = format!("40 40\n{}", format!("{}\n", ".".repeat(40)).repeat(40));
        let drawn = text(&input);
        let rows = drawn.lines().skip(2).take(40);
        let mut names: Vec<&str> =
            rows.flat_map(|row| row[4..].split("     ").next().unwrap().split(' ')).collect();
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        assert_eq!(names.len(), 1600);
        names.dedup();
        assert_eq!(names.len(), 800);
    }

    #[test]
    fn a_large_board_is_only_counted() {
        let drawn = text(&format!("1 41\n{}\n", ".".repeat(41)));
        let expected = "\
JSOI 2009 Game, 1 x 41, 41 free cells
20 pairs of one maximum matching, 1 cell left over, 21 winning starts
The board is above 40 x 40: `--svg FILE` draws it.
WIN
";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_long_path_is_told_without_its_middle() {
        let drawn = text(&format!("1 39\n.{}\n", ".".repeat(38)));
        assert!(drawn.contains("(1,34) ... 27 more cells ... - (1,6)"), "{drawn}");
    }

    #[test]
    fn the_svg_has_a_line_for_each_pair_and_a_dot_for_each_single_cell() {
        let svg = JsoiGamePicture.svg(&mut &b"3 3\n.##\n...\n#.#\n"[..]).unwrap();
        assert_eq!(svg.matches("class=\"pair\"").count(), 2);
        assert_eq!(svg.matches("class=\"single\"").count(), 1);
        assert_eq!(svg.matches("class=\"win\"").count(), 2);
        assert_eq!(svg.matches("class=\"path\"").count(), 2);
        assert_eq!(svg.matches("class=\"wall\"").count(), 3);
    }
}
