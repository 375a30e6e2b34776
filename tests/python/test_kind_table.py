# SPDX-License-Identifier: Apache-2.0
"""The table of kinds has every kind, and all that tests go by is there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import example_kind
import fake_mpi
from isobath.records.codec import RECORD_KINDS
from isobath.study.kinds import KINDS, entry_of
from kind_table import BARE, OF_OTHERS, STORED, TIMED, TRIED, bare, program, whole
from studies.stored import not_made, numbers, studies, the_folder

ROOT = Path(__file__).resolve().parents[2]


def test_every_kind_is_in_the_table() -> None:
    missing = [entry.name for entry in KINDS if entry.name not in TRIED]

    assert missing == [], "add them to TRIED in tests/python/kind_table.py"
    assert set(TRIED) == {entry.name for entry in KINDS}
    assert not any(entry_of(name).program for name in OF_OTHERS), "it has records of its own"
    assert all(tried.quick for tried in TRIED.values())


@pytest.mark.parametrize("kind", TRIED)
def test_every_kind_has_a_whole_study(kind: str) -> None:
    name = whole(kind)

    assert lacks_study(name) == ""
    assert the_folder(STORED / name, studies()[name].kind).is_dir()


def lacks_study(name: str) -> str:
    """What to do where a study is not stored; empty where it is."""
    if name not in studies():
        word = name.rpartition("-")[0]
        return f"no table has {name}: add it to tests/data/studies/{word}.toml; {not_made(name)}"
    return "" if (STORED / name).is_dir() else not_made(name)


def lacks_numbers(name: str, record: str) -> str:
    """What to do where no plain arithmetic tells what is read of a study."""
    made = f"run .venv/bin/python tools/make_studies.py {name}"
    if name not in numbers():
        return f"tests/data/studies/numbers.json has no {name}: {made}"
    if any(record in kinds for kinds in numbers()[name].values()):
        return ""
    return (
        f"tools/study_numbers.py tells no numbers of the records {record} of {name}: give it a "
        f"function for them, name that in _of_lines, and {made}"
    )


def test_what_is_missing_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{example_kind.HYPHEN}-whole"

    assert lacks_study("cg-whole") == lacks_numbers("cg-whole", "krylov") == ""
    assert lacks_study(name).startswith(
        f"no table has {name}: add it to tests/data/studies/{example_kind.HYPHEN}.toml; "
    )
    assert lacks_study(name).endswith(not_made(name))
    assert "has no sand-castle-whole: run .venv/" in lacks_numbers(name, "krylov")
    assert "tells no numbers of the records run of cg-whole" in lacks_numbers("cg-whole", "run")
    in_table = replace(studies()["cg-whole"], source=name)
    with pytest.raises(AssertionError, match=r"run .venv/bin/python tools/make_studies.py sand-"):
        in_table.lay_out(STORED / name)
    monkeypatch.setitem(studies(), name, in_table)
    assert lacks_study(name) == not_made(name)


def test_a_kind_with_the_name_of_the_example_is_told_what_to_do() -> None:
    example_kind.refuse_a_kind_of_that_name()
    with pytest.raises(AssertionError, match="call the example something else in tests/python/"):
        example_kind.refuse_a_kind_of_that_name([example_kind.NAME])


@pytest.mark.parametrize("kind", TIMED)
def test_every_kind_with_records_has_their_numbers(kind: str) -> None:
    assert lacks_numbers(whole(kind), TRIED[kind].record) == ""
    assert TRIED[kind].record in RECORD_KINDS


def test_every_way_to_read_records_has_a_file_that_its_program_wrote() -> None:
    for kind in BARE:
        file = STORED / bare(kind) / "records.jsonl"
        assert file.is_file(), f"add {bare(kind)} to bare.toml; {not_made(bare(kind))}"
        first = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
        assert first["program"] == entry_of(kind).program
    assert {entry_of(kind).kind for kind in BARE} == {one.kind for one in KINDS if one.program}


def test_every_engine_program_has_words_that_it_accepts_by_itself() -> None:
    """For tests/system/test_worlds.py."""
    asked = [entry.name for entry in KINDS if entry.program and not TRIED[entry.name].alone]

    assert asked == [], "name some in TRIED of tests/python/kind_table.py (alone)"
    assert not any(TRIED[entry.name].alone for entry in KINDS if not entry.program)


def test_the_fake_mpi_has_the_programs_of_all_kinds_that_are_measured_with_it() -> None:
    for entry in KINDS:
        if entry.program:
            file = fake_mpi.HERE / f"{program(entry)}.py"
            assert file.is_file(), f"the fake MPI has no {file.name}"
