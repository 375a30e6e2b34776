# SPDX-License-Identifier: Apache-2.0
"""Seconds of the parts of a search, each with draws: calls, computation, waiting.

Draws that go by the same key are the same wherever they are asked for: what searches and choices
have in common cancels where they are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

import numpy as np

from isobath.costmodel.arcs import DEVIATIONS, Range
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.volume import OUTSIDE
from isobath.prediction.calls import BYTE_BETWEEN, BYTE_BEYOND, Call, Layout, doublings
from isobath.prediction.costs import DRAWS, NORMAL, CallCosts, Costs, between
from isobath.prediction.links import Links
from isobath.prediction.network_file import Offload
from isobath.prediction.upcoming import ToCome
from isobath.prediction.work import LevelWork
from isobath.prediction.work_costs import WorkCosts
from isobath.stats.estimates import FloatArray

COMPUTING, WAITING = "computation", "waiting"
ENDS = (0.05, 0.95)


@dataclass(frozen=True)
class Spread:
    """A predicted number between the ends of its 90 % interval."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Piece:
    """Predicted seconds of one phase of one level."""

    level: int
    phase: str
    call: str
    """computation and waiting are none: empty"""
    seconds: float
    draws: FloatArray

    @property
    def spread(self) -> Spread:
        """With its interval."""
        return spread_of(self.seconds, self.draws)


def spread_of(middle: float, draws: FloatArray) -> Spread:
    """The 90 % interval of draws about a central value that it always holds."""
    low, high = np.quantile(draws, ENDS)
    return Spread(min(float(low), middle), middle, max(float(high), middle))


def of_calls(
    calls: Sequence[ToCome],
    layout: Layout,
    costs: Costs,
    offload: Offload | None,
    used: dict[str, None],
    number: int,
) -> list[Piece]:
    """Args: number is the search's, whose volumes are drawn; used is told what costs rest on."""
    volume = _normal(5, number) * NORMAL / DEVIATIONS
    rate = None if costs.links is None else _rate(costs.links)
    return [
        _offloaded(coming.call, offload)
        if offload is not None and is_offloaded(coming, offload)
        else _of_call(coming, layout, costs, used, volume, rate)
        for coming in calls
    ]


def expected_seconds(
    calls: Sequence[ToCome],
    works: Sequence[LevelWork],
    layout: Layout,
    costs: Costs,
    work_costs: WorkCosts,
    offload: Offload | None,
) -> float:
    """Of calls, computation and waiting, without draws."""
    inside = {work.level: 0.0 for work in works}
    seconds = 0.0
    for coming in calls:
        took = _expected_of_call(coming, layout, costs, offload)
        seconds += took
        if coming.call.level in inside:
            inside[coming.call.level] += took
    for work in works:
        computing = work_costs.central_seconds(work)
        seconds += computing + work_costs.waits(computing, inside[work.level], layout.grid.size)
    return seconds


def _expected_of_call(
    coming: ToCome, layout: Layout, costs: Costs, offload: Offload | None
) -> float:
    if offload is not None and is_offloaded(coming, offload):
        return sum(
            cost.expected * number for cost, number in _offloaded_parts(coming.call, offload)
        )
    call = coming.call
    return costs.of(call).seconds(call) + costs.over_links(call, layout, call.along)


def _rate(links: Links) -> FloatArray:
    """Of a link, as shares of what is expected: alike in all calls."""
    rates: FloatArray = between(links.cost, _normal(13)) / max(links.cost.expected, 1e-300)
    return rates


def is_offloaded(coming: ToCome, offload: Offload | None) -> bool:
    """Switches do it: a reduction of the library's, not what ranks add up themselves."""
    is_reduction = coming.call.phase == "reduce" and coming.call.pattern == "reduction"
    return is_reduction and offload is not None


