# SPDX-License-Identifier: Apache-2.0
"""The schedule of a search that no ranks ran, with the counts of each rank, from a serial walk.

The walk (isobath-audit) says what every rank must send in each phase of each level. It does not say
to whom: what a rank sends along its grid row is shared out evenly among the others there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from isobath.costmodel.exact import COUNT_BYTES
from isobath.costmodel.grid import Grid
from isobath.costmodel.short_parcels import goes_with_length
from isobath.prediction.upcoming import COALESCED_BYTES, SHORT_CALL, call_of, tells_at_once
from isobath.records.phases import PhaseName
from isobath.simulation.from_volumes import (
    COMMUNICATION_ALONE,
    MERGED_WINDOW,
    Wanted,
    check_ranks,
    coalesced_words,
    refusals,
    refuse,
)
from isobath.simulation.schedule import (
    Along,
    Parcel,
    Schedule,
    Step,
    group_size,
    parcel,
)

PLAYED_EXCHANGES = ("own", "eager", "alltoallv", "pairwise")


@dataclass(frozen=True)
class WalkedStep:
    """What all ranks must send to others in one phase of one level."""

    level: int
    phase: PhaseName
    bytes_of_rank: tuple[int, ...]


def refusals_of_walk(wanted: Wanted) -> Iterator[str]:
    """Each reason why no walk tells what is wanted, in a sentence with what to do."""
    yield from refusals(wanted)
    if wanted.switches.direction == "policy":
        yield (
            f"--root: {wanted.switches.plan} chooses directions as it goes, which no walk tells; "
            "name a run of it, or leave --root out"
        )
    if wanted.arcs_per_second is not None:
        yield "--root tells bytes and no arcs of ranks; leave --arcs-per-second out"
    if wanted.switches.exchange not in PLAYED_EXCHANGES:
        yield (
            f"--exchange {wanted.switches.exchange} is not played; take "
            f"{', '.join(PLAYED_EXCHANGES)}"
        )


def schedule_of_walk(wanted: Wanted, root: int, walked: Sequence[WalkedStep]) -> Schedule:
    """Args: walked are in the order of levels and phases; of a phase without a byte there is none.

    Raises: UsageError for what no walk tells.
    """
    check_ranks(wanted.grid)
    refuse(refusals_of_walk(wanted))
    notes = [
        f"Counts of each rank are those of a serial walk from vertex {root}; to whom in its grid "
        "row a rank sends is not walked: evenly to all.",
        COMMUNICATION_ALONE,
    ]
    merges = False
    if wanted.switches.exchange == "own":
        messages = sum(
            -(-sent // COALESCED_BYTES)
            for step in walked
            if step.phase == "fold"
            for sent in step.bytes_of_rank
        )
        merges = messages > wanted.most_messages
        if merges:
            notes.insert(1, coalesced_words(messages))
    return Schedule(wanted.grid, tuple(_steps(wanted, walked, merges=merges)), tuple(notes))


def _steps(wanted: Wanted, walked: Sequence[WalkedStep], *, merges: bool) -> Iterator[Step]:
    nothing = (0,) * wanted.grid.size
    for level, of_level in groupby(walked, key=lambda step: step.level):
        steps = {step.phase: step for step in of_level}
        if level >= 0 and wanted.grid.cols > 1:  # called where nobody has anything to send, too
            steps.setdefault("fold", WalkedStep(level, "fold", nothing))
        for phase in sorted(steps, key=_place):
            if phase == "fold":
                yield from _fold(wanted, steps[phase], merges=merges)
            else:
                yield from _gathered(wanted, steps[phase])


def _place(phase: PhaseName) -> int:
    """Of the phases of these plans in a level."""
    return ("expand", "count", "fold", "reduce").index(phase)


def _fold(wanted: Wanted, step: WalkedStep, *, merges: bool) -> Iterator[Step]:
    known = call_of("fold", wanted.switches, wanted.grid)
    assert known is not None  # fold always calls
    if tells_at_once("fold", wanted.switches, wanted.grid.cols):
        yield from _told_at_once(wanted, step, known[0])
        return
    unit = wanted.switches.tuple_bytes
    is_own = known[0] == "isend"
    piece = COALESCED_BYTES // unit if is_own and not merges else 0
    yield Step(
        step.level, "fold", known[0], "row", unit=unit, piece=piece,  # type: ignore[arg-type]
        window=MERGED_WINDOW if is_own and merges else 0, ends=piece > 0,
        by_pair={
            (rank, other): parcel(units, -(-units // piece) if piece else 1)
            for rank, sent in enumerate(step.bytes_of_rank)
            for other, units in _shared_out(wanted.grid, rank, sent // unit)
            if units
        },
    )  # fmt: skip


def _told_at_once(wanted: Wanted, step: WalkedStep, long_call: str) -> Iterator[Step]:
    """A length for each other rank of the grid row, with its parcel where that is short; the long
    ones next, where there are any.
    """
    short: dict[tuple[int, int], Parcel] = {}
    long: dict[tuple[int, int], Parcel] = {}
    tuple_bytes, lengths = wanted.switches.tuple_bytes, COUNT_BYTES * (wanted.grid.cols - 1)
    for rank, sent in enumerate(step.bytes_of_rank):
        tuples = max(0, sent - lengths) // tuple_bytes
        for other, units in _shared_out(wanted.grid, rank, tuples):
            data = units * tuple_bytes
            is_short = goes_with_length(data)
            short[rank, other] = parcel(COUNT_BYTES + data if is_short else COUNT_BYTES)
            if not is_short:
                long[rank, other] = parcel(data)
    yield Step(step.level, "fold", SHORT_CALL, "row", by_pair=short)
    if long:
        yield Step(step.level, "fold", long_call, "row", by_pair=long)  # type: ignore[arg-type]


def _shared_out(grid: Grid, rank: int, units: int) -> Iterator[tuple[int, int]]:
    """To the others of its grid row as evenly as can be, a unit more to those that follow it."""
    others = [(rank + grid.rows * step) % grid.size for step in range(1, grid.cols)]
    for place, other in enumerate(others):
        yield other, units // len(others) + (place < units % len(others))


def _gathered(wanted: Wanted, step: WalkedStep) -> Iterator[Step]:
    """Gathers, counts and reductions: every rank gives all others the same. With a replicated
    frontier its summary is gathered, too.
    """
    known = call_of(step.phase, wanted.switches, wanted.grid)
    assert known is not None  # a walk tells of calls alone
    name, along = known[0], _along(known[1])
    others = group_size(wanted.grid, along) - 1
    times = 2 if step.phase == "expand" and wanted.switches.is_replicated else 1
    for number in range(times):
        parcels = {
            rank: _part(sent // others, number, times)
            for rank, sent in enumerate(step.bytes_of_rank)
            if sent
        }
        if name == "allgatherv":
            yield Step(step.level, step.phase, name, along, by_rank=parcels)  # type: ignore[arg-type]
        else:
            each = next(iter(parcels.values()))
            yield Step(step.level, step.phase, name, along, each=each)  # type: ignore[arg-type]


def _part(whole: int, number: int, times: int) -> Parcel:
    return parcel(whole // times + (number < whole % times))


def _along(word: str) -> Along:
    return "row" if word == "row" else "column" if word == "column" else "world"
