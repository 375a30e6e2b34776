# SPDX-License-Identifier: Apache-2.0
"""What looks like a credential: by its name, or by its value.

engine/record/credentials.cpp does the same; tests/data/disclosure.json holds cases of both.
"""

import itertools
import re
from collections.abc import Callable
from functools import lru_cache

from isobath.disclosure.names import NAMES

LEFT_OUT = "[left out]"
"""Stands in the place of what is not stored."""

MOST_PASSES = 8

SHORT = 200
"""characters up to which what was made of a text is kept: lines of records say the same words"""

LONGEST_FREE = 24
"""Letters and digits without order are none of a credential up to here."""
LONGEST_FREE_OF_ONE_CASE = 32
LEAST_CHANGES = 0.4
"""of the kind of letter from one to the next: random text has 0.6, words have 0.3 at most"""
LEAST_CHANGES_OF_ONE_CASE = 0.2
LEAST_OF_EACH = 6
LEAST_OF_EACH_IN_HEXADECIMAL = 4

HEXADECIMAL = "0123456789abcdefABCDEF"
WORD_ENDS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
NOT_LETTERS = re.compile(r"[^a-z0-9]+")

PRIVATE_TEXT = re.compile(r"-----BEGIN .*?(?:-----END.*?(?:-----|\Z)|\Z)", re.S)
USER_OF_ADDRESS = re.compile(r"(?<=://)[^/?#\s\"'<>\\]*(?=@)")
BEARER = re.compile(r"(?<![A-Za-z0-9_])(bearer\s+)(?!\[left out\])[^\s\"',;]{8,}", re.I)
AUTHORIZATION = re.compile(r"(authorization:[ \t]*)(?!\[left out\])[^ \t\r\n\"'][^\r\n\"']*", re.I)
BEGINS = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    + "|".join(rf"{re.escape(begin)}[A-Za-z0-9_.-]{{{least},}}" for begin, least in NAMES.begins)
    + ")"
)
ASSIGNED = re.compile(r"(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]*)=")
SAID = re.compile(r"(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]*)[\"']?:[ \t]*")
VALUE = re.compile(r"(?P<quote>[\"'])(?P<quoted>.*?)(?:(?P=quote)|\Z)|[^\s&;,\"'<>)]+", re.S)
RUN = re.compile(r"[A-Za-z0-9+/_-]+")
PIECE = re.compile(r"[A-Za-z0-9]+")
UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def is_credential_name(name: str) -> bool:
    """Whether a variable, an option or a field of that name holds a credential.

    >>> is_credential_name("SLURM_JWT"), is_credential_name("api-key")
    (True, True)
    >>> is_credential_name("ISOBATH_KEYS")
    False
    """
    if name in NAMES.harmless:
        return False
    words = [word.lower() for word in WORD_ENDS.split(name)]
    return any(word in NAMES.credential_words for word in words) or _is_plain_of(name)


def _is_plain_of(name: str) -> bool:
    """Whether the name says so whatever stands around the word: ``MYTOKEN2``, ``accessKey``."""
    letters = NOT_LETTERS.sub("", name.lower())
    return any(part in letters for part in NAMES.credential_parts)


def without_credentials(text: str, *, strict: bool = False) -> str:
    """The text with what looks like a credential left out; once more changes nothing.

    Args: strict also takes long runs of letters and digits without order; it is for values and
        words of commands, for other texts hold hashes of versions and files.
    """
    return (_cleaned_once if len(text) <= SHORT else _cleaned)(text, strict=strict)


def _cleaned(text: str, *, strict: bool) -> str:
    for _ in range(MOST_PASSES):  # what is left may only now look like one
        before, text = text, _pass(text, strict=strict)
        if text == before:
            break
    return text


_cleaned_once = lru_cache(maxsize=4096)(_cleaned)


def _pass(text: str, *, strict: bool) -> str:
    text = PRIVATE_TEXT.sub(LEFT_OUT, text)
    text = USER_OF_ADDRESS.sub(LEFT_OUT, text)
    text = AUTHORIZATION.sub(rf"\1{LEFT_OUT}", text)
    text = BEARER.sub(rf"\1{LEFT_OUT}", text)
    text = _without_values(text, ASSIGNED, is_credential_name)
    text = _without_values(text, SAID, _is_plain_of)
    text = BEGINS.sub(LEFT_OUT, text)
    return _without_disorder(text) if strict else text


def _without_values(text: str, names: re.Pattern[str], is_name: Callable[[str], bool]) -> str:
    """Leaves out the values of names, in quotes or up to what ends one."""
    pieces, place = [], 0
    for name in names.finditer(text):
        value = VALUE.match(text, name.end())
        if name.start() < place or value is None or not is_name(name[1]):
            continue
        begin, end = value.span("quoted") if value["quote"] else value.span()
        if begin == end or LEFT_OUT.startswith(text[begin:end]):
            continue
        pieces += [text[place:begin], LEFT_OUT]
        place = end
    return "".join([*pieces, text[place:]])


def _without_disorder(text: str) -> str:
    text = UUID.sub(LEFT_OUT, text)
    return RUN.sub(lambda match: LEFT_OUT if _is_disorder(match[0]) else match[0], text)


def _is_disorder(run: str) -> bool:
    """A random key; not a path, a name of several words, a number or a mask."""
    parts = [run, *run.split("/")] if not run.startswith("/") else run.split("/")
    if any(_is_mixed(part) for part in parts):
        return True
    return "/" not in run and any(_is_of_one_case(piece) for piece in PIECE.findall(run))


def _is_mixed(text: str) -> bool:
    if len(text) < LONGEST_FREE:
        return False
    kinds = [_kind(letter) for letter in text]
    return {"upper", "lower", "digit"} <= set(kinds) and _changes(kinds) >= LEAST_CHANGES


def _is_of_one_case(text: str) -> bool:
    if len(text) < LONGEST_FREE_OF_ONE_CASE or text.startswith(("0x", "0X")):
        return False
    kinds = [_kind(letter) for letter in text]
    if {"upper", "lower"} <= set(kinds):
        return False
    digits = kinds.count("digit")
    fewer = min(digits, len(text) - digits)
    if all(letter in HEXADECIMAL for letter in text):
        return fewer >= LEAST_OF_EACH_IN_HEXADECIMAL
    return fewer >= LEAST_OF_EACH and _changes(kinds) >= LEAST_CHANGES_OF_ONE_CASE


def _kind(letter: str) -> str:
    if letter.isdigit():
        return "digit"
    if letter.isalpha():
        return "upper" if letter.isupper() else "lower"
    return "other"


def _changes(kinds: list[str]) -> float:
    """Share of neighbours that are of different kinds."""
    return sum(a != b for a, b in itertools.pairwise(kinds)) / max(1, len(kinds) - 1)
