"""Families of Ali and Baba boards, and the miscounts that their traps catch."""

from __future__ import annotations

from typing import Callable

from .ali_baba import ALI, BABA, MOST_STATES, TREASURE, Analysis, Board, Cell
from .ali_baba import analyse, flood, neighbours, winner
from .rng import Random
from .shapes import Shape, framed

Generator = Callable[[Random], Board]
Miscount = Callable[[Analysis], int]


def drawn(picture: str) -> Board:
    """A board from rows of digits, `.` for empty and `T` for the treasure."""
    values = {".": 0, "T": TREASURE}
    return [
        [values[sign] if sign in values else int(sign) for sign in row] for row in picture.split()
    ]


def noise(
    rng: Random, rows: int, columns: int, stones: int, hit_points: int, margin: int = 0
) -> Board:
    """Random stones in `stones` of 100 cells; the treasure keeps `margin` cells to the border."""
    board = [
        [rng.between(1, hit_points) if rng.percent(stones) else 0 for _ in range(columns)]
        for _ in range(rows)
    ]
    row = rng.between(margin, rows - 1 - margin)
    board[row][rng.between(margin, columns - 1 - margin)] = TREASURE
    return board


def small_noise(rng: Random) -> Board:
    """A small random board, treasure anywhere."""
    rows, columns = rng.between(1, 6), rng.between(1, 6)
    return noise(rng, rows, columns, rng.between(20, 90), rng.choice((1, 1, 2)))


def tiny(rng: Random) -> Board:
    """A board of at most 3 x 3 cells."""
    return noise(rng, rng.between(1, 3), rng.between(1, 3), rng.between(30, 100), 2)


def grown_room(rng: Random, rows: int, columns: int, cells: int) -> list[Cell]:
    """A connected random region away from the border."""
    room = [(rng.between(1, rows - 2), rng.between(1, columns - 2))]
    known = set(room)
    for _ in range(cells * 4):
        cell = rng.choice(neighbours(rng.choice(room)))
        inside = 0 < cell[0] < rows - 1 and 0 < cell[1] < columns - 1
        if inside and cell not in known and len(room) < cells:
            known.add(cell)
            room.append(cell)
    return room


