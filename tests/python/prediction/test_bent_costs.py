# SPDX-License-Identifier: Apache-2.0
"""Bytes that take longer in large calls than in small ones: found again, and nowhere else."""

import numpy as np
import pytest

from isobath.prediction.calls import BYTE_BETWEEN, BYTE_BEYOND, Call, Group, terms_of
from isobath.prediction.costs import Timed, _clearly_best, fitted_costs

LATENCY, BYTE, SLOW_BYTE, BEND = 2e-5, 1e-8, 8e-8, 2048
SIZES = (16, 64, 256, 512, 1024, 1500, 4096, 8192, 16384, 32768)


def gather(nodes: int, between: float) -> Call:
    """An allgatherv of one rank a node that brings so many bytes."""
    return Call(1, "expand", "allgatherv", Group(nodes, nodes, 1), 1, nodes - 1, between)


def exchange(messages: int, sent: float) -> Call:
    """An exchange of two nodes."""
    return Call(1, "fold", "isend", Group(2, 2, 1), 1, messages, sent)


def bent(call: Call) -> float:
    """Seconds where bytes beyond ``BEND`` take longer."""
    terms = terms_of(call)
    between = terms[BYTE_BETWEEN]
    return float(
        LATENCY * terms[3] + BYTE * between + (SLOW_BYTE - BYTE) * max(0.0, between - BEND)
    )


def straight(call: Call) -> float:
    """Seconds where they do not."""
    return float(LATENCY * terms_of(call)[3] + BYTE * terms_of(call)[BYTE_BETWEEN])


def test_a_bend_between_small_and_large_calls_is_found() -> None:
    calls = [gather(nodes, size) for nodes in (2, 4, 8) for size in SIZES]

    costs = fitted_costs([Timed(one, bent(one)) for one in calls], "made").by_call["allgatherv"]

    assert costs.bend == BEND
    assert set(costs.bend_draws) == {BEND}
    assert costs.central[BYTE_BETWEEN] == pytest.approx(BYTE, rel=0.02)
    assert costs.central[BYTE_BETWEEN] + costs.central[BYTE_BEYOND] == pytest.approx(SLOW_BYTE)
    far = gather(16, 1e6)
    assert costs.seconds(far) == pytest.approx(bent(far), rel=0.02)


def test_straight_costs_have_no_bend() -> None:
    rng = np.random.default_rng(3)
    calls = [gather(nodes, size) for nodes in (2, 4, 8) for size in SIZES]
    noise = np.exp(0.1 * rng.standard_normal(len(calls)))
    timed = [Timed(one, straight(one) * float(by)) for one, by in zip(calls, noise, strict=True)]

    costs = fitted_costs(timed, "made").by_call["allgatherv"]

    assert costs.bend == max(SIZES)
    assert np.mean(costs.bend_draws == max(SIZES)) > 0.5
    assert costs.central[BYTE_BEYOND] == 0
    assert costs.central[BYTE_BETWEEN] == pytest.approx(BYTE, rel=0.1)


@pytest.mark.parametrize("is_slower", [True, False])
def test_beyond_its_own_calls_a_byte_takes_no_less_than_in_those_measured_furthest(
    is_slower: bool,
) -> None:
    """Gathers were measured to 512 bytes, exchanges to megabytes, at another price or not."""
    byte = SLOW_BYTE if is_slower else BYTE / 4
    timed = [
        Timed(one, straight(one)) for one in (gather(n, s) for n in (2, 4, 8) for s in SIZES[:4])
    ]
    for messages in (1, 2, 5, 9):
        for sent in (64.0, 3e3, 1e5, 4e6):
            timed.append(Timed(exchange(messages, sent), LATENCY + 1e-6 * messages + byte * sent))

    costs = fitted_costs(timed, "made").by_call["allgatherv"]

    inside, far = gather(4, 400), gather(4, 20_000)
    assert costs.seconds(inside) == pytest.approx(straight(inside), rel=0.02)
    more = (max(byte, BYTE) - BYTE) * (20_000 - 512)
    assert costs.seconds(far) == pytest.approx(straight(far) + more, rel=0.02)
    draws = costs.draws @ costs.terms(far)
    assert np.median(draws) == pytest.approx(straight(far) + more, rel=0.02)


def test_what_was_measured_beyond_a_bend_stays_as_it_was() -> None:
    """Bytes of exchanges, measured to megabytes, take three times as long."""
    calls = [gather(nodes, size) for nodes in (2, 4, 8) for size in SIZES]
    timed = [Timed(one, bent(one)) for one in calls]
    for messages in (1, 2, 5, 9):
        for sent in (64.0, 3e3, 1e5, 4e6):
            seconds = LATENCY + 1e-6 * messages + 3 * SLOW_BYTE * sent
            timed.append(Timed(exchange(messages, sent), seconds))

    costs = fitted_costs(timed, "made").by_call["allgatherv"]

    for call in (*calls, gather(4, 1e5)):
        assert costs.seconds(call) == pytest.approx(bent(call), rel=0.02)


def test_a_bend_that_cannot_be_told_is_another_in_each_draw() -> None:
    """Few calls that scatter. Each draw counts the bytes beyond its own."""
    rng = np.random.default_rng(5)
    calls = [gather(nodes, size) for nodes in (2, 8) for size in SIZES]
    noise = np.exp(0.35 * rng.standard_normal(len(calls)))
    timed = [Timed(one, bent(one) * float(by)) for one, by in zip(calls, noise, strict=True)]

    costs = fitted_costs(timed, "made").by_call["allgatherv"]

    assert len(set(costs.bend_draws)) > 2
    call = gather(4, 1e6)
    drawn = costs.drawn_terms(call.terms[None, :], call.calls)
    assert drawn.shape == costs.draws.shape
    for terms, bend in zip(drawn, costs.bend_draws, strict=True):
        assert terms[BYTE_BEYOND] == max(0.0, call.terms[BYTE_BETWEEN] - bend)


def test_bends_are_chosen_as_trying_each_would() -> None:
    """None unless another makes errors clearly smaller; of those the smallest."""
    for off, chosen in (
        ([0.3, 0.28, 0.29], 0),  # by less than a tenth
        ([0.3, 0.25, 0.2, 0.26], 2),
        ([0.05, 0.0449, 0.0451], 0),  # by a tenth, but less than a hundredth
        ([0.05, 0.06, 0.03], 2),
        ([0.2], 0),
    ):
        best, least = 0, min(0.9 * off[0], off[0] - 0.01)
        for place, wrong in enumerate(off):
            if wrong < least:
                best, least = place, wrong
        assert _clearly_best(np.array(off)) == best == chosen
