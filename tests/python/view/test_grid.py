# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.view.content import Table, columns
from isobath.view.grid import grid_lines

TABLE = Table(
    "Times",
    columns("=method", "=progress", "#95 % interval", "#time", "#work", "why it was chosen"),
    (
        ("pipelined", "tests 4", "1.00 us to 2.00 us", "1.50 us", "0.25 us",
         "it is the only one that says what it does while the others wait for each other"),
        ("cg", "blocking", "-", "4.18 ms", "5.15 us", ""),
        ("cg", "spare thread", "OVERSUBSCRIBED: more ranks than processors, so that there is none"),
    ),
    keys=2,
)  # fmt: skip


@pytest.mark.parametrize("width", [120, 80, 60, 50, 40])
def test_no_line_is_longer_than_the_terminal_and_no_number_is_lost(width: int) -> None:
    lines = list(grid_lines(TABLE, width))

    assert max(map(len, lines)) <= width
    words = " ".join("\n".join(lines).split())
    for number in ("1.00 us to 2.00 us", "1.50 us", "0.25 us", "4.18 ms", "5.15 us"):
        assert number in words
    said = " ".join(line[-width:].strip() for line in lines).split()
    assert {"OVERSUBSCRIBED:", "others", "each"} <= set(said)


def test_what_has_no_room_follows_behind_the_names_of_its_rows() -> None:
    lines = list(grid_lines(TABLE, 60))
    heads = [line for line in lines if line.startswith("method")]
    assert len(heads) == 2
    assert heads[0].endswith("time")
    assert heads[1].split()[2:] == ["work", "why", "it", "was", "chosen"]
    assert sum(line.startswith("pipelined") for line in lines) == 2
    assert sum("OVERSUBSCRIBED" in line for line in lines) == 1


def test_a_column_without_texts_is_left_out() -> None:
    table = Table("", columns("a", "#b", "c"), (("x", "", "y"), ("z", "", "")))
    assert list(grid_lines(table, 80)) == ["a  c", "────", "x  y", "z"]


def test_a_table_without_rows_has_its_headings() -> None:
    assert list(grid_lines(Table("", columns("a", "#b"), ()), 80)) == ["a", "─"]


@pytest.mark.parametrize("cells", [1, 2])
def test_a_long_name_before_a_reason_is_broken(cells: int) -> None:
    """In every part of the table, however many cells stand before the reason."""
    name = "allreduce, offload, call beside triad x 1, 2 ranks"
    titles = ("measured", "state", *(f"#number {at}" for at in range(8)))
    full = ("bcast", "as told", *(["12345678"] * 8))
    row = (*(name, "no result")[:cells], "oversubscribed")
    table = Table("t", columns(*titles), (full, row), keys=1)

    lines = list(grid_lines(table, 40))

    assert max(map(len, lines)) <= 40
    assert set(" ".join(row).split()) <= set(" ".join(lines).split())
