# SPDX-License-Identifier: Apache-2.0
"""A simulation of the search that is predicted: its parts and levels, to be laid beside."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isobath.errors import UsageError
from isobath.prediction.calls import Layout
from isobath.prediction.pieces import COMPUTING
from isobath.prediction.predicted import Target
from isobath.study.shelf import Shelf

KIND = "simulate"
COMPUTE = "compute"
"""as simulations call what is no call"""


@dataclass(frozen=True)
class Simulated:
    """Seconds of it, every one SIMULATED; of calls the means over ranks, who wait in them."""

    study_id: str
    platform: str
    seconds: float
    """of the search"""
    parts: Mapping[str, float]
    """by the names of predicted ones: ``fold, alltoallv``, ``computation``"""
    levels: Mapping[int, float]
    notes: tuple[str, ...] = ()
    """what the simulation says of itself: what is in it, and what is not"""

    @property
    def notice(self) -> str:
        """What has to be known before any number of it is believed."""
        notice = (
            f"SIMULATED: what is called simulated is {self.study_id}, SimGrid's times of the same "
            f"search on {self.platform}; waiting is in its calls; switches other than the plan and "
            "its exchange are not compared."
        )
        return " ".join((notice, *self.notes))


def read_simulated(where: Shelf, word: str, target: Target) -> tuple[Simulated, tuple[str, ...]]:
    """And what of it is not as it was sealed.

    Raises: UsageError for another kind of study, or another search than is predicted;
        EnvironmentProblem for one that cannot be read.
    """
    study = where.find(word)
    if study.entry.name != KIND:
        raise UsageError(
            f"--simulated {study.study_id}: that is a {study.entry.noun}; name a simulation, for "
            "example last:simulate"
        )
    kind = study.entry.load()
    read = kind.read(study.path)
    facts = kind.facts(read)
    _check_same(study.study_id, facts, target)
    parts: defaultdict[str, float] = defaultdict(float)
    levels: defaultdict[int, float] = defaultdict(float)
    for step in facts["steps"]:
        seconds = step["simulated_seconds_mean"]
        is_call = step["call"] != COMPUTE
        parts[f"{step['phase']}, {step['call']}" if is_call else COMPUTING] += seconds
        levels[step["level"]] += seconds
    found = Simulated(
        study.study_id, facts["platform"]["title"], facts["simulated_seconds"], dict(parts),
        dict(levels), tuple(facts["notes"]),
    )  # fmt: skip
    return found, tuple(kind.problems(read))


def _check_same(study_id: str, facts: Mapping[str, Any], target: Target) -> None:
    layout, switches = target.layout, target.switches
    asked = (switches.plan, switches.exchange, target.scale, str(layout.grid), layout.nodes)
    there = tuple(facts[name] for name in ("plan", "exchange", "scale", "grid", "nodes"))
    if there != asked:
        words = "{} with the exchange {} at scale {} on {} over {} nodes"
        raise UsageError(
            f"--simulated {study_id}: it is {words.format(*there)}; predicted is "
            f"{words.format(*asked)}: name a simulation of that"
        )
    per_node = facts["ranks_per_node"]
    is_even = per_node * layout.nodes == layout.grid.size
    placed = Layout.even(layout.grid, per_node, facts["mapping"])
    if is_even and placed.node_of_rank != layout.node_of_rank:
        raise UsageError(
            f"--simulated {study_id}: its ranks stand on other nodes than those predicted "
            f"({facts['mapping']} together there); name a simulation of that"
        )
