# SPDX-License-Identifier: Apache-2.0
"""Settings of a command, each declared once: option, TOML, variable, help and page come from it.

A kind of study declares its settings as fields of a frozen dataclass: ADR 0035.
"""

import shlex
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, Union, get_args, get_origin, get_type_hints

from isobath.errors import UsageError
from isobath.settings.checking import NO_LIMITS, Limits, checked, read_word
from isobath.settings.values import parts_of

PREFIX = "ISOBATH_"
FIELD = "setting"

WHERE = "Where it goes, and when it ends"
"""Heading of what is the same in all kinds; it stands last."""

NODES = "Nodes that ranks go to"
"""Heading of what is the same in all kinds that launch MPI programs; it stands before that."""

COMMAND_LINE = "--"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting. None as a default means that Isobath chooses."""

    name: str = ""
    """also the key in TOML; the option has hyphens"""
    kind: type = str
    """of one value: bool, int, float, str, or dict of a table that stands in TOML alone"""
    several: bool = False
    default: Any = None
    help: str = ""
    """a phrase without its full stop; what it may be and its default are added"""
    metavar: str = "NAME"
    panel: str | None = None
    limits: Limits = NO_LIMITS
    parse: Callable[[str, str], Any] | None = None
    """of origin and word: the value, or a tuple of values where it takes several"""
    split: Callable[[str], Sequence[str]] = parts_of
    """words of a text that holds several"""
    may_repeat: bool = False
    """of several: none is dropped because it is there already"""
    aliases: tuple[str, ...] = ()
    """further options that mean the same"""
    has_no: bool = False
    """of yes or no: there is --no-NAME too"""
    is_argument: bool = False
    """stands without an option, where others have the name of a file of settings"""
    in_toml_alone: bool = False
    names: str = ""
    """what its value names, for who completes it: study, run or baseline"""
    hints: tuple[str, ...] = ()
    """words that it may be beside others, which cannot be listed; for who completes it"""
    is_plain: bool = False
    """its variable does not begin with the word of the kind, because it is of several kinds"""
    is_place: bool = False
    """names a place of this machine that says nothing about what is measured"""
    is_outside: bool = False
    """names a program, folder or machine that is used: of an archive that nobody vouches for it is
    not followed"""
    takes: str = ""
    """what the page says that it takes, where kind and choices do not say so"""
    usual: str = ""
    """the default in words; without, the default itself"""
    more: str = ""
    """what the page says beside the phrase of the help"""

    @property
    def option(self) -> str:
        """As it is typed."""
        return COMMAND_LINE + self.name.replace("_", "-")

    @property
    def usual_words(self) -> str:
        """The default for people; empty where there is none."""
        if self.usual or self.default is None or self.default == ():
            return self.usual
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return ",".join(map(str, self.default)) if self.several else str(self.default)

    @property
    def known_words(self) -> tuple[str, ...]:
        """What it may be, as far as that can be listed."""
        return (*map(str, self.limits.choices), *self.hints)

    @property
    def sentence(self) -> str:
        """What stands behind the option in a help."""
        words = self.help
        if self.limits.choices and self.kind is not bool:
            words += ": " + ", ".join(map(str, self.limits.choices))
        usual = self.usual_words.replace("`", "")
        told = usual if self.kind is not bool else ("the default" if self.default else "")
        if told:
            words += f" ({told})" if self.kind is bool else f"; default: {told}"
        return words + "."

    def value(self, given: Any, origin: str, *, is_typed: bool = False) -> Any:
        """A value as the setting holds it.

        Args: is_typed allows a text where a number or a yes or no is wanted: what options and
            variables give.
        Raises: UsageError beginning with ``origin``.
        """
        if not self.several:
            return self._one(given, origin, is_typed=is_typed)
        values: list[Any] = []
        words = self._words(given)
        if not words and is_typed and not origin.startswith(PREFIX):
            raise UsageError(f"{origin} has no value; write one, or leave it out")
        for word in words:
            parsed = self._one(word, origin, is_typed=is_typed or isinstance(word, str))
            values += parsed if isinstance(parsed, tuple) else [parsed]
        return tuple(values) if self.may_repeat else tuple(dict.fromkeys(values))

    def written(self, value: Any) -> Any:
        """A value as a file of settings has it."""
        return list(value) if isinstance(value, tuple) else value

    def _words(self, given: Any) -> list[Any]:
        """Parts of what may hold several: a text, a list of texts, or a list of values."""
        if isinstance(given, str):
            return list(self.split(given))
        parts = list(given) if isinstance(given, list | tuple) else [given]
        if self.split is not parts_of:
            return parts
        return [
            word
            for part in parts
            for word in (self.split(part) if isinstance(part, str) else [part])
        ]

    def _one(self, given: Any, origin: str, *, is_typed: bool) -> Any:
        if self.parse is not None and isinstance(given, str):
            given = self.parse(origin, given)
            if isinstance(given, tuple):
                return tuple(checked(self.kind, part, origin, self.limits) for part in given)
        elif is_typed and isinstance(given, str):
            given = read_word(self.kind, given, origin)
        return checked(self.kind, given, origin, self.limits)


def setting(
    default: Any,
    phrase: str,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
    choices: Iterable[str | int] = (),
    **more: Any,
) -> Any:
    """A field of a class of settings. Args: phrase is its help, without the full stop."""
    limits = Limits(above, least, most, tuple(choices))
    said = Setting(help=phrase, default=default, limits=limits, **more)
    return field(default=default, metadata={FIELD: said})


@dataclass(frozen=True)
class Declaration:
    """All settings of a kind of study."""

    kind: str
    """as its command: bench cg"""
    settings: tuple[Setting, ...]
    word: str = ""
    """in the names of its variables; empty: they have none"""

    @property
    def by_name(self) -> Mapping[str, Setting]:
        """In their order."""
        return {setting.name: setting for setting in self.settings}

    @property
    def names(self) -> tuple[str, ...]:
        """In their order."""
        return tuple(setting.name for setting in self.settings)

    @property
    def argument(self) -> Setting | None:
        """The one that stands without an option, if there is one."""
        return next((setting for setting in self.settings if setting.is_argument), None)

    def variable(self, setting: Setting) -> str:
        """The name of its variable."""
        word = f"{self.word}_" if self.word and not setting.is_plain else ""
        return PREFIX + word + setting.name.upper()

    @property
    def variables(self) -> dict[str, Setting]:
        """Settings by the names of their variables."""
        return {
            self.variable(setting): setting
            for setting in self.settings
            if not setting.in_toml_alone
        }


def declared(kind: str, holder: type, word: str = "") -> Declaration:
    """The settings that are fields of a class; those of several kinds last."""
    hints = get_type_hints(holder)
    settings = []
    for spec in fields(holder):
        said: Setting = spec.metadata[FIELD]
        default = () if spec.default is MISSING else spec.default
        one_kind, several = _type_of(hints[spec.name])
        settings.append(
            replace(said, name=spec.name, kind=one_kind, several=several, default=default)
        )
    last = {NODES: 1, WHERE: 2}
    settings.sort(key=lambda setting: last.get(setting.panel or "", 0))
    return Declaration(kind, tuple(settings), word)


def _type_of(hint: Any) -> tuple[type, bool]:
    """The plain type of a setting, and whether there may be several."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple:
        return get_args(hint)[0], True
    return hint, False


def shell_words(text: str) -> Sequence[str]:
    """A command as it is typed, in its words."""
    return shlex.split(text)
