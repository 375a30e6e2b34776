# SPDX-License-Identifier: Apache-2.0
"""Collectives and sizes of the quick suite: as short searches call them on this machine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log2

from isobath.errors import IsobathError
from isobath.guard.design import MOST_CELLS
from isobath.kinds.regress.suite import OF_A_SEARCH
from isobath.kinds.run.calibration import short_run
from isobath.kinds.run.settings import RunSettings
from isobath.launch.mpi_library import MpiLibrary
from isobath.machine.facts import read_machine
from isobath.plan.layout import choose_layout
from isobath.plan.search_plans import HYBRID, default_grid
from isobath.records.communication import CallCell
from isobath.report.wording import count_of, listing
from isobath.units import size_words

SCALE = 16
"""of the searches, as of the one that the suite measures"""

SEARCHES: tuple[Mapping[str, str], ...] = (
    {"plan": HYBRID},
    {"plan": "two-dim", "exchange": "alltoallv"},
)
"""Ours as it is, and the published one that exchanges by collectives alone."""

SMALLEST, LARGEST = 8, 1 << 20
"""bytes: an element of a reduction, and what a launch of a second or two has time for"""

OTHERS = 12
"""cells that are left to the search and its phases"""


@dataclass(frozen=True)
class Called:
    """Every collective is measured at every size, so that guidelines can be looked at."""

    collectives: tuple[str, ...]
    sizes: tuple[int, ...]
    words: str
    """where they are from, and what is left out"""


FIXED = Called(
    OF_A_SEARCH,
    (8, 256, 4096, 32_768, 262_144, 1_048_576),
    "collectives and sizes are fixed ones, from a flag to a frontier",
)
"""Where no search tells: what searches of all plans call."""


def called_here(library: MpiLibrary, ranks: int) -> Called:
    """By the ledgers of short searches; the fixed ones, with the reason, where a search fails."""
    machine = read_machine()
    cells: list[CallCell] = []
    try:
        for switches in SEARCHES:
            settings = RunSettings(**switches)  # type: ignore[arg-type]
            shape = partial(default_grid, settings.plan)
            layout = choose_layout(machine, ranks=ranks, usual_shape=shape)
            records, _ = short_run(library, layout, SCALE, settings, None, what="short search")
            cells += [cell for record in records.calls for cell in record.cells]
    except IsobathError as problem:
        return _fixed(str(problem))
    return called_by(cells) or _fixed("short searches here called none")


def _fixed(why: str) -> Called:
    return Called(FIXED.collectives, FIXED.sizes, f"{FIXED.words}: {why}")


def called_by(cells: Iterable[CallCell]) -> Called | None:
    """By mean sizes of messages, call by call and level by level, rounded to powers of two; at
    most as many as leave room for a search. None where there is no size of a collective.
    """
    means: dict[str, set[float]] = {}
    for cell in cells:
        if cell.call in OF_A_SEARCH and cell.calls:
            own = means.setdefault(cell.call, set())
            own |= {cell.bytes_sent / cell.messages} if cell.messages else set()
    used = tuple(name for name in OF_A_SEARCH if name in means)
    sized = [name for name in used if means[name]]
    if not sized:
        return None
    rounded = sorted({_rounded(mean) for name in sized for mean in means[name]})
    room = (MOST_CELLS - OTHERS - (len(used) - len(sized))) // len(sized)
    sizes = spread(rounded, room)
    words = (
        f"{count_of(len(used), 'collective')} at {count_of(len(sizes), 'size')}, as short searches "
        f"here call them, in powers of two"
    )
    left_out = [size_words(size) for size in rounded if size not in sizes]
    if left_out:
        words += f"; left out for want of room: {listing(left_out)}"
    largest = _power_of_two(max(max(means[name]) for name in sized))
    if largest > LARGEST:
        words += f"; messages of up to {size_words(largest)} are measured as {size_words(LARGEST)}"
    return Called(used, tuple(sizes), words)


def _power_of_two(mean: float) -> int:
    power: int = 2 ** round(log2(max(mean, 1.0)))
    return power


def _rounded(mean: float) -> int:
    return min(LARGEST, max(SMALLEST, _power_of_two(mean)))


def spread(sizes: Sequence[int], most: int) -> list[int]:
    """The smallest, the largest, and as many between them as there is room for."""
    if len(sizes) <= most:
        return list(sizes)
    steps = max(1, most - 1)
    places = {round(step * (len(sizes) - 1) / steps) for step in range(steps + 1)}
    return [sizes[place] for place in sorted(places)][-most:]
