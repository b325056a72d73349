"""The cases of `input/jsoi-game`, in order, and the mistakes that the traps catch."""

from __future__ import annotations

from typing import Callable

from . import formats, shapes
from .case import Case, numbered, random_for
from .jsoi_game import Cell, Graph, graph_of, greedy_matching, maximum_matching, text_of
from .jsoi_game import winning_starts
from .rng import Random
from .shapes import Shape

PROBLEM = "jsoi-game"
Generator = Callable[[Random], Shape]
Mistake = Callable[[Graph], list[Cell]]


def drawn(picture: str) -> bytes:
    """One input from rows of `.` and `#`."""
    return plain([[sign == "." for sign in row] for row in picture.split()])


def plain(shape: Shape) -> bytes:
    """One input in the plain format."""
    return text_of(shape).encode()


def small(rng: Random) -> Shape:
    """A board that real play can finish."""
    return shapes.noise(rng, 5, 6, 25)


def middling(rng: Random) -> Shape:
    """A board of 12 x 15 cells with a few walls."""
    return shapes.noise(rng, 12, 15, 25)


def right_starts(graph: Graph) -> list[Cell]:
    """The winning starts of a board."""
    return winning_starts(graph, maximum_matching(graph))


def lone_cells_only(graph: Graph) -> list[Cell]:
    """Forgets that another maximum matching leaves other cells over."""
    mates = maximum_matching(graph)
    return [cell for cell in graph if cell not in mates]


def one_colour_only(graph: Graph) -> list[Cell]:
    """Forgets that cells of both colours of the chessboard can be left over."""
    return [cell for cell in right_starts(graph) if sum(cell) % 2 == 0]


def greedy_pairs(graph: Graph) -> list[Cell]:
    """Takes the first pairs for a maximum matching; every cell left over then seems to win."""
    mates = greedy_matching(graph)
    return [cell for cell in graph if cell not in mates]


def surplus_colour(graph: Graph) -> list[Cell]:
    """Believes that a board with as many cells of one colour as of the other always loses."""
    balance = sum(1 - 2 * (sum(cell) % 2) for cell in graph)
    return [] if balance == 0 else right_starts(graph)


def trap(name: str, generator: Generator, mistake: Mistake, wins: bool) -> tuple[str, bytes]:
    """A named case on which a mistake gives the wrong answer."""
    name = f"trap-{name}"
    rng = random_for(PROBLEM, name)
    for _ in range(10_000):
        shape = generator(rng)
        graph = graph_of(shape)
        right = right_starts(graph)
        if bool(right) == wins and mistake(graph) != right:
            return name, plain(shape)
    raise AssertionError(f"{name}: no fitting board in 10000 draws")


def made(name: str, generator: Generator) -> tuple[str, bytes]:
    """A named case of one board of a family."""
    return name, plain(generator(random_for(PROBLEM, name)))


def formatted(name: str, write: Callable[[str], bytes]) -> tuple[str, bytes]:
    """A named case of one board in another spelling."""
    name = f"format-{name}"
    return name, write(text_of(shapes.noise(random_for(PROBLEM, name), 9, 12, 25)))


def paired(rng: Random) -> Shape:
    """Few walls, so that all cells can often be paired."""
    return shapes.noise(rng, 6, 6, 15)


def largest(label: str, walls: int) -> tuple[str, bytes]:
    """A named case of the contest's largest size with so many walls in 100 cells."""
    return made(f"max-100x100-{label}", lambda rng: shapes.noise(rng, 100, 100, walls))


def all_cases() -> list[Case]:
    """Every case of the suite."""
    named = [
        ("sample", drawn(".## ... #.#")),
        ("one-free-cell", drawn(".")),
        ("corridor", drawn("#.... ####. #.... #.### #.###")),
        ("one-wall", drawn("#")),
        ("corridor-even", drawn("." * 24)),
        made("single-row", lambda rng: shapes.noise(rng, 1, 100, 25)),
        made("single-column", lambda rng: shapes.noise(rng, 100, 1, 25)),
        ("all-walls", plain(shapes.full(7, 9, False))),
        ("ring", drawn("...... .####. .####. .####. ......")),
        ("two-free-cells", drawn("..")),
        ("lone-cells", drawn(".#.#. #.#.# .#.#.")),
        ("empty-odd", plain(shapes.full(5, 7))),
        ("empty-even", plain(shapes.full(6, 7))),
        ("mutilated-corners", drawn("#..... ...... ...... ...... ...... .....#")),
        ("ring-with-tail", drawn("....# .##.# .##.# ..... ####.")),
        made("two-rows", lambda rng: shapes.noise(rng, 2, 60, 30)),
        made("random-small", small),
        made("random-middling", middling),
        trap("more-than-lone-cells", small, lone_cells_only, True),
        trap("both-colours", small, one_colour_only, True),
        trap("balanced-yet-won", small, surplus_colour, True),
        trap("first-pairs-are-not-enough", paired, greedy_pairs, False),
        formatted("crlf", formats.crlf),
        formatted("no-final-newline", formats.no_final_newline),
        formatted("blank-lines", formats.blank_lines),
        formatted("wide-blanks", formats.wide_blanks),
        formatted("byte-order-mark", formats.byte_order_mark),
        formatted("one-token-a-line", formats.one_token_a_line),
        ("worst-spiral", plain(shapes.spiral(61))),
        made("worst-maze", lambda rng: shapes.maze(rng, 61, 61)),
        ("worst-comb", plain(shapes.comb(60, 61))),
        ("worst-snake", plain(shapes.snake(61, 61))),
        ("worst-diamond", plain(shapes.diamond(61))),
        made("worst-stripes-with-bridges", lambda rng: shapes.stripes(rng, 60, 60, 10)),
        made("worst-one-colour-thinned", lambda rng: shapes.thinned(rng, 60, 60, 10)),
        made("worst-alternating-blocks", lambda rng: shapes.blocks(rng, 90, 90, 30, 3)),
        largest("empty", 0),
        ("max-99x99-empty", plain(shapes.full(99, 99))),
        largest("05-percent", 5),
        largest("10-percent", 10),
        largest("30-percent", 30),
        largest("41-percent", 41),
    ]
    return numbered(PROBLEM, named)
