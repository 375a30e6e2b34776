# SPDX-License-Identifier: Apache-2.0
from isobath.study.findings import Bounded, Facts
from isobath.study.tables import TableOf, rich_parts, table_of


class Row(Facts):
    name: str
    interval: tuple[float, float] | None = None
    gain: Bounded | None = None
    words: list[str]
    factors: dict[str, int]


class Group(Facts):
    ranks: int
    finding: str
    rows: list[Row]


class All(Facts):
    groups: list[Group]
    seconds: dict[str, float]


FACTS = {
    "groups": [
        {
            "ranks": 2,
            "finding": "fast",
            "rows": [
                {"name": "a", "words": ["x", "y"], "factors": {"keys": 4}},
                {
                    "name": "b",
                    "interval": [1.0, 2.0],
                    "gain": {"value": 0.5, "low": None, "high": 1.0},
                    "words": [],
                    "factors": {},
                },
            ],
        },
        {"ranks": 4, "finding": "slow", "rows": []},
    ],
    "seconds": {"expand": 1.5},
}


def test_a_table_has_the_columns_of_the_model_whatever_its_rows_have() -> None:
    found = table_of(TableOf("", "groups.rows", without=("finding",)), FACTS, All)

    assert found.columns == (
        "ranks", "name", "interval_low", "interval_high", "gain_value", "gain_low", "gain_high",
        "words", "factors_keys",
    )  # fmt: skip
    assert found.rows == (
        (2, "a", None, None, None, None, None, "x, y", 4),
        (2, "b", 1.0, 2.0, 0.5, None, 1.0, "", None),
    )


def test_an_empty_list_has_columns_too() -> None:
    found = table_of(TableOf("", "groups"), {"groups": []}, All)

    assert (found.columns, found.rows) == (("ranks", "finding"), ())


def test_names_with_values_are_a_table_of_two_columns() -> None:
    found = table_of(TableOf("", "seconds", pair=("phase", "seconds")), FACTS, All)

    assert (found.columns, found.rows) == (("phase", "seconds"), (("expand", 1.5),))


def test_what_has_no_room_and_what_is_always_the_same_is_said() -> None:
    table = table_of(TableOf("", "groups.rows"), FACTS, All)

    first, *_, last = rich_parts(table, 24)

    assert first == "All: ranks 2, finding fast"
    assert str(last).startswith("No room for ")
    assert str(last).endswith("add --format csv for all.\n")
