# SPDX-License-Identifier: Apache-2.0
"""An MPI without ranks that compute: a launcher and an engine that speak the contract."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from isobath.launch.processes import (
    PROC,
    is_alive,
    is_between_programs,
    process_name,
    send,
    start_time,
    variables,
)
from isobath.profile.rank_files import RankFile
from isobath.records.codec import AnyRecord, encode
from isobath.records.search_keys import key_draws
from isobath.study.kinds import KINDS
from kind_table import program
from profiles.rank_lines import two_ranks
from records import examples

HERE = Path(__file__).resolve().parent


SIMGRID = "simgrid"
"""The folder of a checkout that has its smpirun, to be put on the PATH."""

PROFILED = "profiled"
"""A program that can be profiled, in a checkout with the fake MPI."""

MARK = "FAKE_STARTED_BY"

END_SECONDS = 10.0
"""A killed process is gone much sooner."""


def install(prefix: Path, *, kind: str = "mpich-wheel", healthy: bool = True) -> Path:
    """Makes ``prefix`` look like a checkout after set-up, built with the fake MPI."""
    programs = prefix / "build" / "fake" / "bin"
    programs.mkdir(parents=True)
    launcher = prefix / "mpiexec"
    records = prefix / "records.json"
    records.write_text(_lines(), encoding="utf-8")
    _script(launcher, HERE / "launcher.py")
    for name in (*(program(entry) for entry in KINDS), "audit", "edges"):
        if (HERE / f"{name}.py").is_file():
            _script(programs / f"isobath-{name}", HERE / f"{name}.py", records)
    _script(programs / "isobath-skeleton-smpi", HERE / "skeleton.py")
    (prefix / SIMGRID).mkdir()
    _script(prefix / SIMGRID / "smpirun", HERE / "smpirun.py")
    _script(prefix / PROFILED, HERE / "profiled.py", records)
    _profiler(prefix / "build" / "fake" / "lib")
    entry = {
        "kind": kind,
        "version": "5.0.2",
        "mpicxx": str(prefix / "mpicxx"),
        "mpiexec": str(launcher),
        "build_dir": str(prefix / "build" / "fake"),
        "healthy": healthy,
        "reason": "" if healthy else "2 ranks did not end within 30 s",
        "standard_abi": True,
    }
    state = {"mpi": {"fake": entry}, "default_mpi": "fake", "aliases": {"default": "fake"}}
    folder = prefix / ".isobath"
    folder.mkdir()
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")
    return prefix


@contextmanager
def nothing_outlives(test: str) -> Iterator[None]:
    """Ends what was started inside, however that ends; where something was left, the test fails.

    Whatever is started inherits a variable: launchers, ranks, and who is just being started. While
    one of them becomes another program nobody sees its variables: it is looked at again.
    """
    began = int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))
    left: dict[int, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, test)
        try:
            yield
        finally:
            deadline = time.monotonic() + END_SECONDS
            while True:
                becoming = [pid for pid in _started_since(began) if is_between_programs(pid)]
                alive = _marked(test)
                left |= alive
                send(alive, signal.SIGKILL)  # again and again: one may just have started another
                if not (alive or becoming) or time.monotonic() >= deadline:
                    break
                time.sleep(0.01)
    assert not left, "these outlived what started them"


def _started_since(ticks: int) -> list[int]:
    """Processes that began so many ticks after the machine did, or later."""
    return [pid for pid in _all() if int(start_time(pid) or -1) >= ticks]


def _marked(test: str) -> dict[int, str]:
    """Processes with that variable, and what they are called."""
    marked = [pid for pid in _all() if variables(pid).get(MARK) == test]
    return {pid: process_name(pid) for pid in marked if is_alive(pid)}


def _all() -> list[int]:
    return [int(path.name) for path in PROC.iterdir() if path.name.isdigit()]


def update(prefix: Path, name: str = "updated", **variables: str) -> None:
    """Another library beside the first: the same programs under a launcher that sets variables."""
    launcher = prefix / f"mpiexec-{name}"
    _script(launcher, HERE / "launcher.py")
    text = launcher.read_text(encoding="utf-8")
    begins = "import os, sys\n"
    set_them = f"{begins}os.environ.update({variables!r})\n"
    launcher.write_text(text.replace(begins, set_them), encoding="utf-8")
    path = prefix / ".isobath" / "state.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    known = state["mpi"]["fake"]
    state["mpi"][name] = {**known, "version": "5.0.3", "mpiexec": str(launcher)}
    path.write_text(json.dumps(state), encoding="utf-8")


def forget(prefix: Path, name: str) -> None:
    """A library that is gone from the machine; the others stay."""
    path = prefix / ".isobath" / "state.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    del state["mpi"][name]
    (other,) = state["mpi"]
    state |= {"default_mpi": other, "aliases": {"default": other}}
    path.write_text(json.dumps(state), encoding="utf-8")


def install_imb(prefix: Path) -> Path:
    """Puts IMB beside the launcher."""
    path = prefix / "IMB-MPI1"
    _script(path, HERE / "imb.py")
    return path


def _profiler(folder: Path) -> None:
    """A library that can be preloaded and does nothing: a link to one that is loaded anyway."""
    loaded = Path("/proc/self/maps").read_text(encoding="utf-8").split()
    library = next(word for word in loaded if Path(word).name.startswith("libc."))
    folder.mkdir(parents=True)
    (folder / "libisobath-profile-mpich.so").symlink_to(library)


@cache
def _lines() -> str:
    """Records that the engine writes, by the names it knows them by, as JSON."""
    records: dict[str, AnyRecord] = {
        "run": examples.run_record(),
        "construction": examples.construction_record(checked=False),
        "checked": examples.construction_record(),
        "search": examples.search_record(),
        "unvalidated": examples.search_record(validated=False),
        "violation": examples.search_record(passed=False),
        "level": examples.level_record(),
        "calls": examples.calls_record(),
        "matrix": examples.traffic_matrix_record(),
        "sizes": examples.message_sizes_record(),
        "mpi_time": examples.mpi_time_record(),
        "finish": examples.finish_record(),
        "failure": examples.failure_record().model_copy(
            update={"rank": 0, "signal": None, "message": "MPI_Allreduce failed"}
        ),
    }
    by_kind = {record.kind: record for record in examples.one_of_each()}
    lines = {name: json.loads(encode(record)) for name, record in (by_kind | records).items()}
    draws = list(islice(key_draws((2, 3)), 300))
    profiled = [_rank_lines(file) for file in two_ranks()]
    return json.dumps(lines | {"profiled": profiled, "draws": draws})


def _rank_lines(file: RankFile) -> list[dict[str, object]]:
    """What the profiler writes of a rank."""
    parts = {
        "communicator": file.communicators, "region": file.regions, "cell": file.cells,
        "size": file.sizes, "peer": file.peers, "thread": file.threads,
    }  # fmt: skip
    rows = [{"rows": file.instances.tolist()}]
    return [
        {**file.head, "line": "rank"},
        *({**one, "line": name} for name, lines in parts.items() for one in lines),
        *({**one, "line": "instances"} for one in rows),
        {"line": "end"},
    ]


def _script(path: Path, module: Path, records: Path | None = None) -> None:
    """An executable that runs ``module`` with this interpreter, whatever its environment.

    Tests start thousands: what ``import`` does keeps the bytecode, which runpy would not.
    """
    path.write_text(
        f"#!{sys.executable} -IS\n"
        "import os, sys\n"
        "from _frozen_importlib_external import SourceFileLoader\n"
        f"os.environ['FAKE_RECORDS'] = {str(records)!r}\n"
        f"os.environ['FAKE_PROGRAM'] = {path.name!r}\n"
        f"__file__ = {str(module)!r}\n"
        f"sys.path.append({str(module.parent)!r})\n"
        "exec(SourceFileLoader('__main__', __file__).get_code('__main__'))\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
