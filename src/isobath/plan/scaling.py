# SPDX-License-Identifier: Apache-2.0
"""What grows with the graph or the ranks, one array, message and loop of the engine at a time.

The formulas stand in scaling_arrays.toml and scaling_steps.toml, each once: what a page shows as
formula is what is calculated here. The memory plan (memory.py) adds the same arrays up to parts, as
they live and on whole pages; a test holds the two against each other, part by part.
"""

import ast
import operator
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

from isobath.costmodel.arcs import met_vertices
from isobath.costmodel.kronecker import A, B, expected_self_loops
from isobath.plan.graph_facts import expected_facts
from isobath.plan.hub_arrays import most_hubs
from isobath.plan.memory import NARROW_EDGE_BYTES, NARROW_SCALE, chunk_questions, wide_edge_bytes
from isobath.plan.path_memory import arcs_of_bucket
from isobath.plan.rank_arrays import Chains, chains_of, edges_of_round, num_ranges

LARGEST_LOOKED_AT = 52
"""Scales beyond it are of no machine."""


@dataclass(frozen=True)
class Place:
    """Where sizes are asked for. One rank a node."""

    scale: int
    rows: int
    cols: int
    threads: int
    edgefactor: int = 16


def _ranges(at: Place) -> float:
    return num_ranges((1 << at.scale) / at.rows, at.threads * at.cols)


def _ranges_of_columns(at: Place) -> float:
    searched = expected_facts(at.scale, at.edgefactor).searched_vertices
    return num_ranges(searched / at.cols, at.threads)


def _chains(at: Place) -> Chains:
    return chains_of(_ranges(at), at.threads)


def _blocks(at: Place) -> float:
    return _chains(at).blocks(2 * (at.edgefactor << at.scale) / (at.rows * at.cols))


def _bucket(at: Place) -> float:
    facts = expected_facts(at.scale, at.edgefactor)
    return arcs_of_bucket(2 * (facts.num_edges - facts.leaves) / (at.rows * at.cols))


def _edges_of_round(at: Place) -> int:
    is_wide = (1 << at.scale) / min(at.rows, at.cols) > 1 << 31
    return edges_of_round(at.rows * at.cols, 12 if is_wide else 8)


LETTERS: dict[str, tuple[str, Callable[[Place], float]]] = {
    "n": ("vertices", lambda at: 1 << at.scale),
    "m": ("edges", lambda at: at.edgefactor << at.scale),
    "R": ("rows of the grid", lambda at: at.rows),
    "C": ("columns of the grid", lambda at: at.cols),
    "P": ("ranks", lambda at: at.rows * at.cols),
    "N": ("nodes, one rank on each", lambda at: at.rows * at.cols),
    "T": ("threads of a rank", lambda at: at.threads),
    "S": (
        "searched vertices: neither isolated nor leaves",
        lambda at: expected_facts(at.scale, at.edgefactor).searched_vertices,
    ),
    "L": ("leaves", lambda at: expected_facts(at.scale, at.edgefactor).leaves),
    "U": (
        "vertices with a neighbour",
        lambda at: expected_facts(at.scale, at.edgefactor).connected_vertices,
    ),
    "A": (
        "distinct arcs between searched vertices",
        lambda at: expected_facts(at.scale, at.edgefactor).stored_arcs,
    ),
    "J": (
        "self-loops",
        lambda at: expected_self_loops(at.scale, at.edgefactor << at.scale),
    ),
    "D": (
        "largest degree, duplicates counted: that of the likeliest vertex",
        lambda at: 2 * (at.edgefactor << at.scale) * (A + B) ** at.scale,
    ),
    "K": (
        "hubs, at the most",
        lambda at: (
            0
            if at.cols == 1
            else most_hubs(
                expected_facts(at.scale, at.edgefactor).searched_vertices, at.rows, at.cols
            )
        ),
    ),
    "X": ("rows of a rank that have an arc", lambda at: _met(at, at.cols) / at.rows),
    "Z": ("columns of a rank that have an arc", lambda at: _met(at, at.rows) / at.cols),
    "Y": (
        "rows of a rank that have an arc, leaves counted",
        lambda at: _met(at, at.cols, with_leaves=True) / at.rows,
    ),
    "V": (
        "columns of a rank that have an arc, leaves counted",
        lambda at: _met(at, at.rows, with_leaves=True) / at.cols,
    ),
    "G": ("ranges of targets that a rank deals its arcs into", _ranges),
    "W": ("chains of blocks that these arcs lie in", lambda at: _chains(at).count),
    "I": ("arcs of the longest of these blocks", lambda at: _chains(at).most),
    "F": ("ranges of columns that a rank deals its arcs into", _ranges_of_columns),
    "B": (
        "blocks in which the arcs of a rank lie before rows are laid",
        _blocks,
    ),
    "H": ("arcs of a bucket that delta-stepping sorts", _bucket),
    "E": (
        "bytes of an edge in memory",
        lambda at: NARROW_EDGE_BYTES if at.scale <= NARROW_SCALE else wide_edge_bytes(at.scale),
    ),
    "M": ("edges of a round that delivers arcs", _edges_of_round),
    "Q": (
        "questions of a chunk in validation",
        lambda at: chunk_questions(at.rows * at.cols),
    ),
}
"""What formulas name: its meaning and its value."""

SIZES: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
CALLS: dict[str, Callable[..., float]] = {"min": min, "max": max, "log": log}


