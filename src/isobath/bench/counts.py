# SPDX-License-Identifier: Apache-2.0
"""Irregular counts as the program makes them: a second way to the same matrix of bytes.

Rules of docs/explanation/collectives.md; tests hold them against what the program recorded.
"""

import math
from collections.abc import Mapping, Sequence

from isobath.bench.design import WIDTHS
from isobath.bench.plan import Cell
from isobath.errors import UsageError

Matrix = tuple[tuple[int, ...], ...]
"""bytes: row sends to column"""

FROM_EACH = frozenset({"gatherv", "allgatherv", "neighbor_allgatherv"})
"""A rank gives the same to whoever gets it."""
TO_EACH = frozenset({"scatterv"})
"""The root rank gives to each."""


def communicators_of(cell: Cell) -> tuple[tuple[int, ...], ...]:
    """Ranks of the world in each communicator along a dimension, in the order of its ranks."""
    extents = [int(word) for word in cell.shape.split("x")]
    ranks = math.prod(extents)
    if cell.along == "world":
        return (tuple(range(ranks)),)
    dimension = int({"col": "0", "row": "1"}.get(cell.along, cell.along))
    by_colour: dict[int, list[int]] = {}
    for rank in range(ranks):
        rest, colour, stride = rank, 0, 1
        for number, extent in enumerate(extents):
            coordinate, rest = rest % extent, rest // extent
            if number != dimension:
                colour += coordinate * stride
                stride *= extent
        by_colour.setdefault(colour, []).append(rank)
    return tuple(tuple(by_colour[colour]) for colour in sorted(by_colour))


def byte_matrices(
    cell: Cell, datatype: str, matrices: Mapping[str, Sequence[Sequence[int]]]
) -> tuple[Matrix, ...]:
    """Who sends how much to whom in each communicator that takes part.

    Args: datatype of the record; matrices by the name that recorded counts have.
    Raises: UsageError where a matrix is missing.
    """
    groups = communicators_of(cell)
    groups = groups if cell.together else groups[:1]
    kind, _, rest = cell.counts.partition(":")
    if kind == "recorded":
        return tuple(_recorded(cell, rest, group, matrices) for group in groups)
    ranks = len(groups[0])
    width = WIDTHS.get(datatype, 1)
    total = cell.size_bytes // width * ranks
    if cell.collective in FROM_EACH or cell.collective in TO_EACH:
        own = [width * entry for entry in spread(cell.counts, 0, ranks, total)]
        return (_one_row(cell.collective, own),) * len(groups)
    rows = (spread(cell.counts, row, ranks, total) for row in range(ranks))
    made = tuple(tuple(width * entry for entry in row) for row in rows)
    return (made,) * len(groups)


def _one_row(collective: str, own: Sequence[int]) -> Matrix:
    """A matrix of what each rank gives, or what each gets."""
    if collective in TO_EACH:
        return (tuple(own),) * len(own)
    return tuple((entry,) * len(own) for entry in own)


def _recorded(
    cell: Cell,
    name: str,
    group: Sequence[int],
    matrices: Mapping[str, Sequence[Sequence[int]]],
) -> Matrix:
    matrix = matrices.get(name)
    if matrix is None or len(matrix) < len(group):
        raise UsageError(f"{cell.words()}: the benchmark has no matrix {name} of its ranks")
    places = range(len(group)) if len(matrix) == len(group) else group
    part = tuple(tuple(matrix[row][column] for column in places) for row in places)
    if cell.collective in FROM_EACH:
        return _one_row(cell.collective, [max(row) for row in part])
    if cell.collective in TO_EACH:
        columns = zip(*part, strict=True)
        return _one_row(cell.collective, [max(column) for column in columns])
    return part


def spread(counts: str, row: int, columns: int, total: int) -> list[int]:
    """A total over the peers of a row, in proportion to their weights by largest remainders.

    >>> spread("zipf:1", 0, 4, 100), spread("sparse:2", 1, 4, 10), spread("block:2", 3, 4, 7)
    ([48, 24, 16, 12], [5, 0, 5, 0], [0, 0, 4, 3])
    """
    weights = _weights(counts, row, columns)
    whole = sum(weights)
    exact = [total * (weight / whole) for weight in weights]
    shares = [min(int(share), total) for share in exact]
    order = sorted(range(columns), key=lambda k: -(exact[k] - math.floor(exact[k])))
    left = total - sum(shares)
    places = [k for k in order if weights[k]]
    for number in range(left):
        shares[places[number % len(places)]] += 1
    return shares


def _weights(counts: str, row: int, columns: int) -> list[float]:
    kind, _, rest = counts.partition(":")
    if kind == "zipf":
        return [(k + 1) ** -float(rest) for k in range(columns)]
    weights = [1.0 if kind == "uniform" else 0.0] * columns
    if kind == "sparse":
        for k in range(int(rest)):
            weights[(row + 1 + k * columns // int(rest)) % columns] = 1.0
    if kind == "block":
        first = row // int(rest) * int(rest)
        for k in range(first, min(first + int(rest), columns)):
            weights[k] = 1.0
    return weights
