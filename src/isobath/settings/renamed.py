# SPDX-License-Identifier: Apache-2.0
"""Settings as files and studies of before have them, under the names of now."""

from collections.abc import Container, Mapping
from typing import Any

COUNT_NODES_OF, RANKS_PER_NODE = "count_nodes_of", "ranks_per_node"
TELL_OF_NODES = frozenset({"nodes", "hosts", "hostfile", COUNT_NODES_OF})


def with_present_names(known: Container[str], values: Mapping[str, Any]) -> dict[str, Any]:
    """The same values.

    ``ranks_per_node`` alone once pretended nodes for counting, which is ``count_nodes_of`` now.
    Where it means ranks on a node, a setting beside it tells of these nodes: what we write has
    both.

    Args: known are the settings of the kind.
    """
    tables = _tables(values)
    names = {name.replace("-", "_") for table in tables for name in table}
    if COUNT_NODES_OF not in known or RANKS_PER_NODE not in names or names & TELL_OF_NODES:
        return dict(values)
    return {name: _renamed(value) for name, value in _of_now(values).items()}


def read_as_before(origin: str) -> str:
    """A sentence for who wrote a file of which that is true."""
    return (
        f"{origin}: {RANKS_PER_NODE} is read as {COUNT_NODES_OF}, as files of before mean it, for "
        "nothing beside it tells of nodes; where ranks on each node are meant, write nodes too"
    )


def _tables(values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The settings themselves, and tables of a race that hold settings of some runs."""
    inner = [
        setting if isinstance(setting, list | tuple) else [setting] for setting in values.values()
    ]
    return [values, *(table for listed in inner for table in listed if isinstance(table, Mapping))]


def _renamed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _of_now(value)
    return [_renamed(entry) for entry in value] if isinstance(value, list) else value


def _of_now(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        COUNT_NODES_OF if name.replace("-", "_") == RANKS_PER_NODE else name: value
        for name, value in values.items()
    }
