# SPDX-License-Identifier: Apache-2.0
"""A formula as a person types it, read by a grammar of our own into a SymPy tree.

    sum     = product { ("+" | "-") product }
    product = sign { ("*" | "/") sign }
    sign    = [ "+" | "-" ] sign | power
    power   = atom [ "**" sign ]
    atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"

Nothing that is typed is ever evaluated as Python: SymPy's own readers do that.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, log
from typing import TYPE_CHECKING, Any, NoReturn

from isobath.errors import UsageError

if TYPE_CHECKING:
    from sympy import Expr

FUNCTIONS = {"log": 1, "log2": 1, "sqrt": 1, "ceil": 1, "min": 2, "max": 2}
"""With the number of arguments; of min and max the least number."""

MOST_CHARACTERS, MOST_DEPTH = 2000, 40
MOST_EXPONENT = 16
"""of what is raised to a number; more is no cost of communication, and may take for ever"""

LARGEST_LOGARITHM = 690.0
"""of a number that is written as a power: a float holds it"""

WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![A-Za-z_.])"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<sign>\*\*|[-+*/(),]))"
)


@lru_cache(maxsize=512)
def formula_tree(text: str) -> "Expr":
    """The tree of a formula. All names are symbols that are not negative.

    Raises: UsageError with what cannot be read, and where.
    """
    if not text.strip():
        raise UsageError('the formula is empty; write one, for example "alpha + beta*m"')
    if len(text) > MOST_CHARACTERS:
        raise UsageError(
            f"the formula has {len(text)} characters; {MOST_CHARACTERS} are the most that are read"
        )
    return _Reader(text, _words_of(text)).whole()


@dataclass(frozen=True)
class _Word:
    kind: str
    text: str
    place: int
    """of its first character, from 1"""


END = "end"


def _words_of(text: str) -> list[_Word]:
    words, place = [], 0
    while text[place:].strip():
        word = WORD.match(text, place)
        if word is None:
            raise _unreadable(text, place)
        kind = str(word.lastgroup)
        words.append(_Word(kind, word[kind], word.start(kind) + 1))
        place = word.end()
    return [*words, _Word(END, "its end", len(text) + 1)]


def _unreadable(text: str, place: int) -> UsageError:
    rest = text[place:].lstrip()
    shown = "".join(letter if letter.isprintable() else "?" for letter in rest[:20])
    return UsageError(
        f"the formula cannot be read from character {len(text) - len(rest) + 1} on ({shown}): it "
        f"may hold names, numbers, + - * / **, parentheses and {', '.join(FUNCTIONS)}"
    )


class _Reader:
    """Recursive descent over the words of a formula."""

    def __init__(self, text: str, words: list[_Word]) -> None:
        import sympy

        self.sympy = sympy
        self.text, self.words, self.at, self.depth = text, words, 0, 0

    def whole(self) -> "Expr":
        whole = self.sum()
        if self.next.kind != END:
            self.refuse("an operator or the end")
        return whole

    @property
    def next(self) -> _Word:
        return self.words[self.at]

    def takes(self, *signs: str) -> str:
        """The sign that comes next, which is passed over then; empty where it is none of these."""
        word = self.next
        if word.kind != "sign" or word.text not in signs:
            return ""
        self.at += 1
        return word.text

    def refuse(self, wanted: str) -> NoReturn:
        raise UsageError(
            f"the formula has {self.next.text} at character {self.next.place}, where {wanted} is "
            "expected"
        )

    def sum(self) -> "Expr":
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise UsageError(f"the formula is nested more than {MOST_DEPTH} deep; write it flatter")
        total = self.product()
        while sign := self.takes("+", "-"):
            other = self.product()
            total = total + other if sign == "+" else total - other
        self.depth -= 1
        return total

    def product(self) -> "Expr":
        product = self.signed()
        while sign := self.takes("*", "/"):
            place = self.next.place
            other = self.signed()
            if sign == "/" and other.is_zero:
                raise UsageError(f"the formula divides by zero at character {place}")
            product = self.checked(product * other if sign == "*" else product / other)
        return product

    def signed(self) -> "Expr":
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise UsageError(f"the formula is nested more than {MOST_DEPTH} deep; write it flatter")
        sign = self.takes("+", "-")
        value = self.signed() if sign else self.power()
        self.depth -= 1
        return -value if sign == "-" else value

    def power(self) -> "Expr":
        base = self.atom()
        if not self.takes("**"):
            return base
        place = self.next.place
        return self.raised(base, self.signed(), place)

    def raised(self, base: "Expr", exponent: "Expr", place: int) -> "Expr":
        is_parameter = exponent.is_Symbol
        if not is_parameter and not (exponent.is_number and abs(exponent) <= MOST_EXPONENT):
            raise UsageError(
                f"the exponent at character {place} is neither a name nor a number from "
                f"-{MOST_EXPONENT} to {MOST_EXPONENT}"
            )
        if base.is_zero and exponent.is_negative:
            raise UsageError(f"the formula divides by zero at character {place}")
        if base.is_number and exponent.is_number and not base.is_zero:
            size = abs(float(exponent) * log(abs(float(base))))
            if size > LARGEST_LOGARITHM:
                raise UsageError(f"the power at character {place} is too large a number")
        return self.checked(base**exponent)

    def atom(self) -> "Expr":
        word = self.next
        if word.kind == "number":
            self.at += 1
            return self.number(word)
        if word.kind == "name":
            self.at += 1
            following = self.next
            if following.kind == "sign" and following.text == "(":
                return self.call(word)
            if word.text in FUNCTIONS:
                raise UsageError(f"{word.text} is a function; write {word.text}(...)")
            return self.sympy.Symbol(word.text, nonnegative=True)
        if self.takes("("):
            inner = self.sum()
            if not self.takes(")"):
                self.refuse("a closing parenthesis")
            return inner
        return self.refuse("a number, a name or a parenthesis")

    def number(self, word: _Word) -> "Expr":
        value = float(word.text)
        if not isfinite(value) or len(word.text) > 40:
            raise UsageError(f"the number at character {word.place} is too large")
        rational: Any = self.sympy.Rational(word.text)
        return (
            rational
            if abs(value) < 1e15 and (value == 0 or abs(value) > 1e-15)
            else (self.sympy.Float(value))
        )

    def call(self, word: _Word) -> "Expr":
        if word.text not in FUNCTIONS:
            raise UsageError(
                f"the formula calls {word.text}, which is no function; there are "
                f"{', '.join(FUNCTIONS)}"
            )
        self.takes("(")
        parts = [self.sum()]
        while self.takes(","):
            parts.append(self.sum())
        if not self.takes(")"):
            self.refuse("a comma or a closing parenthesis")
        wanted = FUNCTIONS[word.text]
        if len(parts) != wanted and not (wanted > 1 and len(parts) > wanted):
            more = " or more" if wanted > 1 else ""
            raise UsageError(f"{word.text} takes {wanted} argument{'s' * (wanted > 1)}{more}")
        return self.checked(self.applied(word.text, parts))

    def applied(self, name: str, parts: list["Expr"]) -> "Expr":
        sympy: Any = self.sympy
        match name:
            case "log":
                return sympy.log(parts[0])
            case "log2":
                return sympy.log(parts[0]) / sympy.log(2)
            case "sqrt":
                return sympy.sqrt(parts[0])
            case "ceil":
                return sympy.ceiling(parts[0])
            case "min":
                return sympy.Min(*parts)
        return sympy.Max(*parts)

    def checked(self, expr: "Expr") -> "Expr":
        sympy: Any = self.sympy
        if expr.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
            raise UsageError(
                "the formula has a part that is no number: a division by zero, or log(0)"
            )
        if expr.has(sympy.I):
            raise UsageError("the formula has the root or logarithm of a negative number")
        return expr
