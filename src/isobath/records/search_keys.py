# SPDX-License-Identifier: Apache-2.0
"""Search keys as seeds draw them: the slow twin of ``engine/generator/search_keys.cpp`` and
``uniform_keys.cpp``.

Seeds give candidates in an order; the keys are those that have a neighbour, each once. Which have
none, only the graph tells. So what is checked is that keys stand among the candidates in their
order, and that no more were passed over than the graph has vertices without neighbour.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from math import log
from typing import TypeAlias

MODULUS = (1 << 31) - 1
NEWEST, OLDEST = 107374182, 104480
"""a draw is NEWEST times the last one and OLDEST times the one of five ago"""

Matrix: TypeAlias = tuple[tuple[int, ...], ...]

STREAM_BITS = 129
"""The keys' own stream begins 2^129 draws after that of the first edge."""

SURELY = 64
"""What has a chance below e^-64 does not happen."""

MOST_DRAWS = 1 << 16
"""Where more may lie between two keys, nothing is said: so rare are vertices with a neighbour."""


def kronecker_candidates(scale: int, seeds: tuple[int, int]) -> Iterator[int]:
    """Of a generated graph; so many as it has vertices, and they repeat."""
    vertices = 1 << scale
    return (int(draw * vertices) % vertices for draw in islice(key_draws(seeds), vertices))


def key_draws(seeds: tuple[int, int]) -> Iterator[float]:
    """From 0 to below 2, for each candidate the sum of two doubles of two draws each."""
    first, second = seeds
    low = (1 << 30) - 1
    state = [
        (first & low) + 1,
        (first >> 30 & low) + 1,
        (second & low) + 1,
        (second >> 30 & low) + 1,
        ((second >> 60) << 4) + (first >> 60) + 1,
    ]
    state = [_product(row, state) for row in _skip()]

    def double() -> float:
        for _ in range(2):
            state.insert(0, (NEWEST * state[0] + OLDEST * state.pop()) % MODULUS)
        return state[1] * 4.65661287524579692e-10 + state[0] * 2.168404346990492787e-19

    while True:
        yield double() + double()


@cache
def _skip() -> Matrix:
    """What 2^STREAM_BITS draws do to the last five."""
    matrix: Matrix = (
        (NEWEST, 0, 0, 0, OLDEST),
        *(tuple(int(column == row) for column in range(5)) for row in range(4)),
    )
    for _ in range(STREAM_BITS):
        columns = tuple(zip(*matrix, strict=True))
        matrix = tuple(tuple(_product(row, column) for column in columns) for row in matrix)
    return matrix


def _product(left: tuple[int, ...], right: tuple[int, ...] | list[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True)) % MODULUS


def uniform_candidates(vertices: int, seed: int) -> Iterator[int]:
    """Of a graph of a file, without end: splitmix64."""
    word = (1 << 64) - 1
    at = 0
    while True:
        at += 1
        bits = (seed * 0xD1342543DE82EF95 + at * 0x9E3779B97F4A7C15) & word
        bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & word
        bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & word
        yield (bits ^ bits >> 31) * vertices >> 64


def first_not_drawn(
    candidates: Iterator[int], roots: Mapping[int, int], vertices: int, isolated: int
) -> int | None:
    """The index of the first root that is not the key drawn there; None where all may be.

    Args: roots by their index, of which some may be missing; isolated vertices have no neighbour.
    """
    drawn: set[int] = set()
    before = -1
    for index in sorted(roots):
        left = max(1, vertices - isolated - index)
        patience = SURELY * vertices * (index - before) // left
        if patience > MOST_DRAWS:
            return None
        for candidate in islice(candidates, patience):
            is_new = candidate not in drawn
            drawn.add(candidate)
            if is_new and candidate == roots[index]:
                break
        else:
            return index
        passed_over = len(drawn) - (index + 1)
        if passed_over < 0 or _is_too_many(passed_over, len(drawn) - 1, isolated / vertices):
            return index
        before = index
    return None


def _is_too_many(isolated: int, tried: int, share: float) -> bool:
    """Whether so many isolated ones among those tried are no chance, by Hoeffding's bound."""
    seen = isolated / max(1, tried)
    if seen <= share or share == 0:
        return seen > share
    parts = ((seen, share), (1 - seen, 1 - share))
    return tried * sum(part * log(part / of) for part, of in parts if part > 0) > SURELY
