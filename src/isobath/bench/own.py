# SPDX-License-Identifier: Apache-2.0
"""One's own algorithms in a benchmark: called in the place of the library, in the same launch."""

from collections.abc import Iterable, Mapping

from isobath.bench.plan import Cell, ForcedAlgorithm

OWN = "own"
"""Every one of them; their names begin so, too, which no library's do."""

ByName = Mapping[str, tuple[str, ...]]
"""By name of the algorithm the collectives that it carries out."""


def are_named(words: Iterable[str]) -> bool:
    """Whether words of --algorithms name one's own."""
    return any(word == OWN or word.startswith(f"{OWN}_") for word in words)


def own_algorithms_of(
    cell: Cell, words: Iterable[str], there: ByName
) -> tuple[ForcedAlgorithm, ...]:
    """Those of a cell that words name."""
    asked = set(words)
    return tuple(
        ForcedAlgorithm(name=name, variable="", value="", is_own=True)
        for name, collectives in there.items()
        if cell.collective in collectives and {name, OWN} & asked
    )
