# SPDX-License-Identifier: Apache-2.0
"""Calibrations of made-up networks: the fit finds what they are made of, or says it cannot."""

from collections.abc import Callable, Iterator
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
from isobath.simulation.calibration import (
    Calibration,
    Compared,
    _Measured,
    _Route,
    calibrated,
)
from isobath.simulation.platform import NUMBERS, PLATFORMS, read_platform
from isobath.simulation.segments import Segment, read_segments, segment_settings
from isobath.simulation.simgrid import message_costs, options
from isobath.simulation.sweep import PLACES, Curve, Curves, Way, sizes_to, sweep
from isobath.stats.estimates import FloatArray
from isobath.units import format_bytes
from simulation.made_networks import (
    LARGEST,
    between,
    burst,
    burst_gap,
    curves_of,
    measured,
    over_tcp,
    streamed,
    tcp_work,
    waited,
    waited_work,
    within,
)


def errors(found: Calibration, curves: Curves) -> tuple[FloatArray, FloatArray]:
    """Of ping-pongs and of streams, relative."""
    return (
        _off(curves["ping-pong"], found.ping_pong),
        _off(curves["rate"], found.streamed),
    )


def _off(curve: Curve, of: Callable[[int], float]) -> FloatArray:
    again = [of(size) for size in curve.sizes]
    relative: FloatArray = np.abs(np.array(again) / np.array(curve.seconds) - 1)
    return relative


@pytest.mark.parametrize(("noise", "allowed"), [(0.0, 0.005), (0.03, 0.03)])
@pytest.mark.parametrize("is_between", [False, True])
def test_a_made_up_network_is_found_again(noise: float, allowed: float, is_between: bool) -> None:
    curves = measured(noise)[is_between]

    found = calibrated(curves, is_between=is_between)

    for curve in errors(found, curves):
        assert np.median(curve) <= allowed
    begins = {0, 1024, 32768} if is_between else {0, 4096}
    if not noise:
        assert begins <= {segment.from_bytes for segment in found.segments}
    if is_between:
        assert 1 / found.bandwidth == pytest.approx(8.6e-9, rel=0.02 + noise)


def test_work_is_shared_as_streams_say() -> None:
    found = calibrated(measured(0.0)[0], is_between=False)

    small = found.segments[0]
    assert small.sent(100) / small.on_ranks(100) == pytest.approx(0.6, abs=0.02)
    assert not any(segment.gap_seconds_per_byte for segment in found.segments)


def test_what_nobody_works_within_a_node_is_its_network() -> None:
    """No stream is faster than half a ping-pong by work alone; here it takes a third."""
    curves = curves_of(waited, gap=waited_work)

    found = calibrated(curves, is_between=False)

    alone, rate = errors(found, curves)
    assert np.max(alone) < 0.01
    assert np.max(rate[:-1]) < 0.01  # of the last SimGrid's sender works for both
    small = found.segments[0]
    for work in (small.sent(1), small.received(1)):
        assert work == pytest.approx(4e-7, rel=0.02)
    assert found.network(1) == pytest.approx(4e-7, rel=0.02)


def test_costs_of_a_network_over_tcp_are_found_again() -> None:
    curves = streamed()

    found = calibrated(curves, is_between=True)

    assert max(np.median(part) for part in errors(found, curves)) < 0.02
    small = found.segments[0]
    assert small.sent(1) == pytest.approx(8e-6, rel=0.05)
    assert small.received(1) == pytest.approx(8e-6, rel=0.05)


def test_a_burst_comes_back_and_messages_share_the_link() -> None:
    """A lone small message is many times as fast as its link; in a stream the card is busy."""
    curves = curves_of(burst, gap=burst_gap)

    found = calibrated(curves, is_between=True)

    alone, rate = errors(found, curves)
    assert np.median(alone) < 0.03
    assert np.median(rate) < 0.03
    assert 1 / found.bandwidth == pytest.approx(8e-8, rel=0.02)
    assert found.gap(1024) == pytest.approx(burst_gap(1024), rel=0.05)
    assert found.network(128) < 2e-5
    assert found.segment_of(512).rate_factor > 1.5
    assert found.segments[-1].rate_factor == 1


