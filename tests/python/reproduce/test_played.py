# SPDX-License-Identifier: Apache-2.0
"""What the three scripts of simulated figures have in common."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from played import Kind, head_of, main, require_all


def lines_of(found: Mapping[str, str]) -> Iterator[str]:
    require_all(("small", "large"), found)
    yield from head_of("made.py", "Times are SIMULATED.", "d", "3.32")


def found_in(store: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in store.iterdir()}


def simulated(item: str, store: Path) -> int:
    (store / item).write_text("kept", encoding="utf-8")
    return 3 if item == "large" else 0


KIND = Kind(("small", "large"), found_in, simulated)


def test_only_what_is_missing_is_simulated_and_the_worst_code_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small").write_text("before", encoding="utf-8")

    assert main(["run", str(tmp_path)], "Made.", [KIND], lines_of) == 3
    assert found_in(tmp_path) == {"small": "before", "large": "kept"}
    assert capsys.readouterr().err == "large\n"

    assert main(["read", str(tmp_path)], "Made.", [KIND], lines_of) == 0
    first, by, digest, simgrid = capsys.readouterr().out.splitlines()
    assert (first, digest, simgrid) == (
        "# SPDX-License-Identifier: Apache-2.0", 'platform_digest = "d"', 'simgrid = "3.32"',
    )  # fmt: skip
    assert by == "# Written by benchmarks/made.py. Times are SIMULATED."


def test_a_file_of_half_of_them_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "small").write_text("kept", encoding="utf-8")

    with pytest.raises(SystemExit, match="large was not simulated; run it first"):
        main(["read", str(tmp_path)], "Made.", [KIND], lines_of)
