# SPDX-License-Identifier: Apache-2.0
"""An MPI without ranks that compute: a launcher and an engine that speak the contract."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[2] / "src"


def install(prefix: Path, *, kind: str = "mpich-wheel", healthy: bool = True) -> Path:
    """Makes ``prefix`` look like a checkout after set-up, built with the fake MPI."""
    programs = prefix / "build" / "fake" / "bin"
    programs.mkdir(parents=True)
    launcher = prefix / "mpiexec"
    _script(launcher, HERE / "launcher.py")
    _script(programs / "isobath-graph500", HERE / "engine.py")
    _script(programs / "isobath-edges", HERE / "edges.py")
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


def _script(path: Path, module: Path) -> None:
    """An executable that runs ``module`` with this interpreter, whatever its environment."""
    path.write_text(
        f"#!{sys.executable}\n"
        "import runpy, sys\n"
        f"sys.path[:0] = [{str(SOURCES)!r}, {str(HERE.parent)!r}]\n"
        f"runpy.run_path({str(module)!r}, run_name='__main__')\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