@pytest.mark.parametrize(
    ("network", "gap"), [(between, None), (burst, burst_gap), (over_tcp, tcp_work)]
)
@pytest.mark.parametrize(("place", "times"), [(-1, 0.7), (-1, 2), (-2, 1.4), (-3, 1.4), (-4, 10)])
def test_one_disturbed_large_message_does_not_move_the_rate(
    network: Callable[[int], float],
    gap: Callable[[int], float] | None,
    place: int,
    times: float,
) -> None:
    """On 16 MiB, too, which nobody measured."""
    curves = disturbed(curves_of(network, gap=gap), place, times)

    found = calibrated(curves, is_between=True)

    byte = (network(1 << 20) - network(1 << 19)) / (1 << 19)
    assert 1 / found.bandwidth == pytest.approx(byte, rel=0.02)
    assert found.ping_pong(1 << 24) == pytest.approx(network(1 << 24), rel=0.02)


def test_large_messages_of_no_rate_are_refused() -> None:
    """A rate without end was written of them."""
    curves = curves_of(over_tcp, gap=tcp_work)
    alone = curves["ping-pong"]
    level = tuple(min(seconds, over_tcp(65536)) for seconds in alone.seconds)
    with pytest.raises(UsageError, match="took no longer than those of half as many bytes"):
        calibrated({**curves, "ping-pong": Curve(alone.sizes, level)}, is_between=True)
    with pytest.raises(UsageError, match="up to 65536 bytes do not tell the rate of a link"):
        calibrated(curves_of(over_tcp, 65536, gap=tcp_work), is_between=True)


@pytest.mark.parametrize("curves", [curves_of(burst, gap=burst_gap), streamed()])
def test_a_cold_first_message_moves_nothing_else(curves: Curves) -> None:
    """Gaps of all sizes were reckoned with it."""
    cold = disturbed(curves, 0, 30)
    gaps, moved = _Measured(curves).gaps, _Measured(cold).gaps

    assert moved[1:] == pytest.approx(gaps[1:], rel=1e-4, nan_ok=True)
    assert _Route(_Measured(cold), is_between=True).busy == (
        _Route(_Measured(curves), is_between=True).busy
    )


def test_a_stream_faster_than_can_be_is_not_known() -> None:
    """A gap of a nanosecond in its place was all that a segment was fitted to."""
    curves = curves_of(waited, gap=waited_work)
    rate = curves["rate"]
    seconds = list(rate.seconds)
    seconds[3] = waited(8) / 64
    found = calibrated({**curves, "rate": Curve(rate.sizes, tuple(seconds))}, is_between=False)

    assert np.isnan(_Measured({**curves, "rate": Curve(rate.sizes, tuple(seconds))}).gaps[3])
    for size in (1, 8, 32):
        assert found.segment_of(size).sent(size) == pytest.approx(waited_work(size), rel=0.02)


@pytest.mark.parametrize("nearly", [49152, 32768, 4096])
def test_messages_that_nobody_streamed_keep_no_card(nearly: int) -> None:
    """Wherever the link begins to be busy: from 64 KiB on a segment of its own begins."""

    def gap(size: int) -> float:
        return 1.5e-8 * size if size >= nearly else 1e-3

    found = calibrated(curves_of(lambda size: 1.1e-3 + 8e-9 * size, gap=gap), is_between=True)

    assert 65536 in {segment.from_bytes for segment in found.segments}
    for segment in found.segments:
        if segment.from_bytes >= 65536:
            assert segment.gap(1 << 20) == 0


