# SPDX-License-Identifier: Apache-2.0
"""Time of a run before it is started, from a short run of the same build on the same machine."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from isobath.records.run_records import RunRecords
from isobath.units import Seconds

# Seconds per edge grow with the graph, because less of it stays in cache: factors per scale.
GENERATION_GROWTH = 1.0
CONSTRUCTION_GROWTH = 1.06
SEARCH_GROWTH = 1.12
VALIDATION_GROWTH = 1.08

SHARE_WITH_COPY, VALIDATIONS_OF_COPYING = 0.25, 7
"""A validation by the validator's own copy of the edges, and the making of it, in validations
without it: measured on one rank alone (scales 20 and 22, isobath-graph500 --validation-copy).
Several ranks are taken for one here, which nobody measured."""


class Calibration(BaseModel):
    """What a short run took, kept per machine and build."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    scale: int
    ranks: int
    threads: int
    startup_seconds: float
    generation_seconds_per_edge: float
    construction_seconds_per_edge: float
    search_seconds_per_edge: float
    validation_seconds_per_edge: float
    measured_at: float
    """Unix time in seconds"""
    load: float
    """processes of others that wanted a processor meanwhile"""
    busy: bool = False
    """too many of them: good for a first estimate, not to be kept"""

    def warning(self) -> str:
        """What must be said with every estimate that rests on it; empty for a sound one."""
        if not self.busy:
            return ""
        return (
            f"calibrated on a busy machine (load {self.load:.1f} of others), so times may be far "
            "too long; it is not kept and measured again next time"
        )


@dataclass(frozen=True)
class Duration:
    """Expected seconds of a run."""

    startup: Seconds
    generation: Seconds
    construction: Seconds
    search: Seconds
    """one search"""
    validation: Seconds
    """of one search"""
    searches: int

    @property
    def total(self) -> Seconds:
        """Of the whole run."""
        fixed = self.startup + self.generation + self.construction
        return fixed + self.searches * (self.search + self.validation)


def calibration_of(
    run: RunRecords,
    *,
    key: str,
    elapsed_seconds: Seconds,
    measured_at: Seconds,
    load: float,
    busy: bool = False,
) -> Calibration | None:
    """Rates of a run; None where it did not get far enough to tell."""
    construction, finish, searches = run.construction, run.finish, run.timed_searches
    if construction is None or finish is None or not searches:
        return None
    edges = construction.num_edges
    times = sorted(search.seconds for search in searches)
    checks = sorted(s.validation.seconds for s in searches if s.validation)
    return Calibration(
        key=key,
        scale=run.run.scale,
        ranks=run.run.ranks,
        threads=run.run.threads_per_rank,
        startup_seconds=max(0.0, elapsed_seconds - finish.seconds) + 0.1,
        generation_seconds_per_edge=construction.generation_seconds / edges,
        construction_seconds_per_edge=construction.seconds / edges,
        search_seconds_per_edge=times[len(times) // 2] / edges,
        validation_seconds_per_edge=(checks[len(checks) // 2] if checks else 0.0) / edges,
        measured_at=measured_at,
        load=load,
        busy=busy,
    )


def estimate_duration(
    calibration: Calibration,
    scale: int,
    *,
    searches: int,
    validation: bool = True,
    edgefactor: int = 16,
    edges: str = "memory",
    copies_list: bool = False,
) -> Duration:
    """Expected seconds at another scale on the same layout.

    With edges regenerated, construction passes over them twice and each validation twice. Where the
    validator copies them, rates are of runs that did not.
    """
    steps = scale - calibration.scale
    count = edgefactor << scale
    again = calibration.generation_seconds_per_edge if edges == "regenerate" else 0.0
    per_construction = calibration.construction_seconds_per_edge * CONSTRUCTION_GROWTH**steps
    per_validation = calibration.validation_seconds_per_edge * VALIDATION_GROWTH**steps + again
    if copies_list:
        per_validation *= SHARE_WITH_COPY + VALIDATIONS_OF_COPYING / searches
    return Duration(
        startup=calibration.startup_seconds,
        generation=calibration.generation_seconds_per_edge * GENERATION_GROWTH**steps * count,
        construction=(per_construction + 2 * again) * count,
        search=calibration.search_seconds_per_edge * SEARCH_GROWTH**steps * count,
        validation=per_validation * count if validation else 0.0,
        searches=searches,
    )
