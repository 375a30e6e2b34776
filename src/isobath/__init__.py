# SPDX-License-Identifier: Apache-2.0
"""Isobath, a laboratory for distributed graph search: it plans, launches, stores and reports.

``isobath.load(file)`` gives a graph to search from Python (docs/how-to/search-your-graph.md),
``isobath.compare(one, other)`` says what became faster or slower, and ``isobath.api`` has what
the commands do (docs/how-to/from-python.md).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isobath.api.comparing import compare
    from isobath.graphs.graph import Graph, load

__all__ = ["Graph", "compare", "load"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What a program may use, when it is wanted: the command line starts without it."""
    if name == "compare":
        from isobath.api import comparing

        return comparing.compare
    if name in __all__:
        from isobath.graphs import graph

        return getattr(graph, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
