# SPDX-License-Identifier: Apache-2.0
"""The settings of a profile of a program."""

from dataclasses import dataclass

from isobath.launch.profiling import ABIS
from isobath.settings.declaration import declared, setting, shell_words
from isobath.settings.shared import Placed

PCONTROLS = ("isobath", "ipm")


@dataclass(frozen=True)
class ProfileSettings(Placed):
    """What a person may ask for."""

    # fmt: off
    command: tuple[str, ...] = setting(
        (), "The program with its launcher, typed as without the profiler", metavar="COMMAND...",
        is_argument=True,
        split=shell_words, may_repeat=True, takes="words, or a list of them",
    )
    abi: str | None = setting(
        None, "Binary interface of the program's MPI library", metavar="ABI", choices=ABIS,
        usual="found from the program, else from its launcher",
    )
    pcontrol: str = setting(
        "isobath", "How MPI_Pcontrol(1) and (-1) are read, as switch of counting or as regions",
        metavar="WORDS", choices=PCONTROLS,
        more="isobath: they switch counting on; ipm: they enter and leave a region named by a "
        "second argument",
    )
    timeline: bool = setting(False, "Keep every collective call of every rank")
    level_site: str | None = setting(
        None, "Call site where a level of a search ends, for --view levels; part of its name",
        metavar="TEXT", takes="text",
        more="of one that makes small allreduces of all ranks",
    )
    # fmt: on


PROFILE = declared("profile", ProfileSettings, "PROFILE")
