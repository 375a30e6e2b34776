# SPDX-License-Identifier: Apache-2.0
"""Limits of the memory: from a program's line to what is laid to a run."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.doctor.limit_findings import limit_findings
from isobath.errors import EnvironmentProblem
from isobath.launch.memory_limits import (
    FILE,
    keep_limits,
    kept_limits,
    limits_for_environment,
    measure_limits,
)
from isobath.machine.facts import read_machine
from isobath.records.memory_limits import MemoryLimits

MACHINE = read_machine()
LINE = {
    "threads": 2,
    "rates": [
        {
            "bytes": 1 << 20,
            "read_bytes_per_second": 2e11,
            "write_bytes_per_second": 1e11,
            "random_reads_per_second": 4e9,
        }
    ],
}


def program(folder: Path, words: str) -> Path:
    path = folder / "isobath-limits"
    path.write_text(f"#!{sys.executable}\n{words}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def measured(folder: Path) -> MemoryLimits:
    return measure_limits(program(folder, f"print({json.dumps(json.dumps(LINE))})"), MACHINE)


def test_what_was_measured_is_kept_for_this_machine(tmp_path: Path) -> None:
    found = measured(tmp_path)
    assert found.threads == 2
    assert found.hostname == MACHINE.hostname

    keep_limits(tmp_path / "state", found)

    assert kept_limits(tmp_path / "state", MACHINE) == found
    laid = limits_for_environment(tmp_path / "state", MACHINE)
    assert MemoryLimits.model_validate(laid["memory_limits"], strict=False) == found
    json.dumps(laid)
    assert kept_limits(tmp_path / "state", replace(MACHINE, hostname="another")) is None
    assert kept_limits(tmp_path / "state", replace(MACHINE, cpu_model="another")) is None


def test_nothing_measured_or_damaged_is_nothing(tmp_path: Path) -> None:
    assert limits_for_environment(tmp_path, MACHINE) == {}
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    assert kept_limits(tmp_path, MACHINE) is None


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("import sys; sys.exit('no memory')", "isobath-limits ended with 1: no memory"),
        ("print('nothing')", "isobath-limits did not measure"),
        ('print(\'{"threads": 0, "rates": []}\')', "isobath-limits did not measure"),
        ("print('[]')", "isobath-limits did not measure"),
    ],
)
def test_a_program_that_fails_is_told(tmp_path: Path, words: str, reason: str) -> None:
    with pytest.raises(EnvironmentProblem, match=reason):
        measure_limits(program(tmp_path, words), MACHINE)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", encoding="utf-8")
    with pytest.raises(EnvironmentProblem, match="cannot keep the limits"):
        keep_limits(tmp_path / "state", measured(tmp_path))


def test_the_doctor_tells_rates_and_warns_of_others(tmp_path: Path) -> None:
    idle = measured(tmp_path).model_copy(update={"load": 0.0})
    (finding,) = limit_findings(idle)
    assert "read 200 GB/s" in finding.words
    assert "4 billion random reads" in finding.words
    busy = limit_findings(idle.model_copy(update={"load": 5.0}))
    assert [one.status for one in busy] == ["good", "warning"]
