"""One case of a suite."""

from __future__ import annotations

from dataclasses import dataclass

from .rng import Random, seed_of


@dataclass(frozen=True)
class Case:
    """The bytes of one input, under the name that says what it shows."""

    problem: str
    name: str
    data: bytes


def numbered(problem: str, named: list[tuple[str, bytes]]) -> list[Case]:
    """Cases with two-digit numbers in front of their names."""
    return [
        Case(problem, f"{number:02}-{name}", data)
        for number, (name, data) in enumerate(named, 1)
    ]


def random_for(problem: str, name: str) -> Random:
    """The random numbers of one case: they depend on its name and on nothing else."""
    return Random(seed_of(f"{problem}/{name}"))
