# SPDX-License-Identifier: Apache-2.0
"""isobath factors over stored studies, and over what has no factor."""

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

from compared.made_studies import copy_of
from compared.test_compare_command import Store, store

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "factors-1.json"
CLANG = {"GNU 12.2.0": "Clang 16.0.6"}
NEWER = {"MPICH Version:      5.0.2": "MPICH Version:      5.0.3"}


def crossed(store: Store, *, halves: bool = False) -> list[str]:
    """Three turns of two compilers under two libraries: Clang is 1.25 times as fast."""
    ids = []
    arms: tuple[tuple[float, dict[str, str]], ...]
    arms = ((1.0, {}), (0.8, CLANG), (1.1, NEWER), (0.88, CLANG | NEWER))
    for turn, hour in enumerate((1.0, 1.02, 0.99)):
        for place, (factor, words) in enumerate(arms[:: 3 if halves else 1]):
            number = 4 * turn + place
            ids.append(f"20261201-{number:06}-s6-{number:04x}")
            noise = 1 + 0.003 * ((7 * number) % 5 - 2)
            copy_of(store.folder, "run-whole", ids[-1], factor=factor * hour * noise,
                    later=100.0 * number, words=words)  # fmt: skip
    return ids


def test_crossed_factors_have_their_gains(store: Store, tmp_path: Path) -> None:
    studies = crossed(store)

    said = store.isobath("factors", *studies, "--json")

    assert said.code == 0, said.err
    jsonschema.validate(said.found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    gains = {one["factor"]: one for one in said.found["gains"] if one["measure"] == "search"}
    assert gains.keys() == {"compiler", "MPI library"}
    compiler = gains["compiler"]
    assert (compiler["level"], compiler["reference"]) == ("Clang 16.0.6", "GNU 12.2.0")
    assert compiler["gain_percent"] == pytest.approx(25, abs=1)
    low, high = compiler["gain_interval_percent"]
    assert low < 25 < high
    assert gains["MPI library"]["gain_percent"] == pytest.approx(-9.1, abs=1)
    assert (compiler["contrasts"], compiler["confounded_with"]) == (2, [])
    text = store.isobath("factors", *studies)
    assert "Most brings compiler Clang 16.0.6: +2" in text.out
    assert all(len(line) <= 80 for line in text.out.splitlines())
    rows = list(
        csv.DictReader(io.StringIO(store.isobath("factors", *studies, "--format", "csv").out))
    )
    assert {row["factor"] for row in rows} == {"compiler", "MPI library"}
    page = tmp_path / "factors.html"
    assert store.isobath("factors", *studies, "-o", str(page)).code == 0
    assert "Factors: search</h2>" in page.read_text(encoding="utf-8")


def test_a_reference_level_is_chosen(store: Store) -> None:
    studies = crossed(store)

    said = store.isobath("factors", *studies, "--json", "--reference", "compiler=Clang 16.0.6")

    gains = {one["factor"]: one for one in said.found["gains"] if one["measure"] == "search"}
    assert gains["compiler"]["gain_percent"] == pytest.approx(-20, abs=1)
    for words, sentence in (
        ("colour=red", "--reference colour: that was not varied; there are MPI library, compiler"),
        ("compiler=ICC", "--reference compiler=ICC: there are GNU 12.2.0, Clang 16.0.6"),
        ("compiler", "--reference compiler: write FACTOR=LEVEL"),
    ):
        said = store.isobath("factors", *studies, "--reference", words)
        assert (said.code, said.out) == (2, "")
        assert sentence in said.err


def test_what_was_not_crossed_is_confounded_and_named(store: Store) -> None:
    studies = crossed(store, halves=True)

    said = store.isobath("factors", *studies, "--json")

    (gain,) = (one for one in said.found["gains"] if one["measure"] == "search")
    assert gain["factor"] == "MPI library + compiler"
    assert gain["confounded_with"] == ["compiler"]
    text = store.isobath("factors", *studies).out
    assert "confounded: MPI library and compiler changed together" in " ".join(text.split())


@pytest.mark.parametrize("name", ["race-whole"])
def test_a_race_has_its_plans(store: Store, name: str) -> None:
    copy_of(store.folder, name, "20261201-000000-race-0001")

    said = store.isobath("factors", "last", "--json")

    assert {one["factor"] for one in said.found["gains"]} == {"plan"}
    assert {one["interval_over"] for one in said.found["gains"]} == {None}


def test_where_nothing_was_varied_there_is_a_sentence(store: Store) -> None:
    copy_of(store.folder, "run-whole", "20261201-000000-one-0001")
    copy_of(store.folder, "cg-whole", "20261202-000000-cg-0002")
    for words, sentence in (
        (("20261201",), "nothing was varied in 20261201-000000-one-0001: take a race"),
        (("20261201", "20261202"), "only studies of one kind have anything in common"),
        (("nothing",), "no study is called nothing"),
        (("20261201", "--only", "fold"), "--only fold: no cell has these words"),
        (("20261201", "--view", "gain"), "--view gain: did you mean gains?"),
    ):
        said = store.isobath("factors", *words)
        assert (said.code, said.out) == (2, ""), words
        assert sentence in said.err
        assert said.err.count("\n") == 1


def test_a_changed_launch_is_left_out_and_named(store: Store) -> None:
    studies = crossed(store)
    with (store.folder / studies[5] / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write("\n")

    said = store.isobath("factors", *studies)

    assert said.code == 3
    assert said.out.startswith(f"{studies[5]} is left out: ")
