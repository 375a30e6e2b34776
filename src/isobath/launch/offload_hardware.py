# SPDX-License-Identifier: Apache-2.0
"""Whether the MPI library can hand collectives to other hardware: HCOLL, SHARP, UCC."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from isobath.launch.mpi_library import MpiLibrary

COMPONENTS = ("hcoll", "ucc")
"""Of Open MPI's coll framework; SHARP is switched on through hcoll."""


@dataclass(frozen=True)
class OffloadHardware:
    """What was found."""

    components: tuple[str, ...]
    sentence: str


def offload_hardware(library: MpiLibrary) -> OffloadHardware:
    """Asks ompi_info of the library; other libraries have no such components."""
    if library.family != "openmpi":
        return OffloadHardware((), f"{library.kind} has no HCOLL, SHARP or UCC component")
    info = Path(library.mpiexec).parent / "ompi_info"
    try:
        listed = subprocess.run(
            [str(info), "--parsable"], capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return OffloadHardware((), f"{info} does not answer: HCOLL and UCC are not known")
    return found_in(listed)


def found_in(listed: str) -> OffloadHardware:
    """What ompi_info's lines say.

    >>> found_in("mca:coll:hcoll:version:mca:2.1.0").components
    ('hcoll',)
    """
    present = tuple(name for name in COMPONENTS if f"mca:coll:{name}:" in listed)
    if not present:
        return OffloadHardware((), "this Open MPI was built without HCOLL and UCC: no SHARP")
    return OffloadHardware(
        present,
        f"this Open MPI has {' and '.join(present)}: switch with OMPI_MCA_coll_{present[0]}_enable",
    )
