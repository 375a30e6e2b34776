# SPDX-License-Identifier: Apache-2.0
"""Collectives by other hardware or by its libraries: components of Open MPI, switched on and off.

An offload is measured beside the library's own choice as a forced algorithm is, in launches whose
environment switches it on.
"""

from collections.abc import Iterable

from isobath.bench.plan import Arm, ForcedAlgorithm

UCC, HCOLL = "OMPI_MCA_coll_ucc_enable", "OMPI_MCA_coll_hcoll_enable"

SWITCHES: dict[str, tuple[str, dict[str, str]]] = {
    "ucc": ("ucc", {UCC: "1", "OMPI_MCA_coll_ucc_priority": "100", HCOLL: "0"}),
    "hcoll": (
        "hcoll",
        {HCOLL: "1", "OMPI_MCA_coll_hcoll_priority": "100", "HCOLL_ENABLE_SHARP": "0", UCC: "0"},
    ),
    "sharp": (
        "hcoll",
        {
            HCOLL: "1",
            "OMPI_MCA_coll_hcoll_priority": "100",
            "HCOLL_ENABLE_SHARP": "3",
            "SHARP_COLL_ENABLE_SAT": "1",
            UCC: "0",
        },
    ),
}
"""By offload: the component of Open MPI that it needs, and variables of a launch. SHARP is reached
through hcoll; 3 asks for it on all communicators."""

OFF = "without offload"
"""The counterpart: both components switched off."""


def offloads_of(wanted: Iterable[str], components: Iterable[str]) -> tuple[str, ...]:
    """Those that a library can do, in order. Args: wanted may hold "all"."""
    there, asked = set(components), set(wanted)
    return tuple(
        name
        for name, (component, _) in SWITCHES.items()
        if component in there and (name in asked or "all" in asked)
    )


def missing(wanted: Iterable[str], components: Iterable[str]) -> tuple[str, ...]:
    """Those that were asked for by name or as all, and are not there."""
    asked = set(wanted)
    names = set(SWITCHES) if "all" in asked else asked
    return tuple(sorted(names - set(offloads_of(asked, components))))


def offload_arms(plain: Arm, names: Iterable[str]) -> tuple[Arm, ...]:
    """One arm for each offload with all cells of the library's own choice, and one with all off."""
    arms: list[Arm] = []
    for name in names:
        arms.append(_arm(plain, name, SWITCHES[name][1], number=len(arms) + 1))
    if arms:
        arms.append(_arm(plain, OFF, {UCC: "0", HCOLL: "0"}, number=len(arms) + 1))
    return tuple(arms)


def _arm(plain: Arm, name: str, environment: dict[str, str], *, number: int) -> Arm:
    variable, value = next(iter(environment.items()))
    forced = ForcedAlgorithm(name=name, variable=variable, value=value, is_offload=True)
    cells = tuple(
        cell.model_copy(update={"algorithm": forced})
        for cell in plain.cells
        if cell.algorithm is None
    )
    told = {"arm": f"{plain.arm}o{number}", "environment": environment, "cells": cells}
    return plain.model_copy(update=told)
