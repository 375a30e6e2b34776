# SPDX-License-Identifier: Apache-2.0
"""Memory and time of one kind of run as functions of its scale."""

from dataclasses import dataclass

from isobath.plan.duration import Calibration, Duration, estimate_duration
from isobath.plan.grid_numbers import GridNumbers
from isobath.plan.layout import Layout
from isobath.plan.list_copy import can_copy
from isobath.plan.memory import MemoryEstimate, estimate_memory, fits
from isobath.plan.search_plans import HYBRID, PATH_PLANS
from isobath.units import Bytes

SEARCHES_THAT_PAY = 16
"""For the validator's copy of the edges, which takes as long as several validations without it."""


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
    kernel: str = "bfs"
    validation_copy: str | None = None
    """on, off, or as it pays and fits into what is available"""
    available_bytes: Bytes = 0
    sssp_plan: str = PATH_PLANS[0]

    @property
    def numbers(self) -> GridNumbers:
        """Which scales its grid can number."""
        rows, cols = self.layout.rows, self.layout.cols
        return GridNumbers(rows, cols, self.edgefactor, self.plan, self.kernel, self.sssp_plan)

    def memory_at(self, scale: int) -> MemoryEstimate:
        """Expected memory at a scale, with a copy of the edges where the run will make one."""
        without = self._memory(scale, copies_list=False)
        has_copy = can_copy(self.layout.ranks, self.edgefactor, scale)
        may_copy = has_copy and self.validation and self.kernel != "sssp"
        if not may_copy or self.validation_copy == "off":
            return without
        copied = self._memory(scale, copies_list=True)
        if self.validation_copy == "on":
            return copied
        pays = self.searches >= SEARCHES_THAT_PAY
        return copied if pays and fits(copied, self.available_bytes) else without

    def _memory(self, scale: int, *, copies_list: bool) -> MemoryEstimate:
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
            copies_list=copies_list,
            kernel=self.kernel,
            sssp_plan=self.sssp_plan,
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
            copies_list=self.memory_at(scale).copies_list,
        )