def disturbed(curves: Curves, place: int, times: float) -> Curves:
    """One size of its ping-pongs took so many times as long."""
    seconds = list(curves["ping-pong"].seconds)
    seconds[place] *= times
    return {**curves, "ping-pong": Curve(curves["ping-pong"].sizes, tuple(seconds))}


def test_a_size_that_was_disturbed_counts_little() -> None:
    """One of 35 took ten times as long: by least squares its neighbours would, too."""
    curves = curves_of(waited, gap=waited_work)
    alone = curves["ping-pong"]

    for place in (20, -4, -3, -2, -1):
        found = calibrated(disturbed(curves, place, 10), is_between=False)
        off = np.delete(_off(alone, found.ping_pong), place)
        assert np.max(off) < 0.005, place


@pytest.mark.parametrize("is_between", [False, True])
def test_segments_are_the_best_of_all(is_between: bool) -> None:
    """Every way to cut a few sizes is tried, the slow way."""
    curves = curves_of(between if is_between else within, 1 << 18, noise=0.1)
    route = _Route(_Measured(curves), is_between=is_between)
    begin, end = (route.busy, route.busy + 10) if is_between else (0, 14)
    points = end - begin + int(np.sum(np.isfinite(route.measured.gaps[begin:end])))

    def criterion(parts: list[tuple[int, int]]) -> float:
        total = sum(route._fit(low, high).error for low, high in parts)
        fit = 2 * points * np.log(total / points + 0.01)
        return float(fit + 5 * len(parts) * np.log(points))

    def ways(start: int) -> Iterator[list[tuple[int, int]]]:
        if start == end:
            yield []
        for last in range(start + 1, end):
            for more in ways(last + 1):
                yield [(start, last), *more]

    assert criterion(route._parts(begin, end)) == pytest.approx(min(map(criterion, ways(begin))))


def test_a_stream_is_kept_back_by_its_slowest_part() -> None:
    """By hand: work, the link, the card; there and back a card has twice as long."""
    one = Segment(0, 1e-6, 0.0, 2e-6, 0.0, 1.0, 1.0, 0.0, 0.0)
    apart = Calibration(4e-6, 1e9, (one,), is_shared=True)
    assert apart.ping_pong(984) == pytest.approx(8e-6)
    assert apart.gap(984) == pytest.approx(2e-6)
    assert apart.gap(4984) == pytest.approx(5e-6)
    assert replace(apart, is_shared=False).gap(4984) == pytest.approx(2e-6)
    assert apart.streamed(984) == pytest.approx((63 * 2e-6 + 8e-6 + apart.ping_pong(1)) / 64)
    carded = replace(apart, segments=(replace(one, gap_seconds=2e-5),))
    assert carded.gap(984) == pytest.approx(2e-5)
    assert carded.ping_pong(984) == pytest.approx(1e-5)
    large = 65536  # its sender works for both, and the last of eight is waited for
    assert apart.gap(large) == pytest.approx((large + 16) / 1e9 + (4e-6 + (large + 16) / 1e9) / 8)


def wrong(curves: Curves) -> Curves:
    return {way: replace(curve, seconds=(0.0, *curve.seconds[1:])) for way, curve in curves.items()}


@pytest.mark.parametrize("way", ["ping-pong", "rate"])
def test_curves_that_are_none_are_refused(way: Way) -> None:
    curves = curves_of(within)
    with pytest.raises(UsageError, match="a measured time is none"):
        calibrated({**curves, way: wrong(curves)[way]}, is_between=False)
    with pytest.raises(UsageError, match="2 sizes are too few"):
        calibrated({**curves, "ping-pong": Curve((1, 2), (1e-6, 1e-6))}, is_between=False)


