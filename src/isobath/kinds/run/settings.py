# SPDX-License-Identifier: Apache-2.0
"""The settings of a run, and where each may come from: default < file < ISOBATH_* < option."""

import difflib
import math
import os
import tomllib
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.limits import Asked
from isobath.launch.transport import SHARED_MEMORY, transport_of
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.plan.layout import MOST_RANKS, MOST_THREADS
from isobath.plan.search_plans import HYBRID, KERNELS, ON_OFF, PATH_PLANS, PLANS, SWITCHES
from isobath.records.run import InstructionSet

PREFIX = "ISOBATH_"
OTHER_VARIABLES = frozenset(
    PREFIX + name
    for name in (
        *("PREFIX", "APT", "ARCHIVES", "OFFLINE", "ONLY"),  # set-up and front door
        *("EXPECT_RANKS", "MPI_COUNT_LIMIT", "NODE_MAP", "CLOCK_SKEW", "CLOCK_DRIFT"),  # the engine
        "STOP_SECONDS",  # the engine, and whoever starts it
        "TEST_COMPLETE",  # isobath test
        *("DELAYS_SEED", "DELAYS_MOST_SECONDS"),  # benchmarks/hangs.py
        "NODES",  # namespaces, for enter_node.sh
        *("PROFILE_DIR", "PROFILE_CELLS", "PROFILE_INSTANCES", "PROFILE_PCONTROL"),  # the profiler
        "PROFILE_CHECKPOINT_SECONDS",
        *("CI_USER", "CHROMIUM", "BENCH_SCALE"),  # CI, tests, benchmarks
    )
)
"""Variables of ours that are no settings of a run."""

TRUE_WORDS = ("1", "true", "yes", "on")
FALSE_WORDS = ("0", "false", "no", "off")


def _setting(
    default: Any = None,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str | int, ...] = (),
) -> Any:
    limits = {"above": above, "least": least, "most": most, "choices": choices}
    return field(default=default, metadata=limits)


def _switch(name: str) -> Any:
    """None is what the plan does by default."""
    return _setting(choices=SWITCHES[name].values)


@dataclass(frozen=True)
class RunSettings:
    """What a person may ask of a run. None means that Isobath chooses."""

    scale: int | None = _setting(least=1, most=LARGEST_SCALE)
    edgefactor: int = _setting(16, least=1, most=LARGEST_EDGEFACTOR)
    keys: int = _setting(64, least=1, most=100000)
    root: tuple[int, ...] = _setting((), least=0)
    ranks: int | None = _setting(least=1, most=MOST_RANKS)
    threads: int | None = _setting(least=1, most=MOST_THREADS)
    grid: str | None = _setting()
    kernel: str = _setting("bfs", choices=KERNELS)
    plan: str = _setting(HYBRID, choices=PLANS)
    exchange: str | None = _switch("exchange")
    duplicates: str | None = _switch("duplicates")
    ids: int | None = _switch("ids")
    dedup: str | None = _switch("dedup")
    frontier: str | None = _switch("frontier")
    fold: str | None = _switch("fold")
    relabel: str | None = _switch("relabel")
    leaves: str | None = _switch("leaves")
    streams: str | None = _switch("streams")
    overlap: str | None = _switch("overlap")
    direction: str | None = _switch("direction")
    sssp_plan: str | None = _setting(choices=PATH_PLANS)
    sssp_prune: str | None = _setting(choices=ON_OFF)
    sssp_delta: float | None = _setting(least=0)
    mpi: str | None = _setting()
    transport: str = _setting(SHARED_MEMORY.text())
    ranks_per_node: int | None = _setting(least=1, most=MOST_RANKS)
    instruction_set: str | None = _setting(choices=get_args(InstructionSet))
    engine_build: str | None = _setting()
    edges: str = _setting("memory", choices=("memory", "file", "regenerate"))
    edge_folder: str | None = _setting()
    validation: bool = _setting(True)
    validation_copy: str | None = _setting(choices=ON_OFF)
    warmup: int = _setting(1, least=0, most=1)
    official: bool = _setting(False)
    alpha: float | None = _setting(above=0)
    beta: float | None = _setting(above=0)
    size_edges: str | None = _setting()
    peer_records: bool = _setting(False)
    legacy_no_bang: bool = _setting(False)
    store: str | None = _setting()
    reports: str | None = _setting()
    report: bool = _setting(True)
    force: bool = _setting(False)
    hang_seconds: float | None = _setting(above=0)
    time_limit: float | None = _setting(above=0)

    @property
    def asked_limits(self) -> Asked:
        """How long is too long, as far as that was asked for."""
        return Asked(self.hang_seconds, self.time_limit)

    @property
    def switches(self) -> dict[str, str | int | None]:
        """What was asked of the plan, by name; None where it does as usual."""
        return {name: getattr(self, name) for name in SWITCHES}


