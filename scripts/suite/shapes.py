"""Drawn boards that both games use: rows of booleans, true where a cell is free."""

from __future__ import annotations

from .rng import Random

Shape = list[list[bool]]
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))


def full(rows: int, columns: int, free: bool = True) -> Shape:
    """A board of one kind of cell."""
    return [[free] * columns for _ in range(rows)]


def spiral(size: int) -> Shape:
    """One corridor that winds from the upper left corner to the middle."""
    shape = full(size, size, False)
    row, column, (down, right) = 0, 0, (0, 1)
    shape[0][0] = True
    turns = 0
    while turns < 2:
        if _may_dig(shape, row, column, down, right):
            row, column = row + down, column + right
            shape[row][column] = True
            turns = 0
        else:
            down, right = right, -down
            turns += 1
    return shape


def _may_dig(shape: Shape, row: int, column: int, down: int, right: int) -> bool:
    """Whether the spiral can grow by one step without touching itself."""
    ahead = (row + down, column + right)
    beyond = (row + 2 * down, column + 2 * right)
    return _is_wall(shape, *ahead) is True and _is_wall(shape, *beyond) is not False


def _is_wall(shape: Shape, row: int, column: int) -> bool | None:
    """Whether a cell is wall; none outside of the board."""
    if 0 <= row < len(shape) and 0 <= column < len(shape[0]):
        return not shape[row][column]
    return None


def maze(rng: Random, rows: int, columns: int) -> Shape:
    """A random tree of corridors; `rows` and `columns` are odd."""
    shape = full(rows, columns, False)
    shape[0][0] = True
    path = [(0, 0)]
    while path:
        row, column = path[-1]
        for down, right in rng.shuffled(STEPS):
            if _is_wall(shape, row + 2 * down, column + 2 * right):
                shape[row + down][column + right] = True
                shape[row + 2 * down][column + 2 * right] = True
                path.append((row + 2 * down, column + 2 * right))
                break
        else:
            path.pop()
    return shape


def comb(rows: int, columns: int) -> Shape:
    """A free first row from which every other column hangs down."""
    return [[row == 0 or column % 2 == 0 for column in range(columns)] for row in range(rows)]


def snake(rows: int, columns: int) -> Shape:
    """Free rows, joined at the right and at the left end by turns."""
    shape = full(rows, columns)
    for row in range(1, rows, 2):
        opening = columns - 1 if row % 4 == 1 else 0
        shape[row] = [column == opening for column in range(columns)]
    return shape


def diamond(size: int) -> Shape:
    """The cells near the middle; one colour of the chessboard has many more cells."""
    middle = size // 2
    return [
        [abs(row - middle) + abs(column - middle) <= middle for column in range(size)]
        for row in range(size)
    ]


def stripes(rng: Random, rows: int, columns: int, bridges: int) -> Shape:
    """Free rows; the rows between are free in `bridges` of 100 cells."""
    return [
        [row % 2 == 0 or rng.percent(bridges) for _ in range(columns)] for row in range(rows)
    ]


def thinned(rng: Random, rows: int, columns: int, percent: int) -> Shape:
    """A free board without `percent` of 100 cells of one colour of the chessboard."""
    return [
        [(row + column) % 2 == 0 or not rng.percent(percent) for column in range(columns)]
        for row in range(rows)
    ]


def blocks(rng: Random, rows: int, columns: int, side: int, percent: int) -> Shape:
    """Square blocks that lack cells of one colour, the next block of the other colour."""
    shape = full(rows, columns)
    for row in range(rows):
        for column in range(columns):
            block = (row // side + column // side) % 2
            if (row + column) % 2 == block and rng.percent(percent):
                shape[row][column] = False
    return shape


def noise(rng: Random, rows: int, columns: int, walls: int) -> Shape:
    """Every cell is wall in `walls` of 100 draws."""
    return [[not rng.percent(walls) for _ in range(columns)] for _ in range(rows)]


def framed(shape: Shape) -> Shape:
    """`shape` inside a closed wall."""
    columns = len(shape[0])
    inner = [[False, *row, False] for row in shape]
    return [[False] * (columns + 2), *inner, [False] * (columns + 2)]
