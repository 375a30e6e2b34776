# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest

import fake_mpi
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import Place, choose_library, inventory, known_libraries


def installation(prefix: Path, **entries: dict[str, object]) -> Installation:
    state = {"mpi": entries, "default_mpi": "mpich-wheel", "aliases": {"system": "openmpi"}}
    folder = prefix / ".isobath"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")
    return Installation(prefix, prefix)


def entry(kind: str, *, healthy: bool = True) -> dict[str, object]:
    return {
        "kind": kind,
        "version": "1.0",
        "mpicxx": f"/opt/{kind}/bin/mpicxx",
        "mpiexec": f"/opt/{kind}/bin/mpiexec",
        "healthy": healthy,
        "reason": "" if healthy else "it starts singletons",
    }


@pytest.fixture
def three(tmp_path: Path) -> Installation:
    return installation(
        tmp_path,
        **{
            "mpich-wheel": entry("mpich-wheel") | {"standard_abi": True},
            "openmpi": entry("openmpi"),
            "mpich": entry("mpich", healthy=False),
        },
    )


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (None, "mpich-wheel"),
        ("default", "mpich-wheel"),
        ("wheel", "mpich-wheel"),
        ("mpich-wheel", "mpich-wheel"),
        ("system", "openmpi"),
        ("openmpi", "openmpi"),
        ("/opt/openmpi", "openmpi"),
        ("/opt/openmpi/bin/mpicxx", "openmpi"),
    ],
)
def test_a_library_is_chosen_by_id_word_or_path(
    three: Installation, request_: str | None, expected: str
) -> None:
    assert choose_library(three, request_).id == expected


def test_the_environment_names_one(three: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOBATH_MPI", "openmpi")

    assert choose_library(three, None).id == "openmpi"
    assert choose_library(three, "wheel").id == "mpich-wheel"


def test_an_unhealthy_or_unknown_one_is_refused_with_a_remedy(three: Installation) -> None:
    with pytest.raises(EnvironmentProblem, match=r"singletons; choose another with --mpi"):
        choose_library(three, "mpich")
    with pytest.raises(EnvironmentProblem, match=r"intel is not known here .*setup --mpi intel"):
        choose_library(three, "intel")


def test_before_set_up_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").touch()
    (tmp_path / "isobath").touch()

    with pytest.raises(EnvironmentProblem, match="set-up has not run"):
        choose_library(Installation(tmp_path, tmp_path), None)


def test_a_program_that_is_not_built_is_named(three: Installation, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"setup --mpi openmpi"):
        choose_library(three, "openmpi").program("isobath-graph500")
    prefix = fake_mpi.install(tmp_path / "other")
    library = choose_library(Installation(prefix, prefix), None)
    assert library.program("isobath-graph500").is_file()


def test_binary_interfaces_are_told_apart(three: Installation) -> None:
    assert {library.id: library.abi for library in known_libraries(three)} == {
        "mpich-wheel": "mpi5",
        "openmpi": "ompi",
        "mpich": "mpich",
    }


def test_the_inventory_finds_an_mpi_in_the_path(
    three: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = tmp_path / "bin" / "mpicxx"
    wrapper.parent.mkdir()
    wrapper.write_text("#!/bin/sh\n", encoding="utf-8")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(wrapper.parent))

    found = {library.mpicxx: library for library in inventory(three)}

    assert found[str(wrapper)].healthy is None
    assert f"setup --mpi {wrapper}" in found[str(wrapper)].reason
    assert found["/opt/openmpi/bin/mpicxx"].healthy is True


@pytest.fixture
def with_intel(three: Installation) -> Installation:
    """Intel MPI by the standard ABI, which runs the wheel's build."""
    path = three.state_folder / "state.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    wheel = state["mpi"]["mpich-wheel"]
    state["mpi"]["intel-abi"] = wheel | {
        "kind": "intel",
        "mpiexec": "/opt/impi/bin/mpiexec",
        "folder": "/opt/impi",
        "abi_library": "/opt/impi/lib/libmpi_abi.so.1",
        "library_path": ["/opt/impi/lib", "/opt/impi/lib/libfabric"],
        "provider_path": "/opt/impi/lib/libfabric/prov",
    }
    path.write_text(json.dumps(state), encoding="utf-8")
    return three


@pytest.mark.parametrize("word", ["intel", "intel-abi", "/opt/impi", "/opt/impi/"])
def test_a_library_of_the_standard_abi_is_chosen_by_kind_id_or_folder(
    with_intel: Installation, word: str
) -> None:
    library = choose_library(with_intel, word)

    assert (library.id, library.family, library.abi) == ("intel-abi", "intel", "mpi5")
    assert library.place == Place(
        Path("/opt/impi"),
        ("/opt/impi/lib", "/opt/impi/lib/libfabric"),
        "/opt/impi/lib/libfabric/prov",
    )
    assert "in /opt/impi, engine of mpich-wheel" in library.description


def test_the_system_s_mpi_is_none_that_is_reached_by_the_standard_abi(tmp_path: Path) -> None:
    place = {"folder": "/opt/impi", "abi_library": "x", "library_path": [], "provider_path": ""}
    found = installation(tmp_path, **{"intel-abi": entry("intel") | place})

    path = found.state_folder / "state.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"openmpi"', '"system"'))
    with pytest.raises(EnvironmentProblem, match="the MPI system is not known here"):
        choose_library(found, "system")
