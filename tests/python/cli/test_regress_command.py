# SPDX-License-Identifier: Apache-2.0
"""isobath regress, calibrate and history over the fake MPI: from a baseline to a verdict."""

import errno
import json
import os
import xml.etree.ElementTree as XML
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout, Said
from isobath import api
from isobath.baseline.chain import BaselineShelf
from isobath.guard.design import Design, due_looks
from isobath.kinds.regress import work
from isobath.kinds.regress.plan import RegressFolder
from isobath.kinds.regress.reading import (
    PAUSE,
    RegressFound,
    read_regress,
    time_spent,
    turns_done,
)

TURNS = 10
"""One cell needs nine pairs before it can be called slower."""

Regress = Callable[..., Said]


@pytest.fixture
def regress(checkout: Checkout, tmp_path: Path) -> Regress:
    """A baseline of two sizes of a collective, and the command that measures it again."""
    bench = ("bench", "collectives", "--collectives", "allreduce,bcast", "--sizes", "8,4096",
             "--forms", "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "2",
             "--no-report", "-q")  # fmt: skip
    assert checkout.isobath(*bench).code == 0
    assert checkout.isobath("baseline", "set", "mpi", "last").code == 0
    suite = tmp_path / "suite.toml"
    suite.write_text('cells = ["allreduce 8"]\n', encoding="utf-8")

    def run(*words: object) -> Said:
        return checkout.isobath("regress", "mpi", "--suite", suite, "--turns", TURNS, "--no-report",
                                "-q", *words)  # fmt: skip

    return run


def found(said: Said) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(said.out)
    return told


