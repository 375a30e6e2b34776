# SPDX-License-Identifier: Apache-2.0
"""Bytes of one phase of one level, exact or estimated, and their sums over a search."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from isobath.records.phases import PhaseName
from isobath.stats.estimates import IntArray

AuditClass = Literal["a", "b", "c"]
"""a: closed integer form; b: the integer a serial walk of the graph counts; c: an estimate."""

OUTSIDE = -1
"""The level of what is sent before the first level and after the last."""


@dataclass(frozen=True)
class Volume:
    """What all ranks together send in one phase of one level. A rank's own segment is not counted,
    as engine/comm/ledger/traffic.hpp counts.
    """

    level: int
    """-1 outside of levels"""
    phase: PhaseName
    audit_class: AuditClass
    bytes_sent: int
    """by all ranks; received by all ranks is the same sum"""
    low_bytes: int
    """lower end of the interval; equal to bytes_sent where the form is exact"""
    high_bytes: int
    sent_by_rank: IntArray | None = field(default=None, compare=False)
    """shape (P,); absent where only the sum is estimated"""
    received_by_rank: IntArray | None = field(default=None, compare=False)

    @property
    def is_exact(self) -> bool:
        """Whether the number is an integer that must be met to the byte."""
        return self.audit_class != "c"


@dataclass(frozen=True)
class SearchVolumes:
    """All that one search sends, in the order of its levels."""

    ranks: int
    parts: tuple[Volume, ...]
    fold_ends: tuple[int, int] | None = None
    """ends of the interval of all folds together, where it is narrower than the sum over levels"""

    def __iter__(self) -> Iterator[Volume]:
        return iter(self.parts)

    def of(
        self, *phases: PhaseName, level: int | None = None, exact: bool | None = None
    ) -> "SearchVolumes":
        """Only these phases (all when none is named), this level, this kind."""
        wanted = tuple(
            part
            for part in self.parts
            if (not phases or part.phase in phases)
            and (level is None or part.level == level)
            and (exact is None or part.is_exact == exact)
        )
        folds = sum(part.phase == "fold" for part in self.parts)
        has_all = folds == sum(part.phase == "fold" for part in wanted)
        return SearchVolumes(self.ranks, wanted, self.fold_ends if has_all else None)

    @property
    def bytes_sent(self) -> int:
        """By all ranks."""
        return sum(part.bytes_sent for part in self.parts)

    @property
    def low_bytes(self) -> int:
        """Lower end: the ends of all parts added, which is never too narrow, and of the folds as a
        whole where that is known.
        """
        added = sum(part.low_bytes for part in self.parts if not self._is_told(part))
        return added + (self.fold_ends[0] if self.fold_ends else 0)

    @property
    def high_bytes(self) -> int:
        """Upper end, in the same way."""
        added = sum(part.high_bytes for part in self.parts if not self._is_told(part))
        return added + (self.fold_ends[1] if self.fold_ends else 0)

    def _is_told(self, part: Volume) -> bool:
        return self.fold_ends is not None and part.phase == "fold"

    @property
    def bytes_per_rank(self) -> float:
        """Mean over ranks."""
        return self.bytes_sent / self.ranks

    def received_by(self, rank: int) -> float:
        """Bytes that one rank receives: exact where the parts are, else the mean of their sum."""
        return sum(
            float(part.received_by_rank[rank])
            if part.received_by_rank is not None
            else part.bytes_sent / self.ranks
            for part in self.parts
        )

    def by_phase(self) -> dict[PhaseName, int]:
        """Bytes sent by all ranks, summed over levels; only phases that send."""
        sums: dict[PhaseName, int] = {}
        for part in self.parts:
            if part.bytes_sent:
                sums[part.phase] = sums.get(part.phase, 0) + part.bytes_sent
        return sums


def exact_volume(
    level: int, phase: PhaseName, sent: IntArray, received: IntArray, audit_class: AuditClass = "a"
) -> Volume:
    """A volume of known integers. Args: sent and received of shape (P,), of equal sum."""
    total = int(sent.sum())
    return Volume(level, phase, audit_class, total, total, total, sent, received)


def merge(ranks: int, parts: Iterable[Volume]) -> SearchVolumes:
    """Parts of one level and phase become one, in order of level; empty ones stay away."""
    merged: dict[tuple[int, PhaseName], Volume] = {}
    for part in parts:
        key = (part.level, part.phase)
        merged[key] = _sum(merged[key], part) if key in merged else part
    ordered = sorted(merged.values(), key=lambda part: part.level)
    return SearchVolumes(ranks, tuple(part for part in ordered if part.high_bytes > 0))


def _sum(first: Volume, other: Volume) -> Volume:
    return Volume(
        level=first.level,
        phase=first.phase,
        audit_class=max(first.audit_class, other.audit_class),
        bytes_sent=first.bytes_sent + other.bytes_sent,
        low_bytes=first.low_bytes + other.low_bytes,
        high_bytes=first.high_bytes + other.high_bytes,
        sent_by_rank=_both(first.sent_by_rank, other.sent_by_rank),
        received_by_rank=_both(first.received_by_rank, other.received_by_rank),
    )


def _both(first: IntArray | None, other: IntArray | None) -> IntArray | None:
    if first is None or other is None:
        return None
    return np.asarray(first + other, dtype=np.int64)
