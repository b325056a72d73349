"""The cases of `input/ali-baba`, in order."""

from __future__ import annotations

from typing import Callable

from . import ali_baba_boards as boards
from . import formats, shapes
from .ali_baba import Board, text_of
from .ali_baba_boards import Generator, Miscount, drawn
from .case import Case, numbered, random_for
from .rng import Random

PROBLEM = "ali-baba"
SAMPLE = (
    ".1. 1T1 .1.",
    ".2. 1T1 .1.",
    "..... ..11. .1T.1 ..11. .....",
    "1.T",
)
TIGHT_RINGS = (
    ".1. 1T1 .1.",
    ".2. 1T1 .1.",
    ".2. 2T1 .1.",
    ".2. 3T4 .5.",
    "11. 1T1 .1.",
    "111 1T1 111",
    "311 1T1 111",
    ".11. 1T.1 .11.",
    ".11. 1T.2 .11.",
    ".1. 1T1 1.1 .2.",
)


def joined(drawn_boards: list[Board]) -> str:
    """One input that holds all boards."""
    return "".join(text_of(board) for board in drawn_boards)


def plain(drawn_boards: list[Board]) -> bytes:
    """One input in the plain format."""
    return joined(drawn_boards).encode()


def pictures(rows: tuple[str, ...]) -> bytes:
    """One input from drawn boards."""
    return plain([drawn(picture) for picture in rows])


def single_lines() -> bytes:
    """Boards of one row or one column: the treasure always lies on the border."""
    rng = random_for(PROBLEM, "single-row-and-column")
    rows = [boards.noise(rng, 1, length, 60, 3) for length in (2, 3, 7, 24, 300)]
    columns = [boards.noise(rng, length, 1, 60, 3) for length in (2, 3, 7, 24, 300)]
    return plain(rows + columns + [boards.noise(rng, 2, 30, 60, 3)])


def treasure_on_border() -> bytes:
    """Ali wins at once, whatever the count says: on the border, or through an open room."""
    rows = (
        "1T1 212 111",
        "111 212 11T",
        "T11 1.1 111",
        "111 1T. 111",
        "11111 1T..1 111.1 ....1 1.111",
        "1111111 1.....1 1.111.1 1.1T1.1 1.1.1.1 1.1...1 1.11111",
        "121 1T2 1.1",
    )
    return pictures(rows)


def no_stones() -> bytes:
    """Empty boards: the treasure can be walked to."""
    rng = random_for(PROBLEM, "no-stones")
    return plain([boards.noise(rng, n, m, 0, 1) for n, m in ((1, 1), (2, 2), (5, 9), (30, 40))])


def all_stones() -> bytes:
    """Only stones around the treasure: nothing but their sum matters."""
    rng = random_for(PROBLEM, "all-stones")

    def packed(rng: Random) -> Board:
        return boards.noise(rng, rng.between(3, 9), rng.between(3, 9), 100, 5, margin=1)

    small = [drawn("121 1T1 111"), drawn("111 1T1 111")]
    return plain(small + boards.both_answers(rng, packed, 10))


def family(name: str, generator: Generator, count: int) -> tuple[str, bytes]:
    """A named case of boards that Ali and Baba win in turn."""
    return name, plain(boards.both_answers(random_for(PROBLEM, name), generator, count))


def trap(name: str, generator: Generator, miscount: Miscount) -> tuple[str, bytes]:
    """A named case of boards on which a miscount gives the wrong answer, every time."""
    return name, plain(boards.traps(random_for(PROBLEM, name), generator, miscount, 12))


def corner_rooms(rng: Random) -> Board:
    """Rooms with bends; most cells at their corners hold stones."""
    size = rng.between(4, 8)
    return boards.closed_room(rng, size, size, rng.between(1, 9), 0, 70, rng.choice((1, 3)))


def strong(rng: Random) -> Board:
    """A closed room among stones of up to 100 hit points."""
    return boards.closed_room(rng, 12, 15, rng.between(4, 40), 15, 45, 100)


def turned_boards() -> bytes:
    """Boards in all eight positions: the winner stays the same."""
    rng = random_for(PROBLEM, "turned-and-mirrored")
    chosen = boards.both_answers(rng, lambda r: boards.closed_room(r, 6, 9, 9, 20, 40, 4), 4)
    return plain([turned for board in chosen for turned in boards.turns(board)])


def tiny_cases() -> bytes:
    """Hundreds of boards in one input: nothing of one board may reach the next."""
    rng = random_for(PROBLEM, "many-tiny-cases")
    rings = boards.both_answers(rng, boards.small_room, 140)
    return plain(rng.shuffled(rings + [boards.tiny(rng) for _ in range(160)]))


