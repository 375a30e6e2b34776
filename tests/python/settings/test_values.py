# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.errors import UsageError
from isobath.settings.values import parse_bytes, parse_sizes, split_words


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


def test_sizes_are_read_as_people_write_them() -> None:
    assert parse_sizes("--sizes", "1:8,100,1K") == (1, 2, 4, 8, 100, 1024)
    for wrong in ("0:8", "8:1", "1:2:1", "", "a", "1:2:3:4"):
        with pytest.raises(UsageError, match=r"--sizes "):
            parse_sizes("--sizes", wrong)
