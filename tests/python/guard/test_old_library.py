# SPDX-License-Identifier: Apache-2.0
"""The library of a baseline is found again by its file, and never by its release alone."""

import json
from pathlib import Path

import pytest

from baseline.made_baselines import archive
from guard.made_regressions import baseline_of
from isobath.baseline.chain import Baseline
from isobath.compared.launch_facts import BUILD
from isobath.kinds.regress.old_library import old_library
from isobath.launch.installation import Installation
from isobath.launch.library_build import build_of, build_of_id
from isobath.launch.mpi_library import MpiLibrary, known_libraries

Libraries = dict[str, MpiLibrary]


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Libraries:
    """mpich-wheel was updated in place; kept has the file of before, rebuilt its release alone."""
    entries = {}
    for name, version, content in (
        ("mpich-wheel", "5.0.3", "new"), ("kept", "5.0.2", "old"), ("rebuilt", "5.0.2", "patched")
    ):  # fmt: skip
        folder = tmp_path / name
        (folder / "lib").mkdir(parents=True)
        (folder / "lib" / "libmpi_abi.so.1").write_text(content, encoding="utf-8")
        entries[name] = {"kind": "mpich", "version": version, "healthy": True,
                         "standard_abi": True, "mpicxx": str(folder / "bin" / "mpicxx_abi"),
                         "build_dir": str(folder)}  # fmt: skip
    (tmp_path / ".isobath").mkdir()
    state = json.dumps({"mpi": entries, "prefix": str(tmp_path)})
    (tmp_path / ".isobath" / "state.json").write_text(state, encoding="utf-8")
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path))
    return {one.id: one for one in known_libraries(Installation.here())}


def measured_under(build: str) -> Baseline:
    """A baseline of mpich-wheel 5.0.2."""
    first = archive()
    (member,) = first.members
    told = {BUILD: build} if build else {}
    launches = {name: one.model_copy(update={"facts": {**one.facts, **told}})
                for name, one in member.launches.items()}  # fmt: skip
    return baseline_of(
        first.model_copy(update={"members": (member.model_copy(update={"launches": launches}),)})
    )


def test_the_same_file_is_the_old_library_under_whatever_name(libraries: Libraries) -> None:
    baseline = measured_under(build_of_id("kept"))

    found, told = old_library(baseline, libraries["mpich-wheel"], "", has_variables=False)

    assert (found, told) == (libraries["kept"], ())


def test_another_build_of_the_same_release_is_not_the_old_library(libraries: Libraries) -> None:
    baseline = measured_under("0123456789abcdef")

    found, told = old_library(baseline, libraries["mpich-wheel"], "", has_variables=False)

    assert found is None
    assert [words.split()[0] for words in told] == ["kept", "rebuilt"]
    assert "is not known to be its build: it is not measured in turns" in told[0]
    named, _ = old_library(baseline, libraries["mpich-wheel"], "rebuilt", has_variables=False)
    assert named == libraries["rebuilt"], "who names it gets it"


def test_a_library_that_was_built_anew_in_its_place_is_held_against_the_old_one(
    libraries: Libraries,
) -> None:
    """The same name and release as the baseline's, and another file."""
    baseline = measured_under(build_of(libraries["kept"]))

    found, _ = old_library(baseline, libraries["rebuilt"], "", has_variables=False)
    same, _ = old_library(baseline, libraries["kept"], "", has_variables=False)

    assert (found, same) == (libraries["kept"], None)


def test_a_baseline_without_builds_knows_its_library_by_id_and_release(
    libraries: Libraries,
) -> None:
    baseline = measured_under("")

    found, told = old_library(baseline, libraries["mpich-wheel"], "", has_variables=False)

    assert found is None, "its release alone is not enough"
    assert len(told) == 2
