# SPDX-License-Identifier: Apache-2.0
"""The settings of a regression."""

from dataclasses import dataclass
from typing import Any

from isobath.disclosure.credentials import without_credentials
from isobath.errors import UsageError
from isobath.kinds.one_mpi import one_mpi
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import MPI_KINDS, Benched, seed_setting

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def parse_duration(what: str, text: str) -> float:
    """``10m`` is 600. Raises: UsageError for what is no time."""
    words = text.strip().lower()
    factor = UNITS.get(words[-1:], 0.0)
    try:
        seconds = float(words[:-1]) * factor if factor else float(words)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e7:
        raise UsageError(f"{what} {text}: write a time, for example 90s, 10m or 2h")
    return seconds


@dataclass(frozen=True)
class RegressSettings(Benched):
    """What a person may ask for."""

    # fmt: off
    baseline: str = setting(
        "", "The baseline that is measured again", metavar="NAME", is_argument=True,
        names="baseline",
        takes="name, as of `baseline list`",
    )
    suite: str = setting(
        "quick", "Cells of the baseline to measure: quick, full, or a file that names them",
        metavar="WORD",
        takes="`quick`, `full` or a TOML file", hints=("quick", "full"),
        more="quick takes at most 60 cells that a search needs",
    )
    budget: float = setting(
        600.0, "Time for all launches and what lies between them", metavar="TIME",
        parse=parse_duration, takes="a time: `90s`, `10m`, `2h`", usual="10m",
    )
    mpi: str = setting(
        "", "The MPI library of today", metavar="NAME", parse=one_mpi, hints=MPI_KINDS,
        usual="what set-up chose", takes="id, kind or path, as of `run`",
    )
    against: str = setting(
        "", "The old MPI library, to be measured in turns", metavar="NAME", parse=one_mpi,
        hints=(*MPI_KINDS, "none"),
        usual="the baseline's, where it is here and another than --mpi",
        takes="id, kind or path; `none` holds against the baseline alone",
    )
    variables: tuple[str, ...] = setting(
        (), "Variables that are set for the library of today alone", metavar="NAME=VALUE",
        takes="`NAME=VALUE`; several with commas", more="what a control variable would do",
    )
    margin: float = setting(
        8.0, "Change in per cent that must not be missed", metavar="PERCENT", above=0,
        more="not slower means that it is excluded",
    )
    across_machines: bool = setting(
        False, "Compare with a baseline of another machine or node list", is_plain=True,
    )
    turns: int | None = setting(
        None, "Most launches that either side may get", metavar="N", least=1,
        usual="what the noise asks for, else 40",
    )
    seed: int | None = seed_setting()
    # fmt: on


REGRESS = declared("regress", RegressSettings, "REGRESS")


def variables_of(words: tuple[str, ...]) -> dict[str, str]:
    """Raises: UsageError for a word without =, or what cannot be kept."""
    found: dict[str, Any] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not name.isidentifier():
            raise UsageError(f"--variables {word}: write NAME=VALUE")
        if without_credentials(word, strict=True) != word:
            raise UsageError(
                f"--variables {name}=...: this looks like a credential, which is never stored, so "
                "that the regression could not go on; set it in the environment for both sides"
            )
        found[name] = value
    return found
