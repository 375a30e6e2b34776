# SPDX-License-Identifier: Apache-2.0
"""Made-up sides of comparisons."""

from collections.abc import Mapping, Sequence

from isobath.comparison.measured import Bound, Cell, Launched, Side, Taken, Value, Zoom


def cell(
    values: Sequence[float],
    *,
    title: str = "bcast, 8 B",
    identity: Mapping[str, Value] | None = None,
    ranks: str = "2 ranks",
    bound: Mapping[Bound, str] | None = None,
    settings: Mapping[str, Value] | None = None,
    trouble: str = "",
    zooms: Sequence[Zoom] = (),
    turns: bool = False,
) -> Cell:
    own: dict[Bound, str] = {"ranks": ranks}
    return Cell(
        title,
        "seconds",
        identity or {"collective": title},
        own | dict(bound or {}),
        settings or {"mpi": "mpich"},
        tuple(Taken(one, f"l{n}", n if turns else None) for n, one in enumerate(values)),
        trouble,
        tuple((one,) for one in zooms),
    )


def side(name: str, *cells: Cell, began: Sequence[float] = (), **facts: str) -> Side:
    launches = {f"l{n}": Launched(at, facts) for n, at in enumerate(began)}
    return Side(name, (f"study-{name}",), "bench collectives", cells, launches)
