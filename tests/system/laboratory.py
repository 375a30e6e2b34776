# SPDX-License-Identifier: Apache-2.0
"""The real engine, and a checkout of its own around it."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import isobath
from isobath.kinds.run.calibration import CALIBRATIONS, calibration_key
from isobath.kinds.run.settings import RunSettings
from isobath.launch.installation import Installation
from isobath.launch.launcher import launch_line
from isobath.launch.mpi_library import MpiLibrary, known_libraries
from isobath.launch.shared_memory import SharedMemory
from isobath.machine.facts import read_machine
from isobath.plan.duration import Calibration
from isobath.plan.layout import choose_layout
from isobath.plan.search_plans import HYBRID
from isobath.records.run_records import RunRecords
from isobath.store.folders import RunFolder, list_runs
from needs import PACKAGES, left_out
from patience import patience

SOURCES = Path(isobath.__file__).resolve().parents[1]
PROGRAM = "isobath-graph500"
NOT_BUILT = "the engine is not built: run ./isobath test, which builds it"
RANKS = (1, 2, 3, 4, 6)
GRIDS = ("1x1", "1x2", "1x3", "1x4", "2x1", "2x2", "3x1", "4x1", "6x1", "2x3", "3x2")


@cache
def built_libraries() -> tuple[MpiLibrary, ...]:
    """Healthy MPI libraries with an engine; the release build where there is one."""
    found = []
    for library in known_libraries(Installation.here()):
        for folder in (library.build_dir, library.test_build_dir):
            if library.healthy and folder and (folder / "bin" / PROGRAM).exists():
                found.append(replace(library, build_dir=folder))
                break
    default = Installation.here().state().get("default_mpi")
    return tuple(sorted(found, key=lambda library: library.id != default))


@cache
def absent_libraries() -> dict[str, str]:
    """MPI libraries of tests/packages.toml without which tests are left out, and the reason."""
    known = {one.kind: one for one in known_libraries(Installation.here()) if one.place is None}
    absent = {}
    for package in PACKAGES.values():
        library = known.get(package.mpi)
        if not package.mpi or not package.works_here or (library and library.healthy):
            continue
        absent[package.name] = left_out(package.name, library.reason if library else "")
    return absent


def is_old_mpich(library: MpiLibrary) -> bool:
    """MPICH before version 5."""
    return library.kind == "mpich" and library.version.partition(".")[0] < "5"


def ranks_for(library: MpiLibrary) -> tuple[int, ...]:
    """MPICH before version 5 is too slow where ranks outnumber processors."""
    return RANKS[:2] if is_old_mpich(library) else RANKS


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Laboratory:
    """A checkout of its own around one built engine: its runs and its calibration."""

    prefix: Path
    mpi: MpiLibrary

    def environment(self, **more: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ISOBATH_")}
        paths = {"ISOBATH_PREFIX": str(self.prefix), "PYTHONPATH": str(SOURCES)}
        # On a busy machine a rank may get no processor for seconds.
        paths["ISOBATH_STOP_SECONDS"] = "60"
        return kept | paths | more

    def command(self, *words: object) -> list[str]:
        return [sys.executable, "-m", "isobath", *map(str, words)]

    def isobath(self, *words: object, timeout: float | None = None, **more: str) -> Done:
        done = subprocess.run(
            self.command(*words),
            capture_output=True,
            text=True,
            env=self.environment(**more),
            timeout=timeout or patience(),
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def run(self, *words: object) -> RunFolder:
        """A run that must succeed."""
        done = self.isobath("run", "--no-report", *words)
        assert done.code == 0, done.err
        return self.runs[-1]

    @property
    def runs(self) -> list[RunFolder]:
        return list_runs(self.prefix / "studies")

    def engine(self, *words: object, ranks: int = 1, threads: int = 1, **more: str) -> Done:
        """The engine alone, without the laboratory around it."""
        line = launch_line(
            self.mpi,
            self.mpi.program(PROGRAM),
            [str(word) for word in words],
            ranks=ranks,
            threads=threads,
            cpus=read_machine().usable_cpus,
        )
        shared_memory = SharedMemory.look()
        done = subprocess.run(
            line.command,
            capture_output=True,
            text=True,
            env={**self.environment(), **line.environment, **more},
            timeout=patience(),
            check=False,
        )
        shared_memory.clean()  # an MPI that aborts leaves its segments
        return Done(done.returncode, done.stdout, done.stderr)

    def edges(self, *words: object) -> bytes:
        """Standard output of isobath-edges."""
        program = self.mpi.program("isobath-edges")
        return subprocess.run([program, *map(str, words)], capture_output=True, check=True).stdout


def make_laboratory(library: MpiLibrary, prefix: Path) -> Laboratory:
    entry: dict[str, Any] = {
        "kind": library.kind,
        "version": library.version,
        "mpicxx": library.mpicxx,
        "mpiexec": library.mpiexec,
        "healthy": True,
        "reason": "",
        "standard_abi": library.standard_abi,
        "build_dir": str(library.build_dir),
    }
    if library.place is not None:
        place = library.place
        entry |= {"folder": str(place.folder), "library_path": list(place.library_path)}
        entry["provider_path"] = place.provider_path
    state = {"mpi": {library.id: entry}, "default_mpi": library.id, "prefix": str(prefix)}
    folder = prefix / ".isobath"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")
    (folder / CALIBRATIONS).write_text(json.dumps(calibrations(library)), encoding="utf-8")
    return Laboratory(prefix, library)


def calibrations(library: MpiLibrary) -> dict[str, dict[str, Any]]:
    """Made-up calibrations for the layouts of the tests: each would wait, none needs the time."""
    machine = read_machine()
    entries = {}
    for grid, plan in [*((grid, HYBRID) for grid in GRIDS), ("1x2", "two-dim")]:
        for threads in (1, None):
            layout = choose_layout(machine, grid=grid, threads=threads)
            key = calibration_key(machine, library, layout, RunSettings(plan=plan))
            entries[key] = Calibration(
                key=key,
                scale=16,
                ranks=layout.ranks,
                threads=layout.threads,
                startup_seconds=0.5,
                generation_seconds_per_edge=4e-8,
                construction_seconds_per_edge=7e-8,
                search_seconds_per_edge=4e-10,
                validation_seconds_per_edge=8e-9,
                measured_at=time.time(),
                load=0.0,
            ).model_dump()
    return entries


def records_of(run: RunFolder) -> RunRecords:
    """Its records, after its hashes were found right."""
    assert run.verify() == []
    return run.records()
