# SPDX-License-Identifier: Apache-2.0
"""Settings that mean the same in several kinds, declared once."""

from dataclasses import dataclass
from typing import Any

from isobath.settings.declaration import WHERE, setting

EVERY = "all"
"""in the place of names of MPI libraries"""

MPI_KINDS = ("wheel", "system", "openmpi", "mpich", "intel")
"""what stands for an MPI library beside its id and its path"""

MPI_NAMES = "`wheel`, `system`, `openmpi`, `mpich`, `intel`, an id of `doctor --libraries`, a path"


def mpi_libraries_setting(panel: str | None = None) -> Any:
    """MPI libraries that a study compares."""
    return setting(
        (), "MPI libraries to compare: wheel, system, openmpi, mpich, intel, ids, paths, or all",
        metavar="NAME,..", is_plain=True, hints=(*MPI_KINDS, EVERY),
        takes=f"{MPI_NAMES}; several with commas; `all`",
        usual="what set-up chose", panel=panel,
    )  # fmt: skip


def seed_setting(panel: str | None = None) -> Any:
    """Of the order of launches."""
    return setting(
        None, "Seed that fixes the order of launches and all that is drawn by chance", metavar="N",
        least=0,
        usual="drawn, and kept", panel=panel,
    )  # fmt: skip


def store_setting(*aliases: str) -> Any:
    """Where studies lie."""
    return setting(
        None, "Folder that studies are written to and looked for in", metavar="DIR",
        takes="folder", usual="studies", is_plain=True, is_place=True, panel=WHERE,
        aliases=aliases,
    )  # fmt: skip


@dataclass(frozen=True)
class Placed:
    """Where a study goes, and how long its launches may take."""

    store: str | None = store_setting()
    hang_seconds: float | None = setting(
        None, "Seconds without progress after which a launch is ended (exit code 7)", metavar="S",
        above=0,
        takes="seconds", usual="by what is launched", more="see [limits](#limits)", is_plain=True,
        panel=WHERE,
    )  # fmt: skip
    time_limit: float | None = setting(
        None, "Seconds that a launch may take before it is ended (exit code 7)", metavar="S",
        above=0,
        takes="seconds", usual="none", is_plain=True, panel=WHERE,
    )  # fmt: skip


@dataclass(frozen=True)
class Reported(Placed):
    """Kinds that write their page by themselves, too."""

    reports: str | None = setting(
        None, "Folder that HTML reports are written to", metavar="DIR", takes="folder",
        usual="reports", is_plain=True, is_place=True, panel=WHERE,
    )  # fmt: skip
    report: bool = setting(
        True, "Write the HTML report at the end", has_no=True, is_plain=True, panel=WHERE
    )


@dataclass(frozen=True)
class Benched(Reported):
    """Benchmarks, whose folder had a name of its own before."""

    store: str | None = store_setting("--benches")
