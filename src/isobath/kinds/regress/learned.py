# SPDX-License-Identifier: Apache-2.0
"""What sittings of a baseline say of its noise, as long as they hold."""

from collections.abc import Sequence
from datetime import datetime

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell, Member, Sitting
from isobath.guard.noise import Noise, noise_of, sittings_by_time


def valid_sittings(baseline: Baseline, now: datetime) -> tuple[Sitting, ...]:
    """Those that have not expired."""
    return tuple(one for one in baseline.sittings if one.expires > now)


def values_by_sitting(
    baseline: Baseline, sittings: Sequence[Sitting]
) -> dict[str, list[list[float]]]:
    """By cell, times of the archive and of each sitting after it."""
    found: dict[str, list[list[float]]] = {}
    for member in baseline.archive.members:
        for cell in member.cells:
            found[cell.name] = _of_archive(member, cell)
    for sitting in sittings:
        for name, samples in sitting.samples.items():
            if name in found and samples:
                found[name].append([sample.value for sample in samples])
    return found


def _of_archive(member: Member, cell: KeptCell) -> list[list[float]]:
    began = [member.launches[sample.launch].began for sample in cell.samples]
    groups = sittings_by_time(began)
    return [[cell.samples[place].value for place in group] for group in groups]


def noises_of(baseline: Baseline, sittings: Sequence[Sitting]) -> dict[str, Noise]:
    """By cell, from sittings alone where there are some: the archive was measured at other times
    than a library is updated, and counts as one of them.
    """
    if not sittings:
        return {}
    values = values_by_sitting(baseline, sittings)
    found = {}
    for name, groups in values.items():
        measured = [sitting.samples[name] for sitting in sittings if name in sitting.samples]
        scatters = [one.scatter for samples in measured for one in samples if one.scatter]
        if not measured:
            continue
        try:
            found[name] = noise_of(groups, scatters)
        except ValueError:
            continue
    return found
