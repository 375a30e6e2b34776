# SPDX-License-Identifier: Apache-2.0
"""The words of the searches stand in order, and in the code where the page says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/reference/search-vocabulary.md").read_text("utf-8")
ROWS = re.findall(r"(?m)^\| ([a-z][^|]*) \| ([^|]*?) ?\| ([^|]+) \| `([\w/.]+):([^`]+)` \|$", PAGE)
LISTED = [line for line in PAGE.splitlines() if line.startswith("| ")]
ASKED = (
    "family", "stream", "cell", "call", "one column", "several columns", "dealt", "climb", "settle",
    "descend", "ask", "follower", "piece", "ring", "reached", "place", "told", "named hub",
    "likely parent", "other parents", "adopt", "in front",
)  # fmt: skip


def test_words_stand_in_order_and_each_has_a_sentence_and_a_place() -> None:
    words = [word for word, *_ in ROWS]

    assert words == sorted(words)
    assert len(ROWS) == len(LISTED) - 1  # the head of the table
    assert all(meaning.endswith(".") for _, _, meaning, _, _ in ROWS)


@pytest.mark.parametrize("asked", ASKED)
def test_a_word_that_is_ours_is_explained(asked: str) -> None:
    assert any(word == asked or word.startswith(f"{asked} (") for word, *_ in ROWS)


@pytest.mark.parametrize(("place", "name"), [row[3:] for row in ROWS])
def test_what_the_page_names_is_in_the_code(place: str, name: str) -> None:
    assert re.search(rf"\b{name}\b", (ROOT / "engine" / place).read_text("utf-8"))
