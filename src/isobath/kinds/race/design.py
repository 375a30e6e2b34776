# SPDX-License-Identifier: Apache-2.0
"""What a race is asked for, before the machine is looked at.

A setting of one value is the same in all runs; one of several is a factor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from isobath.errors import UsageError
from isobath.kinds.race.settings import (
    FACTORS,
    FULL_KEYS,
    KEYS,
    LIMITS,
    OWN_NAMES,
    RANKS,
    SCALE,
    Choices,
)
from isobath.launch.transport import transport_of
from isobath.plan.search_plans import PLANS, SWITCHES
from isobath.race.design import RaceFactors, has_both_ends
from isobath.race.plan import Value
from isobath.settings.renamed import COUNT_NODES_OF, RANKS_PER_NODE, TELL_OF_NODES
from isobath.settings.values import or_nearest

SAME_EVERYWHERE = ("keys", "official", "force", "legacy_no_bang")


@dataclass(frozen=True)
class RaceDesign:
    """A race as a person described it, before the machine is looked at."""

    varied: RaceFactors
    repeats: int
    seed: int | None
    audit: bool
    keys: int
    official: bool
    reference: dict[str, Value]


def design_of(values: Mapping[str, Any]) -> RaceDesign:
    """What settings of a race amount to. Raises: UsageError naming the one that is wrong."""
    values = with_nodes(values)
    choices: Choices = {name: value for name, value in values.items() if name in FACTORS}
    choices |= {name: (values[name],) for name in LIMITS if name in values}
    keys = {name: value for name, value in values.items() if name in OWN_NAMES}
    return _design(choices, keys, list(keys.pop("cells", ())))


def with_nodes(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same settings, with ``nodes`` wherever ranks per node stand without nodes and machines.

    So neither a cell nor a file that we write is taken for one of before, where ``ranks_per_node``
    alone pretended nodes for counting.

    Raises: UsageError where transports have different numbers of nodes.
    """
    cells = tuple(_with_nodes(cell, values) for cell in values.get("cells", ()))
    return {**values, "cells": cells} if cells else _with_nodes(values, {})


def _with_nodes(table: Mapping[str, Any], around: Mapping[str, Any]) -> dict[str, Any]:
    named = {**around, **table}
    if RANKS_PER_NODE not in named or (TELL_OF_NODES - {COUNT_NODES_OF}) & set(named):
        return dict(table)
    ways = [transport_of(str(way)) for way in named.get("transport", ())]
    numbers = sorted({way.nodes for way in ways if way.nodes > 1}) or [1]
    if len(numbers) > 1:
        raise UsageError(
            "ranks_per_node: the transports have different numbers of nodes "
            f"({', '.join(map(str, numbers))}); say with --nodes which are meant"
        )
    return {**table, "nodes": tuple(numbers)}


def _design(choices: Choices, keys: dict[str, Any], cells: list[Choices]) -> RaceDesign:
    if keys.get("full") and choices.setdefault("keys", (FULL_KEYS,)) != (FULL_KEYS,):
        raise UsageError(f"full means {FULL_KEYS} keys; leave it or the number of keys out")
    choices.setdefault("keys", (KEYS,))
    choices.setdefault("scale", (SCALE,))
    named = set(choices).union(*cells)
    if not cells:
        choices.setdefault("plan", PLANS)
        if not named & {"ranks", "ranks_per_node", "grid"}:
            choices["ranks"] = RANKS
    for name in SAME_EVERYWHERE:
        if any(len(each.get(name, ())) > 1 for each in (choices, *cells)) or any(
            name in cell for cell in cells
        ):
            raise UsageError(f"{name}: it is the same in all runs of a race; give one value")
    factors = {name: values for name, values in choices.items() if len(values) > 1}
    base = {name: values[0] for name, values in choices.items() if len(values) == 1}
    plans = factors.get("plan", ())
    ladder = keys.get("ladder")
    if ladder and cells:
        raise UsageError("ladder: a list of cells has none; leave one of the two out")
    if ladder is None:
        ladder = not cells and has_both_ends(plans) and not set(SWITCHES) & named
    first = plans[0] if plans else base.get("plan")
    reference = keys.get("reference") or ({"plan": first} if first is not None else {})
    unknown = [name for name in reference if name not in named | {"plan"}]
    if unknown:
        there_are = or_nearest(unknown[0], sorted(named))
        raise UsageError(f"reference: {unknown[0]} is the same in all cells{there_are}")
    return RaceDesign(
        varied=RaceFactors(base, factors, tuple(cells), keys.get("scaling"), ladder),
        repeats=keys.get("repeats", 1),
        seed=keys.get("seed"),
        audit=keys.get("audit", True),
        keys=cast(int, base["keys"]),
        official=base.get("official") is True,
        reference=reference,
    )