def closed_room(
    rng: Random, rows: int, columns: int, cells: int, islands: int, stones: int, hit_points: int
) -> Board:
    """A room of any form, walled in; islands in it and stones outside in so many of 100 cells."""
    room = grown_room(rng, rows, columns, cells)
    known = set(room)
    board = [[0] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            inside = (row, column) in known
            beside = not inside and any(near in known for near in neighbours((row, column)))
            if beside or rng.percent(islands if inside else stones):
                board[row][column] = rng.between(1, hit_points)
    board[room[0][0]][room[0][1]] = TREASURE
    return board


def small_room(rng: Random) -> Board:
    """A closed room that real play can finish."""
    return closed_room(rng, rng.between(3, 6), rng.between(3, 6), rng.between(1, 3), 0, 20, 2)


def roomy(rng: Random) -> Board:
    """A closed room with islands and stones outside, weak or strong."""
    size = rng.between(5, 10)
    points = rng.choice((1, 3, 9))
    return closed_room(rng, size, size, rng.between(4, 24), 25, rng.choice((5, 40)), points)


def around_pocket(rng: Random, block: int, wall_points: int, stones: int) -> Board:
    """A room that runs around a walled block; whatever the block holds, nobody can reach it."""
    size = block + 6
    board = [[0] * size for _ in range(size)]
    for row in range(size):
        for column in range(size):
            depth = min(row, column, size - 1 - row, size - 1 - column)
            if depth in (1, 3) or (depth != 2 and rng.percent(stones if depth == 0 else 60)):
                board[row][column] = rng.between(1, wall_points if depth == 1 else 3)
    board[2][rng.between(2, size - 3)] = TREASURE
    return board


def pocket(rng: Random) -> Board:
    """A walled block of 2 to 5 cells a side in the middle of the room."""
    return around_pocket(rng, rng.between(2, 5), rng.choice((1, 1, 3)), rng.choice((5, 40)))


def nested_rings(rng: Random, rings: int, inner_points: int, gaps: int) -> Board:
    """Walls around walls, the treasure in the middle; `gaps` of 100 outer wall cells are open."""
    size = 4 * rings + 1
    board = [[0] * size for _ in range(size)]
    for row in range(size):
        for column in range(size):
            depth = min(row, column, size - 1 - row, size - 1 - column)
            innermost = depth == 2 * (rings - 1)
            if depth % 2 == 0 and (innermost or not rng.percent(gaps)):
                board[row][column] = rng.between(1, inner_points if innermost else 3)
    board[size // 2][size // 2] = TREASURE
    return board


def nested(rng: Random) -> Board:
    """Two to four rings, the outer ones whole or with gaps."""
    return nested_rings(rng, rng.between(2, 4), rng.choice((1, 9)), rng.choice((0, 20, 90)))


def from_shape(rng: Random, shape: Shape, hit_points: int) -> Board:
    """A closed board whose room is the free part of `shape`, with random stones around it."""
    walled = framed(framed(shape))
    last = len(walled) - 1, len(walled[0]) - 1
    board = [[0 if free else rng.between(1, hit_points) for free in row] for row in walled]
    for row, line in enumerate(board):
        for column in range(len(line)):
            if (row in (0, last[0]) or column in (0, last[1])) and rng.percent(50):
                line[column] = 0
    row, column = max((r, c) for r, line in enumerate(shape) for c, free in enumerate(line) if free)
    board[row + 2][column + 2] = TREASURE
    return board


def opened(board: Board) -> Board:
    """The same board with a way from the left border into the room."""
    row, column = min(analyse(board).room, key=lambda cell: (cell[1], cell[0]))
    return [line if at != row else [0] * column + line[column:] for at, line in enumerate(board)]


def fill_to(board: Board, rows: int, columns: int) -> Board:
    """The board with empty rows and columns added behind it."""
    wide = [row + [0] * (columns - len(row)) for row in board]
    return wide + [[0] * columns for _ in range(rows - len(board))]


def turns(board: Board) -> list[Board]:
    """The board turned and mirrored in all eight ways."""
    result = []
    for _ in range(4):
        board = [list(row) for row in zip(*board[::-1])]
        result += [board, [row[::-1] for row in board]]
    return result


def both_answers(rng: Random, generator: Generator, count: int) -> list[Board]:
    """Boards of a family, in turn won by Ali and by Baba."""

    def won_by(name: str) -> Board:
        return until(rng, generator, lambda board: winner(analyse(board)) == name)

    return [won_by((ALI, BABA)[number % 2]) for number in range(count)]


def traps(rng: Random, generator: Generator, miscount: Miscount, count: int) -> list[Board]:
    """Boards of a family on which `miscount` answers wrongly, in turn won by Ali and by Baba.

    A third of them are small enough to be played out.
    """

    def trap(number: int) -> Board:
        def springs(board: Board) -> bool:
            analysis = analyse(board)
            right, wrong = analysis.safe_hits() % 2, miscount(analysis) % 2
            fits = number >= count // 3 or analysis.states() <= MOST_STATES // 4
            return fits and not analysis.is_open and wrong != right and right != number % 2

        return until(rng, generator, springs)

    return [trap(number) for number in range(count)]


def until(rng: Random, generator: Generator, fits: Callable[[Board], bool]) -> Board:
    """Draws boards until one fits."""
    for _ in range(10_000):
        board = generator(rng)
        if fits(board):
            return board
    raise AssertionError("no fitting board in 10000 draws")


def ring_in_full(analysis: Analysis) -> int:
    """Forgets that the last hit on a stone of the ring opens the room."""
    return analysis.safe_hits() + len(analysis.ring)


def ring_left_out(analysis: Analysis) -> int:
    """Forgets the safe hits on the ring."""
    return analysis.hit_points(analysis.outer)


def inside_counted(analysis: Analysis) -> int:
    """Counts islands and inner walls."""
    return analysis.safe_hits() + analysis.hit_points(analysis.hidden)


def inside_as_ring(analysis: Analysis) -> int:
    """Takes islands and inner walls for stones of the ring."""
    hidden = analysis.hidden
    return analysis.safe_hits() + analysis.hit_points(hidden) - len(hidden)


def sealed_counted(analysis: Analysis) -> int:
    """Counts stones that lie in a sealed pocket."""
    return analysis.safe_hits() + analysis.hit_points(analysis.sealed())


def corners_as_ring(analysis: Analysis) -> int:
    """Takes outer stones that touch the room by a corner for stones of the ring."""
    room, board = analysis.room, analysis.board
    diagonal = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    corners = {(r + down, c + right) for r, c in room for down, right in diagonal}
    stones = {(r, c) for r, c in corners & analysis.outer if board[r][c] > 0}
    return analysis.safe_hits() - len(stones)


def first_layer_only(analysis: Analysis) -> int:
    """Counts outer stones only where they can be hit at once."""
    rows, columns = len(analysis.board), len(analysis.board[0])
    reached = flood(
        (-1, -1),
        lambda cell: -1 <= cell[0] <= rows
        and -1 <= cell[1] <= columns
        and (cell not in analysis.room)
        and not is_stone(analysis.board, cell),
    )
    first = {cell for cell in analysis.outer if any(near in reached for near in neighbours(cell))}
    ring = {cell for cell in analysis.ring if any(near in reached for near in neighbours(cell))}
    return analysis.hit_points(first) + analysis.hit_points(ring) - len(ring)


def is_stone(board: Board, cell: Cell) -> bool:
    """Whether a cell, perhaps outside of the board, holds a stone."""
    row, column = cell
    return 0 <= row < len(board) and 0 <= column < len(board[0]) and board[row][column] > 0


def all_walls_as_ring(analysis: Analysis) -> int:
    """Keeps one hit point of every stone of the board."""
    outer = {cell for cell in analysis.outer if is_stone(analysis.board, cell)}
    return analysis.safe_hits() - len(outer)


def stones_counted(analysis: Analysis) -> int:
    """Counts outer stones instead of their hit points."""
    outer = {cell for cell in analysis.outer if is_stone(analysis.board, cell)}
    return len(outer) + analysis.hit_points(analysis.ring) - len(analysis.ring)
