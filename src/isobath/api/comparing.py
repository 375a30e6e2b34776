# SPDX-License-Identifier: Apache-2.0
"""Stored studies held against each other: what isobath compare does, as an object."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from isobath.api.stored import Study, Where
from isobath.api.tables import Table
from isobath.compared.choice import Shown
from isobath.compared.facts import TABLES, data_of, facts_of
from isobath.compared.pages import write_compared_page
from isobath.compared.sections import notices_of, page_of
from isobath.compared.sides import bounds_named, check_shared_cells, read_sides
from isobath.comparison.verdicts import MARGIN, lay_side_by_side
from isobath.errors import UsageError
from isobath.study import home

Part: TypeAlias = str | os.PathLike[str] | Study
Side: TypeAlias = Part | Sequence[Part]
"""A study by any of its names, or several that count as one."""


@dataclass(frozen=True)
class Comparison:
    """Sides against a reference, the first of them."""

    shown: Shown

    @cached_property
    def findings(self) -> dict[str, Any]:
        """All that was found, by the versioned model of schema/comparison-1.json."""
        return facts_of(self.shown)

    @property
    def problems(self) -> tuple[str, ...]:
        """What has to be known first: launches that are left out, what is not the same work."""
        return notices_of(self.shown)

    @property
    def is_altered(self) -> bool:
        """Some launch is not as it was sealed."""
        return self.shown.compared.is_altered

    @property
    def tables(self) -> tuple[str, ...]:
        """Names for ``table``."""
        return tuple(TABLES)

    def table(self, name: str = "cells") -> Table:
        """Rows of the findings. Raises: UsageError naming the tables that there are."""
        if name not in TABLES:
            raise UsageError(f"there is no table {name} of a comparison: {', '.join(TABLES)}")
        return Table(name, data_of(self.shown, name))

    def report(self, page: str | os.PathLike[str]) -> Path:
        """Writes the page and returns its path. Raises: EnvironmentProblem where it cannot."""
        return write_compared_page(page_of(self.shown), Path(page))


def compare(
    *sides: Side,
    margin: float = MARGIN,
    across: str | Sequence[str] = (),
    store: Where = None,
) -> Comparison:
    """Holds studies against the first of them.

    Args: a side of several studies has the launches of all; margin is a share: two times are as
        good as the same within it; across names what may differ although it says what was
        measured: graph, keys, ranks, plan, program.
    Raises: UsageError where they cannot be compared, EnvironmentProblem where one cannot be read.
    """
    if not 0 < margin < 1:
        raise UsageError(f"margin {margin}: a share above 0 and below 1")
    bounds = bounds_named([across] if isinstance(across, str) else list(across))
    shelf = home.shelf(os.fspath(store) if store is not None else None)
    read = read_sides(shelf, [_words(side) for side in sides])
    check_shared_cells(read, bounds)
    return Comparison(Shown(lay_side_by_side(read[0], read[1:], margin=margin, across=bounds)))


def _words(side: Side) -> str:
    parts = [side] if isinstance(side, str | os.PathLike | Study) else side
    return ",".join(
        str(part.path) if isinstance(part, Study) else os.fspath(part) for part in parts
    )
