# SPDX-License-Identifier: Apache-2.0
"""Bytes of more ranks than are run: which rows are walked, and what they say."""

import json

import numpy as np
import pytest
import walked_bytes
from goals import line

from isobath.stats.estimates import FloatArray


def step(search: int, phase: str, *sent: int) -> str:
    """A line as isobath-audit prints it, with what each rank sends."""
    return json.dumps(
        {
            "search": search,
            "level": 0,
            "phase": phase,
            "audit_class": "a",
            "bytes": sum(sent),
            "bytes_of_rank": sent,
        }
    )


def test_counts_and_reductions_are_no_data() -> None:
    lines = [step(0, "fold", 5, 1), step(0, "count", 70, 7), step(0, "expand", 2, 0)]
    lines += [step(1, "reduce", 9, 9)]

    assert walked_bytes.data_of_ranks(lines).tolist() == [[7, 1], [0, 0]]


@pytest.fixture
def megabytes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """A walk of as many million bytes as the grid has ranks, over 256; says what was walked."""
    asked = []

    def walked_ranks(scale: int, grid: str, keys: int) -> FloatArray:
        asked.append((scale, grid))
        rows, cols = map(int, grid.split("x"))
        sent = np.full((keys, rows * cols), 1e6 / 256)
        sent[:, 0] *= 1.5
        sent[:, 1] *= 0.5
        return sent

    monkeypatch.setattr(walked_bytes, "walked_ranks", walked_ranks)
    return asked


def test_only_what_is_wanted_is_walked(megabytes: list[tuple[int, str]]) -> None:
    assert walked_bytes.rows("validation", line) == []
    assert megabytes == []

    rows = walked_bytes.rows("data bytes a search", line)

    assert megabytes == [(18, "4x4"), (18, "8x8")]
    assert [is_missed for _, is_missed in rows] == [False, False]
    assert "0.250 MB" in rows[1][0]


def test_growth_is_missed_beyond_its_bound(megabytes: list[tuple[int, str]]) -> None:
    ((text, is_missed),) = walked_bytes.rows("growth", line)

    assert megabytes == [(20, "8x8"), (20, "16x16")]
    assert is_missed
    assert "4.00" in text
    assert "MISSED" in text


def test_the_largest_rank_stands_beside_the_mean_without_a_bound(
    megabytes: list[tuple[int, str]],
) -> None:
    rows = walked_bytes.rows("largest over mean", line)

    assert megabytes == [(20, "8x8"), (20, "16x16")]
    assert all("1.50" in text and not is_missed for text, is_missed in rows)
