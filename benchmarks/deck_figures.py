#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates searches on the deck's 32 nodes of 4 ranks and its three interconnects.

Usage, from the root of a checkout that was set up, with SimGrid:

    PYTHONPATH=src .venv/bin/python benchmarks/deck_figures.py run STORE
    PYTHONPATH=src .venv/bin/python benchmarks/deck_figures.py read STORE \\
        > src/isobath/reproduce/deck_simulated.toml

`run` simulates what STORE does not have yet. Simulated times do not depend on this machine, so it
may be busy. `read` writes what all of them came to.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from played import Kind, head_of, main, play, require_all, steps_of, table_of

from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import Switches
from isobath.launch.simgrid import simgrid_version
from isobath.prediction.calls import Layout
from isobath.records.skeleton import SkeletonRecord
from isobath.simulation.from_volumes import Wanted, schedule_of_volumes
from isobath.simulation.platform import PLATFORMS
from isobath.simulation.schedule import Schedule
from isobath.simulation.simgrid import platform_xml

NODES, RANKS_PER_NODE = 32, 4
INTERCONNECTS = ("deck-fdr", "deck-qdr", "deck-10gbe")
GRIDS = {"simple": "1x128", "two-dim": "8x16", "hybrid": "16x8"}
"""By plan. The tuned code of the deck is a 2-D one; both exchange by Alltoallv."""

SCALES = (22, 26)
"""The deck states none."""


@dataclass(frozen=True, order=True)
class Search:
    """A search whose communication is simulated."""

    plan: str
    scale: int
    platform: str

    @property
    def schedule(self) -> Schedule:
        """Closed forms, tuples by alltoallv."""
        switches = Switches.of(self.plan, exchange="alltoallv")
        return schedule_of_volumes(Wanted(self.scale, switches, Grid.typed(GRIDS[self.plan])))

    def file(self, store: Path) -> Path:
        """Where it is kept, as the skeleton says it."""
        return store / f"{self.platform}-{self.plan}-{self.scale}.jsonl"


def searches() -> tuple[Search, ...]:
    """All of them."""
    return tuple(
        Search(plan, scale, platform)
        for plan in GRIDS
        for scale in SCALES
        for platform in INTERCONNECTS
    )


Steps = Sequence[SkeletonRecord]


def searches_in(store: Path) -> dict[Search, Steps]:
    """What was simulated."""
    found = {search: steps_of(search.file(store)) for search in searches()}
    return {search: steps for search, steps in found.items() if steps is not None}


def links_digest() -> str:
    """Of the three platforms."""
    text = "".join(platform_xml(PLATFORMS[name]) for name in INTERCONNECTS)
    return hashlib.sha256(text.encode()).hexdigest()


def text_of(found: Mapping[Search, Steps], simgrid: str = "") -> Iterator[str]:
    """The file, by the SimGrid here unless it is named. Raises: EnvironmentProblem where something
    is missing.
    """
    require_all(searches(), found)
    yield from head_of(
        "deck_figures.py", "Times are SIMULATED: communication alone.", links_digest(),
        simgrid or simgrid_version() or "none",
    )  # fmt: skip
    for search, steps in found.items():
        searched: dict[str, str | float] = {
            "plan": search.plan,
            "scale": search.scale,
            "platform": search.platform,
        }
        yield from table_of(
            "search", **searched, grid=GRIDS[search.plan],
            simulated_seconds=max(step.ended_seconds for step in steps),
        )  # fmt: skip
        for call in dict.fromkeys(step.call for step in steps):
            # Ranks that wait for each other in a call have its time, as a profiler would say.
            seconds = sum(step.seconds_mean for step in steps if step.call == call)
            yield from table_of("call", **searched, call=call, simulated_seconds=seconds)
        if search.platform == INTERCONNECTS[0]:  # sizes are the same on all
            yield from _sizes(search, steps)


def _sizes(search: Search, steps: Steps) -> Iterator[str]:
    """Of every call: bytes of a message, what a rank has in the call, and how many there are."""
    number: Counter[tuple[str, int, int]] = Counter()
    for step in steps:
        if step.messages:
            sizes = step.bytes_sent // step.messages, step.bytes_sent // step.calls
            number[step.call, *sizes] += step.messages
    for (call, of_message, of_rank), messages in number.items():
        yield from table_of(
            "message", plan=search.plan, scale=search.scale, call=call, message_bytes=of_message,
            rank_bytes=of_rank, messages=messages,
        )  # fmt: skip


def simulate(search: Search, store: Path) -> int:
    """The exit code of the simulation."""
    layout = Layout.even(search.schedule.grid, RANKS_PER_NODE)
    return play(search.schedule, PLATFORMS[search.platform], layout, search.file(store))


KIND = Kind(searches(), searches_in, simulate)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], __doc__, [KIND], text_of))
