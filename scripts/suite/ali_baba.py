"""Ali and Baba: reading boards, the answer by flood and parity, the answer by real play.

A board is a list of rows; 0 is empty, a positive number a stone with so many hit points, -1 the
treasure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Callable, Iterable

from .shapes import STEPS

Board = list[list[int]]
Cell = tuple[int, int]
State = tuple[int, ...]
TREASURE = -1
ALI, BABA = "Ali Win", "Baba Win"
MOST_STATES = 2000


def parse(data: bytes) -> list[Board]:
    """Every board of one input."""
    numbers = [int(token) for token in data.decode("utf-8-sig").split()]
    boards, at = [], 0
    while at < len(numbers):
        rows, columns = numbers[at : at + 2]
        at += 2
        boards.append([numbers[at + r * columns : at + (r + 1) * columns] for r in range(rows)])
        at += rows * columns
    if at != len(numbers):
        raise ValueError("the last board is incomplete")
    return boards


def text_of(board: Board) -> str:
    """A board as the input format writes it."""
    lines = [f"{len(board)} {len(board[0])}"]
    lines += [" ".join(map(str, row)) for row in board]
    return "\n".join(lines) + "\n"


def neighbours(cell: Cell) -> list[Cell]:
    """The four cells around a cell, inside the board or not."""
    return [(cell[0] + down, cell[1] + right) for down, right in STEPS]


def flood(start: Cell, enter: Callable[[Cell], bool]) -> set[Cell]:
    """Everything that can be reached from `start` over cells that `enter` allows."""
    seen, waiting = {start}, [start]
    while waiting:
        for cell in neighbours(waiting.pop()):
            if cell not in seen and enter(cell):
                seen.add(cell)
                waiting.append(cell)
    return seen


@dataclass
class Analysis:
    """What decides a board; each cell of the board belongs to at most one of the sets."""

    board: Board
    room: set[Cell]
    """The treasure and the empty cells connected with it."""
    ring: set[Cell]
    """Stones of the wall that can be hit from outside."""
    hidden: set[Cell]
    """Stones beside the room that cannot be hit from outside: islands and inner walls."""
    outer: set[Cell]
    """Cells that can be reached from outside without opening the room."""
    is_open: bool
    """Whether the room reaches the border of the board."""

    def hit_points(self, cells: Iterable[Cell]) -> int:
        """The sum over stones; empty cells count nothing."""
        return sum(self.board[row][column] for row, column in cells)

    def safe_hits(self) -> int:
        """Hits that do not open the room."""
        return self.hit_points(self.outer) + self.hit_points(self.ring) - len(self.ring)

    def states(self) -> int:
        """How many positions real play meets before somebody opens the room."""
        if self.is_open:
            return 1
        outer = prod(1 + max(self.board[row][column], 0) for row, column in self.outer)
        return outer * prod(self.board[row][column] for row, column in self.ring)

    def sealed(self) -> set[Cell]:
        """Cells behind the room that touch neither the room nor the outside."""
        known = self.room | self.ring | self.hidden | self.outer
        return {cell for cell in cells_of(self.board) if cell not in known}


def cells_of(board: Board) -> list[Cell]:
    """All cells, row by row."""
    return [(row, column) for row in range(len(board)) for column in range(len(board[0]))]


def analyse(board: Board) -> Analysis:
    """Floods the room from the treasure, then the rest from outside."""
    rows, columns = len(board), len(board[0])
    treasures = [(r, c) for r, c in cells_of(board) if board[r][c] == TREASURE]
    if len(treasures) != 1:
        raise ValueError(f"{len(treasures)} treasures")

    def in_board(cell: Cell) -> bool:
        return 0 <= cell[0] < rows and 0 <= cell[1] < columns

    room = flood(treasures[0], lambda cell: in_board(cell) and board[cell[0]][cell[1]] == 0)
    around = {near for cell in room for near in neighbours(cell)} - room
    wall = {cell for cell in around if in_board(cell)}

    def outside(cell: Cell) -> bool:
        in_frame = -1 <= cell[0] <= rows and -1 <= cell[1] <= columns
        return in_frame and cell not in room and cell not in wall

    outer = flood((-1, -1), outside)
    ring = {cell for cell in wall if any(near in outer for near in neighbours(cell))}
    inside_board = {cell for cell in outer if in_board(cell)}
    return Analysis(board, room, ring, wall - ring, inside_board, wall != around)


def winner(analysis: Analysis) -> str:
    """The answer: Ali wins an open room, else the parity of the safe hits decides."""
    return ALI if analysis.is_open or analysis.safe_hits() % 2 == 1 else BABA


def winner_by_play(board: Board) -> str:
    """The answer by trying every move with real hit points; for boards of few states."""
    stones = [cell for cell in cells_of(board) if board[cell[0]][cell[1]] > 0]

    @lru_cache(maxsize=None)
    def mover_wins(state: State) -> bool:
        targets = touchable(board, {c for c, points in zip(stones, state) if points > 0})
        hits = [index for index, cell in enumerate(stones) if cell in targets]
        taken = any(board[row][column] == TREASURE for row, column in targets)
        return taken or any(not mover_wins(after_hit(state, hit)) for hit in hits)

    return ALI if mover_wins(tuple(board[row][column] for row, column in stones)) else BABA


def touchable(board: Board, standing: set[Cell]) -> set[Cell]:
    """The standing stones, and the treasure, that can be reached from outside."""
    rows, columns = len(board), len(board[0])
    solid = standing | {(r, c) for r, c in cells_of(board) if board[r][c] == TREASURE}

    def enter(cell: Cell) -> bool:
        return -1 <= cell[0] <= rows and -1 <= cell[1] <= columns and cell not in solid

    reached = flood((-1, -1), enter)
    return {cell for cell in solid if any(near in reached for near in neighbours(cell))}


def after_hit(state: State, index: int) -> State:
    """The hit points after one stone lost a point."""
    return state[:index] + (state[index] - 1,) + state[index + 1 :]


def answer(data: bytes) -> tuple[str, int]:
    """The answer file of an input, and how many boards real play has confirmed."""
    lines, played = [], 0
    for number, board in enumerate(parse(data), 1):
        analysis = analyse(board)
        lines.append(winner(analysis))
        if analysis.states() <= MOST_STATES:
            played += 1
            if winner_by_play(board) != lines[-1]:
                raise AssertionError(f"case {number}: play does not end with {lines[-1]}")
    return "\n".join(lines) + "\n", played
