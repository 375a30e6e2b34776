#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the studies that are stored in tests/data/studies, some of them disturbed on purpose.

Usage: .venv/bin/python tools/make_studies.py [NAME ...]. Without names all are made again, with the
laboratory and the engine of this checkout, after ./isobath test --only python, which builds that
and gives this Python the packages of tests. The tables there say how
(README.md); numbers.json gets what is to be read of them. The laboratory works in namespaces of its
own (unshare), where it sees neither the name of this machine nor the place of this checkout; the
few words of them that are compiled into the engine are put right afterwards, and what was sealed is
sealed again.
"""

import importlib.util
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

if importlib.util.find_spec("pytest") is None:  # of the modules of tests
    raise SystemExit(
        "tools/make_studies.py needs pytest, which is not here: run ./isobath test --only python "
        "once, which installs what tests need"
    )

from isobath.bench.folders import BenchFolder  # noqa: E402
from isobath.kinds.run.calibration import CALIBRATIONS  # noqa: E402
from isobath.launch.installation import Installation  # noqa: E402
from isobath.launch.mpi_library import choose_library  # noqa: E402
from isobath.study.shelf import Shelf  # noqa: E402
from study_disturbance import Disturbance, run_disturbed  # noqa: E402
from study_numbers import numbers_of  # noqa: E402
from study_seals import chain_again, make_older, put_words, seal_again  # noqa: E402
from system.laboratory import calibrations  # noqa: E402

CHECKOUT, PLACE = Path("/opt/isobath"), Path("/opt/studies")
"""where the laboratory believes to be, and where it works"""

HOST, KERNEL = "node0", "6.1.0"
INSIDE = "--inside"
STUDIES = Path("tests") / "data" / "studies"
KEPT = ("studies", "runs", "races", "benches", "baselines", "records.jsonl")
"""of what a study leaves"""

IMB = "IMB-MPI1"
"""A fake one: the real one is not free to pass on, and what matters is where its output lies."""

ATTEMPTS = 5
"""A launch may be over before it could be disturbed."""


def main(words: list[str]) -> int:
    """Returns the exit status."""
    if INSIDE not in words:
        command = ["unshare", "--user", "--map-root-user", "--mount", "--uts", "--", sys.executable]
        return subprocess.call([*command, __file__, INSIDE, *words])
    hide_the_machine()
    tables = (ROOT / STUDIES).glob("*.toml")
    entries = [tomllib.loads(path.read_text(encoding="utf-8"))["study"] for path in sorted(tables)]
    names = [word for word in words if word != INSIDE]
    stored = [one for several in entries for one in several if "from" not in one]
    for one in stored:
        if not names or one["name"] in names:
            print(one["name"], flush=True)
            make(one)
    numbers = {one["name"]: numbers_of(ROOT / STUDIES / one["name"]) for one in stored}
    text = json.dumps(numbers, indent=1) + "\n"
    (ROOT / STUDIES / "numbers.json").write_text(text, encoding="utf-8")
    return 0


def hide_the_machine() -> None:
    """Another host name, no command line of the kernel, and this checkout at a plain place."""
    socket.sethostname(HOST)
    _mount("-t", "tmpfs", "studies", "/opt")
    for folder in (CHECKOUT, PLACE / ".isobath"):
        folder.mkdir(parents=True)
    _mount("--bind", str(ROOT), str(CHECKOUT))
    hosts = PLACE / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {HOST}\n", encoding="utf-8")
    _mount("--bind", str(hosts), "/etc/hosts")
    _mount("--bind", "/dev/null", "/proc/cmdline")
    lay_state(PLACE)
    library = choose_library(Installation(ROOT, PLACE), None)
    made_up = json.dumps(calibrations(library))
    (PLACE / ".isobath" / CALIBRATIONS).write_text(made_up, encoding="utf-8")
    imb = CHECKOUT / "tests" / "python" / "fake_mpi" / "imb.py"
    (PLACE / IMB).write_text(
        f'#!/bin/sh\nFAKE_RANK=$PMI_RANK exec python3 {imb} "$@"\n', encoding="utf-8"
    )
    (PLACE / IMB).chmod(0o755)


def lay_state(place: Path) -> None:
    """What set-up knows, for studies below a place: with builds and libraries where the checkout
    is seen to be. Its prefix is the place, so that nobody takes it for a checkout that was moved.
    """
    path = ROOT / ".isobath" / "state.json"
    if not path.is_file():
        raise SystemExit(f"there is no {path}: run ./isobath setup first")
    state = json.loads(path.read_text(encoding="utf-8").replace(str(ROOT), str(CHECKOUT)))
    text = json.dumps({**state, "prefix": str(place)})
    (place / ".isobath" / "state.json").write_text(text, encoding="utf-8")


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def make(study: dict[str, Any]) -> None:
    """Runs the commands of a study, disturbs the last as its table says, keeps the folders."""
    for _ in range(ATTEMPTS):
        prefix = PLACE / study["name"]
        prefix.mkdir()
        (prefix / ".isobath").symlink_to(PLACE / ".isobath")
        if attempt(study, prefix):
            break
        shutil.rmtree(prefix)
    else:
        raise SystemExit(f"{study['name']}: every launch was over before it could be disturbed")
    target = ROOT / STUDIES / study["name"]
    shutil.rmtree(target, ignore_errors=True)
    for name in KEPT:
        source = prefix / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("report.html"))
        elif source.is_file():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target / name)
    if study.get("older"):
        make_older(target)
    put_words(target, {str(ROOT): str(CHECKOUT), platform.release(): KERNEL})
    chain_again(target)
    seal_again(target)


def attempt(study: dict[str, Any], prefix: Path) -> bool:
    """Whether the study came to be as its table has it."""
    write_graph(prefix / "graph.el", study.get("edges", 0))
    for name, text in study.get("files", {}).items():
        (prefix / name).write_text(text, encoding="utf-8")
    *before, last = study["commands"]
    for command in before:
        if command == "add arms":
            add_arms(prefix)
        else:
            done = subprocess.run(words_of(command), env=environment(prefix), check=False)
            if done.returncode != 0:
                raise SystemExit(f"{study['name']}: {command} ended with {done.returncode}")
    words = words_of(last)
    if "disturbed" in study:
        disturbance = Disturbance(**study["disturbed"])
        return run_disturbed(words, prefix, environment(prefix), disturbance, study["exit"])
    code = subprocess.run(words, env=environment(prefix), cwd=prefix, check=False).returncode
    if code != study["exit"]:
        raise SystemExit(f"{study['name']}: {last} ended with {code}, not {study['exit']}")
    return True


def words_of(command: str) -> list[str]:
    """``isobath ...`` through the laboratory; ``engine PROGRAM RANKS ...`` without it."""
    first, *rest = command.split()
    python = str(CHECKOUT / ".venv" / "bin" / "python")
    state = json.loads((PLACE / ".isobath" / "state.json").read_text(encoding="utf-8"))
    library = state["mpi"][state["default_mpi"]]
    places = {
        "mpiexec": library["mpiexec"],
        "bin": f"{library['build_dir']}/bin",
        "imb": PLACE / IMB,
    }
    rest = [word.format(**places) for word in rest]
    if first == "isobath":
        return [python, "-m", "isobath", *rest]
    program, ranks, *arguments = rest
    return [library["mpiexec"], "-n", ranks, f"{library['build_dir']}/bin/{program}", *arguments]


def environment(prefix: Path) -> dict[str, str]:
    """Little, and nothing of the one who makes the studies."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(PLACE),
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(CHECKOUT / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "ISOBATH_PREFIX": str(prefix),
    }


def write_graph(path: Path, edges: int) -> None:
    """So many edges, a fixed pattern; nothing without edges."""
    if edges:
        vertices = max(8, edges // 8)
        lines = [f"{(i * 7919) % vertices} {(i * i + 104729) % vertices}\n" for i in range(edges)]
        path.write_text("".join(lines), encoding="utf-8")


def add_arms(prefix: Path) -> None:
    """What --refine adds where it finds a switch point: an arm with one more size."""
    (study,) = Shelf((prefix / "studies",)).studies()
    bench = BenchFolder(study.path)
    first = bench.plan().arms[0]
    cell = first.cells[0].model_copy(update={"size_bytes": 64})
    bench.add_arms([first.model_copy(update={"arm": f"{first.arm}r1", "cells": (cell,)})])


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(sys.argv[1:]))
