# SPDX-License-Identifier: Apache-2.0
import doctest

import pytest

from isobath.report import wording


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(wording).failed == 0


@pytest.mark.parametrize(
    ("value", "error", "expected"),
    [
        (7.13219, 0.01834, ("7.132", "0.018")),
        (7.13219, 0.1, ("7.13", "0.10")),
        (7.13219, None, ("7.132", "")),
        (7.0, 0.0, ("7.000", "0")),
        (0.000012, 3e-9, ("1.2e-05", "3e-09")),
        (1234.5, 210.0, ("1,234", "210")),
    ],
)
def test_a_value_has_the_decimals_of_its_error(
    value: float, error: float | None, expected: tuple[str, str]
) -> None:
    assert wording.with_error(value, error) == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.0, "0 %"),
        (0.0001, "< 0.1 %"),
        (0.038, "3.8 %"),
        (0.33, "33 %"),
        (0.9996, "99.9 %"),
        (1.0, "100 %"),
    ],
)
def test_a_share_is_never_a_false_nothing_or_everything(share: float, expected: str) -> None:
    assert wording.percent(share) == expected


def test_parts_of_a_total_have_the_same_decimals() -> None:
    total = 0.00233

    found = [wording.milliseconds_of(part, total) for part in (0.00155, 0.0000712, 1e-9, 0.0)]

    assert found == ["1.550 ms", "0.071 ms", "< 0.001 ms", "0.000 ms"]


@pytest.mark.parametrize(
    ("teps", "expected"), [(7.1234e9, "7.123"), (0.0, "0"), (1234.0, "1.2e-06"), (2.5e6, "0.0025")]
)
def test_rates_are_in_units_of_a_billion(teps: float, expected: str) -> None:
    assert wording.gteps(teps) == expected


def test_counts_are_short_from_ten_thousand_on() -> None:
    assert [wording.compact(n) for n in (0, 9876, 51_200, 1_935_220)] == [
        "0",
        "9,876",
        "51.2 k",
        "1.94 M",
    ]


def test_lists_read_like_sentences() -> None:
    assert wording.listing([]) == ""
    assert wording.listing(["a"]) == "a"
    assert wording.listing(["a", "b", "c"]) == "a, b and c"


def test_control_characters_do_not_reach_a_terminal() -> None:
    assert wording.printable("a\x1b[31mb\nc") == "a [31mb c"


def test_one_of_a_kind_is_the_only_one() -> None:
    assert wording.all_of(1, "search", "searches") == "The only search"
    assert wording.all_of(4, "search", "searches") == "All 4 searches"
    assert [wording.was_of(number) for number in (0, 1, 2)] == ["were", "was", "were"]
