"""JSOI 2009 "Game": reading a board, the answer by a maximum matching, the answer by real play.

A board is a list of rows of booleans, true where a cell is free.
"""

from __future__ import annotations

from collections import deque
from typing import Optional

from .shapes import STEPS, Shape

Cell = tuple[int, int]
Graph = dict[Cell, list[Cell]]
Mates = dict[Cell, Cell]
MOST_PLAYED_CELLS = 120
MOST_STATES = 100_000


def parse(data: bytes) -> Shape:
    """The board of one input."""
    rows, columns, *lines = data.decode("utf-8-sig").split()
    if len(lines) != int(rows) or any(len(line) != int(columns) for line in lines):
        raise ValueError("the rows do not have the announced size")
    return [[character == "." for character in line] for line in lines]


def text_of(shape: Shape) -> str:
    """A board as the input format writes it."""
    lines = ["".join("." if free else "#" for free in row) for row in shape]
    return f"{len(shape)} {len(shape[0])}\n" + "\n".join(lines) + "\n"


def graph_of(shape: Shape) -> Graph:
    """Free cells, row by row, with their free neighbours."""
    cells = [(r, c) for r, row in enumerate(shape) for c, free in enumerate(row) if free]
    known = set(cells)
    around = {cell: [(cell[0] + down, cell[1] + right) for down, right in STEPS] for cell in cells}
    return {cell: [near for near in around[cell] if near in known] for cell in cells}


def greedy_matching(graph: Graph) -> Mates:
    """Pairs each cell with its first neighbour that is still alone; not always maximum."""
    mates: Mates = {}
    for cell, near in graph.items():
        partner = next((other for other in near if other not in mates), None)
        if cell not in mates and partner is not None:
            mates[cell], mates[partner] = partner, cell
    return mates


def maximum_matching(graph: Graph) -> Mates:
    """Improves the greedy pairs by alternating paths, one search a cell that is left over."""
    mates = greedy_matching(graph)
    for cell in graph:
        if cell not in mates and sum(cell) % 2 == 0:
            augment(graph, mates, cell)
    return mates


def augment(graph: Graph, mates: Mates, start: Cell) -> None:
    """Searches breadth first for a lone cell of the other colour and swaps the pairs up to it."""
    parent: Mates = {}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        for near in graph[cell]:
            if near in parent:
                continue
            parent[near] = cell
            if near not in mates:
                return swap_pairs(mates, parent, start, near)
            waiting.append(mates[near])
    return None


def swap_pairs(mates: Mates, parent: Mates, start: Cell, end: Cell) -> None:
    """Pairs every cell of the path with the one before it."""
    while True:
        cell = parent[end]
        before = mates.get(cell)
        mates[cell], mates[end] = end, cell
        if cell == start:
            return
        assert before is not None
        end = before


def winning_starts(graph: Graph, mates: Mates) -> list[Cell]:
    """Cells that some maximum matching leaves over: lone ones, and what alternates with them."""
    lone = [cell for cell in graph if cell not in mates]
    found, waiting = set(lone), list(lone)
    while waiting:
        for near in graph[waiting.pop()]:
            other = mates[near]
            if other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)


class TooManyStates(Exception):
    """The board is too big to be played out."""


def winning_starts_by_play(graph: Graph) -> Optional[list[Cell]]:
    """The same by trying every walk; none if that takes too long."""
    bit = {cell: 1 << index for index, cell in enumerate(graph)}
    known: dict[tuple[Cell, int], bool] = {}

    def mover_wins(cell: Cell, visited: int) -> bool:
        if (cell, visited) not in known:
            if len(known) >= MOST_STATES:
                raise TooManyStates
            steps = [near for near in graph[cell] if not visited & bit[near]]
            won = any(not mover_wins(near, visited | bit[near]) for near in steps)
            known[cell, visited] = won
        return known[cell, visited]

    if len(graph) > MOST_PLAYED_CELLS:
        return None
    try:
        return [cell for cell in graph if not mover_wins(cell, bit[cell])]
    except TooManyStates:
        return None


def report(starts: list[Cell]) -> str:
    """The answer file for a list of winning starts."""
    if not starts:
        return "LOSE\n"
    return "WIN\n" + "".join(f"{row + 1} {column + 1}\n" for row, column in starts)


def answer(data: bytes) -> tuple[str, int]:
    """The answer file of an input, and 1 if real play has confirmed it."""
    graph = graph_of(parse(data))
    starts = winning_starts(graph, maximum_matching(graph))
    truth = winning_starts_by_play(graph)
    if truth not in (None, starts):
        raise AssertionError(f"matching says {starts}, play says {truth}")
    return report(starts), int(truth is not None)
