# SPDX-License-Identifier: Apache-2.0
"""isobath bench replay as a kind of its own: what is measured of it, shown, resumed and drawn."""

import json
from datetime import UTC, datetime

import pytest

from bench.test_replay import MATRICES, plan_of, records
from cli.conftest import Checkout, Said
from isobath.bench.replay import replay_of
from isobath.kinds.replay.plan import PLAN, ReplayFolder
from records.examples import RUN_ID
from study.folders import alter

STUDY = "20261123-010203-replay-abcd"


def begun(checkout: Checkout) -> ReplayFolder:
    """A replay that was planned, and then killed before its first launch."""
    plan = plan_of(replay_of(records(*MATRICES)))
    arm = plan.arms[0].model_copy(update={"mpi": "fake", "ranks": 2})
    seconds = {one.name: 2.0 for one in plan.phases()}
    plan = plan.model_copy(update={"arms": (arm,), "launches": 3, "recorded_seconds": seconds})
    folder = ReplayFolder(checkout.prefix / "studies" / STUDY)
    PLAN.begin(folder, plan, created=datetime.now(UTC), command=("isobath", "bench", "replay"))
    return folder


def measured(checkout: Checkout) -> Said:
    begun(checkout)
    said = checkout.isobath("resume", STUDY)
    assert said.code == 0, said.err
    return said


def test_it_is_resumed_and_ends_with_its_own_table_and_sentence(checkout: Checkout) -> None:
    said = measured(checkout)

    assert "[3/3]" in said.err
    assert "in the run" in said.out
    assert "that the search spent in these phases" in " ".join(said.out.split())
    assert all(len(line) <= 80 for line in said.out.splitlines())
    again = checkout.isobath("show", STUDY)
    assert again.code == 0
    assert again.out.startswith(said.out)
    assert checkout.isobath("bench", "replay", "--of", "last").out == said.out
    sizes = checkout.isobath("show", STUDY, "--view", "sizes")
    assert sizes.code == 0
    assert "alltoallv" in sizes.out


def test_its_page_begins_with_the_search(checkout: Checkout) -> None:
    measured(checkout)

    page = (checkout.prefix / "reports" / STUDY / "report.html").read_text(encoding="utf-8")

    assert f"Search 1 of {RUN_ID}" in page
    assert "in the run" in page
    assert "How it was measured" in page


def test_its_findings_have_both_times(checkout: Checkout) -> None:
    measured(checkout)

    told = json.loads(checkout.isobath("show", STUDY, "--json").out)

    assert (told["replayed"], told["replayed_search"]) == (RUN_ID, 1)
    (library,) = told["replay"]
    assert {one["recorded_seconds"] for one in library["phases"]} == {2.0}
    assert all(one["seconds"] > 0 for one in library["phases"])
    assert told["launches_done"] == 3


def test_a_changed_launch_is_named_and_done_again(checkout: Checkout) -> None:
    measured(checkout)
    alter(begun_folder(checkout).runs / "a01-2")

    shown = checkout.isobath("show", STUDY)
    again = checkout.isobath("bench", "replay", "--resume", STUDY, "--no-report")

    assert shown.code == 3
    assert "a01-2: records.jsonl was changed after sealing" in shown.err
    assert again.code == 0, again.err
    assert "2 of 3 launches are done, going on" in again.err


def begun_folder(checkout: Checkout) -> ReplayFolder:
    return ReplayFolder(checkout.prefix / "studies" / STUDY)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--of", "last"), "there is no replay of a search in"),
        (("--resume", "last", "--launches", "2"), "leave --launches out"),
        (("--of", "last", "--resume", "last"), "leave --resume out"),
        (("--buffers", "cold"), "--buffers cold: choose one of"),
        ((), "there is no run in"),
    ],
)
def test_bad_wishes_end_in_one_sentence(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("bench", "replay", *words)

    assert said.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
