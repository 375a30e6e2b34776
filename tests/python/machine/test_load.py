# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from isobath.machine.load import is_busy, load_of_others


@pytest.mark.parametrize(
    ("text", "load"),
    [
        ("3.00 2.00 1.00 5/200 77\n", 3.0),  # four others run now, more than in the last minute
        ("3.00 2.00 1.00 1/200 77\n", 0.0),  # what made the load has ended
        ("0.05 0.10 0.20 9/200 77\n", 0.05),  # they have only just begun
        ("", 0.0),
        ("damaged", 0.0),
    ],
)
def test_load_is_what_ran_and_still_runs(tmp_path: Path, text: str, load: float) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "loadavg").write_text(text, encoding="utf-8")

    assert load_of_others(tmp_path) == load


def test_half_of_the_processors_are_the_limit() -> None:
    assert not is_busy(1.0, 2)
    assert is_busy(1.1, 2)
    assert not is_busy(1.1, 8)
