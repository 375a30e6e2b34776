# SPDX-License-Identifier: Apache-2.0
from datetime import date

import pytest

from isobath.errors import UsageError
from isobath.settings.dates import parse_day

TODAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("word", "day"),
    [("2026-11-20", "2026-11-20"), ("2026-11", "2026-11-01"), ("today", "2026-03-01"),
     ("yesterday", "2026-02-28"), ("0d", "2026-03-01"), ("7d", "2026-02-22"),
     ("2w", "2026-02-15")],
)  # fmt: skip
def test_days_are_read(word: str, day: str) -> None:
    assert parse_day("--since", word, TODAY) == day


@pytest.mark.parametrize(
    "word", ["", "last week", "2026-11-40", "2026-13", "7", "d", "9999w", "-1d"]
)
def test_what_is_no_day_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match=r"--since .*is no day; write 2026-11-20, "):
        parse_day("--since", word, date(20, 1, 1))
