# SPDX-License-Identifier: Apache-2.0
"""Whose each entry of a chain is: made here, signed, or nobody vouches for it.

A signature says the entries up to one of them, and nothing of what was added later.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isobath.records import strict_json

FILE = "origin.json"
OURS = "made here"
UNREADABLE = "not known: origin.json cannot be read"
ENDLESS = 1 << 31
"""entries; all that there are, where nobody noted how many came"""

MOST_SIGNATURES = 16
LARGEST = 1 << 20
"""bytes of origin.json"""


@dataclass(frozen=True)
class Signature:
    """Over the digest of an entry, which says all before it."""

    entries: int
    """so many from the first"""
    text: str
    """as ssh-keygen writes it"""
    words: str = ""
    """what was found when it was checked"""
    is_vouched: bool = False
    """a list of signers that the reader trusts has its key"""


@dataclass(frozen=True)
class Vouching:
    """What a file says of its entries, and what was found of that."""

    claims: str
    """of those that nobody signed"""
    signatures: tuple[Signature, ...] = ()
    has_list: bool = False
    """signatures were held against a list of signers: what is known of them by now gives way"""


@dataclass(frozen=True)
class Provenance:
    """Of all entries of one chain."""

    taken_in: tuple[tuple[int, int], ...] = ()
    """first entry and the one after the last, of what came in files; all others were made here"""
    claims: str = ""
    """what is said of those that nobody signed"""
    signatures: tuple[Signature, ...] = ()

    def whose(self, entry: int) -> str:
        """In words that follow its number."""
        if not self._came(entry):
            return OURS
        signature = self._signature(entry)
        return signature.words if signature is not None else self.claims

    def is_vouched(self, entry: int) -> bool:
        """Made here, or signed by somebody whom the reader trusts."""
        signature = self._signature(entry)
        return not self._came(entry) or (signature is not None and signature.is_vouched)

    def ranges(self, count: int) -> list[tuple[int, int, str]]:
        """First and last of the entries that have the same words, in their order."""
        ranges: list[tuple[int, int, str]] = []
        for entry in range(count):
            words = self.whose(entry)
            if ranges and ranges[-1][2] == words:
                ranges[-1] = (ranges[-1][0], entry, words)
            else:
                ranges.append((entry, entry, words))
        return ranges

    def words(self, count: int) -> str:
        """Of a chain of so many entries, in one sentence without its full stop."""
        ranges = self.ranges(count)
        if len(ranges) == 1:
            return ranges[0][2]
        return "; ".join(f"{_places(first, last)} {words}" for first, last, words in ranges)

    def taking_in(self, first: int, end: int, file: "Vouching") -> "Provenance":
        """The same with entries that came in a file, and with its signatures."""
        taken = _joined([*self.taken_in, (first, end)]) if first < end else self.taken_in
        known = {(signed.entries, signed.text): signed for signed in self.signatures}
        for signed in file.signatures:
            if file.has_list or (signed.entries, signed.text) not in known:
                known[signed.entries, signed.text] = signed
        most = sorted(known.values(), key=lambda signed: not signed.is_vouched)[:MOST_SIGNATURES]
        signatures = sorted(most, key=lambda signed: signed.entries)
        return Provenance(taken, file.claims if taken else "", tuple(signatures))

    def up_to(self, count: int) -> "Provenance":
        """Of a chain that has no more entries: what is added next is none of these."""
        taken = tuple((first, min(end, count)) for first, end in self.taken_in if first < count)
        signatures = tuple(signed for signed in self.signatures if signed.entries <= count)
        return Provenance(taken, self.claims, signatures)

    def text(self) -> str:
        """As it is kept."""
        told = {
            "taken_in": [list(places) for places in self.taken_in],
            "claims": self.claims,
            "signatures": [vars(signed) for signed in self.signatures],
        }
        return json.dumps(told, indent=1)

    def _came(self, entry: int) -> bool:
        return any(first <= entry < end for first, end in self.taken_in)

    def _signature(self, entry: int) -> Signature | None:
        """The one that says the fewest beside it, of those that are vouched for if there are."""
        over = [signed for signed in self.signatures if entry < signed.entries]
        return min(over, key=lambda signed: (not signed.is_vouched, signed.entries), default=None)


NONE_CAME = Provenance()
"""All was made here."""


def _places(first: int, last: int) -> str:
    return f"entry {first}" if first == last else f"entries {first} to {last}"


def _joined(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for first, end in sorted(ranges):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((first, end))
    return tuple(joined)


def read_provenance(folder: Path) -> Provenance:
    """Of a baseline on disk. What cannot be read is nobody's: never taken for ours, nor signed."""
    try:
        with (folder / FILE).open("rb") as source:
            told = strict_json.loads(source.read(LARGEST))
        if "from" in told:
            return _of_before(str(told["from"]))
        return Provenance(
            tuple((int(first), int(end)) for first, end in told["taken_in"]),
            str(told["claims"]),
            tuple(map(_signature_of, told["signatures"])),
        )
    except FileNotFoundError:
        return NONE_CAME
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return Provenance(((0, ENDLESS),), UNREADABLE)


def _of_before(words: str) -> Provenance:
    """One sentence was noted then, whatever it was of; a signature was dropped."""
    if not words.startswith("unsigned"):
        words = f"not known: no signature was kept, import the file again (noted was: {words})"
    return Provenance(((0, ENDLESS),), words)


def _signature_of(told: dict[str, object]) -> Signature:
    return Signature(
        int(str(told["entries"])),
        str(told["text"]),
        str(told["words"]),
        is_vouched=told["is_vouched"] is True,
    )
