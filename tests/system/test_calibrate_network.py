# SPDX-License-Identifier: Apache-2.0
"""Calibrations come back under SimGrid: made-up networks do, real ones say how far."""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.costmodel.grid import Grid
from isobath.kinds.simulate.calibrating import (
    Wanted,
    fitted_platform,
    simulated_curves,
)
from isobath.kinds.simulate.files import simulation_in, write_files
from isobath.launch.interrupts import NeverStop
from isobath.launch.simgrid import PROGRAM, SimGrid
from isobath.prediction.calls import Layout
from isobath.simulation.calibration import compared
from isobath.simulation.platform import PLATFORMS, Platform, read_platform
from isobath.simulation.schedule import Parcel, Schedule, Step
from isobath.simulation.segments import Segment
from isobath.simulation.simgrid import message_costs, options
from isobath.simulation.sweep import PLACES, WAYS, Curves, Place, sweep
from needs import require
from simulation.made_networks import (
    LARGEST,
    burst,
    burst_gap,
    curves_of,
    measured,
    streamed,
    waited,
    waited_work,
    within,
)
from system.laboratory import Laboratory
from system.node_traces import needs_namespaces

SMALL = ("--largest", 4096, "--passes", 2)


@pytest.fixture
def simgrid(lab: Laboratory) -> SimGrid:
    require("simgrid")
    return SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))


WANTED = Wanted("rate-limited:1gbit:2nodes", LARGEST)


def told(
    curves: Mapping[Place, Curves], platform: Platform, simgrid: SimGrid, folder: Path
) -> dict[str, float]:
    """Median errors of what is simulated again."""
    simulated = {
        place: simulated_curves(WANTED, place, platform, simgrid, folder, NeverStop())
        for place in curves
    }
    return {curve.name: curve.median_error for curve in compared(curves, simulated)}


@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_curves_of_a_made_up_network_come_back(
    simgrid: SimGrid, tmp_path: Path, noise: float
) -> None:
    curves: dict[Place, Curves] = dict(zip(PLACES, measured(noise), strict=True))
    platform = fitted_platform(WANTED, curves, "a made-up network")

    errors = told(curves, platform, simgrid, tmp_path)

    assert max(errors.values()) <= 0.01 + noise, errors


def test_what_nobody_works_and_a_link_with_a_burst_come_back(
    simgrid: SimGrid, tmp_path: Path
) -> None:
    """Neither did by work of ranks and rates of links alone."""
    inside = curves_of(waited, gap=waited_work)
    outside = curves_of(burst, gap=burst_gap)
    curves: dict[Place, Curves] = {"within a node": inside, "between nodes": outside}
    platform = fitted_platform(WANTED, curves, "a made-up network")

    errors = told(curves, platform, simgrid, tmp_path)

    assert max(errors.values()) <= 0.03, errors
    free = tuple(
        replace(one, gap_seconds=0.0, gap_seconds_per_byte=0.0) for one in platform.segments
    )
    worked = tuple(replace(one, latency_factor=0.0) for one in platform.node_segments)
    blind = told(curves, replace(platform, segments=free, node_segments=worked), simgrid, tmp_path)
    assert blind["rate between nodes"] > 0.05, "no gap is needed"
    assert blind["ping-pong within a node"] > 0.05, "no latency is needed"


def test_both_routes_come_back_where_ranks_work_more_for_the_one_that_leaves_the_node(
    simgrid: SimGrid, tmp_path: Path
) -> None:
    """1 us a message within a node, 8 us and more over TCP: no cost for all routes gives both."""
    curves: dict[Place, Curves] = dict(zip(PLACES, (curves_of(within), streamed()), strict=True))
    platform = fitted_platform(WANTED, curves, "a made-up network")
    blind = replace(platform, segments=platform.node_segments)
    apart = fitted_platform(WANTED, {"between nodes": streamed()}, "a made-up network")

    errors = told(curves, platform, simgrid, tmp_path)

    assert max(errors.values()) <= 0.05, errors
    off = told(curves, blind, simgrid, tmp_path)["rate between nodes"]
    assert off > 0.5, "one cost for all routes would do"
    alone = told({"between nodes": streamed()}, apart, simgrid, tmp_path)
    assert max(alone.values()) <= 0.05, alone


LINKED = Platform(
    "a test", "a test", "crossbar", 4, 1e9, 1e-6, "assumed", "by a test", 0.0, 4e9, 3e-7,
    segments=(
        Segment(0, 1e-6, 0.0, 2e-6, 1e-10, 0.5, 0.25),
        Segment(1000, 3e-6, 1e-10, 1e-6, 0.0, 1.5, 2.0),
        Segment(70000, 4e-6, 1e-10, 1e-6, 0.0, 2.0, 1.0),
    ),
)  # fmt: skip


