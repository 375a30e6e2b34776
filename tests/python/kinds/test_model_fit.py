# SPDX-License-Identifier: Apache-2.0
"""isobath model fit over stored studies: verdicts, views, page, JSON, what is refused."""

import csv
import io
import json
import math
import random
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from compared.made_studies import copy_of, seal_again
from compared.test_compare_command import Said, Store, store
from isobath import api
from isobath.errors import UsageError
from isobath.study.folder import STUDY
from isobath.study.kinds import entry_of

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "findings-1.json"
SIZES = [2**power for power in range(3, 21)]
FEW = ("--no-report", "--resamples", "40")


def bench_of(
    store: Store, formula: Any, *, launches: int = 5, word: str = "0001", sizes: list[int] = SIZES
) -> str:
    """A stored benchmark of bcast on 2 ranks whose times are those of a formula, and a launch's."""
    rng = np.random.default_rng(7)
    source = copy_of(store.folder, "collectives-whole", f"20261201-000000-bench-{word}")
    plan = json.loads((source / "bench.json").read_text(encoding="utf-8"))
    (arm,) = plan["arms"]
    first = next(one for one in arm["cells"] if one["collective"] == "bcast")
    arm["cells"] = [first | {"size_bytes": size} for size in sizes]
    plan["launches"] = launches
    (source / "bench.json").write_text(json.dumps(plan), encoding="utf-8")
    records = (source / "runs" / "a01-1" / "records.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in records.splitlines()]
    cell = next(one for one in lines if one.get("collective") == "bcast")
    runs = source / "runs"
    shutil.rmtree(runs / "a01-2")
    for number in range(1, launches + 1):
        folder = runs / f"a01-{number}"
        if number > 1:
            shutil.copytree(runs / "a01-1", folder)
        order = list(range(len(sizes)))
        random.Random(f"{plan['seed']}-a01-{number}").shuffle(order)
        rows = [one for one in lines if one["kind"] == "launch"]
        rows = [one | {"launch": number, "run_id": f"a01-{number}"} for one in rows]
        shared = 0.02 * rng.standard_normal()
        for place, which in enumerate(order):
            nanoseconds = round(
                1e9 * formula(sizes[which]) * math.exp(shared + 0.02 * rng.standard_normal())
            )
            count = len(cell["entry_nanoseconds"][0])
            rows.append(
                cell
                | {
                    "run_id": f"a01-{number}",
                    "launch": number,
                    "order": place,
                    "size_bytes": sizes[which],
                    "entry_nanoseconds": [[10**9 * k for k in range(count)]] * 2,
                    "exit_nanoseconds": [[10**9 * k + nanoseconds for k in range(count)]] * 2,
                }
            )
        text = "".join(json.dumps(one) + "\n" for one in rows)
        (folder / "records.jsonl").write_text(text, encoding="utf-8")
        summary = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        (folder / "run.json").write_text(
            json.dumps(summary | {"run_id": f"a01-{number}"}), encoding="utf-8"
        )
    seal_again(source)
    assert not (source / STUDY).exists()
    return source.name


def hockney(size: float) -> float:
    return 2e-6 + 3e-10 * size


def test_a_formula_that_holds_says_so_everywhere(store: Store, tmp_path: Path) -> None:
    bench = bench_of(store, hockney)

    said = store.isobath("model", "fit", bench, "--formula", "alpha + beta*m", *FEW)

    assert said.code == 0, said.err
    assert "alpha + beta*m holds: typically" in " ".join(said.out.split())
    assert all(len(line) <= 80 for line in said.out.splitlines())
    shown = store.isobath("show", "last:model", "--json")
    found = shown.found
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (subject,) = found["subjects"]
    model = subject["models"][0]
    assert (model["formula"], model["outcome"]) == ("alpha + beta*m", "holds")
    values = {one["name"]: (one["value"], *one["interval"]) for one in model["parameters"]}
    for name, truth in (("alpha", 2e-6), ("beta", 3e-10)):
        value, low, high = values[name]
        assert value == pytest.approx(truth, rel=0.05)
        assert low < truth < high
    ways = {one["way"] for one in subject["laws"][0]["held_out"]}
    assert ways == {"random folds", "largest size left out"}
    (exponent,) = subject["exponents"]
    assert exponent["interval"][0] < 1 < exponent["interval"][1]

    def shown_as(*words: str) -> Said:
        return store.isobath("show", "last:model", "--view", *words)

    page = tmp_path / "model.html"
    assert store.isobath("report", "last:model", "-o", str(page)).code == 0
    assert "alpha + beta*m" in page.read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(shown_as("points", "--format", "csv").out)))
    assert [float(row["numbers_m"]) for row in rows] == SIZES
    for view in ("summary", "formulas", "residuals", "points", "method", "all"):
        text = shown_as(view)
        assert (text.code, text.err) == (0, ""), view
        lines = text.out.split("\nmodel ")[0].splitlines()  # then places, which are not broken
        assert all(len(line) <= 80 for line in lines), view
    assert shown_as("laws").out == shown_as("formulas").out, "the name of before"
    of_before = shown_as("laws", "--format", "csv")
    assert of_before.out == shown_as("formulas", "--format", "csv").out
    assert of_before.code == 0
    listed = store.isobath("list", "--kind", "model", "--json")
    assert "1 model: 1 holds" in listed.out
    kept = store.isobath("show", "last:model", "--settings")
    assert 'formula = "alpha + beta*m"' in kept.out


