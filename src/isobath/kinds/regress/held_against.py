# SPDX-License-Identifier: Apache-2.0
"""What launches of today are held against: which library, which machine, which nodes."""

from isobath.baseline.accepting import BASELINE, Against, is_own
from isobath.baseline.gathering import machine_of, nodes_of
from isobath.baseline.machines import machines_of
from isobath.compared.launch_facts import BUILD
from isobath.kinds.regress.reading import MeasuredCell, RegressFound, library_of


def old_library_of(reading: RegressFound) -> Against:
    """The library that was measured in turns, as its launches tell it."""
    builds = {launch.facts.get(BUILD, "") for side in reading.sides["old"]
              for launch in side.launches.values()} - {""}  # fmt: skip
    return Against(library_of(reading, "old"), builds.pop() if len(builds) == 1 else "")


def against_of(reading: RegressFound, cell: MeasuredCell) -> Against:
    """The baseline: its times, or its library in turns. Or another library in turns, which ratios
    are to then, and which may have what was accepted already.
    """
    if not reading.plan.in_turns or reading.baseline is None:
        return BASELINE
    old = old_library_of(reading)
    return BASELINE if is_own(reading.baseline, cell.kept, old) else old


def other_library(reading: RegressFound) -> str:
    """What launches were held against in turns, where that is not the library of the baseline."""
    others = (against_of(reading, cell) for cell in reading.cells)
    return next((against.library for against in others if against != BASELINE), "")


def why_foreign(reading: RegressFound) -> str:
    """Why launches are none of the machine or nodes of the baseline; empty where they are, and
    where somebody compares all the same.
    """
    foreign = "" if reading.plan.across_machines else foreign_words(reading)
    return f"{foreign}: --across-machines compares all the same" if foreign else ""


def foreign_words(reading: RegressFound) -> str:
    """On which other machine or nodes launches were; empty where they were on the baseline's."""
    if reading.baseline is None:
        return ""
    members = reading.baseline.archive.members
    there = {words for member in members for against in member.launches.values()
             if (words := nodes_of(against.facts))}  # fmt: skip
    machines = machines_of(reading.baseline)
    if not machines:
        return "the baseline does not say on which machine it was measured"
    for sides in reading.sides.values():
        for against in (launch for side in sides for launch in side.launches.values()):
            nodes, machine = nodes_of(against.facts), machine_of(against.facts)
            if there and nodes and nodes not in there:
                return f"the baseline is of other nodes ({'; '.join(sorted(there))}; here {nodes})"
            if machine and machine not in machines:
                return "the baseline is of another machine"
    return ""