def test_the_same_costs_on_both_routes_are_those_of_simgrids_own_options(
    simgrid: SimGrid, tmp_path: Path
) -> None:
    """To the last digit, below and above sizes at which segments and SimGrid's ways change."""
    routed = replace(LINKED, node_segments=LINKED.segments)
    assert message_costs(routed)
    assert not message_costs(LINKED)

    for place in PLACES:
        one, other = (
            simulated_curves(WANTED, place, platform, simgrid, tmp_path, NeverStop())
            for platform in (LINKED, routed)
        )
        assert one == other, place


def ended(
    platform: Platform,
    sends: Sequence[tuple[int, int]],
    size: int,
    simgrid: SimGrid,
    folder: Path,
    then: Sequence[tuple[tuple[int, int], int]] = (),
) -> float:
    """When messages of one size from and to ranks, each on a node of its own, are all there."""
    pairs = {pair: Parcel(size) for pair in sends} | {pair: Parcel(more) for pair, more in then}
    step, layout = (
        Step(0, "fold", "isend", "world", by_pair=pairs),
        Layout(Grid(1, 4), (0, 1, 2, 3)),
    )
    simulation = simulation_in(
        folder, 4, options(platform), "x", message_costs=message_costs(platform)
    )
    write_files(simulation, Schedule(Grid(1, 4), (step,)), platform, layout)
    line = simulation.line(simgrid)
    done = subprocess.run(
        line.command, capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, **line.environment},
    )  # fmt: skip
    (row,) = (json.loads(text) for text in done.stdout.splitlines() if '"skeleton"' in text)
    seconds: float = row["ended_seconds"]
    return seconds


SKEW = 2e-5
"""by which ranks begin apart: the skeleton's barrier before a schedule does not end everywhere at
once"""


@pytest.mark.parametrize("factor", [0.5, 1.0, 4.0])
def test_a_message_faster_than_its_link_takes_less_of_the_links_time(
    simgrid: SimGrid, tmp_path: Path, factor: float
) -> None:
    """Two that leave a node share its link: they take twice as long as one, whatever the factor."""
    size = 10_000_000
    free = Segment(0, 0.0, 0.0, 0.0, 0.0, 1.0, factor)
    platform = replace(LINKED, segments=(free,), node_segments=(free,))

    one = ended(platform, [(0, 1)], size, simgrid, tmp_path)
    two = ended(platform, [(0, 1), (0, 2)], size, simgrid, tmp_path)
    met = ended(platform, [(0, 2), (1, 2)], size, simgrid, tmp_path)
    apart = ended(platform, [(0, 1), (2, 3)], size, simgrid, tmp_path)

    link = (size + 16) / (factor * 1e9)
    assert one == pytest.approx(link, rel=1e-3, abs=SKEW)
    assert two == pytest.approx(2 * link, rel=1e-3, abs=SKEW)
    assert met == pytest.approx(2 * link, rel=1e-3, abs=SKEW)
    assert apart == pytest.approx(one, rel=1e-3, abs=SKEW)


FREE = Segment(0, 0.0, 0.0, 0.0, 0.0)
"""Of messages of the skeleton's barrier before a schedule, which keep no card here."""


def gaps_of(sends: Sequence[tuple[int, int]]) -> int:
    """Slots until the last has come in, of messages that are all ready at the same time: a sender's
    leave one after the other, and each takes the first slot in which nothing else comes in.
    """
    order = sorted(sends, key=lambda pair: (pair[0], (pair[1] - pair[0]) % 4))
    left = dict.fromkeys(range(4), 0)
    taken: dict[int, set[int]] = {rank: set() for rank in range(4)}
    last = 0
    for source, target in order:
        slot = left[source]
        left[source] += 1
        while slot in taken[target]:
            slot += 1
        taken[target].add(slot)
        last = max(last, slot)
    return last


ALL_PAIRS = [(one, other) for one in range(4) for other in range(4) if one != other]
SENDS = [
    [(0, 1)],
    [(0, 1), (1, 0), (2, 3)],  # each way by itself
    [(0, 1), (0, 2), (0, 3)],
    [(0, 3), (1, 3), (2, 3)],  # one after the other comes in
    [(0, 1), (0, 2), (1, 2)],  # 1 to 2 before 0 to 2, which leaves later
    ALL_PAIRS,
    *(random.Random(seed).sample(ALL_PAIRS, 5 + seed % 4) for seed in range(8)),
]


