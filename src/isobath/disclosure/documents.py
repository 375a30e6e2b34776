# SPDX-License-Identifier: Apache-2.0
"""Whole documents as they are stored: JSON, JSON lines and texts, with what is left out of each.

Only texts are changed: numbers, order and layout of a JSON document stay byte for byte.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from isobath.disclosure.credentials import LEFT_OUT, is_credential_name, without_credentials
from isobath.disclosure.variables import stored_kernel_line, stored_value
from isobath.disclosure.words import stored_line, stored_words

COMMANDS = ("argv", "command", "launch_line")
VARIABLES = ("environment", "variables", "launch_environment")
KERNEL = "kernel_command_line"
ARM = "arm"
"""Field of an arm of a plan: Isobath chose its variables, and a benchmark goes on with them."""

LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
NUMBERS = (int, float, bool)
SHORTEST_KNOWN = 8
PLAIN_WORD = re.compile(r"[a-z]{1,12}\Z|true|false", re.I)
WITHOUT_TEXTS = re.compile(
    r'"kind": ?"(?:level|round|calls|traffic_matrix|message_sizes|mpi_time|audit|profile_matrix'
    r'|profile_sizes)"'
)
"""Lines of records that have numbers and words of ours alone."""


@dataclass(frozen=True)
class Change:
    """Something that is not stored and was met."""

    place: str
    """names alone, never what stood there"""
    is_credential: bool
    """else it is what explains no performance"""


@dataclass
class Cleaner:
    """Documents without what is not stored.

    Args: known are values of credentials, left out wherever they stand.
    """

    known: tuple[str, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()
    """variables of this process that are not stored; launchers print NAME=VALUE where asked"""
    changes: list[Change] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    """values of credentials that were met"""

    def json_text(self, text: str, place: str = "") -> str:
        """A JSON document. Raises: ValueError where it is none."""
        value = json.loads(text)
        wanted = self.document(value, place)
        if wanted == value:
            return text
        return _spliced(text, list(_texts(value)), list(_texts(wanted)))

    def record_lines(self, text: str, place: str = "records") -> str:
        """JSON lines; what is no JSON, as the torn end of a file, is taken as text."""
        return "".join(self._line(line, place) for line in text.splitlines(keepends=True))

    def text(self, text: str, place: str) -> str:
        """What a program or a launcher said."""
        clean = without_credentials(text)
        for value in self.known:
            clean = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", LEFT_OUT, clean)
        for name, value in self.assigned:
            clean = clean.replace(f"{name}={value}", f"{name}={LEFT_OUT}")
        if clean != text:
            self.changes.append(Change(place, is_credential=True))
        return clean

    def document(self, value: Any, place: str = "") -> Any:
        """A parsed document."""
        if isinstance(value, dict):
            is_planned = ARM in value
            return {
                key: self._field(key, item, _below(place, key), is_planned=is_planned)
                for key, item in value.items()
            }
        if isinstance(value, list):
            if all(type(number) in NUMBERS for number in value):
                return value
            return [self.document(item, place) for item in value]
        return self.text(value, place) if isinstance(value, str) else value

    def _field(self, key: str, value: Any, place: str, *, is_planned: bool) -> Any:
        if key in COMMANDS and _is_texts(value):
            return self._words(value, place)
        if key in COMMANDS and isinstance(value, str):
            return self._compared(value, stored_line(value), place)
        if key == KERNEL and isinstance(value, str):
            return self._kernel(value, place)
        if key in VARIABLES and not is_planned and _is_variables(value):
            return {name: self._variable(name, text, place) for name, text in value.items()}
        if isinstance(value, dict) and set(value) == {"value", "origin"}:
            value = {name: self._setting(setting, place) for name, setting in value.items()}
            return self._field_of_command(key, value, place)
        return self.document(value, place)

    def _field_of_command(self, key: str, field: dict[str, Any], place: str) -> dict[str, Any]:
        """A setting with its origin: of a command, its words are those of a command."""
        if key not in COMMANDS:
            return field
        return {**field, "value": self._field(key, field["value"], place, is_planned=False)}

    def _words(self, words: Sequence[str], place: str) -> list[str]:
        stored = stored_words(words)
        return [
            self._compared(old, new, f"{place}, word {number}")
            for number, (old, new) in enumerate(zip(words, stored, strict=True))
        ]

    def _compared(self, old: str, new: str, place: str) -> str:
        if new != old:
            self.changes.append(Change(place, is_credential=True))
            self._remember(old, new)
        return self.text(new, place)

    def _variable(self, name: str, value: str, place: str) -> str:
        kept = stored_value(name, value)
        if kept != value:
            is_credential = is_credential_name(name)
            is_credential |= without_credentials(value, strict=True) != value
            self.changes.append(Change(_below(place, name), is_credential))
            if is_credential:
                self._remember(value, LEFT_OUT)
        return self.text(kept, _below(place, name))

    def _setting(self, value: Any, place: str) -> Any:
        if isinstance(value, list | tuple):
            return [self._setting(part, place) for part in value]
        if not isinstance(value, str):
            return self.document(value, place)
        return self._compared(value, without_credentials(value, strict=True), place)

    def _kernel(self, line: str, place: str) -> str:
        kept = stored_kernel_line(line)
        if kept != line.strip():
            dropped = " ".join(word for word in line.split() if word not in kept.split())
            is_credential = without_credentials(dropped, strict=False) != dropped
            self.changes.append(Change(place, is_credential))
        return kept

    def _remember(self, old: str, new: str) -> None:
        before, mark, after = new.partition(LEFT_OUT)
        if mark and LEFT_OUT not in after and old.startswith(before) and old.endswith(after):
            self.removed += _recognizable([old[len(before) : len(old) - len(after)]])

    def _line(self, line: str, place: str) -> str:
        if WITHOUT_TEXTS.search(line, 0, 200) and not any(secret in line for secret in self.known):
            return line
        try:
            return self.json_text(line, place)
        except ValueError:
            return self.text(line, place)


def cleaner_of(
    variables: Mapping[str, str], words: Iterable[str], settings: Iterable[str] = ()
) -> Cleaner:
    """One that also knows the credentials that a process was given.

    Args: words are those of its command; settings are texts that a study keeps, and goes on with:
        of them credentials alone are left out.
    """
    seen = Cleaner()
    kept = {"value": list(settings), "origin": ""}
    seen.document({"variables": dict(variables), "command": list(words), "settings": {"x": kept}})
    known = tuple(sorted(set(seen.removed), key=len, reverse=True))
    hidden = [
        (name, value)
        for name, value in variables.items()
        if value and stored_value(name, value) == LEFT_OUT
    ]
    return Cleaner(known, tuple(sorted(hidden, key=lambda pair: len(pair[1]), reverse=True)))


def _recognizable(values: Iterable[str]) -> list[str]:
    """Those that are no ordinary word, which would be struck out where it means itself."""
    values = [value.strip("\"'") for value in values]
    return [text for text in values if len(text) >= SHORTEST_KNOWN and not PLAIN_WORD.match(text)]


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)


def _is_variables(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _below(place: str, key: str) -> str:
    return f"{place}.{key}" if place and not place.endswith(": ") else f"{place}{key}"


def _texts(value: Any) -> Iterator[str]:
    """All texts of a document, names of fields among them, in the order of the document."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def _spliced(text: str, old: list[str], new: list[str]) -> str:
    """The document with other texts. Raises: ValueError where it names a field twice."""
    literals = list(LITERAL.finditer(text))
    if not len(literals) == len(old) == len(new):
        raise ValueError("a field stands there twice")
    pieces, place = [], 0
    for literal, before, after in zip(literals, old, new, strict=True):
        if before != after:
            pieces += [text[place : literal.start()], json.dumps(after, ensure_ascii=False)]
            place = literal.end()
    return "".join([*pieces, text[place:]])
