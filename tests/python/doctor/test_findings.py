# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from pathlib import Path

import pytest

import fake_mpi
from isobath.doctor.laboratory_findings import laboratory_findings
from isobath.doctor.machine_findings import machine_findings
from isobath.doctor.namespace_finding import namespace_finding
from isobath.doctor.noise import measure_noise, noise_finding
from isobath.doctor.quick_run import quick_run
from isobath.doctor.tool_findings import (
    compiler_finding,
    disk_finding,
    engine_finding,
    mpi_finding,
    tool_findings,
)
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.launch.transport import Transport
from isobath.machine.facts import Machine
from isobath.study.kinds import KINDS, entry_of

GOOD = Machine(
    hostname="here",
    cpu_model="a processor",
    cpus=(0, 1),
    numa_cpus=((0, 1),),
    cpu_limit=None,
    memory_bytes=24 * 10**9,
    available_bytes=20 * 10**9,
    memory_limit_bytes=None,
    shm_bytes=12 * 10**9,
    shm_free_bytes=12 * 10**9,
    huge_pages="madvise",
    load=0.1,
)


def statuses(machine: Machine) -> dict[str, str]:
    return {finding.name: finding.status for finding in machine_findings(machine)}


def test_a_good_machine_has_nothing_to_fix() -> None:
    assert set(statuses(GOOD).values()) == {"good"}


@pytest.mark.parametrize(
    ("machine", "name", "status"),
    [
        (replace(GOOD, huge_pages="never"), "huge pages", "warning"),
        (replace(GOOD, huge_pages="absent"), "huge pages", "warning"),
        (replace(GOOD, shm_bytes=0, shm_free_bytes=0), "/dev/shm", "bad"),
        (replace(GOOD, shm_free_bytes=64 * 10**6), "/dev/shm", "warning"),
        (replace(GOOD, available_bytes=10**8), "memory", "warning"),
        (replace(GOOD, cpu_limit=1.0), "processors", "warning"),
        (replace(GOOD, load=3.0), "load", "warning"),
    ],
)
def test_each_fault_is_found_alone_and_has_a_remedy(
    machine: Machine, name: str, status: str
) -> None:
    found = {finding.name: finding for finding in machine_findings(machine)}

    assert {n for n, finding in found.items() if finding.status != "good"} == {name}
    assert found[name].status == status
    assert found[name].remedy


def test_a_limit_of_the_container_is_named() -> None:
    machine = replace(GOOD, memory_limit_bytes=4 * 10**9)

    words = {finding.name: finding.words for finding in machine_findings(machine)}

    assert "limited to 4 GB" in words["memory"]


def test_noise_is_a_small_number_and_judged() -> None:
    assert measure_noise(20) > -0.01
    assert noise_finding(0.01).status == "good"
    assert noise_finding(0.5).status == "warning"


@pytest.mark.parametrize(
    ("problem", "by", "status", "words", "remedy"),
    [
        ("", "netem", "good", "work, with latency too, by netem", ""),
        ("", "isobath-delay", "good", "by isobath-delay, which takes processor time from ranks, as "
         "this kernel has no netem", ""),
        ("", EnvironmentProblem("it has no netem; leave it out"), "good", "work; it has no netem",
         ""),
        ("they need root; be root", "nobody", "warning", "they need root", "be root"),
    ],
)  # fmt: skip
def test_namespaces_work_or_it_is_said_why_not(
    problem: str,
    by: str | Exception,
    status: str,
    words: str,
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def who_delays(transport: Transport) -> str:
        assert transport.latency_us > 0
        if isinstance(by, Exception):
            raise by
        return by

    monkeypatch.setattr("isobath.doctor.namespace_finding.why_not", lambda transport: problem)
    monkeypatch.setattr("isobath.doctor.namespace_finding.who_delays", who_delays)

    finding = namespace_finding()

    assert (finding.status, finding.remedy) == (status, remedy)
    assert finding.words.endswith(words)


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path, fake_mpi.install(tmp_path))


def test_tools_of_a_set_up_checkout_are_good(installation: Installation) -> None:
    found = {finding.name: finding for finding in tool_findings(installation)}

    assert found["mpi fake"].status == "good"
    assert found["mpi fake"].words.endswith("default")
    assert found["engine"].status == "good"
    assert found["compiler"].status == "good"
    assert found["disk"].status in ("good", "warning")


def test_before_set_up_the_remedy_is_set_up(tmp_path: Path) -> None:
    finding = engine_finding(Installation(tmp_path, tmp_path), [])

    assert (finding.status, finding.remedy) == ("bad", "./isobath setup")


def test_a_program_that_is_missing_is_named(installation: Installation) -> None:
    library = choose_library(installation, None)
    library.program("isobath-edges").unlink()

    finding = engine_finding(installation, [library])

    assert finding.status == "bad"
    assert "isobath-edges" in finding.words


def test_an_unhealthy_default_is_bad_another_a_warning(installation: Installation) -> None:
    library = replace(
        choose_library(installation, None), healthy=False, reason="it starts singletons"
    )

    assert mpi_finding(library, installation).status == "bad"
    other = replace(library, id="other")
    assert mpi_finding(other, installation).status == "warning"
    untested = replace(other, healthy=None)
    assert "not tested" in mpi_finding(untested, installation).words


def test_no_compiler_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)

    finding = compiler_finding(Installation(tmp_path, tmp_path))

    assert finding.status == "bad"
    assert "apt-get install g++" in finding.remedy


