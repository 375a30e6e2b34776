# SPDX-License-Identifier: Apache-2.0
"""The page of a replay: phases of the search beside their calls, then all of a benchmark."""

from pathlib import Path

from isobath.bench.measured import Measured
from isobath.bench.replay import Comparison, ReplayedPhase
from isobath.kinds.replay.plan import ReplaySpec
from isobath.kinds.replay.text import by_library, row_of, said_of
from isobath.report.bench_data import BenchData
from isobath.report.bench_page import bench_page_html
from isobath.view.content import Section, Table, columns


def page_html(
    measured: Measured, folder: Path, spec: ReplaySpec, phases: tuple[ReplayedPhase, ...]
) -> str:
    """The whole page as text."""
    found = list(by_library(measured, phases))
    tables = tuple(_table(name, rows) for name, rows, _ in found)
    lead = " ".join(said_of(rows, cells) for _, rows, cells in found)
    title = f"Search {spec.replayed_search} of {spec.replayed}"
    section = Section("replay", title, tables, lead=lead)
    data = BenchData(measured, folder)
    return bench_page_html(data, first=(section,), heading="What a search sent, by itself")


def _table(name: str, rows: tuple[Comparison, ...]) -> Table:
    heads = columns("#level", "phase", "#bytes", "#largest", "#in the run", "#by itself", "#95 %")
    return Table(
        f"Under {name}; expand as allgatherv along columns, the others as alltoallv along rows",
        heads,
        tuple(row_of(one) for one in rows),
    )
