# SPDX-License-Identifier: Apache-2.0
"""The settings of a replay of a search."""

from dataclasses import dataclass

from isobath.kinds.collectives.settings import BUFFERS, memory_setting
from isobath.kinds.nodes import OnSeveralNodes
from isobath.settings.declaration import WHERE, declared, setting
from isobath.settings.shared import Reported, mpi_libraries_setting, seed_setting


@dataclass(frozen=True)
class ReplaySettings(OnSeveralNodes, Reported):
    """What a person may ask for."""

    # fmt: off
    run: str = setting(
        "last", "The run to replay: a folder, an id or its beginning, or last", metavar="RUN",
        is_argument=True, names="run", takes="as of `show`",
    )
    search: int | None = setting(
        None, "Index of the search to replay", metavar="N", least=0,
        usual="that of the median time",
    )
    mpi: tuple[str, ...] = mpi_libraries_setting()
    buffers: str = setting(
        "dirty", "State of the buffers", metavar="B", choices=BUFFERS,
        more="a search leaves them dirty",
    )
    launches: int = setting(3, "How often the whole replay is launched", metavar="N", least=1)
    seed: int | None = seed_setting()
    budget: float = setting(
        0.5, "Seconds that a cell may take in a launch", metavar="S", least=0.01
    )
    memory_limit: int | None = memory_setting()
    benches: str | None = setting(
        None, "Another folder for the replay than that of the run", metavar="DIR", takes="folder",
        usual="--store", is_place=True, panel=WHERE,
    )
    # fmt: on


REPLAY = declared("bench replay", ReplaySettings, "REPLAY")
