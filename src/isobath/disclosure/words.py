# SPDX-License-Identifier: Apache-2.0
"""Words of a command as they are stored: what may be a credential is left out.

engine/record/disclosure.cpp does the same; tests/data/disclosure.json holds cases of both.
"""

import re
import sys
from collections.abc import Iterable

from isobath.disclosure.credentials import (
    LEFT_OUT,
    MOST_PASSES,
    is_credential_name,
    without_credentials,
)
from isobath.disclosure.names import NAMES

MARK = "\x01"
"""LEFT_OUT while words are taken apart: it holds a blank itself."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
CAPITAL_NAME = re.compile(r"[A-Z_][A-Z0-9_]*\Z")
SHORT_OPTION = re.compile(r"-[A-Za-z]\Z")
TOKEN = re.compile(r"(?:[^\s'\"]|'[^']*'|\"[^\"]*\"|['\"])+")
"""A word of a shell's line: blanks in quotes do not end it; a quote without another is a letter."""
PLAIN_TOKEN = re.compile(r"\S+")
BLANK = re.compile(r"\s")


def typed_command() -> tuple[str, ...]:
    """What the person typed, as it is stored."""
    return stored_words(("isobath", *sys.argv[1:]))


def stored_words(words: Iterable[str]) -> tuple[str, ...]:
    """Words of a command, of a launch line or argv.

    Left out is what follows an option whose name is that of a credential, variables that are not
    stored (NAME=VALUE, -x NAME=VALUE, -genv NAME VALUE, --export NAME=VALUE) and whatever looks
    like a credential.

    >>> stored_words(["mpiexec", "-n", "2", "./program", "--token", "abc"])
    ('mpiexec', '-n', '2', './program', '--token', '[left out]')
    """
    stored = [word.replace(LEFT_OUT, MARK) for word in words]
    for _ in range(MOST_PASSES):
        before, stored = stored, _stored(stored)
        if stored == before:
            break
    return tuple(word.replace(MARK, LEFT_OUT) for word in stored)


def stored_line(line: str) -> str:
    """The same of a line as a shell takes it; blanks between words stay."""
    return _line(line.replace(LEFT_OUT, MARK)).replace(MARK, LEFT_OUT)


def _stored(words: list[str]) -> list[str]:
    stored: list[str] = []
    role = ""
    """of the next word, as _what_follows names it"""
    for word in words:
        if role == "value" and not _is_another_option(word):
            stored.append(MARK)
            role = ""
        elif role == "variable" or (role == "setting" and "=" in word):
            stored.append(_assignments(word))
            role = ""
        else:
            stored.append(_word(word))
            if role == "setting":
                role = "kept" if _is_stored(word) else "value"
            elif role == "parameter":
                role = "value" if is_credential_name(word) else "kept"
            else:
                role = "" if role == "kept" else _what_follows(word)
    return stored


def _is_another_option(word: str) -> bool:
    return word.startswith("--") or SHORT_OPTION.match(word) is not None


def _what_follows(word: str) -> str:
    if word in NAMES.setting_options:
        return "setting"
    if word in NAMES.assigning_options:
        return "variable"
    if word in NAMES.parameter_options:
        return "parameter"
    if word.startswith("-") and "=" not in word and is_credential_name(word.lstrip("-")):
        return "value"
    return ""


def _word(word: str) -> str:
    """One word by itself."""
    if BLANK.search(word):
        return _with_blanks(word)
    name, equals, value = word.partition("=")
    if not equals or not value:
        return _checked(word)
    if name in NAMES.assigning_options:
        return f"{name}={_assignments(value)}"
    if value.rstrip(";&|)") == MARK:
        return word
    if _is_hidden(name):
        return f"{name}={MARK}"
    return f"{name}={_checked(value)}" if NAME.match(name.lstrip("-")) else _checked(word)


def _with_blanks(word: str) -> str:
    """A word that holds others: a line for a shell, or a quoted one."""
    word = _checked(word, strict=False)
    if TOKEN.fullmatch(word) is None:
        return _line(word)
    if _unquoted(word) != word:
        return _quoted_as(word, _word(_unquoted(word)))
    name, equals, value = word.partition("=")
    if equals and NAME.match(name.lstrip("-")) and _unquoted(value) != value:
        kept = MARK if _is_hidden(name) else _quoted_as(value, _word(_unquoted(value)))
        return f"{name}={kept}"
    return _line(word, PLAIN_TOKEN)  # quotes that are none


def _is_hidden(name: str) -> bool:
    """Whether what is assigned to a name is left out."""
    return is_credential_name(name.lstrip("-")) or (
        CAPITAL_NAME.match(name) is not None and not _is_stored(name)
    )


def _assignments(word: str) -> str:
    """NAME=VALUE, several with commas between; a part without a name belongs to the one before."""
    assignments: list[str] = []
    is_stored = True
    for part in word.split(","):
        name, equals, value = part.partition("=")
        if equals and NAME.match(name):
            is_stored = _is_stored(name)
            assignments.append(f"{name}={_checked(value) if is_stored else MARK}")
        elif is_stored:
            assignments.append(_checked(part))
    return ",".join(assignments)


def _line(line: str, pattern: re.Pattern[str] = TOKEN) -> str:
    """A text with several words in it: a shell's line, perhaps with quoted lines in it."""
    tokens = list(pattern.finditer(line))
    stored = _stored([_unquoted(match[0]) for match in tokens])
    pieces, place = [], 0
    for token, word in zip(tokens, stored, strict=True):
        changed = token[0] if word == _unquoted(token[0]) else _quoted_as(token[0], word)
        pieces += [line[place : token.start()], changed]
        place = token.end()
    return "".join([*pieces, line[place:]])


def _unquoted(token: str) -> str:
    whole = len(token) > 1 and token[0] in "\"'" and token[-1] == token[0]
    return token[1:-1] if whole else token


def _quoted_as(token: str, word: str) -> str:
    return token[0] + word + token[0] if _unquoted(token) != token else word


def _is_stored(name: str) -> bool:
    return name in NAMES.variables and not is_credential_name(name)


def _checked(text: str, *, strict: bool = True) -> str:
    plain = text.replace(MARK, LEFT_OUT)
    return without_credentials(plain, strict=strict).replace(LEFT_OUT, MARK)