def test_a_sweep_takes_medians_of_what_the_skeleton_says() -> None:
    played = sweep(4096, 3)
    steps = played.schedule.steps
    warm_up = {
        number
        for part in range(3)
        for number in range(part * len(steps) // 3, part * len(steps) // 3 + 32)
    }
    slow = len(steps) // 3  # all of the first pass takes ten times as long
    ended, now = [], 0.0
    for number, step in enumerate(steps):
        each = 1e-5 if number < slow else 1e-3 if number in warm_up else 1e-6
        now += step.totals(played.schedule.grid).messages * each
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
        "0:2e-07:1e-10;65536:2e-07:1e-10|0:2e-06:1e-09;1024:1e-06:0;65536:1e-06:0|"
        "0:1:1|0:1:1;1024:2:0.5|0:0:0;1024:0:0"
    )
    assert not any("-factor:0" in one for one in options(platform) if "smpi" in one)
    busy = (TWO[0], replace(TWO[1], gap_seconds=1e-5, gap_seconds_per_byte=2e-9))
    told = message_costs(replace(platform, node_segments=(), segments=busy)).split("|")
    assert told[-1] == "0:0:0;1024:1e-05:2e-09"
    assert told[0] == told[1]  # a node's messages cost as much as the others
    assert told[4] == told[5]
    assert message_costs(replace(platform, node_segments=())) == ""
    line = Simulation(Path("/s"), Path("/p"), Path("/h"), 2, (), "x", message_costs="0:1:1").line(
        SimGrid("3.32", "smpirun", Path("/k"))
    )
    assert line.environment == {"ISOBATH_MESSAGE_COSTS": "0:1:1"}
    plain = Simulation(Path("/s"), Path("/p"), Path("/h"), 2, (), "x")
    assert plain.line(SimGrid("3.32", "smpirun", Path("/k"))).environment == {
        "ISOBATH_MESSAGE_COSTS": ""  # whatever a shell still has
    }


def test_each_route_is_fitted_by_its_own_sweeps() -> None:
    wanted = Wanted("rate-limited:1gbit:2nodes", LARGEST)
    curves = dict(zip(PLACES, (curves_of(waited, gap=waited_work), streamed()), strict=True))

    both = fitted_platform(wanted, curves, "a test")
    apart = fitted_platform(replace(wanted, is_apart=True), {"between nodes": streamed()}, "a test")
    alone = fitted_platform(Wanted(), {"within a node": curves["within a node"]}, "a test")

    assert both.segments[0].send_seconds == pytest.approx(8e-6, rel=0.05)
    assert both.node_segments[0].send_seconds == pytest.approx(4e-7, rel=0.05)
    assert both.node_latency > 3e-7
    assert (apart.segments, apart.node_segments) == (both.segments, ())
    assert apart.node_latency == 0
    assert "of nodes with one rank each" in apart.told
    assert (alone.nodes, alone.node_segments) == (1, ())
    assert (alone.segments, alone.node_latency) == (both.node_segments, both.node_latency)


def found_of(calibration: Calibration, error: float = 0.01, *, is_busy: bool = False) -> Calibrated:
    platform = replace(
        PLATFORMS["crossbar"], source="measured", told="by a test", segments=calibration.segments
    )
    curve = Curve((1, 2), (1e-6, 2e-6))
    again = Curve((1, 2), (1e-6 * (1 + error), 2e-6 * (1 + error)))
    compared = (Compared("ping-pong", curve, again),)
    return Calibrated(platform, compared, "3.32", is_busy)


