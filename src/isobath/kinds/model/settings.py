# SPDX-License-Identifier: Apache-2.0
"""The settings of a fit."""

from dataclasses import dataclass

from isobath.settings.declaration import WHERE, declared, setting
from isobath.settings.shared import store_setting


@dataclass(frozen=True)
class FitSettings:
    """What a person may ask for."""

    # fmt: off
    studies: tuple[str, ...] = setting(
        (), "Studies of one kind whose times are modelled: ids, beginnings, tags, last",
        metavar="STUDY...", is_argument=True, names="study", takes="as of `compare`",
    )
    formula: str | None = setting(
        None, 'Formula to fit, for example "log2(p)*(alpha + beta*m)"', metavar="TEXT",
        usual="families alone", takes="names, numbers, + - * / **, log, log2, sqrt, min, max, ceil",
    )
    given: tuple[str, ...] = setting(
        (), "Parameter of the formula that is not fitted: beta=8e-11", metavar="NAME=VALUE",
        usual="all are fitted",
    )
    families: bool = setting(
        True, "Fit every family of the literature that applies, too", has_no=True
    )
    network: str | None = setting(
        None, "Network file whose [topology] tells the busiest link of exchanges",
        metavar="FILE.toml", usual="no load of links is known", is_place=True,
    )
    only: tuple[str, ...] = setting(
        (), "Take cells that have these words in their names", metavar="WORDS", usual="all",
    )
    crowded: bool = setting(
        False, "Take cells with more ranks than processors, too, and mark them"
    )
    resamples: int = setting(
        200, "How many times data are drawn anew for intervals of parameters", metavar="N",
        least=40, most=10_000
    )
    seed: int = setting(1, "Seed that fixes which data are held out and drawn", metavar="N",
    least=0)
    store: str | None = store_setting()
    reports: str | None = setting(
        None, "Folder that HTML reports are written to", metavar="DIR", takes="folder",
        usual="reports", is_plain=True, is_place=True, panel=WHERE,
    )
    report: bool = setting(
        True, "Write the HTML report at the end", has_no=True, is_plain=True, panel=WHERE
    )
    # fmt: on


FIT = declared("model fit", FitSettings, "MODEL")