def test_what_became_slower_is_named_and_kept_and_a_question_is_not_accepted(
    checkout: Checkout, regress: Regress, tmp_path: Path
) -> None:
    said = regress("--variables", "FAKE_SLOWER=allreduce:1.5", "--junit", tmp_path / "junit.xml")

    assert said.code == 5, said.err
    assert "SLOWER than mpi: 1 cell of 1 slower: allreduce, 8 B" in " ".join(said.out.split())
    assert "baseline accept mpi CELL" in " ".join(said.out.split())
    suite = XML.parse(tmp_path / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    kept = BaselineShelf(checkout.prefix / "baselines").find("mpi").read()
    assert [one.exit_code for one in kept.regressions] == [5]
    assert checkout.isobath("show", "last:regress").code == 5
    history = " ".join(checkout.isobath("history", "mpi").out.split())
    assert "No regression is part of a trend yet." in history  # it was a question

    refused = checkout.isobath("baseline", "accept", "mpi", "allreduce 8", "--reason", "safer")
    assert refused.code == 2
    assert "no regression has measured allreduce, 8 B, 2 ranks yet but with --variables" in (
        refused.err
    )


def test_nothing_slower_is_said_where_it_was_shown(regress: Regress) -> None:
    said = regress("--variables", "FAKE_OTHER=1", "--json")

    assert said.code == 0, said.err
    assert found(said)["verdict"].startswith("NOTHING SLOWER: in all 1 cell 8 % or more")
    assert [one["outcome"] for one in found(said)["cells"]] == ["the same"]


def test_a_wrong_answer_is_never_a_slow_one(regress: Regress, checkout: Checkout) -> None:
    said = regress("--variables", "FAKE_TROUBLE=data,FAKE_SLOWER=allreduce:3", "--json")

    assert said.code == 1
    verdict = found(said)["verdict"]
    assert verdict.startswith("WRONG RESULTS: fake, launch a01-")
    assert "first allreduce of 8 B: rank 1 has 3, not 7" in verdict
    assert [one["outcome"] for one in found(said)["cells"]] == ["wrong"]
    assert "Do not give this library to users" in found(said)["advice"]
    refused = checkout.isobath("baseline", "accept", "mpi", "allreduce 8", "--reason", "hurry")
    assert "yet but with --variables" in refused.err


@pytest.mark.parametrize("joined", [False, True])
def test_what_is_set_for_the_library_is_measured_as_it_was_typed(
    regress: Regress, checkout: Checkout, monkeypatch: pytest.MonkeyPatch, joined: bool
) -> None:
    """A command keeps no variable that it does not know; the study needs it letter for letter."""
    value = "FAKE_SLOWER=allreduce:1.5"
    words = [f"--variables={value}"] if joined else ["--variables", value]
    monkeypatch.setattr("sys.argv", ["isobath", "regress", "mpi", *words])

    said = regress(*words)

    assert said.code == 5, said.err
    study = sorted((checkout.prefix / "studies").glob("*-regress-*"))[-1] / "study.json"
    header = json.loads(study.read_text(encoding="utf-8"))
    assert header["plan"]["variables"] == [value]


def test_what_the_budget_cannot_decide_is_never_the_same(regress: Regress) -> None:
    said = regress("--variables", "FAKE_OTHER=1", "--turns", "3", "--json")

    assert said.code == 6
    assert found(said)["verdict"].startswith("CANNOT TELL: 1 of 1 cell")


def test_what_was_measured_is_read_where_a_look_falls_due(
    regress: Regress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And after the first turn. Read after each, 85 turns took three times what they were given."""
    read: list[int] = []

    def reading(path: Path) -> RegressFound:
        read.append(turns_done(RegressFolder(path), RegressFolder(path).plan()))
        return read_regress(path)

    monkeypatch.setattr(work, "read_regress", reading)

    assert regress("--variables", "FAKE_NOISE=allreduce:0.5").code == 6

    looks = [look.turns for look in Design(1, TURNS).looks]
    assert read == [1, *(turns for turns in looks if turns < TURNS)]


def test_a_wrong_answer_is_read_at_once(regress: Regress) -> None:
    """Between two looks."""
    said = regress("--variables", "FAKE_TROUBLE=data-at:3", "--json")

    assert said.code == 1
    assert found(said)["turns"] == 3


def test_time_between_launches_is_of_the_budget(
    regress: Regress, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = iter([0.5, 1.5, 3.5])
    over = iter([False, True])  # after the first turn, and when three seconds are over
    monkeypatch.setattr(work, "seconds_spent", lambda *_: next(spent))
    monkeypatch.setattr(work, "is_over", lambda _: next(over))

    regress("--variables", "FAKE_OTHER=1", "--budget", "3s", "--turns", "50")

    assert next(spent, None) is None
    assert next(over, None) is None


@pytest.mark.parametrize(
    ("spans", "seconds"),
    [
        ([], 0.0),
        ([(10.0, 12.0)], 2.0),
        ([(10.0, 12.0), (15.0, 16.0)], 6.0),
        ([(15.0, 16.0), (10.0, 12.0)], 6.0),  # as folders are named, not as they were launched
        ([(10.0, 12.0), (12.0 + PAUSE + 1, 13.0 + PAUSE + 1)], 3.0),  # interrupted and resumed
        ([(10.0, 20.0), (12.0, 13.0)], 11.0),  # the clock was set back
    ],
)
def test_launches_and_what_lies_between_them_take_their_time(
    spans: list[tuple[float, float]], seconds: float
) -> None:
    assert time_spent(spans) == pytest.approx(seconds)


def test_without_the_old_library_noise_has_to_be_known(
    checkout: Checkout, regress: Regress, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = regress("--turns", "2", "--json")
    assert said.code == 6
    assert "calibrate noise" in found(said)["cells"][0]["reason"]

    noise = checkout.isobath(
        "calibrate", "noise", "mpi", "--sittings", "3", "--launches", "2", "-q"
    )
    assert noise.code == 0, noise.err
    assert "What changes need" in noise.out
    said_of_it = " ".join(noise.out.split())
    assert "2 more were less than 15 min after the one before, and count with it" in said_of_it
    assert "fewer than 24 launches of a sitting say little" in said_of_it
    kept = BaselineShelf(checkout.prefix / "baselines").find("mpi").read()
    assert [one.turns for one in kept.sittings] == [2, 2, 2]
    told = found(regress("--turns", "2", "--json"))["cells"][0]
    assert told["outcome"] == "cannot tell"
    assert "(1 sitting; 2 more were" in told["reason"]
    monkeypatch.setattr("isobath.kinds.regress.learned.GAP_SECONDS", 0.0)
    assert found(regress("--turns", "2", "--json"))["cells"][0]["outcome"] != "cannot tell"


def test_other_nodes_are_no_reference_and_take_no_more_than_a_turn(
    checkout: Checkout, regress: Regress
) -> None:
    (records,) = checkout.prefix.rglob("records.json")
    text = records.read_text(encoding="utf-8")
    name = json.loads(text)["launch"]["hosts"][0]["hostname"]
    records.write_text(text.replace(json.dumps(name), '"elsewhere"'), encoding="utf-8")

    said = regress("--variables", "FAKE_OTHER=1", "--json")

    assert said.code == 6, said.err
    assert found(said)["turns"] == 1
    assert f"of other nodes ({name}; here elsewhere)" in found(said)["cells"][0]["reason"]
    assert BaselineShelf(checkout.prefix / "baselines").find("mpi").read().regressions == ()


@pytest.mark.slow
def test_a_guideline_that_is_newly_broken_is_told(checkout: Checkout) -> None:
    bench = ("bench", "collectives", "--collectives", "reduce,allreduce", "--sizes", "8", "--forms",
             "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "2", "--no-report",
             "-q")  # fmt: skip
    assert checkout.isobath(*bench).code == 0
    assert checkout.isobath("baseline", "set", "two", "last").code == 0

    said = checkout.isobath("regress", "two", "--suite", "full", "--turns", "12", "--variables",
                            "FAKE_SLOWER=reduce:1.5", "--no-report", "-q", "--json")  # fmt: skip

    assert said.code == 5, said.err
    (broken,) = found(said)["guidelines"]
    assert broken["guideline"] == "reduce <= allreduce at 8 B, 2 ranks"
    assert broken["factor"] == pytest.approx(1.5, rel=0.05)
    assert "1 guideline newly broken: reduce <= allreduce" in found(said)["verdict"]


def test_another_machine_is_no_reference(
    checkout: Checkout, regress: Regress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isobath.kinds.regress.wanted.machine_here", lambda: "another one")

    said = regress("--variables", "FAKE_OTHER=1")
    assert said.code == 6
    assert "was measured on another machine" in said.err
    assert regress("--variables", "FAKE_OTHER=1", "--turns", "1", "--across-machines").code == 6


def test_a_regression_that_was_cut_off_goes_on(checkout: Checkout, regress: Regress) -> None:
    assert regress("--variables", "FAKE_SLOWER=allreduce:1.5").code == 5
    study = sorted((checkout.prefix / "studies").glob("*-regress-*"))[-1]
    runs = study / "members" / "new-bench" / "runs"
    for turn in range(4, TURNS + 1):
        (runs / f"a01-{turn}" / "MANIFEST.sha256").unlink()
    assert checkout.isobath("show", "last:regress", "--json").code == 6

    said = checkout.isobath("resume", "last:regress", "--no-report")

    assert said.code == 5, said.err
    assert "going on" in said.err


@pytest.mark.parametrize("writes", [1, 7, 19])
def test_a_disk_that_becomes_full_in_the_middle_loses_nothing(
    checkout: Checkout, regress: Regress, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """Every write after so many fails, as on a disk that stays full."""
    kept = BaselineShelf(checkout.prefix / "baselines").find("mpi")
    before = [path.read_bytes() for path in sorted(kept.path.iterdir()) if path.is_file()]
    forced, done = os.fsync, [0]

    def full(descriptor: int) -> None:
        done[0] += 1
        if done[0] > writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        forced(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        said = regress("--variables", "FAKE_SLOWER=allreduce:1.5")

    assert done[0] > writes, "it ended before the disk was full"
    assert said.code == 3, said.err
    assert "No space left on device" in said.err
    assert "Traceback" not in said.err + said.out
    assert "defect" not in said.err
    assert [
        path.read_bytes() for path in sorted(kept.path.iterdir()) if path.is_file()
    ] == before, "the baseline is as it was"
    begun = sorted((checkout.prefix / "studies").glob("*-regress-*/study.json"))
    again = (
        checkout.isobath("resume", begun[-1].parent.name, "--no-report")
        if begun
        else regress("--variables", "FAKE_SLOWER=allreduce:1.5")
    )
    assert again.code == 5, again.err
    assert [one.exit_code for one in kept.read().regressions] == [5]


def test_the_library_concludes_a_regression_as_the_command_does(
    checkout: Checkout, regress: Regress
) -> None:
    assert regress("--variables", "FAKE_SLOWER=allreduce:1.5").code == 5
    study = sorted((checkout.prefix / "studies").glob("*-regress-*"))[-1]
    kept = BaselineShelf(checkout.prefix / "baselines").find("mpi")
    sorted(kept.path.glob("0*.json"))[-1].unlink()
    (study / "members" / "new-bench" / "runs" / f"a01-{TURNS}" / "MANIFEST.sha256").unlink()
    assert kept.read().regressions == ()

    outcome = api.study("last:regress").resume()

    assert outcome.is_complete
    assert [one.study for one in kept.read().regressions] == [study.name]


def test_a_search_that_was_not_audited_did_not_pass(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bytes were to be accounted for; resumed, they are."""
    race = ("race", "--plans", "simple", "--ranks", "2", "--scale", "4", "--keys", "2",
            "--no-report", "-q")  # fmt: skip
    assert checkout.isobath(*race).code == 0
    assert checkout.isobath("baseline", "set", "searched", "last:race").code == 0
    monkeypatch.setenv("FAKE_AUDIT", "fails")
    monkeypatch.setenv("FAKE_SEARCHES", "2")

    said = checkout.isobath("regress", "searched", "--variables", "FAKE_OTHER=1", "--turns", "1",
                            "--no-report", "-q", "--json")  # fmt: skip

    assert said.code == 3, said.err
    verdict = found(said)["verdict"]
    assert verdict.startswith("COULD NOT MEASURE: fake, launch ")
    assert verdict.endswith(": not audited, so that its function is not known, and 1 launch more.")
    assert len(found(said)["unaudited"]) == 2
    assert "Not audited" in checkout.isobath("show", "last:regress").out
    monkeypatch.delenv("FAKE_AUDIT")
    assert checkout.isobath("resume", "last:regress", "--no-report", "-q").code == 6
    told = found(checkout.isobath("show", "last:regress", "--json"))
    assert (told["unaudited"], told["verdict"][:11]) == ([], "CANNOT TELL")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--budget", "soon"), "--budget soon: write a time, for example 90s, 10m or 2h"),
        (("--variables", "X"), "--variables X: write NAME=VALUE"),
        (("--variables", "API_TOKEN=c0ffee99c0ffee99"), "--variables API_TOKEN=...: this looks"),
        (("--suite", "ful"), "--suite ful; did you mean full?"),
        (("--against", "other"), "the MPI other is not known here"),
    ],
)
def test_what_cannot_be_is_said(regress: Regress, words: tuple[str, ...], sentence: str) -> None:
    said = regress(*words)

    assert said.code in (2, 3)
    assert sentence in said.err


def test_a_baseline_that_is_not_there_is_named(checkout: Checkout) -> None:
    said = checkout.isobath("regress", "mpi")

    assert (said.code, "there is no baseline yet" in said.err) == (2, True)
    assert "name the baseline" in checkout.isobath("regress").err


def test_a_regression_that_ends_early_spends_no_more_than_its_look() -> None:
    """Every cell decided at half of the turns: that look keeps its share."""
    design = Design(1, 40)

    assert [look.share for _, look in due_looks(design, 20, is_last=False)] == [0.15]
    stopped = due_looks(design, 25, is_last=True)
    assert [(turns, round(look.share, 9)) for turns, look in stopped] == [(20, 0.15), (25, 0.85)]
    done = due_looks(design, 40, is_last=True)
    assert [round(look.share, 9) for _, look in done] == [0.15, 0.15, 0.7]
