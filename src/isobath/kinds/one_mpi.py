# SPDX-License-Identifier: Apache-2.0
"""The setting of kinds that run under one MPI library; several are refused with those that do."""

from typing import Any

from isobath.errors import UsageError
from isobath.settings.declaration import setting
from isobath.settings.shared import EVERY, MPI_KINDS, MPI_NAMES
from isobath.study.kinds import KINDS


def one_mpi(origin: str, word: str) -> str:
    """The name of one MPI library. Raises: UsageError for several."""
    if word == EVERY or ("," in word and "/" not in word):
        *first, last = (entry.name for entry in KINDS if entry.compares_mpi)
        raise UsageError(
            f"{origin} {word}: this runs under one MPI library; name one ({', '.join(first)} and "
            f"{last} compare several)"
        )
    return word


def mpi_setting() -> Any:
    """The MPI library that a study runs under."""
    return setting(
        None, "MPI library to run under: wheel, system, openmpi, mpich, intel, an id or a path",
        parse=one_mpi, is_plain=True, hints=MPI_KINDS, takes=MPI_NAMES, usual="what set-up chose",
    )  # fmt: skip