def test_what_is_written_is_read_as_a_platform(tmp_path: Path) -> None:
    found = found_of(calibrated(measured(0.0)[1], is_between=True))
    file = tmp_path / "network.toml"
    file.write_text(platform_toml(found), encoding="utf-8")

    platform = read_platform(file)

    assert platform.source == "measured"
    numbers = ("bandwidth", "latency", "node_bandwidth", "node_latency")
    for name in numbers:
        assert getattr(platform, name) == pytest.approx(getattr(found.platform, name), rel=1e-8)
        assert facts_of(found)[NUMBERS[name]] == getattr(found.platform, name)
    starts = [one.from_bytes for one in found.platform.segments]
    assert [one.from_bytes for one in platform.segments] == starts
    for read, fitted in zip(platform.segments, found.platform.segments, strict=True):
        assert read.on_ranks(500) == pytest.approx(fitted.on_ranks(500), rel=1e-5)
        for size in (0, 500):
            assert read.sent(size) == pytest.approx(fitted.sent(size), rel=1e-5)
            assert read.gap(size) == pytest.approx(fitted.gap(size), rel=1e-5)
        assert read.latency_factor == pytest.approx(fitted.latency_factor, rel=1e-5)
        assert read.rate_factor == pytest.approx(fitted.rate_factor, rel=1e-5)
    assert platform.node_segments == ()
    own = (
        Segment(0, 1e-7, 0.0, 2e-7, 1e-10),
        Segment(64, 2e-7, 0.0, 2e-7, 1e-10, latency_factor=2.0, rate_factor=0.5),
    )
    routed = replace(found, platform=replace(found.platform, node_segments=own))
    file.write_text(platform_toml(routed), encoding="utf-8")
    assert read_platform(file).node_segments == own
    assert [one["from_bytes"] for one in facts_of(routed)["node_segments"]] == [0, 64]
    titles = [section.title for section in sections_of(routed)]
    assert "Segments of sizes within a node, fitted" in titles


def test_a_name_of_any_letters_is_read_again(tmp_path: Path) -> None:
    found = found_of(calibrated(measured(0.0)[1], is_between=True))
    name = 'a "rack" \\ of ours'
    file = tmp_path / "network.toml"
    file.write_text(platform_toml(replace(found, platform=replace(found.platform, name=name))))
    assert read_platform(file).name == name


def test_a_busy_machine_is_told() -> None:
    calibration = calibrated(measured(0.0)[1], is_between=True)
    assert "Others used the processors" not in verdict(found_of(calibration))
    busy = found_of(calibration, is_busy=True)
    assert verdict(busy).startswith("Others used the processors meanwhile")
    assert facts_of(busy)["is_busy"] is True

    wanted = Wanted()
    assert BUSY not in platform_of(wanted, calibration, told_of("mpich", wanted, 0.0)).told
    assert BUSY in platform_of(wanted, calibration, told_of("mpich", wanted, 1000.0)).told


def test_the_verdict_names_what_does_not_come_back() -> None:
    calibration = calibrated(measured(0.0)[1], is_between=True)
    assert holds(found_of(calibration))
    assert "every measured curve comes back" in verdict(found_of(calibration))
    assert not holds(found_of(calibration, 0.06))
    assert "do not come back within 5%: ping-pong (6.0%)" in verdict(found_of(calibration, 0.06))


@pytest.mark.parametrize("place", [-3, -2, -1])
def test_one_large_message_that_does_not_come_back_is_named(place: int) -> None:
    """Medians do not see it, and the rate rests on it."""
    found = found_of(calibrated(measured(0.0)[1], is_between=True))
    sizes = sizes_to(1 << 20)
    true = Curve(sizes, tuple(1e-9 * size for size in sizes))
    off = [1.11 if size == sizes[place] else 1.0 for size in sizes]
    again = Curve(sizes, tuple(np.array(true.seconds) * off))

    wrong = replace(found, curves=(Compared("ping-pong between nodes", true, again),))
    stream = replace(found, curves=(Compared("rate between nodes", true, again),))
    small = Curve(sizes, (2e-9, *true.seconds[1:]))
    cold = replace(found, curves=(Compared("ping-pong between nodes", true, small),))

    assert not holds(wrong)
    assert f"of {format_bytes(sizes[place])} (+11.0%)" in verdict(wrong)
    assert "every measured curve" not in verdict(wrong)
    assert holds(stream)
    assert holds(cold)


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
    text = platform_toml(found_of(calibrated(measured(0.0)[1], is_between=True)))
    file.write_text(f"overhead_seconds = 1e-6\n{text}", encoding="utf-8")
    with pytest.raises(UsageError, match="leave overhead_seconds out"):
        read_platform(file)
