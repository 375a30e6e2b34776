# SPDX-License-Identifier: Apache-2.0
"""Algorithms that a run was made to use, from the variables it was started with."""

from collections.abc import Iterator, Mapping
from typing import Any

from isobath.bench.algorithms import OPENMPI
from isobath.errors import UsageError
from isobath.prediction.algorithms import KNOWN, known_name

AUTO = ("auto", "0", "")
"""what variables say where nothing is forced"""


def forced_algorithms(environment: Mapping[str, Any], name: str) -> dict[str, str]:
    """By call. Args: environment.json of a run, and how the run is called.

    Raises: UsageError for an algorithm that there is no formula of.
    """
    found: dict[str, str] = {}
    for collective, said in _said(_variables(environment)):
        known = known_name(collective, said)
        if not known:
            raise UsageError(
                f"{name} was made to use {said} for {collective}, which no formula here is of "
                f"({', '.join(KNOWN[collective])}); name a run without it"
            )
        found[collective] = known
    return found


def _variables(environment: Mapping[str, Any]) -> Mapping[str, Any]:
    nodes = environment.get("nodes")
    first = nodes[0] if isinstance(nodes, list) and nodes else None
    variables = first.get("variables") if isinstance(first, dict) else None
    return variables if isinstance(variables, dict) else {}


def _said(variables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for collective in KNOWN:
        value = variables.get(f"MPIR_CVAR_{collective.upper()}_INTRA_ALGORITHM", "")
        if value not in AUTO:
            yield collective, str(value)
        number = str(variables.get(f"OMPI_MCA_coll_tuned_{collective}_algorithm", ""))
        names = OPENMPI.get(collective, ())
        if number not in AUTO:
            is_known = number.isdecimal() and int(number) <= len(names)
            yield collective, names[int(number) - 1] if is_known else f"algorithm {number}"
