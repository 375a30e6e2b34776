# SPDX-License-Identifier: Apache-2.0
"""The machine that a baseline is of, as keys of cells say it and launches bear it out."""

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell, Member
from isobath.baseline.gathering import machine_of


def machines_of(baseline: Baseline) -> tuple[str, ...]:
    """Of all cells, in their order; none where none says it."""
    keys = (cell.key.machine for cell in baseline.archive.cells)
    return tuple(dict.fromkeys(machine for machine in keys if machine))


def contradiction_of(baseline: Baseline) -> str:
    """A key that its own launches do not bear out, in a sentence; empty where there is none. Who
    makes an archive by hand may write any key.
    """
    for member in baseline.archive.members:
        for cell in member.cells:
            for what, key, told in _told(cell, member):
                if told and key not in told:
                    return (
                        f"the key of {cell.name} says {what} {key or 'not known'}, and its "
                        f"launches {'; '.join(sorted(told))}"
                    )
    return ""


def _told(cell: KeptCell, member: Member) -> list[tuple[str, str, set[str]]]:
    """What a key says, and what the launches of the cell do."""
    names = {sample.launch for sample in cell.samples}
    facts = [launch.facts for name, launch in member.launches.items() if name in names]
    return [
        ("machine", cell.key.machine, {machine_of(launch) for launch in facts} - {""}),
        ("MPI", cell.key.mpi, {launch.get("MPI library", "") for launch in facts} - {""}),
    ]
