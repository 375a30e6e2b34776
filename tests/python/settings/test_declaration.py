# SPDX-License-Identifier: Apache-2.0
"""One declaration: option, file and variable are read alike, and the last of them wins."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from isobath.errors import UsageError
from isobath.kinds.one_mpi import mpi_setting
from isobath.settings.declaration import declared, setting, shell_words
from isobath.settings.pages import table_of
from isobath.settings.shared import Placed
from isobath.settings.sources import OTHER_VARIABLES, merge
from isobath.settings.toml import toml_file
from isobath.settings.values import parse_sizes


@dataclass(frozen=True)
class Some(Placed):
    """Settings of every sort."""

    sizes: tuple[int, ...] = setting(
        (8,), "Bytes to send", parse=parse_sizes, least=1, most=1 << 20
    )
    ratios: tuple[float, ...] = setting((), "Shares of something", above=0)
    words: tuple[str, ...] = setting((), "Words that there are", choices=("one", "two"))
    roots: tuple[int, ...] = setting((), "Roots to search from", may_repeat=True)
    command: tuple[str, ...] = setting((), "What is run", split=shell_words, may_repeat=True)
    depth: int | None = setting(None, "How deep it goes", least=0, usual="as deep as it is")
    wide: bool = setting(False, "Whether it is wide", has_no=True)
    mpi: str | None = mpi_setting()


SOME = declared("some", Some, "SOME")


def values(**asked: Any) -> dict[str, Any]:
    return dict(merge(SOME, **asked).values)


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("sizes", "1:8,100", (1, 2, 4, 8, 100)),
        ("sizes", "4K", (4096,)),
        ("ratios", "0.5, 2", (0.5, 2.0)),
        ("words", "two,one,two", ("two", "one")),
        ("roots", "3 3", (3, 3)),
        ("command", "run 'a b' 1,2", ("run", "a b", "1,2")),
        ("depth", "3", 3),
        ("wide", "yes", True),
        ("mpi", "system", "system"),
    ],
)
def test_what_is_typed_means_the_same_from_everywhere(
    tmp_path: Path, name: str, typed: str, value: Any
) -> None:
    file = tmp_path / "some.toml"
    file.write_text(toml_file("some", "a comment", {name: value}), encoding="utf-8")
    variable = "ISOBATH_MPI" if name == "mpi" else f"ISOBATH_SOME_{name.upper()}"

    assert values(options={name: typed}) == {name: value}
    assert values(variables={variable: typed}) == {name: value}
    assert values(options={name: value}, origin_of=str) == {name: value}
    assert values(file=file) == {name: value}
    assert file.read_text(encoding="utf-8").splitlines()[:2] == ["# a comment", 'kind = "some"']


def test_the_last_source_wins_and_is_the_origin(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text("depth = 1\nwide = true\nsizes = [8, '1K']\n", encoding="utf-8")
    variables = {"ISOBATH_SOME_DEPTH": "2", "ISOBATH_SOME_WIDE": "0"}

    merged = merge(SOME, file=file, variables=variables, options={"depth": "3", "roots": None})

    assert merged.values == {"sizes": (8, 1024), "wide": False, "depth": 3}
    assert merged.origins["depth"] == "--depth"
    assert merged.origins["wide"] == "ISOBATH_SOME_WIDE"
    assert merged.origins["sizes"] == str(file)
    assert merged.origins["ratios"] == "default"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"options": {"depth": "x"}}, "--depth x is not a number; write a whole number, as 4"),
        ({"options": {"depth": "-1"}}, "--depth -1: the least is 0"),
        ({"options": {"sizes": "0"}}, "--sizes 0: the least is 1"),
        ({"options": {"sizes": ""}}, "--sizes has no value; write one"),
        ({"options": {"sizes": "x"}}, "--sizes x is no number of bytes"),
        ({"options": {"ratios": "nan"}}, "--ratios nan: this setting takes a finite number"),
        ({"options": {"words": "onee"}}, "--words onee: did you mean one? There are one, two"),
        ({"options": {"words": "qqq"}}, "--words qqq: choose one of one, two"),
        ({"options": {"mpi": "wheel,system"}}, "--mpi wheel,system: this runs under one MPI"),
        ({"options": {"dept": 3}, "origin_of": str}, "no setting dept of some; did you mean depth"),
        ({"options": {"depth": "3"}, "origin_of": str}, "depth = '3': this setting takes a whole"),
        ({"variables": {"ISOBATH_SOME_DEPHT": "3"}}, "ISOBATH_SOME_DEPHT; did you mean depth?"),
        ({"variables": {"ISOBATH_SOME_WIDE": "x"}}, "ISOBATH_SOME_WIDE = x is neither yes nor no"),
    ],
)
def test_what_cannot_be_is_one_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        merge(SOME, **asked)

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_another_kind_is_refused_with_what_to_type(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text('kind = "bench cg"\nelements = [8]\n', encoding="utf-8")

    with pytest.raises(UsageError, match=r"of bench cg, not of some; type ./isobath bench cg "):
        merge(SOME, file=file)


def test_variables_of_others_are_left_alone() -> None:
    others = {"PATH": "x", "ISOBATH_SCALE": "3"} | dict.fromkeys(OTHER_VARIABLES, "1")

    merged = merge(SOME, variables=others, is_of_others=lambda name: name == "ISOBATH_SCALE")

    assert merged.values == {}
    assert merge(SOME, variables={"ISOBATH_SOME_ROOTS": ""}).values == {"roots": ()}


def test_any_text_is_read_again_from_a_file() -> None:
    words = {"text": 'a "b" \\ \x7f \n ü', "list": ["x", 1, 2.5, True], "table": {"plan": "simple"},
             "cells": [{"plan": "simple", "ranks": [1, 2]}, {"plan": "hybrid"}]}  # fmt: skip

    assert tomllib.loads(toml_file("race", "of a study", words)) == {"kind": "race", **words}


def test_the_table_of_a_page_has_a_row_for_each() -> None:
    rows = table_of(SOME).splitlines()

    assert len(rows) == 2 + len(SOME.settings)
    assert rows[-1].startswith("| `--time-limit` | `time_limit` | `ISOBATH_TIME_LIMIT` | seconds")
    (depth,) = (row for row in rows if "`--depth`" in row)
    assert depth.endswith("| whole number | as deep as it is | how deep it goes |")


def test_a_limit_that_is_a_whole_number_has_all_its_digits() -> None:
    @dataclass(frozen=True)
    class Seeded:
        seed: int = setting(1, "Seed of the sample", metavar="N", least=0, most=2**64 - 1)

    asked = declared("seeded", Seeded)
    (row,) = (row for row in table_of(asked).splitlines() if "`--seed`" in row)

    assert "whole number, 0 to 18,446,744,073,709,551,615 |" in row
    with pytest.raises(UsageError) as refused:
        asked.by_name["seed"].value("18446744073709551616", "--seed", is_typed=True)
    assert str(refused.value) == "--seed 18446744073709551616: the most is 18446744073709551615"
