# SPDX-License-Identifier: Apache-2.0
"""How studies are made that are stored (tools/make_studies.py)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import make_studies
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library


@pytest.fixture
def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout after set-up; returns the place where studies are made."""
    root, place = tmp_path / "checkout", tmp_path / "made"
    for folder in (root, place):
        (folder / ".isobath").mkdir(parents=True)
    library = {
        "kind": "mpich-wheel", "version": "5.0.2", "mpicxx": f"{root}/.venv/bin/mpicxx",
        "mpiexec": f"{root}/.venv/bin/mpiexec", "build_dir": f"{root}/build/mpich-wheel",
        "healthy": True, "reason": "",
    }  # fmt: skip
    state = {"prefix": str(root), "mpi": {"wheel": library}, "default_mpi": "wheel"}
    (root / ".isobath" / "state.json").write_text(json.dumps(state), encoding="utf-8")
    monkeypatch.setattr(make_studies, "ROOT", root)
    return place


def test_builds_are_found_where_the_checkout_is_seen_to_be(set_up: Path) -> None:
    make_studies.lay_state(set_up)

    study = set_up / "cg-whole"
    study.mkdir()
    (study / ".isobath").symlink_to(set_up / ".isobath")
    for prefix in (set_up, study):
        library = choose_library(Installation(make_studies.ROOT, prefix), None)
        assert library.build_dir == make_studies.CHECKOUT / "build" / "mpich-wheel"
        assert library.mpiexec == f"{make_studies.CHECKOUT}/.venv/bin/mpiexec"


def test_without_packages_of_tests_it_is_said_how_to_get_them() -> None:
    tool = Path(make_studies.__file__)
    done = subprocess.run(
        [sys.executable, "-I", "-S", tool], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "needs pytest, which is not here: run ./isobath test --only python once" in done.stderr


def test_before_set_up_it_is_said_what_to_run(set_up: Path) -> None:
    (make_studies.ROOT / ".isobath" / "state.json").unlink()

    with pytest.raises(SystemExit, match=r"run ./isobath setup first"):
        make_studies.lay_state(set_up)
