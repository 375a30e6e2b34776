# SPDX-License-Identifier: Apache-2.0
"""The schedule of a search that was not run, from the closed forms of its volumes.

Every rank sends the mean: closed forms know no rank from another.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from isobath.costmodel.arcs import met_vertices
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import (
    Direction,
    LevelFacts,
    levels_from_profile,
    measured_profiles,
)
from isobath.costmodel.switches import Switches
from isobath.costmodel.volume import OUTSIDE
from isobath.errors import UsageError
from isobath.prediction.calls import Call, Layout
from isobath.prediction.upcoming import COALESCED_BYTES, SHORT_CALL, upcoming_calls
from isobath.simulation.schedule import PLAYED_CALLS, Schedule, Step, group_size, parcel, unit_for
from isobath.units import format_count

LARGEST_SCALE, MOST_RANKS = 48, 1 << 14
EDGEFACTOR = 16

MERGED_WINDOW = 2
"""Ranks that a rank sends to at the same time where messages are put together: so many messages
of all ranks at once would take the simulator hours."""

COMMUNICATION_ALONE = "COMMUNICATION ALONE: nothing is computed."

LARGEST_MESSAGE = 1 << 30
"""bytes of messages that are put together: SimGrid 3.32 dies of one of 2 to 4 GiB"""


@dataclass(frozen=True)
class Wanted:
    """A search that was not run."""

    scale: int
    switches: Switches
    grid: Grid
    arcs_per_second: float | None = None
    """that a rank follows; None: nothing is computed"""
    most_messages: int = 100_000
    """beyond which the messages of an exchange that sends as it goes are put together"""


def schedule_of_volumes(wanted: Wanted) -> Schedule:
    """Raises: UsageError for what cannot be searched, or has calls that are not played."""
    check_ranks(wanted.grid)
    refuse(refusals(wanted))
    grid, switches = wanted.grid, wanted.switches
    searched = _searched(wanted.scale, switches)
    setting = GraphSetting(wanted.scale, switches, Blocks.even(searched, grid), EDGEFACTOR)
    levels = levels_from_profile(
        wanted.scale, searched, distinct=setting.is_distinct, direction=switches.direction
    )
    layout = Layout(grid, (0,) * grid.size)
    calls = [call.call for call in upcoming_calls(setting, layout, levels)]
    notes = ["Counts are closed forms: every rank sends the mean, and none waits for a fuller one."]
    merges = _own_messages(calls, switches, grid) > wanted.most_messages
    if merges:
        notes.append(coalesced_words(round(_own_messages(calls, switches, grid))))
    largest = max(measured_profiles())
    if wanted.scale > largest:
        notes.append(
            f"EXTRAPOLATED: shares of levels are those of scale {largest}, the largest measured."
        )
    if wanted.arcs_per_second is None:
        notes.append(f"{COMMUNICATION_ALONE[:-1]}; --arcs-per-second adds it.")
    computed = _computed(wanted, levels)
    return Schedule(grid, tuple(_steps(wanted, calls, computed, merges=merges)), tuple(notes))


@dataclass(frozen=True)
class Computed:
    """What a rank computes in a level, before its calls."""

    direction: Direction
    seconds: float


def schedule_of_calls(
    wanted: Wanted, calls: Sequence[Call], computed: Mapping[int, Computed], after: float = 0.0
) -> Schedule:
    """A search whose calls and computation are told, as ``predict`` tells them.

    Args: calls are those of one search; computed is by level; after is computed when all levels
    are done, in seconds.
    Raises: UsageError for what cannot be searched, or has calls that are not played.
    """
    check_ranks(wanted.grid)
    refuse(refusals(wanted))
    merges = _own_messages(list(calls), wanted.switches, wanted.grid) > wanted.most_messages
    steps = list(_steps(wanted, list(calls), computed, merges=merges))
    if after > 0:
        steps.append(Step(OUTSIDE, "emit", "compute", seconds=after))
    return Schedule(wanted.grid, tuple(steps), ())


def refusals(wanted: Wanted) -> Iterator[str]:
    """Each reason why it cannot be searched or played, in a sentence with what to do."""
    grid, switches = wanted.grid, wanted.switches
    if not 1 <= wanted.scale <= LARGEST_SCALE:
        yield f"--scale {wanted.scale} is no scale; take 1 to {LARGEST_SCALE}"
    elif (1 << wanted.scale) < grid.size:
        yield f"scale {wanted.scale} has fewer vertices than {grid.size} ranks; take a larger one"
    if refusal := switches.refusal_of(grid):
        yield refusal
    if switches.plan == "one-sided":  # whichever of its exchanges
        yield "the fold of one-sided is put into windows, which is not played; take --plan simple"


def refuse(sentences: Iterable[str]) -> None:
    """Raises: UsageError with all of them, so that whoever follows one does not meet the next."""
    if told := "; besides, ".join(sentences):
        raise UsageError(told)


def coalesced_words(messages: int) -> str:
    """What is not as in a search where messages are put together."""
    return (
        f"COALESCED: its {format_count(messages)} messages of {COALESCED_BYTES} bytes are "
        "simulated as one for each pair of ranks and level, of at most 1 GiB, to two ranks at a "
        "time; what each costs its ranks is left out."
    )


def check_ranks(grid: Grid) -> None:
    """Raises: UsageError for a grid of one rank, or of more than are simulated."""
    if not 2 <= grid.size <= MOST_RANKS:
        raise UsageError(f"--grid {grid} has {grid.size:,} ranks; take 2 to {MOST_RANKS:,}")


def _searched(scale: int, switches: Switches) -> int:
    """Vertices that the plan keeps."""
    if switches.relabel == "off" and switches.leaves != "out":
        return 1 << scale
    return round(met_vertices(scale, EDGEFACTOR, 1.0, without_leaves=True))


def _own_messages(calls: list[Call], switches: Switches, grid: Grid) -> float:
    if switches.exchange != "own":
        return 0.0
    return sum(call.messages * grid.size for call in calls if call.phase == "fold")


def _steps(
    wanted: Wanted, calls: list[Call], computed: Mapping[int, Computed], *, merges: bool
) -> Iterator[Step]:
    last: int | None = None
    after = [call for call in calls if call.level < 0 and call.phase == "emit"]
    for call in [call for call in calls if call not in after] + after:
        if call.level != last and call.level in computed:
            own = computed[call.level]
            yield Step(call.level, own.direction, "compute", seconds=own.seconds)
        last = call.level
        yield from _played(wanted, call, merges=merges)


def _computed(wanted: Wanted, levels: tuple[LevelFacts, ...]) -> dict[int, Computed]:
    if wanted.arcs_per_second is None:
        return {}
    arcs = 2 * EDGEFACTOR * (1 << wanted.scale) / wanted.grid.size / wanted.arcs_per_second
    return {
        number: Computed(level.direction, level.arcs.expected * arcs)
        for number, level in enumerate(levels)
    }


def _played(wanted: Wanted, call: Call, *, merges: bool) -> Iterator[Step]:
    if call.name not in PLAYED_CALLS:
        raise UsageError(
            f"the {call.phase} of --exchange {wanted.switches.exchange} is {call.name}, which is "
            "not played; take own, eager, alltoallv or pairwise"
        )
    along = call.along
    grid = wanted.grid
    others = group_size(grid, along) - 1  # type: ignore[arg-type]
    times = max(1, round(call.calls)) if call.name not in ("isend", "sendrecv") else 1
    each = round(call.bytes_sent / others / times)
    has_lengths = call.name == SHORT_CALL
    tuples = wanted.switches.tuple_bytes if call.phase == "fold" and not has_lengths else 1
    is_own = call.name == "isend" and wanted.switches.exchange == "own"
    unit = unit_for([each], others + 1, tuples)
    units = -(-each // unit)
    head = (call.level, call.phase, call.name, along)
    for _ in range(times):
        if call.name == "bcast":
            told = round(call.bytes_sent * grid.size / others / times)
            yield Step(*head, unit=1, root=(0, parcel(told)))  # type: ignore[arg-type]
        elif call.name == "sendrecv" and call.phase == "rotate":
            ring = round(call.bytes_sent)
            unit = unit_for([ring], 1)
            yield Step(*head, unit=unit, following=parcel(-(-ring // unit), round(call.messages)))  # type: ignore[arg-type]
        elif is_own and not merges:
            piece = max(1, COALESCED_BYTES // unit)
            yield Step(*head, unit=unit, piece=piece, ends=True,  # type: ignore[arg-type]
                       each=parcel(units, -(-units // piece)))  # fmt: skip
        else:
            window, cuts = 0, 1
            if is_own:
                window, cuts = MERGED_WINDOW, max(1, -(-units * unit // LARGEST_MESSAGE))
            for number in range(cuts):  # in turn: within a node messages share nothing
                part = units * (number + 1) // cuts - units * number // cuts
                yield Step(*head, unit=unit, window=window, each=parcel(part))  # type: ignore[arg-type]
