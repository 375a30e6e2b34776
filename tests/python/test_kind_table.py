# SPDX-License-Identifier: Apache-2.0
"""The table of kinds has every kind, and all that tests go by is there."""

import json
from pathlib import Path

import pytest

import fake_mpi
from isobath.records.codec import RECORD_KINDS
from isobath.study.kinds import KINDS, entry_of
from kind_table import BARE, OF_OTHERS, STORED, TIMED, TRIED, bare, program, whole
from studies.stored import numbers, studies, the_folder

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

    assert name in studies(), f"no study {name}: add it to tests/data/studies, run make_studies.py"
    assert the_folder(STORED / name, studies()[name].kind).is_dir()


@pytest.mark.parametrize("kind", TIMED)
def test_every_kind_with_records_has_their_numbers(kind: str) -> None:
    records = {record for kinds in numbers()[whole(kind)].values() for record in kinds}

    assert TRIED[kind].record in records, "tools/study_numbers.py tells its numbers"
    assert TRIED[kind].record in RECORD_KINDS


def test_every_way_to_read_records_has_a_file_that_its_program_wrote() -> None:
    for kind in BARE:
        file = STORED / bare(kind) / "records.jsonl"
        assert file.is_file(), f"no {file}: add it to bare.toml, run tools/make_studies.py"
        first = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
        assert first["program"] == entry_of(kind).program
    assert {entry_of(kind).kind for kind in BARE} == {one.kind for one in KINDS if one.program}


def test_the_fake_mpi_has_the_programs_of_all_kinds_that_are_measured_with_it() -> None:
    for entry in KINDS:
        if entry.program:
            file = fake_mpi.HERE / f"{program(entry)}.py"
            assert file.is_file(), f"the fake MPI has no {file.name}"
