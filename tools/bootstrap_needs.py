# SPDX-License-Identifier: Apache-2.0
"""What the words of a command want set up, and which words name an MPI. Looks at words and at the
registry of kinds, which says what compares MPI libraries."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Container
from dataclasses import dataclass, replace
from pathlib import Path

USE_THE_ENGINE = (
    "run",
    "search",
    "race",
    "simulate",
    "audit",
    "plan",
    "doctor",
    "keys",
    "export",
    "setup",
    "profile",
    "bench",
    "resume",
    "regress",
    "calibrate",
)
TEST_PARTS = ("engine", "style", "python")
SWITCHES_OF_PROFILE = (
    "--timeline",
    "--no-timeline",
    "--coverage",
    "--dry-run",
    "--json",
    "--show-config",
    "--quiet",
    "-q",
    "--verbose",
    "--help",
    "-h",
)
"""Its options that take no value."""

REGISTRY = Path(__file__).resolve().parent.parent / "src" / "isobath" / "study" / "kinds.py"
"""of the kinds of study; it is read as text: there may be no environment yet to import it in"""

EVERY = "all"
MPI_WORDS = ("default", "wheel", "system", "openmpi", "mpich", "intel", "mvapich")


@dataclass(frozen=True)
class Needs:
    """What a command needs besides the Python environment."""

    mpi: str = ""
    """what --mpi says of the release build; empty: ISOBATH_MPI or the default"""
    release: bool = False
    profiler: bool = False
    """of the release build the libraries of the profiler alone"""
    every_mpi: bool = False
    """all MPI libraries of the machine are health-tested"""
    every_release: bool = False
    """and each that is healthy gets a release build"""
    test_packages: bool = False
    test_system: str = ""
    """which packages of tests/packages.toml: none, the "mpi" libraries alone, or "all" of them"""
    test_trees: bool = False
    """each MPI without a release build gets a test build"""
    engine_tests: bool = False
    """and each with one too"""
    threads: str = ""
    """what is built with the sanitizer of threads: nothing, "few" programs or "all" of them"""
    all_tests: bool = False
    """test builds have those tests too that every run leaves out"""
    second_mpi: bool = False
    """another MPI of the standard ABI, which tests run the engine under"""
    more_mpi: tuple[str, ...] = ()
    """further MPI libraries that get a release build"""
    test_mpi: str = ""
    """the only MPI that gets a test build; empty: all that are healthy"""

    @property
    def engine(self) -> bool:
        """Whether anything is built."""
        return self.release or self.test_trees or bool(self.threads)


def needs_of(request: list[str], variable: str = "") -> Needs:
    """What a subcommand and its words need.

    Help and words that the command line will refuse need no engine: it says so itself.

    Args: variable is ISOBATH_MPI, which names the MPI where no option does.
    """
    subcommand, words = (request[0], _before_dashes(request[1:])) if request else ("", [])
    if subcommand == "profile":
        words = _before_program(words)
    if "--help" in words or "-h" in words:
        return Needs()
    if subcommand == "test":
        return replace(_needs_of_test(words), mpi="".join(_split(variable)[:1]).replace(EVERY, ""))
    is_measured = request[:2] == ["baseline", "set"]  # without a study the quick suite is
    if subcommand not in USE_THE_ENGINE and not is_measured:
        return Needs()
    if subcommand == "profile":
        return Needs(release=not {"--of", "--coverage"} & set(words), profiler=True)
    doctor = subcommand == "doctor"
    named = _names_of_mpi(words, may_be_alone=doctor) or _split(variable)
    if len(named) > 1 or EVERY in named:
        compares = subcommand == "setup" or bool(kinds_that_compare() & _commands(request))
        return _needs_of_several(named) if compares else Needs()
    return Needs(mpi=named[0] if named else "", release=True, every_mpi=doctor)


def kinds_that_compare() -> set[str]:
    """Kinds of study that take several MPI libraries (--mpi wheel,system or all), as commands."""
    calls = [node for node in ast.walk(ast.parse(REGISTRY.read_text(encoding="utf-8")))
             if isinstance(node, ast.Call) and ast.unparse(node.func) == "KindEntry"]  # fmt: skip
    entries = [{word.arg: ast.unparse(word.value) for word in call.keywords} for call in calls]
    found = [entry["name"] for entry in entries if entry.get("compares_mpi") == "True"]
    return {str(ast.literal_eval(name)) for name in found}


def is_known_mpi(word: str, known: Container[str]) -> bool:
    """Whether ``--mpi WORD`` can mean something here: a name, one of ``known``, a path, a program
    in PATH.
    """
    there = os.path.exists(os.path.expanduser(word)) if "/" in word else shutil.which(word)
    return word in MPI_WORDS or word in known or bool(there)


def _needs_of_several(names: list[str]) -> Needs:
    """Each MPI library with an engine; ``all`` are those found here."""
    named = [name for name in names if name != EVERY]
    return Needs(
        mpi=named[0] if named else "",
        release=True,
        every_mpi=EVERY in names,
        more_mpi=tuple(named[1:]),
        every_release=EVERY in names,
    )


def _needs_of_test(words: list[str]) -> Needs:
    """The style of a checkout needs no build, the engine's tests no release build."""
    values: dict[str, list[str]] = {"--only": [], "--mpi": []}
    apart = {"--slow", "--cross"} & set(words)
    queue = [word for word in words if word not in apart]
    while queue:
        name, equals, value = queue.pop(0).partition("=")
        if not name.startswith("-"):
            continue
        if name not in values or not (equals or queue):
            return Needs()
        values[name].append(value if equals else queue.pop(0))
    if not set(values["--only"]) <= set(TEST_PARTS):
        return Needs()
    parts = set(values["--only"] or (() if apart else TEST_PARTS))
    if "--slow" in apart:  # what is slow is of the engine and of Python
        parts |= {"engine", "python"}
    if not {"engine", "python"} & parts:
        return Needs(release="--cross" in apart, test_packages=True)
    mpi = values["--mpi"][-1] if values["--mpi"] else ""
    few = "few" if "engine" in parts and not mpi else ""
    return Needs(
        release="python" in parts,
        every_mpi=True,
        test_packages=True,
        test_system="all" if "python" in parts else "mpi",
        test_trees=True,
        engine_tests="engine" in parts,
        threads="all" if "--slow" in apart else few,
        all_tests="--slow" in apart or bool(mpi),
        second_mpi="python" in parts,
        test_mpi=mpi,
    )


def _commands(request: list[str]) -> set[str]:
    """What the first words may be the command of."""
    return {request[0], " ".join(request[:2])}


def _before_dashes(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


def _before_program(words: list[str]) -> list[str]:
    """Our own options of profile: what stands behind the first other word is the program's."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 1 if "=" in words[place] or words[place] in SWITCHES_OF_PROFILE else 2
    return words[:place]


def _names_of_mpi(words: list[str], *, may_be_alone: bool) -> list[str]:
    """The values of --mpi, which doctor has as a switch."""
    found: list[str] = []
    for position, word in enumerate(words):
        following = words[position + 1 : position + 2]
        if word.startswith("--mpi="):
            found += _split(word.partition("=")[2])
        elif word == "--mpi" and following and not (may_be_alone and following[0][:1] == "-"):
            found += _split(following[0])
    return list(dict.fromkeys(found))


def _split(value: str) -> list[str]:
    """Names with commas between; a path may have commas of its own."""
    if "/" in value and os.path.exists(os.path.expanduser(value)):
        return [value]
    return [name for name in value.replace(",", " ").split() if name]
