# SPDX-License-Identifier: Apache-2.0
"""Which graphs the engine can number on a grid: inside a rank vertices have numbers of 32 bits."""

from dataclasses import dataclass, replace

from isobath.plan.graph_facts import expected_facts
from isobath.plan.layout import vertices_per_line
from isobath.plan.search_plans import HYBRID, PATH_PLANS, WIDE_PATHS, takes_grid

LANDMARK = PATH_PLANS[0]

NARROW_LINE = 1 << 31
"""Vertices of one row or column of the grid that positions of 32 bits can name, one bit of them
taken (engine/graph/positions.cpp)."""

MOST_OF_LANDMARK = 1 << 31
"""Vertices of the plan landmark, on any grid (most_landmark_vertices,
engine/sssp/landmark_start.hpp)."""

MOST_WORKING = (1 << 32) - 16
"""Working numbers, and vertices that a rank owns (Numbering::max_working,
engine/graph/numbering.hpp)."""

PIECE = 512
"""Searched vertices that a rank has in a row or column of the grid are filled up to a multiple of
it (engine/graph/layout.hpp)."""


@dataclass(frozen=True)
class GridNumbers:
    """The numbers of a run with everything fixed but the scale."""

    rows: int
    cols: int
    edgefactor: int = 16
    plan: str = HYBRID
    kernel: str = "bfs"
    sssp_plan: str = ""
    """for shortest paths; empty: any but landmark and delta-stepping"""

    @property
    def grid(self) -> str:
        """For example 2x3."""
        return f"{self.rows}x{self.cols}"

    def are_wide(self, scale: int) -> bool:
        """Whether positions of originals have 40 bits: where 32 do not suffice, of hybrid and
        delta-stepping on several grid columns alone (docs/adr/0053).
        """
        return self._may_be_wide and self._vertices_per_line(scale) > NARROW_LINE

    def can_number(self, scale: int) -> bool:
        """Whether the engine has numbers for all vertices of a scale."""
        return not self.problem(scale)

    def problem(self, scale: int) -> str:
        """What there is more of than the engine can number; empty where it can number all. How many
        vertices are searched is expected; where there are more after all, the engine refuses.
        """
        if self._has_landmark and 1 << scale > MOST_OF_LANDMARK:
            return "more than 2^31 vertices"
        if self._vertices_per_line(scale) <= NARROW_LINE:
            return ""
        if not self._may_be_wide:
            return f"more than 2^31 vertices in a row or column of a {self.grid} grid"
        if 1 << scale > MOST_WORKING * self.rows * self.cols:
            return f"2^32 vertices or more on a rank of a {self.grid} grid"
        searched = expected_facts(scale, self.edgefactor).searched_vertices
        of_column = searched / self.cols + PIECE * self.rows
        of_row = searched / self.rows + PIECE * self.cols
        if max(of_column, of_row) > MOST_WORKING:
            return f"more than 2^32 vertices to search in a row or column of a {self.grid} grid"
        return ""

    @property
    def whose(self) -> str:
        """Whose limit it is, where hybrid's is another; as the end of a clause."""
        if self._has_landmark:
            return f" with the plan {LANDMARK}"
        if not self._paths_may_be_wide:
            named = f" with the plan {self.sssp_plan}" if self.sssp_plan else ""
            return f" for shortest paths{named}"
        return "" if self._search_may_be_wide else f" with the plan {self.plan}"

    def remedy(self, scale: int) -> str:
        """What to do where it cannot number a scale."""
        if self._has_landmark:
            return "take another --sssp-plan"
        if self.kernel != "sssp" and not takes_grid(self.plan, 2, 2):
            return (
                f"the plan {self.plan} runs on one grid row or column alone, so more ranks do not "
                "help: take another plan"
            )
        side = self.least_square(scale)
        return f"take {side * side} ranks on a {side}x{side} grid or more"

    def least_square(self, scale: int) -> int:
        """The side of the smallest square grid that can number a scale."""
        too_small, side = 0, 1
        while not replace(self, rows=side, cols=side).can_number(scale):
            too_small, side = side, 2 * side
        while side - too_small > 1:
            middle = (too_small + side) // 2
            if replace(self, rows=middle, cols=middle).can_number(scale):
                side = middle
            else:
                too_small = middle
        return side

    @property
    def _has_landmark(self) -> bool:
        return self.kernel != "bfs" and self.sssp_plan == LANDMARK

    @property
    def _may_be_wide(self) -> bool:
        return self._search_may_be_wide and self._paths_may_be_wide and self.cols > 1

    @property
    def _search_may_be_wide(self) -> bool:
        return self.kernel == "sssp" or self.plan == HYBRID

    @property
    def _paths_may_be_wide(self) -> bool:
        return self.kernel == "bfs" or self.sssp_plan == WIDE_PATHS

    def _vertices_per_line(self, scale: int) -> int:
        return vertices_per_line(self.rows, self.cols, 1 << scale)
