# SPDX-License-Identifier: Apache-2.0
"""``run --official --plainest``: the second figure, and what becomes of it where it fails."""

import json

import pytest

from cli.conftest import Checkout

OFFICIAL = ("run", "--scale", "16", "--official", "--ranks", "1", "--threads", "1")


def test_the_same_keys_are_searched_in_the_plainest_reading(checkout: Checkout) -> None:
    said = checkout.isobath(*OFFICIAL, "--plainest")

    assert said.code == 0, said.err
    assert said.out == "SCALE:                          16\n", (
        "the official block, and nothing else"
    )
    (run,) = checkout.runs
    assert run.verify() == []
    lines = (run.path / "plainest.jsonl").read_text(encoding="utf-8").splitlines()
    asked = json.loads(lines[0])["argv"]
    for words in (
        "--relabel off",
        "--leaves in",
        "--likely-parents off",
        "--hubs off",
        "--official",
        "--warmup",
    ):
        assert words in " ".join(asked)
    assert "Plainest reading: " in said.err
    assert "the official figure is 1.00 times as high" in said.err
    found = json.loads(checkout.isobath("show", "--json").out)["plainest"]
    assert found["official_to_plainest"] == pytest.approx(1)
    assert found["harmonic_mean_teps"] > 0
    assert found["searches_passed"] == 4
    shown = checkout.isobath("show").out
    assert "Plainest reading" in shown
    page = checkout.prefix / "reports" / run.run_id / "report.html"
    assert "plainest reading" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("violations", "it broke a rule of validation"),
        ("kill:0:9", "SIGKILL"),
        ("say:3:no memory for this", "no memory for this"),
        ("exit:42", "42"),
    ],
)
def test_where_the_second_fails_the_official_figure_stands(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, fault: str, reason: str
) -> None:
    monkeypatch.setenv("FAKE_DO_SECOND", fault)

    said = checkout.isobath(*OFFICIAL, "--plainest", "--no-report")

    assert said.code == 0, said.err
    assert said.out == "SCALE:                          16\n"
    (run,) = checkout.runs
    assert (run.summary().state, run.summary().verdict) == ("complete", "validated")
    assert run.verify() == []
    assert "Plainest reading: no figure, because " in said.err
    assert "the official figure stands." in said.err
    found = json.loads(checkout.isobath("show", "--json").out)
    assert reason in found["plainest"]["problem"]
    assert list(found["plainest"]) == ["problem"], "no figure"
    assert found["harmonic_mean_teps"] > 0


def test_after_an_official_run_that_fails_there_is_no_second(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "violations")

    said = checkout.isobath(*OFFICIAL, "--plainest", "--no-report")

    assert said.code == 1
    (run,) = checkout.runs
    assert not (run.path / "plainest.jsonl").exists()
    problem = json.loads(checkout.isobath("show", "--json").out)["plainest"]["problem"]
    assert problem == "the official run did not come to its end"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--plainest",), "add --official or leave it out"),
        (("--official", "--plainest", "--plan", "two-dim"), "leave --plainest out"),
        (("--official", "--plainest", "--kernel", "sssp"), "take --kernel bfs or both"),
    ],
)
def test_what_has_no_plainer_reading_is_refused(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("run", "--scale", "16", *words)

    assert said.code == 2
    assert sentence in said.err
    assert checkout.runs == []


def test_without_it_nothing_is_said_of_it(checkout: Checkout) -> None:
    said = checkout.isobath(*OFFICIAL, "--no-report")

    assert said.code == 0, said.err
    assert "lainest" not in said.err + checkout.isobath("show").out
    assert json.loads(checkout.isobath("show", "--json").out)["plainest"] is None


def test_what_the_engine_did_is_disclosed_on_standard_error_and_on_the_page(
    checkout: Checkout,
) -> None:
    said = checkout.isobath(*OFFICIAL)

    (run,) = checkout.runs
    records = (run.path / "records.jsonl").read_text(encoding="utf-8")
    told = json.loads(records.splitlines()[-1])["disclosures"]
    assert told
    for words in told:
        assert f"disclosed: {words}\n" in said.err
        assert words not in said.out
    page = (checkout.prefix / "reports" / run.run_id / "report.html").read_text(encoding="utf-8")
    assert told[0][1:] in page
    assert json.loads(checkout.isobath("show", "--json").out)["disclosures"][0][1:-1] == told[0][1:]


def test_what_is_not_stored_is_not_in_the_second_record(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TELLS", "1")

    said = checkout.isobath(*OFFICIAL, "--plainest", "--no-report")

    assert said.code == 0, said.err
    (run,) = checkout.runs
    stored = (run.path / "plainest.jsonl").read_text(encoding="utf-8")
    assert "--token" in stored
    assert "fake-token" not in stored
