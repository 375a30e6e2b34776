# SPDX-License-Identifier: Apache-2.0
"""Checkouts that are fresh, moved or copied, or reached with another PATH."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from front_door.small_checkout import ROOT, SmallCheckout
from needs import needs, program_of

BEFORE_SET_UP = (
    "isobath",
    "tools",
    "src/isobath/__init__.py",
    "src/isobath/cli/__init__.py",
    "src/isobath/cli/commands.py",
    "src/isobath/cli/front_page.py",
)


PROCESSOR_SECONDS = 0.5
"""of a fresh clone that is asked something; waiting for a processor is not in it"""


def tree(folder: Path) -> set[Path]:
    """Everything below a folder, Python's caches too."""
    return set(folder.rglob("*"))


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "Three things to do first:"),
        (("--help",), "Three things to do first:"),
        (("help",), "Three things to do first:"),
        (("--version",), "isobath 0."),
        (("help", "studies"), "What was measured: find it"),
        (("run", "--help"), "./isobath run: Run Graph500"),
        (("bench", "-h"), "./isobath bench: Measure MPI: collectives"),
        (("setup", "--help"), "usage: ./isobath setup"),
    ],
)
def test_a_fresh_clone_answers_questions_and_makes_nothing(
    tmp_path: Path, words: tuple[str, ...], line: str
) -> None:
    for name in BEFORE_SET_UP:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__*"))
        else:
            shutil.copy2(ROOT / name, tmp_path / name)
    before = tree(tmp_path)
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}

    said, erred = tmp_path / "said", tmp_path / "erred"
    with said.open("w") as out, erred.open("w") as err:
        child = subprocess.Popen(
            [tmp_path / "isobath", *words], stdout=out, stderr=err, env=environment, cwd="/"
        )
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)

    assert (child.returncode, erred.read_text()) == (0, "")
    assert said.read_text().startswith(line)
    assert tree(tmp_path) - {said, erred} == before
    assert used.ru_utime + used.ru_stime <= PROCESSOR_SECONDS


def test_a_question_behind_two_dashes_is_another_program_s(fresh: SmallCheckout) -> None:
    done = fresh.call("show", "--", "--help")
    assert json.loads(done.stdout)["words"] == ["show", "--", "--help"]


def test_another_path_to_the_same_compiler_compiles_nothing(
    ready: SmallCheckout, tmp_path: Path
) -> None:
    assert ready.call("run").returncode == 0
    built = program(ready).stat().st_mtime_ns
    links = tmp_path / "links"
    links.mkdir()
    for name in ("g++", "clang++"):
        found = shutil.which(name)
        if found:
            (links / name).symlink_to(os.path.realpath(found))
    ours = ready.folder / ".venv" / "bin"

    for path in (f"{links}:{os.environ['PATH']}", f"{ours}:{os.environ['PATH']}"):
        done = ready.call("run", PATH=path)
        assert done.returncode == 0, done.stderr
        assert done.stderr == "", path
    assert program(ready).stat().st_mtime_ns == built


@needs("strace")
@pytest.mark.parametrize("is_copied", [True, False])
def test_a_checkout_that_was_moved_compiles_nothing_and_leaves_its_old_place_alone(
    fresh: SmallCheckout, tmp_path: Path, is_copied: bool
) -> None:
    assert fresh.call("run").returncode == 0
    old, new = fresh.folder, tmp_path / "another place"
    built = program(fresh).read_bytes()
    if is_copied:
        shutil.copytree(old, new, symlinks=True)
    else:
        old.rename(new)
    fresh.folder = new

    trace = tmp_path / "trace"
    strace = (program_of("strace"), "-f", "-qq", "-e", "trace=file", "-s", "4096", "-o", trace)
    done = subprocess.run(
        [*strace, new / "isobath", "run"],
        capture_output=True, text=True, check=False, env=fresh.environment(), cwd=new,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "its build" in done.stderr
    assert "building" not in done.stderr
    assert program(fresh).read_bytes() == built
    looked = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    assert [line for line in looked if f'"{old}/' in line or f'"{old}"' in line] == []
    state = (new / ".isobath" / "state.json").read_text(encoding="utf-8")
    toml = (new / ".isobath" / "mpi.toml").read_text(encoding="utf-8")
    assert str(old) not in state + toml
    again = fresh.call("run")
    assert (again.returncode, again.stderr) == (0, "")
    ran = subprocess.run(
        [new / ".venv" / "bin" / "mpiexec", "-n", "1", program(fresh)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout.strip() == "rank 0 of 1, threads true", ran.stderr

    (new / "engine" / "small.cpp").write_text(
        (new / "engine" / "small.cpp").read_text().replace("threads {}", "strands {}")
    )
    assert "building" in fresh.call("run").stderr, "a changed source is compiled"


def program(checkout: SmallCheckout) -> Path:
    return checkout.folder / "build" / "mpich-wheel" / "bin" / "isobath-small"
