# SPDX-License-Identifier: Apache-2.0
"""One way to read lists, whole numbers, numbers of bytes and names, wherever they are typed."""

import difflib
import re
from collections.abc import Iterable, Sequence

from isobath.errors import UsageError

BINARY = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
DECIMAL = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def parse_bytes(option: str, word: str) -> int:
    """Bytes: ``4096``, ``4K`` and ``4KiB`` (powers of 1024), ``4kB`` (powers of 1000).

    Args: option stands before the word in what is said of a wrong one; it may be empty.
    Raises: UsageError.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Za-z]*)", word.strip())
    unit = found[2].upper() if found else ""
    factor = BINARY.get(unit.removesuffix("IB").removesuffix("I"), DECIMAL.get(unit))
    if unit == "B":
        factor = 1
    if found is None or factor is None:
        raise UsageError(
            f"{f'{option} '.lstrip()}{word or 'nothing'} is no number of bytes; write for example "
            "512, 64K, 16M or 4G (powers of 1024), or 4GB (powers of 1000)"
        )
    return int(float(found[1]) * factor) if "." in found[1] else int(found[1]) * factor


def split_words(words: str | Sequence[str] | None) -> tuple[str, ...]:
    """Values of an option that may be repeated, each with several between commas; each once."""
    if words is None:
        return ()
    several = [words] if isinstance(words, str) else words
    return tuple(dict.fromkeys(part for word in several for part in word.replace(",", " ").split()))


def whole_numbers(
    option: str, words: str | Sequence[str] | None, least: int, most: int | None = None
) -> tuple[int, ...]:
    """Each once. Raises: UsageError for what is no whole number of the range."""
    if words is None:
        return ()
    parts = split_words(words)
    numbers = [int(part) for part in parts if re.fullmatch(r"-?\d{1,18}", part)]
    is_within = all(least <= one and (most is None or one <= most) for one in numbers)
    if not parts or len(numbers) < len(parts) or not is_within:
        text = words if isinstance(words, str) else ",".join(words)
        reach = f"from {least}" + ("" if most is None else f" to {most:,}")
        raise UsageError(f"{option} {text} is not understood; write whole numbers {reach}, as 2,4")
    return tuple(dict.fromkeys(numbers))


def nearest(word: str, known: Iterable[str]) -> str:
    """What may have been meant by a word that is not known; empty where nothing is near."""
    by_letters = {name.lower().lstrip("-"): name for name in known}
    close = difflib.get_close_matches(word.lower().lstrip("-"), by_letters, n=1, cutoff=0.65)
    return by_letters[close[0]] if close else ""


def or_nearest(word: str, known: Iterable[str]) -> str:
    """What may have been meant, and all there are; goes on after a word that is not known."""
    there = tuple(known)
    near = nearest(word, there)
    return (f"; did you mean {near}? There are " if near else "; there are ") + ", ".join(there)


def no_choice(what: str, word: str, known: Iterable[str]) -> UsageError:
    """A value that there is not, with the nearest that there is, and all of them.

    Args: what is the option, before the word in the sentence.
    """
    there = tuple(known)
    near = nearest(word, there)
    hint = f"did you mean {near}? There are " if near else "choose from "
    return UsageError(f"{what} {word}: {hint}{', '.join(there)}")


def names_of(
    option: str, words: str | Sequence[str] | None, known: Iterable[str], *more: str
) -> tuple[str, ...]:
    """Names that there are, each once. Raises: UsageError for another.

    Args: more are words that mean something too, for example ``none``; they are returned as well.
    """
    there = (*known, *more)
    found = split_words(words)
    for name in found:
        if name not in there:
            raise no_choice(option, name, there)
    return found
