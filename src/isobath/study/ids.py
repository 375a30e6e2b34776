# SPDX-License-Identifier: Apache-2.0
"""Names of studies: they sort by time and say the kind."""

import re
import secrets
from datetime import UTC, datetime

_WORD = "[a-z0-9]+"
_SHAPE = re.compile(rf"\d{{8}}-\d{{6}}-{_WORD}-[0-9a-f]{{4}}")


def make_id(word: str, now: datetime | None = None) -> str:
    """Unique on this machine: ``20261121-081500-race-3fa9``.

    Args: word says the kind, in small letters and digits; of a run its scale, ``s20``.
    """
    started = now or datetime.now(UTC)
    return f"{started:%Y%m%d-%H%M%S}-{word}-{secrets.token_hex(2)}"


def is_word(text: str) -> bool:
    """Whether a text can say the kind in a name."""
    return re.fullmatch(_WORD, text) is not None


def looks_like_id(text: str) -> bool:
    """Whether a whole text is written as the name of a study."""
    return _SHAPE.fullmatch(text) is not None
