# SPDX-License-Identifier: Apache-2.0
"""isobath audit, with an isobath-audit that prints what it is told to."""

import json
import sys
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.records.codec import AnyRecord, encode, read_records
from isobath.records.run_records import RunRecords
from race.audited_runs import COUNTED, Counts, lines_of, run_of
from records import examples


def leave_run(checkout: Checkout, records: RunRecords) -> Path:
    """A run folder that was never sealed, with these records."""
    folder = checkout.prefix / "studies" / "20260101-120000-s12-abcd"
    folder.mkdir(parents=True)
    assert records.construction is not None
    rows: list[AnyRecord] = [records.run, records.construction, *records.levels]
    rows += [*records.searches, *records.calls]
    (folder / "records.jsonl").write_text(
        "".join(encode(row) + "\n" for row in rows), encoding="utf-8"
    )
    return folder


def install_program(checkout: Checkout, expected: Counts, *, code: int = 0, says: str = "") -> Path:
    """isobath-audit; what it was given stands in the file that is returned."""
    given = checkout.prefix / "given.json"
    program = checkout.prefix / "build" / "fake" / "bin" / "isobath-audit"
    program.write_text(
        f"#!{sys.executable} -IS\n"
        "import json, sys\n"
        "searches = open(sys.argv[-1]).read()\n"
        f"json.dump([sys.argv[1:], searches], open({str(given)!r}, 'w'))\n"
        f"print({says!r}, file=sys.stderr)\n"
        f"print({chr(10).join(lines_of(expected))!r})\n"
        f"sys.exit({code})\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    return given


def test_equal_bytes_end_with_0(checkout: Checkout, tmp_path: Path) -> None:
    folder = leave_run(checkout, run_of())
    given = install_program(checkout, COUNTED)

    done = checkout.isobath("audit", folder, "--output", tmp_path / "audit.jsonl")

    assert done.code == 0
    assert done.out.startswith("equal  (20260101-120000-s12-abcd, 1 searches)")
    assert "class b  1 of 1 steps equal" in done.out
    words, searches = json.loads(given.read_text(encoding="utf-8"))
    assert words[:4] == ["--scale", "12", "--edgefactor", "16"]
    assert json.loads(searches)["root"] == examples.KEYS[0]
    assert [one.kind for one in read_records(tmp_path / "audit.jsonl")] == ["audit"] * 4


def test_a_changed_byte_ends_with_1_and_is_named(checkout: Checkout) -> None:
    folder = leave_run(checkout, run_of({**COUNTED, (1, "fold"): 32}))
    install_program(checkout, COUNTED)

    done = checkout.isobath("audit", folder)

    assert done.code == 1
    assert done.out.startswith("search 0, level 1, phase fold: 32 bytes counted, 24 expected (+8)")


def test_a_run_without_switches_ends_with_6(checkout: Checkout) -> None:
    done = checkout.isobath("audit", leave_run(checkout, run_of(switches=None)))

    assert done.code == 6
    assert "cannot tell" in done.out


def test_beyond_the_walk_closed_forms_are_asked(checkout: Checkout) -> None:
    folder = leave_run(checkout, run_of())  # whose bytes are those of no search

    done = checkout.isobath("audit", folder, "--walk-to", 11)

    assert done.code == 1
    assert "phase reduce" in done.out or "phase reset" in done.out


def test_a_program_that_fails_is_quoted(checkout: Checkout) -> None:
    folder = leave_run(checkout, run_of())
    install_program(checkout, {}, code=2, says="isobath-audit: --grid is missing")

    done = checkout.isobath("audit", folder)

    assert done.code == 3
    assert "ended with status 2: --grid is missing" in done.err


def test_a_program_that_is_not_built_is_said(checkout: Checkout) -> None:
    done = checkout.isobath("audit", leave_run(checkout, run_of()))

    assert done.code == 3
    assert "isobath-audit" in done.err


@pytest.mark.parametrize("words", [("nothing",), ("last",)])
def test_a_run_that_is_not_there_is_wrong_use(checkout: Checkout, words: tuple[str]) -> None:
    assert checkout.isobath("audit", *words).code == 2


def test_a_race_is_told_from_a_run(checkout: Checkout) -> None:
    raced = checkout.isobath(
        *("race", "--scale", "12", "--plans", "simple", "--ranks", "1", "--threads", "1"),
        *("--no-ladder", "--no-report", "--no-audit"),
    )
    assert raced.code == 0, raced.err
    (race,) = (checkout.prefix / "studies").iterdir()

    said = checkout.isobath("audit", race.name)

    assert said.code == 2
    assert f"{race.name} is a race" in said.err
    assert f"name one of its runs to audit it again: {race}/runs/c001-1" in said.err
