# SPDX-License-Identifier: Apache-2.0
"""A formula of time: which of its names are measured, which are parameters, and its values."""

import difflib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from isobath.errors import UsageError
from isobath.models.grammar import formula_tree
from isobath.stats.estimates import FloatArray

if TYPE_CHECKING:
    from sympy import Expr

MOST_PARAMETERS = 8

ALMOST, LEAST_LETTERS = 0.85, 4
"""How alike a parameter and a symbol are, and how long, for one to be taken for the other."""

ASKED = "asked"
"""The name of the formula that a person typed."""

Columns = Mapping[str, FloatArray]
"""A number of every point by its symbol, each of shape (n,)."""

SYMBOLS = {
    "p": "ranks that take part",
    "nodes": "nodes that they are on",
    "ppn": "ranks on the fullest node",
    "m": "bytes of the size axis (docs/explanation/collectives.md says whose)",
    "bytes": "bytes that one rank sends, the mean; of a collective the busiest rank's lower bound",
    "messages": "messages of one rank, the mean",
    "calls": "calls of one rank",
    "total": "bytes of all ranks together",
    "off": "bytes that leave the busiest node",
    "inside": "bytes that stay inside the busiest node",
    "link": "bytes over the busiest link of the network (--network with a topology)",
    "busiest": "bytes into or out of the rank with most",
    "steps": "bytes of the longest message of each step of a pairwise exchange, added up",
    "peers": "ranks that the rank with most peers sends to",
    "level": "level of the search, from 0",
    "scale": "logarithm of the number of vertices",
    "edges": "edges that a search traverses",
    "rows": "rows of the grid of ranks",
    "cols": "its columns",
    "threads": "threads of a rank",
    "elements": "elements of a side of the mesh",
}
"""What a formula may name beside its parameters, where a study has it."""


@dataclass(frozen=True)
class Expression:
    """A formula whose names are told apart."""

    text: str
    symbols: tuple[str, ...]
    """measured ones that it names"""
    parameters: tuple[str, ...]
    """all other names: 0 or more each, fitted"""

    @cached_property
    def tree(self) -> "Expr":
        """SymPy's."""
        return formula_tree(self.text)

    @cached_property
    def linear(self) -> tuple[str, ...]:
        """Parameters in which it is linear together."""
        linear: list[str] = []
        for name in self.parameters:
            if self._is_linear((*linear, name)):
                linear.append(name)
        return tuple(linear)

    @property
    def curved(self) -> tuple[str, ...]:
        """The other parameters."""
        return tuple(name for name in self.parameters if name not in self.linear)

    def values(self, columns: Columns, parameters: Mapping[str, float]) -> FloatArray:
        """Seconds at every point. Shape (n,); not finite where the formula is no number there."""
        return self._computed(self._value, columns, parameters)

    def slopes(
        self, columns: Columns, parameters: Mapping[str, float], names: Collection[str]
    ) -> FloatArray:
        """Derivatives by parameters. Shape (n, number of names)."""
        parts = [self._computed(self._slopes[name], columns, parameters) for name in names]
        return np.stack(parts, axis=1) if parts else np.empty((_length(columns), 0))

    @cached_property
    def _value(self) -> "Numbers":
        return _numbers_of(self.tree)

    @cached_property
    def _slopes(self) -> "dict[str, Numbers]":
        return {name: _numbers_of(_slope(self.tree, name)) for name in self.parameters}

    def _is_linear(self, names: tuple[str, ...]) -> bool:
        slopes = [_slope(self.tree, name) for name in names]
        return not any(str(atom) in names for slope in slopes for atom in slope.free_symbols)

    @staticmethod
    def _computed(
        numbers: "Numbers", columns: Columns, parameters: Mapping[str, float]
    ) -> FloatArray:
        with np.errstate(all="ignore"):
            values = numbers({**columns, **parameters})
        return np.broadcast_to(np.asarray(values, dtype=np.float64), (_length(columns),))


