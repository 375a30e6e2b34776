# SPDX-License-Identifier: Apache-2.0
"""Calibrations of made-up networks: the fit finds what they are made of, or says it cannot."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from isobath.errors import InternalError, UsageError
from isobath.kinds.simulate.calibrating import (
    BUSY,
    Calibrated,
    Wanted,
    fitted_platform,
    platform_of,
    platform_toml,
    told_of,
)
from isobath.kinds.simulate.calibration_sections import (
    facts_of,
    holds,
    sections_of,
    verdict,
)
from isobath.launch.simgrid import SimGrid, Simulation
from isobath.simulation.calibration import Calibration, Compared, calibrated
from isobath.simulation.platform import PLATFORMS, read_platform
from isobath.simulation.segments import Segment, read_segments, segment_settings
from isobath.simulation.simgrid import message_costs, options
from isobath.simulation.sweep import PLACES, Curve, Curves, sizes_to, sweep
from isobath.stats.estimates import FloatArray
from simulation.made_networks import (
    LARGEST,
    between,
    burst,
    curves_of,
    measured,
    streamed,
    within,
)


def errors(found: Calibration, curves: Curves, *, is_between: bool) -> FloatArray:
    curve = curves["ping-pong"]
    again = [found.ping_pong(size, is_between=is_between) for size in curve.sizes]
    relative: FloatArray = np.abs(np.array(again) / np.array(curve.seconds) - 1)
    return relative


@pytest.mark.parametrize(("noise", "allowed"), [(0.0, 0.005), (0.03, 0.03)])
def test_a_made_up_network_is_found_again(noise: float, allowed: float) -> None:
    inside, outside = measured(noise)

    found = calibrated(inside, outside)

    assert np.median(errors(found, inside, is_between=False)) <= allowed
    assert np.median(errors(found, outside, is_between=True)) <= allowed
    assert 1 / found.bandwidth == pytest.approx(8.5e-9, rel=0.02)
    assert {segment.from_bytes for segment in found.segments} == {0, 1024, 4096, 32768}
    assert all(0 < segment.rate_factor <= 1 for segment in found.segments)


def test_work_is_shared_as_rates_say() -> None:
    found = calibrated(*measured(0.0))

    shares = [
        segment.send_seconds / (segment.send_seconds + segment.receive_seconds)
        for segment in found.segments
    ]
    assert shares == pytest.approx([0.6] * len(shares), abs=0.02)


def test_within_a_node_alone_there_is_no_network() -> None:
    inside, _ = measured(0.0)

    found = calibrated(inside, None)

    assert np.median(errors(found, inside, is_between=False)) < 0.005
    assert found.latency == 0


def test_a_burst_comes_back_only_where_messages_share_no_link() -> None:
    inside, outside = curves_of(within), curves_of(burst)

    shared = calibrated(inside, outside)
    alone = calibrated(inside, outside, is_alone=True)

    assert 1 / shared.bandwidth == pytest.approx(8e-8, rel=0.1)
    assert np.median(errors(shared, outside, is_between=True)) > 0.05
    assert np.median(errors(alone, outside, is_between=True)) < 0.05
    assert alone.bandwidth > 1e10


def wrong(curves: Curves) -> Curves:
    return {way: replace(curve, seconds=(0.0, *curve.seconds[1:])) for way, curve in curves.items()}


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (lambda inside, outside: (wrong(inside), outside), "a measured time is none"),
        (lambda inside, _: (inside, curves_of(between, 4096)), "need the same sizes"),
    ],
)
def test_curves_that_are_none_are_refused(
    broken: Callable[[Curves, Curves], tuple[Curves, Curves]], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        calibrated(*broken(*measured(0.0)))


def test_a_sweep_takes_medians_of_what_the_skeleton_says() -> None:
    played = sweep(4096, 3)
    steps = played.schedule.steps
    slow = len(steps) // 3  # all of the first pass takes ten times as long
    ended, now = [], 0.0
    for number, step in enumerate(steps):
        now += step.totals(played.schedule.grid).messages * (1e-5 if number < slow else 1e-6)
        ended.append(now)

    curves = played.curves(ended)

    assert curves["ping-pong"].sizes == sizes_to(4096)
    assert curves["ping-pong"].seconds == pytest.approx([1e-6] * len(sizes_to(4096)))
    assert curves["rate"].seconds == pytest.approx([65e-6 / 64] * len(sizes_to(4096)))
    with pytest.raises(InternalError, match="steps were played"):
        played.curves([*ended, now])
    with pytest.raises(UsageError, match="no size for a sweep"):
        sweep(100, 1)


TWO = (
    Segment(0, 1e-6, 0.0, 2e-6, 1e-9),
    Segment(1024, 3e-6, 0.0, 1e-6, 0.0, latency_factor=2.0, rate_factor=0.5),
)


def test_simgrid_is_told_where_segments_begin_and_who_pays() -> None:
    """The last that begins below a size counts; beyond 64 KiB the sender pays for both."""
    told = dict(one.split(":", 1) for one in segment_settings(TWO))

    assert told["smpi/ois"] == told["smpi/os"] == "0:1e-06:0;1023:3e-06:0;65535:4e-06:0"
    assert told["smpi/or"] == "0:2e-06:1e-09;1023:1e-06:0;65535:1e-06:0"
    assert told["smpi/lat-factor"] == "0:1;1039:2"
    assert told["smpi/bw-factor"] == "0:1;1039:0.5"
    platform = replace(PLATFORMS["crossbar"], segments=TWO)
    assert "--cfg=smpi/lat-factor:0:1;1039:2" in options(platform)
    assert not any(one.startswith("--cfg=smpi/lat-factor") and one.endswith(":0:1")
                   for one in options(platform))  # fmt: skip


def test_costs_by_route_are_told_to_simulated_programs() -> None:
    """Senders and receivers, within a node and between two; sizes begin where segments do."""
    own = (Segment(0, 1e-7, 0.0, 2e-7, 1e-10),)
    platform = replace(PLATFORMS["crossbar"], segments=TWO, node_segments=own)

    assert message_costs(platform) == (
        "0:1e-07:0;65536:3e-07:1e-10|0:1e-06:0;1024:3e-06:0;65536:4e-06:0|"
        "0:2e-07:1e-10;65536:2e-07:1e-10|0:2e-06:1e-09;1024:1e-06:0;65536:1e-06:0"
    )
    assert message_costs(replace(platform, node_segments=())) == ""
    line = Simulation(Path("/s"), Path("/p"), Path("/h"), 2, (), "x", message_costs="0:1:1").line(
        SimGrid("3.32", "smpirun", Path("/k"))
    )
    assert line.environment == {"ISOBATH_MESSAGE_COSTS": "0:1:1"}


def test_what_ranks_work_between_nodes_is_told_by_what_gives_streams_back() -> None:
    """Over TCP the streams; behind a link that alone decides what ranks work within a node."""
    wanted = Wanted("rate-limited:1gbit:2nodes", LARGEST)

    tcp = fitted_platform(
        wanted, {"within a node": curves_of(within), "between nodes": streamed()}, "a test"
    )
    slow = fitted_platform(wanted, dict(zip(PLACES, measured(0.0), strict=True)), "a test")

    assert tcp.segments[0].send_seconds == pytest.approx(8e-6, rel=0.05)
    assert tcp.node_segments[0].on_ranks(0) == pytest.approx(within(0), rel=0.05)
    assert slow.segments[0].on_ranks(0) == pytest.approx(within(0), rel=0.05)
    assert slow.node_segments[0].on_ranks(0) == pytest.approx(within(0), rel=0.05)
    alone = fitted_platform(Wanted(), {"within a node": curves_of(within)}, "a test")
    assert (alone.nodes, alone.node_segments) == (1, ())
    assert alone.segments[0].on_ranks(0) == pytest.approx(within(0), rel=0.05)


def found_of(calibration: Calibration, error: float = 0.01, *, is_busy: bool = False) -> Calibrated:
    platform = replace(
        PLATFORMS["crossbar"], source="measured", told="by a test", segments=calibration.segments
    )
    curve = Curve((1, 2), (1e-6, 2e-6))
    again = Curve((1, 2), (1e-6 * (1 + error), 2e-6 * (1 + error)))
    compared = (Compared("ping-pong", curve, again),)
    return Calibrated(platform, compared, "3.32", is_busy)


def test_what_is_written_is_read_as_a_platform(tmp_path: Path) -> None:
    found = found_of(calibrated(*measured(0.0)))
    file = tmp_path / "network.toml"
    file.write_text(platform_toml(found), encoding="utf-8")

    platform = read_platform(file)

    assert platform.source == "measured"
    assert platform.node_bandwidth == found.platform.node_bandwidth
    assert [one.from_bytes for one in platform.segments] == [0, 1024, 4096, 32768]
    for read, fitted in zip(platform.segments, found.platform.segments, strict=True):
        assert read.on_ranks(500) == pytest.approx(fitted.on_ranks(500), rel=1e-5)
    assert platform.node_segments == ()
    own = (Segment(0, 1e-7, 0.0, 2e-7, 1e-10), Segment(64, 2e-7, 0.0, 2e-7, 1e-10))
    routed = replace(found, platform=replace(found.platform, node_segments=own))
    file.write_text(platform_toml(routed), encoding="utf-8")
    assert read_platform(file).node_segments == own
    assert [one["from_bytes"] for one in facts_of(routed)["node_segments"]] == [0, 64]
    titles = [section.title for section in sections_of(routed)]
    assert "Segments of sizes within a node, fitted" in titles


def test_a_name_of_any_letters_is_read_again(tmp_path: Path) -> None:
    found = found_of(calibrated(*measured(0.0)))
    name = 'a "rack" \\ of ours'
    file = tmp_path / "network.toml"
    file.write_text(platform_toml(replace(found, platform=replace(found.platform, name=name))))
    assert read_platform(file).name == name


def test_a_busy_machine_is_told() -> None:
    calibration = calibrated(*measured(0.0))
    assert "Others used the processors" not in verdict(found_of(calibration))
    busy = found_of(calibration, is_busy=True)
    assert verdict(busy).startswith("Others used the processors meanwhile")
    assert facts_of(busy)["is_busy"] is True

    wanted = Wanted()
    assert BUSY not in platform_of(wanted, calibration, told_of("mpich", wanted, 0.0)).told
    assert BUSY in platform_of(wanted, calibration, told_of("mpich", wanted, 1000.0)).told


def test_the_verdict_names_what_does_not_come_back() -> None:
    calibration = calibrated(*measured(0.0))
    assert holds(found_of(calibration))
    assert "every measured curve comes back" in verdict(found_of(calibration))
    assert not holds(found_of(calibration, 0.06))
    assert "do not come back within 5%: ping-pong (6.0%)" in verdict(found_of(calibration, 0.06))


WHOLE = {"from_bytes": 0, "send_seconds": 1e-6, "send_seconds_per_byte": 0,
         "receive_seconds": 1e-6, "receive_seconds_per_byte": 0}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("x", r"segments are tables"),
        ([1], "segment 1 is no table"),
        ([WHOLE | {"x": 1}], "segment 1: there is no x"),
        ([{"from_bytes": 0}], "does not tell send_seconds"),
        ([WHOLE | {"send_seconds": -1}], "a number from 0 to 3600"),
        ([WHOLE | {"from_bytes": 0.5}], "whole number"),
        ([WHOLE | {"rate_factor": 0}], "above 0"),
        ([WHOLE | {"from_bytes": 8}], "begin at 0 bytes"),
        ([WHOLE, WHOLE], "each beyond the one before"),
    ],
)
def test_segments_that_are_none_end_in_a_sentence(value: object, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        read_segments(value, "network.toml")


def test_segments_and_an_overhead_contradict_each_other(tmp_path: Path) -> None:
    file = tmp_path / "network.toml"
    text = platform_toml(found_of(calibrated(*measured(0.0))))
    file.write_text(f"overhead_seconds = 1e-6\n{text}", encoding="utf-8")
    with pytest.raises(UsageError, match="leave overhead_seconds out"):
        read_platform(file)