def test_a_folder_that_cannot_be_written_is_bad(tmp_path: Path) -> None:
    assert disk_finding(Installation(tmp_path, Path("/proc"))).status == "bad"


def test_the_quick_run_proves_the_chain(installation: Installation) -> None:
    finding = quick_run(choose_library(installation, None), cpus=2)

    assert finding.status == "good", finding
    assert "all validated" in finding.words


@pytest.mark.parametrize("wrong", ["violations", "exit:42", "kill:1:9"])
def test_the_quick_run_finds_what_is_wrong(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("FAKE_DO", wrong)

    assert quick_run(choose_library(installation, None), cpus=2).status == "bad"


def test_each_laboratory_says_that_it_works_or_what_is_missing(tmp_path: Path) -> None:
    installation = Installation(tmp_path, fake_mpi.install(tmp_path))
    library = choose_library(installation, None)

    found = {one.name: one for one in laboratory_findings(installation, library, GOOD)}

    assert list(found) == [
        entry.name for entry in KINDS if entry.doctor or entry.name.startswith("bench ")
    ]
    assert found["bench collectives"].status == found["bench replay"].status == "good"
    assert "up to 2 ranks" in found["bench collectives"].words
    assert "has no HCOLL, SHARP or UCC" in found["bench collectives"].words
    assert "PETSc" in found["bench cg"].words
    for entry in KINDS:
        if not entry.program or entry.name not in found:
            continue
        (tmp_path / "build" / "fake" / "bin" / entry.program).unlink()
        again = {one.name: one for one in laboratory_findings(installation, library, GOOD)}
        told = again[entry.name]
        assert (told.status, told.words) == ("warning", f"{entry.program} is not built for fake")
    assert "the profiler for the ABI mpi5 is not built" in found["profile"].words
    assert all(one.remedy for one in found.values() if one.status != "good")


def test_simulations_need_what_ends_them_with_smpirun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation = Installation(tmp_path, fake_mpi.install(tmp_path))
    library = choose_library(installation, None)
    smpirun = tmp_path / "alone" / "smpirun"
    smpirun.parent.mkdir()
    smpirun.write_text("#!/bin/sh\necho SimGrid version 3.32\n", encoding="utf-8")
    smpirun.chmod(0o755)
    monkeypatch.setenv("PATH", str(smpirun.parent))
    monkeypatch.setattr("isobath.doctor.laboratory_findings.KINDS", (entry_of("simulate"),))

    (told,) = laboratory_findings(installation, library, GOOD)

    assert told.words.startswith("setpriv is not here")
    assert told.words.endswith("; to simulate: apt-get install util-linux")


@pytest.mark.parametrize(
    ("has_simgrid", "remedy"),
    [(False, "apt-get install libsimgrid-dev, then ./isobath setup"), (True, "./isobath setup")],
)
def test_what_simulates_is_named_where_it_is_missing_though_nothing_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_simgrid: bool, remedy: str
) -> None:
    """In the words: no remedy is printed of what is good."""
    installation = Installation(tmp_path, fake_mpi.install(tmp_path))
    library = choose_library(installation, None)
    (tmp_path / "build" / "fake" / "bin" / "isobath-skeleton-smpi").unlink(missing_ok=True)
    alone = tmp_path / "alone"
    alone.mkdir()
    for name in ("smpirun", "setpriv"):
        program = alone / name
        program.write_text("#!/bin/sh\necho SimGrid version 3.32\n", encoding="utf-8")
        program.chmod(0o755 if has_simgrid else 0o644)
    monkeypatch.setenv("PATH", str(alone))
    monkeypatch.setattr("isobath.doctor.laboratory_findings.KINDS", (entry_of("simulate"),))

    (told,) = laboratory_findings(installation, library, GOOD)

    assert told.status == "good"
    assert "everything else works without" in told.words
    assert told.words.endswith(f"; to simulate: {remedy}")


def test_a_benchmark_that_says_no_more_works_where_its_program_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation = Installation(tmp_path, fake_mpi.install(tmp_path))
    library = choose_library(installation, None)
    plain = replace(entry_of("bench cg"), doctor="")
    monkeypatch.setattr("isobath.doctor.laboratory_findings.KINDS", (entry_of("run"), plain))

    (there,) = laboratory_findings(installation, library, GOOD)
    (tmp_path / "build" / "fake" / "bin" / "isobath-krylov").unlink()
    (missing,) = laboratory_findings(installation, library, GOOD)

    assert (there.name, there.status, there.words) == ("bench cg", "good", "works here")
    assert (missing.status, missing.remedy) == ("warning", "./isobath setup")
    assert missing.words == "isobath-krylov is not built for fake"


@pytest.mark.parametrize(
    ("cpus", "words"), [(2, "have no processor of their own"), (4, "with 2 processors beside")]
)
def test_progress_of_threads_and_offload_need_spare_processors(
    tmp_path: Path, cpus: int, words: str
) -> None:
    installation = Installation(tmp_path, fake_mpi.install(tmp_path))
    program = tmp_path / "build" / "fake" / "bin" / "isobath-overlap"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    library = tmp_path / "build" / "fake" / "lib" / "libisobath-profile-mpi5.so"
    library.parent.mkdir(exist_ok=True)
    library.touch()
    machine = replace(GOOD, cpus=tuple(range(cpus)))

    told = laboratory_findings(installation, choose_library(installation, None), machine)
    found = {one.name: one for one in told}

    assert {one.status for one in told} == {"good"}
    assert words in found["bench overlap"].words
    assert "PETSc" in found["bench cg"].words
