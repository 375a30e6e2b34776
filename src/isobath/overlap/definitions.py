# SPDX-License-Identifier: Apache-2.0
"""The definitions of overlap side by side; derived in docs/explanation/overlap.md.

Times are seconds of one setting, each the median over repetitions unless a function says otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True)
class Times:
    """What was measured, over all ranks together."""

    blocking: float
    """the blocking call, C_b"""
    nonblocking: float
    """start and wait with nothing between, C_n"""
    work: float
    """the work alone, W0"""
    no_overlap: float
    """blocking call, then work, T_nov"""
    overlap: float
    """start, work, wait, T_ov"""
    work_inside: float
    """the work as it ran between start and wait, W_in, without tests"""


def hidden_seconds(times: Times) -> float:
    """C_n + W0 - T_ov: what came for nothing. Negative: together they took longer than in turn."""
    return times.nonblocking + times.work - times.overlap


def overlap_ratio(times: Times) -> float:
    """Hidden time as a part of the most that can be hidden; not clamped, so it may be negative."""
    return hidden_seconds(times) / min(times.nonblocking, times.work)


def clamped(ratio: float) -> float:
    """The same between 0 and 1, as charts show it."""
    return min(1.0, max(0.0, ratio))


def core_availability(times: Times) -> float:
    """W0 / W_in: 1 where the work ran as if nothing else did, 0.5 where half its core was taken."""
    return times.work / times.work_inside


def speedup(times: Times) -> float:
    """T_nov / T_ov of the SHARP paper's overlap test."""
    return times.no_overlap / times.overlap


def speedup_bound(times: Times) -> float:
    """What perfect overlap of the non-blocking call would give: (C_b + W0) / max(C_n, W0)."""
    return (times.blocking + times.work) / max(times.nonblocking, times.work)


def nonblocking_penalty(times: Times) -> float:
    """C_n / C_b."""
    return times.nonblocking / times.blocking


def osu_percent(*, overall: float, compute: float, test: float, pure: float) -> float:
    """As OSU 7.4: means over ranks and repetitions; the computing is as long as it is, however
    little it does. ``compute`` contains the tests.
    """
    return max(0.0, 100 - (overall - (compute - test)) / pure * 100)


def sharp_paper_percent(*, overall: float, compute: float, pure: float) -> float:
    """The formula that Nanri, Ohshima and Ono print, 100 - (T_all - T_comp) / T_comm * 100: tests
    are not taken out and nothing is clamped. T_comm is ``pure``, start and wait without work.
    """
    return 100 - (overall - compute) / pure * 100


def imb_percent(*, pure: float, work: float, overlapped: float) -> float:
    """As IMB-NBC: of the rank that took longest. ``work`` is the work as it ran inside."""
    part = (pure + work - overlapped) / max(pure, work)
    return 100 * clamped(part)


def osu_of(
    overall: Sequence[Sequence[int]],
    compute: Sequence[Sequence[int]],
    test: Sequence[Sequence[int]],
    pure: Sequence[Sequence[int]],
) -> float:
    """OSU's percentage of times by rank and repetition."""
    return osu_percent(
        overall=_mean(overall), compute=_mean(compute), test=_mean(test), pure=_mean(pure)
    )


def sharp_paper_of(
    overall: Sequence[Sequence[int]],
    compute: Sequence[Sequence[int]],
    pure: Sequence[Sequence[int]],
) -> float:
    """The SHARP paper's percentage of times by rank and repetition."""
    return sharp_paper_percent(overall=_mean(overall), compute=_mean(compute), pure=_mean(pure))


def imb_of(
    pure: Sequence[Sequence[int]],
    work: Sequence[Sequence[int]],
    overlapped: Sequence[Sequence[int]],
) -> float:
    """IMB's percentage of times by rank and repetition: means of each rank, then the slowest."""
    slowest = max(range(len(overlapped)), key=lambda rank: fmean(overlapped[rank]))
    return imb_percent(
        pure=fmean(pure[slowest]),
        work=fmean(work[slowest]),
        overlapped=fmean(overlapped[slowest]),
    )


def _mean(by_rank: Sequence[Sequence[int]]) -> float:
    return fmean(fmean(times) for times in by_rank)


DISAGREEMENT_PERCENT = 10.0
"""OSU and the hidden share further apart than this are worth a word."""


def disagree(times: Times, osu: float) -> bool:
    """Does OSU's percentage say something else than the hidden share?"""
    return abs(osu - 100 * clamped(overlap_ratio(times))) > DISAGREEMENT_PERCENT
