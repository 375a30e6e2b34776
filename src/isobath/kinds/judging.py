# SPDX-License-Identifier: Apache-2.0
"""Launches of benchmarks whose records say themselves whether their contents were right."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from isobath.report.wording import count_of
from isobath.study.sealing import Judgement


class Checked(Protocol):
    """A record whose contents were held against what they should be."""

    @property
    def data_check(self) -> str | None:
        """passed or failed."""

    @property
    def data_check_failure(self) -> str | None:
        """What was wrong."""


Row = TypeVar("Row", bound=Checked)


def judged_by_data(
    rows: Sequence[Row], noun: str, name_of: Callable[[Row], str], contents: str = "data"
) -> Judgement:
    """What a launch is worth by the contents of its records.

    Args: noun is what a record is of, for example cell; name_of says which; contents, what is
        checked.
    """
    wrong = [row for row in rows if row.data_check == "failed"]
    words = ""
    if wrong:
        words = f"wrong {contents} in {count_of(len(wrong), noun)}, first {name_of(wrong[0])}: "
        words += str(wrong[0].data_check_failure)
    return Judgement(
        words=count_of(len(rows), noun),
        is_checked=bool(rows),
        wrong=words,
        missing="" if rows else f"no {noun} left a record",
    )
