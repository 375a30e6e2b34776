# SPDX-License-Identifier: Apache-2.0
"""Numbers that are read of stored studies, against plain arithmetic on their lines of JSON
(tools/study_numbers.py, numbers.json).
"""

from collections.abc import Iterator
from statistics import median

import pytest

from isobath.study.kinds import entry_of
from kind_table import TIMED, TRIED, Numbers
from studies.stored import FOLDER, numbers, studies, the_folder


def plain(name: str, kind: str) -> Numbers:
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
            yield from kinds.get(TRIED[entry_of(kind).name].record, {}).items()


@pytest.mark.parametrize(
    "name",
    [
        one.name
        for one in studies().values()
        if not one.change
        and one.kind != "bare"
        and entry_of(one.kind).name in TIMED
        and numbers()[one.name]
    ],
)
def test_the_laboratory_reads_what_plain_arithmetic_finds(name: str) -> None:
    study = studies()[name]

    tried = TRIED[entry_of(study.kind).name]

    read = tried.numbers(the_folder(FOLDER / name, study.kind))

    assert read == pytest.approx(plain(name, study.kind), rel=1e-12)
    assert read
