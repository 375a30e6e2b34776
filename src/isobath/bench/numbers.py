# SPDX-License-Identifier: Apache-2.0
"""What a formula of the time of a cell may name: ranks, nodes, bytes and messages."""

from collections import Counter
from collections.abc import Mapping, Sequence

from isobath.bench.measured import MeasuredCell
from isobath.bench.places import ALL_TO_ALL, members

RECORDED = "recorded:"


def numbers_of(
    measured_cell: MeasuredCell, matrices: Mapping[str, Sequence[Sequence[int]]]
) -> dict[str, float]:
    """By symbol (models/formula.py). Args: matrices are the recorded counts, by their name."""
    first = measured_cell.first
    numbers: dict[str, float] = {
        "p": first.ranks,
        "m": measured_cell.cell.size_bytes,
        "bytes": first.wire_bytes,
        "total": first.count_facts.total_bytes,
    }
    nodes = _nodes(measured_cell)
    if nodes:
        numbers["nodes"] = len(set(nodes))
        numbers["ppn"] = max(Counter(nodes).values())
    matrix = _matrix(measured_cell, matrices)
    if matrix:
        numbers |= _loads(matrix, nodes)
    return numbers


def _nodes(measured_cell: MeasuredCell) -> list[int]:
    """Of the ranks of its first communicator; empty where not known."""
    ranks = members(measured_cell)
    if max(ranks, default=0) >= len(measured_cell.node_of_rank):
        return []
    return [measured_cell.node_of_rank[rank] for rank in ranks]


def _matrix(
    measured_cell: MeasuredCell, matrices: Mapping[str, Sequence[Sequence[int]]]
) -> Sequence[Sequence[int]]:
    """Bytes from rank to rank, where that is known; of an all-to-all alone."""
    if measured_cell.cell.collective not in ALL_TO_ALL:
        return ()
    ranks = measured_cell.first.ranks
    if measured_cell.cell.counts == "uniform":
        return [[measured_cell.cell.size_bytes] * ranks for _ in range(ranks)]
    matrix = matrices.get(measured_cell.cell.counts.removeprefix(RECORDED), ())
    return matrix if len(matrix) == ranks else ()


def _loads(matrix: Sequence[Sequence[int]], nodes: Sequence[int]) -> dict[str, float]:
    """Of the busiest rank and node, and of the steps of a pairwise exchange. A rank's own segment
    is no message.
    """
    places = range(len(matrix))
    sent = [sum(matrix[i][j] for j in places if j != i) for i in places]
    received = [sum(matrix[i][j] for i in places if i != j) for j in places]
    steps = (max(matrix[i][(i + k) % len(matrix)] for i in places) for k in places if k)
    peers = max((sum(bool(matrix[i][j]) for j in places if j != i) for i in places), default=0)
    loads: dict[str, float] = {
        "busiest": max((*sent, *received), default=0),
        "steps": sum(steps),
        "peers": peers,
    }
    if nodes:
        loads["off"], loads["inside"] = _of_nodes(matrix, nodes)
    return loads


def _of_nodes(matrix: Sequence[Sequence[int]], nodes: Sequence[int]) -> tuple[int, int]:
    """Bytes that leave or enter the busiest node, and that stay inside the one with most."""
    leaving: Counter[int] = Counter()
    entering: Counter[int] = Counter()
    staying: Counter[int] = Counter()
    for i, row in enumerate(matrix):
        for j, size in enumerate(row):
            if nodes[i] != nodes[j]:
                leaving[nodes[i]] += size
                entering[nodes[j]] += size
            elif i != j:
                staying[nodes[i]] += size
    busiest = max((*leaving.values(), *entering.values()), default=0)
    return busiest, max(staying.values(), default=0)
