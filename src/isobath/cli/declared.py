# SPDX-License-Identifier: Apache-2.0
"""Options of a command from the declaration of its settings; the values from all their sources."""

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from isobath.cli import completion
from isobath.cli.beside_settings import HOW
from isobath.cli.terminal import say
from isobath.settings.declaration import WHERE, Declaration, Setting
from isobath.settings.sources import DEFAULT, Merged, merge
from isobath.settings.toml import toml_value
from isobath.study.kinds import is_of_others

FILE = "file"
FILE_SUFFIX = ".toml"
SHOW_CONFIG = "show_config"
NAMED: dict[str, Callable[..., Any]] = {
    "study": completion.several_studies,
    "run": completion.studies_of("run"),
    "baseline": completion.baselines,
}
"""Completion of what a setting names."""

AFTERWARDS = ("hang_seconds", "time_limit", "report", "reports", "store")
"""Settings that may be given anew where a study goes on."""


@dataclass(frozen=True)
class Given:
    """What a person typed of the settings of a command."""

    declared: Declaration
    options: dict[str, Any]
    file: Path | None

    def merged(self) -> Merged:
        """With file and variables; what stands otherwise in the file is said.

        Raises: UsageError, EnvironmentProblem.
        """
        merged = merge(
            self.declared, file=self.file, variables=os.environ, options=self.options,
            is_of_others=is_of_others,
        )  # fmt: skip
        for sentence in merged.notes:
            say(sentence)
        return merged

    def afterwards(self) -> dict[str, Any]:
        """What may be given of a study that goes on, or is shown; None where it is not."""
        names = [name for name in AFTERWARDS if name in self.declared.by_name]
        typed = {name: self.options.get(name) for name in names}
        variables = {name: os.environ[name] for name in self._variables(names)}
        values = merge(self.declared, variables=variables, options=typed).values
        return {name: values.get(name) for name in AFTERWARDS}

    def _variables(self, names: list[str]) -> list[str]:
        settings = self.declared.variables
        return [
            variable
            for variable, is_set in settings.items()
            if is_set.name in names and variable in os.environ
        ]


def takes_settings(declared: Declaration) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command the options of all settings; its function is handed them as ``given``."""

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        def command(**words: Any) -> int:
            options = {setting.name: words.pop(setting.name) for setting in declared.settings
                       if setting.name in words}  # fmt: skip
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
    beside = [parameter for parameter in own if parameter.name != "given"]
    parameters = [parameter for parameter in beside if parameter.annotation is typer.Context]
    first = declared.argument
    parameters.append(_parameter(first) if first is not None else _file())
    before = [setting for setting in declared.settings if setting.panel != WHERE]
    last = [setting for setting in declared.settings if setting.panel == WHERE]
    are_options = [
        setting
        for setting in (*before, *last)
        if not (setting.is_argument or setting.in_toml_alone)
    ]
    parameters += [_parameter(setting) for setting in are_options]
    parameters += [parameter for parameter in beside if parameter.annotation is not typer.Context]
    parameters.append(_show_config_option())
    return inspect.Signature(
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters],
        return_annotation=int,
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


def _parameter(field: Setting) -> inspect.Parameter:
    """An option or argument whose value is read by the setting itself."""
    if field.is_argument:
        info = typer.Argument(
            None, metavar=f"{field.metavar}|FILE.toml", help=field.sentence,
            autocompletion=_completion(field),
        )  # fmt: skip
    elif field.kind is bool:
        words = [f"{field.option}/--no-{field.option[2:]}" if field.has_no else field.option]
        info = typer.Option(None, *words, rich_help_panel=field.panel, help=field.sentence)
    else:
        info = typer.Option(
            None, field.option, *field.aliases, metavar=field.metavar, rich_help_panel=field.panel,
            help=field.sentence, autocompletion=_completion(field),
        )  # fmt: skip
    if field.kind is bool:
        return _keyword(field.name, bool | None, info)
    return _keyword(field.name, list[str] | None if field.several else str | None, info)


def alike(declared: Declaration, name: str) -> typer.models.OptionInfo:
    """The option of a setting for another command, which reads its value itself."""
    setting = declared.by_name[name]
    option: typer.models.OptionInfo = typer.Option(
        setting.option, metavar=setting.metavar, help=setting.sentence, show_default=False,
        autocompletion=_completion(setting),
    )  # fmt: skip
    return option


def _completion(setting: Setting) -> Callable[..., Any] | None:
    if setting.names:
        return NAMED[setting.names]
    if not setting.known_words:
        return None
    complete = completion.some_of if setting.several else completion.one_of
    return complete(setting.known_words)


def _show_config(given: Given) -> int:
    """Every setting with its value and where that comes from."""
    merged = given.merged()
    width = max(15, *map(len, given.declared.names))
    for setting in given.declared.settings:
        value = merged.values.get(setting.name, setting.default)
        is_open = value is None or (value == () and merged.origins[setting.name] == DEFAULT)
        words = "chosen when it starts" if is_open else toml_value(value)
        print(f"{setting.name:{width}} {words:30} {merged.origins[setting.name]}")
    return 0