def _of_call(
    coming: ToCome,
    layout: Layout,
    costs: Costs,
    used: dict[str, None],
    volume: FloatArray,
    rate: FloatArray | None,
) -> Piece:
    call = coming.call
    known = costs.of(call)
    used[known.of] = None
    middle = known.terms(call)
    terms = _drawn_terms(coming, known, middle, volume)
    # Alike in all searches: what a call is wrong by in a level it is wrong by in each of them.
    error = _normal(7, call.level + 1, *call.name.encode()[:6])
    seconds, parts = known.seconds(call), np.maximum(terms, 0) * known.draws
    beyond = costs.over_links(call, layout, call.along)
    if beyond > 0 and costs.links is not None and rate is not None:
        used[f"{costs.links.topology.words}: {call.phase}, {call.name} by its busiest link"] = None
        seconds += beyond
        own = middle * known.central
        load = (own[BYTE_BETWEEN] + own[BYTE_BEYOND] + beyond) * rate
        share = terms[:, BYTE_BETWEEN] / max(middle[BYTE_BETWEEN], 1e-300)
        adapters = parts[:, BYTE_BETWEEN] + parts[:, BYTE_BEYOND]
        parts[:, BYTE_BETWEEN] = np.maximum(adapters, load * share)
        parts[:, BYTE_BEYOND] = 0.0
    draws = np.sum(parts, axis=1) * np.exp(known.scatter * error)
    return Piece(call.level, call.phase, call.name, seconds, draws)


def _drawn_terms(
    coming: ToCome, known: CallCosts, middle: FloatArray, volume: FloatArray
) -> FloatArray:
    """Of shape (draws, 9)."""
    is_exact = coming.least_bytes == coming.call.bytes_sent == coming.most_bytes
    if is_exact:  # as most are
        return known.drawn_terms(middle[None, :], coming.call.calls)
    up, down = coming.most.terms - coming.call.terms, coming.call.terms - coming.least.terms
    shares = volume[:, None]
    drawn: FloatArray = middle + np.where(shares > 0, shares * up, shares * down) / NORMAL
    return known.drawn_terms(drawn, coming.call.calls)


@lru_cache(maxsize=4096)
def _normal(*key: int) -> FloatArray:
    """Standard normal draws of a key. Shape (draws,); not to be written to."""
    normal = np.random.default_rng(key).standard_normal(DRAWS)
    normal.flags.writeable = False
    return normal


def _offloaded(call: Call, offload: Offload) -> Piece:
    """Source: SHARP-like trees; pieces of 256 bytes, pipelined (network.md 5.2)."""
    rng = np.random.default_rng(11)
    parts = _offloaded_parts(call, offload)
    draws = np.sum([between(cost, rng.standard_normal(DRAWS)) * n for cost, n in parts], axis=0)
    seconds = sum(cost.expected * n for cost, n in parts)
    return Piece(call.level, call.phase, f"{call.name}, offloaded", seconds, draws)


def _offloaded_parts(call: Call, offload: Offload) -> tuple[tuple[Range, float], ...]:
    hops = 2 * doublings(call.group.nodes)
    pieces = max(1, ceil(call.piece / 256))
    return (
        (offload.host, call.calls),
        (offload.hop, call.calls * hops),
        (offload.piece, call.calls * pieces),
    )


def of_work(
    works: Sequence[LevelWork], costs: WorkCosts, calls: Sequence[Piece], ranks: int
) -> list[Piece]:
    """Computation, and waiting for who computes or is served longest, where that is known."""
    wrong = np.exp(costs.error * _normal(17))
    pieces = []
    for work in works:
        seconds, draws = costs.seconds(work)
        draws = draws * wrong
        pieces.append(Piece(work.level, COMPUTING, "", seconds, draws))
        if not costs.knows_waiting(ranks):
            continue
        own = [piece for piece in calls if piece.level == work.level]
        inside = sum(piece.seconds for piece in own)
        inside_draws = np.sum([piece.draws for piece in own], axis=0)
        waiting = costs.waits(seconds, inside, ranks)
        waiting_draws = costs.drawn_waits(draws, inside_draws, ranks)
        pieces.append(Piece(work.level, WAITING, "", waiting, waiting_draws))
    return pieces


def outside_of_levels(setting: GraphSetting, costs: WorkCosts) -> Piece:
    """What a search takes before its first level and after its last, without calls."""
    vertices = setting.blocks.vertices_per_rank
    return Piece(OUTSIDE, COMPUTING, "", costs.outside * vertices, costs.outside_draws * vertices)


def add_to(pieces: dict[tuple[int, str, str], Piece], piece: Piece, share: float) -> None:
    """To what is there of the same phase of the same level."""
    key = (piece.level, piece.phase, piece.call)
    before = pieces.get(key)
    seconds, draws = piece.seconds * share, piece.draws * share
    if before is not None:
        seconds, draws = seconds + before.seconds, draws + before.draws
    pieces[key] = replace(piece, seconds=seconds, draws=draws)