def _met(at: Place, parts: int, *, with_leaves: bool = False) -> float:
    """Vertices with a neighbour in one of so many equal parts of the vertices."""
    return met_vertices(at.scale, at.edgefactor, 1 / parts, without_leaves=not with_leaves)


class Values(Mapping[str, float]):
    """The letters at a place, calculated when they are asked for."""

    def __init__(self, at: Place) -> None:
        self._at = at
        self._known: dict[str, float] = {}

    def __getitem__(self, letter: str) -> float:
        if letter not in self._known:
            self._known[letter] = float(LETTERS[letter][1](self._at))
        return self._known[letter]

    def __iter__(self) -> Iterator[str]:
        return iter(LETTERS)

    def __len__(self) -> int:
        return len(LETTERS)


def value_of(formula: str, values: Mapping[str, float]) -> float:
    """The value of a formula: letters, numbers, ``+ - * /``, ``^`` for powers, min, max and log.

    >>> value_of("4 * n / 2^3", {"n": 16})
    8.0
    """
    return _value(ast.parse(formula.replace("^", "**"), mode="eval").body, values)


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in SIZES:
        return SIZES[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return CALLS[node.func.id](*(_value(each, values) for each in node.args))
    raise ValueError(f"{ast.unparse(node)} is no formula")


def holds(condition: str, values: Mapping[str, float]) -> bool:
    """Whether a condition such as ``n <= 2^31``, or several with ``and`` or ``or`` between them,
    does; an empty one always does.
    """

    def is_kept(comparison: str) -> bool:
        left, right = comparison.split("<=")
        return value_of(left.strip(), values) <= value_of(right.strip(), values)

    return not condition or any(
        all(is_kept(each) for each in both.split(" and ")) for both in condition.split(" or ")
    )


@dataclass(frozen=True)
class Array:
    """An array of one rank."""

    where: str
    """file below engine/"""
    name: str
    element: str
    """bytes, a formula"""
    entries: str
    """their number, a formula"""
    plan: str = "hybrid"
    """of a search, or any"""
    parts: tuple[str, ...] = ()
    """parts of the memory plan that hold it: moment, colon, name"""
    only: str = ""
    """the condition under which there is one"""
    mend: str = ""
    saves: str = ""
    """share of it that the mending saves; empty: not calculated"""
    note: str = ""

    def bytes_at(self, values: Mapping[str, float]) -> float:
        """On one rank."""
        if not holds(self.only, values):
            return 0.0
        return value_of(self.element, values) * value_of(self.entries, values)

    def saved_at(self, values: Mapping[str, float]) -> float | None:
        """Bytes that the mending saves on one rank, where that is calculated: none on few ranks,
        whose rows all exist.
        """
        if not self.saves:
            return None
        return max(0.0, self.bytes_at(values) * value_of(self.saves, values))


KEPT = ("counting", "numbering", "keeping hubs", "searching")
"""Moments of the memory plan whose arrays stay, where a search has a part of that name too; those
of a part whose arrays a search names itself have become others.
"""


def held_while_searching(names: Collection[str]) -> list[Array]:
    """Arrays that are there while hybrid searches. Args: names of the parts that it has then."""
    parts = {part for array in arrays() for part in array.parts}

    def is_held(moment: str, name: str) -> bool:
        is_kept = moment == "searching" or f"searching: {name}" not in parts
        return moment in KEPT and name in names and is_kept

    return [
        array
        for array in arrays()
        if array.plan in ("hybrid", "any")
        and any(is_held(*part.split(": ")) for part in array.parts)
    ]


@dataclass(frozen=True)
class Message:
    """What a rank receives in one step."""

    where: str
    name: str
    bytes: str
    messages: str
    times: str
    per: str
    only: str = ""
    """the condition under which there is one"""
    mend: str = ""


@dataclass(frozen=True)
class Loop:
    """A loop of one rank."""

    where: str
    name: str
    steps: str
    times: str
    per: str
    only: str = ""
    """the condition under which there is one"""
    mend: str = ""

    def steps_at(self, values: Mapping[str, float]) -> float:
        """Of all times together."""
        if not holds(self.only, values):
            return 0.0
        return value_of(self.steps, values) * value_of(self.times, values)


@dataclass(frozen=True)
class Number:
    """A number of limited width."""

    where: str
    name: str
    holds: str
    limit: str
    """the largest value it can have"""
    then: str
    """what the engine does beyond"""
    mend: str = ""

    def first_scale(self, rows: int, cols: int) -> int | None:
        """The smallest scale at which it does not suffice; None where that is of no machine."""
        for scale in range(1, LARGEST_LOOKED_AT + 1):
            values = Values(Place(scale, rows, cols, 1))
            if value_of(self.holds, values) > value_of(self.limit, values):
                return scale
        return None


@cache
def arrays() -> tuple[Array, ...]:
    """All arrays."""
    return tuple(
        Array(**row | {"parts": tuple(row.get("parts", ()))})
        for row in _rows("scaling_arrays.toml")["array"]
    )


@cache
def messages() -> tuple[Message, ...]:
    """All messages."""
    return tuple(Message(**row) for row in _rows("scaling_steps.toml")["message"])


@cache
def loops() -> tuple[Loop, ...]:
    """All loops."""
    return tuple(Loop(**row) for row in _rows("scaling_steps.toml")["loop"])


@cache
def numbers() -> tuple[Number, ...]:
    """All numbers whose width ends somewhere."""
    return tuple(Number(**row) for row in _rows("scaling_steps.toml")["number"])


def _rows(name: str) -> dict[str, list[dict[str, Any]]]:
    text = files("isobath.plan").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)
