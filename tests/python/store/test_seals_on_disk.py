# SPDX-License-Identifier: Apache-2.0
"""What is sealed is on the disk before it has its name; what could not begin leaves nothing."""

import errno
import os
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem
from isobath.store.folders import MANIFEST, OpenRun
from isobath.study.folder import StudyFolder
from store.test_folders import sealed


def test_every_file_and_both_folders_are_forced_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[Path] = []

    def fsync(descriptor: int) -> None:
        forced.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")))

    monkeypatch.setattr(os, "fsync", fsync)

    folder = sealed(tmp_path, "a").path

    names = {path.name for path in folder.iterdir()}
    partial = folder.with_name("a.partial")
    assert {path.name for path in forced if path.parent == partial} >= names - {MANIFEST}
    (manifest,) = (path for path in forced if path.match(f".{MANIFEST}.*.new"))
    order = [forced.index(one) for one in (manifest, partial, tmp_path)]
    assert order == sorted(order)
    assert max(forced.index(partial / name) for name in names - {MANIFEST}) < order[0]


def test_a_plan_is_forced_to_disk_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[Path] = []
    monkeypatch.setattr(
        os, "fsync", lambda held: forced.append(Path(os.readlink(f"/proc/self/fd/{held}")))
    )
    StudyFolder(tmp_path / "a").write_durably("study.json", "{}")
    fresh, folder = forced
    assert fresh.match("a/.study.json.*.new")
    assert folder == tmp_path / "a"


def test_a_full_disk_leaves_no_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)

    with pytest.raises(EnvironmentProblem, match="No space left"):
        OpenRun(tmp_path, "a")

    assert list(tmp_path.iterdir()) == []
