# SPDX-License-Identifier: Apache-2.0
"""What sittings of a baseline say of its noise, as long as they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Sitting
from isobath.guard.noise import (
    GAP_SECONDS,
    Noise,
    noise_of,
    sittings_by_time,
    with_other_hours,
)
from isobath.report.wording import count_of
from isobath.units import format_roughly


@dataclass(frozen=True)
class Apart:
    """Sittings of noise as they were: those that are closer than the gap are one."""

    recorded: int
    """by calibrate noise, of those that have not expired"""
    separate: int
    """that are further apart than the gap"""
    nearest: float | None
    """seconds between two of these that follow one another; None of fewer than two"""
    farthest: float | None
    left_out: tuple[str, ...] = ()
    """sittings of another build, kernel or nodes than the archive, with the reason"""

    def words(self) -> str:
        """3 sittings, 30 min to 2 h apart."""
        if self.nearest is None or self.farthest is None:
            told = count_of(self.separate, "sitting")
        elif format_roughly(self.nearest) == format_roughly(self.farthest):
            told = f"{count_of(self.separate, 'sitting')}, {format_roughly(self.nearest)} apart"
        else:
            told = (
                f"{count_of(self.separate, 'sitting')}, {format_roughly(self.nearest)} to "
                f"{format_roughly(self.farthest)} apart"
            )
        near = self.recorded - self.separate
        if near:
            told += f"; {near} more {'was' if near == 1 else 'were'} less than "
            told += f"{format_roughly(GAP_SECONDS)} after the one before, and count with it"
        return "; ".join((told, *(f"left out {words}" for words in self.left_out)))


def apart_of(sittings: Sequence[Sitting], left_out: tuple[str, ...] = ()) -> Apart:
    """How far apart they were, from the end of one to the beginning of the next."""
    ordered = sorted(sittings, key=lambda one: one.began)
    gaps = [late.began - early.ended for early, late in pairwise(ordered)]
    real = [gap for gap in gaps if gap > GAP_SECONDS]
    separate = len(real) + 1 if ordered else 0
    nearest, farthest = min(real, default=None), max(real, default=None)
    return Apart(len(ordered), separate, nearest, farthest, left_out)


def values_by_sitting(
    baseline: Baseline, sittings: Sequence[Sitting]
) -> dict[str, list[list[float]]]:
    """By cell, times of the archive and of the sittings after it, those that are closer than the
    gap as one: what the hour does, it does to both.
    """
    found: dict[str, list[list[float]]] = {}
    for member in baseline.archive.members:
        for cell in member.cells:
            taken = [(member.launches[sample.launch].began, sample.value)
                     for sample in cell.samples]  # fmt: skip
            taken += [
                (time, sample.value)
                for sitting in sittings
                for time, sample in zip(_times(sitting, cell.name),
                                        sitting.samples.get(cell.name, ()), strict=True)
            ]  # fmt: skip
            groups = sittings_by_time([began for began, _ in taken], GAP_SECONDS)
            found[cell.name] = [[taken[place][1] for place in group] for group in groups]
    return found


def _times(sitting: Sitting, name: str) -> list[float]:
    """Of its launches of a cell, from its first to its last: single ones are not kept."""
    number = len(sitting.samples.get(name, ()))
    step = (sitting.ended - sitting.began) / max(1, number - 1)
    step = step if step <= GAP_SECONDS else 0.0  # long launches are one sitting all the same
    return [sitting.began + place * step for place in range(number)]


def noises_of(baseline: Baseline, sittings: Sequence[Sitting]) -> dict[str, Noise]:
    """By cell, where sittings were recorded: the archive alone was measured at other times than a
    library is updated, and counts as one of them.
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
    return with_other_hours(found, values)
