# SPDX-License-Identifier: Apache-2.0
"""What a race is asked for: its TOML file, the variables of runs, and its options, the last first.

A setting of one value is the same in all runs; one of several is a factor.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.run.settings import (
    SETTING_NAMES,
    checked_value,
    merge_settings,
    suggestion,
    takes_several,
)
from isobath.plan.search_plans import PLANS, SWITCHES
from isobath.race.design import Design, has_both_ends
from isobath.race.spec import Scaling, Value

SCALE = 16
KEYS, FULL_KEYS = 8, 64
RANKS = (1, 2, 4, 16)

NOT_OF_A_RACE = {
    "store": "a race keeps its runs in its own folder, see --store",
    "reports": "a race has one report, see --reports",
    "report": "a race has one report, see --report",
}
SAME_EVERYWHERE = ("keys", "official", "force", "legacy_no_bang")
RACE_KEYS = ("repeats", "seed", "scaling", "ladder", "audit", "full", "reference", "cells")
KNOWN = (*(name for name in SETTING_NAMES if name not in NOT_OF_A_RACE), *RACE_KEYS)

Choices = dict[str, tuple[Value, ...]]


@dataclass(frozen=True)
class Wish:
    """A race as a person described it, before the machine is looked at."""

    design: Design
    repeats: int
    seed: int | None
    audit: bool
    keys: int
    official: bool
    reference: dict[str, Value]


def read_wish(
    *, file: Path | None, variables: Mapping[str, str], options: Mapping[str, Any]
) -> Wish:
    """The wish from all its sources.

    Args: options holds settings (lists of values) and race keys by name; None means not given.
    Raises: UsageError naming the key that is wrong; EnvironmentProblem for an unreadable file.
    """
    choices = _from_variables(variables)
    keys: dict[str, Any] = {}
    cells: list[Choices] = []
    if file is not None:
        found, keys, cells = _from_file(file)
        choices |= found
    for name, value in options.items():
        if value is None or value in ([], ()):
            continue
        origin = "--" + name.replace("_", "-")
        if name in RACE_KEYS:
            keys[name] = _race_key(name, value, origin)
        else:
            _require_known(name, origin)
            choices[name] = _choices(name, value, origin)
    return _wish(choices, keys, cells)


def _wish(choices: Choices, keys: dict[str, Any], cells: list[Choices]) -> Wish:
    if keys.get("full") and choices.setdefault("keys", (FULL_KEYS,)) != (FULL_KEYS,):
        raise UsageError(f"full means {FULL_KEYS} keys; leave it or the number of keys out")
    choices.setdefault("keys", (KEYS,))
    choices.setdefault("scale", (SCALE,))
    named = set(choices).union(*cells)
    if not cells:
        choices.setdefault("plan", PLANS)
        if not named & {"ranks", "grid"}:
            choices["ranks"] = RANKS
    for name in SAME_EVERYWHERE:
        if any(len(each.get(name, ())) > 1 for each in (choices, *cells)) or any(
            name in cell for cell in cells
        ):
            raise UsageError(f"{name}: it is the same in all runs of a race; give one value")
    factors = {name: values for name, values in choices.items() if len(values) > 1}
    base = {name: values[0] for name, values in choices.items() if len(values) == 1}
    plans = factors.get("plan", ())
    ladder = keys.get("ladder")
    if ladder and cells:
        raise UsageError("ladder: a list of cells has none; leave one of the two out")
    if ladder is None:
        ladder = not cells and has_both_ends(plans) and not set(SWITCHES) & named
    first = plans[0] if plans else base.get("plan")
    reference = keys.get("reference") or ({"plan": first} if first is not None else {})
    unknown = [name for name in reference if name not in named | {"plan"}]
    if unknown:
        there_are = suggestion(unknown[0], sorted(named))
        raise UsageError(f"reference: {unknown[0]} is the same in all cells{there_are}")
    return Wish(
        design=Design(base, factors, tuple(cells), keys.get("scaling"), ladder),
        repeats=keys.get("repeats", 1),
        seed=keys.get("seed"),
        audit=keys.get("audit", True),
        keys=cast(int, base["keys"]),
        official=base.get("official") is True,
        reference=reference,
    )


def _from_variables(variables: Mapping[str, str]) -> Choices:
    """Variables of runs hold for the runs of a race, except where they are none of a race."""
    settings, origins = merge_settings(file=None, variables=variables, options={})
    return {
        name: (getattr(settings, name),)
        for name in SETTING_NAMES
        if origins[name] != "default" and name not in NOT_OF_A_RACE
    }


def _from_file(path: Path) -> tuple[Choices, dict[str, Any], list[Choices]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}; correct that line") from error
    choices: Choices = {}
    keys: dict[str, Any] = {}
    cells: list[Choices] = []
    for key, value in content.items():
        name = key.replace("-", "_")
        origin = f"{path}: {key}"
        if name == "cells":
            cells = _cells(value, str(path))
        elif name in RACE_KEYS:
            keys[name] = _race_key(name, value, origin)
        else:
            _require_known(key, str(path))
            choices[name] = _choices(name, value, origin)
    return choices, keys, cells


def _require_known(key: str, where: str) -> None:
    name = key.replace("-", "_")
    if name in NOT_OF_A_RACE:
        raise UsageError(f"{where}: {key} is no setting of a race: {NOT_OF_A_RACE[name]}")
    if name not in KNOWN or name in RACE_KEYS:
        raise UsageError(f"{where}: there is no setting {key}{suggestion(name, KNOWN)}")


def _cells(value: Any, path: str) -> list[Choices]:
    if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
        raise UsageError(f"{path}: cells are tables; write each under a line [[cells]]")
    found = []
    for number, table in enumerate(value, start=1):
        where = f"{path}: cells, number {number}"
        cell: Choices = {}
        for key, one in table.items():
            _require_known(key, where)
            name = key.replace("-", "_")
            cell[name] = _choices(name, one, f"{where}: {key}")
        found.append(cell)
    return found


def _choices(name: str, value: Any, origin: str) -> tuple[Value, ...]:
    """One value or several of a setting, each checked, none twice."""
    given = value if isinstance(value, list | tuple) else [value]
    if takes_several(name):  # roots: a list is one value
        given = [value]
    if not given:
        raise UsageError(f"{origin}: the list is empty; give a value or leave it out")
    checked = [cast(Value, checked_value(name, one, origin)) for one in given]
    return tuple(dict.fromkeys(checked))


def _race_key(name: str, value: Any, origin: str) -> Any:
    if name in ("ladder", "audit", "full"):
        return _of_type(value, bool, origin, "true or false")
    if name == "scaling":
        if value not in ("weak", "strong"):
            raise UsageError(f"{origin} = {value}: choose one of weak, strong")
        return cast(Scaling, value)
    if name == "reference":
        table = _of_type(value, dict, origin, 'settings, for example { plan = "simple" }')
        for key in table:
            _require_known(key, origin)
        return {key: _choices(key, one, f"{origin}: {key}")[0] for key, one in table.items()}
    number = _of_type(value, int, origin, "a whole number")
    if number < (1 if name == "repeats" else 0):
        raise UsageError(f"{origin} = {number}: the least is {1 if name == 'repeats' else 0}")
    return number


def _of_type(value: Any, kind: type, origin: str, words: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UsageError(f"{origin} = {value!r}: this takes {words}")
    return value
