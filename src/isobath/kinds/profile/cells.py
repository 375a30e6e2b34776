# SPDX-License-Identifier: Apache-2.0
"""What a profile gives to be compared: the time of the program, and of that the time in MPI."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from isobath.comparison.measured import Bound, Cell, Parts, Taken, Value, Zoom
from isobath.profile.profile import Profile
from isobath.report.wording import count_of
from isobath.store.run_summary import RunSummary
from isobath.units import format_bytes

ANYWHERE = "outside regions"


def profile_cells(worlds: tuple[Profile, ...], summary: RunSummary) -> tuple[Cell, ...]:
    """Two of each world that was recorded on all its ranks."""
    # Without folders: the launcher of another library lies elsewhere, and is the same program.
    program = " ".join(word.rpartition("/")[2] or word for word in summary.launch_line)
    return tuple(
        cell
        for number, world in enumerate(worlds)
        for cell in _of_world(world, number if len(worlds) > 1 else None, program)
    )


def _of_world(world: Profile, number: int | None, program: str) -> Iterator[Cell]:
    whole = world.whole
    name = "" if number is None else f" of world {number}"
    identity: dict[str, Value] = {"world": number}
    bound: dict[Bound, str] = {"program": program, "ranks": count_of(whole.ranks, "rank")}
    trouble = ""
    if whole.ranks_recorded < whole.ranks:
        trouble = f"{whole.ranks - whole.ranks_recorded} of {whole.ranks} ranks left no file"
    settings: Mapping[str, Value] = {"hosts": len(whole.hosts)}
    rows = (("program", whole.wall_seconds.mean), ("time in MPI", whole.mpi_seconds.mean))
    for title, seconds in rows:
        taken = (Taken(seconds, whole.run_id),) if seconds > 0 else ()
        yield Cell(title + name, "seconds", identity, bound, settings, taken, trouble,
                   (tuple(_zooms(world)),))  # fmt: skip


def _zooms(world: Profile) -> Iterator[Zoom]:
    """Mean over ranks: calls, then the regions or levels that they are made in, then sizes."""
    yield Zoom(("call",), {(row.call,): row.seconds.mean for row in world.calls})
    by_region: defaultdict[tuple[str, ...], float] = defaultdict(float)
    ranks = world.whole.ranks
    for cell in world.cells:
        number = "" if cell.region_number is None else f" {cell.region_number}"
        region = f"{cell.region}{number}" if cell.region else ANYWHERE
        by_region[cell.call, region] += cell.seconds.mean
    yield Zoom(("call", "region"), dict(by_region))
    by_size: Parts = {
        (row.call, f"{format_bytes(first)} to {format_bytes(end)}"): seconds / ranks
        for row in world.sizes
        if row.meaning == "call_total"
        for first, end, seconds in zip(row.from_bytes, row.to_bytes, row.seconds, strict=True)
    }
    if by_size:
        yield Zoom(("call", "size"), by_size)
