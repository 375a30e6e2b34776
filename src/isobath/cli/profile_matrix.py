# SPDX-License-Identifier: Apache-2.0
"""What the profiler covers: language x binary interface x feature."""

from isobath.cli.terminal import console
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.profiling import ABIS, Abi, profiler_library

INTERFACES: dict[Abi, str] = {
    "mpi5": "standard ABI",
    "mpich": "MPICH family",
    "ompi": "Open MPI",
}

YES, NO, PART = "yes", "no", "part"

LANGUAGES: dict[str, tuple[str, str, str]] = {
    "C, C++": (YES, YES, YES),
    "Fortran mpif.h": ("none", YES, YES),
    "Fortran mpi": ("none", YES, YES),
    "Fortran mpi_f08": ("none", YES, YES),
    "Python mpi4py": ("none", YES, YES),
}
"""Under each interface; none: the MPICH wheel, whose interface it is, has no Fortran, and mpi4py's
wheel no build for it."""

FEATURES: dict[str, tuple[str, ...]] = {
    "point-to-point": ("Send", "Isend", "Send_init", "Sendrecv"),
    "matched probe": ("Mprobe", "Mrecv"),
    "collectives": ("Alltoallv", "Alltoallw", "Allreduce"),
    "non-blocking": ("Ialltoallv", "Iallreduce", "Ibarrier"),
    "persistent collectives": ("Alltoallv_init", "Allreduce_init"),
    "neighbourhood": ("Neighbor_alltoallv", "Ineighbor_alltoallv"),
    "one-sided": ("Put", "Get_accumulate", "Rput", "Win_fence"),
    "large counts, _c": ("Alltoallv_c", "Isend_c"),
    "partitioned": ("Psend_init", "Pready"),
    "Isendrecv": ("Isendrecv",),
}
"""Calls that stand for each feature."""


def print_coverage(installation: Installation) -> None:
    """Prints the two tables, the second from the libraries that are built here."""
    from rich import box
    from rich.table import Table

    out = console()
    for title, rows in (
        ("Languages", LANGUAGES),
        ("Calls that are wrapped", features(installation)),
    ):
        table = Table(
            title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False
        )
        for head in ("", *(f"{INTERFACES[abi]} ({abi})" for abi in ABIS)):
            table.add_column(head, no_wrap=True)
        for name, words in rows.items():
            table.add_row(name, *words)
        out.print(table)
    out.print(
        "none, no: the library has no such calls. Sessions without MPI_Init are not recorded; "
        "of MPI-IO calls and time alone."
    )


def features(installation: Installation) -> dict[str, tuple[str, ...]]:
    """Whether the built profiler of each interface exports the calls of each feature."""
    exported = {abi: _exported(installation, abi) for abi in ABIS}
    return {
        name: tuple(_word(exported[abi], calls) for abi in ABIS) for name, calls in FEATURES.items()
    }


def _word(exported: bytes | None, calls: tuple[str, ...]) -> str:
    if exported is None:
        return "not built"
    present = sum(b"PMPI_" + call.encode() + b"\0" in exported for call in calls)
    return YES if present == len(calls) else PART if present else NO


def _exported(installation: Installation, abi: Abi) -> bytes | None:
    """The library's bytes, in whose table of names each wrapped call stands."""
    try:
        return profiler_library(installation, abi).read_bytes()
    except EnvironmentProblem:
        return None
