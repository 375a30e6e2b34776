# SPDX-License-Identifier: Apache-2.0
"""Phases of a search as cells: short ones are none, unless a baseline has them already."""

from isobath.baseline.phases import with_phases
from isobath.comparison.measured import Cell, Taken, Zoom


def search(short: float) -> Cell:
    parts: dict[tuple[str, ...], float] = {("expand",): 1.0, ("top-down",): short}
    return Cell(
        "search", "TEPS", {}, {"plan": "hybrid"}, {}, (Taken(1.0, "a01-1"), Taken(1.1, "a01-2")),
        zooms=((Zoom(("phase",), parts),),) * 2,
    )  # fmt: skip


def test_a_short_phase_is_a_cell_only_where_the_baseline_has_it() -> None:
    """Where something else became longer, its share fell below the least."""

    def titles(cell: Cell, **words: float) -> list[str]:
        return [one.title for one in with_phases([cell], **words)]

    assert titles(search(0.2)) == ["search", "search, expand", "search, top-down"]
    assert titles(search(0.01)) == ["search", "search, expand"]
    assert titles(search(0.01), least=0.0) == ["search", "search, expand", "search, top-down"]
    assert titles(search(0.0), least=0.0) == ["search", "search, expand"]
