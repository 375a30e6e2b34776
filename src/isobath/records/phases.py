# SPDX-License-Identifier: Apache-2.0
"""The names of phases, as engine/base/phase.hpp lists them (a test compares the two)."""

from typing import Literal, get_args

PhaseName = Literal[
    "start",
    "generate",
    "count_vertices",
    "count_degrees",
    "number_vertices",
    "deliver_arcs",
    "sort_rows",
    "build_streams",
    "components",
    "landmark",
    "prune",
    "order",
    "check_construction",
    "sample_keys",
    "reset",
    "expand",
    "hub_pass",
    "top_down",
    "bottom_up",
    "rotate",
    "count",
    "fold",
    "adopt",
    "reduce",
    "climb",
    "relax",
    "descend",
    "emit",
    "validate",
    "write",
    "finish",
]

PHASE_NAMES: tuple[PhaseName, ...] = get_args(PhaseName)
"""All phases in the order of a run."""

CONSTRUCTION_PHASES: tuple[PhaseName, ...] = PHASE_NAMES[2:12]
SEARCH_PHASES: tuple[PhaseName, ...] = PHASE_NAMES[14:28]
