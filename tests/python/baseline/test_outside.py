# SPDX-License-Identifier: Apache-2.0
"""What an archive of others asks to be run is shown, and followed where it is vouched for."""

from pathlib import Path
from typing import Any, cast

import pytest

from baseline.made_baselines import archive, file_of
from isobath.baseline.chain import Baseline, BaselineShelf
from isobath.baseline.entries import Archive, line_of
from isobath.baseline.importing import import_file
from isobath.baseline.outside import check_followed, outside_words
from isobath.cli.main import main
from isobath.errors import UsageError
from isobath.kinds.regress.members import measurable
from isobath.kinds.regress.wanted import plan_for
from isobath.study.kinds import KINDS
from isobath.study.planned import Planning

ASKS: list[tuple[str, dict[str, Any], str]] = [
    ("bench collectives", {"imb": "/tmp/evil"}, "imb = /tmp/evil"),
    ("bench collectives", {"hosts": "evil.example.org:2"}, "hosts = evil.example.org:2"),
    ("bench collectives", {"hostfile": "/tmp/hosts"}, "hostfile = /tmp/hosts"),
    ("race", {"engine_build": ["/tmp/evil"]}, "engine_build = /tmp/evil"),
    ("race", {"engine-build": "/tmp/evil"}, "engine-build = /tmp/evil"),
    ("race", {"cells": [{"plan": "simple"}, {"engine-build": "/tmp/evil"}]},
     "engine-build = /tmp/evil"),
    ("race", {"reference": {"hosts": "evil"}}, "hosts = evil"),
    ("race", {"cells": [{"mpi": "/tmp/evil"}, {"mpi": "openmpi"}]}, "mpi = /tmp/evil"),
    ("run", {"edge_folder": "/tmp/evil"}, "edge_folder = /tmp/evil"),
    ("bench cg", {"petsc_example": "/tmp/evil.c"}, "petsc_example = /tmp/evil.c"),
    ("bench overlap", {"reports": "/tmp/evil"}, "reports = /tmp/evil"),
]  # fmt: skip

HARMLESS = {
    "algorithms", "along", "arrival", "cells", "collectives", "counts", "grid", "mpi", "reference",
    "run", "shapes", "size_edges", "transport",
}  # fmt: skip
"""Words that planners hold against what there is: names of libraries that set-up knows, of
collectives, of studies; tables of such settings."""


def asking(kind: str, settings: dict[str, Any]) -> Archive:
    (member,) = archive().members
    told = member.model_copy(update={"kind": kind, "settings": {"ranks": [2]} | settings})
    return archive().model_copy(update={"members": (told,)})


def planned(baseline: Baseline) -> None:
    """As far as the first thing that would be asked of this machine."""
    plan_for(baseline, {"turns": 2}, cast(Planning, None), purpose="regression",
             sides={"new": "mpich-wheel"}, variables=())  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "words"), ASKS)
def test_programs_folders_and_machines_of_others_are_not_used(
    tmp_path: Path, kind: str, settings: dict[str, Any], words: str
) -> None:
    file = file_of(tmp_path / "file", line_of(asking(kind, settings)))
    baseline = import_file(BaselineShelf(tmp_path / "b"), file, None, None)

    with pytest.raises(UsageError) as refused:
        planned(baseline)

    told = str(refused.value)
    assert f"names programs, folders or machines ({words}) and is unsigned" in told
    assert "export mpi FILE --sign KEY" in told


def test_what_was_made_here_is_followed_and_what_asks_for_nothing_too(tmp_path: Path) -> None:
    ours = BaselineShelf(tmp_path / "a").place("mpi").begin(asking(*ASKS[0][:2]))
    theirs = import_file(BaselineShelf(tmp_path / "b"),
                         file_of(tmp_path / "file", line_of(archive())), None, None)  # fmt: skip

    for baseline in (ours, theirs):
        check_followed(baseline, baseline.archive.members)


def test_what_it_asks_for_is_told_when_it_comes_and_shown_with_all_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ISOBATH_STORE", str(tmp_path))
    file = file_of(tmp_path / "file", line_of(asking(*ASKS[0][:2])))

    assert main(["baseline", "import", str(file)]) == 0
    assert "(imb = /tmp/evil): regress does not follow them" in capfd.readouterr().err
    assert main(["baseline", "show", "mpi"]) == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines()]
    shown = {row[2]: row[3:] for row in rows if row[:2] == ["bench", "collectives"]}
    assert shown["imb"] == ["/tmp/evil", "program,", "folder", "or", "machine"]
    assert shown["ranks"] == ["2"]


def test_a_kind_that_nobody_knows_is_left_out(tmp_path: Path) -> None:
    unknown = asking("dance", {"hosts": "evil"})

    assert outside_words(unknown) == ""
    with pytest.raises(UsageError, match="a dance is not measured again"):
        measurable(unknown.members, unknown.cells)


def test_every_setting_is_known_to_be_harmless_or_to_reach_outside() -> None:
    """Whoever adds a setting of free words says which it is."""
    free = {
        setting.name
        for entry in KINDS
        if entry.planner and entry.name != "regress"
        for setting in entry.declaration().settings
        if not setting.is_outside
        and not setting.is_place
        and setting.kind not in (bool, int, float)
        and not setting.limits.choices
    }
    assert free == HARMLESS
