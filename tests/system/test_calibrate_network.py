# SPDX-License-Identifier: Apache-2.0
"""Calibrations come back under SimGrid: made-up networks do, real ones say how far."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.costmodel.grid import Grid
from isobath.kinds.simulate.calibrating import (
    Wanted,
    fitted_platform,
    platform_of,
    simulated_curves,
)
from isobath.kinds.simulate.files import simulation_in, write_files
from isobath.launch.interrupts import NeverStop
from isobath.launch.simgrid import PROGRAM, SimGrid
from isobath.prediction.calls import Layout
from isobath.simulation.apart import worked
from isobath.simulation.calibration import calibrated, compared
from isobath.simulation.platform import PLATFORMS, Platform, read_platform
from isobath.simulation.simgrid import options
from isobath.simulation.sweep import PLACES, Curves, Place, sweep
from needs import require
from simulation.made_networks import LARGEST, burst, curves_of, measured, streamed, within
from system.laboratory import Laboratory
from system.node_traces import needs_namespaces

SMALL = ("--largest", 4096, "--passes", 2)


@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_curves_of_a_made_up_network_come_back(
    lab: Laboratory, tmp_path: Path, noise: float
) -> None:
    require("simgrid")
    curves = dict(zip(PLACES, measured(noise), strict=True))
    wanted = Wanted("rate-limited:1gbit:2nodes", LARGEST)
    platform = fitted_platform(wanted, curves, "a made-up network")
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))

    simulated = {
        place: simulated_curves(wanted, place, platform, simgrid, tmp_path, NeverStop())
        for place in PLACES
    }

    told = {curve.name: curve.median_error for curve in compared(curves, simulated)}
    assert max(told.values()) <= 0.05, told
    ping_pongs = [error for name, error in told.items() if name.startswith("ping-pong")]
    assert max(ping_pongs) <= 0.01 + noise, told


def test_messages_alone_on_a_link_with_a_burst_come_back(lab: Laboratory, tmp_path: Path) -> None:
    """Factors of a rate hold within a node too, where they must not show."""
    require("simgrid")
    curves = dict(zip(PLACES, (curves_of(within), curves_of(burst)), strict=True))
    wanted = Wanted("rate-limited:1gbit:2nodes", LARGEST, is_alone=True)
    fitted = calibrated(*curves.values(), is_alone=True)
    platform = platform_of(wanted, fitted, "a made-up network")
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))

    simulated = {
        place: simulated_curves(wanted, place, platform, simgrid, tmp_path, NeverStop())
        for place in PLACES
    }

    told = {curve.name: curve.median_error for curve in compared(curves, simulated)}
    assert told["ping-pong within a node"] <= 0.01
    assert told["ping-pong between nodes"] <= 0.05
    assert "share no link" in platform.told


def test_streams_of_ranks_on_nodes_of_their_own_come_back(lab: Laboratory, tmp_path: Path) -> None:
    """Over TCP, whose work a message within a node does not have."""
    require("simgrid")
    outside = streamed()
    wanted = Wanted("rate-limited:1gbit:2nodes", LARGEST, is_apart=True)
    platform = platform_of(wanted, calibrated(worked(outside), outside), "a made-up network")
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))

    again = simulated_curves(wanted, "between nodes", platform, simgrid, tmp_path, NeverStop())

    curves: dict[Place, Curves] = {"between nodes": outside}
    for curve in compared(curves, {"between nodes": again}):
        assert curve.median_error <= 0.05, (curve.name, curve.errors)
    assert "of nodes with one rank each" in platform.told


def test_both_routes_come_back_where_ranks_work_more_for_the_one_that_leaves_the_node(
    lab: Laboratory, tmp_path: Path
) -> None:
    """1 us a message within a node, 8 us and more over TCP: no cost for all routes gives both."""
    require("simgrid")
    curves: dict[Place, Curves] = dict(zip(PLACES, (curves_of(within), streamed()), strict=True))
    wanted = Wanted("rate-limited:1gbit:2nodes", LARGEST)
    platform = fitted_platform(wanted, curves, "a made-up network")
    blind = platform_of(wanted, calibrated(*curves.values()), "a made-up network")
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))

    def told(platform: Platform) -> dict[str, float]:
        simulated = {
            place: simulated_curves(wanted, place, platform, simgrid, tmp_path, NeverStop())
            for place in PLACES
        }
        return {curve.name: curve.median_error for curve in compared(curves, simulated)}

    assert max(told(platform).values()) <= 0.05, told(platform)
    assert told(blind)["rate between nodes"] > 0.5, "one cost for all routes would do"


def test_the_same_costs_on_both_routes_are_those_of_simgrids_own_options(
    lab: Laboratory, tmp_path: Path
) -> None:
    """To the last digit, below and above sizes at which segments and SimGrid's ways change."""
    require("simgrid")
    wanted = Wanted("rate-limited:1gbit:2nodes", 1 << 17)
    own = platform_of(wanted, calibrated(*measured(0.0)), "a made-up network")
    routed = replace(own, node_segments=own.segments)
    simgrid = SimGrid("", str(shutil.which("smpirun")), lab.mpi.program(PROGRAM))
    assert len(own.segments) > 1

    for place in PLACES:
        one, other = (
            simulated_curves(wanted, place, platform, simgrid, tmp_path, NeverStop())
            for platform in (own, routed)
        )
        assert one == other, place


@pytest.mark.parametrize(
    "text",
    [
        "0:1:1",
        "0:1:1|0:1|0:1:1|0:1:1",
        "1:1:1|0:1:1|0:1:1|0:1:1",
        "0:x:1|0:1:1|0:1:1|0:1:1",
        "0:-1:1|0:1:1|0:1:1|0:1:1",
        "0:1:1;0:2:1|0:1:1|0:1:1|0:1:1",
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
def test_a_network_is_calibrated_between_two_nodes(lab: Laboratory, tmp_path: Path) -> None:
    require("simgrid")
    file = tmp_path / "apart.toml"
    way = ("--transport", "rate-limited:1gbit:2nodes")

    done = lab.isobath("calibrate", "network", *SMALL, *way, "-o", file, "--json")

    assert done.code in (0, 6), done.err
    found = json.loads(done.out)
    assert [curve["name"] for curve in found["curves"]] == [
        "ping-pong within a node", "rate within a node", "ping-pong between nodes",
        "rate between nodes",
    ]  # fmt: skip
    assert found["holds"] == (done.code == 0)
    inside, _, outside, _ = (curve["measured_seconds"] for curve in found["curves"])
    assert inside != outside
    assert read_platform(file).nodes > 1
