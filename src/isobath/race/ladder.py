# SPDX-License-Identifier: Apache-2.0
"""From two-dim as published to hybrid, one step at a time."""

from dataclasses import dataclass

from isobath.race.plan import Value

FROM, TO = "two-dim", "hybrid"


@dataclass(frozen=True)
class Step:
    """What is changed, on top of all steps before it."""

    name: str
    changed: dict[str, Value]


STEPS = (
    Step("as published", {"plan": FROM}),
    Step("exchange alltoallv", {"exchange": "alltoallv"}),
    Step("ids 32", {"ids": 32}),
    Step("duplicates drop", {"duplicates": "drop"}),
    Step("dedup local", {"dedup": "local"}),
    Step("frontier smaller", {"frontier": "smaller"}),
    Step(
        "hybrid, all off",
        {
            "plan": TO,
            "fold": "plain",
            "relabel": "off",
            "leaves": "in",
            "likely_parents": "off",
            "direction": "top-down",
            "hubs": "off",
            "streams": "off",
            "overlap": "off",
        },
    ),
    Step("relabel on", {"relabel": "on"}),
    Step("leaves out", {"leaves": "out"}),
    Step("likely parents on", {"likely_parents": "on"}),
    Step("direction policy", {"direction": "policy"}),
    Step("hubs on", {"hubs": "on"}),
    Step("streams on", {"streams": "on"}),
    Step("overlap on", {"overlap": "on"}),
    Step("frontier and fold packed", {"frontier": "packed", "fold": "packed"}),
    Step("exchange eager", {"exchange": "eager"}),
)
"""The join, "hybrid, all off", moves the bytes of the step before it, by other code; only where the
root is found it tells besides. All stand on the grid of two-dim."""

OWN_GRID = "grid of hybrid"
"""The last step where hybrid has another grid by default."""

STEP_NAMES = tuple(step.name for step in STEPS)


def climb() -> list[tuple[str, dict[str, Value]]]:
    """Every step with all that is set when it is reached."""
    settings: dict[str, Value] = {}
    steps = []
    for step in STEPS:
        settings = settings | step.changed
        steps.append((step.name, settings))
    return steps
