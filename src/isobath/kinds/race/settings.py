# SPDX-License-Identifier: Apache-2.0
"""The settings of a race: those of a run, of which each may have several values, and its own."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from isobath.errors import UsageError
from isobath.kinds.run.settings import RUN
from isobath.plan.search_plans import PLANS
from isobath.race.plan import Value
from isobath.settings.checking import Limits, checked
from isobath.settings.declaration import WHERE, Declaration, Setting, declared, setting
from isobath.settings.shared import mpi_libraries_setting, seed_setting
from isobath.settings.sources import unknown

SCALE = 16
KEYS, FULL_KEYS = 8, 64
RANKS = (1, 2, 4, 16)
RACE_ITSELF = "The race itself"

PLACES = tuple(of_run for of_run in RUN.settings if of_run.panel == WHERE)
NOT_OF_CELLS = tuple(place.name for place in PLACES)
LIMITS = ("hang_seconds", "time_limit")
"""The same for all runs, and no factors."""

OF_ONE_RUN = ("plainest",)
"""A second launch after a run: in a race its switches are factors."""

UNDIVIDED = ("edge_folder", "engine_build", "size_edges", "hosts", "hostfile")
"""Settings of a run whose text may have commas and blanks of its own; machines are one value."""

ALIASES = {"plan": ("--plans",), "grid": ("--grids",), "exchange": ("--exchanges",)}
USUAL = {
    "scale": str(SCALE), "keys": str(KEYS), "ranks": ",".join(map(str, RANKS)),
    "plan": f"all {len(PLANS)}",
}  # fmt: skip

Choices = dict[str, tuple[Value, ...]]


@dataclass(frozen=True, kw_only=True)
class Factor(Setting):
    """A setting of a run that may have several values in a race."""

    of: Setting

    def value(self, given: Any, origin: str, *, is_typed: bool = False) -> Any:
        """One value or several, each checked, none twice. Raises: UsageError."""
        if self.of.several:  # roots: a list is one value
            return (self.of.value(given, origin, is_typed=is_typed),)
        words = list(given) if isinstance(given, list | tuple) else [given]
        if is_typed and self.name not in UNDIVIDED:
            words = self._words(given)
        if not words:
            raise UsageError(f"{origin}: the list is empty; give a value or leave it out")
        values = (self.of.value(word, origin, is_typed=is_typed) for word in words)
        return tuple(dict.fromkeys(cast(Value, choice) for choice in values))

    def written(self, value: Any) -> Any:
        """A list only where there are several."""
        return value[0] if len(value) == 1 else list(value)


class Table(Setting):
    """Settings of a run in a table: what rates are compared with."""

    def value(self, given: Any, origin: str, *, is_typed: bool = False) -> Any:
        """One value of each. Raises: UsageError."""
        table = checked(dict, given, origin, Limits())
        return {name: values[0] for name, values in _cell(table, origin).items()}


class Cells(Setting):
    """Explicit combinations, a table each."""

    def value(self, given: Any, origin: str, *, is_typed: bool = False) -> Any:
        """Raises: UsageError naming the cell that is wrong."""
        is_list = isinstance(given, list | tuple) and bool(given)
        if not is_list or not all(isinstance(table, dict) for table in given):
            where = origin.removesuffix(": cells")
            raise UsageError(f"{where}: cells are tables; write each under a line [[cells]]")
        return tuple(
            _cell(table, f"{origin}, number {number}") for number, table in enumerate(given, 1)
        )

    def written(self, value: Any) -> Any:
        """As a file has them."""
        return [
            {name: FACTORS[name].written(values) for name, values in cell.items()} for cell in value
        ]


def _cell(table: Mapping[str, Any], where: str) -> Choices:
    choices: Choices = {}
    for key, given in table.items():
        name = key.replace("-", "_")
        if name in NOT_OF_CELLS:
            raise UsageError(f"{where}: {key} is the same for the whole race; leave it out here")
        if name not in FACTORS:
            raise unknown(f"{where}: there is no setting {key}", name, Declaration("", tuple(
                FACTORS.values())))  # fmt: skip
        choices[name] = FACTORS[name].value(given, f"{where}: {key}")
    return choices


def _factor(of_run: Setting) -> Factor:
    """The same in a race: without a default, because every run has its own."""
    is_mpi = of_run.name == "mpi"
    words = vars(of_run) | {
        "default": (),
        "aliases": ALIASES.get(of_run.name, ()),
        "usual": USUAL.get(of_run.name, of_run.usual_words),
        "is_plain": True,
        "several": of_run.kind is not bool,
        "metavar": of_run.metavar if of_run.metavar.endswith("..") else f"{of_run.metavar},..",
        "takes": of_run.takes,
    }
    if is_mpi:
        words |= vars(mpi_libraries_setting().metadata["setting"]) | {
            "name": "mpi", "several": True, "metavar": "NAME,.."
        }  # fmt: skip
        of_run = replace(of_run, parse=None)
    return Factor(**words, of=of_run)


@dataclass(frozen=True)
class _OwnSettings:
    """What a race has beside the settings of its runs."""

    full: bool = setting(
        False, f"Search from {FULL_KEYS} keys, as an official run does", panel=RACE_ITSELF
    )
    repeats: int = setting(1, "Runs of each cell, every time in another order", metavar="N",
                           least=1, panel=RACE_ITSELF)  # fmt: skip
    seed: int | None = seed_setting(RACE_ITSELF)
    scaling: str | None = setting(
        None, "Whether the graph grows with the ranks (weak) or stays (strong)", metavar="WORD",
        choices=("weak", "strong"), usual="strong", panel=RACE_ITSELF,
    )  # fmt: skip
    ladder: bool | None = setting(
        None, "Race what lies between two-dim and hybrid, step by step", has_no=True,
        usual="yes with both plans, and no switch or list of cells", panel=RACE_ITSELF,
        more="at the largest number of ranks",
    )  # fmt: skip
    audit: bool = setting(True, "Account for every byte", has_no=True, panel=RACE_ITSELF)


FACTORS = {
    of_run.name: _factor(of_run)
    for of_run in RUN.settings
    if of_run.name not in NOT_OF_CELLS and of_run.name not in OF_ONE_RUN
}

_TABLES = (
    Table(
        name="reference", kind=dict, in_toml_alone=True, takes='for example `{ plan = "simple" }`',
        help="What rates are compared with", usual="the first plan",
    ),
    Cells(
        name="cells", kind=dict, in_toml_alone=True, takes="tables `[[cells]]`",
        help="Explicit combinations in the place of all combinations of plans and ranks",
    ),
)  # fmt: skip


def _settings() -> tuple[Setting, ...]:
    own = declared("race", _OwnSettings).settings
    aliases = {"store": ("--races",)}
    places = (replace(place, aliases=aliases.get(place.name, ())) for place in PLACES)
    return (*FACTORS.values(), *own, *_TABLES, *places)


RACE = Declaration("race", _settings(), "RACE")
OWN_NAMES = (*(own.name for own in fields(_OwnSettings)), *(table.name for table in _TABLES))
