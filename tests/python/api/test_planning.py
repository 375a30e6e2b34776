# SPDX-License-Identifier: Apache-2.0
"""What a run needs, from Python: as isobath plan says it, nothing printed."""

import json
import re
from typing import Any

import pytest

from cli.conftest import Checkout, checkout
from isobath import api
from isobath.errors import RefusedError, UsageError

__all__ = ["checkout"]

MADE_UP: dict[str, Any] = {"ranks": 4, "threads": 1, "nodes": 2, "memory": "4G"}


def test_needs_are_those_of_the_command(
    checkout: Checkout, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [word for name, value in MADE_UP.items() for word in (f"--{name}", str(value))]

    asked = api.needs(plan="simple", **MADE_UP)

    assert capfd.readouterr() == ("", "")
    said = checkout.isobath("plan", "--plan", "simple", *words, "--json")
    assert asked.facts == json.loads(said.out)
    assert asked.available == 8 << 30
    assert asked.largest == asked.rows[-2]["scale"]
    assert asked.time_note == "no times: a run over several machines cannot be timed on one"
    asked.require_fit()


def test_what_does_not_fit_is_told_and_can_be_refused(checkout: Checkout) -> None:
    asked = api.needs(scale=40, **MADE_UP)

    assert [row["fits"] for row in asked.rows] == [False]
    with pytest.raises(RefusedError, match=r"scale 40 .* the largest scale that fits is"):
        asked.require_fit()


def test_ranks_of_another_machine_are_not_started_here(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isobath.kinds.run.needs.calibrate", pytest.fail)

    asked = api.needs(scale=39, grid="316x316", threads=1)

    assert re.fullmatch(
        r"no times: 99,856 ranks on \d+ processors are not tried; "
        r"say how many machines there are \(--nodes\)",
        asked.time_note,
    )


def test_what_cannot_be_asked_is_one_sentence(checkout: Checkout) -> None:
    for wrong, words in (
        ({"scales": 3}, "there is no scales to ask about; there are edgefactor, edges"),
        ({"kernel": "dog"}, "--kernel dog: choose one of"),
        ({"memory": "dog"}, "--memory"),
        ({"validation_copy": "maybe"}, "--validation-copy maybe: choose one of on, off"),
    ):
        with pytest.raises(UsageError, match=words):
            api.needs(**wrong)
