"""Random numbers that are the same on every machine: the generators of `src/random.rs`.

SplitMix64 spreads the seed, xoshiro256++ draws. Python's own `random` is not used: its methods may
draw differently in another version.
"""

from __future__ import annotations

from typing import Sequence, TypeVar

MASK = (1 << 64) - 1
T = TypeVar("T")


def splitmix64(state: int) -> tuple[int, int]:
    """The next state and the next 64 random bits."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def rotate_left(word: int, bits: int) -> int:
    """`word` turned left by `bits` within 64 bits."""
    return ((word << bits) | (word >> (64 - bits))) & MASK


def seed_of(name: str) -> int:
    """A seed from a name (FNV-1a, 64 bits), so that a new case never changes an old one."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


class Random:
    """The xoshiro256++ generator."""

    def __init__(self, seed: int) -> None:
        self.words: list[int] = []
        for _ in range(4):
            seed, word = splitmix64(seed)
            self.words.append(word)

    def next_u64(self) -> int:
        """The next 64 random bits."""
        s = self.words
        result = (rotate_left((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate_left(s[3], 45)
        return result

    def below(self, bound: int) -> int:
        """A number in `0..bound`."""
        return (self.next_u64() * bound) >> 64

    def between(self, low: int, high: int) -> int:
        """A number in `low..=high`."""
        return low + self.below(high - low + 1)

    def percent(self, percent: int) -> bool:
        """True in `percent` of 100 draws."""
        return self.below(100) < percent

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """`items` in a random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result


def verify() -> None:
    """Raises if a generator misses its published test vector."""
    state, drawn = splitmix64(1_234_567)
    if drawn != 6_457_827_717_110_365_317:
        raise AssertionError("SplitMix64 misses its published vector")
    generator = Random(0)
    generator.words = [1, 2, 3, 4]
    vector = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]
    if [generator.next_u64() for _ in vector] != vector:
        raise AssertionError("xoshiro256++ misses its published vector")