def test_a_wrong_form_is_named_and_ends_with_0(store: Store) -> None:
    bench_of(store, lambda size: 2e-6 + 3e-12 * size**1.5)

    said = store.isobath("model", "fit", "last", "--formula", "alpha + beta*m", "--json", *FEW)

    assert said.code == 0, said.err
    (subject,) = said.found["subjects"]
    assert subject["models"][0]["outcome"] == "wrong form"
    assert " m: " in subject["models"][0]["verdict"]
    (exponent,) = subject["exponents"]
    assert exponent["exponent"] == pytest.approx(1.5, abs=0.03)
    assert any(one["is_structure"] for one in subject["models"][0]["residuals"])


def test_values_that_are_given_are_judged(store: Store) -> None:
    bench_of(store, hockney)

    said = store.isobath("model", "fit", "last", "--formula", "alpha + beta*m", "--given",
                         "beta=9e-10", "--no-families", "--json", *FEW)  # fmt: skip

    model = said.found["subjects"][0]["models"][0]
    assert model["outcome"] == "wrong parameters"
    assert "instead of 9e-10" in model["verdict"]
    beta = next(one for one in model["parameters"] if one["name"] == "beta")
    assert (beta["value"], beta["interval"], beta["given"]) == (9e-10, None, True)


def test_a_slip_of_a_symbol_is_fitted_and_said(store: Store) -> None:
    bench_of(store, hockney)

    said = store.isobath("model", "fit", "last", "--formula", "alpha + messagess*m",
                         "--no-families", *FEW)  # fmt: skip

    words = "messagess is no symbol of the study, so it is a parameter and is fitted; messages is"
    assert said.code == 0, said.err
    assert words in " ".join(said.out.split())
    assert words in " ".join(said.err.split()), "before it takes its time"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--formula", "__import__('os')"], "the formula cannot be read from character 1 on"),
        (["--formula", "alpha/0"], "the formula divides by zero"),
        (["--formula", "m*p"], "the formula has no parameter"),
        (["--formula", "alpha + beta*level"], "names level, which the study does not have; it has"),
        (["--formula", "alpha/(p - 2)"], "the formula is no number where p = 2"),
        (["--formula", "a*m", "--given", "b=1"], "--given b=1: the formula has no parameter b"),
        (["--formula", "a*m", "--given", "a=-1"], "--given a=-1: write NAME=VALUE with a number"),
        (["--given", "a=1"], "--given names a parameter of a formula; add --formula"),
        (["--only", "fold"], "--only fold: no cell has these words"),
        (["--view", "formulaz"], "did you mean formulas?"),
    ],
)  # fmt: skip
def test_what_cannot_be_fitted_ends_in_one_sentence(
    store: Store, words: list[str], sentence: str
) -> None:
    bench_of(store, hockney, launches=2, sizes=SIZES[::3])
    before = sorted(store.folder.iterdir())

    said = store.isobath("model", "fit", "last", "--quiet", *FEW, *words)

    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert sorted(store.folder.iterdir()) == before


def test_studies_that_do_not_do_end_in_one_sentence(store: Store) -> None:
    copy_of(store.folder, "collectives-whole", "20261201-000000-bench-0001")
    copy_of(store.folder, "run-whole", "20261201-000000-s6-0002")
    for words, sentence in (
        ((), "name a study to fit a model to"),
        (("nothing",), "no study is called nothing"),
        (("20261201-000000-bench-0001",), "has too few points to fit a model to"),
        (("20261201-000000-bench", "20261201-000000-s6"), "only studies of one kind"),
    ):
        said = store.isobath("model", "fit", *words, *FEW)
        assert (said.code, said.out) == (2, ""), words
        assert sentence in said.err


def test_a_changed_launch_is_left_out_named_and_ends_with_3(store: Store) -> None:
    bench = bench_of(store, hockney)
    with (store.folder / bench / "runs" / "a01-3" / "records.jsonl").open("a") as out:
        out.write("\n")

    said = store.isobath("model", "fit", "last", "--no-families", *FEW)

    assert said.code == 3
    assert "a01-3" in said.out + said.err
    shown = store.isobath("show", "last:model", "--json")
    assert {one["launches"] for one in shown.found["subjects"][0]["points"]} == {4}
    assert shown.found["sources_altered"]


