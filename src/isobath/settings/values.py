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
    match = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Za-z]*)", word.strip())
    unit = match[2].upper() if match else ""
    factor = BINARY.get(unit.removesuffix("IB").removesuffix("I"), DECIMAL.get(unit))
    if unit == "B":
        factor = 1
    if match is None or factor is None:
        raise UsageError(
            f"{f'{option} '.lstrip()}{word or 'nothing'} is no number of bytes; write for example "
            "512, 64K, 16M or 4G (powers of 1024), or 4GB (powers of 1000)"
        )
    return int(float(match[1]) * factor) if "." in match[1] else int(match[1]) * factor


def split_words(words: str | Sequence[str] | None) -> tuple[str, ...]:
    """Values of an option that may be repeated, each with several between commas; each once."""
    if words is None:
        return ()
    several = [words] if isinstance(words, str) else words
    return tuple(dict.fromkeys(part for word in several for part in parts_of(word)))


def parts_of(word: str) -> list[str]:
    """What stands between commas and blanks."""
    return word.replace(",", " ").split()


def parse_sizes(option: str, text: str) -> tuple[int, ...]:
    """Sizes as people write them: ``1:1M`` doubles, ``1:1M:4`` multiplies by 4, ``0,8,100`` lists.

    Raises: UsageError for anything else.

    >>> parse_sizes("", "1:16"), parse_sizes("", "1:1K:4"), parse_sizes("", "0,100,64K")
    ((1, 2, 4, 8, 16), (1, 4, 16, 64, 256, 1024), (0, 100, 65536))
    """
    sizes: list[int] = []
    for part in split_words(text):
        words = part.split(":")
        if len(words) == 1:
            sizes.append(parse_bytes(option, part))
            continue
        if len(words) > 3:
            raise UsageError(f"{option} {part}: write first:last or first:last:factor")
        first, last = parse_bytes(option, words[0]), parse_bytes(option, words[1])
        factor = parse_bytes(option, words[2]) if len(words) == 3 else 2
        if first < 1 or last < first or factor < 2:
            raise UsageError(f"{option} {part}: the first is 1 or more, the factor 2 or more")
        while first <= last:
            sizes.append(first)
            first *= factor
    if not sizes:
        raise UsageError(f"{option} has no size; write for example 1:1M")
    return tuple(dict.fromkeys(sizes))


def nearest(word: str, known: Iterable[str]) -> str:
    """What may have been meant by a word that is not known; empty where nothing is near."""
    typed = word.lower().lstrip("-")
    by_letters: dict[str, str] = {}
    for name in known:
        by_letters.setdefault(name.lower().lstrip("-"), name)
    close = difflib.get_close_matches(typed, by_letters, n=1, cutoff=0.65)
    # Two letters of a short word in the wrong order are too large a share of it.
    swapped = (name for name in by_letters if sorted(name) == sorted(typed))
    near = close[0] if close else next(swapped, None)
    return by_letters[near] if near else ""


def or_nearest(word: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """What may have been meant, and all there are; goes on after a word that is not known.

    Args: also are other spellings, which are not listed.
    """
    there = tuple(known)
    near = nearest(word, (*there, *also))
    return (f"; did you mean {near}? There are " if near else "; there are ") + ", ".join(there)


def no_choice(what: str, word: str, known: Iterable[str], also: Iterable[str] = ()) -> UsageError:
    """A value that there is not, with the nearest that there is, and all of them.

    Args: what is the option, before the word in the sentence; also are other spellings, which are
        not listed.
    """
    there = tuple(known)
    near = nearest(word, (*there, *also))
    hint = f"did you mean {near}? There are " if near else "choose from "
    return UsageError(f"{what} {word}: {hint}{', '.join(there)}")
