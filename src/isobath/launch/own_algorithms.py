# SPDX-License-Identifier: Apache-2.0
"""One's own algorithms for collectives, which the engine has beside those of the MPI library."""

import subprocess

from isobath.errors import EnvironmentProblem
from isobath.launch.mpi_library import MpiLibrary

PROGRAM = "isobath-collectives"


def own_algorithms(library: MpiLibrary) -> dict[str, tuple[str, ...]]:
    """By name the collectives that each carries out, as the program itself lists them.

    Raises: EnvironmentProblem where it is not built, or does not answer.
    """
    program = str(library.program(PROGRAM))
    try:
        listed = subprocess.run(
            [program, "--own-algorithms"], capture_output=True, text=True, timeout=30, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise EnvironmentProblem(
            f"{program} does not list its own algorithms; build it anew: ./isobath setup"
        ) from error
    return listed_in(listed)


def listed_in(text: str) -> dict[str, tuple[str, ...]]:
    """What the program's lines say.

    >>> listed_in("own_ring allgather allgatherv")
    {'own_ring': ('allgather', 'allgatherv')}
    """
    lines = (line.split() for line in text.splitlines())
    return {name: tuple(collectives) for name, *collectives in lines}
