# SPDX-License-Identifier: Apache-2.0
"""A dry run of any kind starts no launcher, no rank, no tool on another machine."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout
from command_tree import whole_tree
from isobath.cli import terminal
from isobath.errors import EnvironmentProblem
from isobath.launch.supervised import Launch
from isobath.launch.supervised import _start as start
from isobath.study.kinds import KINDS
from kind_table import MEASURED, quick

ONLY_READ_OR_ASKED = ("isobath-overlap", "cc", "c++", "g++", "pkg-config", "lspci",
                     "smpirun")  # fmt: skip
"""What a plan may ask one question, without ranks: what it knows, where something lies."""


def graph_of_a_file(checkout: Checkout, tmp_path: Path) -> tuple[object, ...]:
    graph = tmp_path / "graph.el"
    graph.write_text("0 1\n1 2\n", encoding="utf-8")
    programs = checkout.prefix / "build" / "fake" / "bin"
    shutil.copy(programs / "isobath-edges", programs / "isobath-search")
    return ("search", graph, "--root", "2", "--ranks", "1")


def program_to_profile(checkout: Checkout, _: Path) -> tuple[object, ...]:
    libraries = checkout.prefix / "build" / "fake" / "lib"
    libraries.mkdir(exist_ok=True)
    (libraries / "libisobath-profile-mpich.so").touch()
    return ("profile", "--abi", "mpich", "--", "true")


def study_to_fit(checkout: Checkout, _: Path) -> tuple[object, ...]:
    bench = quick("bench collectives", checkout.prefix)
    assert checkout.isobath(*bench, "--sizes", "8:1M", "-q").code == 0
    return ("model", "fit", "last", "--no-report")


def output_to_import(_: Checkout, tmp_path: Path) -> tuple[object, ...]:
    from interchange import foreign_outputs

    output = tmp_path / "osu.txt"
    output.write_text(foreign_outputs.osu(2e-6), encoding="utf-8")
    return ("import", output, "--ranks", 4)


def baseline_to_measure_again(checkout: Checkout, _: Path) -> tuple[object, ...]:
    bench = (*quick("bench collectives", checkout.prefix, once=True), "-q")
    assert checkout.isobath(*bench).code == 0
    assert checkout.isobath("baseline", "set", "mpi", "last").code == 0
    return ("regress", "mpi", "--turns", 10, "--no-report")


PREPARED: dict[str, Callable[[Checkout, Path], tuple[object, ...]]] = {
    "search": graph_of_a_file,
    "profile": program_to_profile,
    "model fit": study_to_fit,
    "import": output_to_import,
    "regress": baseline_to_measure_again,
}


NARROW = 60

COPIED = "launch line: "
"""What a person copies stays one line; so does a path, which is one word."""


def dry_words(kind: str, checkout: Checkout, folder: Path) -> tuple[object, ...]:
    """The command line of a dry run, before what is another program's."""
    prepared = PREPARED.get(kind)
    words = prepared(checkout, folder) if prepared else quick(kind, checkout.prefix)
    dry = ("--dry-run",) if can_be_dry(kind) else ()
    place = words.index("--") if "--" in words else len(words)
    return (*words[:place], *dry, *words[place:])


def can_be_dry(kind: str) -> bool:
    return any("--dry-run" in parameter.opts for parameter in whole_tree()[kind].params)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was to be launched, and was not."""
    launches: list[str] = []

    def refused(launch: Launch) -> None:
        launches.append(" ".join(launch.line.command))
        raise EnvironmentProblem("nothing is launched here")

    monkeypatch.setattr("isobath.launch.supervised._start", refused)
    return launches


@pytest.mark.parametrize("kind", [entry.name for entry in KINDS])
def test_a_dry_run_starts_nothing(
    checkout: Checkout,
    launched: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    """Kinds that start nothing at all and have no --dry-run are called as they are."""
    with monkeypatch.context() as patched:
        patched.setattr("isobath.launch.supervised._start", start)
        words = dry_words(kind, checkout, tmp_path)
    started: list[str] = []
    begin = subprocess.Popen.__init__

    def noted(self: Any, command: Any, *rest: Any, **named: Any) -> None:
        first = command if isinstance(command, str) else command[0]
        started.append(Path(str(first)).name)
        begin(self, command, *rest, **named)

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)

    said = checkout.isobath(*words)

    assert (said.code, launched) == (0, []), said.err
    assert [name for name in started if name not in ONLY_READ_OR_ASKED] == []


@pytest.mark.parametrize("kind", [entry.name for entry in KINDS])
def test_what_a_dry_run_says_goes_on_below_in_a_narrow_terminal(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    words = dry_words(kind, checkout, tmp_path)
    monkeypatch.setattr(terminal, "columns", lambda: NARROW)

    said = checkout.isobath(*words)

    assert said.code == 0, said.err
    long = [line for line in said.out.splitlines() if len(line) > NARROW and " " in line.strip()]
    assert [line for line in long if not line.startswith(COPIED)] == []


@pytest.mark.parametrize("kind", MEASURED)
def test_the_launcher_is_what_would_be_seen(
    checkout: Checkout, launched: list[str], kind: str
) -> None:
    checkout.isobath(*quick(kind, checkout.prefix))
    assert launched
