# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.claims.claim import built_in_claims


def test_all_claims_are_listed_in_80_columns(checkout: Checkout) -> None:
    said = checkout.isobath("verify", "--claim")

    lines = said.out.splitlines()
    assert said.code == 0
    assert max(len(line) for line in lines) <= 80
    listed = {line.split()[0]: line[22:36].strip() for line in lines[1:-2]}
    assert list(listed) == list(built_in_claims())
    assert listed["tsubame2-teps"] == "does not hold"
    assert listed["tsubame2-grids"] == "holds"
    assert listed["deck-tuned"] == "cannot tell"


def test_the_list_keeps_to_a_narrow_terminal(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = checkout.isobath("verify", "--claim").out
    monkeypatch.setattr("isobath.cli.terminal.columns", lambda: 60)

    for words in ((), ("tsubame2-cores",)):
        said = checkout.isobath("verify", "--claim", *words)
        assert max(map(len, said.out.splitlines())) <= 60, words
    narrow = checkout.isobath("verify", "--claim").out
    assert sorted(narrow.split()) == sorted(wide.split()), "nothing is cut off"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("tsubame2-teps",), 1),
        (("tsubame2-cores",), 1),
        (("tsubame2-grids",), 0),
        (("fugaku-2025",), 6),
        (("--scale", "36", "--seconds", "24.12", "--teps", "22.8G"), 1),
        (("--scale", "35", "--seconds", "24.12", "--teps", "22.8e9"), 0),
        (("--scale", "36", "--teps", "22.8G"), 6),
        (("--nodes", "512", "--cores-per-node", "12", "--cores", "6144"), 0),
        (("--scale", "8", "--edgefactor", "32", "--seconds", "1.00", "--teps", "8.19k"), 0),
        (("--scale", "35", "--scale-per-node", "26", "--nodes", "512"), 0),
    ],
)
def test_the_exit_code_is_the_verdict(
    checkout: Checkout, words: tuple[str, ...], code: int
) -> None:
    said = checkout.isobath("verify", "--claim", *words)

    assert said.code == code, said.err
    assert said.err == ""
    assert max(len(line) for line in said.out.splitlines()) <= 80


def test_one_claim_is_explained_with_its_source(checkout: Checkout) -> None:
    said = checkout.isobath("verify", "--claim", "tsubame2-cores")

    words = " ".join(said.out.split())
    assert "512 nodes x 12 are 6,144 cores; 12,288 = 512 x 24 are hardware threads" in words
    assert "source Ueno and Suzumura" in words


def test_hardware_threads_are_told_from_cores(checkout: Checkout) -> None:
    figures = ("--cores", "12,288", "--nodes", "512", "--cores-per-node", "12")

    assert "hardware threads" not in checkout.isobath("verify", "--claim", *figures).out
    said = checkout.isobath("verify", "--claim", *figures, "--threads-per-core", "2")
    assert said.code == 1
    assert "hardware threads" in " ".join(said.out.split())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("scale = 35\nseconds = 24.12\ngteps = 22.8\n", 0),
        ("scale = 36\nseconds = 24.12\ngteps = 22.8\n", 1),
        ("scale = 36\n", 6),
        ('[[claim]]\nname = "a"\ngrids = [[4, 2, 2]]\n[[claim]]\nname = "b"\nscale = 3\n', 6),
        ('[[claim]]\nname = "a"\ngrids = [[4, 2, 3]]\n[[claim]]\nname = "b"\nscale = 3\n', 1),
        ("colour = 3\n", 2),
        ("scale = \n", 2),
    ],
)
def test_a_file_of_ones_own(checkout: Checkout, tmp_path: Path, text: str, code: int) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")

    assert checkout.isobath("verify", "--claim", path).code == code


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "or --claim, with a name"),
        (("tsubame2-teps",), "or --claim, with a name"),
        (("--claim", "tsubame-teps"), "did you mean tsubame2-teps?"),
        (("--claim", "qqq"), "lists them"),
        (("--claim", "nowhere.toml"), "there is no file nowhere.toml"),
        (("--claim", "tsubame2-teps", "--scale", "3"), "has figures of its own"),
        (("--claim", "--scale", "many"), "'many' is no number"),
        (("--claim", "--scale", "1e20", "--seconds", "1"), "larger than any graph"),
    ],
)
def test_wrong_use_is_one_sentence(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("verify", *words)

    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