SETTING_NAMES = tuple(spec.name for spec in fields(RunSettings))
DEFAULT = "default"


def merge_settings(
    *, file: Path | None, variables: Mapping[str, str], options: Mapping[str, Any]
) -> tuple[RunSettings, dict[str, str]]:
    """Settings from all their sources, and the origin of each value.

    Args: options holds what was given on the command line; None means not given.
    Raises: UsageError for an unknown name (with a suggestion) or an impossible value;
        EnvironmentProblem for a file that cannot be read.
    """
    values: dict[str, Any] = {}
    origins = dict.fromkeys(SETTING_NAMES, DEFAULT)
    for name, value, origin in (*_from_file(file), *_from_variables(variables)):
        values[name] = value
        origins[name] = origin
    for name, value in options.items():
        if value is not None and value != []:
            origin = "--" + name.replace("_", "-")
            values[name] = checked_value(name, value, origin)
            origins[name] = origin
    return RunSettings(**values), origins


def _from_file(path: Path | None) -> list[tuple[str, Any, str]]:
    if path is None:
        return []
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is not UTF-8 text (its byte {error.start} cannot be); save it as UTF-8"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}; correct that line") from error
    found = []
    for key, value in content.items():
        name = key.replace("-", "_")
        if name not in SETTING_NAMES:
            raise UsageError(f"{path}: there is no setting {key}{suggestion(name)}")
        found.append((name, checked_value(name, value, f"{path}: {key}"), str(path)))
    return found


def _from_variables(variables: Mapping[str, str]) -> list[tuple[str, Any, str]]:
    found = []
    for variable in sorted(variables):
        if not variable.startswith(PREFIX) or variable in OTHER_VARIABLES:
            continue
        name = variable[len(PREFIX) :].lower()
        if name not in SETTING_NAMES:
            raise UsageError(f"there is no setting for the variable {variable}{suggestion(name)}")
        value = _parsed(name, variables[variable], variable)
        found.append((name, checked_value(name, value, variable), variable))
    return found


def suggestion(name: str, known: Sequence[str] = SETTING_NAMES) -> str:
    """What may have been meant by a name that is not known; begins with a semicolon."""
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(known)}"


def _type_of(name: str) -> tuple[type, bool]:
    """The plain type of a setting, and whether there may be several."""
    hint = get_type_hints(RunSettings)[name]
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple:
        return get_args(hint)[0], True
    return hint, False


def takes_several(name: str) -> bool:
    """Whether one run has several values of this setting."""
    return _type_of(name)[1]


def _parsed(name: str, text: str, origin: str) -> Any:
    """The value that a variable's text stands for."""
    kind, several = _type_of(name)
    if several:
        return [_parsed_one(kind, part, origin) for part in text.replace(",", " ").split()]
    return _parsed_one(kind, text, origin)


def _parsed_one(kind: type, text: str, origin: str) -> Any:
    if kind is bool:
        word = text.strip().lower()
        if word in TRUE_WORDS or word in FALSE_WORDS:
            return word in TRUE_WORDS
        raise UsageError(f"{origin}={text} is neither yes nor no; write 1 or 0")
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError as error:
        raise UsageError(f"{origin}={text} is not a number; write one") from error


def checked_value(name: str, value: Any, origin: str) -> Any:
    """A value as the setting holds it. Raises: UsageError beginning with ``origin``."""
    kind, several = _type_of(name)
    if several:
        if not isinstance(value, list | tuple):
            value = [value]
        return tuple(_checked_one(name, kind, one, origin) for one in value)
    return _checked_one(name, kind, value, origin)


def _checked_one(name: str, kind: type, value: Any, origin: str) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    spec = next(spec for spec in fields(RunSettings) if spec.name == name).metadata
    if set(ON_OFF) <= set(spec["choices"]) and isinstance(value, bool):
        value = "on" if value else "off"
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
        raise UsageError(f"{origin} = {value!r}: this setting takes {words[kind]}")
    if spec["choices"] and value not in spec["choices"]:
        there_are = ", ".join(map(str, spec["choices"]))
        raise UsageError(f"{origin} = {value}: choose one of {there_are}")
    if isinstance(value, float) and not math.isfinite(value):
        raise UsageError(f"{origin} = {value}: this setting takes a finite number")
    if name == "transport":
        return _transport(str(value), origin)
    if spec["above"] is not None and value <= spec["above"]:
        raise UsageError(f"{origin} = {value}: it must be greater than {spec['above']}")
    if spec["least"] is not None and value < spec["least"]:
        raise UsageError(f"{origin} = {value}: the least is {spec['least']}")
    if spec["most"] is not None and value > spec["most"]:
        raise UsageError(f"{origin} = {value}: the most is {spec['most']}")
    return value


def _transport(text: str, origin: str) -> str:
    """The shortest words that mean the same."""
    try:
        return transport_of(text).text()
    except UsageError as error:
        raise UsageError(f"{origin}: {error}") from error
