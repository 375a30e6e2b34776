# SPDX-License-Identifier: Apache-2.0
"""A number as it is printed: its digits say how far it was rounded."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from isobath.errors import UsageError

LARGEST_EXPONENT = 30
"""Nothing about a computer has more digits."""


@dataclass(frozen=True)
class Figure:
    """A positive number between the ends that round to it.

    >>> Figure.parse("22.8")
    Figure(text='22.8', low=22.75, value=22.8, high=22.85)
    """

    text: str
    low: float
    value: float
    high: float

    @classmethod
    def parse(cls, text: object) -> "Figure":
        """Of words like 24.12, 12,288 or 1.5e9. Raises: UsageError."""
        words = str(text).strip()
        try:
            number = Decimal(words.replace(",", ""))
        except InvalidOperation:
            raise UsageError(f"{words!r} is no number; write for example 24.12") from None
        if not number.is_finite() or number <= 0 or abs(number.adjusted()) > LARGEST_EXPONENT:
            raise UsageError(f"{words!r} is no figure that could be; write a number above 0")
        exponent = number.as_tuple().exponent
        half = Decimal(5).scaleb(int(exponent) - 1)
        return cls(words, float(number - half), float(number), float(number + half))

    @property
    def whole(self) -> int:
        """As a count. Raises: UsageError unless it is one."""
        if not self.value.is_integer():
            raise UsageError(f"{self.text} is no whole number")
        return int(self.value)

    def times(self, factor: float) -> "Figure":
        """In another unit."""
        return Figure(self.text, self.low * factor, self.value * factor, self.high * factor)
