# SPDX-License-Identifier: Apache-2.0
import json
import signal
import time
from typing import Any, ClassVar

import pytest

from cli.conftest import Checkout
from isobath import api
from isobath.errors import StoppedError
from isobath.kinds.run import calibration

LOOK = ("plan", "--scale", "12")


def kept(checkout: Checkout) -> dict[str, Any]:
    path = checkout.prefix / ".isobath" / calibration.CALIBRATIONS
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def load_is(monkeypatch: pytest.MonkeyPatch, load: float) -> None:
    monkeypatch.setattr(calibration, "load_of_others", lambda: load)


def test_load_and_time_are_kept_with_a_calibration(checkout: Checkout) -> None:
    before = time.time()

    assert "calibrating" in checkout.isobath(*LOOK).err

    (entry,) = kept(checkout).values()
    assert before <= entry["measured_at"] <= time.time()
    assert entry["load"] == 0.0
    assert "calibrating" not in checkout.isobath(*LOOK).err


def test_one_of_a_busy_machine_serves_once_and_says_so(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_is(monkeypatch, 1000.0)

    for _ in range(2):
        said = checkout.isobath(*LOOK)
        assert "calibrating" in said.err
        assert "calibrated on a busy machine (load 1000.0 of others)" in said.out
        assert "calibrated on a busy machine" in checkout.isobath("plan", "--scale", "12").out
        assert kept(checkout) == {}


def test_one_that_is_a_day_old_is_measured_again(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.isobath(*LOOK)
    path = checkout.prefix / ".isobath" / calibration.CALIBRATIONS
    for age in (calibration.KEPT_SECONDS + 1, -3600.0):  # the clock may have been wrong, too
        entries = kept(checkout)
        for entry in entries.values():
            entry["measured_at"] = time.time() - age
        path.write_text(json.dumps(entries), encoding="utf-8")

        load_is(monkeypatch, 1000.0)
        said = checkout.isobath(*LOOK)
        assert "calibrating" not in said.err, "an old one is better than one of a busy machine"
        load_is(monkeypatch, 0.0)
        assert "calibrating" in checkout.isobath(*LOOK).err


def test_one_without_a_time_counts_as_none(checkout: Checkout) -> None:
    checkout.isobath(*LOOK)
    entries = kept(checkout)
    for entry in entries.values():
        del entry["measured_at"]
    path = checkout.prefix / ".isobath" / calibration.CALIBRATIONS
    path.write_text(json.dumps(entries), encoding="utf-8")

    assert "calibrating" in checkout.isobath(*LOOK).err


def test_a_complete_run_takes_the_place_of_the_short_one(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isobath.machine.facts._load", lambda _: 0.0)
    run = ("run", "--scale", "26", "--force", "--no-report")
    checkout.isobath(*LOOK)
    (before,) = kept(checkout).values()

    for words in ((*run, "--edgefactor", "8"), (*run, "--no-validation"), (*run, "--root", "1")):
        assert checkout.isobath(*words).code == 0
        assert kept(checkout)[before["key"]] == before, words
    load_is(monkeypatch, 1000.0)
    assert checkout.isobath(*run).code == 0
    assert kept(checkout)[before["key"]] == before
    load_is(monkeypatch, 0.0)
    assert checkout.isobath(*run).code == 0

    (after,) = kept(checkout).values()
    assert after["scale"] == 26
    assert checkout.isobath("run", "--scale", "12", "--no-report").code == 0
    assert kept(checkout)[before["key"]] == after, "a smaller run knows less"


class WantsEnd:
    received: ClassVar[list[signal.Signals]] = []
    wants_end = True
    wants_end_now = False


def test_an_end_that_a_program_asks_for_during_one_is_a_sentence_and_no_interrupt(
    checkout: Checkout,
) -> None:
    """KeyboardInterrupt is of the person at the keyboard; nothing was begun, so nothing is kept."""
    for measure in (api.run, api.race):
        with pytest.raises(StoppedError, match="asked for during the calibration; nothing was"):
            measure(scale=12, stop=WantsEnd(), store=checkout.prefix / "studies")

    assert kept(checkout) == {}
    assert api.studies(store=checkout.prefix / "studies") == []
