# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.errors import UsageError
from isobath.settings.values import names_of, parse_bytes, split_words, whole_numbers


@pytest.mark.parametrize(
    ("word", "size"),
    [("512", 512), ("64K", 65536), ("4G", 4 << 30), ("4GiB", 4 << 30), ("4gi", 4 << 30),
     ("4GB", 4_000_000_000), ("1.5T", 3 << 39), ("7B", 7), (" 16 M ", 16 << 20)],
)  # fmt: skip
def test_a_letter_is_a_power_of_1024_and_a_letter_with_b_one_of_1000(word: str, size: int) -> None:
    assert parse_bytes("--memory", word) == size


@pytest.mark.parametrize("word", ["", "G", "-1", "4X", "4 G B", "1e9", "0x10"])
def test_what_is_no_size_is_refused_with_an_example(word: str) -> None:
    with pytest.raises(UsageError, match=r"--memory .* is no number of bytes; write for example"):
        parse_bytes("--memory", word)


def test_lists_are_repeated_or_have_commas_and_hold_each_value_once() -> None:
    assert split_words(None) == ()
    assert split_words("a,b a") == ("a", "b")
    assert split_words(["a,b", "c", "b"]) == ("a", "b", "c")
    assert whole_numbers("--ranks", "4,2,4", 1) == (4, 2)


@pytest.mark.parametrize("text", ["x", "", "0", "5", "1.5", "1,,x", "99999999999999999999"])
def test_numbers_outside_and_words_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=rf"--ranks {text} is not understood; .* from 1 to 4"):
        whole_numbers("--ranks", text, 1, 4)


def test_a_name_that_is_not_known_is_named() -> None:
    assert names_of("--plan", "b,none", ("a", "b"), "none") == ("b", "none")
    with pytest.raises(UsageError, match="--plan c: choose from a, b, none"):
        names_of("--plan", "a,c", ("a", "b"), "none")
