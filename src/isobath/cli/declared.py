# SPDX-License-Identifier: Apache-2.0
"""Options of a command from the declaration of its settings; the values from all their sources."""

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from isobath.cli.beside_settings import HOW
from isobath.settings.declaration import WHERE, Declaration, Setting
from isobath.settings.sources import DEFAULT, Merged, merge
from isobath.settings.toml import toml_value
from isobath.study.kinds import is_of_others

FILE = "file"
FILE_SUFFIX = ".toml"
SHOW_CONFIG = "show_config"
AFTERWARDS = ("hang_seconds", "time_limit", "report", "reports", "store")
"""Settings that may be given anew where a study goes on."""


@dataclass(frozen=True)
class Given:
    """What a person typed of the settings of a command."""

    declared: Declaration
    options: dict[str, Any]
    file: Path | None

    def merged(self) -> Merged:
        """With file and variables. Raises: UsageError, EnvironmentProblem."""
        return merge(
            self.declared, file=self.file, variables=os.environ, options=self.options,
            is_of_others=is_of_others,
        )  # fmt: skip

    def afterwards(self) -> dict[str, Any]:
        """What may be given of a study that goes on, or is shown; None where it is not."""
        names = [name for name in AFTERWARDS if name in self.declared.by_name]
        typed = {name: self.options.get(name) for name in names}
        variables = {name: os.environ[name] for name in self._variables(names)}
        values = merge(self.declared, variables=variables, options=typed).values
        return {name: values.get(name) for name in AFTERWARDS}

    def _variables(self, names: list[str]) -> list[str]:
        found = self.declared.variables
        return [one for one, is_set in found.items() if is_set.name in names and one in os.environ]


def takes_settings(declared: Declaration) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command the options of all settings; its function is handed them as ``given``."""

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        def command(**words: Any) -> int:
            options = {one.name: words.pop(one.name) for one in declared.settings
                       if one.name in words}  # fmt: skip
            file = file_among(declared, options, words.pop(FILE, None))
            given = Given(declared, options, file)
            if words.pop(SHOW_CONFIG):
                return _show_config(given)
            return function(given=given, **words)

        wrapped: Any = command
        wrapped.__doc__ = function.__doc__
        wrapped.__name__ = function.__name__
        wrapped.__signature__ = _signature(declared, function)
        return command

    return decorate


def file_among(declared: Declaration, options: dict[str, Any], file: Path | None) -> Path | None:
    """The file of settings: of its own argument, or in the place of another, whose option is then
    None.
    """
    argument = declared.argument
    if argument is None:
        return file
    word = options[argument.name]
    words = word if isinstance(word, list) else [word]
    if len(words) == 1 and str(words[0]).endswith(FILE_SUFFIX) and Path(words[0]).is_file():
        options[argument.name] = None
        return Path(words[0])
    return None


def _signature(declared: Declaration, function: Callable[..., int]) -> inspect.Signature:
    """First what stands without an option, then settings, then what the command has beside them."""
    own = inspect.signature(function, eval_str=True).parameters.values()
    beside = [one for one in own if one.name != "given"]
    found = [one for one in beside if one.annotation is typer.Context]
    first = declared.argument
    found.append(_parameter(first) if first is not None else _file())
    before = [one for one in declared.settings if one.panel != WHERE]
    last = [one for one in declared.settings if one.panel == WHERE]
    are_options = [one for one in (*before, *last) if not (one.is_argument or one.in_toml_alone)]
    found += [_parameter(one) for one in are_options]
    found += [one for one in beside if one.annotation is not typer.Context]
    found.append(_show_config_option())
    return inspect.Signature(
        [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in found], return_annotation=int
    )


def _keyword(name: str, annotation: Any, info: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=info
    )


def _show_config_option() -> inspect.Parameter:
    words = "Print every setting and its origin, and stop."
    return _keyword(
        SHOW_CONFIG, bool, typer.Option(False, "--show-config", rich_help_panel=HOW, help=words)
    )


def _file() -> inspect.Parameter:
    words = "A TOML file of settings; options and variables win over it."
    return _keyword(FILE, Path | None, typer.Argument(None, metavar="FILE.toml", help=words))


def _parameter(one: Setting) -> inspect.Parameter:
    """An option or argument whose value is read by the setting itself."""
    if one.is_argument:
        info = typer.Argument(None, metavar=f"{one.metavar}|FILE.toml", help=one.sentence)
    elif one.kind is bool:
        words = [f"{one.option}/--no-{one.option[2:]}" if one.has_no else one.option]
        info = typer.Option(None, *words, rich_help_panel=one.panel, help=one.sentence)
    else:
        info = typer.Option(
            None, one.option, *one.aliases, metavar=one.metavar, rich_help_panel=one.panel,
            help=one.sentence, autocompletion=_completion(one),
        )  # fmt: skip
    if one.kind is bool:
        return _keyword(one.name, bool | None, info)
    return _keyword(one.name, list[str] | None if one.several else str | None, info)


def alike(declared: Declaration, name: str) -> typer.models.OptionInfo:
    """The option of a setting for another command, which reads its value itself."""
    one = declared.by_name[name]
    option: typer.models.OptionInfo = typer.Option(
        one.option, metavar=one.metavar, help=one.sentence, show_default=False,
        autocompletion=_completion(one),
    )  # fmt: skip
    return option


def _completion(one: Setting) -> Callable[[str], list[str]] | None:
    words = [str(choice) for choice in one.limits.choices]
    if not words:
        return None
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]


def _show_config(given: Given) -> int:
    """Every setting with its value and where that comes from."""
    merged = given.merged()
    width = max(15, *map(len, given.declared.names))
    for one in given.declared.settings:
        value = merged.values.get(one.name, one.default)
        is_open = value is None or (value == () and merged.origins[one.name] == DEFAULT)
        words = "chosen when it starts" if is_open else toml_value(value)
        print(f"{one.name:{width}} {words:30} {merged.origins[one.name]}")
    return 0
