# SPDX-License-Identifier: Apache-2.0
"""The quick suite, measured for the first time: a baseline where there is no study yet."""

import secrets
from typing import Any

from isobath.kinds.regress.members import InnerStudy, RegressPlanned, planned_study
from isobath.kinds.regress.plan import PLAN, RegressPlan
from isobath.kinds.regress.searched import FIXED, SCALE, Called, called_here
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.machine.facts import read_machine
from isobath.report.wording import count_of
from isobath.study.kinds import entry_of
from isobath.study.planned import Planning

KEYS = 16
"""of the search: a launch is a second or two"""

TURNS = 20


def collectives_settings(ranks: int, called: Called = FIXED) -> dict[str, Any]:
    """What searches call, at the sizes at which they call it."""
    return {
        "collectives": list(called.collectives),
        "sizes": list(called.sizes),
        "ranks": [ranks],
        "forms": ["blocking"],
        "algorithms": ["none"],
        "half_width": 0.03,
        "least": 20,
        "most": 400,
        "budget": 0.04,
    }  # fmt: skip


def search_settings(ranks: int) -> dict[str, Any]:
    """A search, whose phases are cells too."""
    return {"plan": ["hybrid"], "scale": SCALE, "keys": KEYS, "ranks": [ranks], "ladder": False}


def planned_first(
    name: str, mpi: str | None, turns: int, budget: float, planning: Planning
) -> RegressPlanned:
    """Raises: UsageError, EnvironmentProblem."""
    library = choose_library(Installation.here(), mpi or None)
    ranks = max(2, read_machine().usable_cpus)
    seed = secrets.randbelow(1 << 31)
    called = called_here(library, ranks)
    wanted = (
        ("bench collectives", collectives_settings(ranks, called)),
        ("race", search_settings(ranks)),
    )
    inner: list[InnerStudy] = [
        planned_study(entry_of(kind), settings, side="new", mpi=library.id, turns=turns,
                      seed=seed, planning=planning)
        for kind, settings in wanted
    ]  # fmt: skip
    plan = RegressPlan(
        purpose="reference", baseline=name, suite="quick", cells=(), mpi={"new": library.id},
        turns=turns, budget_seconds=budget, seed=seed,
        members=tuple(one.member for one in inner),
    )  # fmt: skip
    return RegressPlanned(
        PLAN,
        plan,
        {"baseline": name, "turns": turns},
        [launch for one in inner for launch in one.planned.launches],
        notes=(f"the quick suite with {library.id}, {count_of(turns, 'turn')}", called.words),
        work=_work,
        inner=tuple(inner),
    )


def _work(folder: Any, driver: Any) -> Any:
    from isobath.kinds.regress.kind import KIND

    return KIND.work(folder.path, driver)
