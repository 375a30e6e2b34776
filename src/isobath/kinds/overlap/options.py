# SPDX-License-Identifier: Apache-2.0
"""What isobath bench overlap is asked for, checked before anything is made or started.

Limits are those of isobath-overlap; here they end in a sentence instead of in failed launches.
"""

import subprocess
from collections.abc import Callable, Iterable
from typing import TypeVar, get_args

from isobath.bench.design import parse_bytes
from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.progress import MODES
from isobath.launch.mpi_library import MpiLibrary
from isobath.records.overlap import Progress, Work

PROGRAM = "isobath-overlap"

WORKS: tuple[str, ...] = get_args(Work)

LEAST_SIZE, MOST_SIZE = 8, 1 << 30
MOST_TESTS = 100_000
LEAST_RATIO, MOST_RATIO = 0.01, 1000.0
MOST_REPETITIONS = 100_000
MOST_ORDER = 4096
MOST_RANKS = 4096

Number = TypeVar("Number", int, float)


def chosen_modes(progress: str) -> tuple[Progress, ...]:
    """In the order in which they are compared. Raises: UsageError for one that there is not."""
    chosen = _names("--progress", progress, MODES)
    return tuple(mode for mode in MODES if mode in chosen)


def chosen_work(work: str) -> str:
    """Each once. Raises: UsageError for work that there is not."""
    return ",".join(_names("--work", work, WORKS))


def chosen_collectives(library: MpiLibrary, collectives: str) -> tuple[str, ...]:
    """The names, each once, ``all`` spelt out. Raises: UsageError for one that there is not."""
    there = listed(library)
    return there if collectives == "all" else _names("--collectives", collectives, there, "all")


def listed(library: MpiLibrary) -> tuple[str, ...]:
    """Collectives that the engine program knows. Raises: EnvironmentProblem where it fails."""
    done = subprocess.run(
        [str(library.program(PROGRAM)), "--list"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise EnvironmentProblem(f"{PROGRAM} cannot list its collectives: {done.stderr.strip()}")
    return tuple(done.stdout.split())


def chosen_sizes(sizes: str) -> str:
    """Bytes, each once. Raises: UsageError."""
    return _numbers("--sizes", sizes, parse_bytes, LEAST_SIZE, MOST_SIZE, "16,4096")


def chosen_tests(tests: str) -> str:
    """Numbers of calls, each once. Raises: UsageError."""
    return _numbers("--tests", tests, int, 0, MOST_TESTS, "0,10,100")


def chosen_ratios(ratios: str) -> str:
    """Of work to call, each once. Raises: UsageError."""
    return _numbers("--ratios", ratios, float, LEAST_RATIO, MOST_RATIO, "0.5,1,2")


def _names(option: str, text: str, known: Iterable[str], *more: str) -> tuple[str, ...]:
    there = tuple(known)
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in there:
            raise UsageError(f"{option} {name}: choose from {', '.join((*there, *more))}")
    return names


def _numbers(
    option: str,
    text: str,
    number: Callable[[str], Number],
    least: Number,
    most: Number,
    like: str,
) -> str:
    found: dict[Number, None] = {}
    for word in text.split(","):
        try:
            value = number(word.strip())
        except (ValueError, UsageError):
            raise UsageError(
                f"{option} {text}: {word or 'nothing'} is no number here; write for example {like}"
            ) from None
        if not least <= value <= most:  # neither is what is not a number
            raise UsageError(f"{option} {word}: it is from {least:g} to {most:g}; correct it")
        found[value] = None
    return ",".join(str(value) for value in found)
