# SPDX-License-Identifier: Apache-2.0
"""Where settings come from, a later one wins: default, TOML file, ISOBATH_* variable, option."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem, UsageError
from isobath.settings.declaration import PREFIX, Declaration
from isobath.settings.renamed import read_as_before, with_present_names
from isobath.settings.values import nearest

DEFAULT = "default"
KIND = "kind"
"""In a file: which command it is for."""

OTHER_VARIABLES = frozenset(
    PREFIX + name
    for name in (
        *("PREFIX", "APT", "ARCHIVES", "OFFLINE", "ONLY"),  # set-up and front door
        *("EXPECT_RANKS", "EXPECT_NODES", "EXPECT_HOSTS"),  # the engine
        *("MPI_COUNT_LIMIT", "NODE_MAP", "CLOCK_SKEW", "CLOCK_DRIFT"),  # the engine
        *("STOP_SECONDS", "ARC_SECONDS", "MESSAGE_COSTS"),  # the engine, and whoever starts it
        "TEST_COMPLETE",  # isobath test
        *("DELAYS_SEED", "DELAYS_MOST_SECONDS"),  # benchmarks/hangs.py
        "NODE_PROCESSES",  # namespaces, for enter_node.sh
        *("PROFILE_DIR", "PROFILE_CELLS", "PROFILE_INSTANCES", "PROFILE_PCONTROL"),  # the profiler
        *("PROFILE_CHECKPOINT_SECONDS", "PROFILE_PYTHON"),
        *("CI_USER", "CHROMIUM", "BENCH_SCALE"),  # CI, tests, benchmarks
    )
)
"""Variables of ours that are no settings."""


@dataclass(frozen=True)
class Merged:
    """What was asked for, from all sources."""

    values: Mapping[str, Any]
    """by name; what nobody named is not there"""
    origins: Mapping[str, str]
    """of every setting of the kind: default, a file, a variable or an option"""
    notes: tuple[str, ...] = ()
    """sentences for who wrote the file: what was read otherwise than it stands there"""


def merge(
    asked: Declaration,
    *,
    file: Path | None = None,
    variables: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    origin_of: Callable[[str], str] | None = None,
    is_of_others: Callable[[str], bool] = lambda _: False,
) -> Merged:
    """The values that were asked for, and the origin of every setting.

    Args: options are what the command line or a program gave, None where nothing was; origin_of is
        how one is called in a sentence, for a program (without, it is an option, and a text is read
        where a number is wanted); is_of_others tells variables that belong to another kind.
    Raises: UsageError for an unknown name (with a suggestion) or an impossible value;
        EnvironmentProblem for a file that cannot be read.
    """
    values: dict[str, Any] = {}
    origins = dict.fromkeys(asked.names, DEFAULT)
    written = _content(asked, file) if file is not None else {}
    of_file = with_present_names(asked.by_name, written)
    for name, value, origin in (
        *_from_file(asked, of_file, str(file)),
        *_from_variables(asked, variables or {}, is_of_others),
        *_from_options(asked, options or {}, origin_of),
    ):
        values[name] = value
        origins[name] = origin
    notes = (read_as_before(str(file)),) if of_file != written else ()
    return Merged(values, origins, notes)


def unknown(what: str, name: str, asked: Declaration) -> UsageError:
    """A name that no setting has; what may have been meant."""
    near = nearest(name, asked.names)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(asked.names)}"
    return UsageError(f"{what}; {hint}")


def read_toml(path: Path) -> dict[str, Any]:
    """What a file says. Raises: UsageError where it is not TOML, EnvironmentProblem."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is not UTF-8 text (its byte {error.start} cannot be); save it as UTF-8"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}; correct that line") from error


def _content(asked: Declaration, path: Path) -> dict[str, Any]:
    content = read_toml(path)
    kind = content.pop(KIND, asked.kind)
    if kind != asked.kind:
        raise UsageError(
            f"{path} holds settings of {kind}, not of {asked.kind}; type ./isobath {kind} {path}"
        )
    return content


def _from_file(
    asked: Declaration, content: Mapping[str, Any], origin: str
) -> Iterator[tuple[str, Any, str]]:
    for key, value in content.items():
        name = key.replace("-", "_")
        setting = asked.by_name.get(name)
        if setting is None:
            raise unknown(f"{origin}: there is no setting {key} of {asked.kind}", name, asked)
        yield name, setting.value(value, f"{origin}: {key}"), origin


def _from_variables(
    asked: Declaration, variables: Mapping[str, str], is_of_others: Callable[[str], bool]
) -> Iterator[tuple[str, Any, str]]:
    there = asked.variables
    for variable in sorted(variables):
        if variable in there:
            setting = there[variable]
            yield (
                setting.name,
                setting.value(variables[variable], variable, is_typed=True),
                variable,
            )
        elif (
            variable.startswith(PREFIX)
            and variable not in OTHER_VARIABLES
            and not is_of_others(variable)
        ):
            word = f"{asked.word}_" if asked.word else ""
            name = variable.removeprefix(PREFIX).removeprefix(word).lower()
            raise unknown(f"there is no setting for the variable {variable}", name, asked)


def _from_options(
    asked: Declaration, options: Mapping[str, Any], origin_of: Callable[[str], str] | None
) -> Iterator[tuple[str, Any, str]]:
    for name, value in options.items():
        setting = asked.by_name.get(name)
        if setting is None:
            raise unknown(f"there is no setting {name} of {asked.kind}", name, asked)
        if value is None or value in ([], ()):
            continue
        origin = origin_of(name) if origin_of else setting.option
        yield name, setting.value(value, origin, is_typed=origin_of is None), origin
