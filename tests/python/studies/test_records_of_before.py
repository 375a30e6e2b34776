# SPDX-License-Identifier: Apache-2.0
"""Stored studies whose figures or names are others today than when they were measured."""

import json
import re
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from isobath.cli.main import main
from isobath.errors import UsageError
from isobath.study.home import shelf
from studies.stored import studies


def lay_out(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The checkout that the command line is in has this study, beside others."""
    monkeypatch.delenv("ISOBATH_STORE", raising=False)
    prefix = folder / "checkout"
    monkeypatch.setenv("ISOBATH_PREFIX", str(prefix))
    return studies()[name].lay_out(prefix)


def records_in(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = [line for path in sorted(folder.rglob("records.jsonl"))
             for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    return [record for record in map(json.loads, lines) if record["kind"] == kind]


def mean_of(by_rank: list[list[int]], invalid: list[int]) -> float:
    return fmean(
        fmean(time for number, time in enumerate(times) if number not in invalid)
        for times in by_rank
    )


def by_hand(record: dict[str, Any]) -> float:
    """100 - (T_all - T_comp) / T_comm x 100, T_comm being start and wait without work."""
    invalid, parts = record["invalid"], record["parts"]
    together = mean_of(parts["osu"]["rank_nanoseconds"], invalid)
    computing = mean_of(record["inside"]["osu_compute"], invalid)
    alone = mean_of(parts["nonblocking"]["rank_nanoseconds"], invalid)
    assert computing != pytest.approx(alone), "else it would not matter what is divided by"
    return 100 - (together - computing) / alone * 100


def test_a_stored_study_shows_the_percentage_of_the_sharp_paper_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay_out("overlap-whole", tmp_path, monkeypatch)
    names = ("ranks", "aggregators", "progress", "tests")
    launches: dict[tuple[Any, ...], list[float]] = {}
    for record in records_in(folder, "overlap"):
        if record["launch"] > 0:  # before the first, calls are calibrated
            key = tuple(record[name] for name in names)
            launches.setdefault(key, []).append(by_hand(record))

    assert main(["bench", "overlap", "--of", "last", "--json"]) == 0

    groups = json.loads(capsys.readouterr().out)["groups"]
    shown = {
        (group["ranks"], *(row[name] for name in names[1:])): row["sharp_paper_percent"]
        for group in groups
        for row in group["rows"]
        if "sharp_paper_percent" in row  # not where ranks share processors
    }
    assert len(shown) > 2
    assert shown == pytest.approx({key: fmean(launches[key]) for key in shown})


def test_all_ways_to_wait_are_wait_in_a_ledger_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay_out("race-whole", tmp_path, monkeypatch)
    waits = {cell["call"] for record in records_in(folder, "calls") for cell in record["cells"]
             if cell["call"].startswith("wait")}  # fmt: skip
    assert waits == {"wait"}

    assert main(["show", "last", "--view", "calls"]) == 0

    assert set(re.findall(r"MPI_Wait\w*", capsys.readouterr().out)) == {"MPI_Wait"}


def test_the_last_profile_is_the_last_profile_whatever_came_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = lay_out("profile-whole", tmp_path, monkeypatch)
    lay_out("cg-whole", tmp_path / "later", monkeypatch)
    (tmp_path / "later" / "checkout" / "benches").rename(profile.parents[1] / "benches")
    monkeypatch.setenv("ISOBATH_PREFIX", str(profile.parents[1]))
    assert shelf().find("last").entry.name == "bench cg"

    assert main(["profile", "--of", "last"]) == 0

    assert "of the wall time in MPI" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "/", ".", ".."])
def test_what_names_no_study_takes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    lay_out("run-whole", tmp_path, monkeypatch)
    assert shelf().find("2").entry.name == "run", "the beginning of its id does"

    with pytest.raises(UsageError):
        shelf().find(name)
