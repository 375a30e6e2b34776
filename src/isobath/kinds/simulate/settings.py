# SPDX-License-Identifier: Apache-2.0
"""The settings of a simulation."""

from dataclasses import dataclass

from isobath.costmodel.switches import PLANS
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import Reported
from isobath.simulation.simgrid import SELECTORS

SEARCH = "A search that was not run"


@dataclass(frozen=True)
class SimulateSettings(Reported):
    """What a person may ask for."""

    # fmt: off
    run: str | None = setting(
        None, "The run whose search is simulated, made with --peer-records: its id, a tag, last",
        metavar="RUN", is_argument=True, names="run", takes="as of `show`",
        usual="none: name a plan",
    )
    search: int | None = setting(
        None, "Index of the search of the run", metavar="N", least=0,
        usual="that of the median time",
    )
    engine: bool = setting(
        False, "Search with the engine itself, on its own graph; else its calls are played",
        more="construction and validation included; one key, that of the search of the run",
    )
    platform: str = setting(
        "crossbar", "Nodes and links to simulate: the name of a known platform, or a file",
        metavar="NAME|FILE.toml", takes="see [platforms](#platforms)",
    )
    nodes: int | None = setting(
        None, "Nodes that the ranks are spread over, equally many on each", metavar="N", least=1,
        usual="those of the run; one for each rank",
    )
    mapping: str = setting(
        "columns", "Which ranks lie side by side on a node: those of a grid column, or of a row",
        choices=("columns", "rows"),
    )
    algorithms: str = setting(
        "mpich", "Whose rules choose algorithms of collectives", choices=SELECTORS
    )
    computation: bool = setting(
        True, "Compute in each level as long as the run did", has_no=True
    )
    plan: str | None = setting(
        None, "Search plan to simulate", choices=PLANS, usual="two-dim", panel=SEARCH
    )
    grid: str | None = setting(
        None, "Rows and columns of ranks, for example 16x32", metavar="RxC", panel=SEARCH,
        usual="the usual one of the plan on one rank a node",
    )
    exchange: str | None = setting(
        None, "Way in which tuples travel", choices=("own", "eager", "alltoallv", "pairwise"),
        panel=SEARCH, usual="that of the plan",
    )
    scale: int | None = setting(
        None, "Logarithm of the number of vertices", metavar="N", least=1, panel=SEARCH,
        usual="none",
    )
    root: int | None = setting(
        None, "Vertex to walk the search from serially, so that each rank sends what it would",
        metavar="VERTEX", least=0, panel=SEARCH, usual="closed forms: every rank sends the mean",
        more="to scale 20; for plans whose direction is fixed",
    )
    arcs_per_second: float | None = setting(
        None, "Arcs that a rank follows in a second", metavar="X", above=0, takes="number",
        usual="nothing is computed", panel=SEARCH,
    )
    messages: int = setting(
        100_000, "Most messages of one exchange that are simulated singly; more are put together",
        metavar="N", least=0, panel=SEARCH,
    )
    # fmt: on


SIMULATE = declared("simulate", SimulateSettings, "SIMULATE")