def test_a_model_that_was_changed_shows_no_number(store: Store) -> None:
    bench_of(store, hockney, launches=2)
    store.isobath("model", "fit", "last", "--no-families", *FEW)
    (folder,) = (one for one in store.folder.iterdir() if "-model-" in one.name)
    text = (folder / "model.json").read_text(encoding="utf-8")
    (folder / "model.json").write_text(text.replace("holds", "HOLDS"), encoding="utf-8")

    said = store.isobath("show", folder.name)

    assert (said.code, said.out) == (3, "")
    assert "model.json" in said.err


def test_what_a_model_was_fitted_to_is_not_removed(store: Store) -> None:
    bench = bench_of(store, hockney, launches=2)
    store.isobath("model", "fit", "last", "--no-families", *FEW)

    said = store.isobath("remove", bench, "--yes")

    assert said.code != 0
    assert (store.folder / bench).is_dir()


@pytest.mark.parametrize("name", ["run-whole", "race-whole"])
def test_searches_have_parts_with_their_bytes(store: Store, name: str) -> None:
    """All bytes and messages of a search stand in its parts, level by level."""
    folder = copy_of(store.folder, name, f"20261201-000000-{name.partition('-')[0]}-0001")
    entry = entry_of(name.partition("-")[0])
    kind = entry.load()

    parts = kind.parts(kind.read(folder))

    lines = [
        json.loads(line)
        for path in sorted(folder.rglob("records.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    searches = [one for one in lines if one["kind"] == "search" and not one["warmup"]]
    assert parts
    counts = {"p", "nodes", "bytes", "messages", "total", "off", "inside"}
    assert all(counts <= part.numbers.keys() for part in parts)
    assert all(
        {"level", "calls"} <= part.numbers.keys() for part in parts if "call" in part.identity
    )
    whole_search = next(part for part in parts if part.title == "search, seconds")
    first = [row for row in searches if row["run_id"] == whole_search.taken[0].launch]
    assert whole_search.numbers["total"] == sum(row["bytes_sent"] for row in first) / len(first)
    assert whole_search.numbers["edges"] == sum(r["traversed_edges"] for r in first) / len(first)
    assert whole_search.value == pytest.approx(sum(r["seconds"] for r in first) / len(first))
    calls = [cell for one in lines if one["kind"] == "calls" for cell in one["cells"]]
    timed = {(one["run_id"], one["index"]) for one in searches}
    assert len(timed) == len(searches)
    sent = max(one["bytes_sent"] for one in calls if one["seconds_mean"])
    assert max(one.numbers["bytes"] for one in parts) >= sent / 2 / len(timed)
    titles = [one.title for one in parts]
    assert any(", level 0" in one for one in titles)
    assert all(one.value and one.value > 0 for one in parts)
    levels = [part for part in parts if "direction" in part.identity]
    scanned = {row["arcs_scanned"] for row in lines if row["kind"] == "level"}
    assert levels
    assert all(part.numbers["edges"] <= max(scanned) for part in levels)


def test_a_program_fits_as_the_command_does(store: Store) -> None:
    bench_of(store, hockney, launches=2)

    fitted = api.fit("last", formula="a + b*m", given={"b": 3e-10}, families=False, resamples=40)

    assert fitted.kind == "model fit"
    (subject,) = fitted.findings["subjects"]
    assert subject["models"][0]["outcome"] == "holds"
    assert fitted.table("points").columns[0] == "subject"
    with pytest.raises(UsageError, match="the formula has no parameter"):
        api.fit("last:bench", formula="p*m")
    with pytest.raises(UsageError, match="colour"):
        api.fit("last:bench", formula="a*m", colour="red")


def test_a_dry_run_says_what_would_be_fitted_and_writes_nothing(store: Store) -> None:
    name = bench_of(store, lambda size: 2e-6 + 3e-10 * size)
    before = sorted(store.folder.iterdir())

    said = store.isobath("model", "fit", "last", "--formula", "alpha + beta*m", "--dry-run")
    told = store.isobath("model", "fit", "last", "--dry-run", "--json")

    assert (said.code, said.err) == (0, "")
    first, second, last = said.out.splitlines()
    assert first.endswith(f"{name}  benchmark of collectives")
    assert f"{len(SIZES)} points, to fit alpha + beta*m" in second
    assert last.startswith("starts no program; study folder: ")
    facts = json.loads(told.out)
    assert (facts["kind"], facts["launches"]) == ("model fit", [])
    assert facts["reads"][1].endswith("to fit families of the literature")
    assert sorted(store.folder.iterdir()) == before
    assert store.isobath("model", "fit", "nothing", "--dry-run").code == 2