def long_numbers() -> bytes:
    """Hit points of any length, odd ones among even ones, and zeros in front."""
    huge = "9" * 80
    lines = [
        f"3 3\n0 {huge} 0\n1 -1 1\n0 1 0",
        f"3 3\n0 {'8' * 80} 0\n1 -1 1\n0 1 0",
        "3 3\n0 4294967297 0\n1 -1 1\n0 18446744073709551616 0",
        "3 3\n18446744073709551617 4294967296 0\n1 -1 1\n0 1 0",
        "3 3\n000 007 00\n01 -1 001\n0 0002 0",
        "03 003\n0 1 0\n1 -1 1\n0 1 0",
        f"3 3\n{'0' * 90} 1 {'0' * 64}\n1 -1 1\n0 {'0' * 70}1 {'0' * 63}1",
        "1 3\n100000000000000000000 -1 1",
        "3 4\n0 100 100 0\n101 -1 0 102\n0 100 100 0",
        f"3 3\n1{'0' * 40} 1 0\n1 -1 1\n0 1 0",
    ]
    return ("\n".join(lines) + "\n").encode()


def formatted(name: str, write: Callable[[str], bytes]) -> tuple[str, bytes]:
    """A named case of a few boards in another spelling."""
    name = f"format-{name}"
    rng = random_for(PROBLEM, name)
    return name, write(joined(boards.both_answers(rng, boards.roomy, 6)))


def worst(name: str, shape: Callable[[Random], shapes.Shape]) -> tuple[str, bytes]:
    """A named case of one long room: closed, won by Ali and by Baba, then with an open end."""
    name = f"worst-{name}"
    rng = random_for(PROBLEM, name)
    closed = boards.both_answers(rng, lambda r: boards.from_shape(r, shape(r), 9), 2)
    return name, plain([*closed, boards.opened(closed[1])])


def largest(name: str, generator: Generator, wanted: int) -> tuple[str, bytes]:
    """A named case of one closed board of 300 x 300; `wanted` is 0 for Ali and 1 for Baba."""
    name = f"max-300x300-{name}"
    rng = random_for(PROBLEM, name)
    return name, plain([boards.both_answers(rng, generator, wanted + 1)[wanted]])


def wide_room(rng: Random) -> Board:
    """A room of tens of thousands of cells with islands and sealed pockets."""
    return boards.from_shape(rng, shapes.noise(rng, 296, 296, 28), 99)


def crowded(rng: Random) -> Board:
    """Stones nearly everywhere."""
    return boards.noise(rng, 300, 300, 90, 99, margin=100)


def great_maze(rng: Random) -> Board:
    """One tree of corridors that fills the board."""
    board = boards.from_shape(rng, shapes.maze(rng, 295, 295), 9)
    return boards.fill_to(board, 300, 300)


def all_cases() -> list[Case]:
    """Every case of the suite."""
    named = [
        ("sample", pictures(SAMPLE)),
        ("one-cell", pictures(("T",))),
        ("single-row-and-column", single_lines()),
        ("treasure-on-border", treasure_on_border()),
        ("no-stones", no_stones()),
        ("all-stones", all_stones()),
        ("tight-rings", pictures(TIGHT_RINGS)),
        family("random-small", boards.small_noise, 60),
        family("random-rooms", boards.small_room, 60),
        trap("trap-ring-keeps-one-point", boards.roomy, boards.ring_in_full),
        trap("trap-ring-has-safe-hits", boards.roomy, boards.ring_left_out),
        trap("trap-islands-do-not-count", boards.roomy, boards.inside_counted),
        trap("trap-inner-walls-are-no-ring", boards.pocket, boards.inside_as_ring),
        trap("trap-sealed-pockets-do-not-count", boards.pocket, boards.sealed_counted),
        trap("trap-ring-corners-count-in-full", corner_rooms, boards.corners_as_ring),
        trap("trap-stones-behind-stones-count", boards.roomy, boards.first_layer_only),
        trap("trap-only-the-inner-ring-closes", boards.nested, boards.all_walls_as_ring),
        trap("trap-points-not-stones", boards.roomy, boards.stones_counted),
        family("two-digit-points", strong, 12),
        ("turned-and-mirrored", turned_boards()),
        ("many-tiny-cases", tiny_cases()),
        ("long-numbers", long_numbers()),
        formatted("crlf", formats.crlf),
        formatted("no-final-newline", formats.no_final_newline),
        formatted("blank-lines", formats.blank_lines),
        formatted("wide-blanks", formats.wide_blanks),
        formatted("one-number-a-line", formats.one_token_a_line),
        formatted("one-line", formats.one_line),
        formatted("byte-order-mark", formats.byte_order_mark),
        worst("spiral", lambda _: shapes.spiral(61)),
        worst("maze", lambda rng: shapes.maze(rng, 61, 61)),
        worst("comb", lambda _: shapes.comb(60, 61)),
        worst("snake", lambda _: shapes.snake(61, 60)),
        worst("diamond", lambda _: shapes.diamond(61)),
        largest("wide-room", wide_room, 0),
        largest("crowded", crowded, 1),
        largest("maze", great_maze, 0),
    ]
    return numbered(PROBLEM, named)
