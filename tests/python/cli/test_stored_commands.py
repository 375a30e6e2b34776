# SPDX-License-Identifier: Apache-2.0
"""list, resume and show of stored studies: nothing is measured."""

import json
import shutil
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door
from studies.stored import FOLDER, the_folder


def laid(checkout: Checkout, name: str, kind: str) -> Path:
    """A stored study on the shelf of a checkout."""
    stored = the_folder(FOLDER / name, kind)
    target = checkout.prefix / "studies" / stored.name
    shutil.copytree(stored, target)
    return target


def test_nothing_is_told_from_nothing_that_fits(checkout: Checkout) -> None:
    assert checkout.isobath("list").out == (
        f"there is no study in checkout/studies yet; make one with {front_door()} run\n"
    )
    laid(checkout, "cg-whole", "bench cg")
    assert checkout.isobath("list", "--kind", "race").out == (
        f"none of 1 study fits; {front_door()} list shows all\n"
    )


def test_machine_and_mpi_are_listed_and_looked_for(checkout: Checkout) -> None:
    laid(checkout, "cg-whole", "bench cg")

    (row,) = json.loads(checkout.isobath("list", "--json").out)

    assert (row["machine"], row["mpi"]) == ("node0", "mpich-wheel")
    said = checkout.isobath("list", "node0")
    assert "node0" in said.out
    assert all(len(line) <= 80 for line in said.out.splitlines())


def test_a_wide_terminal_is_told_the_date(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid(checkout, "cg-whole", "bench cg")
    narrow = checkout.isobath("list").out
    monkeypatch.setattr("isobath.cli.terminal.columns", lambda: 200)

    wide = checkout.isobath("list").out

    assert "began" not in narrow
    assert wide.splitlines()[0].split()[:3] == ["study", "began,", "UTC"]
    assert " 2026-11-23 13:28  cg " in wide
    assert max(map(len, wide.splitlines())) <= 98


def test_what_is_not_listed_is_told_with_the_way_to_it(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid(checkout, "cg-whole", "bench cg")
    laid(checkout, "run-whole", "run")
    monkeypatch.setattr("isobath.cli.list.SHOWN", 1)

    said = checkout.isobath("list", "--since", "2026-11")

    assert "\nand 1 older one; add --all to see them\n" in said.out
    assert "older" not in checkout.isobath("list", "--since", "2026-11", "--all").out


def test_a_complete_study_has_nothing_to_do(checkout: Checkout) -> None:
    study = laid(checkout, "cg-whole", "bench cg")

    said = checkout.isobath("resume", "last", "--dry-run")

    folder = f"checkout/studies/{study.name}"
    assert said.out == f"complete: all 2 launches are done; study folder: {folder}\n"


@pytest.mark.parametrize(("name", "kind"), [("run-whole", "run"), ("search-whole", "search")])
def test_one_launch_is_done_again_with_its_settings(
    checkout: Checkout, name: str, kind: str
) -> None:
    study = laid(checkout, name, kind)

    said = checkout.isobath("resume", "last")

    assert said.code == 2
    ours = front_door()
    again = f"{ours} show {study.name} --settings > again.toml; {ours} {kind} again.toml"
    assert said.err.endswith(f"it cannot be resumed, only done again: {again}\n")
    assert f'kind = "{kind}"' in checkout.isobath("show", study.name, "--settings").out


def test_what_was_cut_off_early_kept_no_settings(checkout: Checkout) -> None:
    study = laid(checkout, "run-whole", "run")
    for name in ("run.json", "MANIFEST.sha256"):
        (study / name).unlink()

    said = checkout.isobath("resume", study.name)

    assert said.code == 2
    assert f"before its settings were kept: give {front_door()} run the options" in said.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [(("show", "lst"), "last"), (("list", "--kind", "gc"), "cg"),
     (("list", "--kind", "searc"), "search")],
)  # fmt: skip
def test_near_names_are_offered(checkout: Checkout, words: tuple[str, ...], meant: str) -> None:
    laid(checkout, "cg-whole", "bench cg")

    said = checkout.isobath(*words)

    assert said.code == 2
    assert f"did you mean {meant}? " in said.err