@pytest.mark.parametrize("sends", SENDS)
def test_a_card_is_busy_for_a_gap_and_a_lone_message_pays_nothing_of_it(
    simgrid: SimGrid, tmp_path: Path, sends: list[tuple[int, int]]
) -> None:
    gap = 1e-3
    platform = replace(LINKED, segments=(FREE, replace(FREE, from_bytes=8, gap_seconds=gap)))

    seconds = ended(platform, sends, 8, simgrid, tmp_path)

    assert seconds == pytest.approx(gaps_of(sends) * gap, abs=SKEW)
    if len(sends) == 1:
        assert seconds < gap / 100


def test_a_large_message_leaves_behind_small_ones_and_keeps_no_card(
    simgrid: SimGrid, tmp_path: Path
) -> None:
    gap, size = 1e-3, 1_000_000
    small = replace(FREE, from_bytes=8, gap_seconds=gap)
    platform = replace(LINKED, segments=(FREE, small, replace(FREE, from_bytes=size)))

    alone = ended(platform, [(0, 1)], size, simgrid, tmp_path)
    two = ended(platform, [(0, 1), (0, 2)], size, simgrid, tmp_path)
    behind = ended(platform, [(0, 1)], 8, simgrid, tmp_path, then=[((0, 2), size)])

    assert alone == pytest.approx(1e-3, abs=SKEW)
    assert two == pytest.approx(2e-3, abs=SKEW)
    assert behind == pytest.approx(gap + 1e-3, abs=SKEW)


OTHERS = 5 * "|0:1:1"


@pytest.mark.parametrize(
    "text",
    [
        "0:1:1",
        f"0:1:1|0:1{OTHERS}",
        f"1:1:1|0:1:1{OTHERS}",
        f"0:x:1|0:1:1{OTHERS}",
        f"0:-1:1|0:1:1{OTHERS}",
        f"0:1:1;0:2:1|0:1:1{OTHERS}",
        "0:1:1|0:1:1|0:1:1|0:1:1|0:1:0|0:1:1|0:1:1",  # a rate of nothing
    ],
)
def test_costs_of_messages_that_are_none_are_refused_by_the_skeleton(
    lab: Laboratory, tmp_path: Path, text: str
) -> None:
    require("simgrid")
    platform = PLATFORMS["crossbar"]
    again, layout = sweep(4096, 1), Layout(Grid(1, 2), (0, 1))
    simulation = simulation_in(tmp_path, 2, options(platform), "x", message_costs=text)
    write_files(simulation, again.schedule, platform, layout)
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))
    line = simulation.line(simgrid)

    done = subprocess.run(
        line.command, capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, **line.environment},
    )  # fmt: skip

    assert f"ISOBATH_MESSAGE_COSTS is '{text}'" in done.stderr
    assert "BYTES:LATENCY:RATE with rates above 0" in done.stderr
    assert done.returncode != 0
    assert '"kind":"skeleton"' not in done.stdout


def test_a_node_is_calibrated_as_people_do_it(lab: Laboratory, tmp_path: Path) -> None:
    require("simgrid")
    file = tmp_path / "here.toml"

    done = lab.isobath("calibrate", "network", *SMALL, "-o", file)

    assert done.code in (0, 6), done.err
    assert "SIMULATED ping-pong within a node" in done.out
    assert ("every measured curve comes back" in done.out) == (done.code == 0)
    platform = read_platform(file)
    assert (platform.source, platform.nodes) == ("measured", 1)
    plan = ("--plan", "two-dim", "--grid", "2x2", "--scale", 12, "--nodes", 1, "--no-report")
    done = lab.isobath("simulate", *plan, "--platform", file)
    assert done.code == 0, done.err


@needs_namespaces
def test_a_network_is_calibrated_between_two_nodes(
    lab: Laboratory, simgrid: SimGrid, tmp_path: Path
) -> None:
    """What it says was simulated is what its file gives."""
    file = tmp_path / "apart.toml"
    way = ("--transport", "rate-limited:1gbit:2nodes")

    large = ("--largest", 1 << 18, "--passes", 2)
    done = lab.isobath("calibrate", "network", *large, *way, "-o", file, "--json")

    assert done.code in (0, 6), done.err
    found = json.loads(done.out)
    assert [curve["name"] for curve in found["curves"]] == [
        "ping-pong within a node", "rate within a node", "ping-pong between nodes",
        "rate between nodes",
    ]  # fmt: skip
    assert found["holds"] == (done.code == 0)
    inside, _, outside, _ = (curve["measured_seconds"] for curve in found["curves"])
    assert inside != outside
    platform = read_platform(file)
    assert platform.nodes > 1
    wanted = replace(WANTED, largest=1 << 18)
    again = [
        list(simulated_curves(wanted, place, platform, simgrid, tmp_path, NeverStop())[way].seconds)
        for place in PLACES
        for way in WAYS
    ]
    assert again == [curve["simulated_seconds"] for curve in found["curves"]]
