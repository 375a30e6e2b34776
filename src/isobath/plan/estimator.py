# SPDX-License-Identifier: Apache-2.0
"""Memory and time of one kind of run as functions of its scale."""

from dataclasses import dataclass

from isobath.plan.duration import Calibration, Duration, estimate_duration
from isobath.plan.layout import Layout
from isobath.plan.memory import MemoryEstimate, estimate_memory
from isobath.plan.search_plans import HYBRID


@dataclass(frozen=True)
class Estimator:
    """A run with everything fixed but the scale."""

    layout: Layout
    edges: str = "memory"
    edgefactor: int = 16
    validation: bool = True
    searches: int = 64
    construction_check: bool = False
    """part of an official run"""
    plan: str = HYBRID

    def memory_at(self, scale: int) -> MemoryEstimate:
        """Expected memory at a scale."""
        return estimate_memory(
            scale,
            rows=self.layout.rows,
            cols=self.layout.cols,
            threads=self.layout.threads,
            edges=self.edges,
            edgefactor=self.edgefactor,
            validation=self.validation,
            construction_check=self.construction_check,
            plan=self.plan,
        )

    def duration_at(self, scale: int, calibration: Calibration) -> Duration:
        """Expected time at a scale, from a short run of the same layout."""
        return estimate_duration(
            calibration,
            scale,
            searches=self.searches,
            validation=self.validation,
            edgefactor=self.edgefactor,
            edges=self.edges,
        )
