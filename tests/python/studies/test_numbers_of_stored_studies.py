# SPDX-License-Identifier: Apache-2.0
"""Numbers that are read of stored studies, against plain arithmetic on their lines of JSON
(tools/study_numbers.py, numbers.json).
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import pytest

from isobath.bench.facts import json_text
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import read_measured as read_bench
from isobath.kinds.cg.facts import facts_of as cg_json
from isobath.kinds.cg.measured import read_measured as read_cg
from isobath.kinds.overlap.facts import facts_of as overlap_json
from isobath.kinds.replay.plan import ReplayFolder
from isobath.overlap.folders import OverlapFolder, read_overlap
from isobath.profile.profile import read_profile_file
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.report.run_data import read_run
from isobath.study.folder import StudyFolder
from studies.stored import FOLDER, numbers, studies, the_folder

Read = dict[str, float]


def rates(folder: Path) -> Read:
    """The headline of a run, and the number of searches that count."""
    data = read_run(folder)
    kernel = data.records.kernels[0]
    assert data.teps is not None
    return {f"{kernel} searches": len(data.searches), f"{kernel} teps": data.teps.value}


def rates_of_cells(folder: Path) -> Read:
    """Of every cell of a race that has a run."""
    cells = read_results(RaceFolder(folder)).cells
    return {
        f"{one.cell.cell} teps": one.teps.value
        for one in cells
        if one.cell is not None and one.teps is not None
    }


def collectives(folder: Path) -> Read:
    return _calls(BenchFolder(folder))


def _calls(folder: BenchFolder) -> Read:
    found = {}
    for one in json.loads(json_text(read_bench(folder)))["cells"]:
        cell = one["cell"]
        size = "" if cell["counts"].startswith("recorded:") else f" {cell['size_bytes']}"
        found[f"{cell['collective']}{size} {cell['counts']}"] = one["median_seconds"]
    return found


def replays(folder: Path) -> Read:
    return _calls(ReplayFolder(folder))


def overlaps(folder: Path) -> Read:
    groups = overlap_json(read_overlap(OverlapFolder(folder)))["groups"]
    return {
        f"{group['collective']} {group['size_bytes']} {group['ranks']} {row['aggregators']} "
        f"{row['progress']} {row['tests']} {row['work']} {row['work_ratio']}": row["seconds"][
            "overlap"
        ]
        for group in groups
        for row in group["rows"]
    }


def iterations(folder: Path) -> Read:
    groups = cg_json(read_cg(StudyFolder(folder)))["groups"]
    return {
        f"{group['elements']} {row['method']} {row['progress']} {row['tests']}": row[
            "seconds_per_iteration"
        ]
        for group in groups
        for row in group["rows"]
    }


def profile(folder: Path) -> Read:
    (world,) = read_profile_file(folder / "records.jsonl")
    whole = world.whole
    return {"ranks": whole.ranks, "calls": whole.calls}


READERS: dict[str, Callable[[Path], Read]] = {
    "run": rates,
    "search": rates,
    "race": rates_of_cells,
    "collectives": collectives,
    "replay": replays,
    "overlap": overlaps,
    "cg": iterations,
    "profile": profile,
}


def plain(name: str, kind: str) -> Read:
    """The numbers of a whole study from those of its launches: medians over launches."""
    found: dict[str, list[float]] = {}
    for key, value in _plain_by_launch(name, kind):
        found.setdefault(key, []).append(value)
    return {key: median(values) for key, values in found.items()}


def _plain_by_launch(name: str, kind: str) -> Iterator[tuple[str, float]]:
    for launch, kinds in numbers()[name].items():
        folder = launch.rpartition("/")[2]
        if kind in ("run", "search"):
            kernel, first = next(iter(kinds["search"].items()))
            yield f"{kernel} searches", first["searches"]
            yield f"{kernel} teps", first["harmonic_mean_teps"]
        elif kind == "race":
            yield f"{folder.split('-')[0]} teps", kinds["search"]["bfs"]["harmonic_mean_teps"]
        elif not folder.startswith("c") and not folder.endswith("-profile"):
            records = {"collectives": "collective", "replay": "collective", "overlap": "overlap",
                       "cg": "krylov", "profile": "profile"}[kind]  # fmt: skip
            yield from kinds.get(records, {}).items()


@pytest.mark.parametrize(
    "name",
    [
        one.name
        for one in studies().values()
        if not one.change and one.kind in READERS and numbers()[one.name]
    ],
)
def test_the_laboratory_reads_what_plain_arithmetic_finds(name: str) -> None:
    study = studies()[name]

    read = READERS[study.kind](the_folder(FOLDER / name, study.kind))

    assert read == pytest.approx(plain(name, study.kind), rel=1e-12)
    assert read
