# SPDX-License-Identifier: Apache-2.0
"""One way to read days, wherever they are typed."""

import re
from datetime import UTC, date, datetime, timedelta

from isobath.errors import UsageError

NAMED = {"today": 0, "yesterday": 1}
_UNITS = {"d": 1, "w": 7}


def parse_day(option: str, word: str, today: date | None = None) -> str:
    """The beginning of a day as studies write it: 2026-11-20. ``today``, ``yesterday``, and ``7d``
    or ``2w`` ago are days too; 2026-11 is the first day of the month. Days are those of UTC.

    Raises: UsageError for what is no day.
    """
    now = today or datetime.now(UTC).date()
    ago = re.fullmatch(r"(\d{1,4})([dw])", word)
    if word in NAMED:
        return str(now - timedelta(days=NAMED[word]))
    try:
        if ago:
            return str(now - timedelta(days=int(ago[1]) * _UNITS[ago[2]]))
        month = re.fullmatch(r"\d{4}-\d{2}", word)
        return str(date.fromisoformat(f"{word}-01" if month else word))
    except (ValueError, OverflowError):
        raise UsageError(
            f"{option} {word} is no day; write 2026-11-20, 2026-11, today, yesterday, 7d or 2w "
            "(ago)"
        ) from None
