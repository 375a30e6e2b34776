# SPDX-License-Identifier: Apache-2.0
"""The tables of a race of six factors in a terminal of 80 columns."""

from collections.abc import Mapping
from typing import Any

from isobath.race.comparisons import changes
from isobath.race.plan import Value
from isobath.race.results import CellResult
from isobath.report.race_cell import CellRun, RacedCell
from isobath.report.race_data import RaceData
from isobath.report.race_sections import results
from isobath.report.race_sections.factor_changes import changes_table
from isobath.report.run_data import RunData
from isobath.view.content import Table
from isobath.view.grid import grid_lines
from race.test_results import a_cell, a_race, a_run

WIDTH = 80
SIX: Mapping[str, tuple[Value, Value]] = {
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


def a_race_of_six() -> RaceData:
    """Two cells which differ in everything."""
    factors = {name: (str(first), str(second)) for name, (first, second) in SIX.items()}
    cells = [
        RacedCell(
            f"c00{number + 1}",
            {name: values[number] for name, values in factors.items()},
            {"plan": factors["plan"][number]},
            runs=(CellRun(RunData(a_run([0.5 + number, 0.75], bytes_sent=5000)), "records.jsonl"),),
        )
        for number in (0, 1)
    ]
    return RaceData("20261121-100000-race-0001", factors=factors, cells=tuple(cells))


def lines_of(table: Table) -> list[str]:
    return list(grid_lines(table, WIDTH))


def test_six_factors_keep_all_columns_and_texts_at_80_characters() -> None:
    [table] = [
        block for block in results.render(a_race_of_six()).blocks
        if isinstance(block, Table) and block.caption == "Cells of the race"
    ]  # fmt: skip

    lines = lines_of(table)

    words = "\n".join(lines).split()
    assert max(map(len, lines)) <= WIDTH
    assert "…" not in "".join(words)
    assert set(SIX) <= set(words)
    for name in ("transport", "mpi", "exchange", "leaves"):  # plan and ranks are those of the runs
        assert {str(value) for value in SIX[name]} <= set(words)
    assert {"GTEPS", "messages", "95", "memory"} <= set(words)


def test_rows_of_many_factors_are_told_apart_by_the_name_of_their_cell() -> None:
    [table] = [
        block for block in results.render(a_race_of_six()).blocks
        if isinstance(block, Table) and block.caption == "Cells of the race"
    ]  # fmt: skip

    parts = "\n".join(lines_of(table)).split("\n\n")

    assert len(parts) == 2, "the factors once, then all results beside each other"
    for part in parts:
        rows = part.splitlines()
        assert [row.split()[0] for row in rows[-2:]] == ["c001", "c002"]
    assert "openmpi-4.1.4-system" in parts[0]
    assert "openmpi" not in parts[1], "a name that is said is not repeated in every part"
    assert {"GTEPS", "messages", "memory"} <= set(parts[1].split())


def test_what_a_factor_changes_is_said_in_full_beside_five_others() -> None:
    same: dict[str, Any] = {name: values[0] for name, values in SIX.items()}
    cells = [a_cell_of(n, {**same, "mpi": library}) for n, library in enumerate(SIX["mpi"])]

    lines = [line for table in changes_table(changes(a_race(cells))) for line in lines_of(table)]

    words = " ".join(lines).split()
    assert max(map(len, lines)) <= WIDTH
    assert "…" not in "".join(words)
    assert {"mpi", "openmpi-4.1.4-system", "vs", "mpich-5.0.1-wheel"} <= set(words)
