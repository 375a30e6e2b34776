# SPDX-License-Identifier: Apache-2.0
"""The tables of a race in a terminal of 80 columns."""

import io
from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType

from isobath.kinds.race import text
from isobath.race.comparisons import changes
from isobath.race.results import CellResult, RaceResults
from isobath.race.spec import Value
from race.test_results import a_cell, a_race, a_run

SIX: dict[str, tuple[Value, ...]] = {
    "plan": ("replicated-csr", "two-dim"),
    "ranks": (2, 4),
    "transport": ("shared-memory", "tcp"),
    "mpi": ("mpich-5.0.1-wheel", "openmpi-4.1.4-system"),
    "exchange": ("alltoallv", "persistent"),
    "leaves": ("in", "out"),
}


def a_cell_of(number: int, factors: dict[str, Any]) -> CellResult:
    runs = [a_run([0.5 + number, 0.75], bytes_sent=5000)]
    return a_cell(f"c00{number + 1}", runs, **factors)


def a_race_of(factors: Mapping[str, tuple[Value, ...]]) -> RaceResults:
    """Two cells which differ in everything."""
    cells = [a_cell_of(n, {name: values[n] for name, values in factors.items()}) for n in (0, 1)]
    return a_race(cells)


def lines_of(table: RenderableType) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=text.WIDTH).print(table)
    return out.getvalue().splitlines()


def printed(results: RaceResults) -> list[str]:
    return lines_of(text.cells_table(results, results.matrix, "All cells"))


def test_six_factors_keep_all_columns_and_texts_at_80_characters() -> None:
    lines = printed(a_race_of(SIX))

    said = "\n".join(lines)
    assert max(map(len, lines)) <= text.WIDTH
    assert "…" not in said
    words = said.split()
    for name, values in SIX.items():
        assert name in words
        assert {str(value) for value in values} <= set(words)
    for head in ("GTEPS", "bytes/rank", "messages"):
        assert head in words
    # Below each other, every part with the names of its rows.
    assert words.count("c001") == words.count("c002") == words.count("cell") > 1


def test_few_factors_stay_in_one_table() -> None:
    lines = printed(a_race_of({name: SIX[name] for name in ("plan", "ranks")}))

    assert max(map(len, lines)) <= text.WIDTH
    assert "c001" not in "\n".join(lines)
    assert [line.split()[:2] for line in lines if "two-dim" in line] == [["two-dim", "4"]]


def test_what_a_factor_changes_is_said_in_full_beside_five_others() -> None:
    same = {name: values[0] for name, values in SIX.items()}
    cells = [a_cell_of(n, {**same, "mpi": library}) for n, library in enumerate(SIX["mpi"])]

    lines = lines_of(text.changes_table(changes(a_race(cells))))

    words = " ".join(lines).split()
    assert max(map(len, lines)) <= text.WIDTH
    assert "…" not in words
    assert {"mpi", "openmpi-4.1.4-system", "vs", "mpich-5.0.1-wheel"} <= set(words)
    assert {"csr,", "ranks,", "shared-memory,", "alltoallv,", "leaves", "interval"} <= set(words)
