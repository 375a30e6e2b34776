# SPDX-License-Identifier: Apache-2.0
"""Named benchmarks: a design, how often it is launched, when a cell has been repeated enough."""

from collections.abc import Callable
from dataclasses import dataclass

from isobath.bench.design import FORMS, GIB, BenchDesign
from isobath.bench.plan import StopRule
from isobath.records.collective import COLLECTIVE_NAMES
from isobath.settings.values import parse_sizes


@dataclass(frozen=True)
class Preset:
    """A benchmark with a name."""

    name: str
    says: str
    """what it answers, in a line"""
    design: BenchDesign
    launches: int
    stop: StopRule


def _small() -> Preset:
    """All collectives and forms, few sizes, few repetitions."""
    few = parse_sizes("", "8:1M:8")
    return Preset(
        "small",
        "every collective and form, 1 B to 4 MiB, and every algorithm at ten sizes",
        BenchDesign(
            collectives=COLLECTIVE_NAMES,
            forms=FORMS,
            sizes=parse_sizes("", "1:4M"),
            some_sizes={"nonblocking": few, "persistent": few},
            algorithms=("all",),
            algorithm_sizes=parse_sizes("", "16:4M:4"),
        ),
        3,
        StopRule(half_width=0.03, least=20, most=300, budget_seconds=0.1),
    )


def _tsubame() -> Preset:
    """Figure 3 of the TSUBAME 2.0 paper."""
    return Preset(
        "tsubame-figure-3",
        "all-to-all rate against ranks for buffers of 64, 256 and 1,024 MB per rank",
        BenchDesign(
            collectives=("alltoallv",), buffer_totals=(64_000_000, 256_000_000, 1_024_000_000)
        ),
        5,
        StopRule(half_width=0.05, least=5, most=50, budget_seconds=5.0),
    )


def _irregular() -> Preset:
    """The same total in other distributions."""
    return Preset(
        "irregular",
        "what skewed, sparse and block-wise counts cost against uniform ones",
        BenchDesign(
            collectives=("alltoallv", "allgatherv"),
            sizes=parse_sizes("", "64:1M:4"),
            counts=("uniform", "zipf:1", "sparse:1", "block:2"),
            buffers=("warm", "dirty"),
        ),
        5,
        StopRule(half_width=0.03, least=20, most=500, budget_seconds=0.5),
    )


def _all() -> Preset:
    """Everything there is, to 1 GB or as far as memory goes."""
    return Preset(
        "all",
        "every collective, form and algorithm, 1 B to 1 GB or as far as memory goes",
        BenchDesign(
            collectives=COLLECTIVE_NAMES,
            forms=FORMS,
            sizes=parse_sizes("", f"1:{GIB}"),
            algorithms=("all",),
        ),
        5,
        StopRule(),
    )


PRESETS: dict[str, Callable[[], Preset]] = {
    "small": _small,
    "tsubame-figure-3": _tsubame,
    "irregular": _irregular,
    "all": _all,
}
"""By name, the default first."""

DEFAULT = "small"
