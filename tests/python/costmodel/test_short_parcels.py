# SPDX-License-Identifier: Apache-2.0
"""What is short, and who are few, as the engine has it."""

import re
from pathlib import Path

from isobath.costmodel.short_parcels import MOST_BYTES, MOST_RANKS, goes_with_length, write_to_all

HEADER = Path(__file__).resolve().parents[3] / "engine/comm/messages/eager_messages.hpp"


def test_short_and_few_are_the_engines() -> None:
    constants = dict(re.findall(r"constexpr [\w:]+ (most_\w+) = (\d+);", HEADER.read_text("utf-8")))

    assert {name: int(value) for name, value in constants.items()} == {
        "most_ranks": MOST_RANKS,
        "most_bytes": MOST_BYTES,
    }


def test_the_most_is_still_short_and_few() -> None:
    assert goes_with_length(MOST_BYTES)
    assert not goes_with_length(MOST_BYTES + 1)
    assert write_to_all(MOST_RANKS)
    assert not write_to_all(MOST_RANKS + 1)
