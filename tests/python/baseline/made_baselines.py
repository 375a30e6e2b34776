# SPDX-License-Identifier: Apache-2.0
"""Baselines of made-up times, small enough to be looked at byte by byte."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from isobath.baseline.chain import Baseline, BaselineFolder, BaselineShelf, digest_of
from isobath.baseline.entries import (
    Archive,
    CellOutcome,
    KeptCell,
    KeptLaunch,
    Key,
    Member,
    Regression,
    Sample,
)

NOW = datetime(2026, 11, 24, 8, 0, tzinfo=UTC)
FACTS = {"processor": "a processor", "MPI library": "MPICH 5.0.2", "nodes": "n1"}


def kept_cell(name: str, values: Sequence[float], size: int = 8) -> KeptCell:
    return KeptCell(
        name=name,
        key=Key(machine="a processor", mpi="MPICH 5.0.2", mpi_version="5.0.2", nodes=1,
                ranks_per_node=2, shape="2", collective=name.split(",", maxsplit=1)[0],
                size_bytes=size),
        title=name,
        scale="seconds",
        identity={"collective": name.split(",", maxsplit=1)[0], "size_bytes": size, "along": None},
        bound={"ranks": "2 ranks"},
        settings={"mpi": "mpich-wheel", "share": 0.5, "together": True},
        samples=tuple(Sample(value=value, launch=f"s/a01-{turn}", turn=str(turn), scatter=0.02)
                      for turn, value in enumerate(values, 1)),
    )  # fmt: skip


def archive(cells: Mapping[str, Sequence[float]] | None = None) -> Archive:
    told = cells or {"bcast, 8 B": (1e-6, 1.1e-6, 0.9e-6), "reduce, 8 B": (2e-6, 2.1e-6, 1.9e-6)}
    most = max(map(len, told.values()))
    launches = {f"s/a01-{turn}": KeptLaunch(began=1.8e9 + turn, facts=FACTS)
                for turn in range(1, most + 1)}  # fmt: skip
    member = Member(
        kind="bench collectives", studies=("s",), settings={"ranks": [2]}, launches=launches,
        cells=tuple(kept_cell(name, values) for name, values in told.items()),
    )  # fmt: skip
    return Archive(previous="", at=NOW, name="mpi", maker="somebody, somewhere",
                   isobath_version="0.1.0", members=(member,), guidelines=())  # fmt: skip


def regression(
    outcomes: Mapping[str, CellOutcome], days: float = 0, study: str = "r"
) -> Regression:
    return Regression(
        previous="", at=NOW + timedelta(days=days), study=study, began=1.8e9 + 86_400 * days,
        verdict="made up", exit_code=5, against="old library", mpi="MPICH 5.0.2",
        cells=dict(outcomes),
    )  # fmt: skip


def made(shelf: Path, name: str = "mpi") -> BaselineFolder:
    """A baseline with a regression that found a slower cell."""
    folder = BaselineShelf(shelf).place(name)
    folder.begin(archive())
    outcome = CellOutcome(outcome="slower", ratio=1.2, low=1.1, high=1.3)
    others = {"reduce, 8 B": CellOutcome(outcome="the same", ratio=1.0, low=0.99, high=1.01)}
    folder.append(lambda _: regression({"bcast, 8 B": outcome} | others))
    return folder


def read(shelf: Path, name: str = "mpi") -> Baseline:
    return BaselineShelf(shelf).find(name).read()


def file_of(path: Path, *told: str) -> Path:
    """Lines below a head that fits: what is wrong is in the lines alone."""
    head = {"entries": len(told), "head": digest_of(told[-1]), "isobath_baseline": 1}
    first = json.dumps(head, sort_keys=True, separators=(",", ":"))
    path.write_text("\n".join((first, *told)) + "\n", encoding="utf-8")
    return path
