# SPDX-License-Identifier: Apache-2.0
"""What one factor changes, all else equal."""

from collections.abc import Sequence

from isobath.race.comparisons import Change
from isobath.race.plan import Value
from isobath.report.wording import count_of, printable
from isobath.view.content import Table, columns, first_rows

SHOWN_CHANGES = 512


def changes_table(changes: Sequence[Change]) -> tuple[Table, ...]:
    """A row for each pair of cells that differ in one factor; no table where there is none."""
    if not changes:
        return ()
    rows, left_out = first_rows(list(map(_row, changes)), SHOWN_CHANGES, "the run folders")
    heads = columns("=change", "at", "#rate", "#95 % interval", "=remark")
    return (
        Table("What one factor changes, all else equal", heads, rows, left_out=left_out, keys=2),
    )


def _row(change: Change) -> tuple[str, ...]:
    low, high = change.ratio.low, change.ratio.high
    reach = ""
    if low is not None and high is not None:
        reach = f"{100 * (low - 1):+.0f} to {100 * (high - 1):+.0f} %"
    others = (_words(name, value) for name, value in change.others.items())
    return (
        printable(f"{_words(change.factor, change.second)} vs {change.first}"),
        printable(", ".join(others)),
        f"{change.ratio.change_percent:+.0f} %",
        reach,
        "oversubscribed: no result" if change.no_result else "",
    )


def _words(name: str, value: Value) -> str:
    """A value with the name of its factor, where it needs one."""
    if name == "plan":
        return str(value)
    if name == "ranks" and isinstance(value, int):
        return count_of(value, "rank")
    return f"{name.replace('_', ' ')} {value}"