def read_formula(text: str, measured: Collection[str]) -> Expression:
    """Tells the names of a formula apart.

    Args: measured are the symbols that the study has.
    Raises: UsageError for what cannot be read, a symbol that the study lacks, no parameter, none
        that anything depends on, or too many.
    """
    return _read(text, frozenset(measured))


@lru_cache(maxsize=512)
def _read(text: str, measured: frozenset[str]) -> Expression:
    """Of all subjects of a study alike: SymPy takes milliseconds for a tree and its derivatives."""
    tree = formula_tree(text)
    names = sorted(str(free_symbol) for free_symbol in tree.free_symbols)
    lacking = [name for name in names if name in SYMBOLS and name not in measured]
    if lacking:
        there = ", ".join(name for name in SYMBOLS if name in measured) or "none"
        raise UsageError(
            f"the formula names {', '.join(lacking)}, which the study does not have; it has {there}"
        )
    parameters = tuple(name for name in names if name not in measured)
    if not parameters:
        raise UsageError(
            "the formula has no parameter: nothing is left to fit; name at least one, for example "
            f"alpha*({text.strip()[:40]})"
        )
    if len(parameters) > MOST_PARAMETERS:
        raise UsageError(
            f"the formula has {len(parameters)} parameters; {MOST_PARAMETERS} are the most"
        )
    return Expression(text.strip(), tuple(name for name in names if name in measured), parameters)


def almost_symbols(expression: Expression) -> dict[str, str]:
    """Parameters that are spelt almost as a symbol is, with it: a slip makes a parameter of it.

    >>> almost_symbols(read_formula("alpha + beta*bytess", ("bytes",)))
    {'bytess': 'bytes'}
    """
    near = {
        name: difflib.get_close_matches(name.lower(), SYMBOLS, n=1, cutoff=ALMOST)
        for name in expression.parameters
        if len(name) >= LEAST_LETTERS
    }
    return {name: symbols[0] for name, symbols in near.items() if symbols}


Numbers = Callable[[Mapping[str, Any]], Any]


def _length(columns: Columns) -> int:
    return len(next(iter(columns.values())))


def _slope(tree: "Expr", name: str) -> Any:
    import sympy

    return sympy.diff(tree, sympy.Symbol(name, nonnegative=True))


def _numbers_of(tree: Any) -> Numbers:
    """A tree as a function of arrays. SymPy's own way writes and runs Python; this walks."""
    import sympy

    if tree.is_Symbol:
        name = str(tree)
        return lambda known: known[name]
    if tree.is_number:
        value = float(tree)
        return lambda known: value
    parts = [_numbers_of(part) for part in tree.args]
    if isinstance(tree, sympy.Piecewise) or not isinstance(tree, tuple(_OPERATIONS(sympy))):
        raise UsageError(f"the formula cannot be computed: {type(tree).__name__} is not known")
    operation = next(made for kind, made in _OPERATIONS(sympy).items() if isinstance(tree, kind))
    return lambda known: operation([part(known) for part in parts])


def _OPERATIONS(sympy: Any) -> dict[Any, Callable[[list[Any]], Any]]:
    def reduced(with_what: Any) -> Callable[[list[Any]], Any]:
        def operation(parts: list[Any]) -> Any:
            operation = parts[0]
            for part in parts[1:]:
                operation = with_what(operation, part)
            return operation

        return operation

    return {
        sympy.Add: reduced(np.add),
        sympy.Mul: reduced(np.multiply),
        sympy.Pow: lambda parts: np.power(np.asarray(parts[0], dtype=np.float64), parts[1]),
        sympy.log: lambda parts: np.log(parts[0]),
        sympy.ceiling: lambda parts: np.ceil(np.round(parts[0], 9)),
        sympy.Min: reduced(np.minimum),
        sympy.Max: reduced(np.maximum),
        sympy.Heaviside: lambda parts: np.heaviside(parts[0], 0.5),
    }
